#!/usr/bin/env python3
"""From a plan to a model: predict the pose of an arm from the pose of its hand, its activation and its stiffness.

usage: examples/predict_pose.py [PLAN] [FOLDER] [--samples N]

Makes the data set (or goes on with it), holds out a fifth of it, and fits displacements = A features(parameters), where
features are all polynomials of the parameters up to third degree and displacements are taken in their principal
directions. Prints the errors on held-out samples for growing numbers of samples: a model that has learnt nothing would
be as wrong as the mean pose.
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

    def __init__(self, parameters, positions, rest, degree=3, energy=1e-8, ridge=1e-8):
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


def rms(difference):
    """[m] Over samples and vertices."""
    return np.sqrt((difference**2).sum(-1).mean())


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("plan", nargs="?", default=ROOT / "scenes/datasets/arm.json", type=Path)
    options.add_argument("folder", nargs="?", default="arms-1024", type=Path)
    options.add_argument("--samples", type=int, default=1024)
    a = options.parse_args()

    outcome = sinew.make_dataset(plan_with(a.plan, a.samples), a.folder, folder=a.plan.parent)
    print(f"{a.samples} samples, {outcome.failed} failed, {outcome.solving:.0f} s of solving")

    data = sinew.Dataset(a.folder)
    rest = data.rest_positions
    learned, held_out = data.split(0.8)
    truth, parameters = held_out.read("positions"), held_out.parameters
    print(f"mean pose: {1e3 * rms(truth - learned.read('positions').mean(0)):.2f} mm off on {len(held_out)} held-out samples")
    count = 64
    while count <= len(learned):
        part = learned[:count] if count < len(learned) else learned[:]
        model = PoseModel(part["parameters"], part["positions"], rest)
        error = rms(model(parameters) - truth)
        print(f"learned from {count:4d} samples: {1e3 * error:.3f} mm off, {len(model.directions)} directions")
        count = len(learned) if count < len(learned) < 2 * count else 2 * count


if __name__ == "__main__":
    main()
