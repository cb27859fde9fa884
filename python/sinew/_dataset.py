"""Data sets that `sinew dataset` has made, sample by sample or in batches."""

import json
import os
from pathlib import Path

import numpy

from sinew._error import Error


def _h5py():
    try:
        import h5py
    except ImportError:
        raise Error("h5py", "is not installed, and data sets are read with it", "install h5py (Debian: python3-h5py)")
    return h5py


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
        self._shards, self._first, self._open, self._process = [], [], {}, None
        parameters, status, numbers = [], [], []
        for path in sorted((self.folder / "shards").glob("[0-9]*.h5")):
            with self._file(path) as shard:
                for field in self.fields:
                    if field not in shard or shard[field].shape[:1] != shard["sample"].shape:
                        raise Error("fields", f'= "{field}": the data set has none', self._has(shard))
                self._first.append(len(numbers))
                self._shards.append(path)
                numbers += list(shard["sample"][:])
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
        self.plan = self._plan()
        with self._file(self.folder / "mesh.h5") as mesh:
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
        return _torch_dataset(torch)(self, dtype or torch.float32)

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
        other.__dict__.update(self.__dict__, _rows=rows, _open={}, _process=None)
        if fields:
            with self._file(self._shards[0]) as shard:
                for field in fields:
                    if field not in shard or shard[field].shape[:1] != shard["sample"].shape:
                        raise Error("field", f'= "{field}": the data set has none', self._has(shard))
            other.fields = fields
        return other

    def _plan(self):
        path = self.folder / "plan.json"
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            remedy = f"`sinew dataset PLAN.json -o {self.folder}` restores it"
            raise Error(str(path), f"cannot be read: {error}", remedy) from error

    @staticmethod
    def _has(shard):
        rows = shard["sample"].shape
        return "it has " + ", ".join(sorted(name for name in shard if shard[name].shape[:1] == rows))

    @staticmethod
    def _file(path):
        try:
            return _h5py().File(path, "r")
        except OSError as error:
            raise Error(str(path), f"cannot be read: {error}", "`sinew dataset verify` says what is wrong") from error

    # HDF5's files must not pass from a process to its children.
    def _shard(self, k):
        if self._process != os.getpid():
            self._open, self._process = {}, os.getpid()
        if k not in self._open:
            self._open[k] = self._file(self._shards[k])
        return self._open[k]

    def __getstate__(self):
        return {**self.__dict__, "_open": {}, "_process": None}

    def _read(self, rows):
        parts = {"parameters": self._parameters[rows]}
        shard_of = numpy.searchsorted(self._first, rows, side="right") - 1
        for field in self.fields:
            like = self._shard(0)[field]
            values = numpy.empty((len(rows), *like.shape[1:]), like.dtype)
            for k in numpy.unique(shard_of):
                here = numpy.flatnonzero(shard_of == k)
                unique, back = numpy.unique(rows[here] - self._first[k], return_inverse=True)
                values[here] = self._shard(k)[field][unique][back]
            parts[field] = values
        return parts


def _torch_dataset(torch):
    class Samples(torch.utils.data.Dataset):
        def __init__(self, data, dtype):
            self.data, self.dtype = data, dtype

        def __len__(self):
            return len(self.data)

        def __getitem__(self, index):
            sample = self.data[index]
            return {name: torch.as_tensor(numpy.asarray(part), dtype=self.dtype) for name, part in sample.items()}

    return Samples
