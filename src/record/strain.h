// The strain of tetrahedra, for pictures:
//   F = [x1-x0 x2-x0 x3-x0] [X1-X0 X2-X0 X3-X0]^-1,  J = det F,
//   strain = max_i |s_i - 1| over the principal stretches s_i, the smallest of which has the sign of J.
// 0.3 means stretched or squeezed by 30 % along the worst direction; an element above 1 may be inverted.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "exec/thread_pool.h"
#include "math/vec.h"
#include "mesh/tet_mesh.h"
#include "model/model.h"

namespace sinew {

struct TetStrain {
  double j;
  double strain;
};

TetStrain tet_strain(const std::vector<Vec3d>& rest, std::span<const Vec3d> x, const Tet& tet);

// Of every tet, in the user's order. x: per slot.
void measure_strain(const Model& model, std::span<const Vec3d> x, ThreadPool& pool, std::span<double> j,
                    std::span<double> strain);

// |l/l0 - 1| of a spring among the ties; 0 for zero rest length.
double spring_strain(const Ties& ties, int32_t tie, std::span<const Vec3d> x);

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
