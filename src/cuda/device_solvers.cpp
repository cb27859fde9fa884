#include "cuda/device_solvers.h"

#include <mutex>

#include "base/format.h"
#include "cuda/device_constraint_solver.h"
#include "cuda/device_vertex_solver.h"
#include "solver/by_constraint/xpbd.h"
#include "solver/by_vertex/pbng.h"
#include "solver/by_vertex/vbd.h"

namespace sinew {
namespace {

template <template <class> class Method, class... Arguments>
std::unique_ptr<Solver> in_precision(const SolveOptions& common, const Arguments&... arguments) {
  if (common.precision == double_precision) return std::make_unique<Method<double>>(arguments...);
  return std::make_unique<Method<float>>(arguments...);
}

using Made = Result<std::unique_ptr<Solver>>;
Made make(const SolveOptions& common, const VbdOptions& o, const std::shared_ptr<Device>& device) {
  return in_precision<DeviceVertexSolver>(
      common, device,
      VertexRule{.line_search = o.line_search, .sweep_order = o.sweep_order, .layout = o.layout, .lanes = o.lanes});
}
Made make(const SolveOptions& common, const PbngOptions& o, const std::shared_ptr<Device>& device) {
  return in_precision<DeviceVertexSolver>(common, device,
                                          VertexRule{.stiffness = NodalStiffness::stiffer,
                                                     .relaxation = o.omega,
                                                     .sweep_order = o.sweep_order,
                                                     .layout = o.layout,
                                                     .lanes = o.lanes});
}
Made make(const SolveOptions& common, const XpbdOptions& o, const std::shared_ptr<Device>& device) {
  return in_precision<DeviceConstraintSolver>(
      common, device, o.sweep_order, ConstraintOrder{.kind = o.order, .groups = o.groups, .scale = o.jacobi_scale});
}

struct Maker {
  std::string_view name;
  Made (*make)(const SolveOptions& common, std::span<const NamedOption> values, const std::string& where,
               const std::shared_ptr<Device>& device);
};
template <class Options, const auto& parameters>
constexpr Maker maker() {
  return {Options::name,
          [](const SolveOptions& common, std::span<const NamedOption> values, const std::string& where,
             const std::shared_ptr<Device>& device) -> Made {
            Options options;
            if (Status s = apply_options<Options>(parameters, values, options, where, true); !s) return s.error();
            return make(common, options, device);
          }};
}
constexpr Maker makers[] = {
    maker<VbdOptions, vbd_parameters>(),
    maker<PbngOptions, pbng_parameters>(),
    maker<XpbdOptions, xpbd_parameters>(),
};

}  // namespace

Result<std::shared_ptr<Device>> device_of(int kind) {
  if (kind == on_emulated) return emulated_device();
  static std::mutex opening;
  static std::weak_ptr<Device> opened;
  const std::lock_guard lock(opening);
  if (auto card = opened.lock(); card && card->status().ok()) return card;
  auto card = open_card();
  if (card) opened = *card;
  return card;
}

Result<std::unique_ptr<Solver>> make_device_solver(const SolverInfo& solver, const SolveOptions& common,
                                                   std::span<const NamedOption> values, const std::string& where,
                                                   std::shared_ptr<Device> device) {
  std::string names;
  for (const Maker& maker : makers) {
    if (maker.name == solver.name) return maker.make(common, values, where, device);
    names += joined({names.empty() ? "" : ", ", maker.name});
  }
  return Error{where + ".device",
               joined({"= \"", device_names[common.device], "\": solver \"", solver.name, "\" runs on the CPU alone"}),
               "use device \"cpu\", or for solver.type one of " + names};
}

Result<std::unique_ptr<Accelerator>> make_device_accelerator(std::string_view name, std::span<const NamedOption>,
                                                             const std::string&, std::shared_ptr<Device>) {
  if (name == "none") return std::unique_ptr<Accelerator>();
  return Error{"solver.accelerator", joined({"= \"", name, "\": accelerators run on the CPU alone as yet"}),
               "use \"none\", or device \"cpu\""};
}

}  // namespace sinew
