// The shape of tets: dihedral angles, aspect, edge lengths.
//   dihedral angle   between two faces, at each of the six edges; 70.53 degrees in a regular tet
//   aspect           h / (2 sqrt(6) r), h the longest edge and r the radius of the inscribed sphere: 1 for a regular
//                    tet, infinite for a flat one (C. Stimpson et al., The Verdict Geometric Quality Library,
//                    SAND2007-1751, "tetrahedral aspect ratio")
#pragma once

#include <array>
#include <cstdint>

#include "mesh/tet_mesh.h"
#include "sinew/mesh_info.h"

namespace sinew {

// Angles and aspect are accurate to rounding for tets of any size whose edges fit into a double, else NaN. Volumes
// beyond 1.8e308 m^3 are infinite.
struct TetShape {
  double volume = 0;               // [m^3], negative where the tet is turned inside out
  std::array<double, 6> angles{};  // [degrees], at the edges 01, 02, 03, 12, 13, 23
  double smallest_angle = 0;       // [degrees]
  double largest_angle = 0;        // [degrees]
  double aspect = 0;
  double shortest_edge = 0;  // [m]
  double longest_edge = 0;   // [m]
};
TetShape tet_shape(Vec3d x0, Vec3d x1, Vec3d x2, Vec3d x3);

MeshQuality mesh_quality(const TetMesh& mesh);

}  // namespace sinew
