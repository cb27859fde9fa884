"""Data sets that `sinew dataset` has made, sample by sample or in batches."""

import contextlib
import json
import os
import re
import threading
from collections import OrderedDict
from pathlib import Path

import numpy

from sinew._error import Error

MOST_OPEN = 64  # shards of a data set at once: systems have limits for a process, of 1024 files as a rule


def _h5py():
    try:
        import h5py
    except ImportError:
        raise Error("h5py", "is not installed, and data sets are read with it", "install h5py (Debian: python3-h5py)")
    return h5py


@contextlib.contextmanager
def _reading(path):
    """Whatever HDF5 and h5py raise for a file that is damaged, as an Error that names it."""
    try:
        yield
    except (OSError, RuntimeError, KeyError, ValueError, TypeError, AttributeError) as error:
        raise Error(str(path), f"cannot be read: {error}", "`sinew dataset verify` says what is wrong") from error


class _OpenFiles:
    """The files of one process that were read last."""

    def __init__(self):
        self.process = os.getpid()
        self._lock = threading.Lock()
        self._files = OrderedDict()

    def file(self, path):
        """An open file. Whoever reads keeps it: h5py closes it when nobody has it any more."""
        with self._lock:
            file = self._files.get(path)
            if file is None:
                file = self._files[path] = _h5py().File(path, "r")
            self._files.move_to_end(path)
            while len(self._files) > MOST_OPEN:
                self._files.popitem(last=False)
        return file


