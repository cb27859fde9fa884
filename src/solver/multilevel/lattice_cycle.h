// Solves A x = b on a lattice approximately, by conjugate gradients preconditioned by V-cycles over lattices of twice
// the spacing (Brandt 1977; Trottenberg, Oosterlee & Schueller 2001): Gauss-Seidel by nodes, colour by colour, before
// the coarser correction, and in reverse order after it. The coarser matrices are Galerkin's, assembled cube by cube
// like the finest one. Each connected part of the coarsest lattice is solved by a dense Cholesky factorization, or by
// sweeps if it is too large for that.
//
// All but the factorization is in single precision, because the result is a correction, not the solution.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exec/buffer.h"
#include "exec/thread_pool.h"
#include "solver/multilevel/lattice_cells.h"
#include "solver/multilevel/lattice_sweep.h"

namespace sinew {

// Adds weight_a weight_b K to the blocks of any two of its nodes: couples nodes that need not share a cube.
struct NodeCoupling {
  struct End {
    int32_t node;
    float weight;
  };
  std::vector<End> ends;  // each node once, ascending
};

// Adds k 1 to the block of two nodes and to its transpose, or once to the diagonal block of one. In lists each pair
// comes once, in rising order.
struct NodePair {
  int32_t a, b;  // a >= b
  double k;      // [N/m]
  bool operator==(const NodePair&) const = default;
};
// Makes such a list of pairs in any order: adds up what those of the same nodes have, in the order that they have.
void add_up(std::vector<NodePair>& pairs);

class LatticeCycle {
 public:
  struct Weight {
    int32_t place;
    float weight;
  };
  struct Weights {  // a list per place
    std::vector<int32_t> begin;
    std::vector<Weight> entries;
  };
  // A contribution to a block of the matrix.
  struct CouplingShare {
    int64_t target;  // lane of a block; for a diagonal block -1 - lane
    int32_t coupling;
    float weight;
  };
  // The same of a pair, whatever the state.
  struct PairShare {
    int64_t target;
    float k;
  };
  struct Level {
    std::vector<LatticeCube> cubes;  // with places as nodes
    std::vector<NodeCoupling> couplings;
    int32_t places = 0;
    std::vector<int32_t> color_begin;  // groups of each colour
    std::vector<int32_t> entry_begin, upper_begin, column;
    std::vector<int64_t> source_begin;  // for each lane of each entry, then for each diagonal
    std::vector<int32_t> sources;       // block of a cube, times two; plus one if it is to be transposed
    std::vector<CouplingShare> coupled;
    std::vector<NodePair> pairs;  // with places as nodes
    std::vector<PairShare> paired;
    Buffer<float> block, diagonal, inverse;
    std::vector<Vec4<float>> b, x, r;
    Weights up, down;                  // to the next coarser level, and from it
    std::vector<int32_t> child_begin;  // for each cube, on the next finer level
    std::vector<int32_t> children;
    Buffer<Vec4<float>> cube_matrices;  // on coarser levels
  };
  // A connected part of the coarsest lattice.
  struct Part {
    std::vector<int32_t> places;
    std::vector<double> factor;  // rows of the Cholesky factor L; empty: solved by sweeps
  };

  // Builds all levels from the cubes of the finest lattice. Takes time linear in the number of nodes.
  void prepare(std::span<const LatticeCube> cubes, int32_t nodes, std::vector<NodeCoupling> couplings,
               std::vector<NodePair> pairs = {});
  const std::vector<NodeCoupling>& couplings() const { return couplings_; }
  // Recomputes the matrices from those of the cubes, three columns for each pair of corners a >= b, and the K of the
  // couplings. False if the result is not finite.
  bool refresh(std::span<const Vec4<float>> cube_matrices, std::span<const Mat3<float>> stiffness, ThreadPool& pool);
  // Solves for x from b, starting at 0, by at most `cycles` cycles; stops after one that lowered the energy by less
  // than `small_gain` times the total decrease.
  void solve(int cycles, double small_gain, const LatticeKernels& kernels, ThreadPool& pool);

  // Vectors have a place for each node, and padding that remains 0.
  int32_t place_of(int32_t node) const { return place_[node]; }
  int32_t place_count() const { return levels_.empty() ? 0 : levels_.front().places; }
  std::vector<Vec4<float>>& right() { return right_; }
  const std::vector<Vec4<float>>& right() const { return right_; }
  std::vector<Vec4<float>>& left() { return left_; }
  const std::vector<Vec4<float>>& left() const { return left_; }
  // A x on the finest lattice, in double precision; for tests.
  std::vector<Vec3d> product(std::span<const Vec3d> x) const;

  // For devices (cuda/device_lattice.h), which have their own copies of the levels.
  std::span<const Level> levels() const { return levels_; }
  std::span<const Part> parts() const { return parts_; }
  bool sweeps_coarsest() const { return sweeps_coarsest_; }
  int64_t revision() const { return revision_; }  // changes with each `prepare`
  // Number of sweeps that replace a factorization if that is not possible.
  static constexpr int coarsest_sweeps = 8;

  int32_t level_count() const { return static_cast<int32_t>(levels_.size()); }
  int64_t block_count() const;
  size_t memory_bytes() const;

 private:
  class Builder;
  struct Crew {
    const LatticeKernels& kernels;
    ThreadPool& pool;
    template <class Work>
    void share(const Level& level, int64_t first, int64_t last, int64_t grain, const Work& work) const;
  };

  void fill(Level& level, std::span<const Vec4<float>> cube_matrices, std::span<const Mat3<float>> stiffness,
            ThreadPool& pool);
  void join_children(const Level& fine, std::span<const Vec4<float>> from, Level& coarse, ThreadPool& pool);
  bool factorize();
  void cycle(size_t l, const Crew& crew);
  static void sweep(Level& level, RowPass pass, const Crew& crew);
  void solve_coarsest(const Crew& crew);
  void conjugate_gradients(int cycles, double small_gain, const Crew& crew);
  static NodeRows rows_of(Level& level);

  std::vector<Level> levels_;
  std::vector<NodeCoupling> couplings_;
  std::vector<Vec4<float>> right_, left_, direction_, image_;  // b, x, p and A p, by place
  std::vector<double> sums_;                                   // by chunks of places
  std::vector<int32_t> place_;                                 // for each node
  std::vector<Part> parts_;
  bool sweeps_coarsest_ = false;
  int64_t revision_ = 0;
};

}  // namespace sinew
