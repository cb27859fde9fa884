// Sharp edges and corners for a mesh that isosurface stuffing has made: without, it cuts them off by up to half a cell.
// Each corner gets the nearest vertex of the surface that may go there. Then, where an edge of the boundary leaves the
// surface (it bridges a sharp edge), one of its ends moves to the nearest point of the sharp edge; until none is left
// that can. (C. Doran, "Isosurface stuffing improved: acute lattices and feature matching", 2013, snaps vertices
// likewise.)
// Of a box that lies across the lattice some 2 % of the edges stay cut off, of one that lies along it none.
// A vertex moves only where all angles of the tets around it stay within bounds, and none is inverted. Smoothing
// (smoothing.h) leaves sharp edges alone and makes up for most of what the angles lose.
#pragma once

#include <cstdint>

#include "exec/thread_pool.h"
#include "mesh/tet_mesh.h"
#include "meshing/distance_field.h"
#include "meshing/sharp_edges.h"

namespace sinew {

struct SnappingOptions {
  double cell = 0;             // [m], of the mesh: no vertex moves farther
  double smallest_angle = 5;   // [degrees]
  double largest_angle = 170;  // [degrees]
};

struct SnappingReport {
  int64_t moved = 0;
  int64_t corners_missed = 0;  // that no vertex could go to
  int64_t edges_missed = 0;    // of the boundary that still bridge a sharp edge
};

// The field is that of the surface. In the order of the mesh: the same bits for any number of threads.
SnappingReport snap(TetMesh& mesh, const DistanceField& field, const SharpFeatures& features,
                    const SnappingOptions& options, ThreadPool& pool);

}  // namespace sinew
