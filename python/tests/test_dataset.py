"""Data sets from Python: the bits of the command line, samples that are read when they are asked for, clear errors."""

import concurrent.futures
import json
import multiprocessing
import os
import pickle
import resource
import shutil
import subprocess
import sys
import types
from types import MappingProxyType

import numpy
import pytest

import sinew
pytest.importorskip("h5py")

SCENE = {
    "sinew": 1,
    "time": {"integrator": "quasistatic"},
    "materials": {"rubber": {"youngs_modulus": 1e4}},
    "objects": {"bar": {"mesh": {"box": {"size": [0.4, 0.1, 0.1], "cells": [8, 1, 1]}}, "material": "rubber"}},
    "pins": [{"object": "bar", "select": {"plane": {"point": [0, 0, 0], "normal": [-1, 0, 0]}}}],
    "probes": {"tip": {"object": "bar", "select": {"box": {"min": [0.4, 0, 0], "max": [0.4, 0.1, 0.1]}}}},
}
PLAN = {
    "dataset": 1,
    "name": "bars",
    "scene": SCENE,
    "samples": 25,
    "shard": 10,
    "fields": ["reactions", "probes"],
    "parameters": {"weight": {"path": "gravity.1", "range": [-10, 10]}, "side": {"path": "gravity.2", "range": [-5, 5]}},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data") / "bars"
    outcome = sinew.make_dataset(PLAN, folder)
    assert outcome.complete and outcome.made == 25 and outcome.failed == 0
    return folder


def test_same_bits_as_the_command_line(folder, tmp_path, program):
    (tmp_path / "plan.json").write_text(json.dumps(PLAN))
    subprocess.run([program, "dataset", "plan.json", "-o", "out"], cwd=tmp_path, check=True, capture_output=True)
    ours, theirs = sinew.verify_dataset(folder), sinew.verify_dataset(tmp_path / "out")
    assert ours.checksum == theirs.checksum
    assert ours.faults == [] and ours.residuals == 25 and ours.worst == 0


def test_it_is_verified_while_it_is_open(folder):
    data = sinew.Dataset(folder)
    first = data[0]["positions"]
    assert sinew.verify_dataset(folder).faults == []
    assert sinew.make_dataset(PLAN, folder).complete
    numpy.testing.assert_array_equal(data[0]["positions"], first)


def test_samples_and_batches(folder):
    data = sinew.Dataset(folder, fields=["positions", "reactions", "energy"])
    assert len(data) == 25 and data.parameter_names == ["weight", "side"] and data.probe_names == ["tip"]
    assert data.status == ["converged"] * 25
    numpy.testing.assert_array_equal(data.parameters, sinew.dataset_parameters(PLAN))
    assert data.tets.max() < len(data.rest_positions)
    sample = data[12]
    assert sample["positions"].shape == data.rest_positions.shape
    # Another way to the same numbers.
    simulation = sinew.Simulation(SCENE, overrides={"gravity": [0, sample["parameters"][0], sample["parameters"][1]],
                                                    "solver": {"type": "newton"}, "time.frame_dt": 1})
    simulation.step()
    assert abs(simulation.positions - sample["positions"]).max() < 1e-4
    numpy.testing.assert_array_equal(data[[12, 3, 12]]["positions"][2], sample["positions"])
    numpy.testing.assert_array_equal(data[-1]["positions"], data[24]["positions"])
    numpy.testing.assert_array_equal(data[5:15]["energy"], data.read("energy")[5:15])
    numpy.testing.assert_array_equal(data.read("probes").shape, (25, 1, 3))

    seen = [batch["parameters"] for batch in data.batches(10, shuffle=True, seed=3)]
    assert [len(part) for part in seen] == [10, 10, 5]
    seen = numpy.concatenate(seen)
    assert not numpy.array_equal(seen, data.parameters)
    numpy.testing.assert_array_equal(seen[numpy.lexsort(seen.T)], data.parameters[numpy.lexsort(data.parameters.T)])

    train, test = data.split(0.8, seed=1)
    assert len(train) == 20 and len(test) == 5 and not set(train.numbers) & set(test.numbers)
    again = pickle.loads(pickle.dumps(test))
    numpy.testing.assert_array_equal(again[2]["positions"], test[2]["positions"])


def test_nothing_keeps_its_shape(folder):
    data = sinew.Dataset(folder, fields=["positions", "status"])
    vertices = len(data.rest_positions)
    for none in (data[:0], data[[]], data[numpy.zeros(len(data), bool)]):
        assert none["positions"].shape == (0, vertices, 3)
        assert none["status"].dtype == numpy.int32 and none["parameters"].shape == (0, 2)
    for none in (data[()], data[range(0)], data[numpy.array([])], data[[False] * len(data)], data[len(data) :]):
        assert none["positions"].shape == (0, vertices, 3) and none["parameters"].shape == (0, 2)
    few, _ = data.split(0.01)
    assert few.read("reactions").shape == (0, vertices, 3) and few.parameters.shape == (0, 2)
    assert few.numbers.shape == (0,) and few.status == [] and list(few.batches(2)) == []
    for wrong in (None, True, 1.5, "positions", [[0, 1], [2, 3]], [[]], [1.0], ...):
        with pytest.raises(sinew.Error, match="index"):
            data[wrong]
    with pytest.raises(IndexError):
        data[25]
    assert len(next(data.batches(numpy.int64(4)))["positions"]) == 4


def test_failed_samples_are_left_out_or_told_of(tmp_path):
    plan = {**PLAN, "samples": 4, "attempts": 1, "fallback": "none", "set": ["solver.iterations=1"]}
    assert sinew.make_dataset(plan, tmp_path / "d").failed == 4
    assert len(sinew.Dataset(tmp_path / "d")) == 0
    all_of_them = sinew.Dataset(tmp_path / "d", failed=True)
    assert all_of_them.status == ["unconverged"] * 4
    assert b"budget" in all_of_them.read("reason")[0]


def test_a_checksum_is_of_all_samples(folder, tmp_path):
    copy = shutil.copytree(folder, tmp_path / "d")
    assert len(sinew.verify_dataset(copy, residuals=False).checksum) == 16
    (copy / "shards" / "0001.h5").unlink()
    verdict = sinew.verify_dataset(copy, residuals=False)
    assert verdict.checksum is None and "0001.h5: is missing" in verdict.faults[0]


def test_other_lanes(folder, tmp_path):
    def lanes_of(made):
        return json.loads((made / "origin.json").read_text())["lanes"]

    usual = lanes_of(folder)
    other = 4 if usual == 1 else 1
    plan = {**PLAN, "samples": 2}
    begun = tmp_path / "d"
    assert sinew.make_dataset(plan, begun, lanes=other).complete and lanes_of(begun) == other
    (begun / "shards" / "0000.h5").unlink()
    with pytest.raises(sinew.Error, match=f"begun with {other} lanes") as raised:
        sinew.make_dataset(plan, begun)
    assert raised.value.remedy == f"use lanes {other}"
    assert sinew.make_dataset(plan, begun, lanes=other).made == 2
    sinew.make_dataset(plan, tmp_path / "after")
    assert lanes_of(tmp_path / "after") == usual
    with pytest.raises(sinew.Error) as raised:
        sinew.make_dataset(plan, begun, lanes=3)
    assert raised.value.where == "lanes" and raised.value.remedy


def test_plans_of_any_mapping(folder):
    numpy.testing.assert_array_equal(sinew.dataset_parameters(MappingProxyType(PLAN)), sinew.Dataset(folder).parameters)


def test_lost_and_damaged_files_have_a_remedy(folder, tmp_path):
    copy = shutil.copytree(folder, tmp_path / "d")
    for bad in (None, "{"):
        (copy / "plan.json").unlink()
        if bad:
            (copy / "plan.json").write_text(bad)
        for read in (sinew.Dataset, sinew.verify_dataset):
            with pytest.raises(sinew.Error, match="plan.json") as raised:
                read(copy)
            assert f"`sinew dataset PLAN.json -o {copy}` restores it" in raised.value.remedy
        assert sinew.make_dataset(PLAN, copy).made == 0
        assert len(sinew.Dataset(copy)) == 25
    (copy / "mesh.h5").write_bytes((copy / "mesh.h5").read_bytes()[:100])
    with pytest.raises(sinew.Error, match="mesh.h5") as raised:
        sinew.Dataset(copy)
    assert "verify" in raised.value.remedy


def test_copies_beside_the_shards_are_none(folder, tmp_path):
    copy = shutil.copytree(folder, tmp_path / "d")
    for name in ("0001_backup.h5", "0003.h5", "9999.h5", "00001.h5", "10000.h5", "1.h5", "0001.h5.old"):
        shutil.copy(copy / "shards" / "0001.h5", copy / "shards" / name)
    (copy / "shards" / "0002.h5").unlink()
    data = sinew.Dataset(copy)
    assert list(data.numbers) == list(range(20))
    # Another shard in the place of one.
    shutil.copy(copy / "shards" / "0000.h5", copy / "shards" / "0002.h5")
    with pytest.raises(sinew.Error, match="0002.h5: has other samples than those from 20 to 24") as raised:
        sinew.Dataset(copy)
    assert "`sinew dataset resume" in raised.value.remedy
    (copy / "shards" / "0002.h5").unlink()
    assert sinew.make_dataset(PLAN, copy).made == 5


def test_more_shards_than_files_can_be_open(tmp_path):
    plan = {**PLAN, "samples": 150, "shard": 1, "fields": []}
    sinew.make_dataset(plan, tmp_path / "d")
    data = sinew.Dataset(tmp_path / "d", fields=["positions", "energy"])
    before = len(os.listdir("/proc/self/fd"))
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before + 140, limits[1]))
    try:
        all_of_them = data[:]
        parts = [*data.split(0.5), *data.split(0.5, seed=1)]
        for part in parts:
            numpy.testing.assert_array_equal(part.read("energy"), all_of_them["energy"][part.numbers])
        assert len(os.listdir("/proc/self/fd")) - before <= 64

        # Threads read while others open and close.
        def read(k):
            rows = numpy.random.default_rng(k).permutation(150)
            return all(numpy.array_equal(data[int(r)]["positions"], all_of_them["positions"][r]) for r in rows)

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            assert list(pool.map(read, range(4))) == [True] * 4
        with multiprocessing.get_context("fork").Pool(1) as pool:
            numpy.testing.assert_array_equal(pool.apply(data.read, ("energy",)), all_of_them["energy"])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_shards_are_in_the_order_of_their_numbers(folder, tmp_path):
    """From 10,000 on, their names are longer."""
    import h5py

    copy = shutil.copytree(folder, tmp_path / "d")
    plan = json.loads((copy / "plan.json").read_text())
    (copy / "plan.json").write_text(json.dumps({**plan, "samples": 100200}))
    for number in (9999, 10000, 10001):
        shutil.copy(copy / "shards" / "0000.h5", copy / "shards" / f"{number}.h5")
        with h5py.File(copy / "shards" / f"{number}.h5", "r+") as shard:
            shard["sample"][:] += 10 * number
    (copy / "shards" / "0002.h5").unlink()
    data = sinew.Dataset(copy)
    assert list(data.numbers) == [*range(20), *range(99990, 100020)]


