"""Many simulations at once end as each does alone."""

import dataclasses
import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from types import MappingProxyType, SimpleNamespace

import numpy
import pytest

import sinew


def stiffness(value):
    return {"materials.rubber.youngs_modulus": value}


VARIANTS = [stiffness(10000 * (k + 1)) for k in range(12)]


def alone(bar, overrides, steps=5):
    s = sinew.Simulation(bar, threads=1, overrides=overrides)
    s.run(steps=steps)
    return s.hash()


def hash_after(steps):
    def end(simulation):
        simulation.run(steps=steps)
        return simulation.hash()

    return end


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_same_bits_for_any_workers(bar, workers):
    batch = sinew.Batch(bar, overrides=VARIANTS)
    assert len(batch) == len(VARIANTS)
    hashes = batch.map(hash_after(5), workers=workers)
    assert hashes == [alone(bar, v) for v in VARIANTS]
    assert len(set(hashes)) == len(VARIANTS)


def test_different_scenes_and_one_override(bar, scenes):
    other = dict(bar, gravity=[0, 0, -3])
    batch = sinew.Batch([bar, other, scenes / "falling_bar.json"], overrides={"solver.iterations": 3})
    hashes = batch.map(hash_after(2))
    expected = []
    for scene in [bar, other, scenes / "falling_bar.json"]:
        s = sinew.Simulation(scene, overrides={"solver.iterations": 3})
        s.run(steps=2)
        expected.append(s.hash())
    assert hashes == expected


def test_what_stands_for_a_scene(bar):
    @dataclasses.dataclass
    class Whole:
        materials: dict
        objects: dict
        pins: list
        solver: dict
        sinew: int = 1

    parts = {key: bar[key] for key in ("materials", "objects", "pins", "solver")}
    overrides = {"solver.iterations": 3}
    expected = alone({"sinew": 1, **parts}, overrides, 2)
    for scene in (SimpleNamespace(sinew=1, **parts), MappingProxyType({"sinew": 1, **parts}), Whole(**parts)):
        for given in (overrides, MappingProxyType(overrides), [MappingProxyType(overrides)]):
            assert sinew.Batch(scene, overrides=given).map(hash_after(2)) == [expected]
            assert sinew.Batch(iter([scene, scene]), overrides=overrides).map(hash_after(2)) == [expected] * 2


def test_run_returns_the_simulations(bar):
    ends = sinew.Batch(bar, overrides=VARIANTS[:3]).run(frames=2, workers=2)
    assert [s.frames_taken for s in ends] == [2, 2, 2]
    assert ends[1].hash() == alone(bar, VARIANTS[1], steps=4)


def test_large_ones_come_last_and_alone(bar):
    seen, running, at_once, lock = [], [0], [], threading.Lock()

    def watch(simulation):
        with lock:
            running[0] += 1
            at_once.append((simulation.vertex_count, running[0]))
        time.sleep(0.02)
        with lock:
            running[0] -= 1
            seen.append(simulation.vertex_count)
        return simulation.vertex_count

    cells = [4, 2, 2, 4, 2]
    variants = [{"objects.bar.mesh.beam.cells_across": c} for c in cells]
    counts = sinew.Batch(bar, overrides=variants).map(watch, workers=3, large=200)
    assert counts[0] == counts[3] > 200 > counts[1] == counts[2] == counts[4]
    assert seen[-2:] == [counts[0], counts[3]]
    assert {n for count, n in at_once if count > 200} == {1}
    # With one worker there is nothing to wait for.
    seen.clear()
    sinew.Batch(bar, overrides=variants).map(watch, workers=1, large=200)
    assert seen == counts


