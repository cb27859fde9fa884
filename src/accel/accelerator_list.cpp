#include "accel/accelerator_list.h"

#include "accel/anderson.h"
#include "accel/chebyshev.h"
#include "accel/sor.h"

namespace sinew {

const std::vector<AcceleratorInfo>& accelerator_list() {
  static const std::vector<AcceleratorInfo> list = {
      {"none", "plain iterations", {}},
#define SINEW_ACCELERATOR(id, Options) {Options::name, Options::summary, option_table<Options>(id##_parameters)},
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
  if (name == "none") return std::unique_ptr<Accelerator>();
#define SINEW_ACCELERATOR(id, Options)                                                         \
  if (name == Options::name) {                                                                 \
    Options options;                                                                           \
    if (Status s = apply_options<Options>(id##_parameters, values, options, where); !s.ok()) { \
      return s.error();                                                                        \
    }                                                                                          \
    return make_##id(options);                                                                 \
  }
#include "accel/accelerators.def"
#undef SINEW_ACCELERATOR
  return Error{where, "no accelerator \"" + std::string(name) + "\"", ""};
}

}  // namespace sinew
