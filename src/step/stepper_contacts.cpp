// What a step does about contacts: it poses them, detects, and with the guarantee keeps what moves within limits.
#include <algorithm>
#include <utility>
#include <variant>

#include "accel/accelerator.h"
#include "math/stored.h"
#include "solver/solver.h"
#include "step/stepper.h"

namespace sinew {
namespace {

// Iterations move points less and less. So contacts are looked for again, and what limits keep apart is divided again,
// after one part in so many of the iterations that a step has had, once that is more than the least.
constexpr int look_share = 4;

int next_look(int iterations, int least) {
  return iterations + std::max(least, iterations / look_share);
}

}  // namespace

void Stepper::set_contacts(std::unique_ptr<Contacts> contacts, std::vector<ColliderScript> colliders) {
  contacts_ = std::move(contacts);
  colliders_ = std::move(colliders);
  problem_.contacts = contacts_.get();
  forget_problem();
}

void Stepper::replace_contacts(std::unique_ptr<Contacts> contacts) {
  if (contacts_) contacts->take_state_of(*contacts_);
  set_contacts(std::move(contacts), std::move(colliders_));
}

void Stepper::take_contacts_of(const Stepper& earlier, const SurfaceMap& map, const State& state) {
  if (!contacts_ || !earlier.contacts_) return;
  const ContactSurface& surface = contacts_->surface();
  std::vector<Vec3d> points(surface.rest.size() - static_cast<size_t>(surface.slot_count));
  std::vector<ContactPlane> planes(surface.planes);
  place_colliders(colliders_, state.time, surface, points, planes);
  contacts_->take_state_of(*earlier.contacts_, map, points, planes);
}

void Stepper::set_contact_stiffness(std::vector<double> stiffness) {
  if (contacts_) contacts_->set_stiffness(std::move(stiffness));
}

void Stepper::colliders_at(double time, std::span<Vec3d> points, std::span<ContactPlane> planes) const {
  if (!contacts_) return;
  place_colliders(colliders_, time, contacts_->surface(), points, planes);
  const std::span<const Vec3d> reached = contacts_->collider_points();
  if (!contacts_->limits()) return;
  std::copy(reached.begin(), reached.end(), points.begin());
  std::copy(contacts_->collider_planes().begin(), contacts_->collider_planes().end(), planes.begin());
}

// Says where bodies and colliders were, and where colliders are at the end of the step.
void Stepper::pose_contacts(const State& state) {
  const ContactSurface& surface = contacts_->surface();
  const size_t points = surface.rest.size() - static_cast<size_t>(surface.slot_count);
  std::vector<Vec3d> before(points), now(points);
  std::vector<ContactPlane> planes_before(surface.planes), planes_now(surface.planes);
  const double end = end_of_part(state.step + 1), start = part_ == 0 ? time_of(state.step) : end - part_length();
  place_colliders(colliders_, start, surface, before, planes_before);
  place_colliders(colliders_, end, surface, now, planes_now);
  std::vector<ColliderPath> paths;
  for (const ColliderScript& collider : colliders_)
    if (collider.last_point > collider.first_point)
      paths.push_back({collider.first_point, collider.last_point, place_of(collider, start), place_of(collider, end)});
  contacts_->begin_step(problem_.x_prev, before, now, planes_before, planes_now, part_length(), paths);
}

// Vertices on a grid are expected where their own velocities take them.
const std::vector<Vec3d>& Stepper::expected() {
  if (!grid_) return problem_.x_start;
  expected_ = problem_.x_start;
  for (const int32_t s : model_.grid.slots)
    expected_[static_cast<size_t>(s)] = problem_.embedded_target[static_cast<size_t>(s)];
  return expected_;
}

// A position as the solver stores it.
Vec3d Stepper::stored(Vec3d x) const {
  if (settings_.solve.precision == double_precision) return x;
  const Vec3<float> single = stored_as<float>(x);
  return {single.x, single.y, single.z};
}

Vec3d Stepper::limited(size_t slot, Vec3d from, Vec3d to, StoppedBy& by) const {
  const auto point = static_cast<int32_t>(slot);
  if (settings_.solve.precision == double_precision) {
    const LimitedMove<double> move = contacts_->limits()->limited<double>(point, from, to);
    by = move.by;
    return move.to;
  }
  const LimitedMove<float> move =
      contacts_->limits()->limited<float>(point, stored_as<float>(from), stored_as<float>(to));
  by = move.by;
  return {move.to.x, move.to.y, move.to.z};
}

void Stepper::detect(std::span<const Vec3d> from, std::span<const Vec3d> to, StepReport& report) {
  contacts_->detect(from, to, pool_);
  note_detection(report);
}

void Stepper::note_detection(StepReport& report) const {
  ++report.detections;
  report.candidates = std::max(report.candidates, contacts_->candidate_count());
}

// Divides what may touch where the step begins, and shortens the way to the guess. If `carried`, all are first moved
// at once; false: not all pairs have a plane between them then, so begin the step again, without.
bool Stepper::start_apart(bool carried, StepReport& report) {
  const bool single = settings_.solve.precision != double_precision;
  std::vector<Vec3d> start;
  if (carried) start = contacts_->carry(problem_.x_prev, problem_.x_start, single, pool_);
  carried = !start.empty();
  if (!carried) start = problem_.x_prev;
  detect(start, problem_.x_start, report);
  const Division division = contacts_->divide(start, problem_.x_start, single, pool_);
  if (carried && !division.complete()) return false;
  report.undivided = division.undivided();
  limited_ = {};
  for (size_t s = 0; s < problem_.x_start.size(); ++s) {
    StoppedBy by = StoppedBy::none;
    problem_.x_start[s] = limited(s, start[s], problem_.x_start[s], by);
    limited_.by_box += by == StoppedBy::box;
    limited_.by_plane += by == StoppedBy::plane;
  }
  unreached_ = contacts_->follow_scripts(pool_);
  for (size_t s = 0; s < problem_.held.size(); ++s)
    if (problem_.held[s] && model_.mass[s] > 0) {
      const Vec3d to = stored(problem_.x_target[s]), x = problem_.x_start[s];
      unreached_ += x.x != to.x || x.y != to.y || x.z != to.z;
    }
  return true;
}

// Moves held vertices on towards their targets, in x_start; returns how many vertices of bodies and colliders are not
// there yet.
int64_t Stepper::follow_scripts(std::span<const Vec3d> from) {
  int64_t short_of = contacts_->follow_scripts(pool_);
  problem_.x_start.assign(from.begin(), from.end());
  for (size_t s = 0; s < problem_.held.size(); ++s) {
    if (!problem_.held[s] || model_.mass[s] == 0) continue;
    const Vec3d to = stored(problem_.x_target[s]);
    StoppedBy by = StoppedBy::none;
    problem_.x_start[s] = limited(s, from[s], to, by);
    short_of += by != StoppedBy::none;
  }
  return short_of;
}

// Where limits have acted, or scripts are not done, divides anew where the iterate is now; where boxes were full,
// detects anew before.
void Stepper::keep_apart(const Objective& objective, StepReport& report, int iterations) {
  limited_ += solver_->take_limit_counts();
  if (unreached_ == 0 && (limited_.sum() == 0 || iterations < next_look_)) return;
  const LimitCounts counts = std::exchange(limited_, {});
  report.limited += counts.sum();
  next_look_ = next_look(iterations, 1);
  solver_->positions(x_);
  std::vector<Vec3d> goal(x_.size());
  pool_.for_each(static_cast<int64_t>(x_.size()), [&](size_t s) {
    goal[s] = problem_.held[s] ? problem_.x_target[s] : x_[s] + (x_[s] - looked_at_[s]);
  });
  if (unreached_ > 0) {
    detect(x_, goal, report);
  } else if (counts.by_box > 0) {
    contacts_->make_room(x_, goal, pool_);
    note_detection(report);
  }
  const Division division = contacts_->divide(x_, goal, settings_.solve.precision != double_precision, pool_);
  report.undivided = std::max(report.undivided, division.undivided());
  looked_at_ = x_;
  if (unreached_ == 0) return;
  unreached_ = follow_scripts(x_);
  solver_->begin_step(objective);
  if (accelerator_) accelerator_->begin_step(solver_->iterate_ref(), pool_);
}

void Stepper::accelerate(int iteration) {
  const auto apply = [&] { accelerator_->apply(solver_->iterate_ref(), iteration, pool_); };
  if (!contacts_ || !contacts_->limits()) return apply();
  const std::span<const int32_t> slots = contacts_->surface().slots();
  const auto within_limits = [&](auto* iterate) {
    using Point = std::decay_t<decltype(iterate->x[0])>;
    auto& before = std::get<std::vector<Point>>(before_accelerated_);
    before.resize(slots.size());
    pool_.for_each(static_cast<int64_t>(slots.size()),
                   [&](size_t k) { before[k] = iterate->x[static_cast<size_t>(slots[k])]; });
    apply();
    limited_ += contacts_->limits()->limit_some<Point>(
        slots, before, std::span<Point>(iterate->x.data(), static_cast<size_t>(model_.slot_count())), pool_);
  };
  IterateRef iterate = solver_->iterate_ref();
  if (auto* single = std::get_if<Iterate<float>*>(&iterate)) within_limits(*single);
  if (auto* other = std::get_if<Iterate<double>*>(&iterate)) within_limits(*other);
}

// Detects anew if the iterate has left what the last detection holds for.
void Stepper::look_for_contacts(StepReport& report, int iterations) {
  solver_->positions(x_);
  if (contacts_->follow(looked_at_, x_, pool_)) note_detection(report);
  contacts_->look(x_, pool_);
  looked_at_ = x_;
  next_look_ = next_look(iterations, contacts_->options().detect_every);
}

}  // namespace sinew
