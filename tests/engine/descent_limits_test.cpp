// Source: docs/theory.md, Reference solutions: methods that descend on the same objective end in Newton's state, in
// dynamics and quasistatics, for every material. Tolerances: 1e-8 m in double precision, 1e-4 of the body's size in
// single precision.
#include "support/stored_fields.h"

namespace sinew {
namespace {

using namespace stored;

struct Way {
  const char* name;
  const char* solver;    // without precision and iterations
  int dynamic, statics;  // sufficient iterations
};
void PrintTo(const Way& way, std::ostream* out) {
  *out << way.name;
}

const std::string swift = R"(, "accelerator": { "type": "chebyshev", "delay": 10 })";
const Way ways[] = {{"pbng", R"("type": "pbng")", 2000, 20000},
                    {"pbng_relaxed", R"("type": "pbng", "omega": 1.7)", 2000, 20000},
                    {"block_jacobi", R"("type": "block_jacobi")", 5000, 100000},
                    {"gradient_descent", R"("type": "gradient_descent")", 5000, 100000}};

std::string method(const Way& way, const char* precision, int iterations, const char* tolerance) {
  return std::string(way.solver) + R"(, "precision": ")" + precision + R"(", "check_every": 50, "iterations": )" +
         std::to_string(iterations) + tolerance;
}

class DescentLikeNewton : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(All, DescentLikeNewton, testing::ValuesIn(ways),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(DescentLikeNewton, EndsALargeStep) {
  expect_fields(rel, method(GetParam(), "double", GetParam().dynamic, R"(, "tolerance": 1e-9)"), true, 1e-8);
  expect_fields(rel, method(GetParam(), "single", GetParam().dynamic / 4, ""), false, 1e-4);
}
TEST_P(DescentLikeNewton, BendsTheCantilever) {
  expect_fields(cant, method(GetParam(), "double", GetParam().statics, R"(, "tolerance": 1e-10)") + swift, true, 1e-8);
}
// The materials for which the soft cantilever is too soft.
TEST_P(DescentLikeNewton, BendsTheStiffCantilever) {
  Case fields = stiff;
  fields.models = {stvk, linear};
  expect_fields(fields, method(GetParam(), "double", GetParam().statics, R"(, "tolerance": 1e-8)") + swift, true, 1e-8);
}

}  // namespace
}  // namespace sinew
