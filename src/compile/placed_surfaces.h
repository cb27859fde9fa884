// Where the surfaces of contact are, and what meets there: what contact.start decides upon (contact_start.h).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "contact/contact_surface.h"
#include "contact/ignored_pairs.h"
#include "exec/thread_pool.h"
#include "math/bounds.h"

namespace sinew {

// Two that may touch: bodies, by their numbers; or, behind all bodies, the colliders by theirs, for their planes.
using MeetingPair = std::pair<int32_t, int32_t>;

struct Meeting {
  int32_t triangle_a = -1, triangle_b = -1;  // of the surface; none: a vertex lies inside
  Vec3d place{};                             // [m]
  int64_t count = 0;                         // of pairs of triangles, or of vertices below a plane
  Vec3d across{};                            // sum over these of the normal of b minus that of a
  double depth = 0;                          // [m] below a plane
};
using Meetings = std::map<MeetingPair, Meeting>;

struct Gap {
  double gap = 0, radius = 0;  // [m]
  Vec3d normal{};              // from b to a
};

class PlacedSurfaces {
 public:
  // points [m]: of the surface, slots first; `planes`: its planes where they are.
  PlacedSurfaces(const ContactSurface& surface, std::vector<Vec3d> points, std::vector<ContactPlane> planes,
                 ThreadPool& pool);

  const ContactSurface& surface() const { return surface_; }
  std::vector<Vec3d>& points() { return points_; }
  const std::vector<Vec3d>& points() const { return points_; }
  const std::vector<ContactPlane>& planes() const { return planes_; }

  Vec3d at(int32_t point) const { return points_[static_cast<size_t>(point)]; }
  size_t body_of(int32_t point) const { return static_cast<size_t>(surface_.body_of[static_cast<size_t>(point)]); }
  int32_t body_at(int32_t triangle) const {
    return static_cast<int32_t>(body_of(surface_.triangles[static_cast<size_t>(triangle)][0]));
  }
  const std::vector<int32_t>& triangles_of(int32_t body) const { return triangles_of_[static_cast<size_t>(body)]; }
  int32_t some_point(int32_t body) const { return surface_.triangles[static_cast<size_t>(triangles_of(body)[0])][0]; }
  bool is_body(int32_t of) const { return static_cast<size_t>(of) < surface_.bodies.size(); }
  // As the scene counts objects, then colliders.
  int32_t object_of(int32_t of) const {
    const auto bodies = static_cast<int32_t>(surface_.bodies.size());
    return of < bodies ? surface_.bodies[static_cast<size_t>(of)].object : of - bodies;
  }
  int32_t number_of_planes_of(const ContactPlane& plane) const {
    return static_cast<int32_t>(surface_.bodies.size()) + plane.collider;
  }
  const ContactRule& rule_of(MeetingPair pair) const;
  bool is_below(int32_t body, const ContactPlane& plane) const;

  // What intersects, lies inside another, or below a plane.
  Meetings meetings() const;
  // Pairs of triangles that meet, also of what does not touch.
  std::vector<std::pair<int32_t, int32_t>> crossings() const;
  // Gaps below the radius, of bodies that do not intersect: of each pair the one that lacks most.
  std::map<MeetingPair, Gap> gaps(std::span<const IgnoredPair> ignored) const;

  // Whether two bodies are apart if the first is moved [m].
  bool are_apart(MeetingPair pair, Vec3d moved) const;
  // [m] How far the first has to move along `way` until its box is beyond that of the second.
  double way_out(MeetingPair pair, Vec3d way) const;

 private:
  struct Extent {
    Bounds box;
    double volume = 0;  // [m^3] below 0: the surface faces inwards, and what is outside is solid
  };
  Extent extent_of(int32_t body) const;
  double winding(int32_t body, Vec3d place, Vec3d moved) const;
  bool encloses(int32_t body, const Extent& extent, Vec3d place, Vec3d moved = {}) const;
  void add_inside(Meetings& all) const;
  void add_below(Meetings& all) const;
  Vec3d middle(int32_t triangle) const;
  Vec3d normal(int32_t triangle) const;

  const ContactSurface& surface_;
  std::vector<Vec3d> points_;
  std::vector<ContactPlane> planes_;
  ThreadPool& pool_;
  std::vector<std::vector<int32_t>> triangles_of_;  // of each body
  std::vector<uint8_t> of_bodies_;                  // by triangle; 0: of a collider
};

}  // namespace sinew
