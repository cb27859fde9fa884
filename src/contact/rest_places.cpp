#include "contact/rest_places.h"

#include <cmath>
#include <limits>

namespace sinew {
namespace {

constexpr double beyond_all = std::numeric_limits<double>::infinity();
constexpr Vec3d nowhere{beyond_all, beyond_all, beyond_all};

bool is_within(double reach, Vec3d a, Vec3d b) {
  return std::abs(a.x - b.x) <= reach && std::abs(a.y - b.y) <= reach && std::abs(a.z - b.z) <= reach;
}

}  // namespace

void RestPlaces::hold(std::span<const int32_t> slots, double slack, std::span<Vec3d> from, std::span<Vec3d> to,
                      std::span<uint8_t> rests, ThreadPool& pool) {
  at_.resize(from.size(), nowhere);
  const double reach = slack / 2;
  pool.for_each(static_cast<int64_t>(slots.size()), [&](size_t k) {
    const auto s = static_cast<size_t>(slots[k]);
    Vec3d& at = at_[s];
    if (!(is_within(reach, from[s], at) && is_within(reach, to[s], at)))
      at = is_within(reach, from[s], to[s]) ? to[s] : nowhere;
    if (at.x == beyond_all) return;
    from[s] = to[s] = at;
    rests[s] = 1;
  });
}

std::vector<RestPlaces::Place> RestPlaces::all() const {
  std::vector<Place> places;
  for (size_t s = 0; s < at_.size(); ++s)
    if (at_[s].x != beyond_all) places.push_back({static_cast<int64_t>(s), at_[s]});
  return places;
}

void RestPlaces::set(std::span<const Place> places) {
  at_.clear();
  for (const Place& place : places) {
    at_.resize(static_cast<size_t>(place.slot) + 1, nowhere);
    at_.back() = place.at;
  }
}

}  // namespace sinew
