// Shared by the solvers by vertex: layouts, the iterate, and the loop over colours and clusters. The solvers differ in
// the local rule, and in whether a vertex sees its neighbours' new positions (Gauss-Seidel) or only the old ones
// (Jacobi).
#pragma once

#include <string_view>
#include <vector>

#include "base/parameters.h"
#include "solver/by_vertex/cluster_copy.h"
#include "solver/by_vertex/quadratic_tets.h"
#include "solver/by_vertex/vertex_contacts.h"
#include "solver/by_vertex/vertex_grabs.h"
#include "solver/by_vertex/vertex_limits.h"
#include "solver/solver.h"
#include "solver/sweep.h"
#include "solver/sweep_order.h"

namespace sinew {

inline constexpr std::string_view vertex_layout_names[] = {"auto", "frames", "links", "packed"};
enum VertexLayoutChoice : int { layout_auto, layout_frames, layout_links, layout_packed };

template <class Options>
constexpr Parameter<Options> layout_parameter(int Options::*member) {
  return {"layout",
          member,
          "-",
          {},
          "auto: link strips for undamped Neo-Hookean, packed where the mesh is large and the precision single, and "
          "rest frames for the rest; to compare them: frames: rest frames for all; links, packed: strips in full or "
          "packed where there are strips",
          vertex_layout_names};
}

// Of vertices of one colour that share a contact (vertex_contacts.h).
inline constexpr std::string_view recolor_names[] = {"none", "incremental"};
enum RecolorChoice : int { recolor_none, recolor_incremental };

template <class Options>
constexpr Parameter<Options> recolor_parameter(int Options::*member) {
  return {"recolor",
          member,
          "-",
          {},
          "vertices of one colour that share a contact: none: see each other's old positions; incremental: take turns, "
          "as if they had colours of their own; across clusters of a large mesh always as with none",
          recolor_names};
}

template <class Options>
constexpr Parameter<Options> multipliers_parameter(bool Options::*member) {
  return {
      "multipliers",
      member,
      "-",
      {},
      "of quadratic tets: a multiplier each for the pressure of nearly incompressible material, without which sweeps "
      "slow down towards a Poisson ratio of 1/2; the solution is the same"};
}

struct VertexRule {
  NodalStiffness stiffness = NodalStiffness::exact;
  bool diagonal = false;
  bool line_search = false;
  bool jacobi = false;
  double relaxation = 1;
  int sweep_order = sweep_forward;  // of Gauss-Seidel
  bool recolors = false;            // what shares a contact and a colour moves one after the other
  bool shares_penalties = false;    // ContactSweep
  bool multipliers = true;          // of quadratic tets
  bool refines = false;  // equilibria in single precision: the iterate is a displacement from a base that follows it
  int layout = layout_auto;
  int lanes = 0;
};

template <class Real>
class VertexSolver : public Solver {
 public:
  explicit VertexSolver(const VertexRule& rule);

  void prepare(const Model& model, ThreadPool& pool) override;
  bool take_parameters(const Model& model) override;
  void begin_step(const Objective& objective) override;
  void iterate() override;
  void positions(std::span<Vec3d> x) const override;
  IterateRef iterate_ref() override {
    settle_pressures();
    return &iterate_;
  }
  void pressures(std::vector<double>& out) override {
    settle_pressures();
    quadratic_.pressures(out);
  }
  LimitCounts take_limit_counts() override { return limits_.take_counts(); }
  size_t memory_bytes() const override;

