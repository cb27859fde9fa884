#include "solver/by_constraint/xpbd_primary.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "mesh/coloring.h"
#include "model/rest_shape.h"
#include "solver/by_constraint/visit_constraints.h"
#include "solver/solver_info.h"

namespace sinew {
namespace {

class XpbdPrimary final : public Solver {
 public:
  void prepare(const Model& model, ThreadPool& pool) override {
    model_ = &model;
    incidence_ = incidence_of(model.tets, static_cast<size_t>(model.slot_count()), pool);
    order_.resize(model.tets.size());
    tets_.clear();
    tets_.reserve(model.tets.size());
    for (const ElasticBlock& block : model.blocks) {
      for (int32_t e = block.first_tet; e < block.last_tet; ++e) {
        tets_.push_back({&block, ElementShape(model.tets[e], model.rest)});
        order_[model.user_tet[e]] = e;
      }
    }
  }

  void begin_step(const Objective& objective) override {
    problem_ = &objective.problem();
    x_ = problem_->x_target;
    multipliers_.assign(model_->tets.size(), {});
    grab_multipliers_.assign(problem_->grabs.size(), {});
    glide_of_.assign(problem_->glides.empty() ? 0 : x_.size(), nullptr);
    for (const Glide& g : problem_->glides) glide_of_[static_cast<size_t>(g.slot)] = &g;
  }

  void iterate() override {
    for (const int32_t e : order_) {
      visit_formula(tets_[e].block->material.kind, [&]<template <class> class M>() {
        [&]<int... k>(std::integer_sequence<int, k...>) {
          (project<M, k>(e), ...);
        }
        (std::make_integer_sequence<int, M<double>::constraint_count>{});
      });
    }
    for (size_t k = 0; k < problem_->grabs.size(); ++k) project_grab(k);
  }

  void positions(std::span<Vec3d> x) const override { std::copy(x_.begin(), x_.end(), x.begin()); }
  size_t memory_bytes() const override {
    return tets_.size() * (sizeof(RestTet) + sizeof(int32_t) + sizeof(multipliers_[0])) + x_.size() * sizeof(Vec3d);
  }

 private:
  struct RestTet {
    const ElasticBlock* block;
    ElementShape shape;
  };

  template <template <class> class M, int k>
  Constraint<double> constraint(int32_t e) const {
    return coefficients_of<M>(tets_[e].block->material)
        .template constraint<k>(tets_[e].shape.deformation_gradient(model_->tets[e], x_));
  }
  Vec3d gradient(int32_t e, int corner) const { return tets_[e].shape.gradient[corner]; }
  double inverse_mass(int32_t slot) const { return problem_->held[slot] ? 0 : 1 / model_->mass[slot]; }

  Vec3d free_part(int32_t slot, Vec3d v) const {
    const Glide* const glide = glide_of_.empty() ? nullptr : glide_of_[static_cast<size_t>(slot)];
    return glide ? glide->free_part(v) : v;
  }

  // The primary residual g of a vertex.
  Vec3d primary(int32_t slot) const {
    Vec3d g = model_->mass[slot] * (x_[slot] - problem_->x_target[slot]);
    for (int64_t k = incidence_.begin[slot]; k < incidence_.begin[slot + 1]; ++k) {
      const auto e = static_cast<int32_t>(incidence_.entries[k] / 4),
                 corner = static_cast<int32_t>(incidence_.entries[k] % 4);
      visit_formula(tets_[e].block->material.kind, [&]<template <class> class M>() {
        const auto take = [&]<int c>() {
          g -= multipliers_[e][c] * (constraint<M, c>(e).gradient * gradient(e, corner));
        };
        [&]<int... c>(std::integer_sequence<int, c...>) {
          (take.template operator()<c>(), ...);
        }
        (std::make_integer_sequence<int, M<double>::constraint_count>{});
      });
    }
    for (size_t k = 0; k < problem_->grabs.size(); ++k) {
      const Grab& grab = problem_->grabs[k];
      for (int32_t j = 0; j < grab.count; ++j)
        if (grab.vertices[j] == slot) g -= grab.weights[j] * grab_multipliers_[k];
    }
    return g;
  }

  // The three constraints C - b of a grab at once.
  void project_grab(size_t k) {
    const Grab& grab = problem_->grabs[k];
    const double compliance = 1 / (grab.stiffness * problem_->h * problem_->h);
    double sum = compliance;
    Vec3d g[3]{}, numerator = -(grab.stretch(x_) + compliance * grab_multipliers_[k]);
    for (int32_t j = 0; j < grab.count; ++j) {
      const double w = inverse_mass(grab.vertices[j]);
      if (w == 0) continue;
      g[j] = free_part(grab.vertices[j], primary(grab.vertices[j]));
      sum += w * grab.weights[j] * grab.weights[j];
      numerator += (w * grab.weights[j]) * g[j];
    }
    const Vec3d change = (1 / sum) * numerator;
    grab_multipliers_[k] += change;
    for (int32_t j = 0; j < grab.count; ++j) {
      const int32_t slot = grab.vertices[j];
      x_[slot] += inverse_mass(slot) * (free_part(slot, grab.weights[j] * change) - g[j]);
    }
  }

  template <template <class> class M, int k>
  void project(int32_t e) {
    static_assert(k < most_constraints);
    const Tet& t = model_->tets[e];
    const Constraint<double> c = constraint<M, k>(e);
    if (!(c.stiffness > 0)) return;
    const double compliance =
        1 / (c.stiffness * tets_[e].shape.volume * model_->stiffness_factor_of(e) * problem_->h * problem_->h);
    Vec3d own[most_corners]{}, g[most_corners]{};  // 0 where held
    double sum = compliance, numerator = -c.value - compliance * multipliers_[e][k];
    const int corners = tets_[e].shape.corners;
    for (int j = 0; j < corners; ++j) {
      own[j] = free_part(t[j], c.gradient * gradient(e, j));
      const double w = inverse_mass(t[j]);
      if (w == 0) continue;
      g[j] = free_part(t[j], primary(t[j]));
      sum += w * dot(own[j], own[j]);
      numerator += w * dot(own[j], g[j]);
    }
    const double change = numerator / sum;
    multipliers_[e][k] += change;
    for (int j = 0; j < corners; ++j) x_[t[j]] += inverse_mass(t[j]) * (change * own[j] - g[j]);
  }

  const Model* model_ = nullptr;
  const StepProblem* problem_ = nullptr;
  Incidence incidence_;
  std::vector<RestTet> tets_;
  std::vector<int32_t> order_;  // the user's order
  std::vector<Vec3d> x_;
  std::vector<const Glide*> glide_of_;  // by slot; empty: no vertex glides
  std::vector<std::array<double, most_constraints>> multipliers_;
  std::vector<Vec3d> grab_multipliers_;
};

}  // namespace

std::unique_ptr<Solver> make_xpbd_primary(const SolveOptions&, const XpbdPrimaryOptions&, LinearSolverFactory) {
  return std::make_unique<XpbdPrimary>();
}

SolverInfo xpbd_primary_info() {
  return solver_info<XpbdPrimaryOptions, xpbd_primary_parameters, make_xpbd_primary>();
}

}  // namespace sinew
