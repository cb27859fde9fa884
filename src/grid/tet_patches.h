// Pieces of the meshes on a grid. A sweep by constraint takes a piece at once: it reads the nodes around its vertices,
// goes through its tets with the vertices alone, and writes the nodes (solver/by_constraint/embedded_kernel.h). So the
// fewer vertices there are for the tets of a piece, the better.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "model/model.h"

namespace sinew {

// Of a patch: more cost more to keep up to date in each visit to a tet than they save at the nodes.
inline constexpr int patch_vertices = 16;

class TetPatches {
 public:
  // Of all tets of blocks on the grid, block by block. They follow from the rest shape alone.
  explicit TetPatches(const Model& model);

  int32_t count() const { return static_cast<int32_t>(first_tet_.size()) - 1; }
  // The patches of a block of the model are [first_of_block(b), first_of_block(b + 1)).
  int32_t first_of_block(size_t block) const { return first_of_block_[block]; }
  // Of the model, in the order in which a sweep visits them.
  std::span<const int32_t> tets(int32_t patch) const { return part(tets_, first_tet_, patch); }
  // Of all tets in the order of patches, its first.
  int32_t first_tet(int32_t patch) const { return first_tet_[static_cast<size_t>(patch)]; }
  std::span<const int32_t> tets_of_block(size_t block) const {
    const auto first = static_cast<size_t>(first_tet(first_of_block(block)));
    return std::span(tets_).subspan(first, static_cast<size_t>(first_tet(first_of_block(block + 1))) - first);
  }
  // Of each tet: which vertices of the patch they are.
  std::span<const std::array<uint8_t, 4>> corners(int32_t patch) const { return part(corners_, first_tet_, patch); }
  std::span<const int32_t> slots(int32_t patch) const { return part(slots_, first_slot_, patch); }

 private:
  class Builder;
  template <class T>
  static std::span<const T> part(const std::vector<T>& all, const std::vector<int32_t>& first, int32_t patch) {
    const auto p = static_cast<size_t>(patch);
    return std::span(all).subspan(static_cast<size_t>(first[p]), static_cast<size_t>(first[p + 1] - first[p]));
  }

  std::vector<int32_t> first_of_block_, first_tet_{0}, first_slot_{0};
  std::vector<int32_t> tets_, slots_;
  std::vector<std::array<uint8_t, 4>> corners_;
};

}  // namespace sinew
