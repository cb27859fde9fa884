// Source: known edges and corners of boxes, cylinders and L-shapes; angles from the definition.
#include "meshing/snapping.h"

#include <gtest/gtest.h>

#include <numbers>

#include "base/hash.h"
#include "mesh/quality.h"
#include "mesh/topology.h"
#include "mesh/triangle_tree.h"
#include "meshing/smoothing.h"
#include "meshing/stuffing.h"
#include "support/fields.h"

namespace sinew {
namespace {

SurfaceMesh box_surface(Vec3d half) {
  SurfaceMesh box;
  for (int k = 0; k < 8; ++k)
    box.vertices.push_back({k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z});
  box.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                   {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return box;
}

TEST(SharpEdges, OfABox) {
  const SharpFeatures features = sharp_edges(box_surface({1, 2, 3}));
  EXPECT_EQ(features.segments.size(), 12u);  // and none of the faces' diagonals
  EXPECT_EQ(features.corners.size(), 8u);
  EXPECT_TRUE(sharp_edges(box_surface({1, 2, 3}), 91).segments.empty());
  // The same with separate triangles.
  const SurfaceMesh box = box_surface({1, 2, 3});
  SurfaceMesh soup;
  for (const Triangle& t : box.triangles) {
    const auto first = static_cast<int32_t>(soup.vertices.size());
    for (const int32_t v : t) soup.vertices.push_back(box.vertices[v]);
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  EXPECT_EQ(sharp_edges(soup).segments.size(), 12u);
  EXPECT_EQ(sharp_edges(soup).corners.size(), 8u);
  // With any orientation of its triangles.
  for (size_t t = 0; t < soup.triangles.size(); t += 3) std::swap(soup.triangles[t][0], soup.triangles[t][1]);
  EXPECT_EQ(sharp_edges(soup).segments.size(), 12u);
  // The rim of a missing side is not a sharp edge.
  SurfaceMesh open = box;
  open.triangles.resize(10);
  EXPECT_EQ(sharp_edges(open).segments.size(), 8u);
}

// A cylinder along z with its two circles as sharp edges and no corners.
SurfaceMesh cylinder_surface(double radius, double half, int sides) {
  SurfaceMesh s;
  for (int k = 0; k < sides; ++k) {
    const double a = 2 * std::numbers::pi * k / sides;
    s.vertices.push_back({radius * std::cos(a), radius * std::sin(a), -half});
    s.vertices.push_back({radius * std::cos(a), radius * std::sin(a), half});
  }
  const int32_t low = 2 * sides, high = low + 1;
  s.vertices.push_back({0, 0, -half});
  s.vertices.push_back({0, 0, half});
  for (int k = 0; k < sides; ++k) {
    const int32_t a = 2 * k, b = 2 * ((k + 1) % sides);
    s.triangles.push_back({a, b, b + 1});
    s.triangles.push_back({a, b + 1, a + 1});
    s.triangles.push_back({low, b, a});
    s.triangles.push_back({high, a + 1, b + 1});
  }
  return s;
}

struct Gap {
  double mean = 0, most = 0;
};
// Distances of points of the sharp edges from the boundary.
Gap gap_at(const SharpFeatures& features, const TetMesh& mesh) {
  const Boundary boundary = extract_boundary(mesh);
  const TriangleTree tree(mesh.vertices, boundary.triangles);
  Gap gap;
  int count = 0;
  for (const auto& [a, b] : features.segments)
    for (int k = 0; k <= 40; ++k) {
      const double d = tree.closest(a + (k / 40.0) * (b - a)).distance;
      gap.mean += d;
      gap.most = std::max(gap.most, d);
      ++count;
    }
  gap.mean /= count;
  return gap;
}

struct Case {
  const char* name;
  support::FormulaField field;
  SharpFeatures features;
  double volume;
  bool rounded = false, across = false;
};
std::vector<Case> cases() {
  const Vec3d half{0.5, 0.4, 0.3};
  std::vector<Case> all;
  all.push_back({"box", support::box_field(half), sharp_edges(box_surface(half)), 0.48});
  all.push_back({"cylinder",
                 {{{-0.5, -0.5, -0.4}, {0.5, 0.5, 0.4}},
                  [](Vec3d p) {
                    const double side = std::hypot(p.x, p.y) - 0.5, lid = std::abs(p.z) - 0.4;
                    return std::hypot(std::max(side, 0.0), std::max(lid, 0.0)) + std::min(std::max(side, lid), 0.0);
                  }},
                 sharp_edges(cylinder_surface(0.5, 0.4, 200)),
                 std::numbers::pi * 0.25 * 0.8,
                 true});
  // A box at an angle to the lattice.
  const double cosine = std::cos(0.4), sine = std::sin(0.4);
  const auto turn = [=](Vec3d p, double s) {
    const Vec3d q{cosine * p.x - s * p.y, s * p.x + cosine * p.y, p.z};
    return Vec3d{q.x, cosine * q.y - s * q.z, s * q.y + cosine * q.z};
  };
  const auto turn_back = [=](Vec3d p) {
    const Vec3d q{p.x, cosine * p.y + sine * p.z, -sine * p.y + cosine * p.z};
    return Vec3d{cosine * q.x + sine * q.y, -sine * q.x + cosine * q.y, q.z};
  };
  SurfaceMesh turned = box_surface(half);
  Bounds bounds;
  for (Vec3d& p : turned.vertices) bounds.add(p = turn(p, sine));
  all.push_back({"turned box",
                 {bounds, [=](Vec3d p) { return support::box_distance(turn_back(p), half); }},
                 sharp_edges(turned),
                 0.48,
                 false,
                 true});
  // An L: a box without a quarter; its inner edge is concave.
  SharpFeatures l;
  const double z = 0.3;
  const Vec3d outline[6] = {{-0.5, -0.5, 0}, {0.5, -0.5, 0}, {0.5, 0, 0}, {0, 0, 0}, {0, 0.5, 0}, {-0.5, 0.5, 0}};
  for (int k = 0; k < 6; ++k) {
    const Vec3d a = outline[k], b = outline[(k + 1) % 6], up{0, 0, z};
    l.segments.insert(l.segments.end(), {{a - up, b - up}, {a + up, b + up}, {a - up, a + up}});
    l.corners.insert(l.corners.end(), {a - up, a + up});
  }
  all.push_back({"L",
                 {{{-0.5, -0.5, -z}, {0.5, 0.5, z}},
                  [=](Vec3d p) {
                    return std::max(support::box_distance(p, {0.5, 0.5, z}),
                                    -support::box_distance(p - Vec3d{0.5, 0.5, 0}, {0.5, 0.5, 1}));
                  }},
                 l,
                 0.75 * 0.6});
  return all;
}

TEST(Snapping, SharpEdgesAreMet) {
  for (const Case& c : cases())
    for (const double cell : {0.1, 0.0613}) {
      ThreadPool& pool = ThreadPool::caller();
      TetMesh mesh = stuff(c.field, {.cell = cell}, pool).value();
      const SnappingReport report = snap(mesh, c.field, c.features, {.cell = cell}, pool);
      EXPECT_EQ(report.corners_missed, 0) << c.name;
      EXPECT_LE(static_cast<double>(report.edges_missed), (c.across ? 0.05 : 0) * static_cast<double>(report.moved));
      MeshQuality quality = mesh_quality(mesh);
      EXPECT_EQ(quality.inverted_tets, 0);
      EXPECT_GE(quality.worst_small_angle, 5);
      EXPECT_LE(quality.worst_large_angle, 170);
      // Edges were cut off by up to half a cell. The remaining gap is rounding on straight edges; chords of a circle of
      // about a cell lie cell^2 / (8 radius) inside it, 0.015 cells, and more where two join; at an angle to the
      // lattice a few edges stay cut off, since a move would violate the bounds (measured: a mean of 0.015 cells).
      const Gap gap = gap_at(c.features, mesh);
      const double mean = c.across ? 0.03 : c.rounded ? 0.02 : 1e-9, most = c.across ? 0.5 : c.rounded ? 0.05 : 1e-9;
      EXPECT_LT(gap.mean, mean * cell) << c.name << ' ' << cell;
      EXPECT_LT(gap.most, most * cell) << c.name << ' ' << cell;
      EXPECT_NEAR(quality.volume, c.volume, (c.across || c.rounded ? 0.005 : 1e-9) * c.volume) << c.name;
      // Smoothing preserves them.
      smooth(mesh, &c.field, {}, pool);
      EXPECT_GE(mesh_quality(mesh).worst_small_angle, quality.worst_small_angle - 1e-9);
      EXPECT_LT(gap_at(c.features, mesh).mean, mean * cell) << c.name;
    }
}

TEST(Snapping, WithoutItTheyAreCutOff) {
  const Case box = std::move(cases()[0]);
  const TetMesh mesh = stuff(box.field, {.cell = 0.0613}, ThreadPool::caller()).value();
  EXPECT_GT(gap_at(box.features, mesh).mean, 0.1 * 0.0613);
}

TEST(Snapping, SameBitsForAnyNumberOfThreads) {
  const Case l = std::move(cases()[3]);
  const TetMesh mesh = stuff(l.field, {.cell = 0.043}, ThreadPool::caller()).value();
  const auto hash = [&](int threads) {
    ThreadPool pool(threads);
    TetMesh own = mesh;
    EXPECT_GT(snap(own, l.field, l.features, {.cell = 0.043}, pool).moved, 0);
    return Hash().bytes(own.vertices.data(), own.vertices.size() * sizeof(Vec3d)).value();
  };
  const uint64_t one = hash(1);
  for (const int threads : {2, 3, 4}) EXPECT_EQ(hash(threads), one) << threads;
}

}  // namespace
}  // namespace sinew
