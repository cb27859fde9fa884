// What gliding vertices (model/glide.h) add to the matrices of the lattice's cells: of each tet that has one the whole
// of its stiffness, positive semi-definite, at the state of now, and of each such vertex its inertia,
//   A_ab += sum_ij N_a(X_i) N_b(X_j) P_i K_ij P_j,   P = 1 - N of vertices that glide, 1 of free ones, 0 of held ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exec/thread_pool.h"
#include "math/lane.h"
#include "model/step_problem.h"
#include "solver/multilevel/lattice_cells.h"
#include "solver/multilevel/lattice_moments.h"

namespace sinew {

// A_ab += scale m at the matrices of a cell, by pairs of corners and columns; a >= b.
inline void add_to_pair(Vec4<float>* cell, int a, int b, double scale, const Mat3d& m) {
  Vec4<float>* out = cell + cell_pair(a, b) * 3;
  for (const Vec3d& column : {m.c0, m.c1, m.c2}) {
    out->x += static_cast<float>(scale * column.x);
    out->y += static_cast<float>(scale * column.y);
    out->z += static_cast<float>(scale * column.z);
    ++out;
  }
}

class LatticeGlides {
 public:
  void begin_step(const StepProblem& problem, const LatticeCells& cells, const LatticeMoments& moments);
  bool empty() const { return glides_.empty(); }
  std::span<const Glide> all() const { return glides_; }
  // P of a vertex times v.
  Vec3d moved(int32_t slot, Vec3d v) const {
    const int32_t glide = glide_of_.empty() ? -1 : glide_of_[static_cast<size_t>(slot)];
    return glide < 0 ? v : glides_[static_cast<size_t>(glide)].free_part(v);
  }
  // At positions x by slot.
  template <class Real>
  void add(std::span<const Vec4<Real>> x, std::span<Vec4<float>> matrices, ThreadPool& pool) const;
  size_t memory_bytes() const;

 private:
  // Of a cell that has any.
  struct Part {
    int32_t cell;
    std::vector<LatticeCells::Share> tets;
    std::vector<int32_t> members;  // slots
  };
  template <class Real>
  void add_tet(const Part& part, const LatticeCells::Share& share, std::span<const Vec4<Real>> x,
               Vec4<float>* matrices) const;

  const Model* model_ = nullptr;
  const LatticeCells* cells_ = nullptr;
  std::vector<Glide> glides_;
  std::vector<int32_t> glide_of_;  // by slot, -1: none; empty: none glides
  std::vector<uint8_t> held_;
  std::vector<double> inertia_;  // [N/m] of each glide
  std::vector<Part> parts_;
  double inverse_h_ = 0;       // [1/s] 0 in equilibria
  std::vector<Vec3d> before_;  // by slot, at the start of the step; empty: no damping by the rate of strain
};

}  // namespace sinew
