"""Parts of scenes as JSON, with NumPy's arrays and numbers in them."""

import json
import math
import os

import numpy

from sinew._error import Error


def text(value):
    """The JSON of a value; text stays as it is."""
    return value if isinstance(value, str) else json.dumps(_plain(value, ""))


def _plain(value, path):
    if isinstance(value, dict):
        return {key: (_flat if key == "arrays" else _plain)(part, _below(path, key)) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part, _below(path, k)) for k, part in enumerate(value)]
    if isinstance(value, numpy.ndarray):
        if value.dtype.kind == "f" and not numpy.isfinite(value).all():
            raise Error(path, "has a number that is not finite", "")
        return value.tolist()
    if isinstance(value, numpy.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):  # for which JSON has no word
        raise Error(path, f"= {value}: is not finite", "")
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise Error(path, f"is a {type(value).__name__}", "give what JSON has: numbers, words, lists and dicts")


def _flat(arrays, path):
    """A mesh's arrays, which have a row per vertex or element here, and none in JSON."""
    if not isinstance(arrays, dict):
        return _plain(arrays, path)
    return {
        key: _plain(numpy.ravel(part) if numpy.ndim(part) > 1 else part, _below(path, key))
        for key, part in arrays.items()
    }


def _below(path, key):
    return f"{path}.{key}" if path else str(key)
