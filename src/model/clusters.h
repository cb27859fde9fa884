// The order in which sweeps by vertex walk through a mesh.
//
// Vertices are stored cluster by cluster. Clusters are pieces of the space-filling curve, so small that the positions
// of a cluster and of its neighbours outside, its halo, fit into a core's own cache and can be indexed by 16 bits.
// Clusters of one phase share neither tet nor tie, so threads process them concurrently; those that do, neighbours,
// take turns by phase. Within a cluster vertices are sorted by colour. A small mesh is one cluster without a halo,
// whose colours the threads share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "exec/thread_pool.h"
#include "mesh/coloring.h"
#include "mesh/tet_mesh.h"
#include "model/order.h"

namespace sinew {

// Slots of one colour begin at multiples of this, so that they form whole batches for every lane width.
inline constexpr int32_t slot_alignment = 16;
// Maximum number of slots in a cluster and its halo.
inline constexpr int32_t largest_cluster = 65536;
// Instead of a number of vertices: the mesh is one cluster, of any size. For sweeps that name vertices by slots
// (cuda/).
inline constexpr int32_t whole_mesh = -1;

struct Clusters {
  std::vector<int32_t> phase_begin{0};  // clusters of phase p: [phase_begin[p], phase_begin[p+1])
  std::vector<int32_t> slot_begin{0};   // slots of cluster c: [slot_begin[c], slot_begin[c+1])
  std::vector<int32_t> color_begin{0};  // colours of cluster c in StorageOrder: [color_begin[c], color_begin[c+1])
  std::vector<int64_t> halo_begin{0};
  std::vector<int32_t> halos;  // slots, ascending; of cluster c: [halo_begin[c], halo_begin[c+1])
  std::vector<int32_t> neighbour_begin{0};
  std::vector<int32_t> neighbours;  // clusters; of cluster c: [neighbour_begin[c], neighbour_begin[c+1])

  int32_t count() const { return static_cast<int32_t>(slot_begin.size()) - 1; }
  int32_t phase_count() const { return static_cast<int32_t>(phase_begin.size()) - 1; }
  int32_t own_count(int32_t cluster) const { return slot_begin[cluster + 1] - slot_begin[cluster]; }
  std::span<const int32_t> halo(int32_t cluster) const {
    return {halos.data() + halo_begin[cluster], halos.data() + halo_begin[cluster + 1]};
  }
  int32_t cluster_of(int32_t slot) const {
    return static_cast<int32_t>(std::upper_bound(slot_begin.begin(), slot_begin.end(), slot) - slot_begin.begin()) - 1;
  }
  // The index of a slot in the cluster's own sweep: first come its own slots, then those of its halo.
  int32_t local(int32_t cluster, int32_t slot) const {
    const int32_t own = slot - slot_begin[cluster];
    if (own >= 0 && own < own_count(cluster)) return own;
    const std::span<const int32_t> outside = halo(cluster);
    const auto at = std::lower_bound(outside.begin(), outside.end(), slot);
    return own_count(cluster) + static_cast<int32_t>(at - outside.begin());
  }
  size_t memory_bytes() const {
    return (phase_begin.capacity() + slot_begin.capacity() + color_begin.capacity() + halos.capacity() +
            neighbour_begin.capacity() + neighbours.capacity()) *
               sizeof(int32_t) +
           halo_begin.capacity() * sizeof(int64_t);
  }
};

// How a sweep by vertex of this cluster names a slot: as the cluster counts it, or with 32 bits by the slot itself.
template <class Corner>
Corner corner_of(const Clusters& clusters, int32_t cluster, int32_t slot) {
  return static_cast<Corner>(sizeof(Corner) == sizeof(uint16_t) ? clusters.local(cluster, slot) : slot);
}

struct StorageOrder {
  VertexOrder vertices;
  std::vector<int32_t> color_begin{0};  // slots of one colour of one cluster: [color_begin[k], color_begin[k+1])
  Clusters clusters;
  int32_t color_count = 0;  // the largest of all clusters
};

// The tets and the incidence number vertices by their places on the curve; curve[place] is the user's number.
// cluster_vertices: the most that a cluster may have; 0: what is fastest; whole_mesh: all. Errors: a vertex with more
// neighbours than a cluster may have.
Result<StorageOrder> storage_order(const std::vector<Tet>& tets, const Incidence& incidence,
                                   const std::vector<int32_t>& curve, int32_t cluster_vertices, ThreadPool& pool);

}  // namespace sinew
