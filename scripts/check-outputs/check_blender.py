"""Plays a run's point caches on its OBJ surfaces in Blender and compares every frame with surface/*.bin.

usage: blender --background --factory-startup --python-exit-code 1 --python check_blender.py -- OUT
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import bpy
import numpy

from recorded_run import Run, expect


def import_obj(path):
    bpy.ops.object.select_all(action="DESELECT")
    if hasattr(bpy.ops.wm, "obj_import"):
        # Vertex and face order are kept as in the file.
        bpy.ops.wm.obj_import(filepath=path, validate_meshes=False)
    else:
        bpy.ops.import_scene.obj(filepath=path, split_mode="OFF")
    expect(len(bpy.context.selected_objects) == 1, "%s did not become one object" % path)
    return bpy.context.selected_objects[0]


def coordinates(mesh):
    values = numpy.empty(3 * len(mesh.vertices), numpy.float32)
    mesh.vertices.foreach_get("co", values)
    return values.reshape(-1, 3)


def check(run, surface, suffix):
    thing = import_obj(os.path.join(run.folder, "surface", surface.file + ".obj"))
    expect(len(thing.data.vertices) == len(surface.rest), "%s.obj: number of vertices" % surface.file)
    rest = (surface.rest - run.origin()).astype(numpy.float32)
    expect((coordinates(thing.data) == rest).all(), "%s.obj: rest positions" % surface.file)
    triangles = numpy.array([list(p.vertices) for p in thing.data.polygons])
    expect((triangles == surface.triangles).all(), "%s.obj: triangles" % surface.file)

    cache = thing.modifiers.new("cache", "MESH_CACHE")
    cache.cache_format = suffix.upper()
    cache.filepath = os.path.abspath(os.path.join(run.folder, "surface", surface.file + "." + suffix))
    cache.interpolation = "NONE"
    cache.frame_start = 0
    for k, number in enumerate(run.frames):
        bpy.context.scene.frame_set(k)
        evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
        mesh = evaluated.to_mesh()
        expected = (run.points_of(surface, run.frame(number)[1]) - run.origin()).astype(numpy.float32)
        found = coordinates(mesh)
        # Blender mixes the cached position with factor 1, which may cost the last digit.
        error = numpy.abs(found - expected).max() / max(1.0, float(numpy.abs(expected).max()))
        expect(error <= 1.2e-7, "%s.%s: frame %d differs by %g" % (surface.file, suffix, number, error))
        evaluated.to_mesh_clear()
    bpy.data.objects.remove(thing)


def main(folder):
    run = Run(folder)
    caches = 0
    for surface in run.surfaces:
        for suffix in ("pc2", "mdd"):
            path = os.path.join(folder, "surface", surface.file + "." + suffix)
            if not os.path.exists(path):
                continue
            with open(path, "rb") as file:
                head = file.read(32)
            frames = int.from_bytes(head[28:32], "little") if suffix == "pc2" else int.from_bytes(head[0:4], "big")
            expect(frames == len(run.frames), "%s holds %d of %d frames" % (path, frames, len(run.frames)))
            check(run, surface, suffix)
            caches += 1
    expect(caches > 0, "no point caches in %s" % folder)
    print("ok blender: %d caches of %d objects, %d frames" % (caches, len(run.surfaces), len(run.frames)))


main(sys.argv[sys.argv.index("--") + 1])
