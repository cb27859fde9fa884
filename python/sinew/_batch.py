"""Many independent simulations at once."""

import os
import sys
import threading
import time
from collections.abc import Iterable, Mapping

from sinew import _sinew
from sinew._error import Error
from sinew._json import has_keys

MOST_WORKERS = 1024


class Batch:
    """Many scenes that have nothing to do with each other, simulated at once: a body on each core.

    scenes: a list of scenes, each as of Simulation; or one scene, to be varied by overrides.
    overrides: a dict for all of them, as of Simulation; or a list with one for each.
    folder: where the files of dicts and texts are.

    The state that a simulation ends in has the same bits however many run at once.
    """

    def __init__(self, scenes, *, overrides=None, folder=None):
        one = isinstance(scenes, (str, bytes, os.PathLike, _sinew.Scene)) or has_keys(scenes)
        of_each = overrides is not None and not isinstance(overrides, Mapping)
        if of_each:
            overrides = _listed("overrides", overrides, "give a dict, or a list with one for each")
            if not overrides:
                raise Error("overrides", "is empty", "give one for each simulation, or leave it out")
        if one:
            scenes = [scenes] * (len(overrides) if of_each else 1)
        self._scenes = _listed("scenes", scenes, "give a list of scenes, or one: a path, text, a dict or a Scene")
        self._folder = folder
        if not self._scenes:
            raise Error("scenes", "is empty", "give at least one scene")
        if of_each and len(overrides) != len(self._scenes):
            raise Error("overrides", f"has {len(overrides)} dicts for {len(self._scenes)} scenes", "give one for each")
        self._overrides = overrides if of_each else [overrides] * len(self._scenes)

    def __len__(self):
        return len(self._scenes)

    def simulation(self, index, threads=1):
        """The simulation of a scene, as `map` makes it.

        index: of the scene; threads: how many it computes with.
        """
        if not -len(self) <= index < len(self):
            raise Error("index", f"= {index}: there are {len(self)} scenes", "")
        try:
            return _sinew.Simulation(
                self._scenes[index], threads, overrides=self._overrides[index], folder=self._folder
            )
        except Error as error:
            raise _of_scene(index % len(self), error) from error

    def map(self, function, *, workers=None, large=20000, errors="raise", progress=None):
        """Calls a function with the simulation of each scene; returns what it returns, in the order of the scenes.

            ends = sinew.Batch(scene, overrides=variants).map(lambda s: (s.run(seconds=1), s.positions.copy())[1])

        function: is called by several threads at once, each with a simulation of its own, which is freed afterwards
        unless the function keeps it.
        workers: how many simulations run at once; one a core by default.
        large: a simulation of so many vertices gets all workers for itself, after the others. It is set up twice.
        errors: "raise" ends the batch at the first exception; "return" puts it in the place of the result.
        progress: whether a line tells how far the batch is; by default, if stderr is a terminal.

        Ctrl-C starts no more simulations, and waits for the calls that run.
        """
        if errors not in ("raise", "return"):
            raise Error("errors", f"= {errors!r}: is neither \"raise\" nor \"return\"", "")
        workers = min(os.cpu_count() or 1, MOST_WORKERS) if workers is None else workers
        if not isinstance(workers, int) or not 1 <= workers <= MOST_WORKERS:
            what = f"= {workers!r}: must be a whole number from 1 to {MOST_WORKERS}"
            raise Error("workers", what, "None: one a core")
        line = _Line(len(self), sys.stderr.isatty() if progress is None else progress)
        work = _Work(self, function, workers, large, errors == "raise", line)
        try:
            return work.done()
        finally:
            line.end()

    def run(self, steps=None, *, seconds=None, frames=None, workers=None, large=20000, progress=None):
        """Runs every scene as Simulation.run does; returns the simulations, all of which are then in memory.

        steps: how many; or seconds: how many are simulated; or frames: how many. Without them, the scene's duration.
        workers: as of `map`; large: as of `map`; progress: as of `map`. The first Error ends the batch.
        """

        def end(simulation):
            simulation.run(steps, seconds=seconds, frames=frames)
            return simulation

        return self.map(end, workers=workers, large=large, progress=progress)


def _listed(where, given, remedy):
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise Error(where, f"is a {type(given).__name__}", remedy)
    return list(given)


def _of_scene(index, error):
    return Error(f"scenes[{index}]" + (f", {error.where}" if error.where else ""), error.what, error.remedy)


class _Work:
    """The scenes still to do, taken by threads one after the other."""

    def __init__(self, batch, function, workers, large, stops, line):
        self.batch, self.function, self.workers, self.large, self.stops = batch, function, workers, large, stops
        self.line = line
        self.lock = threading.Lock()
        self.next = 0
        self.later = []  # large ones
        self.results = [None] * len(batch)
        self.fault = None  # (index, exception) of the first scene, by number, that failed
        self.ended = False

    def done(self):
        threads = [threading.Thread(target=self._work, daemon=True) for _ in range(min(self.workers, len(self.batch)))]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        except BaseException:
            self.ended = True
            for thread in threads:
                thread.join()
            raise
        for index in sorted(self.later):
            if self.ended:
                break
            self._one(index, self.workers)
        if self.fault:
            raise self.fault[1]
        return self.results

    def _work(self):
        while not self.ended:
            with self.lock:
                if self.next == len(self.batch):
                    return
                index = self.next
                self.next += 1
            self._one(index, 1)

    def _one(self, index, threads):
        try:
            simulation = self.batch.simulation(index, threads)
            if threads == 1 and self.workers > 1 and simulation.vertex_count >= self.large:
                with self.lock:
                    self.later.append(index)
                return
            try:
                result = self.function(simulation)
            except Error as error:
                raise _of_scene(index, error) from error
            failed = False
        except BaseException as exception:
            if self.stops or not isinstance(exception, Exception):
                self._fail(index, exception)
                return
            failed = True
            result = exception
        with self.lock:
            self.results[index] = result
            self.line.count(failed)

    def _fail(self, index, exception):
        with self.lock:
            if self.fault is None or index < self.fault[0]:
                self.fault = (index, exception)
            self.ended = True


class _Line:
    """One line that tells how far a batch is."""

    def __init__(self, count, shown):
        self.all, self.shown = count, shown
        self.ended, self.failed, self.width = 0, 0, 0
        self.began = self.told = time.monotonic()

    def count(self, failed):
        self.ended += 1
        self.failed += failed
        now = time.monotonic()
        if self.shown and (now - self.told > 0.2 or self.ended == self.all):
            self.told = now
            self._tell(now - self.began)

    def _tell(self, seconds):
        text = f"batch: {self.ended} of {self.all}"
        if self.failed:
            text += f", {self.failed} failed"
        if self.ended < self.all:
            text += f", {_duration(seconds * (self.all - self.ended) / self.ended)} left"
        else:
            text += f", {_duration(seconds)}"
        sys.stderr.write("\r" + text.ljust(self.width))
        sys.stderr.flush()
        self.width = len(text)

    def end(self):
        if self.width:
            sys.stderr.write("\n")


def _duration(seconds):
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
