"""Pictures for docs/meshing.md: meshes cut open, rendered by `sinew render`, on contact sheets; histograms of angles."""

import json
import os
import shutil
import subprocess

import numpy as np

import mesh_judge as judge

LOOK = np.array([-0.6, -0.45, -1.0]) / np.linalg.norm([-0.6, -0.45, -1.0])  # where the camera looks
FIELD = 20  # [degrees] of view, upwards
CROP = 30  # [px] above and below, where a picture shows the time
COLOR = {"shape": [0.35, 0.62, 0.85], "closed": [0.80, 0.55, 0.35], "broken": [0.55, 0.70, 0.40]}


def cut_open(points, tets):
    """Without the tets whose middle lies in the quarter x, z > 0."""
    middle = points[tets].mean(axis=1)
    return judge.compact(points, tets[(middle[:, 0] <= 0) | (middle[:, 2] <= 0)])


# The axes of a surface's file that point right, up and to the viewer, if not x, y and z.
TURNED = {"man": ("x", "z", "-y"), "armadillo": ("-x", "y", "-z"), "dino": ("x", "z", "-y"), "hand": ("x", "z", "-y"),
          "helmet": ("z", "y", "-x"), "mannequin-devil": ("x", "z", "-y"), "pig": ("-x", "z", "y"),
          "hand, torn": ("x", "z", "-y")}


def turned(points, axes):
    """By names such as "x", "-z", "y"."""
    if axes is None:
        return points
    return np.stack([points[:, "xyz".index(axis[-1])] * (-1 if axis[0] == "-" else 1) for axis in axes], axis=1)


def picture(program, mesh, color, folder, axes=None, tile=240, samples=24, cut=True):
    """A PNG of one mesh, whole or without the quarter towards the camera; as wide as `tile`, and higher by 2 CROP."""
    points, tets = judge.read_tets(mesh)
    points = turned(points, axes)
    points = points - (points.min(axis=0) + points.max(axis=0)) / 2
    points = points / np.linalg.norm(points, axis=1).max()
    if cut:
        points, tets = cut_open(points, tets)
    # Fits a ball of radius 1 into the cropped picture.
    height = tile + 2 * CROP
    half = np.arctan(np.tan(np.radians(FIELD / 2)) * tile / height)
    eye = -LOOK * 1.04 / np.sin(half)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    judge.write_tets(os.path.join(folder, "body.mesh"), points, tets)
    scene = {"sinew": 1, "gravity": [0, 0, 0], "materials": {"clay": {}}, "time": {"fps": 1, "duration": 1},
             "objects": {"body": {"mesh": {"file": "body.mesh"}, "material": "clay", "color": color}},
             "solver": {"type": "vbd", "iterations": 1}, "output": {"vtu": "none", "surface_caches": []},
             "render": {"width": tile, "height": height, "samples": samples, "wireframe": True, "ground": False,
                        "camera": {"eye": list(eye), "target": [0, 0, 0], "vertical_fov_degrees": FIELD}}}
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


def sheet(tiles, path, columns, tile):
    """Pictures with their names, side by side; few colours, for a small file."""
    from PIL import Image, ImageDraw, ImageFont
    try:
        font = ImageFont.truetype("DejaVuSans.ttf", 13)
    except OSError:
        font = ImageFont.load_default()
    rows = -(-len(tiles) // columns)
    page = Image.new("RGB", (columns * tile, rows * tile), "white")
    draw = ImageDraw.Draw(page)
    for number, (name, file) in enumerate(tiles):
        x, y = number % columns * tile, number // columns * tile
        picture_ = Image.open(file).convert("RGB")
        page.paste(picture_.crop((0, CROP, tile, CROP + tile)), (x, y))
        draw.text((x + 6, y + 4), name, fill=(40, 40, 40), font=font)
    page.quantize(96, dither=Image.Dither.NONE).save(path, optimize=True)


def histograms(angles, path):
    """Dihedral angles of all meshes of the same surfaces together, by mesher."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    both = {model for model, mesher in angles if mesher == "tetgen"} or {model for model, _ in angles}
    figure, axes = pyplot.subplots(figsize=(7, 2.8), layout="constrained")
    for mesher, label, color in (("stuffing", "sinew", "#3a7ebf"), ("tetgen", "TetGen", "#c8783c")):
        counts = [histogram / histogram.sum() for (model, which), histogram in angles.items()
                  if which == mesher and model in both]
        if counts:
            axes.stairs(100 * np.mean(counts, axis=0) / 2, np.arange(0, 181, 2), label=label, color=color, fill=mesher == "stuffing",
                        alpha=0.75 if mesher == "stuffing" else 1, linewidth=1.5)
    for bound in (10.7, 164.8):
        axes.axvline(bound, color="#888888", linestyle=":", linewidth=1)
    axes.set(xlim=(0, 180), xlabel="dihedral angle [°]", ylabel="share per degree [%]", xticks=range(0, 181, 20))
    axes.legend(frameon=False)
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def draw(campaign, program, folder, scratch, tile=240, columns=6):
    """Contact sheets by kind of model, and the histograms."""
    os.makedirs(folder, exist_ok=True)
    for kind in ("shape", "closed", "broken"):
        names = [row["model"] for row in campaign.rows if row["kind"] == kind and row["mesher"] == "stuffing" and "tets" in row]
        tiles = []
        for name in names:
            file = picture(program, campaign.path(name, ".mesh"), COLOR[kind], os.path.join(scratch, "picture"),
                           TURNED.get(name), tile, cut=kind == "shape")
            kept = os.path.join(scratch, "%s %d.png" % (kind, len(tiles)))
            shutil.copy(file, kept)
            tiles.append((name, kept))
        if tiles:
            sheet(tiles, os.path.join(folder, kind + ".png"), columns if len(tiles) > 10 else 5, tile)
    # Plain and growing inwards, cut open; without and with sharp edges.
    views = (("bear", "bear none"), ("--coarsest 2", "bear --coarsest 2"), ("fandisk", "fandisk"),
             ("--sharp-edges", "fandisk --sharp-edges"))
    tiles = []
    for name, mesh in views:
        if os.path.exists(campaign.path(mesh, ".mesh")):
            file = picture(program, campaign.path(mesh, ".mesh"), COLOR["closed"], os.path.join(scratch, "picture"),
                           tile=360, cut=mesh.startswith("bear"))
            kept = os.path.join(scratch, "inside %d.png" % len(tiles))
            shutil.copy(file, kept)
            tiles.append((name, kept))
    if tiles:
        sheet(tiles, os.path.join(folder, "inside.png"), 4, 360)
    if campaign.angles:
        histograms(campaign.angles, os.path.join(folder, "angles.png"))
