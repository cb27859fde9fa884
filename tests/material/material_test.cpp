// Source: docs/theory.md, Lame parameters and Materials; derivatives against differences. Everything runs over
// materials.def: a new material is tested by being listed.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "material/material_forms.h"
#include "material/materials.h"
#include "support/made.h"
#include "support/random.h"

namespace sinew {
namespace {

using support::derivative;
using support::full;
using support::identity;
using support::Random;
using support::size;
using support::unit_matrix;
using support::unit_vector;

constexpr int samples = 200;
// Differences of four values: see support::derivative.
constexpr double difference_error = 1e-8;
// Identities hold to some tens of roundings of 1.1e-16, in numbers that may be a thousand times their result; the polar
// decomposition guards a division by adding 1e-12 |F| to s_i + s_j.
constexpr double round_off = 1e-11;

const Lame lame = lame_from(1000, 0.3);

class MaterialOf : public testing::TestWithParam<MaterialKind> {
 protected:
  // Calls test(material in double precision, F, random) for many F, half of them inverted.
  template <class Test>
  void for_samples(const Test& test) const {
    visit_material(GetParam(), [&]<template <class> class M>() {
      const auto material = support::made<M>(lame);
      Random random(11);
      int inverted = 0;
      for (int k = 0; k < samples; ++k) {
        const Mat3d f = random.deformation(0.4);
        inverted += determinant(f) < 0;
        test(material, f, random);
      }
      EXPECT_GT(inverted, samples / 5);
      EXPECT_LT(inverted, samples * 4 / 5);
    });
  }
};

class IsotropicMaterial : public MaterialOf {};
class ConstraintMaterial : public MaterialOf {};
class StrainMaterial : public MaterialOf {};

// Stresses are compared on the scale of the larger of the stress and of mu.
double scale(double value) {
  return std::abs(value) + lame.mu;
}

TEST_P(MaterialOf, StressIsTheDerivativeOfTheEnergy) {
  for_samples([](const auto& material, Mat3d f, Random&) {
    const Mat3d p = material.stress(f);
    for (int k = 0; k < 9; ++k) {
      const Mat3d d = unit_matrix(k);
      const double expected = derivative([&](double t) { return material.energy(f + t * d); });
      EXPECT_NEAR(contract(p, d), expected, difference_error * scale(size(p)));
    }
  });
}

TEST_P(MaterialOf, StressDifferentialIsTheDerivativeOfTheStress) {
  for_samples([](const auto& material, Mat3d f, Random& random) {
    const Mat3d d = random.matrix();
    const Mat3d expected = derivative([&](double t) { return material.stress(f + t * d); });
    const Mat3d h = material.stress_differential(f, d);
    EXPECT_LT(size(h - expected), difference_error * scale(size(h)));
  });
}

TEST_P(MaterialOf, TangentIsSymmetric) {
  for_samples([](const auto& material, Mat3d f, Random& random) {
    const Mat3d a = random.matrix(), b = random.matrix();
    const Mat3d ha = material.stress_differential(f, a), hb = material.stress_differential(f, b);
    EXPECT_NEAR(contract(b, ha), contract(a, hb), round_off * scale(size(ha) * size(b)));
  });
}

TEST_P(MaterialOf, RestIsFreeOfStressAndLinearElastic) {
  visit_material(GetParam(), []<template <class> class M>() {
    const auto material = support::made<M>(lame);
    EXPECT_LT(size(material.stress(identity())), round_off * lame.mu);
    Random random(5);
    for (int k = 0; k < 20; ++k) {
      const Mat3d d = random.matrix();
      const double tr = lame.lambda * trace(d);
      const Mat3d linear = lame.mu * (d + transpose(d)) + diagonal(tr, tr, tr);
      EXPECT_LT(size(material.stress_differential(identity(), d) - linear), round_off * size(linear));
    }
  });
}

TEST_P(MaterialOf, VertexFormIsTheForceAndItsDerivative) {
  for_samples([](const auto& material, Mat3d f, Random& random) {
    const Vec3d g = random.vector();
    const VertexResponse<double> response = material.vertex(f, g);
    const Vec3d force = material.stress(f) * g;
    EXPECT_LT(size(response.stress_times_gradient - force), round_off * scale(size(force)));
    // Moving the vertex by t e adds t e g^T to F.
    const Mat3d k = full(response.stiffness);
    for (int a = 0; a < 3; ++a) {
      const Vec3d e = unit_vector(a);
      const Vec3d expected = derivative([&](double t) { return material.stress(f + t * outer(e, g)) * g; });
      EXPECT_LT(size(k * e - expected), difference_error * (size(k) + lame.mu * dot(g, g)));
    }
  });
}

TEST_P(IsotropicMaterial, VertexFormAlongAnAxisIsTheGeneralOne) {
  for_samples([](const auto& material, Mat3d f, Random& random) {
    if constexpr (std::decay_t<decltype(material)>::isotropic) {
      const double z = random.normal();
      const VertexResponse<double> a = material.vertex(f, AxisGradient<double>{z});
      const VertexResponse<double> b = material.vertex(f, Vec3d{0, 0, z});
      EXPECT_LT(size(a.stress_times_gradient - b.stress_times_gradient),
                round_off * scale(size(b.stress_times_gradient)));
      EXPECT_LT(size(full(a.stiffness) - full(b.stiffness)), round_off * scale(size(full(b.stiffness))));
    }
  });
}

// The traits are what the material does, in both directions.
TEST_P(MaterialOf, IsAsInvariantAsItSays) {
  double turned_before = 0, turned_after = 0;
  for_samples([&](const auto& material, Mat3d f, Random& random) {
    const Mat3d q = random.rotation();
    const double energy = material.energy(f), unit = scale(energy);
    turned_after = std::max(turned_after, std::abs(material.energy(q * f) - energy) / unit);
    turned_before = std::max(turned_before, std::abs(material.energy(f * q) - energy) / unit);
  });
  const MaterialTraits traits = traits_of(GetParam());
  EXPECT_EQ(turned_after < round_off, traits.rotation_invariant) << turned_after;
  EXPECT_EQ(turned_before < round_off, traits.isotropic) << turned_before;
}

// H : M = eigenvalue M for the twist and flip modes; H : U e_i e_i^T V^T = sum_j A_ij U e_j e_j^T V^T.
TEST_P(IsotropicMaterial, PrincipalTangentIsTheTangentOnItsModes) {
  for_samples([](const auto& material, Mat3d f, Random&) {
    if constexpr (std::decay_t<decltype(material)>::isotropic) {
      const auto [u, s, v] = signed_svd(f);
      const PrincipalTangent<double> t = material.principal(s);
      const auto mode = [&](Mat3d m) { return u * m * transpose(v); };
      const Mat3d a = full(t.scaling);
      const double tolerance = round_off * scale(size(a));
      for (int i = 0; i < 3; ++i) {
        const Vec3d column = a * unit_vector(i);
        const Mat3d h = material.stress_differential(f, mode(unit_matrix(4 * i)));
        EXPECT_LT(size(h - mode(diagonal(column.x, column.y, column.z))), tolerance);
      }
      const int pairs[3][2] = {{1, 2}, {0, 2}, {0, 1}};
      const double twist[3] = {t.twist.x, t.twist.y, t.twist.z}, flip[3] = {t.flip.x, t.flip.y, t.flip.z};
      for (int k = 0; k < 3; ++k) {
        const auto [i, j] = pairs[k];
        const Mat3d ij = unit_matrix(i + 3 * j), ji = unit_matrix(j + 3 * i);
        const Mat3d minus = mode(ij - ji), plus = mode(ij + ji);
        EXPECT_LT(size(material.stress_differential(f, minus) - twist[k] * minus), tolerance) << "twist " << k;
        EXPECT_LT(size(material.stress_differential(f, plus) - flip[k] * plus), tolerance) << "flip " << k;
      }
    }
  });
}

// At rest 2 mu and lambda, as linear elasticity has it for symmetric D (Chen et al. 2023, PBNG, eq. 49), where Chen et
// al. 2024 (PXPBD), eq. 52, takes mu for Neo-Hookean: half of the shear. Never negative, and for those whose tangent is
// bounded no less than it in any direction.
TEST_P(MaterialOf, SurrogateIsTheTangentAtRestAndABoundOfIt) {
  visit_material(GetParam(), []<template <class> class M>() {
    const auto material = support::made<M>(lame);
    Random random(5);
    for (int k = 0; k < 20; ++k) {
      const Mat3d q = M<double>::rotation_invariant ? random.rotation() : identity(), any = random.matrix();
      const Mat3d d = q * (any + transpose(any));
      const SurrogateTangent<double> h = material.surrogate(q);
      const Mat3d product = h.all * d + (h.along * contract(h.direction, d)) * h.direction;
      EXPECT_LT(size(product - material.stress_differential(q, d)), 1e-6 * size(product));
    }
  });
  for_samples([](const auto& material, Mat3d f, Random& random) {
    using Material = std::decay_t<decltype(material)>;
    const SurrogateTangent<double> h = material.surrogate(f);
    EXPECT_GT(h.all, 0);
    EXPECT_GE(h.along, 0);
    const auto product = [&](Mat3d m) { return h.all * m + (h.along * contract(h.direction, m)) * h.direction; };
    const Mat3d d = random.matrix();
    const double unit = scale(size(product(d)) + size(material.stress_differential(f, d))) * size(d);
    if constexpr (requires { Material::surrogate_bounds_tangent; }) {
      EXPECT_GE(contract(d, product(d)), contract(d, material.stress_differential(f, d)) - 1e-6 * unit);
    }
    // Where the volume's term balances another one at rest, its second derivative takes from the tangent there.
    if constexpr (Material::zero_at_rest) {
      const Vec3d a = random.vector(), g = random.vector();
      const double exact = dot(a, full(material.vertex(f, g).stiffness) * a);
      EXPECT_GE(contract(outer(a, g), product(outer(a, g))), exact - 1e-6 * scale(exact)) << "a vertex's stiffness";
    }
  });
}

// Where there is nothing, and auxetic materials.
TEST_P(MaterialOf, SurrogateIsNeverNegative) {
  for (const double nu : {-0.9, -0.3, 0.0, 0.3, 0.49}) {
    const Lame l = lame_from(1000, nu);
    visit_material(GetParam(), [&]<template <class> class M>() {
      const auto material = support::made<M>(l);
      for (const double s : {0.0, 0.1, -1.0, 3.0}) {
        const SurrogateTangent<double> h = material.surrogate(diagonal(s, s, s));
        EXPECT_GE(h.all, 0);
        EXPECT_GE(h.along, 0);
      }
    });
  }
}

template <class Material, int k = 0, class Visit>
void for_constraints(const Visit& visit) {
  if constexpr (k < Material::constraint_count) {
    visit.template operator()<k>();
    for_constraints<Material, k + 1>(visit);
  }
}

template <class Material>
double energy_of_constraints(const Material& material, Mat3d f) {
  double sum = 0;
  for_constraints<Material>([&]<int k>() {
    const Constraint<double> c = material.template constraint<k>(f);
    sum += 0.5 * c.stiffness * c.value * c.value;
  });
  return sum;
}

TEST_P(ConstraintMaterial, ConstraintFormIsTheEnergyUpToAConstant) {
  for_samples([&](const auto& material, Mat3d f, Random&) {
    const double constant = energy_of_constraints(material, identity()) - material.energy(identity());
    const double energy = energy_of_constraints(material, f);
    EXPECT_NEAR(energy - material.energy(f), constant, round_off * scale(energy));
  });
}

TEST_P(ConstraintMaterial, ConstraintGradientIsTheDerivative) {
  for_samples([&](const auto& material, Mat3d f, Random&) {
    for_constraints<std::decay_t<decltype(material)>>([&]<int k>() {
      const Constraint<double> c = material.template constraint<k>(f);
      for (int m = 0; m < 9; ++m) {
        const Mat3d d = unit_matrix(m);
        const double expected = derivative([&](double t) { return material.template constraint<k>(f + t * d).value; });
        EXPECT_NEAR(contract(c.gradient, d), expected, difference_error * (1 + size(c.gradient)));
      }
    });
  });
}

// The sum of the gradients, weighted with the force of each constraint, is the stress: also where F is at rest and a
// constraint like |F - R| has no derivative.
TEST_P(ConstraintMaterial, ConstraintFormHasAFiniteGradientEverywhere) {
  visit_material(GetParam(), []<template <class> class M>() {
    const auto material = support::made<M>(lame);
    for (const Mat3d& f : {identity(), diagonal(1.0, 1.0, 1e-9), diagonal(0.0, 0.0, 0.0), diagonal(-1.0, -1.0, -1.0)}) {
      Mat3d sum{};
      for_constraints<M<double>>([&]<int k>() {
        const Constraint<double> c = material.template constraint<k>(f);
        EXPECT_TRUE(std::isfinite(c.value) && std::isfinite(size(c.gradient)));
        sum = sum + (c.stiffness * c.value) * c.gradient;
      });
      EXPECT_LT(size(sum - material.stress(f)), round_off * scale(size(sum)));
    }
  });
}

// psi = C^T K C/2: with S = F^-1 P the strain is K^-1 S, and the energy half of S : E.
TEST_P(StrainMaterial, StrainComplianceBelongsToTheEnergy) {
  for_samples([](const auto& material, Mat3d f, Random&) {
    const double det = determinant(f);
    if (std::abs(det) < 1e-3) return;  // F^-1 loses digits
    if constexpr (requires { material.strain_compliance(); }) {
      const StrainCompliance<double> k = material.strain_compliance();
      const Mat3d e = 0.5 * (transpose(f) * f - identity());
      const Mat3d s = (1 / det) * (transpose(cofactor(f)) * material.stress(f));
      EXPECT_LT(size((1 / (2 * k.mu)) * (s - (k.share * trace(s)) * identity()) - e), 1e-10 * (1 + size(e)));
      EXPECT_NEAR(0.5 * contract(s, e), material.energy(f), 1e-10 * scale(material.energy(f)));
    }
  });
}

// Single precision: 1.2e-7 times some tens of operations.
TEST_P(MaterialOf, SinglePrecisionIsTheSameMaterial) {
  for_samples([](const auto& material, Mat3d f, Random& random) {
    const auto single = material.template as<float>();
    const auto narrow = [](Vec3d a) {
      return Vec3f{static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
    };
    const auto wide = [](Vec3f a) { return Vec3d{a.x, a.y, a.z}; };
    const Mat3<float> f_single{narrow(f.c0), narrow(f.c1), narrow(f.c2)};
    const Vec3d g = random.vector();
    const VertexResponse<double> expected = material.vertex(f, g);
    const VertexResponse<float> response = single.vertex(f_single, narrow(g));
    const double unit = scale(size(expected.stress_times_gradient)) * (1 + size(g));
    EXPECT_LT(size(wide(response.stress_times_gradient) - expected.stress_times_gradient), 1e-4 * unit);
    EXPECT_NEAR(response.stiffness.xy, expected.stiffness.xy, 1e-4 * scale(size(full(expected.stiffness))));
    EXPECT_NEAR(single.energy(f_single), material.energy(f), 1e-4 * scale(material.energy(f)));
  });
}

// Lanes of a width that every compiler has are the scalar code, lane by lane. The wider kernels are compared where they
// are compiled: tests/solver/vertex_sweep_test.cpp, constraint_sweep_test.cpp.
TEST_P(MaterialOf, LanesAreTheScalar) {
  for_samples([](const auto& material, Mat3d, Random& random) {
    using T = Lane<double, 2>;
    const Mat3d f[2] = {random.deformation(0.4), random.deformation(0.4)};
    const Vec3d g[2] = {random.vector(), random.vector()};
    const auto pair = [](Vec3d a, Vec3d b) { return Vec3<T>{T{a.x, b.x}, T{a.y, b.y}, T{a.z, b.z}}; };
    const Mat3<T> both{pair(f[0].c0, f[1].c0), pair(f[0].c1, f[1].c1), pair(f[0].c2, f[1].c2)};
    const auto lanes = material.template as<T>();
    const VertexResponse<T> response = lanes.vertex(both, pair(g[0], g[1]));
    const T energy = lanes.energy(both);
    for (int k = 0; k < 2; ++k) {
      const VertexResponse<double> one = material.vertex(f[k], g[k]);
      // The same operations in the same order; a compiler may contract them differently.
      EXPECT_NEAR(response.stress_times_gradient.y[k], one.stress_times_gradient.y,
                  round_off * scale(size(one.stress_times_gradient)));
      EXPECT_NEAR(response.stiffness.xz[k], one.stiffness.xz, round_off * scale(size(full(one.stiffness))));
      EXPECT_NEAR(energy[k], material.energy(f[k]), round_off * scale(energy[k]));
    }
  });
}

template <class Where>
std::vector<MaterialKind> kinds_where(const Where& where) {
  std::vector<MaterialKind> kinds;
  for (int k = 0; k < material_count; ++k) {
    if (where(traits_of(MaterialKind(k)))) kinds.push_back(MaterialKind(k));
  }
  return kinds;
}
std::vector<MaterialKind> every_kind() {
  return kinds_where([](const MaterialTraits&) { return true; });
}
std::string name_of_test(const testing::TestParamInfo<MaterialKind>& test) {
  return traits_of(test.param).name;
}
INSTANTIATE_TEST_SUITE_P(All, MaterialOf, testing::ValuesIn(every_kind()), name_of_test);
INSTANTIATE_TEST_SUITE_P(All, IsotropicMaterial,
                         testing::ValuesIn(kinds_where([](const MaterialTraits& m) { return m.isotropic; })),
                         name_of_test);
INSTANTIATE_TEST_SUITE_P(All, ConstraintMaterial,
                         testing::ValuesIn(kinds_where([](const MaterialTraits& m) { return m.constraint_count > 0; })),
                         name_of_test);
INSTANTIATE_TEST_SUITE_P(All, StrainMaterial,
                         testing::ValuesIn(kinds_where([](const MaterialTraits& m) { return m.strain_constraint; })),
                         name_of_test);

TEST(Materials, AreFoundByName) {
  for (const MaterialKind kind : every_kind()) EXPECT_EQ(material_named(traits_of(kind).name), kind);
  EXPECT_EQ(material_named("custard"), std::nullopt);
}

// The moduli of a form, halfway from each default to something else.
MaterialModuli some_moduli(const MaterialForm& form) {
  std::vector<double> values;
  for (const MaterialParameter& p : form.parameters) values.push_back(1.1 * p.default_value.value_or(1e4));
  EXPECT_EQ(form.fault(values).what, "");
  return form.moduli(values);
}

// From every form: no stress at rest, where the tangent is `lame`; twice the stiffness is twice the stress.
TEST(Materials, OwnParametersDetermineTheTangentAtRest) {
  for (const MaterialKind kind : every_kind()) {
    for (const MaterialForm& form : material_forms(kind)) {
      const ElasticMaterial material = elastic_material(kind, some_moduli(form)), twice = scaled(material, 2);
      const Lame own = material.lame;
      EXPECT_GT(own.mu, 0);
      EXPECT_DOUBLE_EQ(twice.lame.mu, 2 * own.mu);
      EXPECT_DOUBLE_EQ(twice.lame.lambda, 2 * own.lambda);
      visit_material(kind, [&]<template <class> class M>() {
        const auto m = coefficients_of<M>(material), m2 = coefficients_of<M>(twice);
        EXPECT_LT(size(m.stress(identity())), round_off * own.mu) << M<double>::name;
        Random random(3);
        const Mat3d f = random.deformation(0.3), d = random.matrix();
        const double tr = own.lambda * trace(d);
        const Mat3d linear = own.mu * (d + transpose(d)) + diagonal(tr, tr, tr);
        const Mat3d tangent = derivative([&](double t) { return m.stress(identity() + t * d); });
        EXPECT_LT(size(tangent - linear), difference_error * size(linear)) << M<double>::name;
        EXPECT_LT(size(m2.stress(f) - 2.0 * m.stress(f)), round_off * size(m2.stress(f)));
      });
      // And back: the material that is made for that tangent has it.
      const ElasticMaterial again = elastic_material(kind, own);
      EXPECT_NEAR(again.lame.mu, own.mu, round_off * own.mu);
      EXPECT_NEAR(again.lame.lambda, own.lambda, round_off * own.mu);
    }
  }
}

// Triangles have F = [F2 0; 0 1]: at rest no stress in the plane, and the tangent of plane strain there.
TEST(Materials, PlaneStrainIsLinearElasticAtRest) {
  for (const MaterialKind kind : every_kind()) {
    Lame plane = lame;
    plane.dimension = 2;
    const ElasticMaterial material = elastic_material(kind, plane);
    visit_material(kind, [&]<template <class> class M>() {
      const auto m = coefficients_of<M>(material);
      const auto in_plane = [](Mat3d p) { return Mat3d{{p.c0.x, p.c0.y, 0}, {p.c1.x, p.c1.y, 0}, {0, 0, 0}}; };
      EXPECT_LT(size(in_plane(m.stress(identity()))), round_off * lame.mu) << M<double>::name;
      Random random(8);
      const Mat3d d = in_plane(random.matrix());
      const double tr = lame.lambda * trace(d);
      const Mat3d linear = in_plane(lame.mu * (d + transpose(d)) + diagonal(tr, tr, tr));
      EXPECT_LT(size(in_plane(m.stress_differential(identity(), d)) - linear), round_off * size(linear))
          << M<double>::name;
    });
  }
}

// Names of parameters belong to one form only, second spellings included; defaults are in range.
TEST(Materials, ParametersAreNamedOnceAndDefaultsAreAllowed) {
  for (const MaterialKind kind : every_kind()) {
    std::set<std::string_view> names;
    for (const MaterialForm& form : material_forms(kind)) {
      EXPECT_FALSE(form.parameters.empty());
      std::vector<double> defaults;
      for (const MaterialParameter& p : form.parameters) {
        EXPECT_TRUE(names.insert(p.name).second) << p.name;
        EXPECT_TRUE(p.alias.empty() || names.insert(p.alias).second) << p.alias;
        EXPECT_TRUE(!p.default_value || p.range.contains(*p.default_value)) << p.name;
        defaults.push_back(p.default_value.value_or(1));
      }
      EXPECT_EQ(form.fault(defaults).what, "") << traits_of(kind).name;
    }
  }
}

TEST(Materials, ABulkModulusThatLeavesNoVolumeTermIsRefused) {
  const MaterialForm& form = material_forms(MaterialKind::MooneyRivlin)[0];
  const Error fault = form.fault(std::vector<double>{1e3, 1e5, 1e5});
  EXPECT_EQ(fault.where, "bulk_modulus");
  EXPECT_NE(fault.what.find("must be above 4/3 c01 - 2/3 c10 = "), std::string::npos) << fault.what;
  EXPECT_FALSE(fault.remedy.empty());
}

// With c01 = 0 the form is Neo-Hookean, with mu = 2 c10 and lambda + mu = k.
TEST(Materials, MooneyRivlinWithoutC01IsNeoHookean) {
  const MooneyRivlinModuli m{.c10 = lame.mu / 2, .c01 = 0, .bulk_modulus = lame.lambda + 2 * lame.mu / 3};
  const auto mooney = MooneyRivlin<double>::from(m, 3);
  const auto neo_hookean = support::made<NeoHookean>(lame);
  Random random(2);
  for (int k = 0; k < 20; ++k) {
    const Mat3d f = random.deformation(0.4);
    EXPECT_LT(size(mooney.stress(f) - neo_hookean.stress(f)), round_off * scale(size(mooney.stress(f))));
  }
}

TEST(Materials, LameParameters) {
  // The bulk modulus lambda + 2/3 mu is E/(3 (1 - 2 nu)), 833.333 here; the uniaxial modulus is E.
  const Lame l = lame_from(1000, 0.3);
  EXPECT_NEAR(l.lambda + 2 * l.mu / 3, 1000 / 1.2, 1e-10);
  EXPECT_NEAR(l.mu * (3 * l.lambda + 2 * l.mu) / (l.lambda + l.mu), 1000, 1e-10);
}

}  // namespace
}  // namespace sinew
