#include "compile/bindings.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/format.h"
#include "compile/bind.h"

namespace sinew {
namespace {

// The chosen vertices on the object's surface; for a chain, all of them.
std::vector<int32_t> on_surface(const std::vector<int32_t>& chosen, const ObjectPart& object) {
  if (object.surface.empty()) return chosen;
  std::vector<int32_t> surface, both;
  for (const Triangle& t : object.surface) surface.insert(surface.end(), t.begin(), t.end());
  std::sort(surface.begin(), surface.end());
  surface.erase(std::unique(surface.begin(), surface.end()), surface.end());
  std::set_intersection(chosen.begin(), chosen.end(), surface.begin(), surface.end(), std::back_inserter(both));
  return both;
}

// `bound_by`: for each vertex the last binding, -1: none.
void warn_of_bound_twice(Draft& draft, const std::vector<int32_t>& vertices, size_t number,
                         std::vector<int32_t>& bound_by) {
  bound_by.resize(draft.mesh.vertices.size(), -1);
  std::map<int32_t, size_t> shared;
  for (const int32_t v : vertices) {
    if (bound_by[v] >= 0) ++shared[bound_by[v]];
    bound_by[v] = static_cast<int32_t>(number);
  }
  for (const auto& [before, count] : shared)
    draft.warn(format("bindings.%zu binds %zu vert%s that bindings.%d binds too: both pull", number, count,
                      count == 1 ? "ex" : "ices", before));
}

Status add_binding(Draft& draft, size_t number, std::vector<int32_t>& bound_by) {
  const SceneBinding& binding = draft.scene.bindings[number];
  const std::string path = format("bindings.%zu", number);
  Result<std::vector<int32_t>> first = draft.select(binding.bind.select, binding.bind.object, path + ".bind");
  if (!first) return first.error();
  const std::vector<int32_t> vertices = on_surface(*first, draft.part(binding.bind.object));
  if (vertices.empty())
    return draft.fault(path + format(".bind.select: %zu vertices, but none of them lies on the surface", first->size()),
                       "select some that do");
  Result<std::vector<int32_t>> second = draft.select(binding.to.select, binding.to.object, path + ".to");
  if (!second) return second.error();
  std::vector<Triangle> triangles;
  const auto is_chosen = [&](int32_t v) { return std::binary_search(second->begin(), second->end(), v); };
  for (const Triangle& t : draft.part(binding.to.object).surface)
    if (is_chosen(t[0]) && is_chosen(t[1]) && is_chosen(t[2])) triangles.push_back(t);
  if (triangles.empty())
    return draft.fault(path + format(".to.select: %zu vertices, but no triangle of the surface has all of its vertices "
                                     "among them",
                                     second->size()),
                       "select more of the object");

  const Bound bound = bind_vertices(binding, vertices, triangles, draft.mesh.vertices, draft.input.ties);
  if (std::isinf(bound.nearest))
    return draft.fault(path + ".bind.select: all of its vertices belong to the triangles that they would be bound to",
                       "select others");
  if (bound.vertices.empty())
    return draft.fault(
        path + format(".distance = %g [m]: no vertex of '%s' lies so near to the surface of '%s': the "
                      "smallest distance there is is %.6g m",
                      binding.distance, binding.bind.object.c_str(), binding.to.object.c_str(), bound.nearest),
        "use a larger distance, or move the objects nearer to each other");
  warn_of_bound_twice(draft, bound.vertices, number, bound_by);
  return {};
}

}  // namespace

Status add_bindings(Draft& draft) {
  std::vector<int32_t> bound_by;
  for (size_t k = 0; k < draft.scene.bindings.size(); ++k)
    if (Status s = add_binding(draft, k, bound_by); !s) return s;
  return {};
}

}  // namespace sinew
