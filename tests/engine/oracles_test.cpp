// Source: whole fields of positions from an independent program (oracles/README.md), computed as users do: scene and
// mesh from files, Simulation. Tolerances: 1e-8 m in double precision, 1e-4 of the body's size in single precision;
// XPBD must not reach them.
#include <ostream>

#include "support/stored_fields.h"

namespace sinew {
namespace {

using namespace stored;

// The options by which VBD reaches the state of a scene for Newton.
struct ByVbd {
  Case fields;
  std::string in_double, in_single;
};
void PrintTo(const ByVbd& c, std::ostream* out) {
  *out << c.fields.scene;
}

// Quasistatics converge slowly without acceleration. In single precision positions improve long after the residual has
// stopped falling, so a number of iterations is given.
const std::string in_double = R"("type": "vbd", "precision": "double", "check_every": 50, )";
const std::string in_single = R"("type": "vbd", "precision": "single", )";
const std::string swift = R"(, "accelerator": { "type": "chebyshev", "delay": 10 })";

const ByVbd all[] = {{cant, in_double + R"("iterations": 20000, "tolerance": 1e-10)" + swift,
                      in_single + R"("iterations": 10000)" + swift},
                     {stiff, in_double + R"("iterations": 20000, "tolerance": 1e-9)" + swift,
                      in_single + R"("iterations": 20000)" + swift},
                     {be, in_double + R"("iterations": 400, "tolerance": 1e-9)", in_single + R"("iterations": 60)"},
                     {rel, in_double + R"("iterations": 1000, "tolerance": 1e-9)", in_single + R"("iterations": 300)"},
                     {twist, in_double + R"("iterations": 20000, "tolerance": 1e-7)" + swift,
                      in_single + R"("iterations": 400)" + swift}};

class StoredFields : public testing::TestWithParam<ByVbd> {};
INSTANTIATE_TEST_SUITE_P(All, StoredFields, testing::ValuesIn(all),
                         [](const auto& test) { return std::string(test.param.fields.scene); });

TEST_P(StoredFields, NewtonReachesThem) {
  expect_fields(GetParam().fields, "", true, 1e-8);
}
// Residuals for which the error is well below 1e-8 m; forces are a thousand times larger in `twist`.
std::string small_residual(const Case& c) {
  return c.scene == std::string_view(twist.scene) ? R"(, "tolerance": 1e-7)" : R"(, "tolerance": 1e-10)";
}
TEST_P(StoredFields, NewtonByConjugateGradientsReachesThem) {
  const std::string solver = R"("type": "newton", "linear": "cg", "iterations": 300)";
  expect_fields(GetParam().fields, solver + small_residual(GetParam().fields), true, 1e-8);
}
TEST_P(StoredFields, QuasiNewtonReachesThem) {
  const std::string solver = R"("type": "quasi_newton", "iterations": 5000)";
  expect_fields(GetParam().fields, solver + small_residual(GetParam().fields), true, 1e-8);
}
TEST_P(StoredFields, VbdReachesThem) {
  expect_fields(GetParam().fields, GetParam().in_double, true, 1e-8);
}
TEST_P(StoredFields, VbdInSinglePrecisionComesNear) {
  expect_fields(GetParam().fields, GetParam().in_single, false, 1e-4 * GetParam().fields.size);
}

// For any number of iterations. Stable Neo-Hookean with its logarithm has no constraints that XPBD could project.
TEST(StoredFieldsByXpbd, AreNotReached) {
  for (const Model& model : {fcr, nh}) {
    SCOPED_TRACE(model.name);
    double residual_before = 0;
    for (const int iterations : {100, 1000}) {
      Simulation simulation = simulation_of(
          rel, model, R"("type": "xpbd", "precision": "double", "iterations": )" + std::to_string(iterations));
      const double start = simulation.evaluate().residual;
      ASSERT_TRUE(simulation.step().ok());
      const double residual = simulation.evaluate().residual;
      EXPECT_GT(residual, 0.2 * start);
      EXPECT_GT(distance(simulation, rel.moments[0], model), 0.01) << "100 times what single precision is allowed";
      if (iterations > 100) {
        EXPECT_NEAR(residual, residual_before, 1e-4 * start) << "no progress any more";
      }
      residual_before = residual;
    }
  }
}

// B-PXPBD works like XPBD and does reach them, with automatic zeta.
TEST(StoredFieldsByBPxpbd, AreReached) {
  const auto by = [](const char* precision, int iterations) {
    return std::string(R"("type": "b_pxpbd", "precision": ")") + precision + R"(", "iterations": )" +
           std::to_string(iterations);
  };
  for (Case c : {be, rel}) {
    c.models = {fcr, nh};
    const bool stiff_step = c.moments.size() == 1;  // rel: E h^2/(density edge^2) = 7
    expect_fields(c, by("double", stiff_step ? 3000 : 150), false, 1e-8);
    expect_fields(c, by("single", stiff_step ? 1000 : 60), false, 1e-4 * c.size);
  }
}

// FP-PXPBD reaches them, unlike XPBD.
const std::string fp_double = R"("type": "fp_pxpbd", "precision": "double", "iterations": 20000, "tolerance": 1e-9)";
TEST(StoredFieldsByFpPxpbd, AreReached) {
  for (const Case& c : {be, rel}) expect_fields(c, fp_double, true, 1e-8);
}
TEST(StoredFieldsByFpPxpbd, AreNearInSinglePrecision) {
  expect_fields(be, R"("type": "fp_pxpbd", "iterations": 400)", false, 1e-4 * be.size);
  expect_fields(rel, R"("type": "fp_pxpbd", "iterations": 4000)", false, 1e-4 * rel.size);
}

// In pseudo-time, with Chebyshev as for VBD: true equilibria.
TEST(StoredFieldsByFpPxpbd, AreReachedAtRest) {
  const std::string watched = R"(, "check_every": 50, "accelerator": { "type": "chebyshev", "delay": 10 })";
  expect_fields(cant, R"("type": "fp_pxpbd", "precision": "double", "iterations": 20000, "tolerance": 1e-10)" + watched,
                true, 1e-8);
  expect_fields(stiff, R"("type": "fp_pxpbd", "precision": "double", "iterations": 20000, "tolerance": 1e-8)" + watched,
                true, 1e-8);
  expect_fields(cant, R"("type": "fp_pxpbd", "iterations": 10000)" + watched, false, 1e-4 * cant.size);
}

}  // namespace
}  // namespace sinew
