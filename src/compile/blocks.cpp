#include "compile/blocks.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/format.h"
#include "base/nearest.h"
#include "scene/material_values.h"
#include "scene/object_kinds.h"
#include "scene/region_labels.h"

namespace sinew {
namespace {

// Blocks are created on first use, so that unused materials have none. An object with stiffness factors has its own
// blocks: other objects of the same material keep the layouts that such factors preclude.
int32_t block_of(Draft& draft, const std::string& material, const SceneObject& object) {
  const std::string owner = object.stiffness_factors ? object.name : "";
  const int dimension = is_plane(object) ? 2 : 3;
  const bool on_grid = draft.scene.grid && object.on_grid;
  const auto [at, is_new] = draft.blocks.try_emplace({material, owner, dimension, on_grid, object.quadratic},
                                                     static_cast<int32_t>(draft.input.blocks.size()));
  if (is_new) {
    const auto found = std::find_if(draft.scene.materials.begin(), draft.scene.materials.end(),
                                    [&](const SceneMaterial& other) { return other.name == material; });
    const SceneMaterial& m = *found;
    draft.out.material_of_block.push_back(static_cast<int32_t>(found - draft.scene.materials.begin()));
    ElasticBlock block;
    block.material = elastic_material(m, dimension);
    block.damping = m.damping;
    block.on_grid = on_grid;
    draft.input.blocks.push_back(block);
    draft.input.density_of_block.push_back(m.density);
  }
  return at->second;
}

Error without_material(const Draft& draft, const std::set<int32_t>& labels,
                       const std::map<int32_t, int32_t>& block_of_label, std::span<const MeshGroup> groups,
                       const std::string& path) {
  constexpr size_t shown = 8;
  std::vector<std::string> missing;
  for (const int32_t label : labels) {
    if (block_of_label.contains(label)) continue;
    const auto named =
        std::find_if(groups.begin(), groups.end(), [&](const MeshGroup& g) { return g.is_region && g.label == label; });
    if (missing.size() < shown) missing.push_back(named == groups.end() ? std::to_string(label) : named->name);
  }
  if (missing.empty()) return draft.fault(path + ".material: missing", "its mesh has no regions");
  if (labels.size() - block_of_label.size() > shown) missing.emplace_back("...");
  return draft.fault(path + ".material: missing, for regions without a material of their own: " + word_list(missing),
                     "give each of them one in regions, or the object a material for all others");
}

}  // namespace

void set_material(ElasticBlock& block, const SceneMaterial& material) {
  block.material = scaled(elastic_material(material, block.plane() ? 2 : 3), block.stiffness_factor);
  block.damping = material.damping;
}

Status assign_materials(Draft& draft, const SceneObject& object, const TetMesh& mesh, std::span<const MeshGroup> groups,
                        const std::string& path) {
  std::map<int32_t, int32_t> block_of_label;
  std::set<int32_t> labels(mesh.regions.begin(), mesh.regions.end());
  for (const auto& [region, material] : object.regions) {
    const std::string at = joined({path, ".regions.", region_text(region)});
    const Result<int32_t> label = label_of(region, labels, groups);
    if (!label) return draft.fault(at + label.error().what, label.error().remedy);
    if (block_of_label.contains(*label))
      return draft.fault(joined({at, ": the region has a material already, under its ",
                                 std::holds_alternative<int>(region) ? "name" : "label"}),
                         "keep one of them");
    block_of_label[*label] = block_of(draft, material, object);
  }
  const bool all_mapped = !labels.empty() && block_of_label.size() == labels.size();
  if (!all_mapped && object.material.empty()) return without_material(draft, labels, block_of_label, groups, path);
  const int32_t own = all_mapped ? 0 : block_of(draft, object.material, object);
  for (size_t e = 0; e < mesh.tets.size(); ++e) {
    const auto at = mesh.regions.empty() ? block_of_label.end() : block_of_label.find(mesh.regions[e]);
    draft.input.block_of_tet.push_back(at == block_of_label.end() ? own : at->second);
  }
  return {};
}

}  // namespace sinew