class Dataset:
    """The samples of a data set's folder; also of one that is not complete yet.

        data = sinew.Dataset("out/arms", fields=["positions"])
        data.parameters                 # (S, P)
        data[3]["positions"]            # (N, 3), read now
        for batch in data.batches(64, shuffle=True): ...

    folder: of the data set; fields: what a sample has beside `parameters`, any dataset of docs/datasets.md.
    failed: whether samples that failed are there too.

    Parameters are in memory; all else is read when it is asked for.
    """

    folder: Path
    fields: list
    plan: dict
    parameter_names: list
    probe_names: list
    tets: numpy.ndarray
    middles: numpy.ndarray
    rest_positions: numpy.ndarray

    def __init__(self, folder, fields=("positions",), failed=False):
        self.folder = Path(folder)
        self.fields = [fields] if isinstance(fields, str) else list(fields)
        if not (self.folder / "origin.json").exists():
            raise Error(str(folder), "holds no data set", "sinew.make_dataset makes one")
        self.plan = self._plan()
        self._shards, self._first, self._open = [], [], _OpenFiles()
        parameters, status, numbers = [], [], []
        for path, expected in self._written():
            with _reading(path), _h5py().File(path, "r") as shard:
                samples = shard["sample"][:]
                if not numpy.array_equal(samples, expected):
                    has = f"those from {samples.min()} to {samples.max()}" if samples.size else "none"
                    raise Error(
                        str(path),
                        f"has other samples than those from {expected[0]} to {expected[-1]}: {has}",
                        f"remove it; `sinew dataset resume {self.folder}` makes it anew",
                    )
                self._empty = self._of_none(shard, self.fields, "fields")
                self._first.append(len(numbers))
                self._shards.append(path)
                numbers += list(samples)
                status += list(shard["status"][:])
                parameters.append(shard["parameters"][:])
                self.parameter_names = shard.attrs["parameter_names"].decode().split("\n")
                self._status_names = shard.attrs["status_names"].decode().split("\n")
        if not numbers:
            raise Error(str(folder), "has no finished shard yet", "sinew.make_dataset goes on with it")
        status = numpy.array(status)
        self._rows = numpy.arange(len(numbers)) if failed else numpy.flatnonzero(status == 0)
        self._numbers, self._status = numpy.array(numbers), status
        self._parameters = numpy.concatenate(parameters)
        path = self.folder / "mesh.h5"
        with _reading(path), _h5py().File(path, "r") as mesh:
            self.tets = mesh["tets"][:]
            self.middles = mesh["middles"][:] if "middles" in mesh else numpy.empty((0, 6), dtype=self.tets.dtype)
            self.rest_positions = mesh["rest_positions"][:]
            names = mesh.attrs["probe_names"].decode()
            self.probe_names = names.split("\n") if names.strip("\0") else []

    def __len__(self):
        return len(self._rows)

    def __repr__(self):
        return f"<sinew.Dataset {self.plan['name']!r}: {len(self)} samples of {len(self.rest_positions)} vertices>"

    @property
    def parameters(self):
        """(S, P) The parameters of all samples."""
        return self._parameters[self._rows]

    @property
    def numbers(self):
        """(S,) The samples' numbers in the plan."""
        return self._numbers[self._rows]

    @property
    def status(self):
        """How each sample ended, as words."""
        return [self._status_names[s] for s in self._status[self._rows]]

    def __getitem__(self, index):
        """A sample, or several by a slice, numbers or a mask: a dict of arrays, read now."""
        rows = self._selected(index)
        if numpy.ndim(rows) == 0:
            return {name: part[0] for name, part in self._read(numpy.array([rows])).items()}
        return self._read(rows)

    def read(self, field):
        """All samples' part of one field, (S, ...).

        field: of those of the data set, whether it is among `fields` or not.
        """
        if field not in self.fields:
            self = self._like(self._rows, [field])
        return self._read(self._rows)[field]

    def batches(self, size, shuffle=False, seed=0):
        """Dicts of arrays, a batch of samples each; the last one may have fewer.

        size: of a batch; shuffle: in random order; seed: of that order.
        """
        if not isinstance(size, (int, numpy.integer)) or size < 1:
            raise Error("size", f"= {size!r}: must be a whole number from 1 on", "")
        order = numpy.random.default_rng(seed).permutation(len(self)) if shuffle else numpy.arange(len(self))
        for first in range(0, len(order), size):
            yield self[order[first : first + size]]

    def split(self, share, seed=0):
        """Two data sets: a random part of the samples, and the others.

        share: of the samples in the first one; seed: the same one gives the same parts.
        """
        if not 0 < share < 1:
            raise Error("share", f"= {share!r}: must be between 0 and 1", "")
        order = numpy.random.default_rng(seed).permutation(len(self))
        count = round(share * len(self))
        return self._like(self._rows[numpy.sort(order[:count])]), self._like(self._rows[numpy.sort(order[count:])])

    def torch(self, dtype=None):
        """A torch.utils.data.Dataset of the samples, as dicts of tensors.

        dtype: of numbers, by default torch.float32.
        """
        try:
            import torch
        except ImportError:
            raise Error("torch", "is not installed", "install PyTorch, or use batches()")
        from sinew._torch import Samples

        for field in self.fields:
            if self._empty[field].dtype.kind not in "biuf":
                raise Error(
                    "fields",
                    f'= "{field}": is text, of which there are no tensors',
                    f'leave it out, and read it by read("{field}")',
                )
        return Samples(self, dtype or torch.float32)

    def _selected(self, index):
        if isinstance(index, slice):
            return self._rows[index]
        numbers = numpy.asarray(index)
        if numbers.ndim == 1 and numbers.size == 0 and not isinstance(index, str):
            return self._rows[:0]  # NumPy takes an empty list for one of floats
        kinds = "iu" if numbers.ndim == 0 else "iub"
        if numbers.ndim > 1 or numbers.dtype.kind not in kinds:
            raise Error("index", f"= {index!r}: is neither a number, a slice, numbers nor a mask", "e.g. data[[0, 3]]")
        return self._rows[numbers]

    def _like(self, rows, fields=None):
        other = object.__new__(Dataset)
        other.__dict__.update(self.__dict__, _rows=rows)
        if fields:
            path = self._shards[0]
            with _reading(path):
                shard = self._file(path)
                other._empty = self._of_none(shard, fields, "field")
            other.fields = fields
        return other

    def _plan(self):
        path = self.folder / "plan.json"
        try:
            plan = json.loads(path.read_text(encoding="utf-8"))
            if not all(isinstance(plan[key], int) and plan[key] > 0 for key in ("samples", "shard")):
                raise ValueError("it has no number of samples")
            return plan
        except (OSError, ValueError, KeyError, TypeError) as error:
            remedy = f"`sinew dataset PLAN.json -o {self.folder}` restores it"
            raise Error(str(path), f"cannot be read: {error}", remedy) from error

    def _written(self):
        """The files of the plan's shards that are there, each with the numbers of its samples, in their order."""
        samples, each = self.plan["samples"], self.plan["shard"]
        folder = self.folder / "shards"
        names = os.listdir(folder) if folder.is_dir() else []
        # Whatever else somebody has put there is none.
        numbers = sorted(int(name[:-3]) for name in names if re.fullmatch("[0-9]{4}[.]h5|[1-9][0-9]{4,}[.]h5", name))
        for number in numbers:
            first = number * each
            if first < samples:
                yield folder / f"{number:04}.h5", numpy.arange(first, min(samples, first + each))

    @staticmethod
    def _of_none(shard, fields, argument):
        """The fields of no sample, with their shapes and types."""
        rows = shard["sample"].shape
        for field in fields:
            if field not in shard or shard[field].shape[:1] != rows:
                has = sorted(name for name in shard if shard[name].shape[:1] == rows)
                raise Error(argument, f'= "{field}": the data set has none', "it has " + ", ".join(has))
        return {field: numpy.empty((0, *shard[field].shape[1:]), shard[field].dtype) for field in fields}

    # HDF5's files must not pass from a process to its children.
    def _file(self, path):
        if self._open is None or self._open.process != os.getpid():
            self._open = _OpenFiles()
        return self._open.file(path)

    def __getstate__(self):
        return {**self.__dict__, "_open": None}

    def _read(self, rows):
        parts = {"parameters": self._parameters[rows]}
        for field, empty in self._empty.items():
            parts[field] = numpy.empty((len(rows), *empty.shape[1:]), empty.dtype)
        shard_of = numpy.searchsorted(self._first, rows, side="right") - 1
        for k in numpy.unique(shard_of):
            here = numpy.flatnonzero(shard_of == k)
            unique, back = numpy.unique(rows[here] - self._first[k], return_inverse=True)
            path = self._shards[k]
            with _reading(path):
                shard = self._file(path)
                for field in self.fields:
                    parts[field][here] = shard[field][unique][back]
        return parts
