// In place of this room in browsers, which have neither cards nor a need to try their kernels.
#include "cuda/device_solvers.h"
#include "solver/solver.h"

namespace sinew {
namespace {

Error no_devices() {
  return {"solver.device", "there are no devices beside the CPU in browsers", "use device \"cpu\""};
}

}  // namespace

Result<std::shared_ptr<Device>> device_of(int) {
  return no_devices();
}
Result<std::unique_ptr<Solver>> make_device_solver(const SolverInfo&, const SolveOptions&, std::span<const NamedOption>,
                                                   const std::string&, const std::shared_ptr<Device>&) {
  return no_devices();
}
Result<std::unique_ptr<Accelerator>> make_device_accelerator(std::string_view, std::span<const NamedOption>,
                                                             const std::string&, const std::shared_ptr<Device>&) {
  return no_devices();
}

}  // namespace sinew
