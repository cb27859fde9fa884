// Isosurface stuffing: tets of even size and good shape that fill a solid (F. Labelle, J. R. Shewchuk, "Isosurface
// Stuffing: Fast Tetrahedral Meshes with Good Dihedral Angles", SIGGRAPH 2007).
//   1. the field is sampled at the points of a body-centred cubic lattice                       lattice.h
//   2. cut points are found on the edges whose ends differ; points near one move onto it         cut_points.h
//   3. each lattice tet with a corner inside is filled by a stencil                               stencil.h
//   4. where asked for, tets grow away from the surface                                           octants.h
// All dihedral angles are within [10.78, 164.74] degrees, whatever the solid. Every vertex of the boundary is on the
// surface, up to a thousandth of a cell. Parts thinner than a cell may be missed between lattice points, or break into
// crumbs (pieces.h); the report tells of what is missed altogether.
//
// The boundary is closed, and each of its edges has two faces. Where two sheets of the solid would touch at a vertex or
// an edge only, both get vertices of their own (at the same place); where they also hang together elsewhere around
// such an edge, it is halved for one of them, or keeps four faces where no half would have angles within the bounds
// (`halved_edges` and `pinched_edges` in the report; none for smooth solids at a fine cell). Two holes may touch at a
// vertex: there the boundary, not the solid, is pinched.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "exec/thread_pool.h"
#include "mesh/tet_mesh.h"
#include "meshing/distance_field.h"

namespace sinew {

inline constexpr double smallest_angle = 10.78, largest_angle = 164.74;  // [degrees]

struct StuffingOptions {
  double cell = 0;                 // [m], the lattice constant; a tet's edges are 0.87 and 1 of it
  int coarsest = 0;                // inner tets grow to 2^coarsest of that, 0 to 3; those at the surface stay
  int64_t max_tets = 100'000'000;  // more are refused before memory is taken for them
  // The word for max_tets in messages: so many "are allowed", or "fit into memory".
  std::string limit = "are allowed";
};

struct StuffingReport {
  int64_t touching_vertices = 0;                // that were given to several sheets
  int64_t halved_edges = 0, pinched_edges = 0;  // where sheets touch, see above
  std::vector<Vec3d> missed;  // a point [m] near each part of the solid that is far from all of the mesh
};

// The lattice is centred in field.bounds(). Vertices and tets lie block by block along a space-filling curve. The same
// bits for any number of threads. Errors: a cell that is not positive, too large for any lattice point to be
// inside (with one that is not), or too small for max_tets or for the digits of coordinates far from the origin; a
// field that is not finite or whose bounds are not.
Result<TetMesh> stuff(const DistanceField& field, const StuffingOptions& options, ThreadPool& pool,
                      const ProgressListener& listener = {}, StuffingReport* report = nullptr);

// How many tets that makes, but for touching edges that are halved; without making them. 0 where no lattice point is
// inside; options.max_tets limits the memory for the lattice only.
Result<int64_t> count_tets(const DistanceField& field, const StuffingOptions& options, ThreadPool& pool,
                           const ProgressListener& listener = {});

}  // namespace sinew
