// Medit's .mesh in text form (P. Frey, MEDIT: an interactive mesh visualization software, INRIA RT-0253, 2001):
// keywords, each followed by a count and by lines of 1-based indices with a reference number at the end.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "exec/thread_pool.h"
#include "io/mesh_data.h"

namespace sinew {

// References of tetrahedra become regions, unless all are 0. Other sections are skipped.
Result<MeshData> parse_medit(std::string_view bytes, std::string_view name, ThreadPool& pool = ThreadPool::caller());
std::string encode_medit(const TetMesh& mesh);

}  // namespace sinew
