#include "solver/ties/colored_ties.h"

#include "mesh/coloring.h"

namespace sinew {
namespace {

// Ties that share a slot get different colours.
Coloring color_ties(const Ties& ties, size_t slot_count) {
  std::vector<std::vector<int32_t>> at(slot_count);
  for (int32_t t = 0; t < ties.count(); ++t)
    for (const int32_t s : ties.vertices_of(t)) at[s].push_back(t);
  return greedy_coloring(static_cast<size_t>(ties.count()), {}, [&](int32_t t, const auto& visit) {
    for (const int32_t s : ties.vertices_of(t))
      for (const int32_t other : at[s]) visit(other);
  });
}

}  // namespace

template <class Real>
void ColoredTies<Real>::prepare(const Ties& ties, size_t slot_count) {
  const Coloring coloring = color_ties(ties, slot_count);
  items_.clear();
  ends_.clear();
  color_begin_.assign(static_cast<size_t>(coloring.count) + 1, 0);
  for (const int32_t c : coloring.color) ++color_begin_[c + 1];
  for (int32_t c = 0; c < coloring.count; ++c) color_begin_[c + 1] += color_begin_[c];
  std::vector<int32_t> next(color_begin_.begin(), color_begin_.end() - 1), order(coloring.color.size());
  for (int32_t t = 0; t < ties.count(); ++t) order[next[coloring.color[t]]++] = t;
  for (const int32_t t : order) {
    const auto first = static_cast<int32_t>(ends_.size());
    for (int32_t j = ties.begin[t]; j < ties.begin[t + 1]; ++j)
      ends_.push_back({ties.vertices[j], static_cast<Real>(ties.weights[j])});
    items_.push_back({ties.laws[t].template as<Real>(), first, static_cast<int32_t>(ends_.size())});
  }
  tie_count_ = items_.size();
  tie_colors_ = color_begin_.size();
  tie_ends_ = ends_.size();
}

template <class Real>
void ColoredTies<Real>::begin_step(const StepProblem& problem) {
  activation_.assign(problem.activation.begin(), problem.activation.end());
  items_.resize(tie_count_);
  color_begin_.resize(tie_colors_);
  ends_.resize(tie_ends_);
  for (const Grab& grab : problem.grabs) {
    Item item{weak_constraint_law(grab.stiffness).as<Real>(),
              static_cast<int32_t>(ends_.size()),
              0,
              true,
              {static_cast<Real>(grab.anchor.x), static_cast<Real>(grab.anchor.y), static_cast<Real>(grab.anchor.z)}};
    for (int32_t j = 0; j < grab.count; ++j)
      ends_.push_back({grab.vertices[static_cast<size_t>(j)], static_cast<Real>(grab.weights[static_cast<size_t>(j)])});
    item.last_end = static_cast<int32_t>(ends_.size());
    items_.push_back(item);
    color_begin_.push_back(static_cast<int32_t>(items_.size()));
  }
}

template <class Real>
void ColoredTies<Real>::add(const Item& item, Vec3<Real> impulse, std::span<const uint8_t> held,
                            std::span<Vec3d> g) const {
  view().for_each_end(item, [&](size_t slot, Real weight) {
    if (!held[slot]) g[slot] += static_cast<double>(weight) * Vec3d{impulse.x, impulse.y, impulse.z};
  });
}

template <class Real>
size_t ColoredTies<Real>::memory_bytes() const {
  return color_begin_.capacity() * sizeof(int32_t) + items_.capacity() * sizeof(Item) +
         ends_.capacity() * sizeof(TieEnd<Real>) + activation_.capacity() * sizeof(Real);
}

template class ColoredTies<float>;
template class ColoredTies<double>;

}  // namespace sinew
