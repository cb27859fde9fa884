// The only place that knows both vertex orders: the user's, and the solver's, in which vertices of one colour are
// stored along a space-filling curve, padded to whole batches. The two kinds of index have different types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/assert.h"
#include "math/vec.h"

namespace sinew {

enum class UserVertex : int32_t {};
enum class Slot : int32_t {};  // a vertex in solver order, or padding

class VertexOrder {
 public:
  VertexOrder() = default;
  // slot_of[v] is the slot of user vertex v; slots without a vertex are padding.
  VertexOrder(std::vector<int32_t> slot_of, int32_t slot_count);

  int32_t vertex_count() const { return static_cast<int32_t>(slot_of_.size()); }
  int32_t slot_count() const { return static_cast<int32_t>(vertex_at_.size()); }

  Slot slot(UserVertex v) const { return Slot{slot_of_[static_cast<int32_t>(v)]}; }
  bool is_padding(Slot s) const { return vertex_at_[static_cast<int32_t>(s)] < 0; }
  UserVertex vertex(Slot s) const {
    SINEW_ASSERT(!is_padding(s));
    return UserVertex{vertex_at_[static_cast<int32_t>(s)]};
  }

  // Converts a per-vertex array from user order to solver order, where padding gets `fill`; and back.
  template <class T>
  std::vector<T> to_slots(const std::vector<T>& user, const T& fill) const {
    std::vector<T> slots(static_cast<size_t>(slot_count()), fill);
    for (size_t v = 0; v < slot_of_.size(); ++v) slots[slot_of_[v]] = user[v];
    return slots;
  }
  template <class T>
  std::vector<T> to_user(const std::vector<T>& slots) const {
    std::vector<T> user(slot_of_.size());
    for (size_t v = 0; v < slot_of_.size(); ++v) user[v] = slots[slot_of_[v]];
    return user;
  }

 private:
  std::vector<int32_t> slot_of_;    // by user vertex
  std::vector<int32_t> vertex_at_;  // by slot; -1: padding
};

}  // namespace sinew
