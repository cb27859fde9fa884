#include "drive/run_health.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/format.h"
#include "element/quadratic_tetrahedron.h"
#include "math/length.h"
#include "model/rest_shape.h"
#include "objective/objective.h"
#include "objective/tie_terms.h"
#include "solver/solver_list.h"

namespace sinew {
namespace {

// Of motions: residual over loads, and the share of frames. A stiff body may take a few steps to settle.
constexpr double out_of_motion = 1, share_of_motion = 0.25;
// The same of equilibria, each of which is a result.
constexpr double out_of_balance = 0.05, share_of_equilibria = 0.1;
// Times what the rounding of positions leaves: no force.
constexpr double near_round_off = 4;
constexpr double momentum_lost = 0.05;  // of the largest sum of m |v|
constexpr double energy_gained = 0.1;   // of the largest kinetic energy
// Energy of a body that is strained by so much throughout: what is less is no motion.
constexpr double unseen_strain = 1e-4;
// Strain of bodies that nothing acts on and that keep their shape: their elastic energy, to this share, for so many
// frames.
constexpr double unexplained_strain = 0.02, kept_shape = 1e-3;
constexpr int64_t frames_of_shape = 5;
// Poisson's ratio from which a residual may be of pressures alone.
constexpr double all_in_pressure = 0.499 - 1e-9;
// Share of the shortest edge by which rounding may displace a vertex (compile/oddities.cpp).
constexpr double coarse_rounding = 0.01;

double square(Vec3d v) {
  return dot(v, v);
}
// [m] How far vertices are from the origin, as a root of the mean square.
double distance_from_origin(Engine& engine) {
  double squares = 0;
  for (const Vec3d& x : engine.state().x) squares += square(x);
  return std::sqrt(squares / static_cast<double>(std::max<size_t>(engine.state().x.size(), 1)));
}
// Rounding to single precision leaves so much of the residual [N]. Of ties only where there is nothing else: stiff ones
// beside soft bodies would hide the forces of these.
double single_grain(Engine& engine) {
  const Model& model = engine.compiled.model;
  const double inverse_h2 = engine.method.stepper->problem().inverse_h2();
  const double stiffness =
      model.tets.empty() ? tie_stiffness_norm(model, inverse_h2) : stiffness_norm(model, inverse_h2, engine.pool);
  return 0.5 * std::numeric_limits<float>::epsilon() * distance_from_origin(engine) * stiffness;
}

// F at corner a of a quadratic tet, where no material acts. x: its nodes; corner: gradients of the barycentric
// coordinates.
Mat3d gradient_at_corner(const Vec3d* x, const Vec3d* corner, int a) {
  Mat3d f = outer(3.0 * x[a], corner[a]);
  for (int k = 0; k < 6; ++k) {
    const int b = QuadraticTetrahedron::end(k, 0), c = QuadraticTetrahedron::end(k, 1), other = b == a ? c : b;
    if (b == a || c == a) f = f + outer(4.0 * x[4 + k] - x[other], corner[other]);
  }
  return f;
}

}  // namespace

void RunHealth::Size::add(Vec3d force, Vec3d arm) {
  norm += square(force);
  sum += length(force);
  moment += length(force) * length(arm);
}

void RunHealth::Size::finish() {
  norm = std::sqrt(norm);
}

void RunHealth::Size::raise(const Size& other) {
  norm = std::max(norm, other.norm);
  sum = std::max(sum, other.sum);
  moment = std::max(moment, other.moment);
}

void RunHealth::begin(Engine& engine) {
  const Model& model = engine.compiled.model;
  first_x_ = engine.state().x;
  double mass = 0;
  for (size_t s = 0; s < model.mass.size(); ++s) {
    middle_ += model.mass[s] * first_x_[s];
    mass += model.mass[s];
  }
  if (mass > 0) middle_ = (1 / mass) * middle_;
  grain_ = single_grain(engine);
  if (engine.method.options.precision == double_precision)
    precision_ = std::numeric_limits<double>::epsilon() / std::numeric_limits<float>::epsilon();
  momentum_grain_ = 0.5 * precision_ * std::numeric_limits<float>::epsilon() * distance_from_origin(engine) * mass *
                    std::sqrt(engine.method.stepper->problem().inverse_h2());
  least_energy_ = 0.5 * unseen_strain * unseen_strain * energy_scale(model, engine.pool);
}

// Compares the momentum of what nothing holds with what gravity and constant forces have given to it.
void RunHealth::weigh(Engine& engine) {
  const Model& model = engine.compiled.model;
  const StepProblem& problem = engine.method.stepper->problem();
  const State& state = engine.state();
  outside_acts_ |= problem.quasistatic || !engine.scene.pins.empty() || !engine.compiled.colliders.empty() ||
                   !model.grid.empty() || !problem.load.empty() || !problem.grabs.empty();
  if (outside_acts_) return;
  Vec3d momentum{};
  double size = 0;
  for (size_t s = 0; s < model.mass.size(); ++s) {
    if (model.mass[s] == 0) continue;
    if (problem.held[s]) outside_acts_ = true;
    momentum += model.mass[s] * state.v[s] - state.time * model.external_force(s);
    size += model.mass[s] * length(state.v[s]);
  }
  largest_momentum_ = std::max(largest_momentum_, size);
  if (frames_ == 0 && !weighed_) first_momentum_ = momentum;
  weighed_ = true;
  lost_momentum_ = std::max(lost_momentum_, length(momentum - first_momentum_));
}

// Over what is to be balanced; 0 where that, or what is out of balance, is no more than rounding.
double RunHealth::imbalance(const Engine& engine, const Evaluation& evaluation,
                            const std::vector<Vec3d>& forces) const {
  const StepProblem& problem = engine.method.stepper->problem();
  if (!problem.quasistatic) {
    if (evaluation.residual <= near_round_off * grain_) return 0;
    const double to_balance = loads_.norm > 0 ? loads_.norm : reactions_.norm;
    return to_balance > 0 ? evaluation.residual / to_balance : 0;
  }
  // Without loads rounding is all there is until a pin moves; and loads that are lost in it are not converged.
  const double rounding = near_round_off * grain_;
  Size to_balance = loads_;
  if (pulled_ || loads_.norm == 0) to_balance.raise(reactions_);
  if (loads_.norm == 0 && reactions_.norm <= rounding * precision_) return 0;
  const double least = rounding * std::numeric_limits<double>::epsilon() / std::numeric_limits<float>::epsilon();
  if (to_balance.norm == 0 || evaluation.residual <= least) return 0;
  double share = evaluation.residual / to_balance.norm;
  if (forces.empty()) return share;
  const State& state = engine.state();
  Vec3d sum{};
  Vec3d moment[3] = {};
  GlideCursor glides(problem.glides);
  for (size_t s = 0; s < forces.size(); ++s) {
    const Glide* const glide = glides.at(static_cast<int32_t>(s));
    if (problem.held[s] || engine.compiled.model.mass[s] == 0) continue;
    const Vec3d f = glide ? glide->free_part(forces[s]) : forces[s], arm = state.x[s] - middle_;
    sum += f;
    moment[0] += arm.x * f;
    moment[1] += arm.y * f;
    moment[2] += arm.z * f;
  }
  if (to_balance.sum > 0) share = std::max(share, length(sum) / to_balance.sum);
  const double moments = std::sqrt(square(moment[0]) + square(moment[1]) + square(moment[2]));
  if (to_balance.moment > 0) share = std::max(share, moments / to_balance.moment);
  return share;
}

void RunHealth::look(Engine& engine, const Evaluation& evaluation, const std::vector<Vec3d>& forces,
                     SolveStatus status) {
  const Model& model = engine.compiled.model;
  const StepProblem& problem = engine.method.stepper->problem();
  const State& state = engine.state();
  const bool first = frames_ == 0 && first_x_.empty();
  if (first) begin(engine);
  double kinetic = 0, inertia = 0, work = 0, moved = 0;
  Size loads, reactions;
  GlideCursor glides(problem.glides);
  for (size_t s = 0; s < model.mass.size(); ++s) {
    const Glide* const glide = glides.at(static_cast<int32_t>(s));
    if (model.mass[s] == 0) continue;
    const Vec3d x = state.x[s], arm = x - middle_;
    kinetic += 0.5 * model.mass[s] * square(state.v[s]);
    if (problem.held[s]) {
      if (!forces.empty()) reactions.add(forces[s], arm);
      moved = std::max(moved, square(x - first_x_[s]));
      continue;
    }
    loads.add(problem.external_force(s), arm);
    work += dot(model.external_force(s), x - first_x_[s]);
    inertia += 0.5 * model.mass[s] * problem.inverse_h2() * square(x - problem.x_target[s]);
    if (!glide) continue;
    if (!forces.empty()) reactions.add(glide->fixed * forces[s], arm);
    const double motion = square(glide->fixed * (x - first_x_[s]));
    // They keep to their plane up to rounding.
    if (motion > 1e-24 * square(x)) moved = std::max(moved, motion);
  }
  loads.finish();
  reactions.finish();
  loads_.raise(loads);
  if (!first) reactions_.raise(reactions);
  last_ = evaluation;
  last_status_ = status;
  weigh(engine);
  pulled_ |= moved > 0 || !model.muscles.empty();
  const std::vector<ColliderScript>& colliders = engine.compiled.colliders;
  work_ |= std::any_of(colliders.begin(), colliders.end(), [](const ColliderScript& c) { return c.moves(); });
  work_ |= problem.quasistatic || pulled_ || !problem.load.empty();
  // The objective of a step has the external forces in its inertia.
  energy_ = evaluation.energy - inertia + kinetic - work;
  exchanged_ = std::max(exchanged_, kinetic);
  const double elastic = energy_ - kinetic;
  in_shape_ = std::abs(elastic - elastic_) <= kept_shape * std::abs(elastic) ? in_shape_ + 1 : 0;
  elastic_ = elastic;
  if (first) {
    inverted_at_first_ = evaluation.inverted;
    first_energy_ = largest_energy_ = energy_;
    return;
  }
  largest_energy_ = std::max(largest_energy_, energy_);
  ++frames_;
  const double gain = energy_ - first_energy_;
  richer_at_the_end_ = gain > energy_gained * exchanged_ && gain > least_energy_;
  richer_ += richer_at_the_end_;
  const double share = imbalance(engine, evaluation, forces);
  worst_ = std::max(worst_, share);
  lost_at_the_end_ = share > (problem.quasistatic ? out_of_balance : out_of_motion);
  out_of_balance_ += lost_at_the_end_;
}

std::string RunHealth::remedy(const Engine& engine) const {
  const bool quasistatic = engine.scene.time.quasistatic;
  const bool rounded = precision_ == 1 && last_.residual <= near_round_off * grain_;
  if (rounded) return "its forces are lost in rounding; use solver.precision = \"double\"";
  const SolverInfo& solver = *engine.method.solver;
  const std::string other = recommended_solver(solver, engine.scene.grid.has_value()).name;
  if (!solver.traits.recommended) return "use the solver " + other;
  if (last_status_ == SolveStatus::converged) return "use a smaller solver.relative_tolerance";
  return quasistatic ? "use more iterations, slower pins or the solver " + other
                     : "use more iterations or more time.substeps";
}

std::string RunHealth::inverted(Engine& engine, const std::string& if_not_converged) const {
  const Model& model = engine.compiled.model;
  std::vector<double> det(model.tets.size());
  deformation_measures(model, engine.state().x, engine.pool, det, {});
  const size_t e = static_cast<size_t>(std::min_element(det.begin(), det.end()) - det.begin());
  const Tet& t = model.tets[e];
  Vec3d place{};
  double shortest = std::numeric_limits<double>::infinity(), farthest = 0;
  const std::span<const int32_t> corners = corners_of(t);
  for (size_t a = 0; a < corners.size(); ++a) {
    const Vec3d x = engine.state().x[static_cast<size_t>(t[a])];
    place += (1 / static_cast<double>(corners.size())) * x;
    farthest = std::max({farthest, std::abs(x.x), std::abs(x.y), std::abs(x.z)});
    for (size_t b = 0; b < a; ++b)
      shortest =
          std::min(shortest, length(model.rest[static_cast<size_t>(t[a])] - model.rest[static_cast<size_t>(t[b])]));
  }
  const auto is_of = [&](const ElasticBlock& block) {
    return block.first_tet <= static_cast<int32_t>(e) && static_cast<int32_t>(e) < block.last_tet;
  };
  const auto block = std::find_if(model.blocks.begin(), model.blocks.end(), is_of);
  std::string why;
  if (precision_ == 1 && std::numeric_limits<float>::epsilon() * farthest > coarse_rounding * shortest)
    why = format(
        "single precision resolves no less than %.2g m there; use solver.precision = \"double\", or move it "
        "nearer to the origin",
        std::numeric_limits<float>::epsilon() * farthest);
  else if (!if_not_converged.empty())
    why = "the solver is far from the solution; " + if_not_converged;
  else if (traits_of(block->material.kind).softens)
    why = format("%s resists strong compression less and less, and not at all when flat; use neo_hookean",
                 traits_of(block->material.kind).name);
  else if (inverted_at_first_ > 0)
    why =
        format("%d were inverted at the start, and it rests in another equilibrium; begin nearer to its shape at rest",
               inverted_at_first_);
  else if (!model.grid.empty())
    why =
        "what it meets crushes the material there; use a stiffer one, or a grid.spacing nearer to the edges of its "
        "mesh";
  else if (loads_.norm == 0 && engine.scene.pins.empty() && engine.compiled.contact_surface.empty())
    why = "nothing crushes the material there: it began out of shape, and rests in another equilibrium";
  else if (loads_.norm == 0 && engine.scene.pins.empty())
    why = "what it meets crushes the material there; use a stiffer one, or move less into it";
  else if (loads_.norm == 0)
    why = "what the pins do crushes the material there; move them less";
  else
    why = "the load crushes the material there; use a stiffer one";
  return format(
             "%d of %zu elements are inverted at the end, the worst with det F = %.3g: element %d, near [%.3g, %.3g, "
             "%.3g] m: ",
             last_.inverted, det.size(), det[e], model.user_tet[e], place.x, place.y, place.z) +
         why;
}

// "" where something acts, where bodies still change, or are in shape.
std::string RunHealth::out_of_shape(const Engine& engine) const {
  const Model& model = engine.compiled.model;
  if (work_ || loads_.norm > 0 || !engine.scene.pins.empty() || !model.grid.empty() || model.ties.count() > 0 ||
      last_.contacts > 0)
    return {};
  // Of shear, for a body may be nearly incompressible.
  double stiffness = 0;  // [J]
  for (const ElasticBlock& block : model.blocks)
    for (int32_t e = block.first_tet; e < block.last_tet; ++e)
      stiffness += block.material.lame.mu * ElementShape(model.tets[e], model.rest).volume;
  const double strain = std::sqrt(std::max(elastic_, 0.0) / stiffness);
  // What spins fast keeps a shape too, with less energy in it than in its motion.
  if (!(strain >= unexplained_strain) || in_shape_ < frames_of_shape || energy_ > 2 * elastic_) return {};
  return format(
      "nothing acts on the bodies at the end, and they keep %.3g J, as a strain of %.2g throughout takes: they began "
      "out of shape, and rest in another equilibrium; begin nearer to their shape at rest",
      elastic_, strain);
}

// Quadratic tets whose corners are folded over; "" if there are none.
std::string RunHealth::folded(const Engine& engine) {
  const Model& model = engine.compiled.model;
  const std::vector<Vec3d>& at = engine.state().x;
  int64_t count = 0, quadratic = 0;
  double worst = 0;
  Vec3d place{};
  for (const ElasticBlock& block : model.blocks) {
    if (!block.quadratic()) continue;
    quadratic += block.last_tet - block.first_tet;
    for (int32_t e = block.first_tet; e < block.last_tet; ++e) {
      const ElementShape shape(model.tets[e], model.rest);
      const ElementNodes nodes = model.nodes_of(e);
      Vec3d x[most_nodes];
      for (size_t n = 0; n < nodes.size(); ++n) x[n] = at[nodes[n]] - at[nodes[0]];
      bool is_folded = false;
      for (int a = 0; a < 4; ++a) {
        const double j = determinant(gradient_at_corner(x, shape.gradient, a));
        if (j > 0) continue;
        is_folded = true;
        if (j > worst) continue;
        worst = j;
        place = at[nodes[static_cast<size_t>(a)]];
      }
      count += is_folded;
    }
  }
  if (count == 0) return {};
  return format(
      "%lld of %lld quadratic tets are folded over at a corner, the worst near [%.3g, %.3g, %.3g] m: the material acts "
      "at four points inside, which are whole; where the surface matters, use smaller tets there or a stiffer material",
      static_cast<long long>(count), static_cast<long long>(quadratic), place.x, place.y, place.z);
}

// What a residual says of nearly incompressible quadratic tets: by measurement their positions are right to 0.02 %
// where it is a thousand times the weight.
std::string RunHealth::of_pressures(const Engine& engine) {
  double ratio = 0;
  for (const ElasticBlock& block : engine.compiled.model.blocks) {
    const Lame& lame = block.material.lame;
    if (block.quadratic()) ratio = std::max(ratio, 0.5 * lame.lambda / (lame.lambda + lame.mu));
  }
  if (ratio < all_in_pressure) return {};
  return format("at a Poisson ratio of %.12g that may be pressures alone, and the motion right; ", ratio);
}

std::vector<std::string> RunHealth::warnings(Engine& engine) const {
  std::vector<std::string> list;
  if (frames_ == 0) return list;
  const bool quasistatic = engine.scene.time.quasistatic;
  const double often = (quasistatic ? share_of_equilibria : share_of_motion) * static_cast<double>(frames_);
  // XPBD and PBD leave forces of stiff constraints out of balance, though the motion may be good. An equilibrium is
  // good when forces balance.
  const bool lost = (quasistatic || engine.method.solver->traits.converges) &&
                    (lost_at_the_end_ || static_cast<double>(out_of_balance_) > often);
  const double gain = largest_energy_ - first_energy_;
  const bool gained = !work_ && exchanged_ > 0 && gain > energy_gained * exchanged_ &&
                      (richer_at_the_end_ || static_cast<double>(richer_) > often);
  const std::string help = remedy(engine);
  if (last_.inverted > 0) {
    list.push_back(inverted(engine, lost || gained ? help : ""));
  } else if (std::string other = out_of_shape(engine); !lost && !gained && !other.empty()) {
    list.push_back(std::move(other));
  } else if (std::string sentence = folded(engine); !sentence.empty()) {
    list.push_back(std::move(sentence));
  }
  const auto frames = static_cast<long long>(frames_), out = static_cast<long long>(out_of_balance_);
  const char* what = loads_.norm > 0 ? "weight and loads" : "the forces at the pins";
  if (lost && quasistatic)
    list.push_back(format("forces are out of balance in %lld of %lld frames, by up to %.3g times %s: the result is not "
                          "converged; ",
                          out, frames, worst_, what) +
                   help);
  else if (lost)
    list.push_back(format("the residual exceeded %s in %lld of %lld frames, up to %.3g times: the result is not "
                          "converged; ",
                          what, out, frames, worst_) +
                   (gained ? "" : of_pressures(engine)) + help);
  if (!outside_acts_ && lost_momentum_ > momentum_lost * largest_momentum_ &&
      lost_momentum_ > near_round_off * momentum_grain_)
    list.push_back(
        format("bodies that nothing holds gain or lose up to %.3g of %.3g N s of momentum: the steps are not "
               "converged; use a smaller solver.relative_tolerance, more iterations or the solver %s",
               lost_momentum_, largest_momentum_, recommended_solver(*engine.method.solver, false).name));
  if (gained)
    list.push_back(format("energy grew by %.3g J though nothing does work: the solver adds energy; ", gain) + help);
  return list;
}

}  // namespace sinew
