#include "accel/accelerator_list.h"

namespace sinew {

#define SINEW_ACCELERATOR(name) AcceleratorInfo name##_info();
#include "accel/accelerators.def"
#undef SINEW_ACCELERATOR

const std::vector<AcceleratorInfo>& accelerator_list() {
  static const std::vector<AcceleratorInfo> list = {
      {"none", "plain iterations", {}, nullptr},
#define SINEW_ACCELERATOR(name) name##_info(),
#include "accel/accelerators.def"
#undef SINEW_ACCELERATOR
  };
  return list;
}

const AcceleratorInfo* find_accelerator(std::string_view name) {
  for (const AcceleratorInfo& a : accelerator_list()) {
    if (a.name == name) return &a;
  }
  return nullptr;
}

Result<std::unique_ptr<Accelerator>> make_accelerator(std::string_view name, std::span<const NamedOption> values,
                                                      const std::string& where) {
  const AcceleratorInfo* info = find_accelerator(name);
  if (!info) return Error{where, "no accelerator \"" + std::string(name) + "\"", ""};
  if (!info->make) return std::unique_ptr<Accelerator>();
  return info->make(values, where);
}

}  // namespace sinew
