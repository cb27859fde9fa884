// Regions of a mesh by label or by name (sinew/scene.h), and the advice for a region that the mesh does not have.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/format.h"
#include "base/nearest.h"
#include "base/result.h"
#include "io/scanner.h"
#include "mesh/mesh_group.h"
#include "sinew/scene.h"

namespace sinew {

// A whole number is a label, anything else a name.
inline RegionId region_of_key(const std::string& key) {
  int64_t label = 0;
  if (to_whole(key, label) && label == static_cast<int>(label)) return static_cast<int>(label);
  return key;
}
inline std::string region_text(const RegionId& region) {
  if (const int* label = std::get_if<int>(&region)) return std::to_string(*label);
  return *std::get_if<std::string>(&region);
}

inline std::string known_labels(const std::set<int32_t>& labels) {
  std::string known;
  for (const int32_t l : labels) {
    known += (known.empty() ? "" : ", ") + std::to_string(l);
    if (known.size() > 60) {
      known += ", ...";
      break;
    }
  }
  return known.empty() ? "it has no regions at all" : "its labels are " + known;
}

// The label of a region in the mesh. `what` in an Error follows the text of the region.
inline Result<int32_t> label_of(const RegionId& region, const std::set<int32_t>& labels,
                                std::span<const MeshGroup> groups) {
  if (const int* label = std::get_if<int>(&region)) {
    if (labels.contains(*label)) return *label;
    return Error{"", ": the mesh has no region of this label", known_labels(labels)};
  }
  std::vector<std::string_view> names;
  for (const MeshGroup& group : groups) {
    if (!group.is_region) continue;
    if (group.name == *std::get_if<std::string>(&region)) return group.label;
    names.push_back(group.name);
  }
  if (names.empty())
    return Error{"", ": the mesh has no named regions; Gmsh's .msh has them, as physical volumes",
                 "use a label: " + known_labels(labels)};
  return Error{"", ": the mesh has no region of this name", did_you_mean(*std::get_if<std::string>(&region), names)};
}

}  // namespace sinew
