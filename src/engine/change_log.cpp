#include "engine/change_log.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/format.h"
#include "scene/json.h"

namespace sinew {
namespace {

constexpr const char* log_format = "sinew changes";

Json json_of(const Real3& v) {
  Json list = Json::array();
  for (const double c : v) list.add(Json(c));
  return list;
}
Json json_of(const std::vector<Real3>& points) {
  Json list = Json::array();
  for (const Real3& p : points) list.add(json_of(p));
  return list;
}
Json json_of(const std::vector<int32_t>& numbers) {
  Json list = Json::array();
  for (const int32_t n : numbers) list.add(Json(n));
  return list;
}

Json json_of(const std::array<int32_t, 3>& numbers) {
  return json_of(std::vector<int32_t>(numbers.begin(), numbers.end()));
}

struct Writer {
  Json& entry;

  void operator()(const change::AddPin& c) const { entry.add("add_pin", json_of(c.vertices)); }
  void operator()(const change::PosePin& c) const {
    entry.add("move_pin", Json(c.pin));
    add_pose(c.pose);
  }
  void operator()(const change::PlacePin& c) const {
    entry.add("place_pin", Json(c.pin));
    entry.add("places", json_of(c.places));
  }
  void operator()(const change::RemovePin& c) const { entry.add("remove_pin", Json(c.pin)); }
  void operator()(const change::AddForce& c) const {
    entry.add("add_force", json_of(c.force));
    entry.add("vertices", json_of(c.vertices));
  }
  void operator()(const change::SetForce& c) const {
    entry.add("set_force", Json(c.number));
    entry.add("force", json_of(c.force));
  }
  void operator()(const change::RemoveForce& c) const { entry.add("remove_force", Json(c.number)); }
  void operator()(const change::SetGravity& c) const { entry.add("set_gravity", json_of(c.gravity)); }
  void operator()(const change::SetState& c) const {
    entry.add("set_positions", json_of(c.positions));
    entry.add("velocities", json_of(c.velocities));
  }
  void operator()(const change::SetValue& c) const {
    entry.add("set", Json(c.path));
    entry.add("value", Json(c.value));
  }
  void operator()(const change::AddPointForce& c) const {
    entry.add("add_point_force", json_of(c.force));
    add_point(c.point);
  }
  void operator()(const change::MoveForce& c) const {
    entry.add("move_force", Json(c.number));
    add_point(c.point);
  }
  void operator()(const change::SetActivation& c) const {
    entry.add("set_activation", Json(c.activation));
    entry.add("object", Json(c.object));
  }
  void operator()(const change::SwitchObject& c) const {
    entry.add("switch_object", Json(c.on));
    entry.add("object", Json(c.object));
  }
  void operator()(const change::AddObject& c) const {
    entry.add("add_object", Json(c.object));
    entry.add("json", Json(c.json));
  }
  void operator()(const change::RemoveObject& c) const { entry.add("remove_object", Json(c.object)); }
  void operator()(const change::AddGrab& c) const {
    entry.add("add_grab", json_of(c.point.vertices));
    entry.add("weights", json_of(c.point.weights));
    add_options(c.options);
  }
  void operator()(const change::AddVertexGrab& c) const {
    entry.add("add_vertex_grab", Json(c.vertex));
    add_options(c.options);
  }
  void operator()(const change::MoveGrab& c) const {
    entry.add("move_grab", Json(c.number));
    entry.add("target", json_of(c.target));
    entry.add("velocity", json_of(c.velocity));
  }
  void operator()(const change::RemoveGrab& c) const { entry.add("remove_grab", Json(c.number)); }
  void operator()(const change::AddCollider& c) const {
    entry.add("add_collider", Json(c.collider));
    entry.add("json", Json(c.json));
  }
  void operator()(const change::RemoveCollider& c) const { entry.add("remove_collider", Json(c.number)); }
  void operator()(const change::PoseCollider& c) const {
    entry.add("move_collider", Json(c.number));
    add_pose(c.pose);
    if (c.arrival) entry.add("arrival", Json(*c.arrival));
  }
  void operator()(const change::DriveCollider& c) const {
    entry.add("drive_collider", Json(c.number));
    entry.add("motion", Json(c.motion));
  }
  void operator()(const change::Save& c) const { entry.add("save", Json(c.snapshot)); }
  void operator()(const change::Restore& c) const { entry.add("restore", Json(c.snapshot)); }

