// Vertices that are embedded in a background grid: in a step they move with its nodes,
//   x_p = sum_i w_ip x_i,
// whose weights are those of quadratic B-splines where the vertices are at its start (updated Lagrangian). Between
// steps vertices carry velocities v_p and their affine parts B_p to the next grid and back (APIC; Jiang et al. 2015):
//   m_i = sum_p w_ip m_p,   m_i v_i = sum_p w_ip m_p (v_p + B_p D^-1 (x_i - x_p)),   D = spacing^2/4
//   v_p = sum_i w_ip v_i,   B_p = sum_i w_ip v_i (x_i - x_p)^T
// which conserves linear and angular momentum and reproduces affine velocities. Bodies of one grid meet on its nodes,
// and so cannot pass through each other.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "exec/thread_pool.h"
#include "grid/node_set.h"
#include "grid/spline.h"
#include "model/model.h"

namespace sinew {

class GridEmbedding {
 public:
  // Of the vertices of model.grid. The model must outlive it.
  explicit GridEmbedding(const Model& model);

  // Finds the nodes around the vertices, which are at x by slot. Errors: too far away for the spacing.
  Status place(std::span<const Vec3d> x, ThreadPool& pool);

  double spacing() const { return spacing_; }
  int32_t row_count() const { return static_cast<int32_t>(slots_.size()); }  // of embedded vertices
  int32_t node_count() const { return nodes_.size(); }
  int32_t slot(int32_t row) const { return slots_[static_cast<size_t>(row)]; }
  // -1: not embedded.
  int32_t row_of(int32_t slot) const { return row_of_[static_cast<size_t>(slot)]; }
  bool is_embedded(int32_t slot) const { return row_of(slot) >= 0; }

  const Spline& spline(int32_t row) const { return splines_[static_cast<size_t>(row)]; }
  // Its lowest node in each of the nine columns; the other two follow.
  std::span<const int32_t, spline_columns> columns(int32_t row) const { return columns_[static_cast<size_t>(row)]; }
  std::array<int32_t, spline_nodes> nodes(int32_t row) const {
    std::array<int32_t, spline_nodes> all{};
    for (int n = 0; n < spline_nodes; ++n) all[n] = node(row, n);
    return all;
  }
  int32_t node(int32_t row, int n) const { return columns(row)[static_cast<size_t>(n / 3)] + n % 3; }
  // visit(row, its weight on the node) for the vertices that weigh on a node, in an order that depends on nothing else.
  template <class Visit>
  void for_each_vertex(int32_t node, const Visit& visit) const {
    for (int k = 0; k < 3 && k <= node; ++k) {
      const auto first = static_cast<size_t>(node - k);
      for (size_t t = first_touch_[first]; t < first_touch_[first + 1]; ++t) {
        const auto [row, column] = touches_[t];
        const Spline& s = spline(row);
        visit(row, s.across(column) * s.along[2][static_cast<size_t>(k)]);
      }
    }
  }
  // [m]
  Vec3d position(int32_t node) const {
    const NodeIndex c = nodes_.index(node);
    return {spacing_ * c.i, spacing_ * c.j, spacing_ * c.k};
  }
  // [kg] 0: as good as none, it cannot move.
  double mass(int32_t node) const { return mass_[static_cast<size_t>(node)]; }
  bool is_empty(int32_t node) const { return mass(node) == 0; }

  // v_i, given v_p by slot and B_p by row.
  void to_nodes(std::span<const Vec3d> v, std::span<const Mat3d> affine, ThreadPool& pool, std::span<Vec3d> node_v);
  // sum_i w_ip a_i of numbers at nodes.
  Vec3d at(int32_t row, std::span<const Vec3d> of_nodes) const;
  // v_p and B_p.
  struct Motion {
    Vec3d velocity{};
    Mat3d affine{};
  };
  Motion motion(int32_t row, std::span<const Vec3d> node_v) const;
  // a_i += sum_p w_ip a_p, of numbers by slot.
  void spread(std::span<const Vec3d> of_slots, ThreadPool& pool, std::span<Vec3d> of_nodes) const;

  size_t memory_bytes() const;

 private:
  struct Momentum {
    Vec3d of_vertex, x;
    Mat3d slope;
  };

  void find_touches();

  const Model& model_;
  double spacing_;
  std::vector<int32_t> slots_, row_of_;
  NodeSet nodes_;
  std::vector<Vec3d> x_;  // by row, at the start of the step
  std::vector<Spline> splines_;
  // Kept from step to step, as fresh pages cost more than what is written to them.
  std::vector<NodeIndex> bases_;
  std::vector<Momentum> momentum_;
  std::vector<std::array<int32_t, spline_columns>> columns_;
  // The columns of vertices that begin at a node, by ascending row. Those that begin up to two nodes below reach it
  // too.
  struct Touch {
    int32_t row, column;
  };
  std::vector<size_t> first_touch_;  // by node
  std::vector<Touch> touches_;
  std::vector<double> mass_;
};

// Writes numbers of the embedded vertices, sum_i w_ip a_i, given those of nodes behind those of slots.
void carry_vertices(const GridEmbedding& embedding, std::span<Vec3d> of_unknowns);

}  // namespace sinew
