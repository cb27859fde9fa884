// The matrix of Newton's method for bodies on a grid (grid/grid_embedding.h), whose unknowns are the nodes: with the
// stiffness K of the vertices (assembly.h), which move as x = W x_nodes, it is M/h^2 + W^T K W. Vertices beside the
// grid keep their rows, and nodes follow the slots.
#pragma once

#include <cstdint>

#include "exec/thread_pool.h"
#include "grid/grid_embedding.h"
#include "model/step_problem.h"
#include "solver/newton/block_matrix.h"
#include "solver/newton/vertex_neighbours.h"

namespace sinew {

class GridAssembly {
 public:
  // Finds the pattern of a step, given that of the vertices; false if it is the one of the step before. Takes time
  // linear in the number of vertices.
  bool begin_step(const StepProblem& problem, const VertexPattern& of_vertices, ThreadPool& pool);
  // The same where the vertices have another pattern than at the start of the step.
  bool renew(const StepProblem& problem, const VertexPattern& of_vertices, ThreadPool& pool) {
    neighbours_.forget();
    return begin_step(problem, of_vertices, pool);
  }
  // Writes the matrix as if no node were held. The bits do not depend on the number of threads.
  void assemble(const StepProblem& problem, const BlockMatrix& of_vertices, ThreadPool& pool);

  BlockMatrix& block_matrix() { return matrix_; }
  const BlockMatrix& block_matrix() const { return matrix_; }
  size_t memory_bytes() const;

 private:
  VertexPattern pattern_of(const StepProblem& problem, const VertexPattern& of_vertices, ThreadPool& pool) const;
  void assemble_nodes(const StepProblem& problem, const BlockMatrix& of_vertices, int32_t first, int32_t last);

  VertexNeighbours neighbours_;
  BlockMatrix matrix_;
};

}  // namespace sinew
