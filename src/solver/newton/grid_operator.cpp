#include "solver/newton/grid_operator.h"

#include <cmath>

#include "exec/for_all.h"

namespace sinew {
namespace {

// P d P + s N, as in block_matrix.h.
Sym3<double> constrained(const Sym3<double>& d, const Glide& g) {
  const auto freed = [&](const Mat3d& m) { return Mat3d{g.free_part(m.c0), g.free_part(m.c1), g.free_part(m.c2)}; };
  const Mat3d m = freed(transpose(freed({{d.xx, d.xy, d.xz}, {d.xy, d.yy, d.yz}, {d.xz, d.yz, d.zz}})));
  const double size = (std::abs(d.xx) + std::abs(d.yy) + std::abs(d.zz)) / 3, s = size > 0 ? size : 1;
  return {m.c0.x + s * g.fixed.xx, m.c1.x + s * g.fixed.xy, m.c2.x + s * g.fixed.xz,
          m.c1.y + s * g.fixed.yy, m.c2.y + s * g.fixed.yz, m.c2.z + s * g.fixed.zz};
}

}  // namespace

void GridOperator::begin_step(const StepProblem& problem, const SparseSymmetric& of_vertices) {
  problem_ = &problem;
  if (rows_.size() > 0) return;
  rows_.analyze(of_vertices);
}

void GridOperator::assemble(const BlockMatrix& of_vertices, std::span<const Glide> glides, ThreadPool& pool) {
  const GridEmbedding& embedding = *problem_->embedding;
  const int64_t slots = rows_.size();
  neighbours_.find(embedding, of_vertices.pattern());
  rows_.read(of_vertices.matrix(), pool);
  diagonal_.resize(problem_->unknown_count());
  added_.assign(diagonal_.size(), Vec3d{});
  glide_.assign(diagonal_.size(), nullptr);
  for (const Glide& g : glides) glide_[static_cast<size_t>(g.slot)] = &g;
  pool.for_each(slots, [&](size_t s) { diagonal_[s] = rows_.diagonal_block(static_cast<int64_t>(s)); });
  pool.parallel_for(embedding.node_count(), 256, [&](int64_t first, int64_t last) {
    std::vector<double> weight_of(static_cast<size_t>(embedding.row_count()));
    for (int64_t i = first; i < last; ++i)
      diagonal_[static_cast<size_t>(slots + i)] = block_of(static_cast<int32_t>(i), of_vertices, weight_of);
  });
  for (size_t row = 0; row < diagonal_.size(); ++row) {
    if (problem_->held[row]) diagonal_[row] = {1, 0, 0, 1, 0, 1};
    if (glide_[row]) diagonal_[row] = constrained(diagonal_[row], *glide_[row]);
  }
}

// m_i/h^2 + sum_pq w_ip w_iq K_pq. `weight_of`, by row, is 0 before and after.
Sym3<double> GridOperator::block_of(int32_t node, const BlockMatrix& of_vertices, std::span<double> weight_of) const {
  const GridEmbedding& embedding = *problem_->embedding;
  embedding.for_each_vertex(node, [&](int32_t row, double w) { weight_of[static_cast<size_t>(row)] = w; });
  Mat3d sum{};
  embedding.for_each_vertex(node, [&](int32_t row, double w) {
    for (const VertexNeighbours::Neighbour& n : neighbours_.of(row)) {
      const double share = w * weight_of[static_cast<size_t>(n.row)];
      if (share > 0) sum = sum + share * of_vertices.block(n.block);
    }
  });
  embedding.for_each_vertex(node, [&](int32_t row, double) { weight_of[static_cast<size_t>(row)] = 0; });
  const double inertia = problem_->inverse_h2() * embedding.mass(node);
  // Blocks come in pairs, of which each is the other's transpose.
  return {sum.c0.x + inertia, 0.5 * (sum.c0.y + sum.c1.x), 0.5 * (sum.c0.z + sum.c2.x),
          sum.c1.y + inertia, 0.5 * (sum.c1.z + sum.c2.y), sum.c2.z + inertia};
}

void GridOperator::regularize(double share) {
  added_.assign(diagonal_.size(), Vec3d{});
  if (share == 0) return;
  double sum = 0, count = 0;
  for (size_t row = 0; row < diagonal_.size(); ++row) {
    if (problem_->held[row]) continue;
    const Sym3<double>& d = diagonal_[row];
    sum += std::abs(d.xx) + std::abs(d.yy) + std::abs(d.zz);
    count += 3;
  }
  const double mean = count > 0 ? sum / count : 0;
  for (size_t row = 0; row < diagonal_.size(); ++row) {
    const Sym3<double>& d = diagonal_[row];
    if (!problem_->held[row])
      added_[row] = share * Vec3d{std::abs(d.xx) + mean, std::abs(d.yy) + mean, std::abs(d.zz) + mean};
  }
}

Sym3<double> GridOperator::diagonal_block(int64_t row) const {
  Sym3<double> d = diagonal_[static_cast<size_t>(row)];
  const Vec3d more = added_[static_cast<size_t>(row)];
  d.xx += more.x;
  d.yy += more.y;
  d.zz += more.z;
  return d;
}

Vec3d GridOperator::free_part(int64_t row, Vec3d v) const {
  if (problem_->held[static_cast<size_t>(row)]) return {};
  const Glide* const glide = glide_[static_cast<size_t>(row)];
  return glide ? glide->free_part(v) : v;
}

// The free parts of x, and W times them where there is a grid.
void GridOperator::carry(std::span<const double> x, ThreadPool& pool, std::span<double> of_slots) const {
  const GridEmbedding& embedding = *problem_->embedding;
  const int64_t slots = rows_.size();
  for_all(pool, slots, [&](size_t s) {
    const auto slot = static_cast<int32_t>(s);
    const int32_t row = embedding.row_of(slot);
    if (row < 0) return put_row(free_part(slot, row_of(x, slot)), of_slots, slot);
    const Spline& spline = embedding.spline(row);
    const auto nodes = embedding.nodes(row);
    Vec3d sum{};
    for (int n = 0; n < spline_nodes; ++n) {
      const int64_t node = slots + nodes[static_cast<size_t>(n)];
      sum += spline.weight(n) * free_part(node, row_of(x, node));
    }
    put_row(sum, of_slots, slot);
  });
}

// Of W^T.
Vec3d GridOperator::gathered(int32_t node, std::span<const double> of_slots) const {
  const GridEmbedding& embedding = *problem_->embedding;
  Vec3d sum{};
  embedding.for_each_vertex(node, [&](int32_t row, double w) { sum += w * row_of(of_slots, embedding.slot(row)); });
  return sum;
}

void GridOperator::times(std::span<const double> x, std::span<double> y, ThreadPool& pool) const {
  const int64_t slots = rows_.size();
  at_.resize(static_cast<size_t>(3 * slots));
  force_.resize(at_.size());
  carry(x, pool, at_);
  rows_.times(at_, force_, pool);
  for_all(pool, size(), [&](size_t r) {
    const auto row = static_cast<int64_t>(r);
    const Vec3d own = row_of(x, row);
    if (problem_->held[r]) return put_row(own, y, row);
    const Vec3d free = free_part(row, own), more = added_[r];
    Vec3d force;
    if (row < slots) {
      force = row_of(force_, row);
    } else {
      const auto node = static_cast<int32_t>(row - slots);
      force = gathered(node, force_) + (problem_->inverse_h2() * problem_->node_mass[static_cast<size_t>(node)]) * free;
    }
    if (const Glide* const glide = glide_[r]) {
      force = glide->free_part(force) + diagonal_[r] * (own - free);
    }
    put_row(force + Vec3d{more.x * own.x, more.y * own.y, more.z * own.z}, y, row);
  });
}

void GridOperator::times_absolute(const SparseSymmetric& of_vertices, std::span<const double> x, std::span<double> y,
                                  ThreadPool& pool) const {
  const int64_t slots = rows_.size();
  std::vector<double> size(x.size());
  for (size_t i = 0; i < x.size(); ++i) size[i] = std::abs(x[i]);
  const std::span<double> of_slots = y.first(static_cast<size_t>(3 * slots));
  multiply_absolute(of_vertices, std::span(size).first(of_slots.size()), of_slots);
  for_all(pool, static_cast<int64_t>(problem_->node_count()), [&](size_t i) {
    const int64_t row = slots + static_cast<int64_t>(i);
    put_row(gathered(static_cast<int32_t>(i), of_slots) +
                (problem_->inverse_h2() * problem_->node_mass[i]) * row_of(size, row),
            y, row);
  });
}

size_t GridOperator::memory_bytes() const {
  return rows_.memory_bytes() + neighbours_.memory_bytes() + diagonal_.capacity() * sizeof(Sym3<double>) +
         added_.capacity() * sizeof(Vec3d) + glide_.capacity() * sizeof(glide_[0]) +
         (at_.capacity() + force_.capacity()) * sizeof(double);
}

}  // namespace sinew
