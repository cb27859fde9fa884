// Source: Euler's formula and counts by hand on boxes, balls, a ring, and tets that touch at a vertex.
#include "mesh/topology.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "mesh/generators.h"

namespace sinew {
namespace {

double enclosed_volume(const std::vector<Vec3d>& x, const std::vector<Triangle>& triangles) {
  double sum = 0;
  for (const Triangle& t : triangles) sum += dot(x[t[0]], cross(x[t[1]], x[t[2]])) / 6;
  return sum;
}

TEST(Boundary, OfOneTetIsItsFourFacesSeenFromOutside) {
  TetMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}, {}, {}};
  const Boundary boundary = extract_boundary(mesh);
  EXPECT_EQ(boundary.triangles.size(), 4u);
  EXPECT_EQ(boundary.tets, (std::vector<int32_t>{0, 0, 0, 0}));
  EXPECT_NEAR(enclosed_volume(mesh.vertices, boundary.triangles), 1.0 / 6, 1e-15);
}

TEST(Boundary, OfABoxHasTwoTrianglesPerCellFaceAndEnclosesIt) {
  for (const TetSplit split : {TetSplit::five, TetSplit::six}) {
    const TetMesh mesh =
        make_box({.cells = {4, 3, 2}, .size = {4, 3, 2}, .origin = {-7, 1, 2}, .split = split}).value();
    const Boundary boundary = extract_boundary(mesh);
    EXPECT_EQ(boundary.triangles.size(), 2u * 2 * (4 * 3 + 3 * 2 + 2 * 4));
    EXPECT_EQ(boundary.crowded_faces, 0);
    EXPECT_EQ(boundary.folded_faces, 0);
    EXPECT_NEAR(enclosed_volume(mesh.vertices, boundary.triangles), 24, 1e-12);
    for (size_t f = 0; f < boundary.triangles.size(); ++f)
      for (const int32_t v : boundary.triangles[f]) {
        const Tet& tet = mesh.tets[boundary.tets[f]];
        EXPECT_NE(std::find(tet.begin(), tet.end(), v), tet.end());
      }
  }
}

// Random tets, compared with a map of all faces; enough for four threads, with crowded vertices.
TEST(Boundary, IsThatOfAMapOfFacesForAnyNumberOfThreads) {
  std::mt19937 engine(1);
  TetMesh mesh;
  mesh.vertices.resize(8000);
  for (int k = 0; k < 70000; ++k) {
    const auto v = static_cast<int32_t>(k % 50 == 0 ? 0 : engine() % 7990);
    std::array<int32_t, 4> tet{v, v + 1, v + 2 + static_cast<int32_t>(engine() % 3), v + 5};
    if (engine() % 2) std::swap(tet[0], tet[3]);
    mesh.tets.push_back(tet);
  }
  std::map<std::array<int32_t, 3>, std::vector<std::pair<Triangle, int32_t>>> faces;
  for (int32_t t = 0; t < static_cast<int32_t>(mesh.tets.size()); ++t) {
    for (const auto& face : kTetFaces) {
      const Triangle triangle{mesh.tets[t][face[0]], mesh.tets[t][face[1]], mesh.tets[t][face[2]]};
      std::array<int32_t, 3> key = triangle;
      std::sort(key.begin(), key.end());
      faces[key].push_back({triangle, t});
    }
  }
  const auto turned_alike = [](Triangle a, Triangle b) {
    std::rotate(a.begin(), std::min_element(a.begin(), a.end()), a.end());
    std::rotate(b.begin(), std::min_element(b.begin(), b.end()), b.end());
    return a == b;
  };
  int64_t crowded = 0, folded = 0;
  std::set<std::pair<int32_t, Triangle>> outer;
  for (const auto& [key, at] : faces) {
    crowded += at.size() > 2;
    folded += at.size() == 2 && turned_alike(at[0].first, at[1].first);
    if (at.size() == 1) outer.insert({at[0].second, at[0].first});
  }
  EXPECT_GT(crowded, 100);
  EXPECT_GT(folded, 100);
  EXPECT_GT(outer.size(), 100u);
  const Boundary first = extract_boundary(mesh);
  for (const int threads : {1, 2, 3, 4}) {
    ThreadPool pool(threads);
    const Boundary boundary = extract_boundary(mesh, pool);
    EXPECT_EQ(boundary.faces, static_cast<int64_t>(faces.size()));
    EXPECT_EQ(boundary.crowded_faces, crowded);
    EXPECT_EQ(boundary.folded_faces, folded);
    EXPECT_EQ(boundary.triangles, first.triangles);
    EXPECT_EQ(boundary.tets, first.tets);
    EXPECT_TRUE(std::is_sorted(boundary.tets.begin(), boundary.tets.end()));
    std::set<std::pair<int32_t, Triangle>> found;
    for (size_t k = 0; k < boundary.tets.size(); ++k) found.insert({boundary.tets[k], boundary.triangles[k]});
    EXPECT_EQ(found, outer);
  }
}

