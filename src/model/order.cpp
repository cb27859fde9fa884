#include "model/order.h"

namespace sinew {

VertexOrder::VertexOrder(std::vector<int32_t> slot_of, int32_t slot_count)
    : slot_of_(std::move(slot_of)), vertex_at_(static_cast<size_t>(slot_count), -1) {
  for (size_t v = 0; v < slot_of_.size(); ++v) vertex_at_[slot_of_[v]] = static_cast<int32_t>(v);
}

}  // namespace sinew
