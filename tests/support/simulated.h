// Scenes that are to run without a fault.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "sinew/simulation.h"

namespace sinew {

inline Simulation simulation_of(const Scene& scene, int threads = 1) {
  Result<Simulation> made = Simulation::create(scene, threads);
  EXPECT_TRUE(made.ok()) << made.error().message();
  return std::move(*made);
}
// Of a scene that cannot be simulated; "" if it can.
inline std::string creation_error(const Scene& scene) {
  const Result<Simulation> made = Simulation::create(scene, 1);
  return made ? "" : made.error().message();
}
inline void take(Simulation& s, int steps) {
  for (int k = 0; k < steps; ++k) {
    const Result<StepReport> report = s.step();
    ASSERT_TRUE(report.ok()) << report.error().message();
  }
}

}  // namespace sinew
