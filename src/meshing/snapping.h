// Restores sharp edges and corners in a mesh by isosurface stuffing, which cuts them off by up to half a cell. Each
// corner gets the nearest vertex of the surface that may move there. Then, for each boundary edge that leaves the
// surface (it bridges a sharp edge), one of its ends moves to the nearest point of the sharp edge, until no more can.
// (C. Doran, "Isosurface stuffing improved: acute lattices and feature matching", 2013, snaps vertices likewise.)
// For a box at an angle to the lattice about 2 % of the edges remain cut off, for an aligned box none.
// A vertex moves only if all angles of the tets around it stay within bounds and none is inverted. Smoothing
// (smoothing.h) keeps sharp edges and recovers most of the loss in angles.
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
  int64_t corners_missed = 0;  // to which no vertex could move
  int64_t edges_missed = 0;    // boundary edges that still bridge a sharp edge
};

// `field` must be that of the surface. Works in the order of the mesh: bit-identical for any number of threads.
SnappingReport snap(TetMesh& mesh, const DistanceField& field, const SharpFeatures& features,
                    const SnappingOptions& options, ThreadPool& pool);

}  // namespace sinew
