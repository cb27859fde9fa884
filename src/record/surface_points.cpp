#include "record/surface_points.h"

#include <algorithm>

namespace sinew {

SurfacePoints::SurfacePoints(const Model& model, std::span<const RecordedSurface> surfaces,
                             std::span<const RecordedObject> objects) {
  const auto add = [&](int32_t vertex) {
    slots_.push_back(static_cast<int32_t>(model.order.slot(UserVertex{vertex})));
  };
  for (size_t k = 0; k < surfaces.size(); ++k) {
    const std::shared_ptr<const Skin>& skin = objects[k].skin;
    parts_.push_back({count_, slots_.size(), skin});
    for (const int32_t v : surfaces[k].vertices) add(v);
    for (int32_t body = 0; skin && body < skin->bodies; ++body)
      for (const int32_t v : skin->carriers) add(objects[k].first_vertex + body * skin->body_vertices + v);
    count_ += static_cast<size_t>(surfaces[k].point_count);
  }
}

SurfacePoints::Place SurfacePoints::place_of(size_t k) const {
  const auto behind = std::upper_bound(parts_.begin(), parts_.end(), k,
                                       [](size_t point, const Part& part) { return point < part.first_point; });
  const Part& part = *(behind - 1);
  const size_t point = k - part.first_point;
  if (!part.skin) return {&part, point, part.first_slot};
  const size_t body = point / part.skin->point_count();
  return {&part, point % part.skin->point_count(), part.first_slot + body * part.skin->carriers.size()};
}

}  // namespace sinew
