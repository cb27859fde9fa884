"""Opens a run's frames.pvd in ParaView and compares every frame with surface/*.bin.

usage: pvpython check_paraview.py OUT
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import numpy
from paraview.simple import PVDReader
from paraview import servermanager
from vtkmodules.util.numpy_support import vtk_to_numpy

from recorded_run import Run, expect


def main(folder):
    run = Run(folder)
    reader = PVDReader(FileName=os.path.join(os.path.abspath(folder), "frames.pvd"))
    reader.UpdatePipelineInformation()
    times = list(reader.TimestepValues) if hasattr(reader.TimestepValues, "__len__") else [reader.TimestepValues]
    expect(len(times) == len(run.frames), "%d times, %d frames" % (len(times), len(run.frames)))

    vertices = sum(o["vertices"] for o in run.info["objects"])
    tets = sum(o["tets"] for o in run.info["objects"])
    surface_points = sum(len(s.rest) for s in run.surfaces)
    triangles = sum(len(s.triangles) for s in run.surfaces)
    # Points of skins are not points of the volume.
    of_volume = numpy.concatenate([s.vertices for s in run.surfaces])
    in_volume = numpy.concatenate([numpy.full(len(s.rest), len(s.vertices) > 0) for s in run.surfaces])
    rest = numpy.concatenate([s.rest for s in run.surfaces])
    size = max(1.0, float(numpy.abs(rest).max()))

    for number, listed in zip(run.frames, times):
        time, expected = run.frame(number)
        expect(time == listed, "frame %d: time %r, frames.pvd says %r" % (number, time, listed))
        reader.UpdatePipeline(listed)
        grid = servermanager.Fetch(reader)
        counts = (grid.GetNumberOfPoints(), grid.GetNumberOfCells())
        volume = counts == (vertices, tets)
        expect(volume or counts == (surface_points, triangles), "frame %d: %d points and %d cells" % ((number,) + counts))
        select = of_volume if volume else slice(None)
        known = in_volume if volume else slice(None)

        points = vtk_to_numpy(grid.GetPoints().GetData())[select]
        expect(points.dtype == expected.dtype, "points are of %s, the run is of %s" % (points.dtype, expected.dtype))
        expect((points == expected[known]).all(), "frame %d: positions differ" % number)
        arrays = {}
        for data in (grid.GetPointData(), grid.GetCellData()):
            for k in range(data.GetNumberOfArrays()):
                arrays[data.GetArrayName(k)] = vtk_to_numpy(data.GetArray(k))
        for name in ["displacement [m]", "velocity [m/s]", "object", "material", "strain"] + (["det_F"] if volume else []):
            expect(name in arrays, "frame %d has no %s, only %s" % (number, name, sorted(arrays)))
            expect(numpy.isfinite(arrays[name]).all(), "frame %d: %s is not finite" % (number, name))
        # Both were rounded, to single precision or better: 2 x 6e-8 of the largest coordinate.
        error = numpy.abs(arrays["displacement [m]"][select] - (expected - rest)[known]).max(initial=0)
        scale = max(size, float(numpy.abs(expected).max()))
        expect(error <= 1.2e-7 * scale, "frame %d: displacements differ by %g" % (number, error))
        if volume:
            cell = grid.GetCell(tets - 1)
            expect(cell.GetNumberOfPoints() == 4, "the last cell is not a tetrahedron")
            expect(set(arrays["object"]) <= set(range(len(run.surfaces))), "unknown objects")
    print("ok paraview: %d frames of %d points and %d cells, %g s to %g s" % ((len(times),) + counts + (times[0], times[-1])))


main(sys.argv[1])
