"""Arrays follow the state, outlive it, and cannot be written to by mistake."""

import gc
import os

import numpy
import pytest

import sinew


def test_shapes(bar):
    s = sinew.Simulation(bar)
    n, e = s.vertex_count, s.element_count
    for array in (s.positions, s.velocities, s.rest_positions):
        assert array.shape == (n, 3) and array.dtype == numpy.float64 and array.flags.c_contiguous
    assert s.tets.shape == (e, 4) and s.tets.dtype == numpy.int32
    assert s.tets.min() == 0 and s.tets.max() == n - 1
    assert s.masses.shape == (n,)
    assert s.masses.sum() == pytest.approx(1000 * 0.4 * 0.1 * 0.1)
    assert s.surface(0).shape[1] == 3


def test_views_follow(bar):
    s = sinew.Simulation(bar)
    x, v = s.positions, s.velocities
    start = x.copy()
    s.step()
    assert not numpy.array_equal(x, start)
    assert numpy.array_equal(x, s.positions) and numpy.shares_memory(x, s.positions)
    assert numpy.allclose((x - start) / s.step_size, v)
    s.run(steps=3)
    assert numpy.array_equal(x, sinew.Simulation.resume(s.checkpoint()).positions)


def test_views_outlive_the_simulation(bar):
    s = sinew.Simulation(bar)
    s.run(steps=2)
    x, part, rest = s.positions, s.velocities[3:], s.rest_positions
    kept = x.copy(), part.copy(), rest.copy()
    del s
    gc.collect()
    for _ in range(50):  # so that freed memory would be used again
        sinew.Simulation(bar).positions
    assert all(numpy.array_equal(a, b) for a, b in zip((x, part, rest), kept))


def test_views_are_not_written_to(bar):
    s = sinew.Simulation(bar)
    for array in (s.positions, s.velocities, s.rest_positions, s.tets, s.masses):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(AttributeError):
        s.rest_positions = s.positions


def test_assignment_moves_the_body(bar):
    s = sinew.Simulation(bar)
    view = s.positions
    free = view[:, 0] > 0.01
    moved = view.copy()
    moved[free] += [0, 0.01, 0]
    s.positions = moved
    assert numpy.array_equal(view, moved)
    s.velocities = numpy.where(free[:, None], [0.0, 1.0, 0.0], 0.0)
    assert (s.velocities[free] == [0, 1, 0]).all()
    s.set_state(moved, numpy.zeros_like(moved))
    assert (s.velocities == 0).all()
    # Any type and order that holds real numbers.
    s.positions = numpy.asfortranarray(moved)
    s.positions = moved.tolist()
    s.velocities = numpy.zeros(moved.shape, dtype=numpy.int32)


def test_arrays_of_an_earlier_mesh_stay(bar):
    s = sinew.Simulation(bar)
    before = s.positions
    kept = before.copy()
    s.add_object("ball", {"mesh": {"ball": {"radius": 0.1, "shells": 2, "center": [0, 1, 0]}}, "material": "rubber"})
    s.step()
    assert numpy.array_equal(before, kept)
    assert len(s.positions) == s.vertex_count > len(before)
    assert [o.name for o in s.objects] == ["bar", "ball"]
    ball = s.positions[s.objects[1].vertices]
    assert abs(ball.mean(axis=0)[1] - 1) < 0.01


def test_elements(bar):
    s = sinew.Simulation(bar)
    assert numpy.allclose(s.elements("det_f"), 1) and numpy.allclose(s.elements("strain"), 0, atol=1e-6)
    s.run()
    stress, principal, von_mises = (s.elements(q) for q in ("stress", "principal_stress", "von_mises"))
    e = s.element_count
    assert stress.shape == (e, 6) and principal.shape == (e, 3) and von_mises.shape == (e,)
    xx, yy, zz, xy, yz, xz = stress.T
    matrices = numpy.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]).transpose(2, 0, 1)
    assert numpy.allclose(numpy.linalg.eigvalsh(matrices)[:, ::-1], principal, rtol=1e-6, atol=1e-3)
    # Strain from the definition.
    x, rest = s.positions[s.tets], s.rest_positions[s.tets]
    shape, rest_shape = (numpy.transpose(p[:, 1:] - p[:, :1], (0, 2, 1)) for p in (x, rest))
    stretches = numpy.linalg.svd(shape @ numpy.linalg.inv(rest_shape), compute_uv=False)
    assert numpy.allclose(abs(stretches - 1).max(axis=1), s.elements("strain"), atol=1e-5)
    assert numpy.shares_memory(numpy.from_dlpack(stress), stress)
    assert s.reactions().shape == (s.vertex_count, 3)
    held = s.rest_positions[:, 0] < 0.001
    assert (s.reactions()[~held] == 0).all() and abs(s.reactions()[held]).max() > 0


def test_elements_and_reactions_follow(bar):
    s = sinew.Simulation(bar)
    s.step()
    quantities = ("det_f", "strain", "energy_density", "von_mises", "principal_stress", "stress")
    views = {q: s.elements(q, follow=True) for q in quantities}
    forces = s.reactions(follow=True)
    assert numpy.shares_memory(views["stress"], s.elements("stress", follow=True))
    assert not forces.flags.writeable and not any(v.flags.writeable for v in views.values())
    before = {q: v.copy() for q, v in views.items()}
    s.run(steps=3)
    for q, view in views.items():
        assert view.shape == before[q].shape and not numpy.array_equal(view, before[q])
        assert numpy.array_equal(view, s.elements(q))
    assert numpy.array_equal(forces, s.reactions()) and abs(forces).max() > 0
    kept = forces.copy()
    s.add_object("ball", {"mesh": {"ball": {"radius": 0.1, "shells": 2, "center": [0, 1, 0]}}, "material": "rubber"})
    s.step()
    assert numpy.array_equal(forces, kept) and len(s.reactions(follow=True)) > len(kept)
    del s
    assert numpy.isfinite(views["stress"]).all()


def test_no_growth(bar):
    """Memory after many simulations is that after the first ones. SINEW_PYTHON_SIMULATIONS: how many."""

    def memory():
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * 4096

    def make(count):
        for _ in range(count):
            s = sinew.Simulation(bar, threads=2)
            view = s.positions
            s.curves = True
            s.step()
            snapshot = s.save()
            s.restore(snapshot)
            s.observer = lambda report: report.positions
            s.step()
            with s.edit() as state:
                state.velocities[:] += 1 - s.held[:, None]
            del view, snapshot, state, s
        gc.collect()

    make(100)
    before = memory()
    make(int(os.environ.get("SINEW_PYTHON_SIMULATIONS", "1000")))
    assert memory() - before < 4e6
