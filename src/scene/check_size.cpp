#include "scene/check_size.h"

#include "base/format.h"
#include "scene/generated.h"

namespace sinew {
namespace {

// What a tet takes at the peak of the set-up, its share of the vertices and all layouts included; measured on boxes of
// 6 million (docs/performance.md).
constexpr double bytes_per_tet = 220;

}  // namespace

Status check_size(const Scene& scene, int64_t available) {
  double total = 0, largest = 0;
  const SceneObject* at = nullptr;
  for (const SceneObject& object : scene.objects) {
    const double tets = copy_count(object) * generated_tets(object.mesh);
    total += tets;
    if (tets > largest) {
      largest = tets;
      at = &object;
    }
  }
  const double needed = total * bytes_per_tet;
  if (needed <= static_cast<double>(available)) return {};
  constexpr double gigabyte = 1e9;
  return Error{scene.source,
               "objects." + at->name +
                   format(".mesh: %.3g tetrahedra, %.3g in all, need about %.3g GB of memory; %.3g GB are available",
                          largest, total, needed / gigabyte, static_cast<double>(available) / gigabyte),
               "use fewer cells or shells, or a machine with more memory"};
}

}  // namespace sinew
