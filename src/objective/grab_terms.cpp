#include "objective/grab_terms.h"

#include <cmath>

namespace sinew {

double add_grab_terms(const StepProblem& problem, std::span<const Vec3d> x, std::span<Vec3d> g) {
  double energy = 0;
  for_each_grab(problem, [&](const Grab& grab) {
    const Vec3d stretch = grab.stretch(x);
    energy += 0.5 * grab.stiffness * dot(stretch, stretch);
    if (g.empty()) return;
    const Vec3d gradient = grab.stiffness * stretch;
    for (int32_t j = 0; j < grab.count; ++j) g[grab.vertices[j]] += grab.weights[j] * gradient;
  });
  return energy;
}

double grab_stiffness_norm(const StepProblem& problem) {
  double squares = 0;
  for_each_grab(problem, [&](const Grab& grab) {
    for (int32_t j = 0; j < grab.count; ++j) {
      const double k = grab.stiffness * grab.weights[j] * grab.weights[j];
      squares += k * k;
    }
  });
  return std::sqrt(squares);
}

}  // namespace sinew
