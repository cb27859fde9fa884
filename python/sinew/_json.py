"""Parts of scenes as JSON: dicts and objects with their keys, with NumPy's arrays and numbers in them."""

import dataclasses
import json
import math
import os
from collections.abc import Mapping
from types import SimpleNamespace

import numpy

from sinew._error import Error
from sinew._meshes import arrays_of, check_shape


def text(value, path=""):
    """The JSON of a value; text stays as it is.

    path: of the value, for errors.
    """
    try:
        return value if isinstance(value, str) else json.dumps(_plain(value, path))
    except RecursionError:
        raise Error(path or "scene", "contains itself, or is nested too deeply", "give a value that ends") from None


def assignments(values):
    """What is not None, as "path=value" with the paths of dicts within it."""
    return [f"{path}={text(value, path)}" for path, value in _leaves(values, "")]


def has_keys(value):
    """Whether it is a dict or an object that stands for one."""
    return _members(value) is not None


def _leaves(values, path):
    for key, value in values.items():
        below = _below(path, key)
        if isinstance(value, Mapping):
            yield from _leaves(value, below)
        elif value is not None:
            yield below, value


def _members(value):
    """The keys and values of a dict or of an object; None: it has none. What is None in an object is left out."""
    if isinstance(value, Mapping):
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        members = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    elif isinstance(value, SimpleNamespace):
        members = vars(value)
    else:
        return None
    return {key: member for key, member in members.items() if member is not None}


def _plain(value, path):
    members = _members(value)
    if members is not None:
        return dict(_member(key, part, path) for key, part in members.items())
    if isinstance(value, (list, tuple)):
        return [_plain(part, _below(path, k)) for k, part in enumerate(value)]
    if isinstance(value, numpy.ndarray):
        return _list(value, path)
    if isinstance(value, numpy.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):  # for which JSON has no word
        raise Error(path, f"= {value}: is not finite", "give a finite number, or leave it out")
    if isinstance(value, os.PathLike):
        value = os.fsdecode(value)
    if isinstance(value, str) and not _is_text(value):
        raise Error(path, f"= {value!a}: has lone surrogates, which are no text", "files in scenes have names in UTF-8")
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise Error(path, f"is a {type(value).__name__}", "give what JSON has: numbers, words, lists and dicts")


def _is_text(value):
    """Whether UTF-8 can write it."""
    return value.isascii() or not any("\ud800" <= character <= "\udfff" for character in value)


def _list(array, path):
    if array.dtype.kind == "O":
        return _plain(array.tolist(), path)
    if array.dtype.kind not in "biufU" or array.dtype.kind == "f" and array.dtype.itemsize > 8:
        raise Error(path, f"has the type {array.dtype}", "give an array of float64 or of whole numbers")
    if array.dtype.kind == "f" and not numpy.isfinite(array).all():
        raise Error(path, "has a number that is not finite", "give finite numbers")
    return array.tolist()


def _member(key, value, path):
    """A member of a dict; a mesh that is an object becomes its arrays."""
    if not isinstance(key, (str, int)) or isinstance(key, str) and not _is_text(key):
        raise Error(path or "scene", f"has the key {key!a}", "keys are words")
    below = _below(path, key)
    if key not in ("mesh", "arrays"):
        return key, _plain(value, below)
    of_collider = path.rpartition(".")[2] == "shape"
    arrays = arrays_of(value, below, ("triangles",) if of_collider else ("tets", "triangles", "edges"))
    if arrays is None:
        return key, _flat(value, below) if key == "arrays" else _plain(value, below)
    arrays = _flat(arrays, below)
    return ("mesh", {"arrays": arrays}) if key == "mesh" and not of_collider else ("arrays", arrays)


def _flat(arrays, path):
    """A mesh's arrays, which have a row per vertex or element here, and none in JSON."""
    members = _members(arrays)
    if members is None:
        return _plain(arrays, path)
    return {key: _plain(_in_one_row(key, part, _below(path, key)), _below(path, key)) for key, part in members.items()}


def _in_one_row(key, part, path):
    try:
        shape = numpy.shape(part)
    except ValueError:  # rows of several lengths
        raise Error(path, "has rows of different lengths", "give an array, or a list without rows") from None
    check_shape(key, shape, path)
    return numpy.ravel(part) if len(shape) > 1 else part


def _below(path, key):
    return f"{path}.{key}" if path else str(key)
