// The contacts of a step: the candidates of the last detection, and what is found among them at given positions.
//
//   begin_step   once a step: where bodies and colliders were and where colliders are
//   carry        then, with the guarantee: moves all points at once
//   detect       at the start of a step
//   follow       once in a few iterations: detects again where an iterate has left what the candidates hold for
//   look         then: which candidates are near
//   find         whenever contacts are needed by the objective
//   find_near    before a sweep
//   end_step     when a step has succeeded: where friction that sticks holds
//
// Positions by slot may have others behind them, which are not read: the nodes of a grid.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "contact/anchors.h"
#include "contact/collider_place.h"
#include "contact/find_contacts.h"
#include "contact/ignored_pairs.h"
#include "contact/limits.h"
#include "contact/near_pairs.h"
#include "contact/rest_places.h"
#include "contact/surface_map.h"
#include "contact/surface_tree.h"

namespace sinew {

struct ContactOptions {
  int detect_every = 4;  // iterations between two looks whether a detection is due, early in a step
};

class Contacts {
 public:
  // stiffness [N/m]: by slot, what holds a vertex in place by itself (contact_stiffness.h).
  Contacts(ContactSurface surface, std::vector<double> stiffness, const ContactOptions& options, ThreadPool& pool);

  const ContactSurface& surface() const { return surface_; }
  const ContactOptions& options() const { return options_; }

  // x_prev: by slot. Vertices and planes of colliders, at the start and the end of the step; clock: h [s]. With the
  // guarantee, colliders begin where they were left, and those with triangles move along `paths`, ascending by their
  // points.
  void begin_step(std::span<const Vec3d> x_prev, std::span<const Vec3d> colliders_before,
                  std::span<const Vec3d> colliders_now, std::span<const ContactPlane> planes_before,
                  std::span<const ContactPlane> planes_now, double clock, std::span<const ColliderPath> paths = {});
  // Pairs that pass through each other until they are apart. Looked at by every detection.
  const IgnoredPairs& ignored() const { return ignored_; }
  void ignore(std::span<const IgnoredPair> pairs) { ignored_.add(pairs); }
  // For motions from one set of positions to the other, and a little farther. Raises the revision. With the guarantee,
  // half spaces first move towards where their scripts have them, as far as bodies at `from` let them.
  void detect(std::span<const Vec3d> from, std::span<const Vec3d> to, ThreadPool& pool);
  // For contacts at these positions only: later detections are as if it had not been.
  void detect_at(std::span<const Vec3d> x, ThreadPool& pool);
  // Gathers the candidates that are near these positions, unless those that are known will do.
  void look(std::span<const Vec3d> x, ThreadPool& pool) const;
  // Sees to it that the candidates are all that may touch at these positions, of an iterate that was at `earlier`;
  // returns whether it had to look for more. Not with the guarantee.
  bool follow(std::span<const Vec3d> earlier, std::span<const Vec3d> x, ThreadPool& pool);
  int64_t revision() const { return revision_; }
  // As in the constructor, where the stiffness of bodies has changed.
  void set_stiffness(std::vector<double> stiffness) { stiffness_ = std::move(stiffness); }

  // With the guarantee: makes boxes anew of points that are at their ends, or would be at `to`.
  void make_room(std::span<const Vec3d> x, std::span<const Vec3d> to, ThreadPool& pool);

  // With the guarantee: the sets that points keep to, null without.
  const Limits* limits() const { return keeps_apart_ ? &limits_ : nullptr; }
  // With the guarantee, before the detection: where points start that are first moved all at once, straight towards
  // `to`, as far as none meet; single: floats are stored. Empty: they stay where they are.
  std::vector<Vec3d> carry(std::span<const Vec3d> from, std::span<const Vec3d> to, bool single, ThreadPool& pool);
  // Divides the candidates at these positions, by slot, as they are stored; `goal`: where vertices would like to go;
  // single: they are floats. To be called after `detect`, and when limits have acted.
  Division divide(std::span<const Vec3d> x, std::span<const Vec3d> goal, bool single, ThreadPool& pool);
  // Moves each collider with triangles as a whole towards where its script has it, as far as the limits of all its
  // vertices allow; returns how many vertices and half spaces are not there.
  int64_t follow_scripts(ThreadPool& pool);
  // [m] Where the vertices of colliders are.
  std::span<const Vec3d> collider_points() const { return colliders_now_; }
  std::span<const ContactPlane> collider_planes() const { return planes_now_; }

  // x: by slot. The same for any number of threads. `counts` may be null.
  void find(std::span<const Vec3d> x, ThreadPool& pool, std::vector<Contact>& contacts, ContactCounts* counts) const;

  // The same of the candidates that were near when `find` or `look` was called last: what has come near since is
  // missing. x: where near_slots() are. `is_looked_at`: whether there are any since the detection.
  void find_near(std::span<const Vec3d> x, ThreadPool& pool, std::vector<Contact>& contacts,
                 ContactCounts* counts) const;
  std::span<const int32_t> near_slots() const { return near_pairs_.slots(); }
  bool is_looked_at() const { return near_pairs_.any(); }

