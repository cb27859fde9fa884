// Conjugate gradients (Hestenes & Stiefel 1952) as a linear solver of Newton's method, preconditioned by the inverses
// of the 3x3 diagonal blocks (Nocedal & Wright 2006, algorithm 5.3) or not at all. Every iterate, from the first on, is
// a direction of descent; a fixed small number of iterations makes the "limited" Newton's method of Chen et al. 2023,
// PBNG, table 2. If the matrix shows negative curvature, p.A p <= 0, `solve` fails, as a Cholesky factorization does.
#pragma once

#include "solver/newton/block_rows.h"

namespace sinew {

enum class Preconditioner : int { diagonal_blocks, none };

class ConjugateGradient final : public LinearSolver {
 public:
  // Stops when |b - A x| <= tolerance |b|, or after `iterations`; 0: as many as there are unknowns.
  ConjugateGradient(ThreadPool& pool, int iterations, double tolerance,
                    Preconditioner preconditioner = Preconditioner::diagonal_blocks)
      : pool_(pool), most_(iterations), tolerance_(tolerance), preconditioner_(preconditioner) {}

  const char* name() const override { return "conjugate gradients"; }
  bool analyze(const SparseSymmetric& a) override;
  // Inverts the diagonal blocks; false, whatever the preconditioner, if one is not positive definite.
  bool factorize(const SparseSymmetric& a) override;
  // The same for a matrix that is known by its products only; it needs no `analyze`, and must outlive the solves.
  bool factorize(const BlockOperator& a);
  bool solve(std::span<const double> b, std::span<double> x) override;

  int iterations() const { return iterations_; }  // of the last solve

 private:
  ThreadPool& pool_;
  const int most_;
  const double tolerance_;
  const Preconditioner preconditioner_;
  int iterations_ = 0;
  BlockRows rows_;
  const BlockOperator* a_ = nullptr;
  Buffer<Sym3<double>> inverse_;                                  // of the diagonal blocks, or 1 without preconditioner
  Buffer<double> residual_, preconditioned_, direction_, image_;  // r, z, p, A p by unknown
};

}  // namespace sinew
