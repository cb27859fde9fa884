#include "meshing/touching_edges.h"

#include <gtest/gtest.h>

#include "mesh/quality.h"
#include "mesh/topology.h"

namespace sinew {
namespace {

// Two tets with the edge 0-1 in common, one's opposite edge at a distance of 1, the other's of 2.
TetMesh two_wedges() {
  TetMesh mesh;
  mesh.vertices = {{0, 0, -0.5}, {0, 0, 0.5}, {1, -0.5, 0}, {1, 0.5, 0}, {-2, 0.5, 0}, {-2, -0.5, 0}};
  mesh.tets = {{0, 1, 2, 3}, {0, 1, 4, 5}};
  return mesh;
}

SurfaceTopology surface_of(const TetMesh& mesh) {
  return surface_topology(extract_boundary(mesh).triangles, mesh.vertices.size());
}

TEST(TouchingEdges, HalvesTheWedgeWithTheBetterHalves) {
  TetMesh mesh = two_wedges();
  ASSERT_EQ(surface_of(mesh).non_manifold_edges, 1);
  const MeshQuality before = mesh_quality(mesh);
  const Parting parting = part_touching_edges(mesh, {{0, 1}}, angle_bounds(10, 165));
  EXPECT_EQ(parting.halved, 1);
  EXPECT_EQ(parting.pinched, 0);
  ASSERT_EQ(mesh.tets.size(), 3u);
  EXPECT_EQ(mesh.tets[1], (Tet{0, 1, 4, 5}));
  const MeshQuality after = mesh_quality(mesh);
  EXPECT_EQ(after.inverted_tets, 0);
  EXPECT_NEAR(after.volume, before.volume, 1e-15);
  EXPECT_TRUE(surface_of(mesh).watertight());
}

TEST(TouchingEdges, KeepsWhatHasNoGoodHalves) {
  const TetMesh before = two_wedges();
  const double best = [&] {
    TetMesh mesh = before;
    part_touching_edges(mesh, {{0, 1}}, angle_bounds(0, 180));
    return mesh_quality(mesh).worst_small_angle;
  }();
  TetMesh mesh = before;
  const Parting parting = part_touching_edges(mesh, {{0, 1}}, angle_bounds(best + 0.01, 180));
  EXPECT_EQ(parting.halved, 0);
  EXPECT_EQ(parting.pinched, 1);
  EXPECT_EQ(mesh.tets, before.tets);
  EXPECT_EQ(mesh.vertices.size(), before.vertices.size());
  EXPECT_EQ(part_touching_edges(mesh, {{0, 1}}, angle_bounds(best - 0.01, 180)).halved, 1);
}

}  // namespace
}  // namespace sinew
