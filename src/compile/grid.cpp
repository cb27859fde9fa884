#include "compile/grid.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "base/format.h"
#include "compile/contacts.h"
#include "compile/grid_collider.h"
#include "scene/object_kinds.h"

namespace sinew {
namespace {

// [-] Spacings over the mean edge of the embedded tets beyond which the user is warned: with a finer grid nodes lie
// between vertices that nothing connects to them, with a coarser one bodies lose their detail.
constexpr double finest = 0.5, coarsest = 3;

double mean_edge(const Model& model) {
  double sum = 0, count = 0;
  for (const ElasticBlock& block : model.blocks) {
    if (!block.on_grid) continue;
    for (int32_t e = block.first_tet; e < block.last_tet; ++e) {
      const Tet& t = model.tets[static_cast<size_t>(e)];
      for (size_t j = 0; j < 4; ++j)
        for (size_t k = j + 1; k < 4; ++k) {
          const Vec3d d = model.rest[static_cast<size_t>(t[k])] - model.rest[static_cast<size_t>(t[j])];
          sum += std::sqrt(dot(d, d));
          ++count;
        }
    }
  }
  return count > 0 ? sum / count : 0;
}

// Of bodies that nothing meets, and of what is asked of contact where the grid keeps bodies apart.
void warn_of_contact(Draft& draft) {
  const Scene& scene = draft.scene;
  const bool meets = std::any_of(scene.colliders.begin(), scene.colliders.end(),
                                 [](const SceneCollider& c) { return c.contact.touches != false; });
  std::set<std::string_view> on_grid;  // or colliders, which hold its nodes
  for (const SceneCollider& c : scene.colliders) on_grid.insert(c.name);
  for (const SceneObject& o : scene.objects) {
    const std::string path = "objects." + o.name;
    if (o.on_grid) {
      on_grid.insert(o.name);
      if (o.contact.touches == false)
        draft.warn(path +
                   ".contact.touches = false: the nodes of the grid keep it apart from colliders and from other "
                   "bodies on it all the same; set its on_grid to false");
      if (o.contact.self == true)
        draft.warn(path +
                   ".contact.self = true: on a grid a body meets itself by the nodes alone, unless an entry of "
                   "contact.pairs with it as both a and b says \"touches\": true");
    } else if (!has_contact(scene) && !scene.no_contact && !is_of_springs(o.mesh) && !is_plane(o)) {
      draft.warn(path +
                 (meets ? ": passes through all colliders and the bodies on the grid"
                        : ": passes through the bodies on the grid") +
                 "; \"contact\": {} lets it touch them");
    }
  }
  if (!scene.contact) return;
  for (size_t k = 0; k < scene.contact->pairs.size(); ++k) {
    const SceneContactPair& pair = scene.contact->pairs[k];
    if (pair.touches == false && on_grid.contains(pair.a) && on_grid.contains(pair.b))
      draft.warn(format("contact.pairs.%zu.touches = false: the nodes of the grid keep the two apart all the same", k));
  }
}

}  // namespace

Status add_grid(Draft& draft) {
  const GridSettings& grid = *draft.scene.grid;
  const Model& model = draft.out.model;
  if (model.grid.empty())
    return draft.fault("grid: no object is on it", "leave it out, or set on_grid of an object to true");
  warn_of_contact(draft);
  GridRules rules;
  rules.sticky = grid.colliders == GridColliders::sticky;
  rules.cfl = grid.cfl;
  for (size_t k = 0; k < draft.scene.colliders.size(); ++k) {
    const SceneCollider& collider = draft.scene.colliders[k];
    if (collider.contact.touches == false) continue;
    Result<GridCollider> one = grid_collider(draft, collider);
    if (!one) return one.error();
    one->script = k;
    rules.colliders.push_back(std::move(*one));
  }
  const double edge = mean_edge(model), share = edge > 0 ? grid.spacing / edge : 1;
  if (share < finest || share > coarsest)
    draft.warn(
        format("grid.spacing = %g [m]: %.2g times the mean edge of the meshes on it, %.3g m; a spacing near that "
               "edge is what the method is made for",
               grid.spacing, share, edge));
  draft.out.grid = std::move(rules);
  return has_contact(draft.scene) ? Status() : add_grid_surface(draft);
}

}  // namespace sinew
