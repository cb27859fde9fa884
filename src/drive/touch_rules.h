// What a scene lets touch, for the checker of intersections: read from the scene's own words, so that it shares nothing
// with what detects contacts.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "sinew/scene.h"

namespace sinew {

class TouchRules {
 public:
  explicit TouchRules(const Scene& scene);

  // Whether two may touch that are numbered as the scene lists them, objects, then colliders; all, in a scene without
  // contact. a = b: the bodies of an object; `self` is not looked at.
  bool touch(size_t a, size_t b) const;
  // Whether it is the nodes of a grid that keep the two apart, and not their surfaces.
  bool by_grid(size_t a, size_t b) const;

 private:
  bool contact_ = false;
  std::vector<bool> touches_;  // each by itself
  std::vector<bool> on_grid_;  // each: its vertices are embedded, or it is a collider, which holds nodes
  std::map<std::pair<size_t, size_t>, bool> pairs_;
  std::set<std::pair<size_t, size_t>> bound_;
};

}  // namespace sinew
