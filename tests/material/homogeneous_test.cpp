// Source: docs/theory.md, Reference solutions, computed by independent programs (numpy, double precision), for E =
// 1000, nu = .3 and for E = 1e5, nu = .45: stretched with free sides, stretched alike along all axes, sheared.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "material/materials.h"
#include "support/made.h"

namespace sinew {
namespace {

constexpr MaterialKind nh = MaterialKind::NeoHookean, log_nh = MaterialKind::StableNeoHookean,
                       fcr = MaterialKind::FixedCorotated, stvk = MaterialKind::Stvk,
                       linear = MaterialKind::LinearElastic;

Mat3d stress(MaterialKind kind, double youngs_modulus, double poisson_ratio, Mat3d f) {
  const Lame lame = lame_from(youngs_modulus, poisson_ratio);
  return visit_material(kind, [&]<template <class> class M>() { return support::made<M>(lame).stress(f); });
}

struct Uniaxial {
  MaterialKind kind;
  double stretch, lateral, nominal;  // [-], [-], [Pa]
};

// The lateral stretch at which the sides are free of stress, by bisection from the linear guess outwards: the branch
// that begins at rest.
double free_lateral_stretch(MaterialKind kind, double youngs_modulus, double poisson_ratio, double stretch) {
  const auto side = [&](double b) { return stress(kind, youngs_modulus, poisson_ratio, diagonal(stretch, b, b)).c1.y; };
  double low = 1 - poisson_ratio * (stretch - 1), high = low;
  for (int k = 0; k < 400 && side(low) * side(high) >= 0; ++k) {
    low = std::max(0.02, low - 0.01);
    high += 0.01;
  }
  for (int k = 0; k < 100; ++k) {
    const double middle = 0.5 * (low + high);
    (side(low) * side(middle) <= 0 ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

// Tables print seven or eight digits.
void expect_uniaxial(const std::vector<Uniaxial>& table, double youngs_modulus, double poisson_ratio,
                     double lateral_error, double relative_error) {
  for (const auto& [kind, stretch, lateral, nominal] : table) {
    const double b = free_lateral_stretch(kind, youngs_modulus, poisson_ratio, stretch);
    EXPECT_NEAR(b, lateral, lateral_error) << traits_of(kind).name << ' ' << stretch;
    EXPECT_NEAR(stress(kind, youngs_modulus, poisson_ratio, diagonal(stretch, b, b)).c0.x, nominal,
                relative_error * std::abs(nominal))
        << traits_of(kind).name << ' ' << stretch;
  }
}

TEST(Homogeneous, UniaxialOfTheSurvey) {
  expect_uniaxial({{nh, 0.7, 1.169336, -43219.06},
                   {nh, 1.5, 0.829993, 35887.61},
                   {fcr, 0.7, 1.167669, -39978.46},
                   {fcr, 1.5, 0.828888, 41003.80},
                   {stvk, 0.7, 1.108828, -17850},
                   {stvk, 1.5, 0.661438, 93750}},
                  1e5, 0.45, 6e-7, 2e-7);
}

TEST(Homogeneous, UniaxialOfTheReference) {
  expect_uniaxial({{linear, 0.5, 1.15, -500},
                   {linear, 1.5, 0.85, 500},
                   {linear, 2, 0.7, 1000},
                   {fcr, 0.5, 1.14713687, -644.2863},
                   {fcr, 0.7, 1.09353626, -343.1706},
                   {fcr, 1.5, 0.86933210, 442.8686},
                   {fcr, 2, 0.77317017, 836.6839},
                   {nh, 0.5, 1.09544512, -730.7692},
                   {nh, 0.7, 1.08796759, -381.1393},
                   {nh, 1.5, 0.86922699, 383.1909},
                   {nh, 2, 0.77459667, 653.8462},
                   {log_nh, 0.5, 1.09464699, -705.8542},
                   {log_nh, 0.7, 1.08529926, -372.8998},
                   {log_nh, 1.5, 0.86708612, 404.4455},
                   {log_nh, 2, 0.77104534, 732.1134},
                   {stvk, 0.5, 1.10679718, -187.5},
                   {stvk, 0.7, 1.07377838, -178.5},
                   {stvk, 1.5, 0.79056942, 937.5},
                   {stvk, 2, 0.31622777, 3000}},
                  1000, 0.3, 6e-9, 2e-7);
}

TEST(Homogeneous, UniaxialInClosedForm) {
  // Neo-Hookean: b^2 = (gamma - mu/(lambda_hat s))/s, P11 = mu (s - b^2/s). StVK: b^2 = 1 - nu (s^2 - 1),
  // P11 = E/2 s (s^2 - 1).
  const Lame lame = lame_from(1000, 0.3);
  const double lambda_hat = lame.lambda + lame.mu, gamma = 1 + lame.mu / lambda_hat;
  for (const double s : {0.6, 0.9, 1.2, 1.4}) {
    const double b2 = (gamma - lame.mu / (lambda_hat * s)) / s;
    EXPECT_NEAR(free_lateral_stretch(nh, 1000, 0.3, s), std::sqrt(b2), 1e-13);
    EXPECT_NEAR(stress(nh, 1000, 0.3, diagonal(s, std::sqrt(b2), std::sqrt(b2))).c0.x, lame.mu * (s - b2 / s), 1e-9);
    const double c = std::sqrt(1 - 0.3 * (s * s - 1));
    EXPECT_NEAR(free_lateral_stretch(stvk, 1000, 0.3, s), c, 1e-13);
    EXPECT_NEAR(stress(stvk, 1000, 0.3, diagonal(s, c, c)).c0.x, 500 * s * (s * s - 1), 1e-9);
  }
}

TEST(Homogeneous, Hydrostatic) {
  struct Row {
    MaterialKind kind;
    double youngs_modulus, poisson_ratio, stretch, pressure;
  };
  for (const Row& r : {Row{nh, 1e5, 0.45, 1.1, 134313.79},
                       {fcr, 1e5, 0.45, 1.1, 131192.76},
                       {stvk, 1e5, 0.45, 1.1, 115500},
                       {linear, 1000, 0.3, 0.8, -500},
                       {linear, 1000, 0.3, 1.2, 500},
                       {fcr, 1000, 0.3, 0.8, -334.030769},
                       {fcr, 1000, 0.3, 1.2, 758.646154},
                       {nh, 1000, 0.3, 0.8, -238.769231},
                       {nh, 1000, 0.3, 1.2, 915.692308},
                       {log_nh, 1000, 0.3, 0.8, -256.683386},
                       {log_nh, 1000, 0.3, 1.2, 886.664662},
                       {stvk, 1000, 0.3, 0.8, -360},
                       {stvk, 1000, 0.3, 1.2, 660}}) {
    const Mat3d p = stress(r.kind, r.youngs_modulus, r.poisson_ratio, diagonal(r.stretch, r.stretch, r.stretch));
    const double digits = 1e-7 * std::abs(r.pressure);
    EXPECT_NEAR(p.c0.x, r.pressure, digits) << traits_of(r.kind).name << ' ' << r.stretch;
    EXPECT_NEAR(p.c1.y, r.pressure, digits);
    EXPECT_NEAR(p.c2.z, r.pressure, digits);
    EXPECT_NEAR(p.c0.y, 0, 1e-9);
  }
}

TEST(Homogeneous, SimpleShear) {
  struct Row {
    MaterialKind kind;
    double shear, p12, p22, p11;
  };
  for (const Row& r : {Row{linear, 0.5, 192.307692, 0, 0},
                       {fcr, 0.5, 198.049519, 22.967308, 22.967308},
                       {fcr, 1, 425.220311, 81.209853, 81.209853},
                       {nh, 1, 384.615385, 0, 0},
                       {log_nh, 0.5, 196.078431, 7.541478, 7.541478},
                       {log_nh, 1, 410.256410, 25.641026, 25.641026},
                       {stvk, 0.5, 276.442308, 168.269231, 168.269231}}) {
    Mat3d f = diagonal(1.0, 1.0, 1.0);
    f.c1.x = r.shear;
    const Mat3d p = stress(r.kind, 1000, 0.3, f);
    EXPECT_NEAR(p.c1.x, r.p12, 1e-6) << traits_of(r.kind).name;
    EXPECT_NEAR(p.c1.y, r.p22, 1e-6);
    EXPECT_NEAR(p.c0.x, r.p11, 1e-6);
  }
}

}  // namespace
}  // namespace sinew
