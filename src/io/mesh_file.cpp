#include "io/mesh_file.h"

#include "io/atomic_file.h"
#include "io/read_file.h"
#include "io/suffix.h"
#include "io/tetgen.h"

namespace sinew {

namespace fs = std::filesystem;

namespace {

Result<MeshData> read_tetgen(const fs::path& path) {
  const TetgenPair pair = tetgen_pair(path);
  const Result<std::string> node = read_file(pair.node);
  if (!node) return node.error();
  const Result<std::string> ele = read_file(pair.ele);
  if (!ele) return ele.error();
  return parse_tetgen(*node, pair.node.string(), *ele, pair.ele.string());
}

}  // namespace

Result<TetMesh> read_tet_mesh(const fs::path& path) {
  Result<MeshData> data = read_tetgen(path);
  if (!data) return data.error();
  return take_tets(std::move(*data), path.string());
}

}  // namespace sinew
