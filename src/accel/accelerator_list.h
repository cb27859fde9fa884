// The list of all accelerators. An accelerator is a pair of files and one line in accelerators.def.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "accel/accelerator_info.h"
#include "base/option_table.h"
#include "base/result.h"

namespace sinew {

// "none" first.
const std::vector<AcceleratorInfo>& accelerator_list();
const AcceleratorInfo* find_accelerator(std::string_view name);

// Null for "none".
Result<std::unique_ptr<Accelerator>> make_accelerator(std::string_view name, std::span<const NamedOption> values,
                                                      const std::string& where);

}  // namespace sinew
