"""Python, the command line and C++ give the same bits."""

import json
import re
import subprocess

import numpy
import pytest

import sinew


def state_of_program(program, scene, folder):
    result = subprocess.run([program, "run", str(scene), "-o", str(folder)], capture_output=True, text=True, check=True)
    return re.search(r"state ([0-9a-f]{16})", result.stdout + result.stderr).group(1)


@pytest.mark.parametrize("solver", ["vbd", "xpbd", "multilevel", "newton"])
def test_as_the_program(program, bar, solver, tmp_path):
    bar["solver"] = {"type": solver, "iterations": 5}
    file = tmp_path / "bar.json"
    file.write_text(json.dumps(bar))
    expected = state_of_program(program, file, tmp_path / "out")
    for scene in (file, str(file), bar, json.dumps(bar), sinew.Scene(bar)):
        for threads in (1, 2):
            simulation = sinew.Simulation(scene, threads=threads)
            simulation.run()
            assert simulation.hash() == expected


def test_scene_with_overrides(program, scenes, tmp_path):
    overrides = {"time.duration": 0.1, "solver.iterations": 7, "gravity": numpy.array([0, 0, -5.0])}
    file = tmp_path / "scene.json"
    file.write_text(sinew.Scene(scenes / "falling_bar.json", overrides=overrides).to_json())
    simulation = sinew.Simulation(scenes / "falling_bar.json", overrides=overrides)
    simulation.run()
    assert simulation.hash() == state_of_program(program, file, tmp_path / "out")


def test_steps_and_runs_are_equal(bar):
    one, other = sinew.Simulation(bar), sinew.Simulation(bar)
    reports = one.run()
    assert [r.step for r in reports] == list(range(1, 11))
    for _ in range(10):
        other.step()
    assert one.hash() == other.hash()
    other = sinew.Simulation(bar)
    other.run(steps=3)
    other.run(seconds=0.02)
    other.run(frames=2)
    assert other.steps_taken == 8  # in the middle of a frame, whose end is the first of two
    assert other.run(seconds=0) == other.run(0) == []


def test_mesh_from_arrays(bar):
    first = sinew.Simulation(bar)
    bar["objects"]["bar"]["mesh"] = {"arrays": {"vertices": first.rest_positions, "tets": first.tets}}
    second = sinew.Simulation(bar)
    assert numpy.array_equal(second.rest_positions, first.rest_positions)
    assert numpy.array_equal(second.tets, first.tets)
    first.run()
    second.run()
    assert second.hash() == first.hash()


def test_changes_are_replayed(bar):
    simulation = sinew.Simulation(bar)
    simulation.run(steps=2)
    simulation.set("materials.rubber.youngs_modulus", 2e5)
    grab = simulation.add_grab(simulation.nearest_point([0.4, 0.1, 0.1]))
    simulation.move_grab(grab, [0.4, 0.3, 0.1])
    simulation.run(steps=3)
    again = sinew.Simulation(bar, threads=1)
    again.replay(simulation.changes())
    assert again.hash() == simulation.hash()
