"""Sinew: elastic bodies under many solvers, and how far each result is from the solution.

    import sinew
    simulation = sinew.Simulation("scenes/falling_bar.json")
    simulation.step()
    simulation.positions     # [m], an array that follows the state

docs/python.md is the guide; docs/scene-reference.md has every key of a scene.
"""

from sinew import _sinew
from sinew._batch import Batch
from sinew._dataset import Dataset
from sinew._edit import Edit
from sinew._error import Error
from sinew._picture import Picture
from sinew._sinew import (
    AcceleratorDescription,
    Collider,
    ColliderInfo,
    Comparison,
    ContactPoint,
    ContactTimes,
    CorrectionCounts,
    Curve,
    DatasetOutcome,
    DatasetVerdict,
    Energies,
    Evaluation,
    FilmOutcome,
    Force,
    Grab,
    GridCounts,
    IterationReport,
    MaterialDescription,
    Mesh,
    ObjectInfo,
    Parameter,
    Pin,
    PlacedCollider,
    Reproduction,
    RunOutcome,
    Scene,
    Simulation,
    Snapshot,
    SolverDescription,
    StageTimes,
    StepReport,
    SurfacePoint,
    Verdict,
    accelerators,
    compare,
    dataset_parameters,
    experiments,
    make_dataset,
    materials,
    mesh,
    picture,
    render,
    reproduce,
    run,
    scene_reference,
    scene_schema,
    solvers,
    verify_dataset,
)

__version__ = _sinew.version
__all__ = [name for name in dir() if not name.startswith("_")]

for _name in __all__:
    globals()[_name].__module__ = "sinew"
