#include "compile/draft.h"

#include <algorithm>

#include "base/format.h"
#include "base/nearest.h"
#include "compile/selection.h"

namespace sinew {

Error Draft::fault(const std::string& path, const Error& error) const {
  return fault(joined({path, ": ", error.where, error.where.empty() ? "" : ": ", error.what}), error.remedy);
}

const ObjectPart& Draft::part(const std::string& object) const {
  return *std::find_if(out.objects.begin(), out.objects.end(), [&](const ObjectPart& p) { return p.name == object; });
}

Result<std::vector<int32_t>> Draft::select(const Selection& selection, const std::string& object,
                                           const std::string& path) const {
  Result<std::vector<int32_t>> chosen = select_vertices(selection, mesh.vertices, range_of(part(object)), folder());
  if (!chosen) return fault(path + ".select" + chosen.error().where + chosen.error().what, chosen.error().remedy);
  return chosen;
}

}  // namespace sinew
