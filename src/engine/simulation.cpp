#include "sinew/simulation.h"

#include <algorithm>
#include <cmath>

#include "base/format.h"
#include "base/nearest.h"
#include "engine/adopt_contact.h"
#include "engine/engine.h"
#include "engine/live.h"
#include "engine/live_checkpoint.h"
#include "engine/live_checks.h"
#include "engine/readings.h"
#include "engine/surface_query.h"
#include "scene/places.h"
#include "scene/value_text.h"

namespace sinew {
namespace {

std::vector<Real3> in_user_order(const Model& model, const std::vector<Vec3d>& slots) {
  std::vector<Real3> result;
  result.reserve(static_cast<size_t>(model.order.vertex_count()));
  for (const Vec3d& p : model.order.to_user(slots)) result.push_back({p.x, p.y, p.z});
  return result;
}

Status in_slots(const Model& model, const std::vector<Real3>& user, const char* what, std::vector<Vec3d>& slots) {
  if (user.size() != static_cast<size_t>(model.order.vertex_count())) {
    return Error{what, format("%zu entries for %d vertices", user.size(), model.order.vertex_count()),
                 "give one per vertex"};
  }
  for (size_t v = 0; v < user.size(); ++v) {
    const Real3& p = user[v];
    if (Status s = check_vector(what, p); !s)
      return Error{what, format("entry %zu ", v) + s.error().what, s.error().remedy};
    slots[static_cast<size_t>(model.order.slot(UserVertex{static_cast<int32_t>(v)}))] = {p[0], p[1], p[2]};
  }
  return {};
}

// Vertices that pins hold in the next step stay where they are.
Status keep_held(const Engine& engine, State& next) {
  const Model& model = engine.compiled.model;
  const State& now = engine.state();
  double largest = 0;
  for (const Vec3d& p : now.x) largest = std::max({largest, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  const double rounding = 1e-6 * largest;  // as of positions that were stored in single precision
  const double end = now.time + engine.step_size();
  const std::vector<PinScript>& pins = engine.method.stepper->pins();
  for (size_t k = 0; k < pins.size(); ++k) {
    const PinScript& pin = pins[k];
    if (!is_active(pin, end)) continue;
    for (const int32_t slot : pin.slots) {
      const auto s = static_cast<size_t>(slot);
      Vec3d moved = next.x[s] - now.x[s], sped = next.v[s] - now.v[s];
      if (!pin.fixed.empty()) {  // in the directions that it holds
        const auto fixed_part = [&](Vec3d v) {
          Vec3d part{};
          for (const Vec3d& n : pin.fixed) part += dot(n, v) * n;
          return part;
        };
        moved = fixed_part(moved);
        sped = fixed_part(sped);
      }
      if (std::max({std::abs(moved.x), std::abs(moved.y), std::abs(moved.z)}) > rounding) {
        const Vec3d& held = now.x[s];
        return Error{"positions",
                     format("entry %d is (%g, %g, %g), but pins.%zu holds this vertex at (%g, %g, %g)",
                            static_cast<int32_t>(model.order.vertex(Slot{slot})), next.x[s].x, next.x[s].y, next.x[s].z,
                            k, held.x, held.y, held.z),
                     "leave it where positions() has it, or move it by keyframes of the pin"};
      }
      next.x[s] = pin.fixed.empty() ? now.x[s] : next.x[s] - moved;
      next.v[s] = pin.fixed.empty() ? now.v[s] : next.v[s] - sped;
    }
  }
  return {};
}

}  // namespace

Engine& engine_of(const Simulation& simulation) {
  return *simulation.engine_;
}

Simulation::Simulation(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

Result<StepReport> Simulation::step() {
  return engine_->advance();
}

Result<std::vector<StepReport>> Simulation::advance_frame() {
  std::vector<StepReport> reports;
  do {
    Result<StepReport> report = step();
    if (!report) return report.error();
    reports.push_back(*report);
  } while (!engine_->at_frame());
  return reports;
}

double Simulation::time() const {
  return engine_->time();
}
int64_t Simulation::steps_taken() const {
  return engine_->step();
}
int64_t Simulation::frames_taken() const {
  return engine_->frames_taken();
}
int64_t Simulation::frame_count() const {
  return engine_->frame_count();
}
int64_t Simulation::steps_per_frame() const {
  return engine_->scene.time.substeps;
}
double Simulation::step_size() const {
  return engine_->step_size();
}

int32_t Simulation::vertex_count() const {
  return engine_->compiled.model.order.vertex_count();
}
int32_t Simulation::element_count() const {
  return static_cast<int32_t>(engine_->compiled.model.tets.size());
}
std::vector<Real3> Simulation::positions() const {
  return in_user_order(engine_->compiled.model, engine_->state().x);
}
std::vector<Real3> Simulation::velocities() const {
  return in_user_order(engine_->compiled.model, engine_->state().v);
}
std::vector<Real3> Simulation::rest_positions() const {
  return in_user_order(engine_->compiled.model, engine_->compiled.model.rest);
}
std::vector<std::array<int32_t, 4>> Simulation::tets() const {
  return user_tets(engine_->compiled.model);
}
std::vector<std::array<int32_t, 6>> Simulation::middles() const {
  return user_middles(engine_->compiled.model);
}

namespace {

void note(Engine& engine, Change change) {
  if (!engine.keeps_changes) return;
  engine.log.entries.push_back({engine.step(), std::move(change)});
}
Status noted(Engine& engine, Status status, Change change) {
  if (status.ok()) note(engine, std::move(change));
  return status;
}

}  // namespace

Status Simulation::set_state(const std::vector<Real3>& positions, const std::vector<Real3>& velocities) {
  const Model& model = engine_->compiled.model;
  State next = engine_->state();
  if (Status s = in_slots(model, positions, "positions", next.x); !s.ok()) return s;
  if (Status s = in_slots(model, velocities, "velocities", next.v); !s.ok()) return s;
  if (Status s = keep_held(*engine_, next); !s.ok()) return s;
  if (Status s = check_placed(*engine_, next.x); !s.ok()) return s;
  std::fill(next.affine.begin(), next.affine.end(), Mat3d{});
  next.pressures.clear();
  next.grid_colors.clear();
  std::fill(next.fall.begin(), next.fall.end(), next.step == 0 ? 1 : 0);
  engine_->change_state() = std::move(next);
  note(*engine_, change::SetState{positions, velocities});
  return {};
}

std::vector<bool> Simulation::held() const {
  const VertexOrder& order = engine_->compiled.model.order;
  std::vector<bool> held(static_cast<size_t>(order.vertex_count()));
  for (const PinScript& pin : engine_->method.stepper->pins()) {
    if (!is_active(pin, engine_->time() + engine_->step_size())) continue;
    for (const int32_t slot : pin.slots) held[static_cast<size_t>(order.vertex(Slot{slot}))] = true;
  }
  return held;
}

Status Simulation::read_positions(std::span<double> xyz) const {
  return read_vertices(*engine_, engine_->state().x, xyz);
}
Status Simulation::read_positions(std::span<float> xyz) const {
  return read_vertices(*engine_, engine_->state().x, xyz);
}
Status Simulation::read_velocities(std::span<double> xyz) const {
  return read_vertices(*engine_, engine_->state().v, xyz);
}
Status Simulation::read_velocities(std::span<float> xyz) const {
  return read_vertices(*engine_, engine_->state().v, xyz);
}

Status Simulation::read_elements(ElementQuantity quantity, std::span<double> values) const {
  return sinew::read_elements(*engine_, quantity, values);
}
Status Simulation::read_reactions(std::span<double> xyz) const {
  return sinew::read_reactions(*engine_, xyz);
}
Status Simulation::read_probes(std::span<double> xyz) const {
  return sinew::read_probes(*engine_, xyz);
}
Status Simulation::read_skin(int32_t object, std::span<double> xyz) const {
  return sinew::read_skin(*engine_, object, xyz);
}
Status Simulation::read_elements(ElementQuantity quantity, std::span<float> values) const {
  return sinew::read_elements(*engine_, quantity, values);
}
Status Simulation::read_reactions(std::span<float> xyz) const {
  return sinew::read_reactions(*engine_, xyz);
}
Status Simulation::read_probes(std::span<float> xyz) const {
  return sinew::read_probes(*engine_, xyz);
}
Status Simulation::read_skin(int32_t object, std::span<float> xyz) const {
  return sinew::read_skin(*engine_, object, xyz);
}
std::vector<std::string> Simulation::probes() const {
  std::vector<std::string> names;
  for (const ProbePart& probe : engine_->compiled.probes) names.push_back(probe.name);
  return names;
}
Result<int32_t> Simulation::skin_point_count(int32_t object) const {
  const Result<const Skin*> skin = skin_of(*engine_, object);
  if (!skin) return skin.error();
  return static_cast<int32_t>((*skin)->point_count()) * (*skin)->bodies;
}
Result<std::vector<std::array<int32_t, 3>>> Simulation::skin_triangles(int32_t object) const {
  const Result<const Skin*> skin = skin_of(*engine_, object);
  if (!skin) return skin.error();
  std::vector<std::array<int32_t, 3>> triangles;
  for (int32_t body = 0; body < (*skin)->bodies; ++body) {
    const int32_t first = body * static_cast<int32_t>((*skin)->point_count());
    for (const Triangle& t : (*skin)->triangles) triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }
  return triangles;
}
Energies Simulation::energies() const {
  return energies_of(*engine_);
}
std::vector<ContactPoint> Simulation::contacts() const {
  return contacts_of(*engine_);
}

std::vector<double> Simulation::masses() const {
  const Model& model = engine_->compiled.model;
  std::vector<double> masses;
  for (int32_t v = 0; v < model.order.vertex_count(); ++v)
    masses.push_back(model.mass[static_cast<size_t>(model.order.slot(UserVertex{v}))]);
  return masses;
}

const std::vector<ObjectInfo>& Simulation::objects() const {
  return engine_->objects;
}

Result<std::vector<std::array<int32_t, 3>>> Simulation::surface(int32_t object) const {
  const Result<const ObjectPart*> part = part_of(*engine_, object);
  if (!part) return part.error();
  return (*part)->surface;
}

std::vector<std::array<int32_t, 2>> Simulation::springs() const {
  const Model& model = engine_->compiled.model;
  const Ties& ties = engine_->all_ties ? *engine_->all_ties : model.ties;
  std::vector<std::array<int32_t, 2>> springs;
  for (int32_t t = 0; t < ties.count(); ++t) {
    if (!ties.laws[static_cast<size_t>(t)].traits().is_edge) continue;
    const std::span<const int32_t> ends = ties.vertices_of(t);
    springs.push_back({static_cast<int32_t>(model.order.vertex(Slot{ends[0]})),
                       static_cast<int32_t>(model.order.vertex(Slot{ends[1]}))});
  }
  return springs;
}

Result<std::optional<SurfacePoint>> Simulation::cast_ray(const Real3& origin, const Real3& direction) const {
  const Vec3d d = to_vec(direction), o = to_vec(origin);
  const double length = std::sqrt(dot(d, d));
  if (!std::isfinite(o.x + o.y + o.z)) return Error{"origin", "is not finite", "correct it"};
  if (!(length > 0) || !std::isfinite(length))
    return Error{"direction", format("= (%g, %g, %g): has no direction", d.x, d.y, d.z), "e.g. (0, 0, -1)"};
  return sinew::cast_ray(*engine_, o, (1 / length) * d);
}
Result<std::optional<SurfacePoint>> Simulation::nearest_point(const Real3& point) const {
  const Vec3d p = to_vec(point);
  if (!std::isfinite(p.x + p.y + p.z)) return Error{"point", "is not finite", "correct it"};
  return sinew::nearest_point(*engine_, p);
}

Result<PinHandle> Simulation::add_pin(std::span<const int32_t> vertices) {
  Result<PinHandle> pin = sinew::add_pin(*engine_, vertices);
  if (pin) note(*engine_, change::AddPin{{vertices.begin(), vertices.end()}});
  return pin;
}
Status Simulation::move_pin(PinHandle pin, const PinPose& pose) {
  return noted(*engine_, sinew::move_pin(*engine_, pin, pose), change::PosePin{pin.number, pose});
}
Status Simulation::move_pin(PinHandle pin, std::span<const Real3> places) {
  return noted(*engine_, sinew::move_pin(*engine_, pin, places),
               change::PlacePin{pin.number, {places.begin(), places.end()}});
}
Status Simulation::remove_pin(PinHandle pin) {
  return noted(*engine_, sinew::remove_pin(*engine_, pin), change::RemovePin{pin.number});
}
Result<ForceHandle> Simulation::add_force(std::span<const int32_t> vertices, const Real3& force) {
  Result<ForceHandle> added = sinew::add_force(*engine_, vertices, force);
  if (added) note(*engine_, change::AddForce{{vertices.begin(), vertices.end()}, force});
  return added;
}
Result<ForceHandle> Simulation::add_force(const SurfacePoint& point, const Real3& force) {
  Result<ForceHandle> added = sinew::add_force(*engine_, point, force);
  if (added) note(*engine_, change::AddPointForce{point, force});
  return added;
}
Status Simulation::move_force(ForceHandle handle, const SurfacePoint& point) {
  return noted(*engine_, sinew::move_force(*engine_, handle, point), change::MoveForce{handle.number, point});
}
Status Simulation::set_force(ForceHandle handle, const Real3& force) {
  return noted(*engine_, sinew::set_force(*engine_, handle, force), change::SetForce{handle.number, force});
}
Status Simulation::remove_force(ForceHandle handle) {
  return noted(*engine_, sinew::remove_force(*engine_, handle), change::RemoveForce{handle.number});
}
Result<GrabHandle> Simulation::add_grab(const SurfacePoint& point, const GrabOptions& options) {
  Result<GrabHandle> added = sinew::add_grab(*engine_, point, options);
  if (added) note(*engine_, change::AddGrab{point, options});
  return added;
}
Result<GrabHandle> Simulation::add_grab(int32_t vertex, const GrabOptions& options) {
  Result<GrabHandle> added = sinew::add_grab(*engine_, vertex, options);
  if (added) note(*engine_, change::AddVertexGrab{vertex, options});
  return added;
}
Status Simulation::move_grab(GrabHandle grab, const Real3& target, const Real3& velocity) {
  return noted(*engine_, sinew::move_grab(*engine_, grab, target, velocity),
               change::MoveGrab{grab.number, target, velocity});
}
Status Simulation::remove_grab(GrabHandle grab) {
  return noted(*engine_, sinew::remove_grab(*engine_, grab), change::RemoveGrab{grab.number});
}
Result<Real3> Simulation::grab_force(GrabHandle grab) const {
  return sinew::grab_force(*engine_, grab);
}
Status Simulation::set_gravity(const Real3& gravity) {
  return noted(*engine_, sinew::set_gravity(*engine_, gravity), change::SetGravity{gravity});
}
Status Simulation::set_velocities(std::span<const Real3> velocities) {
  return set_state(positions(), {velocities.begin(), velocities.end()});
}
Status Simulation::set_activation(std::string_view object, double activation) {
  return noted(*engine_, sinew::set_activation(*engine_, object, activation),
               change::SetActivation{std::string(object), activation});
}
Status Simulation::switch_object(std::string_view name, bool on) {
  return noted(*engine_, sinew::switch_object(*engine_, name, on), change::SwitchObject{std::string(name), on});
}
Status Simulation::add_object(const SceneObject& object) {
  Status added = sinew::add_object(*engine_, object);
  if (added.ok() && engine_->keeps_changes) note(*engine_, change::AddObject{object.name, json_of_object(object)});
  return added;
}
Status Simulation::add_object(std::string_view name, std::string_view json) {
  const Result<SceneObject> object = object_from_json(*engine_, name, json);
  return object ? add_object(*object) : object.error();
}
Status Simulation::remove_object(std::string_view name) {
  return noted(*engine_, sinew::remove_object(*engine_, name), change::RemoveObject{std::string(name)});
}
std::vector<ColliderInfo> Simulation::colliders() const {
  return colliders_of(*engine_);
}
Result<PlacedCollider> Simulation::collider(ColliderHandle collider) const {
  return placed_collider(*engine_, collider);
}
Status Simulation::move_collider(ColliderHandle collider, const PinPose& pose) {
  return noted(*engine_, sinew::move_collider(*engine_, collider, pose, {}),
               change::PoseCollider{collider.number, pose, {}});
}
Status Simulation::move_collider(ColliderHandle collider, const PinPose& pose, double arrival) {
  return noted(*engine_, sinew::move_collider(*engine_, collider, pose, arrival),
               change::PoseCollider{collider.number, pose, arrival});
}
Status Simulation::move_collider(ColliderHandle collider, const Motion& motion) {
  return noted(*engine_, sinew::move_collider(*engine_, collider, motion),
               change::DriveCollider{collider.number, json_of_motion(motion)});
}
Status Simulation::drive_collider(ColliderHandle collider, std::string_view json) {
  const Result<Motion> motion = scene_motion(json);
  return motion ? move_collider(collider, *motion) : motion.error();
}
Result<ColliderHandle> Simulation::add_collider(const SceneCollider& collider) {
  const Result<ColliderHandle> added = sinew::add_collider(*engine_, collider);
  if (added && engine_->keeps_changes) note(*engine_, change::AddCollider{collider.name, json_of_collider(collider)});
  return added;
}
Result<ColliderHandle> Simulation::add_collider(std::string_view name, std::string_view json) {
  const Result<SceneCollider> collider = collider_from_json(*engine_, name, json);
  return collider ? add_collider(*collider) : collider.error();
}
Status Simulation::remove_collider(ColliderHandle collider) {
  return noted(*engine_, sinew::remove_collider(*engine_, collider), change::RemoveCollider{collider.number});
}
Status Simulation::set(std::string_view path, std::string_view value) {
  return noted(*engine_, set_value(*engine_, path, value), change::SetValue{std::string(path), std::string(value)});
}
Status Simulation::set(std::string_view path, double value) {
  return set(path, std::string_view(number_text(value)));
}
Status Simulation::set(std::string_view path, const Real3& value) {
  return set(path, std::string_view(vector_text(value)));
}

struct Snapshot::Data {
  const Engine* of;
  int32_t number;  // among the simulation's
  LiveState live;
};

Snapshot Simulation::save() {
  Snapshot snapshot;
  const int32_t number = engine_->snapshots++;
  snapshot.data_ = std::make_shared<const Snapshot::Data>(Snapshot::Data{engine_.get(), number, live_state(*engine_)});
  note(*engine_, change::Save{number});
  return snapshot;
}
Status Simulation::restore(const Snapshot& snapshot) {
  if (!snapshot.data_) return Error{"snapshot", "is empty", "use one that save() returned"};
  if (snapshot.data_->of != engine_.get())
    return Error{"snapshot", "is of another simulation", "use one that this simulation's save() returned"};
  const int64_t step = engine_->step();
  if (Status s = sinew::restore(*engine_, snapshot.data_->live); !s) return s;
  if (engine_->keeps_changes) engine_->log.entries.push_back({step, change::Restore{snapshot.data_->number}});
  return {};
}

std::string Simulation::checkpoint() const {
  return encode(checkpoint_of(*engine_));
}

Result<std::string> Simulation::changes() const {
  if (!engine_->keeps_changes) return Error{"changes", "are not kept", "call keep_changes(true) on a new simulation"};
  return log_text(engine_->log, engine_->step());
}

void Simulation::keep_changes(bool keep) {
  if (keep == engine_->keeps_changes) return;
  // What was changed while none were kept is lost.
  engine_->keeps_changes = keep && engine_->step() == 0;
  engine_->log = {};
}

namespace {

// Does to a simulation what a log says.
struct Replayer {
  Simulation& simulation;
  std::vector<Snapshot> snapshots = {};

  static Status status(const auto& result) { return result ? Status() : Status(result.error()); }
  Status operator()(const change::AddPin& c) { return status(simulation.add_pin(c.vertices)); }
  Status operator()(const change::PosePin& c) { return simulation.move_pin({c.pin}, c.pose); }
  Status operator()(const change::PlacePin& c) { return simulation.move_pin({c.pin}, c.places); }
  Status operator()(const change::RemovePin& c) { return simulation.remove_pin({c.pin}); }
  Status operator()(const change::AddForce& c) { return status(simulation.add_force(c.vertices, c.force)); }
  Status operator()(const change::SetForce& c) { return simulation.set_force({c.number}, c.force); }
  Status operator()(const change::RemoveForce& c) { return simulation.remove_force({c.number}); }
  Status operator()(const change::SetGravity& c) { return simulation.set_gravity(c.gravity); }
  Status operator()(const change::SetState& c) { return simulation.set_state(c.positions, c.velocities); }
  Status operator()(const change::SetValue& c) { return simulation.set(c.path, c.value); }
  Status operator()(const change::AddPointForce& c) { return status(simulation.add_force(c.point, c.force)); }
  Status operator()(const change::MoveForce& c) { return simulation.move_force({c.number}, c.point); }
  Status operator()(const change::SetActivation& c) { return simulation.set_activation(c.object, c.activation); }
  Status operator()(const change::SwitchObject& c) { return simulation.switch_object(c.object, c.on); }
  Status operator()(const change::AddObject& c) { return simulation.add_object(c.object, c.json); }
  Status operator()(const change::RemoveObject& c) { return simulation.remove_object(c.object); }
  Status operator()(const change::AddGrab& c) { return status(simulation.add_grab(c.point, c.options)); }
  Status operator()(const change::AddVertexGrab& c) { return status(simulation.add_grab(c.vertex, c.options)); }
  Status operator()(const change::MoveGrab& c) { return simulation.move_grab({c.number}, c.target, c.velocity); }
  Status operator()(const change::RemoveGrab& c) { return simulation.remove_grab({c.number}); }
  Status operator()(const change::AddCollider& c) { return status(simulation.add_collider(c.collider, c.json)); }
  Status operator()(const change::RemoveCollider& c) { return simulation.remove_collider({c.number}); }
  Status operator()(const change::PoseCollider& c) {
    return c.arrival ? simulation.move_collider({c.number}, c.pose, *c.arrival)
                     : simulation.move_collider({c.number}, c.pose);
  }
  Status operator()(const change::DriveCollider& c) {
    const Result<Motion> motion = motion_from_json(c.motion);
    return motion ? simulation.move_collider({c.number}, *motion) : motion.error();
  }
  Status operator()(const change::Save&) {
    snapshots.push_back(simulation.save());
    return {};
  }
  Status operator()(const change::Restore& c) {
    if (c.snapshot < 0 || static_cast<size_t>(c.snapshot) >= snapshots.size())
      return Error{"restore", format("%d: there is no such snapshot", c.snapshot), "write logs with changes()"};
    return simulation.restore(snapshots[static_cast<size_t>(c.snapshot)]);
  }
};

}  // namespace

Status Simulation::replay(std::string_view log) {
  const Result<ReadLog> read = read_log(log);
  if (!read) return read.error();
  if (steps_taken() != 0 || !engine_->log.entries.empty())
    return Error{"replay", "the simulation has taken steps or was changed", "replay on a new one"};
  const auto step_to = [&](int64_t last) -> Status {
    while (steps_taken() < last)
      if (const Result<StepReport> report = step(); !report) return report.error();
    return {};
  };
  Replayer replayer{*this};
  for (size_t k = 0; k < read->log.entries.size(); ++k) {
    const ChangeLog::Entry& entry = read->log.entries[k];
    if (Status s = step_to(entry.step); !s) return s;
    if (Status s = std::visit(replayer, entry.change); !s)
      return Error{format("changes.%zu: ", k) + s.error().where, s.error().what, s.error().remedy};
  }
  return step_to(read->steps);
}

Evaluation Simulation::evaluate() const {
  return engine_->evaluate();
}

std::vector<Real3> Simulation::reactions() const {
  std::vector<Vec3d> forces(engine_->state().x.size());
  for (const Reaction& r : engine_->method.stepper->reactions(engine_->state()))
    forces[static_cast<size_t>(r.slot)] += r.force;
  return in_user_order(engine_->compiled.model, forces);
}

uint64_t Simulation::hash() const {
  return engine_->hash();
}
const std::vector<std::string>& Simulation::warnings() const {
  return engine_->compiled.warnings;
}
void Simulation::set_observer(Observer* observer) {
  engine_->method.stepper->set_observer(observer);
}

}  // namespace sinew
