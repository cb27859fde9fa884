// The device of the tests: emulated, or with SINEW_TEST_DEVICE=cuda the card, on which a b + c is one rounding.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "cuda/device_solvers.h"
#include "solver/options.h"
#include "solver/solver.h"
#include "solver/solver_list.h"
#include "solver/sweep_case.h"

namespace sinew {

inline std::shared_ptr<Device> test_device() {
  static const std::shared_ptr<Device> device = [] {
    const char* asked = std::getenv("SINEW_TEST_DEVICE");
    Result<std::shared_ptr<Device>> opened = device_of(asked && std::string(asked) == "cuda" ? on_cuda : on_emulated);
    if (!opened) ADD_FAILURE() << opened.error().message();
    return opened ? *opened : emulated_device();
  }();
  return device;
}

inline std::unique_ptr<Solver> make_on_device(const std::string& name, int precision,
                                              const std::vector<NamedOption>& options = {},
                                              const std::shared_ptr<Device>& device = test_device()) {
  SolveOptions common;
  common.precision = precision;
  common.device = device->emulated() ? on_emulated : on_cuda;
  auto made = make_device_solver(*find_solver(name), common, options, "solver", device);
  if (!made) ADD_FAILURE() << made.error().message();
  return made ? std::move(*made) : nullptr;
}

// As lane_error, on whatever device.
inline double device_error(int precision, double scale) {
  if (test_device()->emulated()) return lane_error(precision, scale);
  return scale * (precision == double_precision ? 2.3e-16 : 1.2e-7);
}

}  // namespace sinew
