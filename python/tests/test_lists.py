"""Whatever the engine's tables list can be given from Python, by the names and defaults that they have."""

import pytest

import sinew


@pytest.mark.parametrize("solver", [s.name for s in sinew.solvers()])
def test_options_of_solvers(bar, solver):
    (description,) = (s for s in sinew.solvers() if s.name == solver)
    bar["solver"] = {"type": solver}
    usual = sinew.Scene(bar).to_dict()["solver"]
    for option in description.options + description.common_options:
        assert usual[option.name] == option.default, option
        values = [True, False] if option.kind == "toggle" else [option.default]
        if option.name != "precision" or description.single_precision:
            values += option.choices
        for value in values:
            scene = sinew.Scene({**bar, "solver": {"type": solver, option.name: value}})
            assert scene.to_dict()["solver"][option.name] == value


def test_accelerators(bar):
    names = [a.name for a in sinew.accelerators()]
    assert names[0] == "none" and len(names) > 2
    for name in names:
        bar["solver"] = {"type": "vbd", "accelerator": name}
        sinew.Simulation(bar).step()


def test_materials(bar):
    for material in sinew.materials():
        for form in material.forms:
            given = {p.name: 0.3 if p.name == "poisson_ratio" else p.default or 1e5 for p in form}
            bar["materials"]["rubber"] = {"model": material.name, **given}
            written = sinew.Scene(bar).to_dict()["materials"]["rubber"]
            assert {p.name: written[p.name] for p in form} == given


def test_every_solver_takes_a_step(bar):
    count = 0
    for solver in sinew.solvers():
        if solver.dynamic and not solver.needs_constraints:
            bar["solver"] = {"type": solver.name, "iterations": 2}
            bar["materials"]["rubber"]["model"] = "stvk" if solver.needs_zero_at_rest else "neo_hookean"
            assert sinew.Simulation(bar).step().step == 1
            count += 1
    assert count > 4
