// A checkpoint: everything a run needs to go on as if it had not been stopped, bit for bit.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/model.h"

namespace sinew {

// In the solver's order, exactly as the run had it.
struct Checkpoint {
  State state;
  int64_t frame = 0;           // that this state is at
  int64_t frames_written = 0;  // up to it
};

// What a checkpoint must fit to be used.
struct CheckpointIdentity {
  std::string version;       // of Sinew; another version may round differently
  uint64_t scene_hash = 0;   // of the scene as resolved and of its meshes in the solver's order
  int32_t vertex_count = 0;  // of the meshes
  int32_t slot_count = 0;    // entries of the state's arrays
};

Result<Checkpoint> decode_checkpoint(std::string_view file, const CheckpointIdentity& identity,
                                     const std::string& where);

// The new file is on the disk before it takes the place of the old one: after a crash one of the two is there.
// The state is written from where it lies.
Status save_checkpoint(const std::filesystem::path& path, const State& state, int64_t frame, int64_t frames_written,
                       const CheckpointIdentity& identity);
// Errors: missing, truncated, damaged, of another version, scene or mesh; each says what to do instead.
Result<Checkpoint> load_checkpoint(const std::filesystem::path& path, const CheckpointIdentity& identity);

}  // namespace sinew