def test_errors_name_the_scene(bar):
    variants = [stiffness(1e5), stiffness(-1), stiffness(2e5)]
    with pytest.raises(sinew.Error) as raised:
        sinew.Batch(bar, overrides=variants).map(hash_after(1))
    assert raised.value.where.startswith("scenes[1]") and "youngs_modulus" in str(raised.value)
    ends = sinew.Batch(bar, overrides=variants).map(hash_after(1), errors="return")
    assert isinstance(ends[1], sinew.Error) and ends[0] == alone(bar, variants[0], 1)
    assert ends[2] == alone(bar, variants[2], 1)


def test_an_error_starts_no_more(bar):
    calls = []

    def fail(simulation):
        calls.append(simulation)
        raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        sinew.Batch(bar, overrides=VARIANTS).map(fail, workers=2)
    assert len(calls) <= 2


def test_any_exception_is_returned(bar):
    def unlucky(simulation):
        simulation.step()
        if next(counter) == 1:
            raise ValueError("mine")
        return simulation.hash()

    counter = itertools.count()
    ends = sinew.Batch(bar, overrides=VARIANTS[:3]).map(unlucky, workers=1, errors="return")
    assert isinstance(ends[1], ValueError) and str(ends[1]) == "mine"
    assert [ends[0], ends[2]] == [alone(bar, v, 1) for v in (VARIANTS[0], VARIANTS[2])]

    def leave(simulation):
        raise SystemExit(3)

    with pytest.raises(SystemExit):
        sinew.Batch(bar, overrides=VARIANTS).map(leave, workers=1, errors="return")


@pytest.mark.parametrize(
    "make, part",
    [
        (lambda bar: sinew.Batch([]), "scenes: is empty"),
        (lambda bar: sinew.Batch(3), "scenes: is a int; give a list"),
        (lambda bar: sinew.Batch(None), "scenes: is a NoneType; give a list"),
        (lambda bar: sinew.Batch(bar, overrides=3), "overrides: is a int; give a dict"),
        (lambda bar: sinew.Batch(bar, overrides="solver.iterations=3"), "overrides: is a str; give a dict"),
        (lambda bar: sinew.Batch([bar, bar], overrides=[{}]), "1 dicts for 2 scenes"),
        (lambda bar: sinew.Batch(bar, overrides=[]), "overrides: is empty"),
        (lambda bar: sinew.Batch(bar).map(len, workers=0), "workers = 0"),
        (lambda bar: sinew.Batch(bar).map(len, errors="ignore"), "errors = 'ignore'"),
        (lambda bar: sinew.Batch(bar).simulation(1), "there are 1 scenes"),
    ],
)
def test_bad_input(bar, make, part):
    with pytest.raises(sinew.Error) as raised:
        make(bar)
    assert part in str(raised.value)


def test_progress(bar, capfd):
    sinew.Batch(bar, overrides=VARIANTS[:3]).map(hash_after(1), progress=True)
    assert capfd.readouterr().err.startswith("\rbatch: ")
    sinew.Batch(bar, overrides=VARIANTS[:3]).map(hash_after(1))
    assert capfd.readouterr().err == ""


def test_interrupt_ends_after_the_calls_that_run(bar):
    script = f"""
import signal, sys, time, sinew
signal.signal(signal.SIGINT, signal.default_int_handler)
begun = []
def slow(simulation):
    begun.append(0)
    print("begun\\n", end="", flush=True)  # at once: there are two threads
    time.sleep(0.5)
try:
    sinew.Batch({bar!r}, overrides=[{{}}] * 50).map(slow, workers=2)
except KeyboardInterrupt:
    print("interrupted", len(begun), flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=os.environ)
    assert process.stdout.readline() == "begun\n"
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "interrupted" in out and int(out.split()[-1]) <= 4


def test_arrays_outlive_the_batch(bar):
    views = sinew.Batch(bar, overrides=VARIANTS[:4]).map(lambda s: (s.run(steps=2), s.positions)[1], workers=2)
    for variant, view in zip(VARIANTS, views):
        s = sinew.Simulation(bar, overrides=variant)
        s.run(steps=2)
        numpy.testing.assert_array_equal(view, s.positions)
