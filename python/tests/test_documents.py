"""What the documents show is what happens."""

import contextlib
import io
import re

import pytest


def blocks(text, language=""):
    return [block for name, block in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.S | re.M) if name == language]


def taken_apart(text):
    """Its words, and its numbers, without the hash of a state."""
    text = re.sub(r" state \w+$", "", text, flags=re.M)
    number = r"-?\d+(?:\.\d+)?(?:e[-+]\d+)?"
    return re.sub(number, "#", text), [float(n) for n in re.findall(number, text)]


def test_readme(scenes, monkeypatch):
    readme = (scenes.parent / "README.md").read_text(encoding="utf-8")
    section = readme.split("## In Python")[1].split("\n## ")[0]
    monkeypatch.chdir(scenes.parent)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(blocks(section, "python")[0], {})
    (shown,) = blocks(section)
    # Bits depend on the lanes of the processor, and so does where a few iterations leave a residual.
    words, numbers = taken_apart(printed.getvalue())
    shown_words, shown_numbers = taken_apart(shown)
    assert words == shown_words
    assert numbers == pytest.approx(shown_numbers, rel=0.1)


def test_first_steps(scenes, monkeypatch):
    guide = (scenes.parent / "docs" / "python.md").read_text(encoding="utf-8")
    monkeypatch.chdir(scenes.parent)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(blocks(guide.split("## First steps")[1], "python")[0], {})
    assert printed.getvalue().count("\n") > 10