def test_a_damaged_chunk_is_named(folder, tmp_path):
    import h5py

    copy = shutil.copytree(folder, tmp_path / "d")
    path = copy / "shards" / "0001.h5"
    with h5py.File(path, "r") as shard:
        chunk = shard["positions"].id.get_chunk_info(0)
    with open(path, "r+b") as file:
        file.seek(chunk.byte_offset)
        file.write(b"\xff" * chunk.size)
    data = sinew.Dataset(copy)
    assert len(data[:10]["positions"]) == 10
    for read in (lambda: data[10], lambda: data.read("positions"), lambda: list(data.batches(25))):
        with pytest.raises(sinew.Error) as raised:
            read()
        assert raised.value.where == str(path) and "`sinew dataset verify`" in raised.value.remedy
    other = shutil.copytree(folder, tmp_path / "other")
    with h5py.File(other / "shards" / "0001.h5", "r+") as shard:
        del shard["status"]
    with pytest.raises(sinew.Error, match="0001.h5: cannot be read"):
        sinew.Dataset(other)


@pytest.fixture
def stand_in_for_torch(monkeypatch):
    """What Dataset.torch needs of PyTorch, where that is not installed."""
    torch, utils, data = (types.ModuleType(name) for name in ("torch", "torch.utils", "torch.utils.data"))
    torch.utils, utils.data, data.Dataset = utils, data, type("Dataset", (), {})
    torch.float32, torch.as_tensor = numpy.float32, lambda array, dtype: array.astype(dtype)
    for module in (torch, utils, data):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.delitem(sys.modules, "sinew._torch", raising=False)
    yield
    sys.modules.pop("sinew._torch", None)


