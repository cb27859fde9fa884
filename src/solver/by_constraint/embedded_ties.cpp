#include "solver/by_constraint/embedded_ties.h"

#include <algorithm>
#include <array>

#include "grid/grid_embedding.h"
#include "grid/tet_patches.h"

namespace sinew {
namespace {

constexpr int32_t no_patch = -1;

// The patch that has all these slots, if there is one.
class PatchFinder {
 public:
  PatchFinder(const TetPatches& patches, int32_t slot_count)
      : patches_(patches), of_slot_(static_cast<size_t>(slot_count)) {
    for (int32_t p = 0; p < patches.count(); ++p)
      for (const int32_t s : patches.slots(p)) of_slot_[static_cast<size_t>(s)].push_back(p);
  }
  int32_t patch_of(std::span<const int32_t> slots) const {
    for (const int32_t p : of_slot_[static_cast<size_t>(slots[0])]) {
      const std::span<const int32_t> own = patches_.slots(p);
      const auto has = [&](int32_t s) { return std::find(own.begin(), own.end(), s) != own.end(); };
      if (std::all_of(slots.begin() + 1, slots.end(), has)) return p;
    }
    return no_patch;
  }

 private:
  const TetPatches& patches_;
  std::vector<std::vector<int32_t>> of_slot_;
};

}  // namespace

DividedTies::DividedTies(const Model& model) {
  const std::vector<int32_t>& embedded = model.grid.slots;
  for (int32_t t = 0; t < model.ties.count(); ++t) {
    const std::span<const int32_t> slots = model.ties.vertices_of(t);
    const bool off = std::none_of(slots.begin(), slots.end(),
                                  [&](int32_t s) { return std::binary_search(embedded.begin(), embedded.end(), s); });
    (off ? off_grid : on_grid).add(model.ties.laws[static_cast<size_t>(t)], slots, model.ties.weights_of(t));
  }
}

template <class Real>
void EmbeddedTies<Real>::add(const TieLaw<double>& law, std::span<const int32_t> slots, std::span<const double> weights,
                             const GridEmbedding& embedding) {
  TieItem<Real> item{law.template as<Real>(), static_cast<int32_t>(ends_.size()), 0};
  for (size_t j = 0; j < slots.size(); ++j) {
    int32_t name = slots[j];
    if (const int32_t row = embedding.row_of(name); row >= 0) {
      int32_t& number = number_of_row_[static_cast<size_t>(row)];
      if (number < 0) {
        number = static_cast<int32_t>(rows_.size());
        rows_.push_back(row);
      }
      name = -1 - number;
    }
    ends_.push_back({name, static_cast<Real>(weights[j])});
  }
  item.last_end = static_cast<int32_t>(ends_.size());
  items_.push_back(item);
}

// Its ties do not change, nor which of them lie in a patch.
template <class Real>
void EmbeddedTies<Real>::prepare(const StepProblem& problem) {
  const Model& model = *problem.model;
  const GridEmbedding& embedding = *problem.embedding;
  items_.clear();
  ends_.clear();
  rows_.clear();
  patches_.clear();
  number_of_row_.assign(static_cast<size_t>(embedding.row_count()), -1);
  const Ties ties = DividedTies(model).on_grid;
  std::vector<std::pair<int32_t, int32_t>> order;  // patch, tie
  const PatchFinder finder(*problem.grid_patches, model.slot_count());
  for (int32_t t = 0; t < ties.count(); ++t) order.emplace_back(finder.patch_of(ties.vertices_of(t)), t);
  std::sort(order.begin(), order.end());
  first_local_ = 0;
  for (const auto& [patch, tie] : order) {
    if (patch == no_patch) {
      ++first_local_;
    } else if (patches_.empty() || patches_.back().patch != patch) {
      patches_.push_back({patch, items_.size(), items_.size()});
    }
    add(ties.laws[static_cast<size_t>(tie)], ties.vertices_of(tie), ties.weights_of(tie), embedding);
    if (patch != no_patch) patches_.back().last = items_.size();
  }
  item_count_ = items_.size();
  end_count_ = ends_.size();
  row_count_ = rows_.size();
  prepared_ = true;
}

template <class Real>
void EmbeddedTies<Real>::order_patches(const Coloring& colors) {
  const auto color_of = [&](const PatchRange& p) { return colors.color[static_cast<size_t>(p.patch)]; };
  std::sort(patches_.begin(), patches_.end(), [&](const PatchRange& a, const PatchRange& b) {
    return color_of(a) != color_of(b) ? color_of(a) < color_of(b) : a.patch < b.patch;
  });
  color_begin_.assign(static_cast<size_t>(colors.count) + 1, 0);
  for (const PatchRange& p : patches_) ++color_begin_[static_cast<size_t>(color_of(p)) + 1];
  for (size_t c = 1; c < color_begin_.size(); ++c) color_begin_[c] += color_begin_[c - 1];
}

template <class Real>
void EmbeddedTies<Real>::begin_step(const StepProblem& problem, const GridNodes<Real>& nodes,
                                    std::span<const Vec4<Real>> x, ThreadPool& pool) {
  const GridEmbedding& embedding = *problem.embedding;
  if (!prepared_) prepare(problem);
  for (size_t r = row_count_; r < rows_.size(); ++r) number_of_row_[static_cast<size_t>(rows_[r])] = -1;
  items_.resize(item_count_);
  ends_.resize(end_count_);
  rows_.resize(row_count_);
  const auto add_hold = [&](const Grab& grab) {
    const auto count = static_cast<size_t>(grab.count);
    add(weak_constraint_law(grab.stiffness), grab.slots(), std::span(grab.weights).first(count), embedding);
    items_.back().is_grab = true;
    const Vec3d b = grab.anchor;
    items_.back().anchor = {static_cast<Real>(b.x), static_cast<Real>(b.y), static_cast<Real>(b.z)};
  };
  for (const Grab& pin : problem.pins_on_grid) add_hold(pin);
  for (const Grab& grab : problem.grabs)
    if (embedding.is_embedded(grab.vertices[0])) add_hold(grab);

  order_patches(problem.grid_colors);
  nodes_ = nodes;
  activation_.assign(problem.activation.begin(), problem.activation.end());
  vertices_.resize(rows_.size());
  pool.for_each(static_cast<int64_t>(rows_.size()),
                [&](size_t k) { vertices_[k] = embedded_vertex<Real>(embedding, rows_[k]); });
  mobilities_.resize(items_.size());
  pool.for_each(static_cast<int64_t>(items_.size()), [&](size_t k) { mobilities_[k] = mobility_of(items_[k], x); });
}

template <class Real>
Real EmbeddedTies<Real>::mobility_of(const TieItem<Real>& item, std::span<const Vec4<Real>> x) const {
  double free = 0;
  std::array<int32_t, most_tie_ends> rows{};
  std::array<double, most_tie_ends> weights{};
  size_t count = 0;
  for (int32_t j = item.first_end; j < item.last_end; ++j) {
    const TieEnd<Real>& end = ends_[static_cast<size_t>(j)];
    const auto s = static_cast<double>(end.weight);
    if (end.slot < 0) {
      rows[count] = rows_[static_cast<size_t>(-1 - end.slot)];
      weights[count++] = s;
    } else {
      free += s * s * static_cast<double>(x[static_cast<size_t>(end.slot)].w);
    }
  }
  return static_cast<Real>(free + nodes_.mobility(std::span(rows).first(count), std::span(weights).first(count)));
}

template <class Real>
size_t EmbeddedTies<Real>::memory_bytes() const {
  const auto bytes = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return bytes(items_) + bytes(ends_) + bytes(rows_) + bytes(number_of_row_) + bytes(vertices_) + bytes(mobilities_) +
         bytes(activation_) + bytes(patches_) + bytes(color_begin_);
}

template class EmbeddedTies<float>;
template class EmbeddedTies<double>;

}  // namespace sinew
