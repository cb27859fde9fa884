#include "cuda/device_solvers.h"

#include <mutex>

#include "accel/chebyshev_rule.h"
#include "accel/sor_rule.h"
#include "base/format.h"
#include "cuda/device_accelerator.h"
#include "cuda/device_constraint_solver.h"
#include "cuda/device_multilevel.h"
#include "cuda/device_vertex_solver.h"
#include "solver/by_constraint/xpbd.h"
#include "solver/by_vertex/pbng.h"
#include "solver/by_vertex/vbd.h"
#include "solver/multilevel/multilevel.h"

namespace sinew {
namespace {

template <template <class> class Method, class... Arguments>
std::unique_ptr<Solver> in_precision(const SolveOptions& common, const Arguments&... arguments) {
  if (common.precision == double_precision) return std::make_unique<Method<double>>(arguments...);
  return std::make_unique<Method<float>>(arguments...);
}

using Made = Result<std::unique_ptr<Solver>>;
Made make(const SolveOptions& common, const VbdOptions& o, const std::shared_ptr<Device>& device) {
  return in_precision<DeviceVertexSolver>(common, device,
                                          VertexRule{.line_search = o.line_search,
                                                     .sweep_order = o.sweep_order,
                                                     .recolors = o.recolor == recolor_incremental,
                                                     .multipliers = o.multipliers,
                                                     .layout = o.layout,
                                                     .lanes = o.lanes});
}
Made make(const SolveOptions& common, const PbngOptions& o, const std::shared_ptr<Device>& device) {
  return in_precision<DeviceVertexSolver>(common, device,
                                          VertexRule{.stiffness = NodalStiffness::stiffer,
                                                     .relaxation = o.omega,
                                                     .sweep_order = o.sweep_order,
                                                     .recolors = o.recolor == recolor_incremental,
                                                     .shares_penalties = true,
                                                     .multipliers = o.multipliers,
                                                     .layout = o.layout,
                                                     .lanes = o.lanes});
}
Made make(const SolveOptions& common, const XpbdOptions& o, const std::shared_ptr<Device>& device) {
  return in_precision<DeviceConstraintSolver>(
      common, device, o.sweep_order, ConstraintOrder{.kind = o.order, .groups = o.groups, .scale = o.jacobi_scale});
}
Made make(const SolveOptions& common, const MultilevelOptions& o, const std::shared_ptr<Device>& device) {
  return in_precision<DeviceMultilevel>(common, device, o);
}

// Makes one of a list by its name.
template <class Method, class... More>
struct Maker {
  std::string_view name;
  Result<std::unique_ptr<Method>> (*make)(More... more, std::span<const NamedOption> values, const std::string& where,
                                          const std::shared_ptr<Device>& device);
};
using SolverMaker = Maker<Solver, const SolveOptions&>;
using AcceleratorMaker = Maker<Accelerator>;

template <class Options, const auto& parameters>
constexpr SolverMaker solver() {
  return {Options::name,
          [](const SolveOptions& common, std::span<const NamedOption> values, const std::string& where,
             const std::shared_ptr<Device>& device) -> Made {
            Options options;
            if (Status s = apply_options<Options>(parameters, values, options, where, true); !s) return s.error();
            return make(common, options, device);
          }};
}
constexpr SolverMaker solvers[] = {
    solver<VbdOptions, vbd_parameters>(),
    solver<PbngOptions, pbng_parameters>(),
    solver<XpbdOptions, xpbd_parameters>(),
    solver<MultilevelOptions, multilevel_parameters>(),
};

template <class Options, const auto& parameters, class Method>
constexpr AcceleratorMaker accelerator() {
  return {Options::name,
          [](std::span<const NamedOption> values, const std::string& where,
             const std::shared_ptr<Device>& device) -> Result<std::unique_ptr<Accelerator>> {
            Options options;
            if (Status s = apply_options<Options>(parameters, values, options, where); !s) return s.error();
            return std::unique_ptr<Accelerator>(std::make_unique<Method>(device, options));
          }};
}
constexpr AcceleratorMaker accelerators[] = {
    accelerator<ChebyshevOptions, chebyshev_parameters, DeviceAccelerator<ChebyshevRule, ChebyshevOptions>>(),
    accelerator<SorOptions, sor_parameters, DeviceAccelerator<SorRule, SorOptions>>(),
    accelerator<AndersonOptions, anderson_parameters, DeviceAnderson>(),
};

template <class List>
std::string names_of_list(const List& list) {
  std::string names;
  for (const auto& item : list) names += joined({names.empty() ? "" : ", ", item.name});
  return names;
}

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
                                                   const std::shared_ptr<Device>& device) {
  for (const SolverMaker& maker : solvers)
    if (maker.name == solver.name) return maker.make(common, values, where, device);
  return Error{
      where + ".device",
      joined({"= \"", device_names[common.device], "\": solver \"", solver.name, "\" runs on the CPU alone"}),
      "use device \"cpu\", or for solver.type one of " + names_of_list(solvers) + "; of quadratic tets vbd or pbng"};
}

Result<std::unique_ptr<Accelerator>> make_device_accelerator(std::string_view name, std::span<const NamedOption> values,
                                                             const std::string& where,
                                                             const std::shared_ptr<Device>& device) {
  if (name == "none") return std::unique_ptr<Accelerator>();
  for (const AcceleratorMaker& maker : accelerators)
    if (maker.name == name) return maker.make(values, where, device);
  return Error{where, joined({"= \"", name, "\": runs on the CPU alone"}),
               "use device \"cpu\", or one of none, " + names_of_list(accelerators)};
}

}  // namespace sinew
