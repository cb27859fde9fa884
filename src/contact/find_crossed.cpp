// Whether what touches has crossed already: vertices inside a body, and edges that have passed through each other.
#include "contact/contact_finder.h"

namespace sinew::contact_finding {

bool Finder::add_crossed(int32_t v, std::span<const Near> near, const ContactRule& rule, bool own) {
  const int32_t body = near.front().body;
  const double depth = depth_of(body_of(v), body);
  const Near* nearest = nullptr;
  for (const Near& s : near) {
    if (!(s.square < depth * depth) || (nearest && s.square >= nearest->square)) continue;
    if (own && !(s.square < own_inside_share * own_inside_share * rest_square(v, s))) continue;
    nearest = &s;
  }
  if (!nearest) return false;
  const Feature feature = feature_at(*nearest);
  if (is_closed(body) && lies_above(near, feature, nearest->way)) return false;
  const Outward out = outward(q_->x, near, feature);
  const double side_now = dot(out.normal, nearest->way);
  if (is_closed(body)) {
    if (!(side_now < 0) || (own && !out.whole)) return false;
    // Nearer triangles may be no candidates; but it did pass through this one: it was outside, and has come at least as
    // far as it is deep. What is beside a triangle may be below it only because the surface bends.
    const double sure = sure_depth_of(*q_, rule);
    const Vec3d come = nearest->way - way_before(v, *nearest);
    if (nearest->square > sure * sure && (dot(come, come) < nearest->square || !(side_before(v, near, *nearest) > 0)))
      return false;
    inside.push_back({v, body});
  } else {
    if (!out.whole) return false;
    if (!(side_now * side_before(v, near, *nearest) < 0)) return false;
  }
  add_contact(v, feature, place_at(v, feature, nearest), rule, own, -1, 1, near);
  return true;
}

bool Finder::lies_above(std::span<const Near> near, Feature feature, Vec3d way) const {
  const auto [kind, number] = feature;
  for (const Near& s : near) {
    const auto& parts =
        kind == on_edge ? surface_->triangle_edges[static_cast<size_t>(s.triangle)] : triangle(s.triangle);
    const bool has =
        kind == on_face ? s.triangle == number : parts[0] == number || parts[1] == number || parts[2] == number;
    if (has && !(dot(area_normal(q_->x, s.triangle), way) > 0)) return false;
  }
  return true;
}

Vec3d Finder::way_before(int32_t v, const Near& s) const {
  Vec3d way{};
  for (size_t k = 0; k < 3; ++k) way += s.foot.weights[k] * (q_->before[v] - q_->before[triangle(s.triangle)[k]]);
  return way;
}

double Finder::side_before(int32_t v, std::span<const Near> near, const Near& s) const {
  return dot(outward(q_->before, near, feature_at(s)).normal, way_before(v, s));
}

bool Finder::is_below(int32_t edge, Vec3d direction) const {
  for (const int32_t t : surface_->edge_triangles[static_cast<size_t>(edge)])
    if (t < 0 || !(dot(area_normal(q_->x, t), direction) < 0)) return false;
  return true;
}

bool Finder::pierces(const Edge& e, int32_t edge) const {
  const Vec3d a = q_->x[e[0]], b = q_->x[e[1]];
  for (const int32_t t : surface_->edge_triangles[static_cast<size_t>(edge)]) {
    const Triangle& corners = triangle(t);
    const Vec3d p = q_->x[corners[0]], n = area_normal(q_->x, t);
    if (!(dot(n, a - p) * dot(n, b - p) < 0)) continue;
    int sides = 0;
    for (size_t k = 0; k < 3; ++k)
      sides += dot(b - a, cross(q_->x[corners[k]] - a, q_->x[corners[(k + 1) % 3]] - a)) > 0 ? 1 : -1;
    if (sides == 3 || sides == -3) return true;
  }
  return false;
}

bool Finder::has_passed(const Edge& e, const Edge& f) const {
  const auto at = [&](int32_t point, double time) { return (1 - time) * q_->before[point] + time * q_->x[point]; };
  const auto lines = [&](double time) {
    return LineFeet(at(e[0], time), at(e[1], time), at(f[0], time), at(f[1], time));
  };
  double early = 0, late = 1;
  const double start = lines(early).height;
  if (!(start * lines(late).height < 0)) return false;
  for (int k = 0; k < 30; ++k) {
    const double middle = (early + late) / 2;
    (start * lines(middle).height > 0 ? early : late) = middle;
  }
  return lines(late).within();
}

}  // namespace sinew::contact_finding