TEST(Boundary, CountsFacesWhereTheMeshOverlapsItself) {
  TetMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 2}}, {{0, 1, 2, 3}, {0, 1, 2, 4}}, {}, {}};
  EXPECT_EQ(extract_boundary(mesh).folded_faces, 1);
  mesh.tets.push_back({0, 2, 1, 3});
  EXPECT_GE(extract_boundary(mesh).crowded_faces, 1);
}

TEST(Topology, OfSolidsFollowsEuler) {
  const TetMesh box = make_box({.cells = {5, 4, 3}}).value();
  const TetMesh ball = make_ball({.shells = 4}).value();
  for (const TetMesh* mesh : {&box, &ball}) {
    const Boundary boundary = extract_boundary(*mesh);
    const TetTopology solid = tet_topology(*mesh, boundary);
    EXPECT_EQ(solid.euler_characteristic(), 1);
    EXPECT_EQ(solid.components, 1);
    EXPECT_EQ(solid.vertices, static_cast<int64_t>(mesh->vertices.size()));
    const SurfaceTopology surface = surface_topology(boundary.triangles, mesh->vertices.size());
    EXPECT_EQ(surface.euler_characteristic(), 2);
    EXPECT_TRUE(surface.watertight());
    EXPECT_EQ(surface.components, 1);
  }
}

TEST(Topology, OfARingIsZero) {
  // A 3 x 3 x 1 plate of cells without its middle.
  TetMesh mesh = make_box({.cells = {3, 3, 1}, .split = TetSplit::six}).value();
  mesh.tets.erase(mesh.tets.begin() + 6 * 4, mesh.tets.begin() + 6 * 5);
  const Boundary boundary = extract_boundary(mesh);
  EXPECT_EQ(tet_topology(mesh, boundary).euler_characteristic(), 0);
  EXPECT_EQ(surface_topology(boundary.triangles, mesh.vertices.size()).euler_characteristic(), 0);
}

TEST(Topology, CountsComponents) {
  // Two tets with a common vertex are connected, the third is separate; vertex 11 is unused.
  TetMesh mesh;
  mesh.vertices.resize(12);
  mesh.tets = {{0, 1, 2, 3}, {3, 4, 5, 6}, {7, 8, 9, 10}};
  const TetTopology topology = tet_topology(mesh, extract_boundary(mesh));
  EXPECT_EQ(topology.components, 2);
  EXPECT_EQ(topology.vertices, 11);
  EXPECT_EQ(topology.edges, 18);
  EXPECT_EQ(topology.faces, 12);
}

TEST(Topology, OfSurfacesTellsWhyTheyAreNotClosed) {
  const std::vector<Triangle> tet{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  EXPECT_TRUE(surface_topology(tet, 4).watertight());
  EXPECT_TRUE(surface_topology(tet, 4).closed());

  std::vector<Triangle> open(tet.begin(), tet.end() - 1);
  EXPECT_EQ(surface_topology(open, 4).open_edges, 3);
  EXPECT_FALSE(surface_topology(open, 4).watertight());

  std::vector<Triangle> flipped = tet;
  std::swap(flipped[0][0], flipped[0][1]);
  EXPECT_EQ(surface_topology(flipped, 4).flipped_edges, 3);
  EXPECT_EQ(surface_topology(flipped, 4).unbalanced_edges, 3);

  // The same twice: no edge is open, but none is manifold.
  std::vector<Triangle> twice = tet;
  twice.insert(twice.end(), tet.begin(), tet.end());
  EXPECT_TRUE(surface_topology(twice, 4).closed());
  EXPECT_FALSE(surface_topology(twice, 4).watertight());

  std::vector<Triangle> fin = tet;
  fin.push_back({0, 1, 4});
  EXPECT_EQ(surface_topology(fin, 5).non_manifold_edges, 1);

  EXPECT_FALSE(surface_topology({}, 0).watertight());
  EXPECT_FALSE(surface_topology({}, 0).closed());
  const SurfaceTopology grid = surface_topology(make_grid({.cells = {3, 2}}).value().triangles, 12);
  EXPECT_EQ(grid.euler_characteristic(), 1);
  EXPECT_EQ(grid.open_edges, 10);
  EXPECT_EQ(grid.flipped_edges, 0);
}

TEST(Renumber, KeepsTheUsedVerticesInOrder) {
  std::vector<Triangle> boundary = extract_boundary(make_box({.cells = {3, 3, 3}}).value()).triangles;
  for (Triangle& t : boundary)
    for (int32_t& v : t) v += 100;  // after other meshes
  std::vector<Triangle> triangles = boundary;
  const std::vector<int32_t> vertices = renumber(triangles, 100, 164);
  EXPECT_EQ(vertices.size(), 64u - 8);
  for (size_t f = 0; f < boundary.size(); ++f)
    for (int k = 0; k < 3; ++k) EXPECT_EQ(vertices[triangles[f][k]], boundary[f][k]);
  EXPECT_TRUE(std::is_sorted(vertices.begin(), vertices.end()));
}

}  // namespace
}  // namespace sinew
