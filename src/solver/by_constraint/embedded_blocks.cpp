#include "solver/by_constraint/embedded_blocks.h"

#include <algorithm>

#include "grid/grid_embedding.h"
#include "grid/mobility.h"

namespace sinew {
template <class Real>
void EmbeddedBlocks<Real>::begin_step(const StepProblem& problem, ThreadPool& pool, Iterate<Real>& iterate) {
  streams_.clear();
  problem_ = &problem;
  pool_ = &pool;
  if (!problem.embedding) return;
  const auto slots = static_cast<size_t>(problem.model->slot_count());
  const size_t nodes = problem.node_count();
  inverse_mass_.resize(nodes);
  read_glides();
  first_node_ = iterate.x.size();
  Buffer<Vec4<Real>> longer;
  longer.resize(first_node_ + nodes);
  std::copy(iterate.x.begin(), iterate.x.end(), longer.begin());
  iterate.x = std::move(longer);
  for (size_t i = 0; i < nodes; ++i) {
    inverse_mass_[i] = problem.held[slots + i] ? 0 : 1 / problem.node_mass[i];
    const Vec3d at = problem.x_target[slots + i];
    iterate.x[first_node_ + i] = {static_cast<Real>(at.x), static_cast<Real>(at.y), static_cast<Real>(at.z),
                                  static_cast<Real>(inverse_mass_[i])};
  }
  read_rows();

  // Tets that touch gliding nodes are batches of their own.
  const Model& model = *problem.model;
  const GridEmbedding& embedding = *problem.embedding;
  Coloring coloring = problem.grid_colors;
  color_count_ = 2 * coloring.count;
  coloring.count = color_count_;
  for (const ElasticBlock& block : model.blocks) {
    if (!block.on_grid) continue;
    pool.for_each(block.last_tet - block.first_tet, [&](size_t k) {
      const size_t e = static_cast<size_t>(block.first_tet) + k;
      bool glides = false;
      for (const int32_t s : model.tets[e])
        for (const int32_t n : embedding.nodes(embedding.row_of(s))) glides |= glides_[static_cast<size_t>(n)] != 0;
      coloring.color[e] = 2 * coloring.color[e] + (glides ? 1 : 0);
    });
  }
  mobility_.clear();
  gliding_mobility_.clear();
  first_multiplier_.assign(1, 0);
  for (const ElasticBlock& block : model.blocks) {
    if (!block.on_grid) continue;
    const int lanes = kernels_->lanes<Real>();
    streams_.push_back(build_constraint_stream<Real>(model, block, coloring, model.slot_count(), lanes, pool));
    build_mobility(streams_.back());
    const int count = traits_of(block.material.kind).multiplier_count;
    first_multiplier_.push_back(first_multiplier_.back() + static_cast<size_t>(streams_.back().batch_count()) *
                                                               static_cast<size_t>(count * lanes));
  }

  rows_.resize(static_cast<size_t>(embedding.row_count() + kernels_->lanes<Real>()));
  springs_.clear();
  for (const Grab& pin : problem.pins_on_grid) springs_.push_back({pin});
  for (const Grab& grab : problem.grabs)
    if (embedding.is_embedded(grab.vertices[0])) springs_.push_back({grab});
}

template <class Real>
void EmbeddedBlocks<Real>::read_glides() {
  const auto slots = static_cast<size_t>(problem_->model->slot_count());
  glides_.assign(problem_->node_count(), 0);
  fixed_.clear();
  fixed_rows_.resize(0);
  for (const Glide& g : problem_->node_glides) {
    if (fixed_.empty()) {
      fixed_.assign(glides_.size(), Sym3<double>{});
      fixed_rows_.assign(3 * glides_.size(), Vec4<Real>{0, 0, 0, 0});
    }
    const size_t node = static_cast<size_t>(g.slot) - slots;
    glides_[node] = 1;
    const Sym3<double>& f = fixed_[node] = g.fixed;
    const auto row = [](double x, double y, double z) {
      return Vec4<Real>{static_cast<Real>(x), static_cast<Real>(y), static_cast<Real>(z), 0};
    };
    fixed_rows_[3 * node] = row(f.xx, f.xy, f.xz);
    fixed_rows_[3 * node + 1] = row(f.xy, f.yy, f.yz);
    fixed_rows_[3 * node + 2] = row(f.xz, f.yz, f.zz);
  }
}

template <class Real>
Vec4<Real>* EmbeddedBlocks<Real>::fixed_rows_at(std::span<const Vec3d> x) {
  const GridEmbedding& embedding = *problem_->embedding;
  for (Vec4<Real>& row : rows_) row = {0, 0, 0, 0};
  pool_->for_each(embedding.row_count(), [&](size_t r) {
    const Vec3d at = x[static_cast<size_t>(embedding.slot(static_cast<int32_t>(r)))];
    rows_[r] = {static_cast<Real>(at.x), static_cast<Real>(at.y), static_cast<Real>(at.z), 0};
  });
  return rows_.data();
}

template <class Real>
void EmbeddedBlocks<Real>::read_rows() {
  const GridEmbedding& embedding = *problem_->embedding;
  const auto rows = static_cast<size_t>(embedding.row_count());
  nodes_.resize(rows * spline_nodes);
  weights_.resize(rows * spline_nodes);
  pool_->for_each(embedding.row_count(), [&](size_t r) {
    const auto row = static_cast<int32_t>(r);
    const Spline& spline = embedding.spline(row);
    const auto nodes = embedding.nodes(row);
    for (int n = 0; n < spline_nodes; ++n) {
      nodes_[r * spline_nodes + static_cast<size_t>(n)] = nodes[static_cast<size_t>(n)];
      weights_[r * spline_nodes + static_cast<size_t>(n)] = static_cast<Real>(spline.weight(n));
    }
  });
}

// Replaces slots by rows in the corners of a stream, and computes the mobility of its batches.
template <class Real>
void EmbeddedBlocks<Real>::build_mobility(ConstraintStream<Real>& stream) {
  const GridEmbedding& embedding = *problem_->embedding;
  const int32_t slots = problem_->model->slot_count();
  for (int32_t& corner : stream.corners)
    corner = corner < slots ? embedding.row_of(corner) : embedding.row_count() + corner - slots;
  const auto w = static_cast<size_t>(stream.lanes), batches = static_cast<size_t>(stream.batch_count());
  Buffer<Real>& plain = mobility_.emplace_back();
  Buffer<Real>& gliding = gliding_mobility_.emplace_back();
  plain.assign(batches * pairs_of_corners * w, 0);
  gliding.assign(!fixed_.empty() ? batches * pairs_of_corners * 6 * w : 0, 0);
  for (int32_t c = 0; c < color_count_; ++c) {
    const int32_t first = stream.color_begin[static_cast<size_t>(c)],
                  last = stream.color_begin[static_cast<size_t>(c) + 1];
    pool_->parallel_for(last - first, 4, [&](int64_t begin, int64_t end) {
      for (auto b = static_cast<size_t>(first + begin); b < static_cast<size_t>(first + end); ++b)
        for (size_t lane = 0; lane < w; ++lane) {
          const int32_t* corner = &stream.corners[b * 4 * w + lane];
          if (corner[0] >= embedding.row_count()) continue;
          size_t pair = 0;
          for (size_t j = 0; j < 4; ++j)
            for (size_t k = j; k < 4; ++k, ++pair) {
              const auto at = b * pairs_of_corners + pair;
              if (c % 2 == 0) {
                plain[at * w + lane] =
                    static_cast<Real>(mobility(embedding, corner[j * w], corner[k * w], inverse_mass_));
                continue;
              }
              const Sym3<double> m = gliding_mobility(embedding, corner[j * w], corner[k * w], inverse_mass_, fixed_);
              const double numbers[6] = {m.xx, m.xy, m.xz, m.yy, m.yz, m.zz};
              for (size_t n = 0; n < 6; ++n) gliding[(at * 6 + n) * w + lane] = static_cast<Real>(numbers[n]);
            }
        }
    });
  }
}

// XPBD's visit to a constraint x - b of stiffness k, whose three numbers share a mobility.
template <class Real>
void EmbeddedBlocks<Real>::sweep_springs(Vec4<Real>* x, Real h2) {
  const GridEmbedding& embedding = *problem_->embedding;
  for (Spring& spring : springs_) {
    const Grab& grab = spring.grab;
    Vec3<Real> point{};
    double square = 0;  // sum_jk s_j s_k M_jk, as if no node glided: at least the mobility
    for (int32_t j = 0; j < grab.count; ++j) {
      const int32_t row = embedding.row_of(grab.vertices[static_cast<size_t>(j)]);
      const auto first = static_cast<size_t>(row) * spline_nodes;
      const auto s = static_cast<Real>(grab.weights[static_cast<size_t>(j)]);
      for (size_t n = first; n < first + spline_nodes; ++n) {
        const Vec4<Real>& node = x[nodes_[n]];
        point += (s * weights_[n]) * Vec3<Real>{node.x, node.y, node.z};
      }
      for (int32_t k = 0; k < grab.count; ++k)
        square += grab.weights[static_cast<size_t>(j)] * grab.weights[static_cast<size_t>(k)] *
                  mobility(embedding, row, embedding.row_of(grab.vertices[static_cast<size_t>(k)]), inverse_mass_);
    }
    const Vec3<Real> anchor{static_cast<Real>(grab.anchor.x), static_cast<Real>(grab.anchor.y),
                            static_cast<Real>(grab.anchor.z)};
    const auto compliance = static_cast<Real>(1 / grab.stiffness) / h2;
    const Real scale = 1 / (static_cast<Real>(square) + compliance);
    const Vec3<Real> step = -scale * (point - anchor + compliance * spring.multiplier);
    spring.multiplier += step;
    for (int32_t j = 0; j < grab.count; ++j) {
      const auto first = static_cast<size_t>(embedding.row_of(grab.vertices[static_cast<size_t>(j)])) * spline_nodes;
      const auto s = static_cast<Real>(grab.weights[static_cast<size_t>(j)]);
      for (size_t n = first; n < first + spline_nodes; ++n) {
        Vec4<Real>& node = x[nodes_[n]];
        Vec3<Real> push = step;
        if (glides_[static_cast<size_t>(nodes_[n])]) {
          const Vec4<Real>* row = &fixed_rows_[3 * static_cast<size_t>(nodes_[n])];
          for (int r = 0; r < 3; ++r)
            push -= (r == 0 ? step.x : r == 1 ? step.y : step.z) * Vec3<Real>{row[r].x, row[r].y, row[r].z};
        }
        push = (s * weights_[n] * node.w) * push;
        node = {node.x + push.x, node.y + push.y, node.z + push.z, node.w};
      }
    }
  }
}

template <class Real>
void EmbeddedBlocks<Real>::positions(const Iterate<Real>& iterate, ThreadPool& pool, std::span<Vec3d> x) const {
  const auto slots = static_cast<size_t>(problem_->model->slot_count());
  pool.for_each(static_cast<int64_t>(slots), [&](size_t s) {
    x[s] = {iterate.x[s].x, iterate.x[s].y, iterate.x[s].z};
  });
  if (!any()) return;
  pool.for_each(static_cast<int64_t>(problem_->node_count()), [&](size_t i) {
    const Vec4<Real>& node = iterate.x[first_node_ + i];
    x[slots + i] = {node.x, node.y, node.z};
  });
  const GridEmbedding& embedding = *problem_->embedding;
  const std::span<const Vec3d> nodes = x.subspan(slots);
  pool.for_each(embedding.row_count(), [&](size_t r) {
    const auto row = static_cast<int32_t>(r);
    x[static_cast<size_t>(embedding.slot(row))] = embedding.at(row, nodes);
  });
}

template <class Real>
size_t EmbeddedBlocks<Real>::memory_bytes() const {
  size_t bytes = nodes_.size() * sizeof(int32_t) + weights_.size() * sizeof(Real) +
                 fixed_rows_.size() * sizeof(Vec4<Real>) + inverse_mass_.capacity() * sizeof(double) +
                 fixed_.capacity() * sizeof(Sym3<double>) + glides_.capacity() + springs_.capacity() * sizeof(Spring);
  for (const ConstraintStream<Real>& s : streams_) bytes += s.memory_bytes();
  for (const Buffer<Real>& m : mobility_) bytes += m.size() * sizeof(Real);
  for (const Buffer<Real>& m : gliding_mobility_) bytes += m.size() * sizeof(Real);
  return bytes;
}

template class EmbeddedBlocks<float>;
template class EmbeddedBlocks<double>;

}  // namespace sinew
