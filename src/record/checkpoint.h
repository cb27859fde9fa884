// A checkpoint: everything a run needs to go on as if it had not been stopped, bit for bit.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "math/vec.h"

namespace sinew {

// All arrays in the user's vertex order, in double precision, exactly as the run had them.
struct Checkpoint {
  std::vector<Vec3d> x, v, v_before;  // [m], [m/s], [m/s]; V entries each
  double time = 0;                    // [s]
  int64_t step = 0;                   // steps taken
  int64_t frame = 0;                  // the frame this state is at
  int64_t frames_written = 0;         // filled in by the Recorder
  std::string solver_state;           // whatever the solver keeps from step to step
};

// What a checkpoint must fit to be used.
struct CheckpointIdentity {
  std::string version;      // of Sinew; another version may round differently
  uint64_t scene_hash = 0;  // of the scene as resolved and of its meshes
};

std::string encode_checkpoint(const Checkpoint& checkpoint, const CheckpointIdentity& identity);
Result<Checkpoint> decode_checkpoint(std::string_view file, const CheckpointIdentity& identity, size_t vertex_count,
                                     const std::string& where);

// The new file is on the disk before it takes the place of the old one: after a crash one of the two is there.
Status save_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint,
                       const CheckpointIdentity& identity);
// Errors: missing, truncated, damaged, of another version, scene or mesh; each says what to do instead.
Result<Checkpoint> load_checkpoint(const std::filesystem::path& path, const CheckpointIdentity& identity,
                                   size_t vertex_count);

}  // namespace sinew
