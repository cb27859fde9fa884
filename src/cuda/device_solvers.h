// The solvers and accelerators that run on devices.
#pragma once

#include <memory>
#include <string_view>

#include "accel/accelerator.h"
#include "base/option_table.h"
#include "base/result.h"
#include "cuda/device.h"
#include "solver/solver_info.h"

namespace sinew {

// The device that an option names; the card is opened once. Errors: those of open_card.
Result<std::shared_ptr<Device>> device_of(int kind);

// As make_solver and make_accelerator. Errors: also a solver or an option that devices do not offer.
Result<std::unique_ptr<Solver>> make_device_solver(const SolverInfo& solver, const SolveOptions& common,
                                                   std::span<const NamedOption> values, const std::string& where,
                                                   const std::shared_ptr<Device>& device);
Result<std::unique_ptr<Accelerator>> make_device_accelerator(std::string_view name, std::span<const NamedOption> values,
                                                             const std::string& where,
                                                             const std::shared_ptr<Device>& device);

}  // namespace sinew
