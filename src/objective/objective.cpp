#include "objective/objective.h"

#include <algorithm>
#include <cmath>

#include "grid/grid_embedding.h"
#include "model/rest_shape.h"
#include "objective/contact_terms.h"
#include "objective/element_terms.h"
#include "objective/grab_terms.h"
#include "objective/tie_terms.h"

namespace sinew {
namespace {

// Elements are processed in chunks: their terms are computed in parallel into buffers that stay in the cache, then
// added in the order of the elements. So the sums have the same bits for any number of threads.
constexpr int32_t chunk_size = 8192;  // per thread
constexpr int32_t piece_size = 1024;
// Fewer elements are done before another thread has woken up.
constexpr int32_t least_shared = 8192;

struct ElementSums {
  double energy = 0;
  double min_j = std::numeric_limits<double>::infinity();
  int32_t inverted = 0;
  ContactSums contact;
};

// All elastic terms, including ties, grabs and contacts; adds to `g` unless it is empty.
ElementSums elastic(const StepProblem& problem, ThreadPool& pool, std::span<const Vec3d> x, std::span<Vec3d> g) {
  const Model& model = *problem.model;
  ElementKernel* const kernel = element_kernel_with_lanes(0);
  const int32_t chunk = chunk_size * pool.size();
  const auto room = static_cast<size_t>(std::min(static_cast<int32_t>(model.tets.size()), chunk));
  std::vector<double> energy(room), det_f(room);
  std::vector<Vec3d> gradient(
      g.empty() ? 0 : static_cast<size_t>(model.middles.empty() ? most_corners : most_nodes) * room);
  ElementSums total;
  for (const ElasticBlock& block : model.blocks) {
    const int each = gradients_each(block), corners = traits_of(block.element).corners;
    for (int32_t first = block.first_tet; first < block.last_tet; first += chunk) {
      const int32_t count = std::min(chunk, block.last_tet - first);
      pool.parallel_for(count, count < least_shared ? count : piece_size, [&](int64_t begin, int64_t end) {
        const ElementTerms terms{ElementArrays::of(model),
                                 &block,
                                 x.data(),
                                 problem.x_prev.data(),
                                 damping_rate(problem, block),
                                 energy.data() + begin,
                                 det_f.data() + begin,
                                 g.empty() ? nullptr : gradient.data() + each * begin};
        kernel(terms, first + static_cast<int32_t>(begin), first + static_cast<int32_t>(end));
      });
      for (int32_t k = 0; k < count; ++k) {
        total.energy += energy[k];
        total.min_j = std::min(total.min_j, det_f[k]);
        total.inverted += det_f[k] <= 0 ? 1 : 0;
      }
      for (int32_t k = 0; k < (g.empty() ? 0 : count); ++k) {
        const Tet& t = model.tets[first + k];
        for (int c = 0; c < corners; ++c) g[t[c]] += gradient[each * k + c];
        if (!block.quadratic()) continue;
        const Middles& middles = model.middles[first + k];
        for (int c = 0; c < 6; ++c) g[middles[c]] += gradient[each * k + 4 + c];
      }
    }
  }
  if (!model.ties.empty()) total.energy += add_tie_terms(problem, x, pool, g);
  if (!problem.grabs.empty() || !problem.pins_on_grid.empty()) total.energy += add_grab_terms(problem, x, g);
  if (problem.contacts) {
    total.contact = add_contact_terms(problem, x, pool, g);
    total.energy += total.contact.energy;
  }
  if (problem.embedding && !g.empty())
    problem.embedding->spread(g, pool, g.subspan(static_cast<size_t>(model.slot_count())));
  return total;
}

// The energy of inertia, or minus the work of the external forces in quasistatics.
double vertex_energy(const StepProblem& problem, ThreadPool& pool, std::span<const Vec3d> x) {
  const Model& model = *problem.model;
  const double inverse_h2 = problem.inverse_h2();
  return ordered_sum<double>(pool, static_cast<int64_t>(problem.unknown_count()), [&](int64_t s) {
    if (problem.held[s]) return 0.0;
    if (problem.quasistatic) return -dot(problem.external_force(s), x[s] - model.rest[s]);
    const Vec3d d = x[s] - problem.x_target[s];
    return 0.5 * problem.mass(static_cast<size_t>(s)) * inverse_h2 * dot(d, d);
  });
}

ElementSums all_terms(const StepProblem& problem, ThreadPool& pool, std::span<const Vec3d> x, std::span<Vec3d> g) {
  for (size_t s = 0; s < problem.unknown_count(); ++s)
    g[s] = problem.is_carried(s) ? Vec3d{} : vertex_gradient(problem, static_cast<int32_t>(s), x[s]);
  return elastic(problem, pool, x, g);
}

// [N] The 2-norm of the forces out of balance on embedded vertices, given dPsi/dx by slot.
double vertex_residual(const StepProblem& problem, ThreadPool& pool, std::span<const Vec3d> x,
                       std::span<const Vec3d> g) {
  if (!problem.embedding || problem.embedded_target.empty()) return 0;
  return std::sqrt(ordered_sum<double>(pool, problem.model->slot_count(), [&](int64_t s) {
    if (!problem.is_carried(static_cast<size_t>(s))) return 0.0;
    const Vec3d f = g[s] + (problem.model->mass[s] * problem.inverse_h2()) * (x[s] - problem.embedded_target[s]);
    return dot(f, f);
  }));
}

std::vector<Vec3d> with_nodes(const StepProblem& problem, std::span<const Vec3d> x) {
  std::vector<Vec3d> all(x.begin(), x.end());
  const auto before = problem.x_prev.begin() + static_cast<std::ptrdiff_t>(x.size());
  if (problem.node_end.size() == problem.node_count()) {
    all.insert(all.end(), problem.node_end.begin(), problem.node_end.end());
  } else {
    all.insert(all.end(), before, problem.x_prev.end());
  }
  return all;
}
// Writes what write(all) has for slots.
template <class Write>
void of_slots(const StepProblem& problem, std::span<Vec3d> g, const Write& write) {
  std::vector<Vec3d> all(g.empty() ? 0 : problem.unknown_count());
  write(all);
  std::copy_n(all.begin(), g.size(), g.begin());
}

}  // namespace

double Objective::energy(std::span<const Vec3d> x, double* contacts) const {
  if (x.size() < problem_->unknown_count()) return energy(with_nodes(*problem_, x), contacts);
  const ElementSums sums = elastic(*problem_, *pool_, x, {});
  if (contacts) *contacts = sums.contact.energy;
  return vertex_energy(*problem_, *pool_, x) + sums.energy;
}

void Objective::gradient_unconstrained(std::span<const Vec3d> x, std::span<Vec3d> g) const {
  if (x.size() < problem_->unknown_count())
    return of_slots(*problem_, g, [&](std::span<Vec3d> all) { gradient_unconstrained(with_nodes(*problem_, x), all); });
  all_terms(*problem_, *pool_, x, g);
}

void Objective::gradient(std::span<const Vec3d> x, std::span<Vec3d> g) const {
  if (x.size() < problem_->unknown_count())
    return of_slots(*problem_, g, [&](std::span<Vec3d> all) { gradient(with_nodes(*problem_, x), all); });
  all_terms(*problem_, *pool_, x, g);
  for (size_t s = 0; s < problem_->unknown_count(); ++s) {
    if (problem_->held[s]) g[s] = {};
  }
  keep_free_parts(problem_->glides, g);
  keep_free_parts(problem_->node_glides, g);
}

Evaluation Objective::evaluate(std::span<const Vec3d> x, std::span<Vec3d> unconstrained) const {
  if (x.size() < problem_->unknown_count()) {
    Evaluation evaluation;
    of_slots(*problem_, unconstrained,
             [&](std::span<Vec3d> all) { evaluation = evaluate(with_nodes(*problem_, x), all); });
    return evaluation;
  }
  std::vector<Vec3d> own(unconstrained.empty() ? x.size() : 0);
  const std::span<Vec3d> g = unconstrained.empty() ? std::span(own) : unconstrained;
  const ElementSums sums = all_terms(*problem_, *pool_, x, g);
  Evaluation result;
  result.energy = vertex_energy(*problem_, *pool_, x) + sums.energy;
  result.inverted = sums.inverted;
  result.min_j = sums.min_j;
  result.vertex_residual = vertex_residual(*problem_, *pool_, x, g);
  if (problem_->contacts) {
    result.contact_energy = sums.contact.energy;
    result.friction_work = sums.contact.friction_work;
    result.contacts = sums.contact.counts.touching;
    result.penetrations = sums.contact.counts.penetrating;
    result.smallest_gap = sums.contact.counts.smallest_gap;
    result.deepest = sums.contact.counts.deepest;
  }
  double total = 0;
  GlideCursor glides(problem_->glides), of_nodes(problem_->node_glides);
  for (int32_t s = 0; s < static_cast<int32_t>(problem_->unknown_count()); ++s) {
    if (problem_->held[s]) continue;
    const Glide* const glide = s < model().slot_count() ? glides.at(s) : of_nodes.at(s);
    const Vec3d free = glide ? glide->free_part(g[s]) : g[s];
    const double n2 = dot(free, free);
    if (!std::isfinite(n2) || !std::isfinite(dot(x[s], x[s]))) {
      if (result.bad_slot < 0) result.bad_slot = s;
      result.finite = false;
      continue;
    }
    total += n2;
    result.residual_max = std::max(result.residual_max, n2);
  }
  result.residual = std::sqrt(total);
  result.residual_max = std::sqrt(result.residual_max);
  if (!std::isfinite(result.energy)) result.finite = false;
  // The finite part of the residual means nothing, and must not be mistaken for a small residual.
  if (!result.finite) result.residual = result.residual_max = std::numeric_limits<double>::infinity();
  return result;
}

namespace {

double elements_per_vertex(const Model& model) {
  double nodes = 0;
  for (const ElasticBlock& block : model.blocks)
    nodes += (block.quadratic() ? most_nodes : 4.0) * static_cast<double>(block.last_tet - block.first_tet);
  return nodes / std::max(model.slot_count(), 1);
}

// The sum over a block's elements of the squares of the stiffness that they give their corners.
double squares_of(const Model& model, const ElasticBlock& block, double modulus, ThreadPool& pool) {
  return ordered_sum<double>(pool, block.last_tet - block.first_tet, [&](int64_t e) {
    const auto tet = static_cast<int32_t>(block.first_tet + e);
    const ElementShape shape(model.tets[tet], model.rest, model.stiffness_factor_of(tet));
    double sum = 0;
    if (block.quadratic()) {
      double square[most_nodes]{};
      for (int q = 0; q < QuadraticTetrahedron::points; ++q) {
        Vec3d g[most_nodes];
        node_gradients(shape.gradient, q, g);
        for (int n = 0; n < most_nodes; ++n) square[n] += dot(g[n], g[n]) / QuadraticTetrahedron::points;
      }
      for (const double s : square) sum += s * s;
      return shape.volume * shape.volume * modulus * modulus * sum;
    }
    for (int k = 0; k < shape.corners; ++k) {
      const double square = dot(shape.gradient[k], shape.gradient[k]);
      sum += square * square;
    }
    return shape.volume * shape.volume * modulus * modulus * sum;
  });
}

}  // namespace

double stiffness_norm(const Model& model, double inverse_h2, ThreadPool& pool) {
  // Squares of sums over the tets at a vertex, as if these were equal: n times the sum of squares.
  double elastic_squares = 0;
  for (const ElasticBlock& block : model.blocks) {
    const double modulus =
        (1 + block.damping * std::sqrt(inverse_h2)) * (2 * block.material.lame.mu + block.material.lame.lambda);
    elastic_squares += squares_of(model, block, modulus, pool);
  }
  const double inertia_squares = ordered_sum<double>(
      pool, model.slot_count(), [&](int64_t s) { return model.mass[s] * inverse_h2 * model.mass[s] * inverse_h2; });
  return std::sqrt(elements_per_vertex(model) * elastic_squares + inertia_squares);
}

std::vector<double> stiffness_squares(const Model& model, ThreadPool& pool) {
  std::vector<double> squares;
  for (const ElasticBlock& block : model.blocks)
    squares.push_back(elements_per_vertex(model) * squares_of(model, block, 1, pool));
  return squares;
}

double energy_scale(const Model& model, ThreadPool& pool) {
  double scale = tie_energy_scale(model);
  for (const ElasticBlock& block : model.blocks) {
    const double modulus = 2 * block.material.lame.mu + std::abs(block.material.lame.lambda);
    scale += ordered_sum<double>(pool, block.last_tet - block.first_tet, [&](int64_t k) {
      const auto e = static_cast<int32_t>(block.first_tet + k);
      return model.stiffness_factor_of(e) * volume_of(model.rest, model.tets[e]) * modulus;
    });
  }
  return scale;
}

namespace {

// Energies [J] as densities.
void divide_by_volume(const Model& model, int32_t first, int32_t last, double* energy) {
  for (int32_t e = first; e < last; ++e) energy[e - first] /= volume_of(model.rest, model.tets[e]);
}

}  // namespace

void energy_densities(const Model& model, const ElasticBlock& block, int32_t first, int32_t last,
                      std::span<const Vec3d> x, std::span<double> density) {
  constexpr int32_t piece = 128;
  double det_f[piece];
  for (int32_t e = first; e < last; e += piece) {
    const int32_t end = std::min(e + piece, last);
    double* const energy = density.data() + (e - first);
    element_kernel_with_lanes(0)({ElementArrays::of(model), &block, x.data(), nullptr, 0, energy, det_f, nullptr}, e,
                                 end);
    divide_by_volume(model, e, end, energy);
  }
}

void deformation_measures(const Model& model, std::span<const Vec3d> x, ThreadPool& pool, std::span<double> det_f,
                          std::span<double> energy_density) {
  std::vector<double> unwanted(det_f.empty() || energy_density.empty() ? model.tets.size() : 0);
  double* const j = det_f.empty() ? unwanted.data() : det_f.data();
  double* const energy = energy_density.empty() ? unwanted.data() : energy_density.data();
  for (const ElasticBlock& block : model.blocks) {
    pool.parallel_for(block.last_tet - block.first_tet, piece_size, [&](int64_t begin, int64_t end) {
      const int64_t first = block.first_tet + begin, last = block.first_tet + end;
      const ElementTerms terms{ElementArrays::of(model), &block,    x.data(), nullptr, 0,
                               energy + first,           j + first, nullptr};
      element_kernel_with_lanes(0)(terms, static_cast<int32_t>(first), static_cast<int32_t>(last));
      if (!energy_density.empty())
        divide_by_volume(model, static_cast<int32_t>(first), static_cast<int32_t>(last), energy + first);
    });
  }
}

}  // namespace sinew
