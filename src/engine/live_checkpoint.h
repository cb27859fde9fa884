// A simulation with all that was changed live as bytes, from which another process goes on with the same bits.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/live.h"

namespace sinew {

struct LiveCheckpoint {
  LiveState live;
  uint64_t model = 0;  // a fingerprint of the model's meshes and masses
  int32_t snapshots = 0;
  bool keeps_changes = true;
  std::string log;  // as changes() has it; empty where none are kept
};

LiveCheckpoint checkpoint_of(const Engine& engine);
std::string encode(const LiveCheckpoint& checkpoint);
// Errors: bytes that are not such a checkpoint, truncated or damaged ones, a scene that is faulty.
Result<LiveCheckpoint> decode_live_checkpoint(std::string_view bytes);

// Puts a new engine of the checkpoint's scene where the checkpoint is. Errors: meshes that have changed since.
Status go_on(Engine& engine, const LiveCheckpoint& checkpoint);

}  // namespace sinew
