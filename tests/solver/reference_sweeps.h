// One sweep of VBD (docs/theory.md, Sweeps by vertex) and of XPBD (docs/theory.md, XPBD), written out in double
// precision from stress and stress differential, tet by tet.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "math/solve6.h"
#include "mesh/coloring.h"
#include "model/model.h"
#include "model/step_problem.h"
#include "solver/by_constraint/visit_constraints.h"
#include "solver/sweep_order.h"
#include "support/random.h"
#include "support/rest_tet.h"

namespace sinew {

using support::RestTet;
using support::size;

// Colour by colour, vertex by vertex; vertices of one colour share no tet, so their order does not matter.
class ReferenceVbd {
 public:
  explicit ReferenceVbd(const StepProblem& problem) : problem_(problem), model_(*problem.model) {
    for (const ElasticBlock& block : model_.blocks) {
      for (int32_t e = block.first_tet; e < block.last_tet; ++e) {
        tets_.emplace_back(model_, static_cast<size_t>(e));
        block_of_.push_back(&block);
      }
    }
    at_.resize(model_.mass.size());
    for (size_t e = 0; e < tets_.size(); ++e) {
      for (int k = 0; k < 4; ++k) at_[tets_[e].slots[k]].push_back({e, k});
    }
  }

  void sweep(std::vector<Vec3d>& x) const { sweep(x, Visits(static_cast<int32_t>(model_.color_begin.size()) - 1)); }
  // In this order of colours.
  void sweep(std::vector<Vec3d>& x, const Visits& colors) const {
    for (const int32_t c : colors) {
      for (int32_t s = model_.color_begin[c]; s < model_.color_begin[c + 1]; ++s) {
        if (!problem_.held[s]) x[s] += step(x, s);
      }
    }
  }

 private:
  struct Corner {
    size_t tet;
    int corner;
  };

  Vec3d step(const std::vector<Vec3d>& x, int32_t s) const {
    const double inertia = model_.mass[s] * problem_.inverse_h2();
    Vec3d force = problem_.quasistatic ? model_.external_force(s) : inertia * (problem_.x_target[s] - x[s]);
    Mat3d stiffness = diagonal(inertia, inertia, inertia);
    for (const auto& [e, corner] : at_[s]) {
      const RestTet& tet = tets_[e];
      const ElasticBlock& block = *block_of_[e];
      const Vec3d g = tet.g[corner];
      const Mat3d f = tet.deformation_gradient(x);
      visit_material(block.material.kind, [&]<template <class> class M>() {
        const auto material = coefficients_of<M>(block.material);
        // Moving the vertex by e_a changes F by e_a g^T.
        const auto column = [&](Vec3d e_a) {
          return tet.volume * (material.stress_differential(f, outer(e_a, g)) * g);
        };
        const Mat3d k{column({1, 0, 0}), column({0, 1, 0}), column({0, 0, 1})};
        force -= tet.volume * (material.stress(f) * g);
        stiffness = stiffness + k;
        if (block.damping > 0 && !problem_.quasistatic) {
          const double rate = block.damping / problem_.h;
          if (model_.damping_form == DampingForm::strain_rate) {
            const Mat3d before = tet.deformation_gradient(problem_.x_prev);
            const auto viscous = [&](Mat3d motion) {
              const Mat3d product = transpose(before) * motion, strain = 0.5 * (product + transpose(product));
              const double volume = block.material.lame.lambda * trace(strain);
              return (rate * tet.volume) *
                     (before * ((2 * block.material.lame.mu) * strain + diagonal(volume, volume, volume)) * g);
            };
            force -= viscous(f - before);
            stiffness = stiffness + Mat3d{viscous(outer(Vec3d{1, 0, 0}, g)), viscous(outer(Vec3d{0, 1, 0}, g)),
                                          viscous(outer(Vec3d{0, 0, 1}, g))};
          } else {
            stiffness = stiffness + rate * k;
            force -= rate * (k * (x[s] - problem_.x_prev[s]));
          }
        }
      });
    }
    return solve(stiffness, force);
  }
  // Returns zero, no step, if the matrix is singular.
  static Vec3d solve(Mat3d a, Vec3d b) {
    const double det = determinant(a), norm = size(a);
    if (std::abs(det) <= 1e-12 * norm * norm * norm) return {};
    return (1 / det) * (transpose(cofactor(a)) * b);
  }

