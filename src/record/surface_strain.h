// The strain, and means of tensors, at the points of surfaces, for pictures.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "exec/thread_pool.h"
#include "math/vec.h"
#include "model/model.h"

namespace sinew {

// The strain at surface points: the mean over the incident tets, weighted by rest volume, or over the springs if there
// is no tet. Stores two numbers per point and one per slot; the tets' strains are summed as they are measured.
class SurfaceStrain {
 public:
  SurfaceStrain() = default;
  // slot_of_point: each slot at most once.
  SurfaceStrain(const Model& model, std::span<const int32_t> slot_of_point);
  // Per point. Bit-identical for any number of threads.
  std::vector<double> measure(const Model& model, std::span<const Vec3d> x, ThreadPool& pool) const;
  // The same mean of a tensor; 0 without tets. measure(block, first, last, out) writes those of the tets [first, last)
  // of one block.
  using MeasureTensor = std::function<void(const ElasticBlock&, int32_t first, int32_t last, std::span<Sym3<double>>)>;
  std::vector<Sym3<double>> mean(const Model& model, ThreadPool& pool, const MeasureTensor& measure) const;

 private:
  template <class Visit>
  void for_each_spring_end(const Model& model, const Visit& visit) const;

  std::vector<int32_t> point_of_slot_;  // -1: none
  std::vector<uint8_t> of_springs_;     // of each point: whether it has no tet; empty if the model has no ties
  std::vector<double> volume_;  // [m^3] of the tets around each point; for points of springs the number of springs
};

}  // namespace sinew