  void add_point(const SurfacePoint& point) const {
    entry.add("vertices", json_of(point.vertices));
    entry.add("weights", json_of(point.weights));
  }
  void add_pose(const PinPose& pose) const {
    entry.add("translate", json_of(pose.translate));
    entry.add("axis", json_of(pose.axis));
    entry.add("rotate_degrees", Json(pose.rotate_degrees));
    entry.add("scale", json_of(pose.scale));
    if (pose.center) entry.add("center", json_of(*pose.center));
  }
  void add_options(const GrabOptions& options) const {
    if (options.stiffness) entry.add("stiffness", Json(*options.stiffness));
    if (options.damping) entry.add("damping", Json(*options.damping));
  }
};

// Reads the members of one entry; the first fault is kept.
class Reader {
 public:
  Reader(const Json& entry, std::string where) : entry_(entry), where_(std::move(where)) {}

  bool has(std::string_view key) const { return entry_.find(key) != nullptr; }
  int64_t whole(std::string_view key) {
    const Json* json = member(key);
    return json ? whole_of(*json, key) : 0;
  }
  int32_t index(std::string_view key) { return static_cast<int32_t>(whole(key)); }
  double number(std::string_view key) {
    const Json* json = member(key);
    if (json && json->is_number()) return json->number;
    if (json) fault(key, "must be a number");
    return 0;
  }
  std::string text(std::string_view key) {
    const Json* json = member(key);
    if (json && json->is_string()) return json->text;
    if (json) fault(key, "must be a text");
    return {};
  }
  bool toggle(std::string_view key) {
    const Json* json = member(key);
    if (json && json->is_boolean()) return json->boolean;
    if (json) fault(key, "must be true or false");
    return false;
  }
  GrabOptions grab_options() {
    GrabOptions options;
    if (has("stiffness")) options.stiffness = number("stiffness");
    if (has("damping")) options.damping = number("damping");
    return options;
  }
  PinPose pose() {
    PinPose pose{vector("translate"), vector("axis"), number("rotate_degrees"), vector("scale"), {}};
    if (has("center")) pose.center = vector("center");
    return pose;
  }
  std::optional<double> number_if_any(std::string_view key) {
    return has(key) ? std::optional(number(key)) : std::nullopt;
  }
  SurfacePoint point(std::string_view key = "vertices") {
    SurfacePoint point;
    const std::vector<int32_t> vertices = indices(key);
    if (vertices.size() == 3)
      std::copy(vertices.begin(), vertices.end(), point.vertices.begin());
    else
      fault(key, "must be three");
    point.weights = vector("weights");
    return point;
  }
  Real3 vector(std::string_view key) {
    const Json* json = member(key);
    return json ? vector_of(*json, key) : Real3{};
  }
  std::vector<Real3> vectors(std::string_view key) {
    std::vector<Real3> list;
    if (const Json* json = items(key))
      for (const Json& item : json->items) list.push_back(vector_of(item, key));
    return list;
  }
  std::vector<int32_t> indices(std::string_view key) {
    std::vector<int32_t> list;
    if (const Json* json = items(key))
      for (const Json& item : json->items) list.push_back(static_cast<int32_t>(whole_of(item, key)));
    return list;
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  const Json* member(std::string_view key) {
    const Json* json = entry_.find(key);
    if (!json) fault(key, "is missing");
    return json;
  }
  const Json* items(std::string_view key) {
    const Json* json = member(key);
    if (json && !json->is_array()) fault(key, "must be a list");
    return json && json->is_array() ? json : nullptr;
  }
  int64_t whole_of(const Json& json, std::string_view key) {
    if (json.is_number() && json.number == std::floor(json.number) && std::abs(json.number) <= 9e15)
      return static_cast<int64_t>(json.number);
    fault(key, "must be a whole number");
    return 0;
  }
  Real3 vector_of(const Json& json, std::string_view key) {
    if (json.is_array() && json.items.size() == 3 && json.items[0].is_number() && json.items[1].is_number() &&
        json.items[2].is_number())
      return {json.items[0].number, json.items[1].number, json.items[2].number};
    fault(key, "must be three numbers");
    return {};
  }
  void fault(std::string_view key, const char* what) {
    if (!error_) error_ = Error{where_ + "." + std::string(key), what, "write logs with changes()"};
  }

  const Json& entry_;
  std::string where_;
  std::optional<Error> error_;
};

std::optional<Change> change_of(Reader& r) {
  if (r.has("add_pin")) return change::AddPin{r.indices("add_pin")};
  if (r.has("move_pin")) return change::PosePin{r.index("move_pin"), r.pose()};
  if (r.has("place_pin")) return change::PlacePin{r.index("place_pin"), r.vectors("places")};
  if (r.has("remove_pin")) return change::RemovePin{r.index("remove_pin")};
  if (r.has("add_force")) return change::AddForce{r.indices("vertices"), r.vector("add_force")};
  if (r.has("set_force")) return change::SetForce{r.index("set_force"), r.vector("force")};
  if (r.has("remove_force")) return change::RemoveForce{r.index("remove_force")};
  if (r.has("add_point_force")) return change::AddPointForce{r.point(), r.vector("add_point_force")};
  if (r.has("move_force")) return change::MoveForce{r.index("move_force"), r.point()};
  if (r.has("add_grab")) return change::AddGrab{r.point("add_grab"), r.grab_options()};
  if (r.has("add_vertex_grab")) return change::AddVertexGrab{r.index("add_vertex_grab"), r.grab_options()};
  if (r.has("move_grab")) return change::MoveGrab{r.index("move_grab"), r.vector("target"), r.vector("velocity")};
  if (r.has("remove_grab")) return change::RemoveGrab{r.index("remove_grab")};
  if (r.has("set_activation")) return change::SetActivation{r.text("object"), r.number("set_activation")};
  if (r.has("switch_object")) return change::SwitchObject{r.text("object"), r.toggle("switch_object")};
  if (r.has("add_object")) return change::AddObject{r.text("add_object"), r.text("json")};
  if (r.has("remove_object")) return change::RemoveObject{r.text("remove_object")};
  if (r.has("set_gravity")) return change::SetGravity{r.vector("set_gravity")};
  if (r.has("set_positions")) return change::SetState{r.vectors("set_positions"), r.vectors("velocities")};
  if (r.has("set")) return change::SetValue{r.text("set"), r.text("value")};
  if (r.has("add_collider")) return change::AddCollider{r.text("add_collider"), r.text("json")};
  if (r.has("remove_collider")) return change::RemoveCollider{r.index("remove_collider")};
  if (r.has("move_collider"))
    return change::PoseCollider{r.index("move_collider"), r.pose(), r.number_if_any("arrival")};
  if (r.has("drive_collider")) return change::DriveCollider{r.index("drive_collider"), r.text("motion")};
  if (r.has("save")) return change::Save{r.index("save")};
  if (r.has("restore")) return change::Restore{r.index("restore")};
  return {};
}

}  // namespace

std::string log_text(const ChangeLog& log, int64_t steps) {
  Json document = Json::object();
  document.add("format", Json(log_format));
  document.add("steps", Json(steps));
  Json changes = Json::array();
  for (const ChangeLog::Entry& e : log.entries) {
    Json entry = Json::object();
    entry.add("step", Json(e.step));
    std::visit(Writer{entry}, e.change);
    changes.add(std::move(entry));
  }
  document.add("changes", std::move(changes));
  return write_json(document);
}

Result<ReadLog> read_log(std::string_view text) {
  const Result<Json> document = parse_json(text, "changes");
  if (!document) return document.error();
  const Json* format = document->is_object() ? document->find("format") : nullptr;
  const Json* changes = document->is_object() ? document->find("changes") : nullptr;
  if (!format || format->text != log_format || !changes || !changes->is_array())
    return Error{"changes", "is not a log of changes", "write logs with changes()"};
  ReadLog read;
  Reader head(*document, "changes");
  read.steps = head.whole("steps");
  if (head.error()) return *head.error();
  for (size_t k = 0; k < changes->items.size(); ++k) {
    const std::string where = sinew::format("changes.%zu", k);
    if (!changes->items[k].is_object()) return Error{where, "must be an object", "write logs with changes()"};
    Reader reader(changes->items[k], where);
    const int64_t step = reader.whole("step");
    std::optional<Change> change = change_of(reader);
    if (reader.error()) return *reader.error();
    if (!change) return Error{where, "is no change that this program knows", "write logs with changes()"};
    read.log.entries.push_back({step, std::move(*change)});
  }
  return read;
}

}  // namespace sinew
