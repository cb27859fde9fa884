// Builds the link strip of one vertex after another, with its numbers (model/vertex_stream.h has their formulas).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "material/coefficients.h"
#include "material/neo_hookean.h"
#include "mesh/coloring.h"
#include "model/link_neighbours.h"
#include "model/link_strip.h"
#include "model/model.h"

namespace sinew {

// The tets of a block at a slot: the range [begin, end) of the incidence, whose entries ascend.
struct TetsAt {
  const uint32_t* begin;
  const uint32_t* end;
};
TetsAt tets_at(const Incidence& incidence, const ElasticBlock& block, int32_t slot);

// One entry of a strip with its numbers.
struct LinkEntry {
  uint32_t neighbour;  // as index in the cluster
  bool next_keeps;
  double k, w, c;
};

// The strip of one vertex, with its numbers.
struct LinkRow {
  std::vector<LinkEntry> entries;
  double laplacian = 0;  // the sum of k
  double largest = 0;    // |k|
};

// Splits the strip in parts[0] into as many strips of about equal length, whose sums are those of the whole.
void split(std::span<LinkRow> parts);

// The indices of slots in a cluster, or the slots themselves. Caches those in the halo, because neighbouring vertices
// need the same ones.
class LocalSlots {
 public:
  explicit LocalSlots(const Clusters& clusters, bool by_slot) : clusters_(clusters), by_slot_(by_slot) {}

  void enter(int32_t cluster) {
    if (cluster == cluster_ || by_slot_) return;
    cluster_ = cluster;
    first_ = clusters_.slot_begin[cluster];
    own_ = static_cast<uint32_t>(clusters_.own_count(cluster));
    known_.assign(known_.size(), {});
  }
  uint32_t operator()(int32_t slot) {
    if (by_slot_) return static_cast<uint32_t>(slot);
    // Whether a neighbour is in the halo is unpredictable, whether it is cached is predictable.
    const auto own = static_cast<uint32_t>(slot - first_);
    const bool in_halo = own >= own_;
    Known& known = known_[static_cast<uint32_t>(slot) * 2654435769u >> 19];
    if (in_halo & (known.slot != slot)) known = {slot, static_cast<uint32_t>(clusters_.local(cluster_, slot))};
    return in_halo ? known.local : own;
  }

 private:
  struct Known {
    int32_t slot = -1;
    uint32_t local = 0;
  };
  const Clusters& clusters_;
  bool by_slot_;
  int32_t cluster_ = -1, first_ = 0;
  uint32_t own_ = 0;
  std::vector<Known> known_ = std::vector<Known>(1 << 13);
};

// Not safe for concurrent use; keeps its scratch memory.
class LinkBuilder {
 public:
  // by_slot: neighbours are slots instead of indices in the cluster.
  LinkBuilder(const Model& model, const Incidence& incidence, const ElasticBlock& block, bool by_slot = false)
      : model_(model),
        incidence_(incidence),
        block_(block),
        material_(coefficients_of<NeoHookean>(block.material)),
        local_slot_(model.clusters, by_slot) {}

  // The strip of the vertex at `slot`, whose neighbours are indices in `cluster`.
  void build(int32_t cluster, int32_t slot, LinkRow& row);

 private:
  struct FaceNumbers {
    double c, w;
  };
  // The links of the cells of a box are alike, so links that many vertices have in common are processed once. A link
  // that occurs a second time is stored in one of the places given by a hash of the vertex's corner in each tet.
  struct KnownLink {
    uint64_t name = 0;  // hash of the last link that came here
    std::vector<LinkFace> faces;
    std::vector<int32_t> first;  // for each neighbour: the first corner 3 face + k that it is
    std::vector<StripEntry> strip;
  };

  const std::vector<StripEntry>& find_strip(int32_t slot);
  void see_from(int32_t slot);
  void weigh();

  const Model& model_;
  const Incidence& incidence_;
  const ElasticBlock& block_;
  NeoHookean<double> material_;
  LinkStripper stripper_;
  Neighbours neighbours_;
  LocalSlots local_slot_;
  std::vector<Vec3d> edges_;          // [m] from the vertex to its neighbours
  std::vector<double> weight_;        // [N/m] of the neighbours
  std::vector<uint32_t> local_;       // the neighbours as indices in the cluster
  std::vector<LinkFace> corners_;     // of the faces, as slots
  std::vector<LinkFace> faces_;       // the same as numbers of neighbours
  std::vector<FaceNumbers> numbers_;  // of the faces
  std::vector<double> factors_;       // of the faces' tets; empty: 1
  static constexpr int known_bits = 6;
  static constexpr size_t ways = 4;
  std::vector<KnownLink> known_{ways << known_bits};
};

}  // namespace sinew
