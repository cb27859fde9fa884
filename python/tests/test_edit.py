"""What a block writes into positions and velocities moves the body when it ends, and nothing else does."""

import numpy
import pytest

import sinew


def test_a_block_moves_the_body(bar):
    s = sinew.Simulation(bar)
    s.run(steps=2)
    view, before = s.positions, s.positions.copy()
    free = ~s.held
    with s.edit() as state:
        state.positions[free] += [0, 0.01, 0]
        state.velocities[free] = 0
        assert numpy.array_equal(view, before)  # until it ends
    assert numpy.array_equal(view[free], before[free] + [0, 0.01, 0])
    assert numpy.array_equal(view[~free], before[~free]) and (s.velocities == 0).all()
    by_assignment = sinew.Simulation(bar)
    by_assignment.run(steps=2)
    by_assignment.set_state(view, s.velocities)
    s.step()
    by_assignment.step()
    assert s.hash() == by_assignment.hash()


def test_arrays_of_the_whole(bar):
    s = sinew.Simulation(bar)
    s.remove_pin(sinew.Pin(0))
    before = s.positions.copy()
    with s.edit() as state:
        state.positions += [0, 0.5, 0]
    with s.edit() as state:
        state.velocities = numpy.ones_like(before)
    assert numpy.array_equal(s.positions, before + [0, 0.5, 0]) and (s.velocities == 1).all()


def test_held(bar):
    bar["pins"][0]["release"] = 0.015
    s = sinew.Simulation(bar)
    assert numpy.array_equal(s.held, s.rest_positions[:, 0] < 0.001) and 0 < s.held.sum() < s.vertex_count
    with pytest.raises(ValueError, match="read-only"):
        s.held[0] = True
    pin = s.add_pin([s.vertex_count - 1])
    assert s.held[-1]
    s.remove_pin(pin)
    s.step()
    assert not s.held.any()


@pytest.mark.parametrize("fault", ["held", "nan", "shape", "type"])
def test_faults_change_nothing(bar, fault):
    s = sinew.Simulation(bar)
    s.run(steps=2)
    view, before, state_before = s.positions, s.positions.copy(), s.hash()
    with pytest.raises(sinew.Error) as error:
        with s.edit() as state:
            if fault == "held":
                state.positions += 0.01
            elif fault == "nan":
                state.positions[-1, 1] = numpy.nan
            elif fault == "shape":
                state.positions = state.positions[1:]
            else:
                state.velocities = state.velocities + 1j
    assert error.value.where in ("positions", "velocities")
    assert error.value.remedy or fault == "nan"
    if fault == "held":
        assert "pins.0" in error.value.what
    assert s.hash() == state_before and numpy.array_equal(view, before)


def test_a_block_that_raises_changes_nothing(bar):
    s = sinew.Simulation(bar)
    before = s.hash()
    with pytest.raises(KeyError):
        with s.edit() as state:
            state.positions[~s.held] += 1
            raise KeyError
    assert s.hash() == before


def test_a_block_without_a_change_leaves_no_trace(bar):
    s = sinew.Simulation(bar)
    s.step()
    log = s.changes()
    with s.edit() as state:
        state.positions[:] = s.positions
    assert s.changes() == log


def test_steps_within_a_block_are_refused(bar):
    s = sinew.Simulation(bar)
    with pytest.raises(sinew.Error, match="taken steps meanwhile"):
        with s.edit() as state:
            s.step()
            state.velocities += 1
    assert s.steps_taken == 1 and abs(s.velocities).max() < 1


def test_changes_that_a_block_would_undo_are_refused(bar):
    s = sinew.Simulation(bar)
    free, snapshot, zeros = ~s.held, s.save(), numpy.zeros((s.vertex_count, 3))
    before = s.positions.copy()

    def nested():
        with s.edit() as inner:
            inner.positions[free] += 1

    calls = {
        "edit": nested,
        "positions": lambda: setattr(s, "positions", before),
        "velocities": lambda: setattr(s, "velocities", zeros),
        "set_state": lambda: s.set_state(before, zeros),
        "restore": lambda: s.restore(snapshot),
    }
    with s.edit() as state:
        state.positions[free] += [0, 0.01, 0]
        for where, call in calls.items():
            with pytest.raises(sinew.Error) as raised:
                call()
            assert raised.value.where == where and raised.value.what and "after it" in raised.value.remedy
        with sinew.Simulation(bar).edit() as other:  # of another simulation
            other.velocities[free] = 1
    assert numpy.array_equal(s.positions[free], before[free] + [0, 0.01, 0])
    with pytest.raises(KeyError):
        with s.edit():
            raise KeyError
    for call in reversed(calls.values()):  # after a block all is as ever
        call()
    assert numpy.array_equal(s.positions[free], before[free] + 1)


def test_arrays_are_dead_after_the_block(bar):
    s = sinew.Simulation(bar)
    with s.edit() as state:
        x, part = state.positions, state.positions[3:]
    with pytest.raises(ValueError, match="read-only"):
        x[0] = 1
    before = s.hash()
    part[:] = 7  # a view that NumPy made before
    s.positions
    assert s.hash() == before
    del s
    assert (x[3:] == 7).all()


def test_other_packages_write_through_dlpack(bar):
    s = sinew.Simulation(bar)
    s.remove_pin(sinew.Pin(0))
    before = s.positions.copy()
    with s.edit() as state:
        shared = numpy.from_dlpack(state.positions)
        assert numpy.shares_memory(shared, state.positions)
        # NumPy takes what it gets as not to be written to; others write.
        numpy.frombuffer(memoryview(state.positions).cast("B"), dtype=float)[:] += 1
    assert numpy.array_equal(s.positions, before + 1)
