// The description of an accelerator, and its maker.
//
//   AcceleratorInfo sor_info() { return accelerator_info<SorOptions, sor_parameters, make_sor>(); }
#pragma once

#include <memory>
#include <span>
#include <string>

#include "accel/accelerator.h"
#include "base/option_table.h"
#include "base/result.h"

namespace sinew {

struct AcceleratorInfo {
  const char* name;
  const char* summary;
  OptionTable options;
  // Null for "none".
  Result<std::unique_ptr<Accelerator>> (*make)(std::span<const NamedOption> values, const std::string& where);
};

template <class Options, const auto& parameters, auto make_it>
AcceleratorInfo accelerator_info() {
  return {Options::name, Options::summary, option_table<Options>(parameters),
          [](std::span<const NamedOption> values, const std::string& where) -> Result<std::unique_ptr<Accelerator>> {
            Options options;
            if (Status s = apply_options<Options>(parameters, values, options, where); !s.ok()) return s.error();
            return make_it(options);
          }};
}

}  // namespace sinew
