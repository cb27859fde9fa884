// A sparse symmetric matrix of 3x3 blocks by its lower triangle, whose unknowns are 3 slot + axis. Rows and columns of
// held vertices (and of padding) become those of the identity, so that one symbolic factorization serves while pins
// come and go.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "math/vec.h"
#include "model/glide.h"
#include "solver/linear_solver.h"
#include "solver/vertex_pattern.h"

namespace sinew {

class BlockMatrix {
 public:
  // Takes over the pattern; all values are 0.
  void build(VertexPattern pattern);
  void clear();

  const VertexPattern& pattern() const { return blocks_; }
  int32_t slot_count() const { return static_cast<int32_t>(blocks_.begin.size()) - 1; }
  bool has_block(int32_t low, int32_t high) const;
  // The index in the pattern of the block of two slots, which is in it.
  int32_t block_at(int32_t a, int32_t b) const;
  // Rows are of the higher slot, columns of the lower. Of diagonal blocks only the lower triangle counts.
  void add_block(int32_t block, const Mat3d& k);
  Mat3d block(int32_t block) const;
  // Adds value times the identity to the diagonal block of a slot.
  void add_to_diagonal(int32_t slot, double value);

  // To be called when all is added: makes rows and columns of held vertices those of the identity, and replaces blocks
  // K of vertices that glide by P K P + s N (model/glide.h), with s of the size of K. A free right-hand side then has a
  // free solution.
  void hold(std::span<const uint8_t> held, std::span<const Glide> glides);
  // To be called next: raises the diagonal a_cc of free unknowns by share * (a_cc + mean of a_cc). 0 restores it.
  void regularize(double share);

  const SparseSymmetric& matrix() const { return matrix_; }
  size_t memory_bytes() const;

 private:
  int64_t first_entry(int32_t block, int column) const;
  template <class Combine>
  void for_entries(int32_t block, const Mat3d& k, const Combine& combine);
  void set_block(int32_t block, const Mat3d& k);
  void constrain(std::span<const Glide> glides);

  SparseSymmetric matrix_;
  VertexPattern blocks_;
  std::vector<double> diagonal_;  // as `hold` wrote it
  std::vector<uint8_t> held_;
  std::vector<int32_t> glide_of_;  // by slot, -1: none; empty: no vertex glides
};

// y = A x.
void multiply(const SparseSymmetric& a, std::span<const double> x, std::span<double> y);
// y = |A| x, the entries' absolute values.
void multiply_absolute(const SparseSymmetric& a, std::span<const double> x, std::span<double> y);

}  // namespace sinew
