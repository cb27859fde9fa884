// Source: docs/theory.md, The Green strain as one constraint, and Elements (plane strain): XPBD with St.
// Venant-Kirchhoff triangles, written out with the three strains of the plane as a dense system in double precision.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "mesh/coloring.h"
#include "solver/by_constraint/xpbd.h"
#include "solver/sweep_case.h"

namespace sinew {
namespace {

using support::plane_body_of;
using support::rectangle;

// C = (E_xx, E_yy, 2 E_xy), psi = C^T K C / 2 with K = [l + 2m, l, 0; l, l + 2m, 0; 0, 0, m], s = area (times 1 m) h^2:
//   (sum_j w_j J_j J_j^T + K^-1/s) dl = - C - K^-1 l/s,   l += dl,   x_j += w_j J_j^T dl.
class Reference {
 public:
  explicit Reference(const StepProblem& problem)
      : problem_(problem), model_(*problem.model), multipliers_(model_.tets.size()) {
    std::vector<int32_t> visit(model_.tets.size());
    for (size_t e = 0; e < visit.size(); ++e) visit[model_.user_tet[e]] = static_cast<int32_t>(e);
    coloring_ = color_tets(model_.tets, model_.mass.size(), visit);
  }

  void sweep(std::vector<Vec3d>& x) {
    for (const ElasticBlock& block : model_.blocks)
      for (int32_t c = 0; c < coloring_.count; ++c)
        for (int32_t e = block.first_tet; e < block.last_tet; ++e)
          if (coloring_.color[e] == c) visit(block.material.lame, static_cast<size_t>(e), x);
  }

 private:
  using Vec = std::array<double, 2>;

  void visit(const Lame& lame, size_t e, std::vector<Vec3d>& x) {
    const Tet& t = model_.tets[e];
    const auto edge = [&](const std::vector<Vec3d>& p, int j) {
      return Vec{p[t[j]].x - p[t[0]].x, p[t[j]].y - p[t[0]].y};
    };
    const Vec a = edge(model_.rest, 1), b = edge(model_.rest, 2), p = edge(x, 1), q = edge(x, 2);
    const double det = a[0] * b[1] - a[1] * b[0];
    Vec g[3] = {{}, {b[1] / det, -b[0] / det}, {-a[1] / det, a[0] / det}};
    g[0] = {-g[1][0] - g[2][0], -g[1][1] - g[2][1]};
    double f[2][2];  // row, column
    for (int r = 0; r < 2; ++r)
      for (int c = 0; c < 2; ++c) f[r][c] = p[r] * g[1][c] + q[r] * g[2][c];

    const double s = 0.5 * det * model_.stiffness_factor_of(static_cast<int32_t>(e)) * problem_.h * problem_.h;
    const double k = lame.lambda + 2 * lame.mu, least = k * k - lame.lambda * lame.lambda;
    const double compliance[3][3] = {
        {k / least, -lame.lambda / least, 0}, {-lame.lambda / least, k / least, 0}, {0, 0, 1 / lame.mu}};
    const double strain[3] = {0.5 * (f[0][0] * f[0][0] + f[1][0] * f[1][0] - 1),
                              0.5 * (f[0][1] * f[0][1] + f[1][1] * f[1][1] - 1), f[0][0] * f[0][1] + f[1][0] * f[1][1]};
    std::array<double, 3>& l = multipliers_[e];
    double system[3][4] = {};
    Vec jacobian[3][3];  // of strain c by corner j
    for (int c = 0; c < 3; ++c) {
      for (int j = 0; j < 3; ++j)
        for (int r = 0; r < 2; ++r)
          jacobian[c][j][r] = c < 2 ? f[r][c] * g[j][c] : f[r][0] * g[j][1] + f[r][1] * g[j][0];
      system[c][3] = -strain[c];
      for (int d = 0; d < 3; ++d) {
        system[c][d] = compliance[c][d] / s;
        system[c][3] -= compliance[c][d] / s * l[d];
      }
    }
    for (int c = 0; c < 3; ++c)
      for (int d = 0; d < 3; ++d)
        for (int j = 0; j < 3; ++j)
          for (int r = 0; r < 2; ++r) system[c][d] += inverse_mass(t[j]) * jacobian[c][j][r] * jacobian[d][j][r];
    for (int c = 0; c < 3; ++c) {
      for (int i = 0; i < 3; ++i) {
        const double ratio = i == c ? 0 : system[i][c] / system[c][c];
        for (int d = c; d < 4; ++d) system[i][d] -= ratio * system[c][d];
      }
    }
    for (int c = 0; c < 3; ++c) {
      const double change = system[c][3] / system[c][c];
      l[c] += change;
      for (int j = 0; j < 3; ++j) {
        x[t[j]].x += inverse_mass(t[j]) * change * jacobian[c][j][0];
        x[t[j]].y += inverse_mass(t[j]) * change * jacobian[c][j][1];
      }
    }
  }
  double inverse_mass(int32_t s) const { return problem_.held[s] ? 0 : 1 / model_.mass[s]; }

  const StepProblem& problem_;
  const Model& model_;
  Coloring coloring_;
  std::vector<std::array<double, 3>> multipliers_;
};

// Every width and precision, with and without stiffness factors; after one sweep and after several.
TEST(PlaneStrain, XpbdOfGreenStrainIsTheDefinition) {
  for (const bool varied : {false, true}) {
    Body body = plane_body_of(rectangle({5, 4}, {2.5, 2}), MaterialKind::Stvk);
    Random random(9);
    if (varied) support::vary_stiffness(body, random);
    SweepCase c(body, time_step);
    for (std::vector<Vec3d>* x : {&c.problem.x_prev, &c.problem.x_start, &c.problem.x_target}) {
      for (Vec3d& p : *x) p.z = 0;
    }
    c.problem.x_target = c.problem.x_start;
    for (const int iterations : {1, 8}) {
      Reference reference(c.problem);
      std::vector<Vec3d> expected = c.problem.x_target;
      for (int k = 0; k < iterations; ++k) reference.sweep(expected);
      EXPECT_GT(largest_difference(c.model, expected, c.problem.x_target), 0.01) << "something moves";
      for (const int precision : {double_precision, single_precision}) {
        for (const int lanes : lane_counts()) {
          const auto solver = make_xpbd({.precision = precision}, {.lanes = lanes});
          EXPECT_LT(largest_difference(c.model, iterated(*solver, c.problem, c.pool, iterations), expected),
                    precision == double_precision ? 1e-12 : 1e-4)
              << iterations << " iterations, " << lanes << " lanes, " << precision_names[precision];
        }
      }
    }
  }
}

}  // namespace
}  // namespace sinew
