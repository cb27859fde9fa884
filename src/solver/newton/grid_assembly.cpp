#include "solver/newton/grid_assembly.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr int32_t piece = 256;  // nodes

// A set of small numbers that is quick to empty.
class Marks {
 public:
  explicit Marks(int32_t size) : mark_(static_cast<size_t>(size), -1) {}
  // What it was marked with last; -1: nothing.
  int32_t operator[](int32_t i) const { return mark_[static_cast<size_t>(i)]; }
  void set(int32_t i, int32_t value) { mark_[static_cast<size_t>(i)] = value; }

 private:
  std::vector<int32_t> mark_;
};

}  // namespace

bool GridAssembly::begin_step(const StepProblem& problem, const VertexPattern& of_vertices, ThreadPool& pool) {
  neighbours_.find(*problem.embedding, of_vertices);
  VertexPattern pattern = pattern_of(problem, of_vertices, pool);
  const VertexPattern& before = matrix_.pattern();
  if (pattern.begin == before.begin && pattern.row == before.row) return false;
  matrix_.build(std::move(pattern));
  return true;
}

// Two nodes share a block if they carry vertices of one element or tie, a node and a vertex that is not on the grid if
// the node carries one it is tied to.
VertexPattern GridAssembly::pattern_of(const StepProblem& problem, const VertexPattern& of_vertices,
                                       ThreadPool& pool) const {
  const GridEmbedding& embedding = *problem.embedding;
  const int32_t slots = problem.model->slot_count(), nodes = embedding.node_count();
  std::vector<std::vector<int32_t>> rows_of(static_cast<size_t>(nodes));
  pool.parallel_for(nodes, piece, [&](int64_t begin, int64_t end) {
    Marks vertex(embedding.row_count()), node(nodes);
    for (auto i = static_cast<int32_t>(begin); i < end; ++i) {
      std::vector<int32_t>& rows = rows_of[static_cast<size_t>(i)];
      node.set(i, i);
      embedding.for_each_vertex(i, [&](int32_t row, double) {
        for (const VertexNeighbours::Neighbour& neighbour : neighbours_.of(row)) {
          const int32_t q = neighbour.row;
          if (vertex[q] == i) continue;
          vertex.set(q, i);
          for (const int32_t j : embedding.nodes(q)) {
            if (j <= i || node[j] == i) continue;
            node.set(j, i);
            rows.push_back(j);
          }
        }
      });
      std::sort(rows.begin(), rows.end());
    }
  });

  VertexPattern pattern{{0}, {}, {}};
  const auto add = [&](int32_t row, int32_t column) {
    pattern.row.push_back(row);
    pattern.column.push_back(column);
  };
  auto pair = neighbours_.free_pairs().begin();
  std::vector<int32_t> tied;  // nodes
  for (int32_t s = 0; s < slots; ++s) {
    for (int32_t k = of_vertices.begin[s]; k < of_vertices.begin[s + 1]; ++k)
      if (of_vertices.row[k] == s || !embedding.is_embedded(s)) add(of_vertices.row[k], s);
    tied.clear();
    for (; pair != neighbours_.free_pairs().end() && pair->slot == s; ++pair)
      for (const int32_t i : embedding.nodes(pair->row)) tied.push_back(i);
    std::sort(tied.begin(), tied.end());
    tied.erase(std::unique(tied.begin(), tied.end()), tied.end());
    for (const int32_t i : tied) add(slots + i, s);
    pattern.begin.push_back(static_cast<int32_t>(pattern.row.size()));
  }
  for (int32_t i = 0; i < nodes; ++i) {
    add(slots + i, slots + i);
    for (const int32_t j : rows_of[static_cast<size_t>(i)]) add(slots + j, slots + i);
    pattern.begin.push_back(static_cast<int32_t>(pattern.row.size()));
  }
  return pattern;
}

void GridAssembly::assemble(const StepProblem& problem, const BlockMatrix& of_vertices, ThreadPool& pool) {
  matrix_.clear();
  const VertexPattern& from = of_vertices.pattern();
  for (int32_t s = 0; s < problem.model->slot_count(); ++s) {
    if (problem.embedding->is_embedded(s)) continue;
    for (int32_t k = from.begin[s]; k < from.begin[s + 1]; ++k)
      matrix_.add_block(matrix_.block_at(from.row[k], s), of_vertices.block(k));
  }
  const GridEmbedding& embedding = *problem.embedding;
  for (const VertexNeighbours::FreePair& pair : neighbours_.free_pairs()) {
    const Mat3d own = of_vertices.block(pair.block), stiffness = pair.transposed ? transpose(own) : own;
    for (int n = 0; n < spline_nodes; ++n)
      matrix_.add_block(matrix_.block_at(problem.model->slot_count() + embedding.node(pair.row, n), pair.slot),
                        embedding.spline(pair.row).weight(n) * stiffness);
  }
  pool.parallel_for(problem.embedding->node_count(), piece, [&](int64_t first, int64_t last) {
    assemble_nodes(problem, of_vertices, static_cast<int32_t>(first), static_cast<int32_t>(last));
  });
}

// Column by column: with T_iq = sum_p w_ip K_pq, the blocks of a column are A_ij = sum_q w_jq T_iq.
void GridAssembly::assemble_nodes(const StepProblem& problem, const BlockMatrix& of_vertices, int32_t first,
                                  int32_t last) {
  const GridEmbedding& embedding = *problem.embedding;
  const int32_t slots = problem.model->slot_count();
  const VertexPattern& pattern = matrix_.pattern();
  Marks index(embedding.row_count()), place(embedding.node_count());
  std::vector<int32_t> touched;  // the vertices q
  std::vector<Mat3d> sums;       // T_iq of each
  std::vector<Mat3d> column;     // A_ij for j >= i
  for (int32_t i = first; i < last; ++i) {
    touched.clear();
    sums.clear();
    embedding.for_each_vertex(i, [&](int32_t row, double w) {
      for (const VertexNeighbours::Neighbour& n : neighbours_.of(row)) {
        if (index[n.row] < 0) {
          index.set(n.row, static_cast<int32_t>(touched.size()));
          touched.push_back(n.row);
          sums.emplace_back();
        }
        Mat3d& sum = sums[static_cast<size_t>(index[n.row])];
        const Mat3d stiffness = of_vertices.block(n.block);
        sum = sum + w * (n.transposed ? transpose(stiffness) : stiffness);
      }
    });
    const int32_t begin = pattern.begin[slots + i], end = pattern.begin[slots + i + 1];
    for (int32_t k = begin; k < end; ++k) place.set(pattern.row[k] - slots, k - begin);
    column.assign(static_cast<size_t>(end - begin), Mat3d{});
    for (size_t q = 0; q < touched.size(); ++q) {
      const Spline& spline = embedding.spline(touched[q]);
      const auto nodes = embedding.nodes(touched[q]);
      for (int n = 0; n < spline_nodes; ++n) {
        const int32_t j = nodes[static_cast<size_t>(n)];
        if (j < i) continue;
        Mat3d& block = column[static_cast<size_t>(place[j])];
        block = block + spline.weight(n) * sums[q];
      }
    }
    for (const int32_t q : touched) index.set(q, -1);
    // The row of a block in the lower triangle is j.
    for (int32_t k = begin; k < end; ++k) matrix_.add_block(k, transpose(column[static_cast<size_t>(k - begin)]));
    matrix_.add_to_diagonal(slots + i, problem.inverse_h2() * embedding.mass(i));
  }
}

size_t GridAssembly::memory_bytes() const {
  return matrix_.memory_bytes() + neighbours_.memory_bytes();
}

}  // namespace sinew
