#include "drive/contact_health.h"

#include <algorithm>

#include "base/format.h"
#include "compile/contact_notes.h"
#include "scene/pin_names.h"

namespace sinew {

namespace {

// Whether two places differ in single precision, in which most solvers keep them.
bool differ(Vec3d a, Vec3d b) {
  const auto other = [](double p, double q) { return static_cast<float>(p) != static_cast<float>(q); };
  return other(a.x, b.x) || other(a.y, b.y) || other(a.z, b.z);
}

std::string in_steps(int64_t count, int64_t all, double since) {
  return format("in %lld of %lld steps, the first at t = %.4g s", static_cast<long long>(count),
                static_cast<long long>(all), since);
}

}  // namespace

void ContactHealth::look(const Engine& engine, const Evaluation& evaluation) {
  totals_.add_frame(evaluation.penetrations, evaluation.deepest, engine.time());
}

void ContactHealth::count(const Engine& engine, const StepReport& step) {
  ++steps_;
  look_at_ignored(engine, step.time);
  totals_.add_step(step.unreached, step.undivided, step.time);
  if (step.unreached > 0) find_unreached(engine);
}

void ContactHealth::look_at_ignored(const Engine& engine, double time) {
  const Contacts* const contacts = engine.method.stepper->contacts();
  // A run that goes on has those of its checkpoint.
  if (!ignored_)
    ignored_ = engine.compiled.ignored.empty() && contacts ? contacts->ignored().all() : engine.compiled.ignored;
  if (ignored_->empty() || !contacts) return;
  for (const IgnoredPair& pair : *ignored_)
    if (!contacts->ignored().has(pair.first, pair.second)) parted_.push_back({pair, time});
  ignored_ = contacts->ignored().all();
}

// Whose vertices are not where the script of the step that has just ended has them.
void ContactHealth::find_unreached(const Engine& engine) {
  const Stepper& stepper = *engine.method.stepper;
  const StepProblem& problem = stepper.problem();
  for (size_t k = 0; k < engine.compiled.pins.size() && k < engine.scene.pins.size(); ++k) {
    const std::vector<int32_t>& slots = engine.compiled.pins[k].slots;
    if (std::any_of(slots.begin(), slots.end(), [&](int32_t slot) {
          const auto s = static_cast<size_t>(slot);
          return problem.held[s] && differ(problem.x_target[s], engine.state().x[s]);
        }))
      unreached_.insert("pins." + pin_name(engine.scene.pins[k], k));
  }
  const Contacts& contacts = *stepper.contacts();
  const ContactSurface& surface = contacts.surface();
  const std::span<const Vec3d> points = contacts.collider_points();
  std::vector<Vec3d> targets(points.size());
  std::vector<ContactPlane> planes(surface.planes);
  place_colliders(engine.compiled.colliders, engine.time(), surface, targets, planes);
  for (size_t k = 0; k < engine.compiled.colliders.size(); ++k) {
    const ColliderScript& script = engine.compiled.colliders[k];
    for (int32_t p = script.first_point; p < script.last_point; ++p) {
      const auto at = static_cast<size_t>(p - surface.slot_count);
      if (!differ(points[at], targets[at])) continue;
      unreached_.insert("colliders." + engine.compiled.collider_parts[k].name);
      break;
    }
    for (int32_t p = script.first_plane; p < script.last_plane; ++p) {
      const ContactPlane &now = contacts.collider_planes()[static_cast<size_t>(p)],
                         &target = planes[static_cast<size_t>(p)];
      if (!differ(now.point, target.point) && !differ(now.normal, target.normal)) continue;
      unreached_.insert("colliders." + engine.compiled.collider_parts[k].name);
      break;
    }
  }
}

std::vector<std::string> ContactHealth::warnings(const Engine& engine) const {
  std::vector<std::string> list;
  const auto number = [](int64_t n) { return static_cast<long long>(n); };
  const std::vector<ContactRule>& rules = engine.compiled.contact_surface.rules;
  const bool meant = std::any_of(rules.begin(), rules.end(), [](const ContactRule& rule) {
    return rule.touches && rule.law == ContactLaw::penalty;
  });
  if (totals_.penetrating > 0 && !meant) {
    const bool can_keep_apart = engine.method.solver->traits.keeps_apart;
    list.push_back(format(
        "surfaces were inside each other in at least %lld of %lld frames, by up to %.3g m (at t = %.4g s), as far "
        "as contacts have found them; sinew check-intersections counts all: use more iterations%s%s",
        number(totals_.penetrating), number(totals_.frames), totals_.deepest, totals_.deepest_at,
        engine.scene.time.quasistatic ? ", slower pins and colliders" : " or more time.substeps",
        can_keep_apart ? ", or contact.guarantee = \"intersection_free\"" : ""));
  }
  if (totals_.short_of > 0) {
    std::string who;
    for (const std::string& name : unreached_) who += (who.empty() ? "" : ", ") + name;
    list.push_back(
        joined({who.empty() ? std::string("what pins and colliders were to do") : "what " + who,
                who.empty() ? "" : " had to do",
                format(" was not done %s, by up to %lld %s: something was in the way; leave room "
                       "there, or move them less or more slowly",
                       in_steps(totals_.short_of, steps_, totals_.short_since).c_str(), number(totals_.most_unreached),
                       totals_.most_unreached == 1 ? "vertex" : "vertices")}));
  }
  constexpr size_t most_told = 3;
  const ContactSurface& surface = engine.compiled.contact_surface;
  for (size_t k = 0; k < std::min(parted_.size(), most_told); ++k)
    list.push_back(ignored_text(engine.scene, surface, parted_[k].pair) +
                   format(" no more from t = %.4g s on, and touch as all others do since then", parted_[k].time));
  if (parted_.size() > most_told)
    list.push_back(format("%zu more pairs that met at the start are apart now", parted_.size() - most_told));
  if (ignored_ && !ignored_->empty())
    list.push_back(ignored_text(engine.scene, surface, ignored_->front()) +
                   " still, or are nearer than the radius of their contacts, and pass through each other" +
                   (ignored_->size() > 1 ? format("; so do %zu more", ignored_->size() - 1) : ""));
  if (totals_.undivided > 0)
    list.push_back(
        format("up to %lld pairs of vertices and triangles, or edges, touched or intersected %s: their "
               "vertices stayed where they were; begin with surfaces that are apart, and leave more room "
               "between what scripts move",
               number(totals_.most_undivided), in_steps(totals_.undivided, steps_, totals_.undivided_since).c_str()));
  return list;
}

}  // namespace sinew