  const StepProblem& problem_;
  const Model& model_;
  std::vector<RestTet> tets_;
  std::vector<const ElasticBlock*> block_of_;
  std::vector<std::vector<Corner>> at_;
};

// The loops over blocks, colours, tets and constraints; or over the tets in the user's order, as if each had its own
// colour.
enum class TetOrder { by_color, as_given };
class ReferenceXpbd {
 public:
  explicit ReferenceXpbd(const StepProblem& problem, TetOrder order = TetOrder::by_color)
      : problem_(problem), model_(*problem.model) {
    std::vector<int32_t> visit(model_.tets.size());
    for (size_t e = 0; e < visit.size(); ++e) visit[model_.user_tet[e]] = static_cast<int32_t>(e);
    coloring_ = color_tets(model_.tets, model_.mass.size(), visit);
    if (order == TetOrder::as_given) coloring_ = {model_.user_tet, static_cast<int32_t>(model_.tets.size())};
    multipliers.resize(most_constraints * model_.tets.size());
    strain_multipliers.resize(model_.tets.size());
  }

  void sweep(std::vector<Vec3d>& x) { sweep(x, Visits(parts())); }
  // In this order of the colours of all blocks.
  void sweep(std::vector<Vec3d>& x, const Visits& order) {
    for (const int32_t part : order) {
      const ElasticBlock& block = model_.blocks[static_cast<size_t>(part / coloring_.count)];
      for (int32_t e = block.first_tet; e < block.last_tet; ++e) {
        if (coloring_.color[e] == part % coloring_.count) visit(block, static_cast<size_t>(e), x);
      }
    }
  }
  int32_t parts() const { return static_cast<int32_t>(model_.blocks.size()) * coloring_.count; }

  // Projects the tets of colours [first, last) from the same x and multiplies their changes by `scale` (Jacobi).
  void sweep_at_once(std::vector<Vec3d>& x, int32_t first, int32_t last, double scale) {
    const std::vector<Vec3d> start = x;
    std::vector<Vec3d> y = start;
    for (const ElasticBlock& block : model_.blocks) {
      for (int32_t k = block.first_tet; k < block.last_tet; ++k) {
        const auto e = static_cast<size_t>(k);
        if (coloring_.color[e] < first || coloring_.color[e] >= last) continue;
        std::array<double, most_constraints> l;
        for (size_t j = 0; j < most_constraints; ++j) l[j] = multipliers[most_constraints * e + j];
        const std::array<double, 6> strain = strain_multipliers[e];
        visit(block, e, y);
        for (size_t j = 0; j < most_constraints; ++j) {
          double& multiplier = multipliers[most_constraints * e + j];
          multiplier = l[j] + scale * (multiplier - l[j]);
        }
        for (size_t j = 0; j < 6; ++j)
          strain_multipliers[e][j] = strain[j] + scale * (strain_multipliers[e][j] - strain[j]);
        for (const int32_t s : model_.tets[e]) {
          x[s] += scale * (y[s] - start[s]);
          y[s] = start[s];
        }
      }
    }
  }

  // The largest C + a~ l, 0 at convergence.
  double secondary_residual(const std::vector<Vec3d>& x, const std::vector<double>& lambda) const {
    double largest = 0;
    for (const ElasticBlock& block : model_.blocks) {
      for (int32_t e = block.first_tet; e < block.last_tet; ++e) {
        visit_material(block.material.kind, [&]<template <class> class M>() {
          const auto material = coefficients_of<M>(block.material);
          if constexpr (M<double>::constraint_count > 0) {
            const RestTet tet(model_, static_cast<size_t>(e));
            const Mat3d f = tet.deformation_gradient(x);
            const auto fault = [&](Constraint<double> c, double l) {
              return std::abs(c.value + l / (c.stiffness * tet.volume * problem_.h * problem_.h));
            };
            for_each_index<0, M<double>::constraint_count>([&](auto k) {
              const auto own = lambda[static_cast<size_t>(most_constraints * e + k)];
              largest = std::max(largest, fault(material.template constraint<k>(f), own));
            });
          }
        });
      }
    }
    return largest;
  }
  const Coloring& coloring() const { return coloring_; }

  std::vector<double> multipliers;                        // most_constraints per tet of the model
  std::vector<std::array<double, 6>> strain_multipliers;  // or these, in the user's axes

