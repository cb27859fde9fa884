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


@pytest.fixture
def interrupted(bar, tmp_path):
    """Ends a line of Python by Ctrl-C, well within a step or a picture; returns what the line after it prints."""

    def run(line, after="print('good')"):
        script = f"""
import signal, sinew
signal.signal(signal.SIGINT, signal.default_int_handler)
bar, folder = {bar!r}, {os.fspath(tmp_path / "run")!r}
simulation = sinew.Simulation(bar)
sinew.run(bar, folder)
print("begun", flush=True)
try:
    {line}
except KeyboardInterrupt:
    {after}
"""
        with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout.readline() == "begun\n"
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            try:
                return process.communicate(timeout=30)[0].strip()
            finally:
                process.kill()

    return run


def test_interrupt_of_a_comparison(interrupted):
    assert interrupted("sinew.compare(bar, ['vbd'], iterations=10**8, reference=False)") == "good"


LONG = "width=2000, height=2000, samples=4096"


@pytest.mark.parametrize("call", [f"simulation.picture({LONG})", f"sinew.picture(folder, {LONG})"])
def test_interrupt_of_a_picture(tracer, interrupted, call):
    assert interrupted(call, "simulation.step(); print(simulation.steps_taken)") == "1"


def test_interrupt_of_a_film(tracer, interrupted, tmp_path):
    """Leaves the pictures so far, of which there are none, and another rendering replaces them."""
    assert interrupted(f"sinew.render(folder, {LONG})") == "good"
    assert not any(tmp_path.glob("run/pictures/*"))
    assert sinew.render(tmp_path / "run", width=32, height=32, samples=1).picture_count == 6


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_other_processes(bar, method):
    s = sinew.Simulation(bar, threads=2)
    s.run(steps=2)
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.apply(operator.methodcaller("hash"), (s,)) == s.hash()
        assert [len(r) for r in pool.map(operator.methodcaller("elements", "strain"), [s, s])] == [s.element_count] * 2
        reports = pool.apply(operator.methodcaller("run", steps=2), (s,))
    assert [(r.step, r.status) for r in reports] == [(3, "budget"), (4, "budget")]


def test_import_in_an_empty_folder(tmp_path):
    result = subprocess.run(
        [sys.executable, "-c", "import sinew; print(sinew.__version__)"], cwd=tmp_path, capture_output=True, text=True
    )
    assert result.returncode == 0 and result.stdout.strip() == sinew.__version__