def test_torch_goes_to_other_processes(folder, stand_in_for_torch):
    samples = sinew.Dataset(folder, fields=["positions", "status"]).torch()
    again = pickle.loads(pickle.dumps(samples))
    assert type(again) is type(samples) and len(again) == 25
    assert again[3]["positions"].dtype == numpy.float32
    numpy.testing.assert_array_equal(again[3]["positions"], samples[3]["positions"])
    with pytest.raises(sinew.Error, match='fields = "reason": is text') as raised:
        sinew.Dataset(folder, fields=["positions", "reason"]).torch()
    assert 'read("reason")' in raised.value.remedy


def test_torch(folder):
    torch = pytest.importorskip("torch")
    loader = torch.utils.data.DataLoader(sinew.Dataset(folder).torch(), batch_size=5)
    assert next(iter(loader))["positions"].shape[0] == 5


def test_errors(folder, tmp_path):
    with pytest.raises(sinew.Error, match="holds no data set"):
        sinew.Dataset(tmp_path)
    with pytest.raises(sinew.Error, match="it has .*positions"):
        sinew.Dataset(folder, fields=["position"])
    with pytest.raises(sinew.Error, match="whole number"):
        next(sinew.Dataset(folder).batches(0))
    with pytest.raises(sinew.Error, match="samples"):
        sinew.make_dataset({**PLAN, "samples": 0}, tmp_path / "d")
    with pytest.raises(sinew.Error, match="another plan"):
        sinew.make_dataset({**PLAN, "seed": 9}, folder)
    with pytest.raises(sinew.Error, match="workers"):
        sinew.make_dataset(PLAN, tmp_path / "d", workers=-1)
    with pytest.raises(sinew.Error, match="plan"):
        sinew.make_dataset(7, tmp_path / "d")
