// TetGen's pair of files: vertices in .node, tetrahedra in .ele (Hang Si, TetGen manual, section 5.2).
//   .node   count 3 attributes markers     then   id x y z [attributes] [marker]
//   .ele    count 4 attributes             then   id a b c d [region]; or 10 nodes, of which the last 6 are middles
// Ids are consecutive from 0 or from 1; '#' starts a comment. The first attribute of a tetrahedron is its region.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "exec/thread_pool.h"
#include "io/mesh_data.h"

namespace sinew {

Result<MeshData> parse_tetgen(std::string_view node, std::string_view node_name, std::string_view ele,
                              std::string_view ele_name, ThreadPool& pool = ThreadPool::caller());

// The two files of a pair, given either of them or their common name without suffix. The partner's suffix is in
// capitals if the named one's begins with a capital.
struct TetgenPair {
  std::filesystem::path node;
  std::filesystem::path ele;
};
TetgenPair tetgen_pair(const std::filesystem::path& path);

std::string encode_tetgen_node(const TetMesh& mesh);
std::string encode_tetgen_ele(const TetMesh& mesh);

}  // namespace sinew
