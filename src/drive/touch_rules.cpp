#include "drive/touch_rules.h"

#include <algorithm>
#include <string_view>

#include "scene/object_kinds.h"

namespace sinew {

TouchRules::TouchRules(const Scene& scene) : contact_(scene.contact || !scene.colliders.empty()) {
  std::map<std::string_view, size_t> number;
  std::set<size_t> never;
  for (const SceneObject& object : scene.objects) {
    number.emplace(object.name, touches_.size());
    if (is_of_springs(object.mesh) || is_plane(object)) never.insert(touches_.size());
    touches_.push_back(object.contact.touches.value_or(true));
    on_grid_.push_back(scene.grid && object.on_grid);
  }
  for (const SceneCollider& collider : scene.colliders) {
    number.emplace(collider.name, touches_.size());
    touches_.push_back(collider.contact.touches.value_or(true));
    on_grid_.push_back(scene.grid.has_value());
  }
  for (const SceneBinding& b : scene.bindings)
    if (b.bind.object != b.to.object) bound_.insert(std::minmax({number.at(b.bind.object), number.at(b.to.object)}));
  if (scene.contact) {
    for (const SceneContactPair& p : scene.contact->pairs)
      if (p.touches) pairs_[std::minmax({number.at(p.a), number.at(p.b)})] = *p.touches;
  }
  // Springs and bodies of plane strain take no part in contact.
  for (const size_t one : never)
    for (size_t other = 0; other < touches_.size(); ++other) pairs_[std::minmax({one, other})] = false;
}

bool TouchRules::by_grid(size_t a, size_t b) const {
  if (!on_grid_[a] || !on_grid_[b]) return false;
  const auto said = pairs_.find({std::min(a, b), std::max(a, b)});
  return said == pairs_.end() || !said->second;
}

bool TouchRules::touch(size_t a, size_t b) const {
  if (!contact_) return true;
  const std::pair<size_t, size_t> both{std::min(a, b), std::max(a, b)};
  if (const auto said = pairs_.find(both); said != pairs_.end()) return said->second;
  return touches_[a] && touches_[b] && !bound_.contains(both);
}

}  // namespace sinew
