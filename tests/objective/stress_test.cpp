// Source: closed forms of uniaxial tension from the energies in principal stretches, sigma_i = s_i / J d psi / d s_i
// (Holzapfel 2000, eq. 6.47), written here independently; invariance under rotations; textbook plane strain.
#include "objective/stress.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "math/rotation.h"
#include "support/body.h"
#include "support/made.h"

namespace sinew {
namespace {

constexpr double kYoung = 2e4, kPoisson = 0.3;

// d psi / d s_i at the principal stretches s, of each material: of one that has no closed form here, by differences of
// its energy.
Vec3d principal_first_stress(MaterialKind kind, Vec3d s) {
  const Lame l = lame_from(kYoung, kPoisson);
  const double j = s.x * s.y * s.z, squares = dot(s, s);
  const Vec3d volume{j / s.x, j / s.y, j / s.z};
  const Vec3d over{s.x - 1, s.y - 1, s.z - 1};
  switch (kind) {
    case MaterialKind::NeoHookean:
      return l.mu * s + ((l.lambda + l.mu) * (j - 1 - l.mu / (l.lambda + l.mu))) * volume;
    case MaterialKind::MooneyRivlin: {  // c01 is an eighth of mu
      const double c10 = 0.375 * l.mu, c01 = 0.125 * l.mu, k = l.lambda + 2 * c10;
      const Vec3d areas{s.x * (squares - s.x * s.x), s.y * (squares - s.y * s.y), s.z * (squares - s.z * s.z)};
      return (2 * c10) * s + (2 * c01) * areas + (k * (j - 1) - 2 * c10 - 4 * c01) * volume;
    }
    case MaterialKind::FixedCorotated:
    case MaterialKind::Arap:
      return (2 * l.mu) * over + (l.lambda * (j - 1)) * volume;
    case MaterialKind::StableNeoHookean: {
      const double mu = 4 * l.mu / 3, lambda = l.lambda + 5 * l.mu / 6;
      return (mu * (1 - 1 / (squares + 1))) * s + (lambda * (j - 1 - 0.75 * mu / lambda)) * volume;
    }
    case MaterialKind::Stvk: {
      const Vec3d e{(s.x * s.x - 1) / 2, (s.y * s.y - 1) / 2, (s.z * s.z - 1) / 2};
      const double pressure = l.lambda * (e.x + e.y + e.z);
      return {s.x * (2 * l.mu * e.x + pressure), s.y * (2 * l.mu * e.y + pressure), s.z * (2 * l.mu * e.z + pressure)};
    }
    case MaterialKind::LinearElastic: {  // its sigma is this
      const double pressure = l.lambda * (over.x + over.y + over.z);
      return (2 * l.mu) * over + Vec3d{pressure, pressure, pressure};
    }
    default:
      return visit_material(kind, [&]<template <class> class M>() {
        const auto material = support::made<M>(l);
        const auto along = [&](Vec3d e) {
          return support::derivative(
              [&](double t) { return material.energy(diagonal(s.x + t * e.x, s.y + t * e.y, s.z + t * e.z)); });
        };
        return Vec3d{along({1, 0, 0}), along({0, 1, 0}), along({0, 0, 1})};
      });
  }
}

// The lateral stretch without lateral stress.
double lateral(MaterialKind kind, double stretch) {
  double low = 0.3, high = 1.5;
  for (int k = 0; k < 200; ++k) {
    const double middle = (low + high) / 2;
    (principal_first_stress(kind, {stretch, middle, middle}).y > 0 ? high : low) = middle;
  }
  return low;
}

std::vector<Sym3<double>> stresses(const Model& model, const std::vector<Vec3d>& x,
                                   std::span<const int32_t> fibre_tets = {}, std::vector<double> activation = {}) {
  const ElementStress measure(model, fibre_tets);
  std::vector<Sym3<double>> stress(model.tets.size());
  for (const ElasticBlock& block : model.blocks)
    measure.measure(model, block, block.first_tet, block.last_tet, x, activation,
                    std::span(stress).subspan(static_cast<size_t>(block.first_tet),
                                              static_cast<size_t>(block.last_tet - block.first_tet)));
  return stress;
}
std::vector<Vec3d> deformed(const Model& model, const Mat3d& f) {
  std::vector<Vec3d> x;
  for (const Vec3d& p : model.rest) x.push_back(f * p + Vec3d{0.3, -2, 1});
  return x;
}

TEST(Stress, OfUniaxialTensionIsTheClosedFormOfEachMaterial) {
  for (const MaterialKind kind : support::every_material()) {
    const Model model = support::body_of(support::box({2, 1, 1}), kind, kYoung, kPoisson).compile();
    for (const double stretch : {0.8, 1.001, 1.4}) {
      const double across = lateral(kind, stretch);
      const double first = principal_first_stress(kind, {stretch, across, across}).x;
      const bool linear = !traits_of(kind).rotation_invariant;
      const double expected = linear ? first : first / (across * across);
      if (std::abs(stretch - 1) < 0.01) {
        EXPECT_NEAR(expected, kYoung * (stretch - 1), 0.01 * std::abs(expected));
      }
      for (const Sym3<double>& s : stresses(model, deformed(model, diagonal(stretch, across, across)))) {
        const double tolerance = 1e-9 * kYoung;
        EXPECT_NEAR(s.xx, expected, tolerance) << traits_of(kind).name;
        for (const double other : {s.yy, s.zz, s.xy, s.xz, s.yz}) EXPECT_NEAR(other, 0, tolerance);
        EXPECT_NEAR(von_mises_stress(s), std::abs(expected), tolerance);
        const Vec3d p = principal_stresses(s);
        EXPECT_NEAR(expected > 0 ? p.x : p.z, expected, tolerance);
        EXPECT_NEAR(p.y, 0, tolerance);
      }
    }
  }
}

TEST(Stress, TurnsWithTheBodyAndKeepsItsPrincipalValues) {
  const Mat3d turn = rotation({1, 2, -1}, 70), before = rotation({0, 1, 3}, -110);
  const Vec3d s{1.4, 0.7, 1.1};
  for (const MaterialKind kind : support::every_material()) {
    if (!traits_of(kind).rotation_invariant) continue;
    const Model model = support::body_of(support::box({1, 1, 1}), kind, kYoung, kPoisson).compile();
    const Mat3d f = turn * diagonal(s.x, s.y, s.z) * transpose(before);
    const Vec3d first = principal_first_stress(kind, s);
    const double j = s.x * s.y * s.z;
    const Vec3d sigma{s.x * first.x / j, s.y * first.y / j, s.z * first.z / j};
    const Mat3d whole = turn * diagonal(sigma.x, sigma.y, sigma.z) * transpose(turn);
    for (const Sym3<double>& of_tet : stresses(model, deformed(model, f))) {
      const double tolerance = 1e-8 * kYoung;
      EXPECT_NEAR(of_tet.xx, whole.c0.x, tolerance) << traits_of(kind).name;
      EXPECT_NEAR(of_tet.xy, whole.c0.y, tolerance);
      EXPECT_NEAR(of_tet.xz, whole.c0.z, tolerance);
      EXPECT_NEAR(of_tet.yy, whole.c1.y, tolerance);
      EXPECT_NEAR(of_tet.yz, whole.c1.z, tolerance);
      EXPECT_NEAR(of_tet.zz, whole.c2.z, tolerance);
      const Vec3d p = principal_stresses(of_tet);
      EXPECT_GE(p.x, p.y);
      EXPECT_GE(p.y, p.z);
      EXPECT_NEAR(p.x + p.y + p.z, sigma.x + sigma.y + sigma.z, tolerance);
      EXPECT_NEAR(p.x * p.y * p.z, sigma.x * sigma.y * sigma.z, tolerance * kYoung * kYoung);
      const double a = sigma.x - sigma.y, b = sigma.y - sigma.z, c = sigma.z - sigma.x;
      EXPECT_NEAR(von_mises_stress(of_tet), std::sqrt((a * a + b * b + c * c) / 2), tolerance);
    }
  }
}

TEST(Stress, IsProportionalToTheStiffnessFactor) {
  support::Body body = support::body_of(support::box({1, 1, 1}), MaterialKind::NeoHookean, kYoung, kPoisson);
  const Mat3d f = diagonal(1.3, 0.9, 1.0);
  const Model plain = body.compile();
  const double once = stresses(plain, deformed(plain, f))[0].xx;
  for (size_t e = 0; e < body.mesh.tets.size(); ++e) body.stiffness_factor.push_back(1 + static_cast<double>(e));
  const Model varied = body.compile();
  const auto stress = stresses(varied, deformed(varied, f));
  for (size_t e = 0; e < stress.size(); ++e) EXPECT_NEAR(stress[e].xx, once * (1 + varied.user_tet[e]), 1e-9 * kYoung);
}

// In plane strain sigma_zz = nu (sigma_xx + sigma_yy), for small strains.
TEST(Stress, OfTrianglesHasWhatHoldsTheirThickness) {
  for (const MaterialKind kind : support::every_material()) {
    const Model model = support::plane_body_of(support::rectangle({2, 2}), kind, kYoung, kPoisson).compile();
    std::vector<Vec3d> x = deformed(model, diagonal(1 + 1e-6, 1 - 3e-7, 1.0));
    for (const Sym3<double>& s : stresses(model, x)) {
      EXPECT_NEAR(s.zz, kPoisson * (s.xx + s.yy), 1e-5 * s.xx) << traits_of(kind).name;
      EXPECT_NEAR(s.xx, kYoung / (1 + kPoisson) / (1 - 2 * kPoisson) * (0.7 * 1e-6 - 0.3 * 3e-7), 1e-4 * s.xx);
      EXPECT_NEAR(s.xz, 0, 1e-9 * kYoung);
    }
  }
}

// A fibre adds the tension sigma_max E'(r) / lambda_ofl per rest area; that area shrinks to 1 / stretch at J = 1.
TEST(Stress, HasThePullOfFibres) {
  const double peak = 3e5, optimal = 1.2;
  support::Body body = support::body_of(support::box({2, 1, 1}), MaterialKind::NeoHookean, kYoung, kPoisson);
  const Model bare = body.compile();
  const Vec3d along = (1 / std::numbers::sqrt2) * Vec3d{1, 1, 0};
  std::vector<int32_t> fibre_tets;  // not of every tet, and in reverse order
  for (auto e = static_cast<int32_t>(body.mesh.tets.size()) - 1; e >= 0; e -= 2) {
    body.ties.add_fibre(body.mesh.tets[static_cast<size_t>(e)], body.mesh.vertices, along, peak, optimal, 0);
    fibre_tets.push_back(e);
  }
  body.muscles = {Activation{{0}, {0.7}}};
  const Model muscle = body.compile();
  // Stretched along the fibres, thinner across, then rotated.
  const double stretch = 1.25;
  Mat3d f = (1 / std::sqrt(stretch)) * diagonal(1.0, 1.0, 1.0);
  f = f + (stretch - 1 / std::sqrt(stretch)) * outer(along, along);
  const Mat3d turn = rotation({1, 0, 2}, 40);
  f = turn * f;
  const Vec3d now = turn * along;
  const double pull = peak * fibre_curve(stretch / optimal, 0.7).force * stretch / optimal;  // J = 1
  const auto without = stresses(bare, deformed(bare, f));
  const auto with = stresses(muscle, deformed(muscle, f), fibre_tets, {0.7});
  const double plain = without[0].xx;
  for (size_t e = 0; e < with.size(); ++e) {
    const bool has = std::find(fibre_tets.begin(), fibre_tets.end(), muscle.user_tet[e]) != fibre_tets.end();
    const double tension = has ? pull : 0;
    EXPECT_NEAR(with[e].xx - plain, tension * now.x * now.x, 1e-8 * pull) << e;
    EXPECT_NEAR(with[e].xy - without[0].xy, tension * now.x * now.y, 1e-8 * pull);
    EXPECT_NEAR(with[e].zz - without[0].zz, tension * now.z * now.z, 1e-8 * pull);
  }
}

TEST(Stress, IsNoNumberWhereThereIsNoArea) {
  const Model model = support::body_of(support::box({1, 1, 1}), MaterialKind::NeoHookean, kYoung, kPoisson).compile();
  for (const Sym3<double>& s : stresses(model, deformed(model, diagonal(1.0, 1.0, 0.0)))) {
    EXPECT_FALSE(std::isfinite(von_mises_stress(s)));
    EXPECT_FALSE(std::isfinite(principal_stresses(s).x));
  }
}

}  // namespace
}  // namespace sinew
