// Source: closed forms: a deformation F = R diag(s) V^T has the principal stretches s and det F = s0 s1 s2.
#include "objective/strain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "mesh/generators.h"
#include "support/body.h"
#include "support/tied.h"

namespace sinew {
namespace {

Mat3d rotation(Vec3d axis, double angle) {
  const Vec3d n = (1 / std::sqrt(dot(axis, axis))) * axis;
  const Mat3d across{{0, n.z, -n.y}, {-n.z, 0, n.x}, {n.y, -n.x, 0}};
  return diagonal(1.0, 1.0, 1.0) + std::sin(angle) * across + (1 - std::cos(angle)) * (across * across);
}

TetStrain strain_under(const Mat3d& f) {
  const std::vector<Vec3d> rest = {{0.1, 0.2, 0.3}, {1.3, 0.1, 0.2}, {0.2, 0.9, 0.4}, {0.3, 0.1, 1.5}};
  std::vector<Vec3d> x;
  for (const Vec3d& p : rest) x.push_back(f * p + Vec3d{5, -2, 1});
  return tet_strain(rest, x, {0, 1, 2, 3});
}

// Floats hold 6e-8 of the value; an error e in a stretch squared near 1 is e/2 in the stretch.
constexpr double kTolerance = 2e-7;

TEST(Strain, RotationsAndTranslationsAreNoStrain) {
  for (const double angle : {0.0, 0.3, 2.0, 3.14159}) {
    const TetStrain s = strain_under(rotation({1, 2, -1}, angle));
    EXPECT_NEAR(s.j, 1, kTolerance);
    EXPECT_NEAR(s.strain, 0, kTolerance);
  }
}

TEST(Strain, IsTheWorstPrincipalStretch) {
  const Mat3d r = rotation({1, 2, -1}, 0.7), v = rotation({0, 1, 3}, -1.9);
  const struct {
    double a, b, c, strain;
  } cases[] = {{1.5, 1, 1, 0.5}, {1, 1, 0.25, 0.75},  {2, 2, 2, 1}, {1.1, 1.2, 0.7, 0.3},   {3, 0.5, 0.9, 2},
               {1, 1, -1, 2},    {1.1, 1, -0.2, 1.2}, {1, 1, 0, 1}, {1.0001, 1, 1, 0.0001}, {0.5, 0.5, 0.5, 0.5}};
  for (const auto& k : cases) {
    const TetStrain s = strain_under(r * diagonal(k.a, k.b, k.c) * transpose(v));
    EXPECT_NEAR(s.strain, k.strain, kTolerance * (1 + k.strain)) << k.a << ' ' << k.b << ' ' << k.c;
    EXPECT_NEAR(s.j, k.a * k.b * k.c, kTolerance * 10);
  }
}

TEST(Strain, IsMeasuredInTheUsersOrder) {
  const TetMesh mesh = make_box({{20, 10, 10}, {1, 1, 1}, {}, TetSplit::six}).value();
  const Model model = support::body_of(mesh).compile();
  const auto moved = [](Vec3d p) { return Vec3d{p.x * p.x + 0.1 * p.y, 1.5 * p.y, p.z}; };
  std::vector<Vec3d> x_user, x;
  for (const Vec3d& p : mesh.vertices) x_user.push_back(moved(p));
  for (const Vec3d& p : model.rest) x.push_back(moved(p));
  std::vector<double> j(mesh.tets.size()), strain(mesh.tets.size());
  ThreadPool pool(3);
  measure_strain(model, x, pool, j, strain);
  for (size_t e = 0; e < j.size(); ++e) {
    const TetStrain expected = tet_strain(mesh.vertices, x_user, mesh.tets[e]);
    EXPECT_EQ(j[e], expected.j);
    EXPECT_EQ(strain[e], expected.strain);
  }
}

// A spring's relative extension.
TEST(Strain, OfSpringsIsTheirExtension) {
  const Model model = support::tet_with_a_tail().compile();
  std::vector<Vec3d> x = model.rest;
  const auto slot = [&](int32_t v) { return static_cast<int32_t>(model.order.slot(UserVertex{v})); };
  x[slot(4)].x += 0.25;  // springs of length 1.25 and 0.75
  EXPECT_DOUBLE_EQ(spring_strain(model.ties, 0, x), 0.25);
  EXPECT_DOUBLE_EQ(spring_strain(model.ties, 1, x), 0.25);
  EXPECT_EQ(spring_strain(model.ties, 2, x), 0);
}

}  // namespace
}  // namespace sinew
