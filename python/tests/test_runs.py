"""Runs into folders and their pictures are those of the program."""

import os
import signal
import threading

import pytest

import sinew


def test_run(bar, tmp_path):
    outcome = sinew.run(bar, tmp_path / "out")
    simulation = sinew.Simulation(bar)
    simulation.run()
    assert outcome.hash == simulation.hash() and outcome.last_frame == 5 and outcome.steps == 10
    assert repr(outcome) == f"<sinew.RunOutcome to frame 5, 10 steps, {outcome.hash}>"
    assert "run.json" in {file.name for file in outcome.files} and outcome.diverged == 0
    with pytest.raises(sinew.Error):
        sinew.run(bar, tmp_path / "out")
    assert sinew.run(bar, tmp_path / "out", overwrite=True, frames=2).last_frame == 2
    assert sinew.run(bar, tmp_path / "out", resume=True).hash == simulation.hash()


def test_interrupt(bar, tmp_path):
    bar["objects"]["bar"]["mesh"]["beam"]["cells_across"] = 6
    bar["time"] = {"frame_dt": 0.01, "duration": 0.5}
    bar["solver"]["iterations"] = 100
    bar["output"] = {"vtu": "none"}
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        sinew.run(bar, tmp_path / "out", frames=10**6)
    timer.join()
    signal.signal(signal.SIGINT, before)
    outcome = sinew.run(bar, tmp_path / "out", resume=True)
    whole = sinew.Simulation(bar)
    whole.run(frames=outcome.last_frame)
    assert outcome.hash == whole.hash()


def test_render(tracer, bar, tmp_path):
    sinew.run(bar, tmp_path / "out")
    film = sinew.render(tmp_path / "out", frame=3, width=96, height=64, samples=1, color_by="strain")
    picture = film.pictures
    assert repr(film) == f"<sinew.FilmOutcome {picture}, 1 pictures>"
    assert picture.read_bytes().startswith(b"\x89PNG")
    with pytest.raises(sinew.Error, match="strain"):
        sinew.render(tmp_path / "out", color_by="strian")
