"""Changes between steps, reports, and states that are kept."""

import gc
import json
import pickle
import weakref

import numpy
import pytest

import sinew


def test_pins(bar):
    s = sinew.Simulation(bar)
    tip = numpy.flatnonzero(s.rest_positions[:, 0] > 0.399)
    pin = s.add_pin(tip)
    s.move_pin(pin, translate=[0, 0.05, 0])
    s.step()
    assert numpy.allclose(s.positions[tip], s.rest_positions[tip] + [0, 0.05, 0])
    places = s.rest_positions[tip] + [0.01, 0, 0]
    s.place_pin(pin, places)
    s.step()
    assert numpy.allclose(s.positions[tip], places)
    s.remove_pin(pin)
    s.step()
    assert not numpy.allclose(s.positions[tip], places)
    s.move_pin(sinew.Pin(0), rotate_degrees=90, axis=[1, 0, 0], center=[0, 0, 0])
    s.step()
    root = numpy.flatnonzero(s.rest_positions[:, 0] < 0.001)
    y, z = s.rest_positions[root, 1], s.rest_positions[root, 2]
    assert numpy.allclose(s.positions[root], numpy.stack([0 * y, -z, y], axis=1))


def test_forces_and_grabs(bar):
    s = sinew.Simulation(bar)
    s.set_gravity([0, 0, 0])
    tip = numpy.flatnonzero(s.rest_positions[:, 0] > 0.399)
    force = s.add_force(tip, [0, 0, 2])
    s.run(steps=2)
    assert (s.velocities[tip, 2] > 0).all()
    s.set_force(force, [0, 0, 0])
    point = s.cast_ray([0.4, 1, 0.05], [0, -1, 0])
    assert point.position[1] == pytest.approx(0.1, abs=0.02) and sum(point.weights) == pytest.approx(1)
    s.move_force(force, point)
    s.remove_force(force)
    assert s.cast_ray([5, 5, 5], [0, 1, 0]) is None
    grab = s.add_grab(point, stiffness=100)
    s.move_grab(grab, numpy.add(point.position, [0, 0.1, 0]))
    s.step()
    assert s.grab_force(grab)[1] > 0 and s.energies().grabs > 0
    s.remove_grab(grab)
    s.add_grab(tip[0])


def test_settings(bar):
    s = sinew.Simulation(bar)
    for path, value in [
        ("solver.type", "newton"),
        ("solver", {"type": "vbd", "iterations": 3}),
        ("materials.rubber.youngs_modulus", numpy.float64(2e5)),
        ("gravity", numpy.array([0, 0, -9.81])),
        ("gravity", (0, -9.81, 0)),
        ("solver.iterations", 4),
    ]:
        s.set(path, value)
    assert s.step().iterations == 4


def test_objects_and_colliders(bar):
    s = sinew.Simulation(bar)
    s.switch_object("bar", False)
    before = s.positions.copy()
    s.step()
    assert numpy.array_equal(s.positions, before) and not s.objects[0].on
    s.switch_object("bar", True)
    floor = s.add_collider("floor", {"shape": {"half_space": {"point": [0, -0.05, 0], "normal": [0, 1, 0]}}})
    assert [c.name for c in s.colliders] == ["floor"] and s.colliders[0].handle == floor
    s.move_collider(floor, translate=[0, 0.01, 0], arrival=s.time + 2 * s.step_size)
    s.run(steps=2)
    (point, normal), = s.collider(floor).planes
    assert point[1] == pytest.approx(-0.04) and normal == [0, 1, 0]
    # Keyframes, on the clock of the simulation.
    keys = [{"time": s.time, "translate": numpy.array([0, 0.01, 0])}, {"time": s.time + 0.02}]
    s.drive_collider(floor, {"smooth": False, "keyframes": keys})
    s.run(seconds=0.01)
    (point, normal), = s.collider(floor).planes
    assert point[1] == pytest.approx(-0.045)
    with pytest.raises(sinew.Error, match="keyframes"):
        s.drive_collider(floor, {"keyframe": []})
    s.run(seconds=0.3)
    assert s.contacts() and s.contacts()[0].force[1] > 0
    s.remove_collider(floor)
    assert s.colliders == []


