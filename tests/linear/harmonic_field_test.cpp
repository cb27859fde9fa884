// Source: the definition in linear/harmonic_field.h; linear functions are harmonic, and so is 1/r.
#include "linear/harmonic_field.h"

#include <gtest/gtest.h>

#include <functional>

#include "linear/linear_solvers.h"
#include "support/body.h"

namespace sinew {
namespace {

using support::box;
using support::size;

std::vector<int32_t> where(const TetMesh& mesh, const std::function<bool(Vec3d)>& inside) {
  std::vector<int32_t> found;
  for (size_t v = 0; v < mesh.vertices.size(); ++v)
    if (inside(mesh.vertices[v])) found.push_back(static_cast<int32_t>(v));
  return found;
}
Result<std::vector<Vec3d>> gradients(const TetMesh& mesh, const std::function<bool(Vec3d)>& from,
                                     const std::function<bool(Vec3d)>& to, std::string_view solver = "auto") {
  return harmonic_gradients(mesh.vertices, mesh.tets, where(mesh, from), where(mesh, to), *make_linear_solver(solver));
}

// Between two faces of a box u is linear, which tets can be exactly: whatever the mesh, and with every solver.
TEST(HarmonicField, IsLinearBetweenTwoFaces) {
  for (const std::string_view solver : linear_solver_names()) {
    const TetMesh mesh = box({5, 3, 4}, {2, 1, 1});
    const auto found = gradients(
        mesh, [](Vec3d x) { return x.x == 0; }, [](Vec3d x) { return x.x == 2; }, solver);
    ASSERT_TRUE(found.ok()) << found.error().message();
    for (const Vec3d& g : *found) EXPECT_LT(size(g - Vec3d{0.5, 0, 0}), 1e-13);
  }
}

// Between two concentric spheres it points from the centre. The ball's 20 outer triangles a shell are coarse: to a
// degree or so on the mean.
TEST(HarmonicField, PointsOutwardsInABall) {
  const TetMesh mesh = make_ball({.radius = 1, .shells = 10}).value();
  const auto found = gradients(
      mesh, [](Vec3d x) { return size(x) < 0.31; }, [](Vec3d x) { return size(x) > 1 - 1e-9; });
  ASSERT_TRUE(found.ok()) << found.error().message();
  double sum = 0;
  int count = 0, none = 0;
  for (size_t e = 0; e < mesh.tets.size(); ++e) {
    Vec3d middle{};
    for (const int32_t v : mesh.tets[e]) middle += 0.25 * mesh.vertices[v];
    const Vec3d g = (*found)[e];
    if (size(g) == 0) {
      EXPECT_LT(size(middle), 0.31);  // within an end
      ++none;
      continue;
    }
    sum += dot(g, middle) / (size(g) * size(middle));
    ++count;
  }
  EXPECT_EQ(none, 20 * 3 * 3 * 3);
  EXPECT_GT(sum / count, std::cos(3 * M_PI / 180));
}

// A quarter of a ring of triangles, from radius 1 to 2: u = ln r / ln 2, its gradient 1 / (r ln 2) outwards. Linear
// functions on cells of a twentieth are within a hundredth of that in the middle of a triangle.
TEST(HarmonicField, GoesLikeTheLogarithmOfTheRadiusInARing) {
  TetMesh mesh = support::rectangle({20, 40});
  for (Vec3d& x : mesh.vertices) {
    const double r = 1 + x.x, angle = 0.5 * M_PI * x.y;
    x = {r * std::cos(angle), r * std::sin(angle), 0};
  }
  const auto found = gradients(
      mesh, [](Vec3d x) { return size(x) < 1 + 1e-9; }, [](Vec3d x) { return size(x) > 2 - 1e-9; });
  ASSERT_TRUE(found.ok()) << found.error().message();
  for (size_t e = 0; e < mesh.tets.size(); ++e) {
    Vec3d middle{};
    for (size_t k = 0; k < 3; ++k) middle += (1.0 / 3) * mesh.vertices[mesh.tets[e][k]];
    const double r = size(middle), exact = 1 / (r * std::log(2));
    EXPECT_LT(size((*found)[e] - (exact / r) * middle), 0.03 * exact) << e;
  }
}

TEST(HarmonicField, NeedsTwoEndsThatReachEveryPart) {
  const TetMesh mesh = support::together(box({1, 1, 1}), [] {
    TetMesh other = box({1, 1, 1});
    for (Vec3d& x : other.vertices) x.y += 5;
    return other;
  }());
  const auto left = [](Vec3d x) { return x.x == 0; };
  const auto message = [&](const std::function<bool(Vec3d)>& from, const std::function<bool(Vec3d)>& to) {
    const auto found = gradients(mesh, from, to);
    return found.ok() ? "" : found.error().message();
  };
  EXPECT_EQ(message(left, [](Vec3d x) { return x.x == 1; }), "");
  EXPECT_NE(message(left, [](Vec3d x) { return x.x == 1 && x.y < 2; }).find("tetrahedron 5: hangs together with one"),
            std::string::npos);
  EXPECT_NE(message([](Vec3d x) { return x.x == 0 && x.y > 2; }, [](Vec3d x) { return x.x == 1 && x.y > 2; })
                .find("tetrahedron 0: hangs together with no end"),
            std::string::npos);
  const auto plane = gradients(
      support::rectangle({1, 1}), [](Vec3d) { return false; }, left);
  ASSERT_FALSE(plane.ok());
  EXPECT_NE(plane.error().message().find("triangle 0: hangs together with one"), std::string::npos);
  EXPECT_NE(message(left, [](Vec3d x) { return x.z == 0; }).find("belongs to both ends"), std::string::npos);
}

}  // namespace
}  // namespace sinew
