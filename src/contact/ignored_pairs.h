// Pairs that met when the simulation started, or when one of them was added, and may pass through each other
// (contact.start: "allow") until they are apart: until nothing of the two intersects, none lies inside the other, and
// no gap is below the radius of their contacts, so that nothing pushes when they begin to touch. A body that crosses
// itself is a pair with itself; of that, gaps do not count.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "contact/candidates.h"
#include "contact/contact_surface.h"
#include "contact/surface_map.h"
#include "exec/thread_pool.h"

namespace sinew {

// Two bodies, first <= second; or a body and a half space, second = -1 - its number.
struct IgnoredPair {
  int32_t first = 0, second = 0;

  auto operator<=>(const IgnoredPair&) const = default;
};

class IgnoredPairs {
 public:
  bool empty() const { return pairs_.empty(); }
  bool has(int32_t body, int32_t other) const;  // bodies in any order
  bool has_plane(int32_t body, size_t plane) const { return has(body, -1 - static_cast<int32_t>(plane)); }
  const std::vector<IgnoredPair>& all() const { return pairs_; }  // ascending
  void add(std::span<const IgnoredPair> pairs);
  void clear() { pairs_.clear(); }
  // Those of another surface that are still there.
  void add_of(const IgnoredPairs& earlier, const SurfaceMap& map);
  // False: one of them is not of the surface.
  bool fit(const ContactSurface& surface) const;

  // Forgets pairs that are apart at x. `near`: candidates, all that are nearer there than their radius included.
  void forget_apart(const ContactSurface& surface, PointPositions x, const CandidatePairs& near,
                    std::span<const ContactPlane> planes, ThreadPool& pool);

 private:
  std::vector<IgnoredPair> pairs_;
};

}  // namespace sinew
