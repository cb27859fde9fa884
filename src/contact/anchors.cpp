#include "contact/anchors.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "contact/contact_sides.h"
#include "contact/feature.h"

namespace sinew {
namespace {

auto pair_of(const Anchor& a) {
  return std::tuple(a.kind, a.first, a.body);
}
bool before(const Anchor& a, const Anchor& b) {
  return std::tuple(pair_of(a), a.second) < std::tuple(pair_of(b), b.second);
}

Anchor anchor_of(const ContactSurface& surface, const Contact& contact) {
  const int32_t body = sides_of(surface, contact)[1].body;
  Anchor anchor;
  anchor.kind = static_cast<int64_t>(contact.kind);
  anchor.second = contact.second;
  anchor.first = contact.first;
  anchor.body = body < 0 ? static_cast<int32_t>(-1 - contact.second) : body;
  return anchor;
}

}  // namespace

void Anchors::add_to(const ContactSurface& surface, std::span<Contact> contacts) const {
  if (anchors_.empty()) return;
  for (Contact& contact : contacts) {
    if (!(contact.numbers.hold > 0)) continue;
    const Anchor sought = anchor_of(surface, contact);
    const auto by_pair = [](const Anchor& a, const Anchor& b) { return pair_of(a) < pair_of(b); };
    const auto [first, last] = std::equal_range(anchors_.begin(), anchors_.end(), sought, by_pair);
    if (first == last) continue;
    auto found = std::find_if(first, last, [&](const Anchor& a) { return a.second == sought.second; });
    if (found == last) {
      if (contact.kind == ContactKind::edge_edge) continue;
      found = std::max_element(first, last, [](const Anchor& a, const Anchor& b) { return a.force < b.force; });
    }
    contact.numbers.slip += found->stretch;
  }
}

void Anchors::follow(const ContactSurface& surface, std::span<const Contact> contacts) {
  anchors_.clear();
  for (const Contact& contact : contacts) {
    const ContactNumbers<double>& n = contact.numbers;
    const double lambda = -n.share * law_slope(n.law, n.distance).slope;
    if (!(n.hold > 0) || !(lambda > 0)) continue;
    const Vec3d u = n.slip - dot(n.normal, n.slip) * n.normal;
    const double length = std::sqrt(dot(u, u)), most = n.friction * lambda / (n.share * n.hold);
    Anchor anchor = anchor_of(surface, contact);
    anchor.force = lambda;
    anchor.stretch = length > most ? (most / length) * u : u;
    anchors_.push_back(anchor);
  }
  std::sort(anchors_.begin(), anchors_.end(), before);
}

void Anchors::replace(std::vector<Anchor> anchors) {
  anchors_ = std::move(anchors);
  std::sort(anchors_.begin(), anchors_.end(), before);
}

void Anchors::take_of(const Anchors& earlier, const SurfaceMap& map, const ContactSurface& surface) {
  const auto in = [](const std::vector<int32_t>& list, int64_t k) {
    return k >= 0 && k < static_cast<int64_t>(list.size()) ? list[static_cast<size_t>(k)] : -1;
  };
  std::vector<Anchor> anchors;
  for (Anchor anchor : earlier.anchors_) {
    switch (static_cast<ContactKind>(anchor.kind)) {
      case ContactKind::vertex_triangle: {
        const auto [kind, number] = feature_named(anchor.second);
        const int32_t second = in(kind == on_face ? map.triangles : kind == on_edge ? map.edges : map.points, number);
        anchor.first = in(map.points, anchor.first);
        anchor.body = in(map.bodies, anchor.body);
        if (second < 0 || anchor.first < 0 || anchor.body < 0) continue;
        anchor.second = name_of({kind, second});
        break;
      }
      case ContactKind::edge_edge: {
        int32_t first = in(map.edges, anchor.first), second = in(map.edges, anchor.second);
        if (first < 0 || second < 0) continue;
        if (first > second) {  // the other one is first now
          std::swap(first, second);
          anchor.stretch = -anchor.stretch;
        }
        anchor.first = first;
        anchor.second = second;
        anchor.body = surface.body_of[static_cast<size_t>(surface.edges[static_cast<size_t>(second)][0])];
        break;
      }
      case ContactKind::vertex_plane:
        anchor.first = in(map.points, anchor.first);
        anchor.second = in(map.planes, anchor.second);
        if (anchor.first < 0 || anchor.second < 0) continue;
        anchor.body = static_cast<int32_t>(-1 - anchor.second);
    }
    anchors.push_back(anchor);
  }
  replace(std::move(anchors));
}

}  // namespace sinew
