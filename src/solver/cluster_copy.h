// The positions of a cluster and its halo side by side, as the streams' 16-bit corners count them, while one thread
// sweeps the cluster; and the order in which clusters are swept.
#pragma once

#include <cstring>
#include <vector>

#include "exec/buffer.h"
#include "exec/thread_pool.h"
#include "math/lane.h"
#include "model/clusters.h"

namespace sinew {

template <class Real>
class ClusterCopy {
 public:
  // Copies what the cluster's sweep reads.
  Vec4<Real>* take(const Clusters& clusters, int32_t cluster, const Buffer<Vec4<Real>>& x) {
    return copy(clusters, cluster, x, x_);
  }
  const Vec4<Real>* take_previous(const Clusters& clusters, int32_t cluster, const Buffer<Vec4<Real>>& x_prev) {
    return copy(clusters, cluster, x_prev, x_prev_);
  }
  // Writes the cluster's own positions back.
  void give_back(const Clusters& clusters, int32_t cluster, Buffer<Vec4<Real>>& x) const {
    const auto own = static_cast<size_t>(clusters.own_count(cluster));
    std::memcpy(x.data() + clusters.slot_begin[cluster], x_.data(), own * sizeof(Vec4<Real>));
  }
  size_t memory_bytes() const { return (x_.capacity() + x_prev_.capacity()) * sizeof(Vec4<Real>); }

 private:
  static Vec4<Real>* copy(const Clusters& clusters, int32_t cluster, const Buffer<Vec4<Real>>& all,
                          Buffer<Vec4<Real>>& here) {
    const auto own = static_cast<size_t>(clusters.own_count(cluster));
    const std::span<const int32_t> halo = clusters.halo(cluster);
    if (here.size() < own + halo.size()) here.resize(own + halo.size());
    std::memcpy(here.data(), all.data() + clusters.slot_begin[cluster], own * sizeof(Vec4<Real>));
    for (size_t k = 0; k < halo.size(); ++k) here[own + k] = all[halo[k]];
    return here.data();
  }

  Buffer<Vec4<Real>> x_, x_prev_;
};

// Runs sweep(thread, cluster), phase by phase, with the clusters of a phase shared among the threads. They share no
// tet, so the split does not matter to the result.
template <class Sweep>
void for_each_cluster(ThreadPool& pool, const Clusters& clusters, const Sweep& sweep) {
  Barrier barrier(pool.size());
  pool.run([&](int thread) {
    for (int32_t phase = 0; phase < clusters.phase_count(); ++phase) {
      const int64_t begin = clusters.phase_begin[phase], end = clusters.phase_begin[phase + 1];
      const int64_t first = share_begin(begin, end, thread, pool.size());
      const int64_t last = share_begin(begin, end, thread + 1, pool.size());
      for (int64_t c = first; c < last; ++c) sweep(thread, static_cast<int32_t>(c));
      barrier.wait();
    }
  });
}

}  // namespace sinew
