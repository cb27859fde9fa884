// Isosurface stuffing: fills a solid with tets of uniform size and good shape (F. Labelle, J. R. Shewchuk, "Isosurface
// Stuffing: Fast Tetrahedral Meshes with Good Dihedral Angles", SIGGRAPH 2007).
//   1. the field is sampled at the points of a body-centred cubic lattice                          lattice.h
//   2. cut points are found on the edges whose ends differ; points near a cut point move onto it   cut_points.h
//   3. each lattice tet with a corner inside is filled by a stencil                                stencil.h
//   4. optionally, tets grow away from the surface                                                 octants.h
// All dihedral angles are within [10.78, 164.74] degrees, for any solid. Every vertex of the boundary is on the
// surface, up to a thousandth of a cell. Parts thinner than a cell may be missed between lattice points, or break into
// crumbs (pieces.h); the report lists parts that are missed entirely.
//
// The boundary is closed, and each of its edges has two faces. Where two sheets of the solid would only touch at a
// vertex or an edge, each gets its own vertices (at the same place); if they are also connected elsewhere around such
// an edge, it is halved for one of them, or keeps four faces if no half would have angles within the bounds
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
  double cell = 0;                 // [m], the lattice constant; a tet's edges are 0.87 and 1 x this
  int coarsest = 0;                // inner tets grow to 2^coarsest x this, 0 to 3; those at the surface do not
  int64_t max_tets = 100'000'000;  // more are rejected before allocating memory
  // The phrase after max_tets in messages: N tets "are allowed", or "fit into memory".
  std::string limit = "are allowed";
};

struct StuffingReport {
  int64_t touching_vertices = 0;                // vertices duplicated for several sheets
  int64_t halved_edges = 0, pinched_edges = 0;  // where sheets touch, see above
  std::vector<Vec3d> missed;                    // a point [m] near each part of the solid that is far from the mesh
};

// The lattice is centred in field.bounds(). Vertices and tets are stored block by block along a space-filling curve.
// Bit-identical for any number of threads. Errors: a cell size that is not positive, too large for any lattice point to
// be inside (with one that is not), or too small for max_tets or for the precision of coordinates far from the origin;
// a field or bounds that are not finite.
Result<TetMesh> stuff(const DistanceField& field, const StuffingOptions& options, ThreadPool& pool,
                      const ProgressListener& listener = {}, StuffingReport* report = nullptr);

// The number of tets, without making them and without those of halved touching edges. 0 if no lattice point is inside;
// options.max_tets limits only the memory for the lattice.
Result<int64_t> count_tets(const DistanceField& field, const StuffingOptions& options, ThreadPool& pool,
                           const ProgressListener& listener = {});

}  // namespace sinew
