// Chains and grids: points with masses and springs between them, from the few numbers in a scene.
#pragma once

#include <vector>

#include "mesh/tet_mesh.h"
#include "sinew/scene.h"

namespace sinew {

struct SpringMesh {
  struct Spring {
    int32_t a, b;
    double stiffness;  // [N/m]
  };
  std::vector<Vec3d> points;        // [m]
  std::vector<double> masses;       // [kg]
  std::vector<Spring> springs;      // at rest at the distance of their points
  double damping = 0;               // [s] of all springs
  std::vector<Triangle> triangles;  // of a grid, two per cell, seen from +z; of a chain none
};

// The springs of a mesh that consists of springs.
SpringMesh make_springs(const SceneMesh& mesh);

// Their numbers, even if there are too many to be made; 0 for other meshes.
double point_count(const SceneMesh& mesh);
double spring_count(const SceneMesh& mesh);

}  // namespace sinew
