"""What the documents show is what happens."""

import contextlib
import io
import re



def blocks(text, language=""):
    return [block for name, block in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.S | re.M) if name == language]


def test_readme(scenes, monkeypatch):
    readme = (scenes.parent / "README.md").read_text(encoding="utf-8")
    section = readme.split("## In Python")[1].split("\n## ")[0]
    monkeypatch.chdir(scenes.parent)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(blocks(section, "python")[0], {})
    (shown,) = blocks(section)
    # The last bits depend on the lanes of the processor.
    without_state = re.compile(r" state \w+$", re.M)
    assert without_state.sub("", printed.getvalue()) == without_state.sub("", shown)


def test_first_steps(scenes, monkeypatch):
    guide = (scenes.parent / "docs" / "python.md").read_text(encoding="utf-8")
    monkeypatch.chdir(scenes.parent)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(blocks(guide.split("## First steps")[1], "python")[0], {})
    assert printed.getvalue().count("\n") > 10
