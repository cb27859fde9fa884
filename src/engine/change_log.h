// What was done to a running simulation, as a list that can be written and replayed: each change with the step before
// which it was made. Replayed on a simulation of the same scene it leads to the same bits, on any number of threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "sinew/live.h"

namespace sinew {

// One type for each function of sinew/simulation.h that changes something.
namespace change {
struct AddPin {
  std::vector<int32_t> vertices;
};
struct PosePin {
  int32_t pin;
  PinPose pose;
};
struct PlacePin {
  int32_t pin;
  std::vector<Real3> places;
};
struct RemovePin {
  int32_t pin;
};
struct AddForce {
  std::vector<int32_t> vertices;
  Real3 force;
};
struct AddPointForce {
  SurfacePoint point;  // its vertices and weights
  Real3 force;
};
struct MoveForce {
  int32_t number;
  SurfacePoint point;
};
struct SetForce {
  int32_t number;
  Real3 force;
};
struct RemoveForce {
  int32_t number;
};
struct AddGrab {
  SurfacePoint point;  // its vertices and weights
  GrabOptions options;
};
struct AddVertexGrab {
  int32_t vertex;
  GrabOptions options;
};
struct MoveGrab {
  int32_t number;
  Real3 target, velocity;
};
struct RemoveGrab {
  int32_t number;
};
struct SetGravity {
  Real3 gravity;
};
struct SetState {
  std::vector<Real3> positions, velocities;
};
struct SetValue {
  std::string path, value;
};
struct SetActivation {
  std::string object;
  double activation;
};
struct SwitchObject {
  std::string object;
  bool on;
};
struct AddObject {
  std::string object, json;
};
struct RemoveObject {
  std::string object;
};
struct AddCollider {
  std::string collider, json;
};
struct RemoveCollider {
  int32_t number;
};
struct PoseCollider {
  int32_t number;
  PinPose pose;
  std::optional<double> arrival;
};
struct DriveCollider {
  int32_t number;
  std::string motion;  // JSON, as of a scene
};
struct Save {
  int32_t snapshot;
};
struct Restore {
  int32_t snapshot;
};
}  // namespace change
using Change = std::variant<change::AddPin, change::PosePin, change::PlacePin, change::RemovePin, change::AddForce,
                            change::SetForce, change::RemoveForce, change::SetGravity, change::SetState,
                            change::SetValue, change::Save, change::Restore, change::AddPointForce, change::MoveForce,
                            change::SetActivation, change::SwitchObject, change::AddObject, change::RemoveObject,
                            change::AddGrab, change::AddVertexGrab, change::MoveGrab, change::RemoveGrab,
                            change::AddCollider, change::RemoveCollider, change::PoseCollider, change::DriveCollider>;

struct ChangeLog {
  struct Entry {
    int64_t step;  // steps taken before it
    Change change;
  };
  std::vector<Entry> entries;
};

// `steps`: taken in all.
std::string log_text(const ChangeLog& log, int64_t steps);
struct ReadLog {
  ChangeLog log;
  int64_t steps = 0;
};
// Errors: text that is not such a log, with the place of the first fault.
Result<ReadLog> read_log(std::string_view text);

}  // namespace sinew