def test_reports(bar):
    bar["solver"] = {"type": "newton", "iterations": 20, "relative_tolerance": 1e-8}
    s = sinew.Simulation(bar)
    assert len(s.step().curve) == 0
    s.curves = True
    report = s.step()
    assert report.status == "converged" and report.evaluated
    assert [r.iteration for r in report.curve] == list(range(report.iterations + 1))
    assert report.residuals[-1] == report.evaluation.residual < 1e-7 * report.residuals[0]
    assert report.residuals[0] == pytest.approx(report.first_residual)
    assert s.evaluate().residual == pytest.approx(report.evaluation.residual, rel=0.5)
    assert report.milliseconds.total > 0 and report.time == s.time
    assert "converged" in repr(report)
    s.curves = False
    assert len(s.step().residuals) == 0


def test_observers(bar):
    s = sinew.Simulation(bar)
    seen, kept = [], []

    def see(report):
        seen.append((report.step, report.iteration, report.evaluation.residual, report.positions))
        kept.append(report)

    s.observer = see
    assert s.observer is see
    s.curves = True
    step = s.step()
    assert [residual for _, _, residual, _ in seen] == list(step.residuals)
    assert [k for _, k, _, _ in seen] == list(range(11)) and {n for n, _, _, _ in seen} == {1}
    assert numpy.allclose(seen[-1][3], s.positions, atol=1e-6)
    assert not numpy.allclose(seen[0][3], s.positions, atol=1e-6)
    assert all(report.positions is None for report in kept + step.curve)
    s.observer = None
    s.step()
    assert len(seen) == 11
    with pytest.raises(sinew.Error):
        s.observer = 3


def test_observers_that_raise(bar):
    s, untouched = sinew.Simulation(bar), sinew.Simulation(bar)
    calls = []

    def fail(report):
        calls.append(report.step)
        if report.step == 3 and report.iteration == 2:
            raise ZeroDivisionError

    s.observer = fail
    with pytest.raises(ZeroDivisionError):
        s.run()
    assert s.steps_taken == 3 and calls.count(3) == 3
    untouched.run(steps=3)
    assert s.hash() == untouched.hash()

    for use in (lambda _: s.time, lambda _: s.step(), lambda _: s.evaluate(), lambda _: s.positions):
        s.observer = use
        with pytest.raises(sinew.Error, match="middle of a step"):
            s.step()


def test_observers_that_end_themselves(bar):
    s, untouched = sinew.Simulation(bar), sinew.Simulation(bar)
    s.curves = True
    first, second = [], []

    def once(report):
        first.append(report)
        s.observer = second.append

    def twice(report):
        first.append(report)
        if len(first) == 4:
            s.observer = None

    s.observer = once
    assert len(s.step().curve) == 11 and len(first) == 1 and len(second) == 10
    s.observer = twice
    curve = s.step().curve
    assert len(curve) == 11 and all(report.positions is None for report in curve)
    assert len(first) == 4 and s.observer is None
    s.step()
    untouched.run(steps=3)
    assert len(first) == 4 and s.hash() == untouched.hash()


def test_masks_of_vertices(bar):
    s, other = sinew.Simulation(bar), sinew.Simulation(bar)
    tip = s.rest_positions[:, 0] > 0.39
    s.add_pin(tip)
    other.add_pin(numpy.flatnonzero(tip))
    assert numpy.array_equal(s.held, other.held) and s.held[tip].all()
    s.add_force(~s.held, [0, 1, 0])
    other.add_force(numpy.flatnonzero(~other.held), [0, 1, 0])
    s.run(steps=2)
    other.run(steps=2)
    assert s.hash() == other.hash()
    for mask in (tip[:-1], tip[None], [True, False]):
        with pytest.raises(sinew.Error, match=f"vertices: is a mask of the shape .*{s.vertex_count} vertices"):
            s.add_pin(mask)
    with pytest.raises(sinew.Error):
        s.add_pin(~tip & tip)


def test_observers_that_hold_their_simulation_are_collected(bar):
    def make():
        s = sinew.Simulation(bar)
        s.observer = lambda report: s
        s.step()
        return weakref.ref(s.observer)

    observers = [make() for _ in range(20)]
    gc.collect()
    assert all(observer() is None for observer in observers)


