"""Pictures for docs/meshing.md: meshes cut open, rendered by `sinew render`, on contact sheets; histograms of angles."""

import json
import os
import shutil
import subprocess

import numpy as np

import mesh_judge as judge

LOOK = np.array([-0.6, -0.4, -1.0])  # where the camera looks
COLOR = {"shape": [0.35, 0.62, 0.85], "closed": [0.80, 0.55, 0.35], "broken": [0.55, 0.70, 0.40]}


def cut_open(points, tets, side):
    """Without the eighth of the box, or the part, that lies towards the camera: `side` says along which axes."""
    centre = (points.max(axis=0) + points.min(axis=0)) / 2
    middle = points[tets].mean(axis=1)
    away = np.all(middle[:, side] > centre[side], axis=1)
    return judge.compact(points, tets[~away])


def picture(program, mesh, color, folder, side=(0, 2), width=360, height=360, samples=24, wireframe=True):
    """A PNG of one mesh, a metre tall or long."""
    points, tets = judge.read_tets(mesh)
    low, high = points.min(axis=0), points.max(axis=0)
    points = (points - (low + high) / 2) / (high - low).max()
    if len(side):
        points, tets = cut_open(points, tets, list(side))
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    judge.write_tets(os.path.join(folder, "body.mesh"), points, tets)
    scene = {"sinew": 1, "gravity": [0, 0, 0], "materials": {"clay": {}}, "time": {"fps": 1, "duration": 1},
             "objects": {"body": {"mesh": {"file": "body.mesh"}, "material": "clay", "color": color}},
             "solver": {"type": "vbd", "iterations": 1}, "output": {"vtu": "none", "surface_caches": []},
             "render": {"width": width, "height": height, "samples": samples, "wireframe": wireframe, "ground": False,
                        "camera": {"direction": list(LOOK), "vertical_fov_degrees": 22}}}
    path = os.path.join(folder, "scene.json")
    with open(path, "w") as file:
        json.dump(scene, file)
    out = os.path.join(folder, "out")
    for command in (["run", path, "-o", out, "--frames", "1", "--overwrite"], ["render", out, "--frame", "0"]):
        done = subprocess.run([program, *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            raise SystemExit("bench/mesh_pictures.py: sinew %s: %s" % (command[0], done.stdout[-400:]))
    stills = os.path.join(out, "stills")
    return os.path.join(stills, sorted(os.listdir(stills))[0])
