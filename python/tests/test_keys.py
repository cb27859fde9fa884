"""Every key of the schema of scenes can be set from Python, and what was set is what the engine has."""

import copy
import json

import pytest

import sinew

SCHEMA = json.loads(sinew.scene_schema())
BASE = {
    "sinew": 1,
    "materials": {"m": {}},
    "objects": {"o": {"mesh": {"box": {"cells": 1}}, "material": "m"}, "p": {"mesh": {"box": {}}, "material": "m"}},
}
TETRAHEDRON = {"vertices": [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], "tets": [0, 1, 2, 3]}
# What ranges do not say. By the end of a path: values in place of any that the schema allows ...
VALUES = {
    "object": "o", "material": "m", "pairs.a": "o", "pairs.b": "p", "objects.regions": {"one": "m"},
    "box.min": [-1, -1, -1], "inward_box.min": [-1, -1, -1],
    "surface.tets": 100.0, "shape.tets": 100.0, "solid.tets": 100.0,
    "spindle.length": 5.0, "end_radius": 0.01, "edge_radius": 0.01,
    "shape.sharp_edges": False, "solid.sharp_edges": False, "shape.mesher": "stuffing", "solid.mesher": "stuffing",
    "render.width": 640, "render.height": 480,
    "mesh.arrays": TETRAHEDRON, **{f"arrays.{key}": value for key, value in TETRAHEDRON.items()},
    "arrays.triangles": [0, 1, 2], "arrays.edges": [0, 1],
    "shape.arrays": {"vertices": TETRAHEDRON["vertices"], "triangles": [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2]},
}  # fmt: skip
# ... and what goes with a key, or with a value of it.
BESIDE = {
    "pins.normal": {"free": "plane"}, "pins.direction": {"free": "axis"},
    "pins.free=plane": {"normal": [0, 1, 0]}, "pins.free=axis": {"direction": [0, 1, 0]},
    "bindings.tangential_stiffness": {"normal_stiffness": 1.5},
    **{f"mesh.arrays.{key}": {"tets": TETRAHEDRON["tets"]} for key in ("vertices", "mass", "stiffness", "damping")},
}  # fmt: skip
# What is read and has another name, or none, in what is written.
ALIASES = {"$schema": None, "fps": "frame_dt", "E": "youngs_modulus", "nu": "poisson_ratio", "rho": "rho"}


def ends(path, table):
    """The entry of a table for the end of a path."""
    return next((table[end] for end in (".".join(path[-2:]), path[-1]) if end in table), None)


def resolved(schema):
    return SCHEMA["definitions"]["shape"] if "$ref" in schema else schema


def keys_of(schema):
    """All keys of an object, each with its schema and the switch that it needs."""
    for key, value in schema.get("properties", {}).items():
        yield key, value, {}
    for rule in schema.get("allOf", []):
        if "then" not in rule:
            continue
        ((switch, constant),) = rule["if"]["properties"].items()
        for key, value in rule["then"].get("properties", {}).items():
            if isinstance(value, dict) and key not in schema.get("properties", {}):
                yield key, value, {switch: constant["const"]}


def number(schema):
    whole = schema["type"] == "integer"
    low = schema.get("minimum", schema.get("exclusiveMinimum", 0 if whole else -1e6))
    high = schema.get("maximum", schema.get("exclusiveMaximum", 1e6))
    for value in (low + 1, high) if whole else (0.25, 0.5, 1.5, low + 1e-3, (low + high) / 2):
        if (low <= value <= high if whole else low < value < high) and value != schema.get("default"):
            return value
    raise AssertionError(schema)


def complete(schema, given, path):
    """`given` with what goes with it, and what the schema requires beside it."""
    given = dict(given)
    for key, value in list(given.items()):
        for end, beside in BESIDE.items():
            if ".".join((*path, f"{key}={value}" if "=" in end else key)).endswith(end):
                given = {**beside, **given}
    if path == ("materials",):
        given = {**parameters_beside(given), **given}
    if path == ("objects",):
        mesh = given.get("mesh", {})
        if not {"chain", "grid"} & set(mesh) and "edges" not in mesh.get("arrays", {}):  # which are springs
            given.setdefault("material", "m")
    while True:
        needed = list(schema.get("required", []))
        for key, others in schema.get("dependencies", {}).items():
            needed += others if key in given else []
        for rule in schema.get("allOf", []):
            options = [one["required"][0] for one in rule.get("anyOf", []) if "required" in one]
            needed += options[:1] if not set(options) & set(given) else []
        missing = [key for key in needed if key not in given]
        if not missing:
            return given
        for key in missing:
            given[key] = example(schema["properties"][key], (*path, key))


def parameters_beside(given):
    """The others of the form that a parameter of a material belongs to."""
    for material in sinew.materials():
        for form in material.forms:
            names = {p.name for p in form}
            if names & set(given) and "youngs_modulus" not in names | set(given):
                return {"model": material.name, **{p.name: 1e5 for p in form if p.default is None}}
    return {}