  // x: by slot, at the end of the step.
  void end_step(std::span<const Vec3d> x, ThreadPool& pool);

  // Whether the point has candidates: it may be touched in this step.
  bool is_near(int32_t slot) const { return !near_.empty() && near_[static_cast<size_t>(slot)] != 0; }
  int64_t candidate_count() const {
    return static_cast<int64_t>(pairs_.vertex_triangle.size() + pairs_.edge_edge.size() + vertex_planes_.size());
  }
  size_t memory_bytes() const;
  // Milliseconds since the last call, or the first detection: of boxes and candidates; of which of these are near, and
  // contacts among them; of limits and colliders on their way.
  struct Times {
    double broad = 0, narrow = 0, limits = 0;
  };
  Times take_times() { return std::exchange(times_, {}); }

  // What the next step goes on from beside positions and velocities, as bytes: places of colliders, planes of
  // limits, anchors of friction that sticks, pairs that are ignored, and where points rest. Empty where there is no
  // such state. Restored ones must be of the same surface; false: the bytes are not such, and nothing is changed.
  std::string save() const;
  bool restore(std::string_view bytes);
  // Whether all that was saved is where points rest. Without it, and whatever the order of slots, contacts are the
  // same.
  static bool is_rest_alone(std::string_view bytes);
  // Goes on from the same surface with other rules, or from another one with bodies or colliders that are still there.
  // `placed` [m], `planes_placed`: where scripts have colliders now.
  void take_state_of(const Contacts& earlier);
  void take_state_of(const Contacts& earlier, const SurfaceMap& map, std::span<const Vec3d> placed,
                     std::span<const ContactPlane> planes_placed);

 private:
  std::span<const Vec3d> of_slots(std::span<const Vec3d> x) const {
    return x.first(static_cast<size_t>(surface_.slot_count));
  }
  void note_candidates(const CandidatePairs& pairs, std::span<const VertexPlane> planes);
  ContactQuery query_at(std::span<const Vec3d> x) const;
  bool find_pairs(std::span<const Vec3d> from, ThreadPool& pool, std::vector<int32_t>& changed);
  std::vector<VertexPlane> plane_pairs(std::span<const int32_t> points, std::span<const Vec3d> from,
                                       std::span<const Vec3d> to) const;
  void leave_out(CandidatePairs& pairs) const;
  void leave_out_crossing(CandidatePairs& pairs) const;
  std::vector<int32_t> points_outside(std::span<const Vec3d> x, double slack, ThreadPool& pool) const;
  void find_more(std::span<const int32_t> points, std::span<const Vec3d> x, ThreadPool& pool);
  void widen(std::span<const int32_t> points, std::span<const Vec3d> earlier, std::span<const Vec3d> x,
             ThreadPool& pool);
  void move_planes();
  ColliderPlace& reached(const ColliderPath& path);

  ContactSurface surface_;
  std::vector<double> stiffness_;
  ContactOptions options_;
  double slack_ = 0, reach_ = 0;  // [m]
  bool all_touch_themselves_ = true;
  bool keeps_apart_ = false;    // guaranteed of some pair
  bool all_kept_apart_ = true;  // and of every one that touches
  bool sticks_ = false;         // friction does, of some pair

  std::vector<Vec3d> x_prev_, colliders_before_, colliders_now_;
  bool behind_ = false;                  // with the guarantee: some collider is not where its script had it
  std::vector<Vec3d> collider_targets_;  // with the guarantee; colliders_now_ is on the way there
  std::vector<ContactPlane> planes_before_, planes_now_, plane_targets_;
  // With the guarantee: where colliders with triangles are, named by their first points.
  struct Reached {
    int64_t first_point;
    ColliderPlace place;
  };
  std::vector<ColliderPath> paths_;
  std::vector<Reached> reached_;
  IgnoredPairs ignored_;
  bool leaves_out_ignored_ = false;  // pairs_ does
  double clock_ = 0;

  // By slot, of the last detection: from where to where points move. Of points that hardly do, or have been elsewhere
  // since, two corners of what encloses where they were to come and where they have been; these are `wide`.
  std::vector<Vec3d> from_, to_;
  std::vector<uint8_t> wide_;
  std::vector<BodyMotion> motion_;  // from the start of the step to there, by body
  Anchors anchors_;
  RestPlaces rest_places_;
  SurfaceTree tree_;
  Limits limits_;
  CandidatePairs pairs_, more_pairs_;  // the latter while candidates are added
  CandidatePairs apart_pairs_;         // those that are kept apart, where some are and others are not
  std::vector<VertexPlane> vertex_planes_;
  mutable NearPairs near_pairs_;  // remembered, as they depend on nothing but candidates and positions
  std::vector<uint8_t> near_;
  mutable std::vector<Vec3d> near_x_;
  mutable Times times_;
  int64_t revision_ = 0;
};

}  // namespace sinew
