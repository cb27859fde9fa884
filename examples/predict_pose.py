#!/usr/bin/env python3
"""From a plan to a model: predict the pose of an arm from the pose of its hand, its activation and its stiffness.

Makes the data set (or goes on with it), holds out a fifth of it, and fits displacements = A features(parameters), where
features are all polynomials of the parameters up to fourth degree and displacements are taken in their principal
directions. Prints the errors on held-out samples for growing numbers of samples: a model that has learnt nothing would
be as wrong as the mean pose. The worst samples lie where the arm is about to buckle, which no polynomial follows.
"""

import argparse
import itertools
import json
import re
from pathlib import Path

import numpy as np

import sinew

ROOT = Path(__file__).resolve().parents[1]


def plan_with(path, samples):
    """The plan of a file with another number of samples."""
    text = re.sub(r"^\s*//.*$", "", Path(path).read_text(), flags=re.M)
    return {**json.loads(text), "samples": samples}


class PoseModel:
    """Displacements of all vertices as polynomials of the parameters."""

    def __init__(self, parameters, positions, rest, degree=4, energy=1e-8, ridge=1e-6):
        self.low, self.high = parameters.min(0), parameters.max(0)
        self.rest, self.degree = rest, degree
        moved = (positions - rest).reshape(len(positions), -1)
        self.mean = moved.mean(0)
        _, sizes, directions = np.linalg.svd(moved - self.mean, full_matrices=False)
        kept = np.cumsum(sizes**2) <= (1 - energy) * np.sum(sizes**2)
        self.directions = directions[: np.count_nonzero(kept) + 1]
        features = self.features(parameters)
        shares = (moved - self.mean) @ self.directions.T
        square = features.T @ features + ridge * len(features) * np.eye(features.shape[1])
        self.weights = np.linalg.solve(square, features.T @ shares)

    def features(self, parameters):
        x = 2 * (parameters - self.low) / (self.high - self.low) - 1
        columns = [np.ones(len(x))]
        for degree in range(1, self.degree + 1):
            for which in itertools.combinations_with_replacement(range(x.shape[1]), degree):
                columns.append(np.prod(x[:, which], axis=1))
        return np.stack(columns, axis=1)

    def __call__(self, parameters):
        moved = self.mean + self.features(parameters) @ self.weights @ self.directions
        return self.rest + moved.reshape(len(parameters), *self.rest.shape)


def off_by(predicted, truth):
    """The error of each sample [mm], root mean square over vertices: their root mean square, median and largest."""
    each = 1e3 * np.sqrt(((predicted - truth) ** 2).sum(-1).mean(-1))
    return f"{np.sqrt((each**2).mean()):6.2f} mm off, median {np.median(each):5.2f}, worst {each.max():6.2f}"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("plan", nargs="?", default=ROOT / "scenes/datasets/arm.json", type=Path, help="of the data set")
    options.add_argument("folder", nargs="?", default="arms-1024", type=Path, help="of the data set")
    options.add_argument("--samples", type=int, default=1024, metavar="N", help="in place of the plan's")
    a = options.parse_args()

    outcome = sinew.make_dataset(plan_with(a.plan, a.samples), a.folder, folder=a.plan.parent)
    print(f"{a.samples} samples, {outcome.failed} failed, {outcome.solving:.0f} s of solving")

    data = sinew.Dataset(a.folder)
    rest = data.rest_positions
    learned, held_out = data.split(0.8)
    truth, parameters = held_out.read("positions"), held_out.parameters
    print(f"{len(held_out)} held-out samples")
    print(f"mean pose:                {off_by(learned.read('positions').mean(0), truth)}")
    count = 64
    while count <= len(learned):
        part = learned[:count]
        model = PoseModel(part["parameters"], part["positions"], rest)
        print(f"learned from {count:4d} samples: {off_by(model(parameters), truth)}")
        count = len(learned) if count < len(learned) < 2 * count else 2 * count


if __name__ == "__main__":
    main()
