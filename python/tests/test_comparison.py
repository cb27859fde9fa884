"""Comparisons become tables and plots that show what was measured."""

import sys

import pytest

import sinew


@pytest.fixture
def comparison(bar):
    bar["materials"]["rubber"]["model"] = "stvk"
    return sinew.compare(bar, ["vbd", "vbd+chebyshev", "newton", "fp_pxpbd"], iterations=5)


def test_pandas(comparison):
    pandas = pytest.importorskip("pandas")
    table = comparison.to_pandas()
    assert isinstance(table, pandas.DataFrame) and len(table) == len(comparison.rows())
    assert list(table.method.unique()) == [c.label for c in comparison.curves if c.refused is None]
    vbd = table[table.method == "vbd"]
    assert list(vbd.iteration) == list(range(len(vbd)))
    assert list(vbd.relative_residual) == [r["relative_residual"] for r in comparison.rows() if r["method"] == "vbd"]


def test_plot(comparison, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib import pyplot

    axes = comparison.plot()
    drawn = [c for c in comparison.curves if c.refused is None]
    assert axes.get_yscale() == "log" and "residual" in axes.get_ylabel() and axes.get_xlabel() == "iterations"
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [c.label for c in drawn]
    lines = axes.get_lines()
    for line, curve in zip(lines, drawn):
        rows = [r for r in comparison.rows() if r["method"] == curve.label]
        assert list(line.get_xdata()) == [r["iteration"] for r in rows]
        assert list(line.get_ydata()) == [r["relative_residual"] for r in rows]
    # One colour, so that dashes tell them apart.
    assert lines[0].get_color() == lines[1].get_color() != lines[2].get_color()
    assert lines[0].get_linestyle() != lines[1].get_linestyle()
    axes.figure.savefig(tmp_path / "plot.png")

    own = pyplot.figure().add_subplot()
    assert comparison.plot("energy", over="milliseconds", axes=own) is own
    assert own.get_xlabel() == "milliseconds" and own.get_ylabel() == "energy [J]"
    pyplot.close("all")


def test_faults(comparison, monkeypatch):
    with pytest.raises(sinew.Error, match="relative_residual"):
        comparison.plot("residul")
    with pytest.raises(sinew.Error, match="milliseconds"):
        comparison.plot(over="time")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(sinew.Error, match="install python3-matplotlib"):
        comparison.plot()
    with pytest.raises(sinew.Error, match="install python3-pandas"):
        comparison.to_pandas()


def test_repr(comparison):
    assert repr(comparison) == "<sinew.Comparison of 4 solvers on bar>"
