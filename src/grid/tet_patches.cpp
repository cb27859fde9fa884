#include "grid/tet_patches.h"

#include <algorithm>

#include "base/assert.h"
#include "mesh/coloring.h"

namespace sinew {

// Grows one patch after the other: from the first tet that is left, by the vertex that brings most tets at once, of
// those the one nearest to the middle, until no other fits.
class TetPatches::Builder {
 public:
  Builder(const Model& model, TetPatches& out)
      : model_(model),
        out_(out),
        at_(incidence_of(model.tets, static_cast<size_t>(model.slot_count()))),
        taken_(model.tets.size(), 0),
        known_(model.tets.size(), 0),
        place_(static_cast<size_t>(model.slot_count()), -1),
        gain_(static_cast<size_t>(model.slot_count()), 0) {}

  void add_patches(const ElasticBlock& block) {
    for (int32_t e = block.first_tet; e < block.last_tet; ++e)
      if (!taken_[static_cast<size_t>(e)]) grow(block, e);
  }

 private:
  void grow(const ElasticBlock& block, int32_t seed) {
    block_ = &block;
    middle_ = {};
    slots_.clear();
    met_.clear();
    nearly_.clear();
    for (const int32_t s : model_.tets[static_cast<size_t>(seed)]) add(s);
    while (static_cast<int>(slots_.size()) < patch_vertices) {
      const int32_t next = best();
      if (next < 0) break;
      add(next);
    }
    for (const int32_t s : slots_) {
      place_[static_cast<size_t>(s)] = -1;
      out_.slots_.push_back(s);
    }
    for (const int32_t e : met_) known_[static_cast<size_t>(e)] = 0;
    out_.first_slot_.push_back(static_cast<int32_t>(out_.slots_.size()));
    out_.first_tet_.push_back(static_cast<int32_t>(out_.tets_.size()));
  }

  // A vertex, and the tets that have all their corners now.
  void add(int32_t s) {
    place_[static_cast<size_t>(s)] = static_cast<int32_t>(slots_.size());
    slots_.push_back(s);
    middle_ += model_.rest[static_cast<size_t>(s)];
    for (int64_t k = at_.begin[static_cast<size_t>(s)]; k < at_.begin[static_cast<size_t>(s) + 1]; ++k) {
      const auto e = static_cast<int32_t>(at_.entries[static_cast<size_t>(k)] / 4);
      if (e < block_->first_tet || e >= block_->last_tet || taken_[static_cast<size_t>(e)]) continue;
      uint8_t& known = known_[static_cast<size_t>(e)];
      if (++known == 1) met_.push_back(e);
      if (known == 3) nearly_.push_back(e);
      if (known == 4) take(e);
    }
  }
  void take(int32_t e) {
    taken_[static_cast<size_t>(e)] = 1;
    out_.tets_.push_back(e);
    std::array<uint8_t, 4> corners{};
    for (size_t j = 0; j < 4; ++j)
      corners[j] = static_cast<uint8_t>(place_[static_cast<size_t>(model_.tets[static_cast<size_t>(e)][j])]);
    out_.corners_.push_back(corners);
  }

  // -1: no tet lacks one vertex only.
  int32_t best() {
    std::erase_if(nearly_, [&](int32_t e) { return taken_[static_cast<size_t>(e)] != 0; });
    const auto missing = [&](int32_t e) {
      int32_t lacks = -1;
      for (const int32_t s : model_.tets[static_cast<size_t>(e)])
        if (place_[static_cast<size_t>(s)] < 0) lacks = s;
      return lacks;
    };
    for (const int32_t e : nearly_) ++gain_[static_cast<size_t>(missing(e))];
    int32_t best = -1, most = 0;
    double nearest = 0;
    const Vec3d middle = (1 / static_cast<double>(slots_.size())) * middle_;
    for (const int32_t e : nearly_) {
      const int32_t s = missing(e), gain = gain_[static_cast<size_t>(s)];
      if (gain == 0 || gain < most) continue;
      const Vec3d way = model_.rest[static_cast<size_t>(s)] - middle;
      const double distance = dot(way, way);
      if (gain == most && distance >= nearest) continue;
      best = s;
      most = gain;
      nearest = distance;
    }
    for (const int32_t e : nearly_) gain_[static_cast<size_t>(missing(e))] = 0;
    return best;
  }

  const Model& model_;
  TetPatches& out_;
  Incidence at_;
  const ElasticBlock* block_ = nullptr;
  std::vector<uint8_t> taken_, known_;  // by tet: whether it has a patch, how many corners this one has
  std::vector<int32_t> place_, gain_;   // by slot: in the patch, the tets that it would bring
  std::vector<int32_t> slots_, met_, nearly_;
  Vec3d middle_{};
};

TetPatches::TetPatches(const Model& model) {
  first_of_block_.push_back(0);
  if (!model.grid.empty()) {
    Builder builder(model, *this);
    for (const ElasticBlock& block : model.blocks) {
      if (block.on_grid) builder.add_patches(block);
      first_of_block_.push_back(count());
    }
  }
}

}  // namespace sinew
