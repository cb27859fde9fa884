#include "compile/separator.h"

#include <algorithm>
#include <cmath>

#include "math/length.h"
#include "mesh/disjoint_sets.h"

namespace sinew {
namespace {

// A way out is looked for from a small share of it on, which is doubled so often; then the last step is halved so
// often.
constexpr int doublings = 6, halvings = 8;
// [-] Pairs are moved a little farther than they have to be, so that those that push each other back get there.
constexpr double margin = 1.01;

}  // namespace

// What moves as a whole: slots that elements and ties join.
Separator::Separator(const CompiledScene& compiled, PlacedSurfaces& surfaces) : surfaces_(surfaces) {
  const Model& model = compiled.model;
  const auto slots = static_cast<size_t>(surfaces.surface().slot_count);
  DisjointSets sets(slots);
  for (int32_t e = 0; e < static_cast<int32_t>(model.tets.size()); ++e)
    for (const int32_t node : model.nodes_of(e)) sets.join(node, model.tets[static_cast<size_t>(e)][0]);
  for (int32_t t = 0; t < model.ties.count(); ++t) {
    const std::span<const int32_t> ends = model.ties.vertices_of(t);
    for (const int32_t end : ends) sets.join(end, ends[0]);
  }
  cluster_.resize(slots);
  for (size_t s = 0; s < cluster_.size(); ++s) cluster_[s] = sets.find(static_cast<int32_t>(s));
  held_.assign(cluster_.size(), 0);
  for (const PinScript& pin : compiled.pins)
    for (const int32_t s : pin.slots) held_[static_cast<size_t>(cluster_[static_cast<size_t>(s)])] = 1;
}

// -1: a collider.
int32_t Separator::cluster_of(int32_t of) const {
  if (!surfaces_.is_body(of) || surfaces_.surface().bodies[static_cast<size_t>(of)].collider) return -1;
  return cluster_[static_cast<size_t>(surfaces_.some_point(of))];
}
bool Separator::is_free(int32_t of) const {
  const int32_t cluster = cluster_of(of);
  return cluster >= 0 && held_[static_cast<size_t>(cluster)] == 0;
}
bool Separator::can_move(MeetingPair pair) const {
  return cluster_of(pair.first) != cluster_of(pair.second) && (is_free(pair.first) || is_free(pair.second));
}
bool Separator::are_joined(MeetingPair pair) const {
  return cluster_of(pair.first) == cluster_of(pair.second) && cluster_of(pair.first) >= 0;
}

// The first against the second, along `way`; by half each, if both are free.
void Separator::shift(MeetingPair pair, Vec3d way, double by) {
  const bool both = is_free(pair.first) && is_free(pair.second);
  const auto move = [&](int32_t of, Vec3d along) {
    if (!is_free(of)) return;
    const int32_t cluster = cluster_of(of);
    for (size_t s = 0; s < cluster_.size(); ++s)
      if (cluster_[s] == cluster) surfaces_.points()[s] += along;
  };
  const Vec3d share = ((both ? 0.5 : 1) * by) * way;
  move(pair.first, share);
  move(pair.second, -share);
}

void Separator::widen(MeetingPair pair, const Gap& gap) {
  shift(pair, gap.normal, margin * gap.radius - gap.gap);
}

void Separator::move_out(MeetingPair pair, const Meeting& meeting) {
  const ContactRule& rule = surfaces_.rule_of(pair);
  const double radius = rule.law == ContactLaw::offset ? rule.radius : 0;
  if (!surfaces_.is_body(pair.second)) {
    shift(pair, meeting.across, margin * (meeting.depth + radius));
    return;
  }
  std::vector<Vec3d> ways;
  if (const double size = length(meeting.across); size > 0) {
    ways.push_back((1 / size) * meeting.across);
    ways.push_back(-ways[0]);
  }
  for (const double sign : {1.0, -1.0})
    for (const Vec3d axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) ways.push_back(sign * axis);
  double least = Bounds::infinity;
  Vec3d best{};
  for (const Vec3d& way : ways) {
    const double farthest = margin * surfaces_.way_out(pair, way);
    // One that is not out after most of the shortest way so far is not shorter.
    if (std::isfinite(least) && !surfaces_.are_apart(pair, (0.99 * least) * way)) continue;
    double far = std::isfinite(least) ? 0.99 * least : std::ldexp(farthest, -doublings), near = 0;
    while (!std::isfinite(least) && far < farthest && !surfaces_.are_apart(pair, far * way)) {
      near = far;
      far = std::min(2 * far, farthest);
    }
    for (int k = 0; k < halvings; ++k) {
      const double half = 0.5 * (near + far);
      (surfaces_.are_apart(pair, half * way) ? far : near) = half;
    }
    least = far;
    best = way;
  }
  shift(pair, best, margin * (least + radius));
}

}  // namespace sinew
