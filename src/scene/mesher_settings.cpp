#include "scene/mesher_settings.h"

#include <cmath>

#include "base/format.h"

namespace sinew {

Status check_settings(const MesherSettings& s) {
  const auto positive = [](const char* name, const std::optional<double>& value) -> Status {
    if (value && !(std::isfinite(*value) && *value > 0))
      return Error{name, format("= %g: must be above 0", *value), ""};
    return {};
  };
  for (const auto& [name, value] : {std::pair{"cell", s.cell}, {"cells", s.cells}, {"tets", s.tets}})
    if (Status status = positive(name, value); !status) return status;
  if (s.tets && *s.tets < 1) return Error{"tets", format("= %g: must be at least 1", *s.tets), ""};
  if (s.cell.has_value() + s.cells.has_value() + s.tets.has_value() > 1)
    return Error{"cell, cells, tets", "only one of these may be given", ""};
  if (name_of(s.mesher).empty())
    return Error{"mesher", format("= %d: must be one of stuffing, tetgen", static_cast<int>(s.mesher)), ""};
  if (s.mesher == Mesher::tetgen && (s.smoothing > 0 || !s.fit || s.coarsest > 0 || s.sharp_edges || s.thin_pieces))
    return Error{"mesher", "= \"tetgen\": smooths, grades and keeps the surface, its edges and pieces by itself",
                 "leave smoothing, fit, coarsest, sharp_edges and thin_pieces as they are by default"};
  if (s.mesher == Mesher::tetgen && s.tets)
    return Error{"mesher", "= \"tetgen\": takes a cell, not a number of tets", "give cell or cells"};
  return {};
}

}  // namespace sinew
