"""Pictures are arrays, and those of a run are the program's."""

import struct
import zlib

import numpy
import pytest

import sinew

SMALL = {"width": 96, "height": 64, "samples": 1}
pytestmark = pytest.mark.usefixtures("tracer")


def pixels_of(png):
    """Of a PNG file of 8-bit RGB, by its definition."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, data = 8, b""
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        body = png[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", body[:10])
            assert (depth, color) == (8, 2)
        data += body if kind == b"IDAT" else b""
        at += 12 + length
    rows = numpy.frombuffer(zlib.decompress(data), numpy.uint8).reshape(height, 1 + 3 * width)
    pixels = numpy.zeros((height + 1, width + 1, 3), int)
    for y, row in enumerate(rows):
        for x, given in enumerate(row[1:].reshape(width, 3).astype(int)):
            a, b, c = pixels[y + 1, x], pixels[y, x + 1], pixels[y, x]
            p = abs(b - c), abs(a - c), abs(a + b - 2 * c)
            paeth = numpy.where((p[0] <= p[1]) & (p[0] <= p[2]), a, numpy.where(p[1] <= p[2], b, c))
            pixels[y + 1, x + 1] = (given + (0, a, b, (a + b) // 2, paeth)[row[0]]) % 256
    return pixels[1:, 1:]


def test_of_a_simulation(bar):
    s = sinew.Simulation(bar)
    picture = s.picture(**SMALL)
    assert isinstance(picture, sinew.Picture) and isinstance(picture, numpy.ndarray)
    assert picture.shape == (64, 96, 3) and picture.dtype == numpy.uint8 and picture.std() > 10
    assert numpy.array_equal(picture, s.picture(**SMALL, threads=2))
    kept = picture.copy()
    s.run()
    moved = s.picture(**SMALL)
    assert numpy.array_equal(picture, kept) and not numpy.array_equal(picture, moved)
    del s
    assert not numpy.array_equal(moved, s_with(bar, color_by="strain"))
    assert not numpy.array_equal(moved, s_with(bar, wireframe=True))
    assert not numpy.array_equal(moved, s_with(bar, ground=False))
    assert not numpy.array_equal(moved, s_with(bar, camera={"direction": [-1, -0.2, -0.1]}))


def s_with(bar, **looks):
    s = sinew.Simulation(bar)
    s.run()
    return s.picture(**SMALL, **looks)


def test_settings_are_those_of_the_scene(bar):
    by_arguments = s_with(bar, color_by="von_mises", camera={"eye": numpy.array([1, 1, 2.0]), "target": [0.2, 0, 0]})
    bar["render"] = {**SMALL, "color_by": "von_mises", "camera": {"eye": [1, 1, 2], "target": [0.2, 0, 0]}}
    s = sinew.Simulation(bar)
    s.run()
    assert numpy.array_equal(s.picture(), by_arguments)


def test_pictures_change_nothing(bar):
    bar["colliders"] = {"floor": {"shape": {"half_space": {"point": [0, -0.05, 0]}}}}
    bar["solver"] = {"type": "multilevel", "iterations": 5}
    alone, shown = sinew.Simulation(bar), sinew.Simulation(bar)
    for colors in ("object", "residual", "strain", "von_mises", "displacement", "material"):
        shown.picture(color_by=colors, contacts=True, **SMALL)
        alone.run(steps=3)
        shown.run(steps=3)
        assert shown.hash() == alone.hash(), colors
    assert shown.contacts()


def test_of_a_run(bar, tmp_path):
    sinew.run(bar, tmp_path / "out")
    files = {file: file.stat().st_mtime_ns for file in (tmp_path / "out").rglob("*")}
    picture = sinew.picture(tmp_path / "out", frame=3, color_by="strain", **SMALL)
    assert files == {file: file.stat().st_mtime_ns for file in (tmp_path / "out").rglob("*")}
    rendered = sinew.render(tmp_path / "out", frame=3, color_by="strain", **SMALL).pictures
    assert numpy.array_equal(pixels_of(rendered.read_bytes()), picture)
    last = sinew.picture(tmp_path / "out", **SMALL)
    assert numpy.array_equal(last, sinew.picture(tmp_path / "out", frame=5, **SMALL))


def test_in_notebooks(bar, tmp_path):
    picture = sinew.Simulation(bar).picture(**SMALL)
    assert numpy.array_equal(pixels_of(picture._repr_png_()), picture)
    part = picture[10:30, ::2]
    assert numpy.array_equal(pixels_of(part._repr_png_()), part)
    assert picture.mean(axis=2)._repr_png_() is None and picture[:0]._repr_png_() is None
    picture.save(tmp_path / "picture.png")
    assert numpy.array_equal(pixels_of((tmp_path / "picture.png").read_bytes()), picture)


def test_faults(bar, tmp_path):
    s = sinew.Simulation(bar)
    for looks, text in (
        ({"color_by": "strian"}, "strain"),
        ({"width": 3}, "render.width"),
        ({"camera": {"eey": [0, 0, 0]}}, "render.camera.eey"),
        ({"camera": {"eye": [0, 0]}}, "render.camera.eye"),
    ):
        with pytest.raises(sinew.Error, match=text):
            s.picture(**looks)
    with pytest.raises(sinew.Error, match="PNG"):
        s.picture(**SMALL).save(tmp_path / "picture.jpg")
    with pytest.raises(sinew.Error, match="shape"):
        s.picture(**SMALL)[0].save(tmp_path / "picture.png")
    with pytest.raises(sinew.Error):
        sinew.picture(tmp_path)