 private:
  void visit(const ElasticBlock& block, size_t e, std::vector<Vec3d>& x) {
    visit_material(block.material.kind, [&]<template <class> class M>() {
      const auto material = coefficients_of<M>(block.material);
      const RestTet tet(model_, e);
      if constexpr (M<double>::constraint_count > 0) {
        for_each_index<0, M<double>::constraint_count>([&](auto k) {
          project(tet, material.template constraint<k>(tet.deformation_gradient(x)),
                  multipliers[most_constraints * e + static_cast<size_t>(k)], x);
        });
      } else if constexpr (has_strain_constraint<M>) {
        project_strain(tet, block.material.lame, strain_multipliers[e], x);
      }
    });
  }
  // dl = (-C - a~ l) / (sum w |grad C|^2 + a~), l += dl, x += w grad C dl; a~ = 1 / (stiffness V h^2).
  void project(const RestTet& tet, const Constraint<double>& c, double& multiplier, std::vector<Vec3d>& x) const {
    const double compliance = 1 / (c.stiffness * tet.volume * problem_.h * problem_.h);
    double weight = compliance;
    for (int k = 0; k < 4; ++k)
      weight += inverse_mass(tet.slots[k]) * dot(c.gradient * tet.g[k], c.gradient * tet.g[k]);
    const double change = (-c.value - compliance * multiplier) / weight;
    multiplier += change;
    for (int k = 0; k < 4; ++k) x[tet.slots[k]] += (inverse_mass(tet.slots[k]) * change) * (c.gradient * tet.g[k]);
  }
  // C = (E_xx, E_yy, E_zz, 2 E_yz, 2 E_xz, 2 E_xy) with the full J = dC/dx: (sum w J J^T + a) dl = -C - a l, l += dl, x
  // += w J^T dl; a = K^-1 / (V h^2), where K^-1 has the entries 1/E, -nu/E and 1/mu.
  void project_strain(const RestTet& tet, const Lame& lame, std::array<double, 6>& lambda,
                      std::vector<Vec3d>& x) const {
    constexpr int row[6] = {0, 1, 2, 1, 0, 0}, column[6] = {0, 1, 2, 2, 2, 1};
    const Mat3d f = tet.deformation_gradient(x);
    const Vec3d columns[3] = {f.c0, f.c1, f.c2};
    const auto component = [](Vec3d v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; };
    const double young = lame.mu * (3 * lame.lambda + 2 * lame.mu) / (lame.lambda + lame.mu);
    const double poisson = lame.lambda / (2 * (lame.lambda + lame.mu));
    const double s = tet.volume * problem_.h * problem_.h;
    double a[6][7] = {};  // the system with its right-hand side
    Vec3d j[6][4];
    for (int k = 0; k < 6; ++k) {
      const int p = row[k], q = column[k];
      const double share = p == q ? 0.5 : 1;
      for (int v = 0; v < 4; ++v)
        j[k][v] = share * (component(tet.g[v], p) * columns[q] + component(tet.g[v], q) * columns[p]);
      for (int l = 0; l < 6; ++l) {
        const double compliance = k == l ? (k < 3 ? 1 / young : 1 / lame.mu) : k < 3 && l < 3 ? -poisson / young : 0;
        a[k][l] = compliance / s;
        a[k][6] -= compliance / s * lambda[static_cast<size_t>(l)];
      }
      a[k][6] -= share * (dot(columns[p], columns[q]) - (p == q));
    }
    for (int k = 0; k < 6; ++k)
      for (int l = 0; l < 6; ++l)
        for (int v = 0; v < 4; ++v) a[k][l] += inverse_mass(tet.slots[v]) * dot(j[k][v], j[l][v]);
    for (int k = 0; k < 6; ++k) {
      for (int i = 0; i < 6; ++i) {
        const double ratio = i == k ? 0 : a[i][k] / a[k][k];
        for (int l = k; l < 7; ++l) a[i][l] -= ratio * a[k][l];
      }
    }
    for (int k = 0; k < 6; ++k) {
      const double change = a[k][6] / a[k][k];
      lambda[static_cast<size_t>(k)] += change;
      for (int v = 0; v < 4; ++v) x[tet.slots[v]] += (inverse_mass(tet.slots[v]) * change) * j[k][v];
    }
  }
  double inverse_mass(int32_t s) const { return problem_.held[s] ? 0 : 1 / model_.mass[s]; }

  const StepProblem& problem_;
  const Model& model_;
  Coloring coloring_;
};

}  // namespace sinew
