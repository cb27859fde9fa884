"""Errors are exceptions that say where, what, and what to do."""

import pickle

import numpy
import pytest

import sinew


def error_of(call, *arguments, **options):
    with pytest.raises(sinew.Error) as raised:
        call(*arguments, **options)
    return raised.value


def test_of_scenes(bar, tmp_path):
    bar["materials"]["rubber"]["poisson_ratio"] = 0.5
    error = error_of(sinew.Simulation, bar)
    assert error.where == "scene" and error.what.startswith("materials.rubber.poisson_ratio = 0.5") and error.remedy
    assert all(part in str(error) for part in (error.where, error.what, error.remedy))
    assert "none.json" in str(error_of(sinew.Simulation, tmp_path / "none.json"))
    assert error_of(sinew.Simulation, "{ not JSON").what
    assert error_of(sinew.Simulation, "").what
    assert error_of(sinew.Simulation, 3).where == "scene"


def test_of_misspelt_keys(bar):
    bar["solver"]["iteratoins"] = 3
    assert "iterations" in str(error_of(sinew.Scene, bar))


@pytest.mark.parametrize("value", [float("nan"), numpy.inf, numpy.array([0, numpy.nan, 0]), object(), {1, 2}])
def test_of_values_that_json_has_not(bar, value):
    bar["gravity"] = value
    assert error_of(sinew.Scene, bar).where == "gravity"


def test_of_values_without_end(bar):
    ring, deep = {}, {}
    ring["scene"] = ring
    for _ in range(3000):
        deep = {"deeper": deep}
    for value in (ring, deep):
        error = error_of(sinew.Scene, value)
        assert error.where == "scene" and "contains itself" in error.what and error.remedy
    bar["gravity"] = {(1, 2): 3}
    error = error_of(sinew.Scene, bar)
    assert error.where == "gravity" and "(1, 2)" in error.what and error.remedy


def test_of_overrides(bar, scenes):
    for overrides in (["solver.iterations=3"], "solver.iterations=3"):
        error = error_of(sinew.Simulation, bar, overrides=overrides)
        assert error.where == "overrides" and error.what.startswith("is a ") and "dict" in error.remedy
    error = error_of(sinew.Simulation, bar, overrides={"solver.iterations": float("nan")})
    assert error.where == "overrides: solver.iterations" and "nan" in error.what and error.remedy
    error = error_of(sinew.Simulation(bar).set, "solver.iterations", numpy.nan)
    assert error.where == "solver.iterations" and "nan" in error.what and error.remedy
    # What docs/python.md says of where faults are.
    error = error_of(sinew.Simulation, bar, overrides={"solver.typo": 3})
    assert error.where == "scene" and error.what.startswith("solver.typo (by overrides)") and error.remedy
    error = error_of(sinew.Simulation, scenes / "falling_bar.json", overrides={"solver.typo": 3})
    assert error.where == str(scenes / "falling_bar.json") and error.what.startswith("solver.typo (by overrides)")
    error = error_of(sinew.Simulation, bar, overrides={"solver.typo": 3, "solver.iterations": -1})
    assert error.where == "scene" and error.what.startswith("2 faults\n  solver.iterations") and error.remedy == ""
    assert error.what.splitlines()[2].endswith("; did you mean 'type'?")
    error = error_of(sinew.Simulation(bar).add_object, "other", {"mesh": {"arrays": {"vertices": numpy.eye(4)}}})
    assert error.where == "objects.other.mesh.arrays.vertices"


def test_say_arguments_where_the_program_has_options(bar, tmp_path):
    error = error_of(sinew.Simulation, bar, overrides={"materials.q.youngs_modulus": 3})
    assert error.where == "overrides: materials.q.youngs_modulus=3"
    assert "overrides: objects.NAME.material=q" in error.remedy
    error = error_of(sinew.Simulation, bar, overrides={"solver.iterations": -1})
    assert error.what.startswith("solver.iterations (by overrides) = -1")
    error = error_of(sinew.Simulation(bar).set, "solver.iterations", -1)
    assert error.what.startswith("solver.iterations (by set) = -1")
    assert error_of(sinew.compare, bar, "nope").where == "solvers nope"
    assert error_of(sinew.compare, bar, ["vbd:iterations=3"]).remedy == "use iterations or budget"
    assert error_of(sinew.compare, bar, [3]).where == "solvers"
    sinew.run(bar, tmp_path / "run", frames=1)
    remedy = error_of(sinew.run, bar, tmp_path / "run").remedy
    assert "resume" in remedy and "overwrite" in remedy and "output" in remedy and " -" not in remedy


