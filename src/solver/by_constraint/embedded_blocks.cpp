#include "solver/by_constraint/embedded_blocks.h"

#include "grid/grid_embedding.h"

namespace sinew {

template <class Real>
void EmbeddedBlocks<Real>::begin_step(const StepProblem& problem, ThreadPool& pool, Iterate<Real>& iterate) {
  problem_ = &problem;
  pool_ = &pool;
  if (!problem.embedding) return layouts_.clear();
  const auto slots = static_cast<size_t>(problem.model->slot_count());
  const size_t nodes = problem.node_count();
  inverse_mass_.resize(nodes);
  read_glides();
  first_node_ = iterate.x.size();
  iterate.x.resize(first_node_ + nodes);
  pool.for_each(static_cast<int64_t>(nodes), [&](size_t i) {
    inverse_mass_[i] = problem.held[slots + i] ? 0 : 1 / problem.node_mass[i];
    const Vec3d at = problem.x_target[slots + i];
    iterate.x[first_node_ + i] = {static_cast<Real>(at.x), static_cast<Real>(at.y), static_cast<Real>(at.z),
                                  static_cast<Real>(inverse_mass_[i])};
  });
  const Model& model = *problem.model;
  color_count_ = problem.grid_colors.count;
  first_multiplier_.assign(1, 0);
  size_t used = 0;
  for (size_t b = 0; b < model.blocks.size(); ++b) {
    const ElasticBlock& block = model.blocks[b];
    if (!block.on_grid) continue;
    const int lanes = kernels_->lanes<Real>();
    if (layouts_.size() == used) layouts_.emplace_back();
    PatchLayout<Real>& layout = layouts_[used++];
    build_patch_layout(problem, b, {inverse_mass_, fixed_, near_gliding_}, lanes, pool, layout);
    layout.fixed = fixed_rows_.data();
    const int count = traits_of(block.material.kind).multiplier_count;
    first_multiplier_.push_back(first_multiplier_.back() +
                                static_cast<size_t>(layout.stream.batch_count()) * static_cast<size_t>(count * lanes));
  }
  layouts_.resize(used);

  ties_.begin_step(problem, grid_nodes(), {iterate.x.data(), slots}, pool);
  hold_numbers_.assign(3 * ties_.hold_count(), 0);
}

template <class Real>
void EmbeddedBlocks<Real>::read_glides() {
  const auto slots = static_cast<size_t>(problem_->model->slot_count());
  glides_.assign(problem_->node_count(), 0);
  near_gliding_.assign(static_cast<size_t>(problem_->embedding->row_count()), 0);
  fixed_.clear();
  fixed_rows_.resize(0);
  for (const Glide& g : problem_->node_glides) {
    if (fixed_.empty()) {
      fixed_.assign(glides_.size(), Sym3<double>{});
      fixed_rows_.assign(3 * glides_.size(), Vec4<Real>{0, 0, 0, 0});
    }
    const size_t node = static_cast<size_t>(g.slot) - slots;
    glides_[node] = 1;
    problem_->embedding->for_each_vertex(static_cast<int32_t>(node),
                                         [&](int32_t row, double) { near_gliding_[static_cast<size_t>(row)] = 1; });
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
Vec4<Real>* EmbeddedBlocks<Real>::fixed_corners(const PatchLayout<Real>& layout, std::span<const Vec3d> x) {
  corners_.assign(layout.vertices.size(), Vec4<Real>{0, 0, 0, 0});
  pool_->for_each(static_cast<int64_t>(layout.patch.size()), [&](size_t place) {
    size_t k = place * patch_vertices;
    for (const int32_t s : problem_->grid_patches->slots(layout.patch[place])) {
      const Vec3d at = x[static_cast<size_t>(s)];
      corners_[k++] = {static_cast<Real>(at.x), static_cast<Real>(at.y), static_cast<Real>(at.z), 0};
    }
  });
  return corners_.data();
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
  size_t bytes = corners_.size() * sizeof(Vec4<Real>) + fixed_rows_.size() * sizeof(Vec4<Real>) +
                 inverse_mass_.capacity() * sizeof(double) + fixed_.capacity() * sizeof(Sym3<double>) +
                 glides_.capacity() + near_gliding_.capacity() + ties_.memory_bytes() +
                 hold_numbers_.capacity() * sizeof(Real);
  for (const PatchLayout<Real>& layout : layouts_) bytes += layout.memory_bytes();
  return bytes;
}

template class EmbeddedBlocks<float>;
template class EmbeddedBlocks<double>;

}  // namespace sinew
