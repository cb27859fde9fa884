// Springs, weak constraints and fibres at vertices on a grid, as sweeps by constraint take them: by the rules of ties
// between free vertices (solver/ties/tie_rule.h). The vertices of an end move with the nodes around them, so that an
// impulse s_j p on each end j changes the vector C of a tie by W p,
//   W = sum_jk s_j s_k M_jk,   M_jk = sum_i w_ij w_ik / m_i (grid/mobility.h).
// An end may also be a vertex that is not on the grid.
#pragma once

#include <span>
#include <vector>

#include "exec/thread_pool.h"
#include "mesh/coloring.h"
#include "model/step_problem.h"
#include "solver/grid_nodes.h"
#include "solver/sweep_order.h"
#include "solver/ties/tie_items.h"

namespace sinew {

// The ties none of whose vertices is on a grid, and those that are left.
struct DividedTies {
  Ties off_grid, on_grid;

  explicit DividedTies(const Model& model);
};

// Prepares a TieSweep or TieForces for those off the grid.
template <class Real, template <class> class Sweep>
void prepare_off_grid(const Model& model, Sweep<Real>& ties) {
  const auto slots = static_cast<size_t>(model.slot_count());
  if (model.grid.empty()) return ties.prepare(model.ties, slots);
  ties.prepare(DividedTies(model).off_grid, slots);
}

// As TieItems: x are the positions of slots, and behind them of nodes. TieEnd::slot is that of a vertex that is not on
// the grid, or else -1 - the number of the end among `vertices`.
template <class Real>
struct EmbeddedTieItems {
  const TieItem<Real>* items = nullptr;
  const TieEnd<Real>* ends = nullptr;
  const Real* of_muscles = nullptr;
  const EmbeddedVertex<Real>* vertices = nullptr;
  const Real* mobilities = nullptr;  // W [1/kg] of each, as if no node glided: at least what it is
  GridNodes<Real> nodes;

  Real activation_of(const TieItem<Real>& item) const { return item.law.activation(of_muscles); }
  Real mobility(const TieItem<Real>& item, const Vec4<Real>*) const { return mobilities[&item - items]; }
  Vec3<Real> vector_of(const TieItem<Real>& item, const Vec4<Real>* x) const {
    return tie_vector(item, ends, [&](int32_t end) {
      const int32_t slot = ends[end].slot;
      return slot < 0 ? nodes.position(vertices[-1 - slot], x) : Vec3<Real>{x[slot].x, x[slot].y, x[slot].z};
    });
  }
  void push(const TieItem<Real>& item, Vec3<Real> impulse, Vec4<Real>* x) const {
    for (int32_t k = item.first_end; k < item.last_end; ++k) {
      const TieEnd<Real>& end = ends[k];
      if (end.slot < 0) {
        nodes.push(vertices[-1 - end.slot], end.weight * impulse, x);
        continue;
      }
      Vec4<Real>& at = x[end.slot];
      const Real share = end.weight * at.w;
      at = {at.x + share * impulse.x, at.y + share * impulse.y, at.z + share * impulse.z, at.w};
    }
  }
};

template <class Real>
class EmbeddedTies {
 public:
  // Takes the weights of a step, and its pins and grabs at vertices on the grid. `x`: the iterate, by slot.
  void begin_step(const StepProblem& problem, const GridNodes<Real>& nodes, std::span<const Vec4<Real>> x,
                  ThreadPool& pool);
  size_t count() const { return item_count_; }  // of the model's

  // visit(items, item, its number), each of the model's ties: the same bits for any number of threads. Those within a
  // patch go with it (grid/tet_patches.h), colour by colour.
  template <class Visit>
  void for_each(ThreadPool& pool, const SweepOrder& order, const Visit& visit) const {
    if (item_count_ == 0) return;
    const EmbeddedTieItems<Real> items = view();
    const bool backward = order.reversed();
    const auto across_patches = [&] { visit_range(items, 0, first_local_, backward, visit); };
    if (backward) across_patches();
    constexpr int32_t list = 1;  // that of the tets is 0
    for (const int32_t color : order.visits(static_cast<int32_t>(color_begin_.size()) - 1, list)) {
      const int32_t* const begin = &color_begin_[static_cast<size_t>(color)];
      pool.parallel_for(begin[1] - begin[0], 1, [&](int64_t first, int64_t last) {
        for (auto p = static_cast<size_t>(begin[0] + first); p < static_cast<size_t>(begin[0] + last); ++p)
          visit_range(items, patches_[p].first, patches_[p].last, backward, visit);
      });
    }
    if (!backward) across_patches();
  }
  // The same of pins and grabs, one after the other; they are numbered on.
  template <class Visit>
  void for_each_hold(const Visit& visit) const {
    visit_range(view(), item_count_, items_.size(), false, visit);
  }
  size_t hold_count() const { return items_.size() - item_count_; }

  size_t memory_bytes() const;

 private:
  struct PatchRange {
    int32_t patch;
    size_t first, last;  // of items
  };

  EmbeddedTieItems<Real> view() const {
    return {items_.data(), ends_.data(), activation_.data(), vertices_.data(), mobilities_.data(), nodes_};
  }
  template <class Visit>
  static void visit_range(const EmbeddedTieItems<Real>& items, size_t first, size_t last, bool backward,
                          const Visit& visit) {
    for (size_t k = first; k < last; ++k) {
      const size_t number = backward ? first + last - 1 - k : k;
      visit(items, items.items[number], number);
    }
  }
  void prepare(const StepProblem& problem);
  void add(const TieLaw<double>& law, std::span<const int32_t> slots, std::span<const double> weights,
           const GridEmbedding& embedding);
  void order_patches(const Coloring& colors);
  Real mobility_of(const TieItem<Real>& item, std::span<const Vec4<Real>> x) const;

  bool prepared_ = false;
  size_t item_count_ = 0, end_count_ = 0, row_count_ = 0;  // without pins and grabs
  size_t first_local_ = 0;                                 // items of no patch come first
  std::vector<TieItem<Real>> items_;
  std::vector<TieEnd<Real>> ends_;
  std::vector<int32_t> rows_;  // of the embedding, by number of a vertex
  std::vector<int32_t> number_of_row_;
  std::vector<EmbeddedVertex<Real>> vertices_;
  std::vector<Real> mobilities_, activation_;
  std::vector<PatchRange> patches_;  // that have ties, colour by colour
  std::vector<int32_t> color_begin_;
  GridNodes<Real> nodes_;
};

extern template class EmbeddedTies<float>;
extern template class EmbeddedTies<double>;

}  // namespace sinew
