// A closed surface of triangles as a collider of a grid: inside is where its winding number says so, also where the
// surface crosses itself, and the way out is to its closest point.
#pragma once

#include <vector>

#include "exec/thread_pool.h"
#include "grid/grid_shape.h"
#include "mesh/tet_mesh.h"
#include "mesh/triangle_tree.h"
#include "mesh/winding_number.h"

namespace sinew {

class SolidMesh final : public GridShape {
 public:
  // Closed, without triangles that have no area. One that faces inwards, so that it encloses a negative volume, is
  // solid outside.
  SolidMesh(const SurfaceMesh& surface, ThreadPool& pool);
  SolidMesh(const SolidMesh&) = delete;
  SolidMesh& operator=(const SolidMesh&) = delete;
  std::optional<Bounds> bounds() const override;
  WaysOut at(Vec3d x, double margin) const override;

 private:
  Vec3d normal(const TriangleTree::Closest& closest) const;

  TriangleTree tree_;
  WindingNumber winding_;
  Bounds box_;
  double outside_ = 0;  // the winding number that has to be added so that solid is 1
  // Weighted by angles (Baerentzen & Aanaes 2005), of any length: of corners by vertex, of triangles and of their
  // edges, each opposite a corner.
  std::vector<Triangle> triangles_;
  std::vector<Vec3d> of_vertex_, of_triangle_;
  std::vector<std::array<Vec3d, 3>> of_edge_;
};

}  // namespace sinew
