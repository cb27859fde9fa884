// What is known of a sample once it has been solved.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sinew/dataset.h"

namespace sinew {

// What all samples of a data set have the same number of.
struct SampleShape {
  int32_t vertices = 0;
  int32_t frames = 1;  // 1 of an equilibrium
  int32_t probes = 0;
  uint64_t mesh = 0;  // a hash of which vertices tets, triangles and springs join
  bool operator==(const SampleShape&) const = default;
};

struct Sample {
  int64_t number = 0;
  SampleStatus status = SampleStatus::refused;
  int32_t attempts = 0, steps = 0;  // steps: of the last attempt
  std::string reason;               // of a failure
  std::vector<double> parameters;
  // Of each frame:
  std::vector<double> energy, residual, relative_residual, min_j;  // [J], [N], [-], [-]
  std::vector<int64_t> iterations;
  // x, y, z of each vertex in the user's order, frame after frame; fields that the plan does not want are empty.
  std::vector<double> positions, reactions, velocities;
  std::vector<double> rest_positions, probes;  // rest positions: once
  double seconds = 0;                          // in solving and setting up; no part of the checksum
  double setup_seconds = 0;                    // of them; not stored
  bool is_single = false;                      // it failed to converge in single precision; not stored

  // Zeros where there is no state, so that every array has its size.
  void fill(const DatasetPlan& plan, const SampleShape& shape);
  // Of everything but `seconds`, as it is stored: rounded where the plan wants single precision.
  uint64_t checksum(bool single_precision) const;
};

// A sample as bytes, in the form of io/envelope.h. `plan`: the identity of the plan it belongs to.
std::string encode_sample(const Sample& sample, uint64_t plan);
// Errors: bytes that are no such sample, or one of another plan.
Result<Sample> decode_sample(std::string_view bytes, uint64_t plan, const std::string& where);

}  // namespace sinew