def test_observers_that_know_their_simulation_do_not_fill_the_memory(bar):
    """Python's collector, which counts objects, would come late for large bodies."""
    bar["objects"]["bar"]["mesh"] = {"beam": {"length": 0.4, "cells_across": 8}}

    class Recorder:
        def __init__(self):
            self.simulation = sinew.Simulation(bar, threads=1)
            self.simulation.observer = self.note

        def note(self, report):
            raise ValueError("mine")

    recorder = Recorder()
    with pytest.raises(ValueError):
        recorder.simulation.step()
    watched = weakref.ref(recorder), weakref.ref(recorder.simulation)
    vertices = recorder.simulation.vertex_count
    del recorder
    gc.collect()
    assert [w() for w in watched] == [None, None]
    threshold = gc.get_threshold()
    gc.set_threshold(0)  # enabled, and never by itself
    try:
        made = [weakref.ref(Recorder().simulation) for _ in range(2 * 50000 // vertices)]
        assert sum(ref() is not None for ref in made) <= 50000 // vertices + 1
    finally:
        gc.set_threshold(*threshold)
        gc.collect()
    assert not any(ref() for ref in made)


def test_curves_and_observers_change_no_bits(bar):
    one, other = sinew.Simulation(bar), sinew.Simulation(bar)
    other.curves = True
    other.observer = lambda report: report.positions
    one.run()
    other.run()
    assert one.hash() == other.hash()


def test_states(bar, tmp_path):
    s = sinew.Simulation(bar)
    s.run(steps=3)
    snapshot, saved, view = s.save(), s.hash(), s.positions
    assert repr(snapshot) == "<sinew.Snapshot>"
    at = view.copy()
    (tmp_path / "state").write_bytes(s.checkpoint())
    s.run(steps=3)
    later = s.hash()
    s.restore(snapshot)
    assert s.hash() == saved and numpy.array_equal(view, at)
    for again in (sinew.Simulation.resume((tmp_path / "state").read_bytes(), threads=1), pickle.loads(pickle.dumps(s))):
        assert again.hash() == saved and again.steps_taken == 3
        again.run(steps=3)
        assert again.hash() == later


def test_scene(bar):
    scene = sinew.Scene(bar)
    resolved = scene.to_dict()
    assert scene.name == "bar" and resolved["solver"]["iterations"] == 10
    assert sinew.Scene(resolved) == scene == sinew.Scene(scene.to_json())
    assert sinew.Scene(scene, overrides={"solver.iterations": 3}).to_dict()["solver"]["iterations"] == 3
    assert json.loads(sinew.scene_schema()) and "objects.NAME" in sinew.scene_reference()
    assert list(sinew.Simulation(bar).probes()) == ["tip"]
    assert sinew.Simulation(bar).probes()["tip"] == pytest.approx([0.4, 0.05, 0.05])


def leaves(part, path=""):
    """The paths of all values of a scene that has every default written out."""
    if isinstance(part, dict) and part:
        for key, value in part.items():
            yield from leaves(value, f"{path}.{key}" if path else key)
    else:
        yield path, part


def test_every_key_can_be_given(scenes):
    """Scenes read from files and written out, by the engine's tables, are the same as dicts and by paths."""
    paths = set()
    for file in sorted(scenes.glob("*.json")):
        scene = sinew.Scene(file)
        resolved = scene.to_dict()
        assert sinew.Scene(resolved, folder=file.parent).to_json() == scene.to_json()
        values = {path: value for path, value in leaves(resolved) if path not in paths and "." in path}
        if not any("arrays" in path for path in values):
            assert sinew.Scene(scene, overrides=values).to_json() == scene.to_json(), file
        paths |= set(values)
    assert len(paths) > 200


def test_mesh(bar, tmp_path):
    mesh = sinew.mesh({"ball": {"radius": 0.2}}, cells=8)
    assert mesh.vertices.shape[1] == 3 and mesh.tets.shape[1] == 4
    corners = mesh.vertices[mesh.tets]
    volume = numpy.linalg.det(corners[:, 1:] - corners[:, :1]).sum() / 6
    assert volume == pytest.approx(4 / 3 * numpy.pi * 0.2**3, rel=0.1)
    bar["objects"]["bar"]["mesh"] = {"arrays": {"vertices": mesh.vertices, "tets": mesh.tets}}
    del bar["pins"], bar["probes"]
    assert sinew.Simulation(bar).element_count == len(mesh.tets)
    mesh.write(tmp_path / "ball.vtu")
    assert (tmp_path / "ball.vtu").stat().st_size > 1000


def test_compare(bar, tmp_path):
    comparison = sinew.compare(bar, ["vbd", "newton"], iterations=6)
    assert [c.label for c in comparison.curves] == ["vbd", "newton"]
    rows = comparison.rows()
    newton = [row["residual"] for row in rows if row["method"] == "newton"]
    assert newton[-1] < 1e-3 * newton[0]
    assert {row["iteration"] for row in rows if row["method"] == "vbd"} == set(range(7))
    assert "newton" in str(comparison)
    assert any(file.name == "comparison.json" for file in comparison.write(tmp_path / "out"))
