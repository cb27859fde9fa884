// A contiguous copy of the positions of a cluster and its halo, indexed by the streams' 16-bit corners, while one
// thread sweeps the cluster; and the order in which clusters are swept.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "exec/buffer.h"
#include "exec/ordered_tasks.h"
#include "exec/thread_pool.h"
#include "math/lane.h"
#include "model/clusters.h"
#include "solver/sweep_order.h"

namespace sinew {

template <class Real>
class ClusterCopy {
 public:
  // Copies the positions that the cluster's sweep reads.
  Vec4<Real>* take(const Clusters& clusters, int32_t cluster, const Buffer<Vec4<Real>>& x) {
    return copy(clusters, cluster, x, x_);
  }
  const Vec4<Real>* take_previous(const Clusters& clusters, int32_t cluster, const Buffer<Vec4<Real>>& x_prev) {
    return copy(clusters, cluster, x_prev, x_prev_);
  }
  const Vec4<Real>* take_base(const Clusters& clusters, int32_t cluster, const Buffer<Vec4<Real>>& base) {
    return copy(clusters, cluster, base, base_);
  }
  // Writes the cluster's own positions back.
  void give_back(const Clusters& clusters, int32_t cluster, Buffer<Vec4<Real>>& x) const {
    const auto own = static_cast<size_t>(clusters.own_count(cluster));
    std::memcpy(x.data() + clusters.slot_begin[cluster], x_.data(), own * sizeof(Vec4<Real>));
  }
  size_t memory_bytes() const { return (x_.capacity() + x_prev_.capacity() + base_.capacity()) * sizeof(Vec4<Real>); }

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

  Buffer<Vec4<Real>> x_, x_prev_, base_;
};

// Runs sweep(thread, cluster) for all clusters, neighbours in the order of their phases.
class ClusterSweeps {
 public:
  template <class Sweep>
  void run(ThreadPool& pool, const Clusters& clusters, const Visits& phases, const Sweep& sweep) {
    ranks_.resize(static_cast<size_t>(clusters.count()));
    for (int32_t k = 0; k < clusters.phase_count(); ++k) {
      const int32_t phase = phases[k];
      std::fill(ranks_.begin() + clusters.phase_begin[phase], ranks_.begin() + clusters.phase_begin[phase + 1], k);
    }
    tasks_.run(pool, {clusters.neighbour_begin, clusters.neighbours}, ranks_, sweep);
  }
  // The same, but phase by phase, with begin_phase() before each.
  template <class Begin, class Sweep>
  static void run_phases(ThreadPool& pool, const Clusters& clusters, const Visits& phases, const Begin& begin_phase,
                         const Sweep& sweep) {
    for (const int32_t phase : phases) {
      begin_phase();
      const int32_t begin = clusters.phase_begin[phase];
      pool.parallel_for(clusters.phase_begin[phase + 1] - begin, 1, [&](int thread, int64_t first, int64_t last) {
        for (int64_t k = first; k < last; ++k) sweep(thread, begin + static_cast<int32_t>(k));
      });
    }
  }

 private:
  std::vector<int32_t> ranks_;  // of the clusters: the places of their phases in the sweep
  OrderedTasks tasks_;
};

}  // namespace sinew