def example(schema, path):
    schema = resolved(schema)
    given = ends(path, VALUES)
    if given is not None:
        return given
    if "anyOf" in schema and "properties" not in schema:
        return example(schema["anyOf"][0], path)
    if "enum" in schema:
        return schema["enum"][0]
    if schema["type"] in ("number", "integer"):
        return number(schema)
    if schema["type"] == "boolean":
        return not schema.get("default", False)
    if schema["type"] == "string":
        return "text"
    if schema["type"] == "array":
        return [example(schema["items"], path)] * max(1, schema.get("minItems", 1))
    if isinstance(schema.get("additionalProperties"), dict):
        return {"one": example(schema["additionalProperties"], path)}
    return {"ball": {}} if "minProperties" in schema else complete(schema, {}, path)


def values(schema, path):
    """Values of a key, of each kind that it takes."""
    schema = resolved(schema)
    if ends(path, VALUES) is not None:
        return [ends(path, VALUES)]
    if "anyOf" in schema and "properties" not in schema:
        return [value for one in schema["anyOf"] for value in values(one, path)]
    if "enum" in schema:
        return schema["enum"]
    return [False, True] if schema.get("type") == "boolean" else [example(schema, path)]


def objects_in(schema, name):
    """Schemas of the objects in a value, each with a function that makes the value of such an object."""
    schema = resolved(schema)
    for one in schema.get("anyOf", []) if "properties" not in schema else []:
        yield from objects_in(one, name)
    if schema.get("properties") or any("then" in rule for rule in schema.get("allOf", [])):
        yield schema, lambda made: made
    elif schema.get("type") == "array":
        for inner, make in objects_in(schema["items"], name):
            yield inner, lambda made, make=make: [make(made)]
    elif isinstance(schema.get("additionalProperties"), dict):
        for inner, make in objects_in(schema["additionalProperties"], name):
            yield inner, lambda made, make=make: {name: make(made)}


def scenes_of(schema, path, make, seen=()):
    """(path, value, scene) for every key below an object and every kind of value of it."""
    for key, below, switch in keys_of(schema):
        here = (*path, key)
        for value in values(below, here):
            yield here, value, make({**switch, key: value})
        for inner, within in objects_in(below, {"materials": "m", "objects": "o"}.get(key, "one")):
            if id(inner) in seen:  # shapes of shapes
                continue

            def made(part, inner=inner, within=within, key=key, switch=switch, here=here):
                return make({**switch, key: within(complete(inner, part, here))})

            yield from scenes_of(inner, here, made, (*seen, id(inner)))


def whole(part):
    scene = copy.deepcopy(BASE)
    for key, value in part.items():
        if key in ("materials", "objects"):
            scene[key].update(value)
        else:
            scene[key] = value
    if "accelerator" in scene.get("solver", {}):
        scene["solver"].setdefault("type", "xpbd")  # which takes all of them, with every option
    return scene


def found(written, scene, path):
    """What was written where the scene has the key; None: nothing."""
    name = path[0]
    if name not in scene:
        return None
    if isinstance(written, str):  # the name of an accelerator
        return written
    if len(path) == 1:
        return written.get(ALIASES.get(name, name))
    part, other = scene[name], written[name]
    while isinstance(part, list) or path[1] not in part and name != "accelerator":
        names = {"materials": "m", "objects": "o"}
        key = 0 if isinstance(part, list) else "one" if "one" in part else names[name]
        part, other = part[key], other[key]
    return found(other, part, path[1:])


ALL = {}
for path, value, scene in scenes_of(SCHEMA, (), whole):
    ALL.setdefault(path, []).append((value, scene))


def is_same(written, value):
    if isinstance(value, dict) and isinstance(written, dict):
        return all(key in written and is_same(written[key], below) for key, below in value.items())
    if isinstance(value, list) and isinstance(written, list):
        return len(value) == len(written) and all(map(is_same, written, value))
    if isinstance(written, list) and not isinstance(value, list):
        return all(one == value for one in written)  # one number for three
    if isinstance(written, dict) and isinstance(value, str):
        return written.get("type") == value  # the name of an accelerator
    if isinstance(value, dict) and isinstance(written, str):
        return value == {"type": written}
    return written == value


def test_there_are_all():
    names = set(json.dumps(SCHEMA).split('"'))
    for path in ALL:
        assert path[-1] in names
    assert len(ALL) > 700
    for table in ("solver", "render", "output", "time", "contact", "colliders"):
        of_table = {path[1] for path in ALL if path[0] == table and len(path) > 1}
        assert {key for key, _, _ in keys_of(SCHEMA["properties"][table])} <= of_table


@pytest.mark.parametrize("table", SCHEMA["properties"])
def test_every_key_is_set(table):
    count = 0
    for path, cases in ALL.items():
        if path[0] != table:
            continue
        for value, scene in cases:
            where = f"{'.'.join(path)} = {value!r}"
            try:
                read = sinew.Scene(scene)
            except sinew.Error as error:
                raise AssertionError(where) from error
            written = read.to_dict()
            has = found(written, scene, path)
            if path[-1] == "fps":
                has = 1 / has
            assert path[-1] == "$schema" or is_same(has, value), f"{where}: {has!r}"
            count += 1
    assert count > 0
