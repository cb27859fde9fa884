// ParaView's list of the frames of a run (.pvd): one file per time [s].
#pragma once

#include <span>
#include <string>

namespace sinew {

struct PvdEntry {
  double time;       // [s]
  std::string file;  // relative to the folder of the .pvd
};

std::string encode_pvd(std::span<const PvdEntry> entries);

}  // namespace sinew
