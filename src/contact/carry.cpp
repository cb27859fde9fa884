#include "contact/carry.h"

#include <algorithm>
#include <cmath>

#include "contact/ccd.h"
#include "contact/separation.h"
#include "math/stored.h"

namespace sinew {
namespace {

// How often what has been stopped may stop others; in the last rounds all that would meet stays where it is.
constexpr int most_rounds = 24, patient_rounds = 16;
// [-] What is kept of a gap, or of the radius of contact if it is wider: forces grow as gaps close.
constexpr double part_kept = 0.5;

// Points that would meet, and the part of their way until then.
struct Stop {
  std::array<int32_t, 4> points;
  double part;
};

class Carrier {
 public:
  Carrier(const CarryQuery& query, SurfaceTree& tree, ThreadPool& pool)
      : q_(query), surface_(*query.surface), tree_(tree), pool_(pool), there_(query.from.begin(), query.from.end()) {}

  std::vector<Vec3d> carry() {
    pool_.for_each(static_cast<int64_t>(surface_.vertices.size()), [&](size_t k) {
      const int32_t v = surface_.vertices[k];
      if (!surface_.is_collider_point(v)) there_[static_cast<size_t>(v)] = aim(v);
    });
    CandidatePairs pairs;
    tree_.find(surface_, positions(q_.from), positions(there_), q_.least_gap, EdgeChoice::all, pool_, pairs, true);
    for (int round = 0; round < most_rounds; ++round) {
      q_.leave_out(pairs);
      const std::vector<int32_t> stopped = stop(meetings(pairs), round < patient_rounds);
      if (stopped.empty()) return std::move(there_);
      tree_.find_of(stopped, positions(q_.from), positions(there_), q_.least_gap, EdgeChoice::all, pool_, pairs);
    }
    return {};
  }

 private:
  PointPositions positions(std::span<const Vec3d> slots) const { return {slots, q_.colliders}; }
  Vec3d stored(Vec3d x) const {
    if (!q_.single) return x;
    const Vec3<float> near = stored_as<float>(x);
    return {near.x, near.y, near.z};
  }
  double kept_of(double gap) const { return part_kept * std::min(gap, q_.radius); }

  // Where a point would like to go, above all half spaces.
  Vec3d aim(int32_t v) const {
    const Vec3d from = q_.from[static_cast<size_t>(v)];
    Vec3d to = q_.to[static_cast<size_t>(v)];
    if (!std::isfinite(to.x + to.y + to.z)) return from;
    const int32_t body = surface_.body_of[static_cast<size_t>(v)];
    const auto is_limit = [&](size_t k) {
      return surface_.kept_apart(body, q_.planes[k]) && !q_.ignored->has_plane(body, k);
    };
    for (size_t k = 0; k < q_.planes.size(); ++k) {
      if (!is_limit(k)) continue;
      const double lacks = kept_of(least_height(q_.planes[k], from)) - least_height(q_.planes[k], to);
      if (lacks > 0) to += lacks * q_.planes[k].normal;
    }
    to = stored(to);
    // Where half spaces meet, or by rounding, it may still be in one.
    for (size_t k = 0; k < q_.planes.size(); ++k)
      if (is_limit(k) && !(least_height(q_.planes[k], to) > 0)) return from;
    return to;
  }

  MovingPoint way_of(int32_t point) const {
    if (!surface_.is_collider_point(point))
      return {q_.from[static_cast<size_t>(point)], there_[static_cast<size_t>(point)]};
    const Vec3d x = q_.colliders[static_cast<size_t>(point - surface_.slot_count)];
    return {x, x};
  }

  // Which pairs would meet, in their order.
  std::vector<Stop> meetings(const CandidatePairs& pairs) const {
    const size_t faces = pairs.vertex_triangle.size(), count = faces + pairs.edge_edge.size();
    const auto look = [&](size_t k, std::vector<Stop>& found) {
      std::array<int32_t, 4> p;
      double part = 0;
      int first_side = 1;
      if (k < faces) {
        const CandidatePairs::VertexTriangle& pair = pairs.vertex_triangle[k];
        const Triangle& t = surface_.triangles[static_cast<size_t>(pair.triangle)];
        p = {pair.vertex, t[0], t[1], t[2]};
      } else {
        const CandidatePairs::EdgeEdge& pair = pairs.edge_edge[k - faces];
        const Edge &e = surface_.edges[static_cast<size_t>(pair.a)], &f = surface_.edges[static_cast<size_t>(pair.b)];
        p = {e[0], e[1], f[0], f[1]};
        first_side = 2;
      }
      const std::array<MovingPoint, 4> way{way_of(p[0]), way_of(p[1]), way_of(p[2]), way_of(p[3])};
      const double gap = separate({way[0].from, way[1].from, way[2].from, way[3].from}, first_side).gap();
      if (gap > q_.least_gap) {
        const auto safe_time = first_side == 1 ? safe_time_vertex_triangle : safe_time_edge_edge;
        part = safe_time(way[0], way[1], way[2], way[3], std::max(q_.least_gap, kept_of(gap)));
      }
      if (part < 1) found.push_back({p, part});
    };
    constexpr size_t chunk = 1024;
    std::vector<std::vector<Stop>> found((count + chunk - 1) / chunk);
    pool_.for_each(static_cast<int64_t>(found.size()), [&](size_t c) {
      for (size_t k = c * chunk; k < std::min(count, (c + 1) * chunk); ++k) look(k, found[c]);
    });
    std::vector<Stop> all;
    for (const std::vector<Stop>& some : found) all.insert(all.end(), some.begin(), some.end());
    return all;
  }

  // Shortens ways; returns the points whose are, ascending.
  std::vector<int32_t> stop(const std::vector<Stop>& meetings, bool patient) {
    part_.resize(there_.size(), 1);
    std::vector<int32_t> stopped;
    for (const Stop& meeting : meetings)
      for (const int32_t p : meeting.points) {
        if (surface_.is_collider_point(p)) continue;
        double& part = part_[static_cast<size_t>(p)];
        if (part == 1) stopped.push_back(p);
        part = std::min(part, patient ? meeting.part : 0);
      }
    std::sort(stopped.begin(), stopped.end());
    std::vector<int32_t> moved;
    for (const int32_t p : stopped) {
      const auto s = static_cast<size_t>(p);
      const Vec3d from = q_.from[s];
      Vec3d to = part_[s] > 0 ? stored(from + part_[s] * (there_[s] - from)) : from;
      part_[s] = 1;
      if (is_same_place(to, there_[s])) to = from;
      // One that stands has met what others do: these are stopped.
      if (is_same_place(to, there_[s])) continue;
      there_[s] = to;
      moved.push_back(p);
    }
    return moved;
  }

  const CarryQuery& q_;
  const ContactSurface& surface_;
  SurfaceTree& tree_;
  ThreadPool& pool_;
  std::vector<Vec3d> there_;
  std::vector<double> part_;  // by slot; all 1 between two calls
};

}  // namespace

std::vector<Vec3d> carry(const CarryQuery& query, SurfaceTree& tree, ThreadPool& pool) {
  return Carrier(query, tree, pool).carry();
}

}  // namespace sinew
