#!/usr/bin/env python3
"""Writes python/sinew/types.py from the schema of scenes.

usage: python/tools/scene_types.py > python/sinew/types.py
"""

import json
import keyword
import textwrap

HEAD = '''"""The keys of scenes as TypedDicts, for editors and type checkers: `scene: sinew.types.Scene = {...}`.

Written by python/tools/scene_types.py from the schema of scenes; docs/scene-reference.md has defaults and ranges.
"""

from __future__ import annotations

from typing import Any, Literal, Protocol, TypedDict, Union

import numpy.typing

Numbers = numpy.typing.ArrayLike  # NumPy's arrays and lists
Vector = numpy.typing.ArrayLike  # x, y and z


class MeshObject(Protocol):
    """A meshio.Mesh."""

    points: Any
    cells: Any


class FilledMesh(Protocol):
    """What sinew.mesh returns."""

    @property
    def vertices(self) -> Any: ...
    @property
    def tets(self) -> Any: ...
'''
# Where scenes in Python may have a mesh that is an object.
OBJECTS = {"mesh", "arrays"}


def canonical(schema):
    """Equal for schemas of equal keys, whatever is said of them."""
    if isinstance(schema, dict):
        return {k: canonical(v) for k, v in schema.items() if k not in ("description", "default")}
    return [canonical(v) for v in schema] if isinstance(schema, list) else schema


def identity(schema):
    return json.dumps(canonical(schema), sort_keys=True)


def members(schema):
    """All keys of an object: also those that depend on its type or model."""
    found = {}
    branches = [rule["then"].get("properties", {}) for rule in schema.get("allOf", []) if "then" in rule]
    for properties in [schema.get("properties", {}), *branches]:
        for key, value in properties.items():
            if isinstance(value, dict) and value and key != "$schema" and "const" not in value:
                found.setdefault(key, []).append(value)
    return found


def is_record(schema):
    return bool(members(schema))


def is_accelerator_rule(schema):
    return set(schema) <= {"not", "enum"} and any(isinstance(word, dict) for word in schema.get("enum", [{}]))


def word(key):
    return "".join(part[:1].upper() + part[1:] for part in key.split("_"))


def singular(key):
    return key[:-1] if key.endswith("s") else key


class Writer:
    def __init__(self, schema):
        self.names = {}  # by identity
        self.places = {}  # identity -> (parent, key) of each that has it
        self.texts = []
        self.count("Scene", "", schema)
        shape = schema["definitions"]["shape"]
        self.names[identity(shape)] = "Shape"
        self.record("Shape", shape)
        self.record("Scene", schema)

    def count(self, key, parent, schema):
        """Notes where records occur: those that several others have are named by their usual key alone."""
        if "anyOf" in schema:
            for one in schema["anyOf"]:
                self.count(key, parent, one)
        if isinstance(schema.get("items"), dict):
            self.count(singular(key), parent, schema["items"])
        if isinstance(schema.get("additionalProperties"), dict):
            self.count(singular(key), parent, schema["additionalProperties"])
        if not is_record(schema):
            return
        places = self.places.setdefault(identity(schema), [])
        places.append((parent, key))
        if len(places) > 1:
            return
        for below, values in members(schema).items():
            for value in values:
                self.count(below, word(key), value)

    def name(self, key, parent, schema):
        places = self.places.get(identity(schema), [])
        wished = parent + word(key)
        if parent == "Scene":
            wished = word(key)
        elif len({above for above, _ in places}) > 1:
            keys = [own for _, own in places]
            wished = word(max(keys, key=keys.count))
        taken = set(self.names.values())
        return wished if wished not in taken else parent + word(key)

    def record(self, name, schema):
        self.names[identity(schema)] = name
        needed = set(schema.get("required", []))
        fields = {}
        for key, values in members(schema).items():
            values = [v for v in values if not is_accelerator_rule(v)]
            types = list(dict.fromkeys(self.type_of(key, name, value) for value in values))
            types += ["FilledMesh", "MeshObject"] if key in OBJECTS else []
            meaning = next((v["description"] for v in values if "description" in v), "")
            fields[key] = (types[0] if len(types) == 1 else f"Union[{', '.join(types)}]", meaning)
        self.texts.append(text_of(name, fields, needed, schema.get("description", "")))

    def type_of(self, key, parent, schema):
        if "$ref" in schema:
            return "Shape"
        if "anyOf" in schema and not is_record(schema):
            return "Union[" + ", ".join(dict.fromkeys(self.type_of(key, parent, s) for s in schema["anyOf"])) + "]"
        if "enum" in schema:
            return "Literal[" + ", ".join(json.dumps(w) for w in schema["enum"]) + "]"
        kind = schema.get("type")
        if kind == "array":
            return self.list_of(key, parent, schema)
        if kind != "object":
            return {"number": "float", "integer": "int", "boolean": "bool", "string": "str"}[kind]
        if not is_record(schema):
            return f"dict[str, {self.type_of(singular(key), parent, schema['additionalProperties'])}]"
        if identity(schema) not in self.names:
            self.record(self.name(key, parent, schema), schema)
        own = self.names[identity(schema)]
        return own

    def list_of(self, key, parent, schema):
        items = schema["items"]
        if items.get("type") in ("number", "integer"):
            return "Vector" if schema.get("maxItems") == 3 else "Numbers"
        return f"list[{self.type_of(singular(key), parent, items)}]"


def text_of(name, fields, needed, meaning):
    def lines(keys):
        return "".join(comment(fields[k][1]) + wrapped(f"    {k}: {fields[k][0]}\n") for k in keys)

    if any(keyword.iskeyword(key) or not key.isidentifier() for key in fields):
        body = "".join(comment(m) + wrapped(f"    {json.dumps(k)}: {t},\n") for k, (t, m) in fields.items())
        body = textwrap.indent(body, "    ")
        return f"\n\n{name} = TypedDict(\n    \"{name}\",\n    {{\n{body}    }},\n    total=False,\n)\n"
    first = [key for key in fields if key in needed]
    rest = [key for key in fields if key not in needed]
    about = f'    """{sentence(meaning)}"""\n\n' if meaning else ""
    if first and not rest:
        return f"\n\nclass {name}(TypedDict):\n{about}{lines(first)}"
    text = ""
    base = "TypedDict"
    if first:
        text += f"\n\nclass _{name}(TypedDict):\n{lines(first)}"
        base = f"_{name}"
    return text + f"\n\nclass {name}({base}, total=False):\n{about}{lines(rest)}"


def wrapped(line):
    if len(line) <= 112:
        return line
    head, bracket, rest = line.partition("[")
    inside, end, tail = rest.rpartition("]")
    inside = textwrap.indent(textwrap.fill(inside, 100), " " * 8)
    return f"{head}{bracket}\n{inside}\n    {end}{tail}"


def sentence(meaning):
    text = meaning[:1].upper() + meaning[1:] + ("" if meaning.endswith(".") else ".")
    return "\n    ".join(textwrap.wrap(text, 110))


def comment(meaning):
    return "".join(f"    # {line}\n" for line in textwrap.wrap(meaning, 110))


def types_of(schema):
    return HEAD + "".join(Writer(schema).texts)


if __name__ == "__main__":
    import sinew

    print(types_of(json.loads(sinew.scene_schema())), end="")
