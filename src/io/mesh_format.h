// Which format a mesh has, by its suffix and first word, and reading it from bytes.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "exec/thread_pool.h"
#include "io/mesh_data.h"

namespace sinew {

enum class MeshKind { tets, surface };

// Suffixes as suffix_of (io/suffix.h) returns them.
bool holds(std::string_view suffix, MeshKind kind);
// TetGen's .node and .ele, which only parse_tetgen reads, since they are two files.
bool is_tetgen_suffix(std::string_view suffix);
// Does the suffix promise a mesh?
bool is_mesh_name(const std::filesystem::path& path);

// Of all formats that hold this kind but TetGen's. `path` names the mesh in errors. Errors: those of the parsers, and a
// suffix of no such format.
Result<MeshData> parse_mesh(std::string_view bytes, const std::filesystem::path& path, MeshKind kind, ThreadPool& pool);

// Null: no format of tets that is written. Of TetGen's pair that of the first file.
using TetEncoder = std::string (*)(const TetMesh&);
TetEncoder tet_encoder(std::string_view suffix);

}  // namespace sinew
