"""Comparisons as tables of pandas and as plots of Matplotlib, where those are installed."""

from sinew import _sinew
from sinew._error import Error

# What rows() names, in words, with units.
LABELS = {
    "iteration": "iterations",
    "milliseconds": "milliseconds",
    "residual": "residual [N]",
    "relative_residual": "residual, relative to the initial guess",
    "energy": "energy [J]",
    "relative_loss": "energy above the minimum, relative to the initial guess",
    "error_max": "largest error [m]",
    "error_rms": "root mean square error [m]",
    "change": "change between iterates [m]",
    "inverted": "inverted elements",
}
DASHES = ("-", "--", ":", "-.")


def frame(comparison):
    """The DataFrame of Comparison.to_pandas."""
    try:
        import pandas
    except ImportError as fault:
        raise Error("to_pandas", "pandas is not installed", "install python3-pandas, or use rows()") from fault
    return pandas.DataFrame(comparison.rows())


def plot(comparison, quantity, over, axes):
    """The Axes of Comparison.plot."""
    for argument, given, known in (("quantity", quantity, list(LABELS)[2:]), ("over", over, list(LABELS)[:2])):
        if given not in known:
            raise Error(argument, f'= "{given}": is not known', "use " + ", ".join(known))
    if axes is None:
        try:
            from matplotlib import pyplot
        except ImportError as fault:
            raise Error(
                "plot", "Matplotlib is not installed", "install python3-matplotlib, or write figures by write(folder)"
            ) from fault
        axes = pyplot.subplots(layout="constrained")[1]
    colors = {solver.name: solver.color for solver in _sinew.solvers()}
    times_drawn = {}
    rows = comparison.rows()
    for curve in comparison.curves:
        points = [row for row in rows if row["method"] == curve.label]
        if not points:  # it was refused
            continue
        # Variants of one solver have its colour, and dashes of their own.
        drawn = times_drawn[curve.solver] = times_drawn.get(curve.solver, -1) + 1
        axes.plot(
            [row[over] for row in points],
            [row[quantity] for row in points],
            DASHES[drawn % len(DASHES)],
            color=colors.get(curve.solver),
            label=curve.label,
        )
    values = [row[quantity] for row in rows]
    if quantity != "inverted" and any(value > 0 for value in values) and not any(value < 0 for value in values):
        axes.set_yscale("log", nonpositive="mask")
    axes.set_xlabel(LABELS[over])
    axes.set_ylabel(LABELS[quantity])
    axes.grid(alpha=0.3)
    if axes.lines:
        axes.legend()
    return axes
