// Bars for tests of constraint methods, and requirements common to all of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/trial.h"

namespace sinew::support {

struct Residuals final : Observer {
  bool wants(int64_t, int) const override { return true; }
  void on_iteration(const IterationReport& report) override { seen.push_back(report.evaluation.residual); }
  std::vector<double> seen;
};

// With scalar constraints.
inline std::vector<MaterialKind> constraint_materials() {
  std::vector<MaterialKind> kinds;
  for (const MaterialKind kind : every_material()) {
    if (traits_of(kind).constraint_count > 0) kinds.push_back(kind);
  }
  return kinds;
}

inline double largest_coordinate(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double largest = 0;
  for (size_t v = 0; v < a.size(); ++v) {
    const Vec3d d = a[v] - b[v];
    for (const double c : {d.x, d.y, d.z}) largest = std::isfinite(c) ? std::max(largest, std::abs(c)) : 1e300;
  }
  return largest;
}

// A box .4 x .2 x .2 of 640 tets, its inner vertices moved at random as far as every tet keeps a fiftieth of its
// volume.
inline TetMesh box_with_slivers() {
  constexpr double cell = 0.05;
  TetMesh mesh = box({8, 4, 4}, {0.4, 0.2, 0.2});
  const TetMesh regular = mesh;
  Random random(3);
  for (Vec3d& p : mesh.vertices) {
    const auto inside = [](double x, double length) { return x > 1e-9 && x < length - 1e-9; };
    if (!inside(p.x, 0.4) || !inside(p.y, 0.2) || !inside(p.z, 0.2)) continue;
    const Vec3d before = p;
    p += (0.4 * cell) * random.vector();
    const auto crushed = [&](const Tet& t) {
      return volume_of(mesh.vertices, t) < 0.02 * volume_of(regular.vertices, t);
    };
    if (std::any_of(mesh.tets.begin(), mesh.tets.end(), crushed)) p = before;
  }
  return mesh;
}

// A body whose stiffness dominates its inertia, with slivers: from rest, a step under gravity in either precision. The
// residual stays below `most` x initial, ends at no more than `left` x initial, and no tet inverts.
inline void expect_whole_on_slivers(Method method, MaterialKind material, double most, double left) {
  method.h = 1.0 / 240;
  method.solve.iterations = 300;
  for (const int precision : {double_precision, single_precision}) {
    for (const double modulus : {1e6, 1e8, 1e10}) {
      method.solve.precision = precision;
      Trial trial(body_of(box_with_slivers(), material, modulus, 0.4), method);
      trial.hold(on_left);
      Residuals residuals;
      trial.observer = &residuals;
      trial.step();
      const std::vector<double>& r = residuals.seen;
      EXPECT_LT(*std::max_element(r.begin(), r.end()), most * r.front()) << modulus;
      EXPECT_LT(r.back(), left * r.front()) << modulus;
      EXPECT_EQ(trial.evaluate().inverted, 0) << modulus;
    }
  }
}

// Reference values by an independent program (numpy, double precision): a bar .4 x .2 x .2 of 80 tets, one end held,
// stretched by 1.2, one step of 0.01 s. All lengths are multiplied by `scale`: E h^2/(density edge^2) = 1/scale^2.
struct StretchedBar {
  StretchedBar(const Method& method, MaterialKind material, double scale = 1, double poisson_ratio = 0.3)
      : trial(body_of(box({4, 2, 2}, {0.4 * scale, 0.2 * scale, 0.2 * scale}), material, 1000, poisson_ratio), method) {
    trial.hold(on_left);
    trial.observer = &residuals;
    for (Vec3d& p : trial.state.x) p.x *= 1.2;
    trial.step();
  }
  Residuals residuals;
  Trial trial;
};

// By the same program: a bar .4 x .1 x .1 of 20 tets, one end held, in equilibrium with gravity. Its tip is the first
// upper corner of the free end in the user's order; Newton: -0.1389 m.
struct HangingBar {
  explicit HangingBar(const Method& method) : trial(body_of(box({4, 1, 1}, {0.4, 0.1, 0.1}), fixed), method) {
    trial.hold(on_left);
    trial.step();
  }
  double tip() const {
    const std::vector<Vec3d> x = trial.positions(), rest = trial.model.order.to_user(trial.model.rest);
    size_t at = 0;
    for (size_t v = 0; v < rest.size(); ++v) {
      if (rest[v].x + 0.01 * rest[v].y > rest[at].x + 0.01 * rest[at].y + 1e-9) at = v;
    }
    return x[at].y - rest[at].y;
  }
  static constexpr MaterialKind fixed = MaterialKind::FixedCorotated;
  Trial trial;
};

}  // namespace sinew::support
