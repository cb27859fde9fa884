// The contribution of gliding vertices (model/glide.h) to the matrices of the lattice's cells: the whole stiffness of
// each tet that has one, positive semi-definite and at the current state, and the inertia of each such vertex,
//   A_ab += sum_ij N_a(X_i) N_b(X_j) P_i K_ij P_j,   P = 1 - N for gliding vertices, 1 for free and 0 for held ones.
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

// A matrix that is added to many pairs of corners: its columns, as pairs store them.
struct PairMatrix {
  using Column = Lane<float, 4>;
  explicit PairMatrix(const Mat3d& m) : columns{column(m.c0), column(m.c1), column(m.c2)} {}
  static Column column(Vec3d c) {
    return Column{static_cast<float>(c.x), static_cast<float>(c.y), static_cast<float>(c.z), 0};
  }
  Column columns[3];
};

// A_ab += scale m in the matrices of a cell, stored by pairs of corners and columns; a >= b.
inline void add_to_pair(Vec4<float>* cell, int a, int b, double scale, const PairMatrix& m) {
  float* const out = &cell[cell_pair(a, b) * 3].x;
  const auto by = splat<PairMatrix::Column>(scale);
  for (int c = 0; c < 3; ++c)
    store<PairMatrix::Column>(out + 4 * c, load<PairMatrix::Column>(out + 4 * c) + by * m.columns[c]);
}

class LatticeGlides {
 public:
  void begin_step(const StepProblem& problem, const LatticeCells& cells, const LatticeMoments& moments);
  bool empty() const { return glides_.empty(); }
  std::span<const Glide> all() const { return glides_; }
  // P v, with the P of a vertex.
  Vec3d moved(int32_t slot, Vec3d v) const {
    const int32_t glide = glide_of_.empty() ? -1 : glide_of_[static_cast<size_t>(slot)];
    return glide < 0 ? v : glides_[static_cast<size_t>(glide)].free_part(v);
  }
  // Adds to the matrices, at positions x by slot.
  template <class Real>
  void add(std::span<const Vec4<Real>> x, std::span<Vec4<float>> matrices, ThreadPool& pool) const;
  size_t memory_bytes() const;

 private:
  // A cell with gliding vertices.
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
  std::vector<int32_t> glide_of_;  // by slot, -1: none; empty: no vertex glides
  std::vector<uint8_t> held_;
  std::vector<double> inertia_;         // [N/m] of each glide
  std::vector<double> mean_stiffness_;  // [Pa] of each block, that of the mean J of quadratic tets
  std::vector<Part> parts_;
  double inverse_h_ = 0;       // [1/s]; 0 in equilibria
  std::vector<Vec3d> before_;  // by slot, at the start of the step; empty: no damping by the rate of strain
};

}  // namespace sinew
