#include "contact/collider_place.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "math/length.h"
#include "math/rotation.h"

namespace sinew {

namespace {

Vec3d unit(Vec3d v, Vec3d otherwise) {
  const double length = std::sqrt(dot(v, v));
  return length > 0 ? (1 / length) * v : otherwise;
}

// M = R diag(scale).
struct TurnedAndScaled {
  Mat3d rotation;
  Vec3d scale{};
};
TurnedAndScaled parts_of(const ColliderPlace& place) {
  const Mat3d m = diagonal(1.0, 1.0, 1.0) + place.m_minus_identity;
  const Vec3d scale{length(m.c0), length(m.c1), length(m.c2)};
  return {{(1 / scale.x) * m.c0, (1 / scale.y) * m.c1, (1 / scale.z) * m.c2}, scale};
}

// The part `t` of a rotation, less the identity.
Mat3d part_minus_identity(const Mat3d& rotation, double t) {
  const Mat3d& q = rotation;
  // 2 sin(angle) axis
  const Vec3d turn{q.c1.z - q.c2.y, q.c2.x - q.c0.z, q.c0.y - q.c1.x};
  const double sine = length(turn), angle = std::atan2(sine, q.c0.x + q.c1.y + q.c2.z - 1);
  Vec3d axis = unit(turn, {0, 0, 1});
  if (sine < 1e-6 && angle > 1) {
    // Half a turn: R + 1 = 2 axis axis^T.
    const Vec3d columns[] = {q.c0 + Vec3d{1, 0, 0}, q.c1 + Vec3d{0, 1, 0}, q.c2 + Vec3d{0, 0, 1}};
    axis = unit(*std::max_element(std::begin(columns), std::end(columns),
                                  [](Vec3d a, Vec3d b) { return dot(a, a) < dot(b, b); }),
                {0, 0, 1});
  }
  return rotation_minus_identity(axis, t * angle);
}

}  // namespace

// Normals are moved by the inverse transpose, so that a plane stays the image of its points.
ContactPlane ColliderPlace::moved(const ContactPlane& plane) const {
  ContactPlane to = plane;
  to.point = moved(plane.point);
  const Mat3d& d = m_minus_identity;
  if (contract(d, d) == 0) return to;
  const Mat3d m = diagonal(1.0, 1.0, 1.0) + d;
  to.normal = unit(cofactor(m) * plane.normal, plane.normal);
  const Vec3d along = m * plane.along;
  to.along = unit(along - dot(along, to.normal) * to.normal, plane.along);
  return to;
}

ColliderPlace place_between(const ColliderPlace& from, const ColliderPlace& to, double t) {
  const TurnedAndScaled a = parts_of(from), b = parts_of(to);
  const Vec3d c = to.center;
  const Mat3d turned = part_minus_identity(b.rotation * transpose(a.rotation), t) * a.rotation + a.rotation;
  const Vec3d scale = (1 - t) * a.scale + t * b.scale;
  const Mat3d m{scale.x * turned.c0, scale.y * turned.c1, scale.z * turned.c2};
  return {m - diagonal(1.0, 1.0, 1.0), (1 - t) * (from.moved(c) - c) + t * to.translate, c};
}

}  // namespace sinew