def test_of_numbers(bar, tmp_path):
    calls = {
        "threads": [
            lambda: sinew.Simulation(bar, threads=-5),
            lambda: sinew.Simulation(bar, threads=10**6),
            lambda: sinew.Simulation.resume(sinew.Simulation(bar).checkpoint(), threads=-5),
            lambda: sinew.compare(bar, "vbd", threads=-5),
            lambda: sinew.run(bar, tmp_path / "run", threads=-5),
            lambda: sinew.render(tmp_path / "run", threads=-5),
            lambda: sinew.picture(tmp_path / "run", threads=-5),
            lambda: sinew.Simulation(bar).picture(threads=-5),
            lambda: sinew.mesh({"ball": {}}, cells=3, threads=-5),
            lambda: sinew.reproduce("S0-1", threads=-5),
        ],
        "workers": [
            lambda: sinew.make_dataset({}, tmp_path / "run", workers=1025),
            lambda: sinew.verify_dataset(tmp_path / "run", workers=-1),
            lambda: sinew.verify_dataset(tmp_path / "run", workers=10**6),
            lambda: sinew.Batch(bar).map(len, workers=10**6),
        ],
        "frames": [lambda: sinew.run(bar, tmp_path / "run", frames=-1)],
        "every": [lambda: sinew.render(tmp_path / "run", every=0)],
        "number": [lambda: sinew.Pin(-1), lambda: sinew.Collider(-1)],
    }
    for where, several in calls.items():
        for call in several:
            error = error_of(call)
            assert error.where == where and error.what.startswith("= ") and error.remedy
    assert not (tmp_path / "run").exists()


def test_of_arrays(bar):
    s = sinew.Simulation(bar)
    n = s.vertex_count
    hash_before = s.hash()

    def assign(value):
        s.positions = value

    assert "(2, 2)" in error_of(assign, numpy.zeros((2, 2))).what
    assert "complex" in error_of(assign, numpy.zeros((n, 3), dtype=complex)).what
    assert error_of(assign, "words").where == "positions"
    assert error_of(assign, [[1, 2, 3], [4]]).where == "positions"
    assert error_of(assign, None).where == "positions"
    assert error_of(assign, numpy.zeros((n + 1, 3))).what
    assert error_of(assign, numpy.full((n, 3), numpy.nan)).what
    assert error_of(assign, s.positions + 1).what  # the pin holds some
    assert error_of(s.set_gravity, [0, 1]).where == "gravity"
    assert error_of(s.add_pin, [0.5]).where == "vertices"
    assert error_of(s.add_pin, [[1]]).where == "vertices"
    assert error_of(s.add_pin, [10**12]).where == "vertices"
    assert error_of(s.add_pin, [n]).what and error_of(s.add_pin, []).what
    assert s.hash() == hash_before


def test_of_changes(bar):
    s = sinew.Simulation(bar)
    pin = s.add_pin([5])
    s.remove_pin(pin)
    assert error_of(s.remove_pin, pin).what
    assert error_of(s.set, "solver.typo", 3).what
    assert "von_mises" in error_of(s.elements, "von_mizes").remedy
    assert error_of(s.surface, 7).what
    assert error_of(sinew.Simulation.resume, b"nothing").what
    assert error_of(s.restore, sinew.Simulation(bar).save()).what
    assert error_of(s.run, 1, frames=1).where == "run"
    assert error_of(s.run, seconds=float("nan")).where == "seconds"
    for length in ({"steps": -1}, {"frames": -1}, {"seconds": -0.1}):
        assert error_of(s.run, **length).where in length
    assert s.run(steps=0) == [] and s.steps_taken == 0


def test_pickle():
    error = pickle.loads(pickle.dumps(sinew.Error("here", "= 1: is wrong", "say 2")))
    assert (error.where, error.what, error.remedy) == ("here", "= 1: is wrong", "say 2")
    assert str(error) == "here = 1: is wrong; say 2"
