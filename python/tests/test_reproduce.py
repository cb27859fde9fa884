"""Experiments are run and judged as by the program."""

import json
import subprocess

import pytest

import sinew

EXPERIMENT = {
    "title": "Sweeps and steps",
    "source": "by definition",
    "note": "a bar of our own",
    "scene": "scenes/bar.json",
    "runs": {
        "bar": {"methods": {"vbd": "vbd", "newton": "newton"}, "iterations": 6, "threads": 1, "reference": False},
    },
    "sweeps": [{"over": "the modulus [Pa]", "values": {"1e5": [], "1e6": ["materials.rubber.youngs_modulus=1e6"]}}],
    "claims": [
        {"says": "Newton ends lower", "holds": "last(bar.newton.residual) < last(bar.vbd.residual)", "paper": "lower"},
        {"says": "VBD is exact", "holds": "last(bar.vbd.residual) <= 0", "reason": "it is not"},
    ],
}


@pytest.fixture
def folder(bar, tmp_path):
    (tmp_path / "scenes").mkdir()
    (tmp_path / "scenes" / "bar.json").write_text(json.dumps(bar))
    (tmp_path / "first.json").write_text(json.dumps(EXPERIMENT))
    return tmp_path


def test_verdicts(folder):
    outcome = sinew.reproduce("first", experiments=folder)
    assert (outcome.name, outcome.title, outcome.source) == ("first", "Sweeps and steps", "by definition")
    assert outcome.note == "a bar of our own" and not outcome.full and outcome.seconds > 0
    lower, exact = outcome.verdicts
    assert lower.holds and lower and lower.says == "Newton ends lower" and lower.paper == "lower"
    assert not exact.holds and not exact and exact.reason == "it is not"
    assert exact.rule == "last(bar.vbd.residual) <= 0"
    # The figures are those of the comparison.
    (bar,) = outcome.comparisons.values()
    ends = {row["method"]: row["residual"] for row in bar.rows()}
    assert lower.figures["last(bar.vbd.residual)"] == ends["vbd"] > ends["newton"]
    assert lower.swept == {}
    assert "Newton ends lower" in str(outcome) and repr(outcome) == "<sinew.Reproduction first, 1 of 2 claims hold>"


def test_sweeps(folder):
    lower, exact = sinew.reproduce(folder / "first.json", sweeps=True).verdicts
    assert lower.swept == {"the modulus [Pa]": {"1e5": True, "1e6": True}}
    assert exact.swept == {"the modulus [Pa]": {"1e5": False, "1e6": False}}


def test_as_the_program(program, folder):
    outcome = sinew.reproduce(folder / "first.json", output=folder / "here", figures=False)
    arguments = ["reproduce", folder / "first.json", "--no-figures", "-o", folder / "there"]
    subprocess.run([program, *arguments], check=True, capture_output=True)

    def verdicts(file):
        return [(claim["says"], claim["holds"]) for claim in json.loads(file.read_text())["claims"]]

    assert verdicts(folder / "here" / "result.json") == verdicts(folder / "there" / "first" / "result.json")
    assert [v.says for v in outcome.verdicts] == [says for says, _ in verdicts(folder / "here" / "result.json")]


def test_lists_and_faults(folder, scenes):
    assert sinew.experiments(folder) == ["first"]
    assert "S2-1" in sinew.experiments(scenes.parent / "experiments")
    with pytest.raises(sinew.Error, match="did you mean 'first'"):
        sinew.reproduce("frist", experiments=folder)
    with pytest.raises(sinew.Error, match="experiments"):
        sinew.experiments(folder / "missing")
    broken = {**EXPERIMENT, "claims": [{"says": "nothing", "holds": "last(bar.xpbd.residual) < 1"}]}
    (folder / "broken.json").write_text(json.dumps(broken))
    with pytest.raises(sinew.Error, match="claims.0"):
        sinew.reproduce("broken", experiments=folder)
    (folder / "full").mkdir()
    (folder / "full" / "result.json").write_text("mine")
    with pytest.raises(sinew.Error):
        sinew.reproduce("first", experiments=folder, output=folder / "full")
    assert (folder / "full" / "result.json").read_text() == "mine"
