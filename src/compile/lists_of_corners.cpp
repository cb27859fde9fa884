#include "compile/lists_of_corners.h"

#include <algorithm>
#include <variant>
#include <vector>

#include "base/format.h"
#include "element/quadratic_tetrahedron.h"

namespace sinew {
namespace {

int64_t left_out(std::span<const int32_t> chosen, const ObjectPart& object, const TetMesh& mesh) {
  std::vector<uint8_t> is_done(mesh.vertices.size());  // chosen, or counted
  for (const int32_t v : chosen) is_done[static_cast<size_t>(v)] = 1;
  std::vector<uint8_t> is_chosen = is_done;
  int64_t count = 0;
  for (auto e = static_cast<size_t>(object.first_tet); e < static_cast<size_t>(object.last_tet); ++e) {
    for (int edge = 0; edge < 6; ++edge) {
      const auto end = [&](int j) {
        return static_cast<size_t>(mesh.tets[e][static_cast<size_t>(QuadraticTetrahedron::end(edge, j))]);
      };
      uint8_t& done = is_done[static_cast<size_t>(mesh.middles[e][static_cast<size_t>(edge)])];
      if (done || !is_chosen[end(0)] || !is_chosen[end(1)]) continue;
      done = 1;
      ++count;
    }
  }
  return count;
}

}  // namespace

std::string left_out_middles(const Selection& selection, std::span<const int32_t> chosen, const ObjectPart& object,
                             const TetMesh& mesh, const std::string& path, const char* what) {
  if (!std::holds_alternative<SelectIndices>(selection) && !std::holds_alternative<SelectFile>(selection)) return {};
  const bool is_quadratic = !mesh.middles.empty() && object.first_tet < object.last_tet &&
                            mesh.middles[static_cast<size_t>(object.first_tet)][0] != no_middle;
  const int64_t count = is_quadratic ? left_out(chosen, object, mesh) : 0;
  if (count == 0) return {};
  return path + format(
                    ".select: %lld middles of edges whose two ends are listed %s: those of a quadratic object have "
                    "numbers of their own, behind its corners; list them too, or select by place or group",
                    static_cast<long long>(count), what);
}

}  // namespace sinew