 protected:
  void set_relaxation(double relaxation) { sweep_.relaxation = static_cast<Real>(relaxation); }
  // Valid until the next step.
  void set_rule(NodalStiffness stiffness, double relaxation) {
    sweep_.stiffness = stiffness;
    set_relaxation(relaxation);
  }
  // Positions, or displacements from the base if the rule refines an equilibrium. `rebase` adds them to the base; what
  // remains is what the base cannot hold in this precision.
  Iterate<Real>& iterate_now() { return iterate_; }
  bool has_base() const { return !base_.empty(); }
  const Buffer<Vec4<Real>>& base() const { return base_; }
  void rebase();
  // Returns to an iterate and a base that were kept.
  void restore(const Buffer<Vec4<Real>>& x, const Buffer<Vec4<Real>>& base) {
    iterate_.x = x;
    base_ = base;
  }
  // To be called before the iterate is moved other than by a sweep; and what was kept with an iterate.
  void settle_pressures() { quadratic_.settle(iterate_.x, base_); }
  void restore_pressures(std::span<const double> kept) { quadratic_.restore(kept); }
  const Kernels& kernels() const { return *kernels_; }
  bool has_limits() const { return limits_.any(); }
  // Shortens what moved to the iterate from `before` without a sweep.
  void keep_limits(const Buffer<Vec4<Real>>& before) {
    if (limits_.any()) limits_.apply(before, iterate_.x, *pool_);
  }
  // Those of the last sweep or residual.
  std::span<const Contact> contacts() const { return contacts_.contacts(); }
  // The forces out of balance [N] at the current iterate, by slot, 0 at held vertices. Costs about as much as a sweep.
  void residual(Buffer<Vec4<Real>>& forces);
  ThreadPool& pool() const { return *pool_; }

 private:
  using Waiting = typename VertexContacts<Real>::Waiting;

  VertexLayout layout_of(const ElasticBlock& block) const;
  int64_t grain() const;  // in batches
  void sweep_cluster(int thread, int32_t cluster);
  VertexSweep<Real> in_color(VertexSweep<Real> sweep, int thread, int32_t color);
  void sweep_together(const VertexSweep<Real>& sweep);
  void sweep_colors(const VertexSweep<Real>& sweep, int thread, int32_t cluster);
  void move_color(const VertexSweep<Real>& sweep, int thread, int32_t color, ThreadPool* pool);
  void move_waiting(const VertexSweep<Real>& sweep, int thread, int32_t color);
  void make_room_for_sums();
  void find_contacts(bool anew);
  int32_t slot_begin(int32_t color) const { return batch_begin_[color] * kernels_->lanes<Real>(); }

  VertexRule rule_;
  SweepOrder order_;
  const Kernels* kernels_;
  ThreadPool* pool_ = nullptr;
  const Clusters* clusters_ = nullptr;
  ClusterSweeps cluster_sweeps_;
  std::vector<ClusterCopy<Real>> copies_;  // one per thread
  std::vector<VertexStream<Real>> streams_;
  std::vector<VertexStreamView<Real>> views_;  // of those
  QuadraticTets<Real> quadratic_;
  VertexTies<Real> ties_;
  VertexTiesView<Real> ties_view_;
  VertexGrabs<> grabs_;            // in this step
  VertexContacts<Real> contacts_;  // in this sweep
  VertexLimits<Real> limits_;
  // What ties, grabs and contacts add to the vertices of a colour; one per thread if threads sweep clusters.
  struct ColorSums {
    Buffer<Vec4<Real>> ties, quadratic, contacts;
    Buffer<Vec4<Real>> waiting;  // where vertices are that another turn of the colour moves
  };
  std::vector<ColorSums> sums_;
  VertexGlides<Real> glides_;  // in this step
  VertexGlidesView<Real> glides_view_;
  std::vector<Real> activation_;  // of each muscle in this step
  std::vector<int32_t> batch_begin_;
  std::vector<int32_t> color_begin_;  // in slots
  Iterate<Real> iterate_;
  Buffer<Vec4<Real>> base_;   // w = 0; empty: the iterate holds positions
  Buffer<Vec4<Real>> moved_;  // Jacobi: the new positions, until all are computed
  Buffer<Vec4<Real>> target_, x_prev_;
  VertexSweep<Real> sweep_;
};

extern template class VertexSolver<float>;
extern template class VertexSolver<double>;

}  // namespace sinew
