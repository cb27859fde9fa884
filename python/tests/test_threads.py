"""The engine computes without Python's lock, and Ctrl-C ends a step whole."""

import multiprocessing
import operator
import os
import signal
import subprocess
import sys
import threading
import time

import numpy
import pytest

import sinew


@pytest.fixture
def slow(bar):
    """A step of some hundred milliseconds."""
    bar["objects"]["bar"]["mesh"]["beam"]["cells_across"] = 12
    bar["solver"]["iterations"] = 1000
    return sinew.Simulation(bar, threads=1)


def test_others_run_during_a_step(slow):
    begun, ended, counted = threading.Event(), threading.Event(), []

    def count():
        begun.wait()
        while not ended.is_set():
            counted.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    begin = time.perf_counter()
    begun.set()
    slow.step()
    end = time.perf_counter()
    ended.set()
    thread.join()
    during = [t for t in counted if begin < t < end]
    assert end - begin > 0.05
    # Well inside, where only a released lock lets it run.
    assert sum(begin + 0.2 * (end - begin) < t < end - 0.2 * (end - begin) for t in during) > 5


def test_one_simulation_in_several_threads(bar):
    s = sinew.Simulation(bar)
    failures = []

    def use():
        try:
            for _ in range(20):
                s.step()
                s.positions.sum()
                s.evaluate()
        except Exception as failure:
            failures.append(failure)

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == [] and s.steps_taken == 80
    alone = sinew.Simulation(bar)
    alone.run(steps=80)
    assert s.hash() == alone.hash()


def test_observers_in_several_threads(bar):
    s = sinew.Simulation(bar, threads=2)
    seen, failures, ended = [], [], threading.Event()

    def observe(report):
        seen.append((report.step, report.iteration, report.positions[0, 0]))

    def use(action, count):
        try:
            for _ in range(count):
                action()
        except Exception as failure:
            failures.append(failure)

    def read():
        while not ended.is_set():
            view = s.positions
            s.curves = not s.curves
            view.sum(), s.energies(), s.observer

    def edit():
        with s.edit() as state:
            state.velocities[:] = state.velocities

    s.observer = observe
    reader = threading.Thread(target=use, args=(read, 1))
    steppers = [threading.Thread(target=use, args=(s.step, 10)) for _ in range(3)]
    editor = threading.Thread(target=use, args=(edit, 10))
    for thread in (reader, editor, *steppers):
        thread.start()
    for thread in (editor, *steppers):
        thread.join()
    ended.set()
    reader.join()
    assert failures == [] and s.steps_taken == 30
    assert len({(step, iteration) for step, iteration, _ in seen}) == len(seen) == 30 * 11
    # Many simulations at once, all with one observer.
    count = len(seen)

    def observed(simulation):
        simulation.observer = observe
        simulation.run(steps=2)
        return simulation.hash()

    assert len(set(sinew.Batch(bar, overrides=[{}] * 6).map(observed, workers=3, progress=False))) == 1
    assert len(seen) == count + 6 * 2 * 11


def test_interrupt_of_a_run(slow):
    slow.set("solver.iterations", 20)
    view = slow.positions
    # Where tests run in the background of a shell, it is ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        slow.run(steps=10**6)
    timer.join()
    signal.signal(signal.SIGINT, before)
    taken = slow.steps_taken
    assert 0 < taken < 10**6
    again = sinew.Simulation.resume(slow.checkpoint())
    assert again.steps_taken == taken and numpy.array_equal(again.positions, view)
    slow.step()
    again.step()
    assert slow.hash() == again.hash()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_other_processes(bar, method):
    s = sinew.Simulation(bar, threads=2)
    s.run(steps=2)
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.apply(operator.methodcaller("hash"), (s,)) == s.hash()
        assert [len(r) for r in pool.map(operator.methodcaller("elements", "strain"), [s, s])] == [s.element_count] * 2


def test_import_in_an_empty_folder(tmp_path):
    result = subprocess.run(
        [sys.executable, "-c", "import sinew; print(sinew.__version__)"], cwd=tmp_path, capture_output=True, text=True
    )
    assert result.returncode == 0 and result.stdout.strip() == sinew.__version__
