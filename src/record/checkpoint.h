// A checkpoint: everything a run needs to continue, bit for bit, as if it had never stopped.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/model.h"

namespace sinew {

// The state in the solver's order, exact.
struct Checkpoint {
  State state;
  std::string contacts;        // what contacts keep from step to step (Contacts::save)
  int64_t frame = 0;           // the frame of this state
  int64_t frames_written = 0;  // up to it
};

// What a checkpoint must match to be used.
struct CheckpointIdentity {
  std::string version;       // of Sinew; another version may round differently
  uint64_t scene_hash = 0;   // of the scene as resolved and of its meshes in the solver's order
  int32_t vertex_count = 0;  // of the meshes
  int32_t slot_count = 0;    // entries of the state's arrays
};

Result<Checkpoint> decode_checkpoint(std::string_view file, const CheckpointIdentity& identity,
                                     const std::string& where);

// The new file is on disk before it replaces the old one: after a crash one of the two exists. The state is written
// without copying.
Status save_checkpoint(const std::filesystem::path& path, const State& state, std::string_view contacts, int64_t frame,
                       int64_t frames_written, const CheckpointIdentity& identity);
// Errors: missing, truncated, damaged, of another version, scene or mesh; each with a remedy.
Result<Checkpoint> load_checkpoint(const std::filesystem::path& path, const CheckpointIdentity& identity);

}  // namespace sinew
