"""Parts of scenes as JSON: dicts and objects with their keys, with NumPy's arrays and numbers in them."""

import dataclasses
import json
import math
import os
from collections.abc import Mapping
from types import SimpleNamespace

import numpy

from sinew._error import Error
from sinew._meshes import arrays_of


def text(value):
    """The JSON of a value; text stays as it is."""
    return value if isinstance(value, str) else json.dumps(_plain(value, ""))


def assignments(values):
    """What is not None, as "path=value" with the paths of dicts within it."""
    found = []
    for key, value in values.items():
        if isinstance(value, Mapping):
            found += [f"{key}.{below}" for below in assignments(value)]
        elif value is not None:
            found.append(f"{key}={text(value)}")
    return found


def is_scene(value):
    """Whether it is a dict or an object with the keys of one."""
    return _members(value) is not None


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


def _member(key, value, path):
    """A member of a dict; a mesh that is an object becomes its arrays."""
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
    return {
        key: _plain(numpy.ravel(part) if numpy.ndim(part) > 1 else part, _below(path, key))
        for key, part in members.items()
    }


def _below(path, key):
    return f"{path}.{key}" if path else str(key)
