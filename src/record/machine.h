// The machine of a run, for its run.json.
#pragma once

#include <cstdint>
#include <string>

namespace sinew {

struct Machine {
  std::string cpu;           // "AMD EPYC", or "unknown"
  int cores = 0;             // logical
  int64_t memory_bytes = 0;  // 0 if unknown
  std::string system;        // "Linux 6.1.0 x86_64"
};
Machine this_machine();

// "2026-11-21T09:10:03Z"
std::string utc_now();
// "g++ 12.2.0"
std::string compiler_name();

}  // namespace sinew
