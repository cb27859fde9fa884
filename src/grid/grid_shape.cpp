#include "grid/grid_shape.h"

#include <algorithm>
#include <cmath>

#include "math/length.h"

namespace sinew {

ShapeFrame::ShapeFrame(const Mat3d& linear, Vec3d origin)
    : linear_(linear), inverse_((1 / determinant(linear)) * transpose(cofactor(linear))), origin_(origin) {}

Vec3d ShapeFrame::normal(Vec3d local) const {
  const Vec3d n = transpose(inverse_) * local;
  return (1 / length(n)) * n;
}

double ShapeFrame::width(Vec3d local) const {
  return 1 / length(transpose(inverse_) * local);
}

Bounds ShapeFrame::box(const Bounds& local) const {
  Bounds result;
  for (int k = 0; k < 8; ++k) result.add(linear_ * local.corner(k) + origin_);
  return result;
}

WaysOut SolidWalls::at(Vec3d x, double margin) const {
  WaysOut out;
  for (const Wall& wall : walls_)
    if (out.count < 3 && dot(x - wall.point, wall.normal) <= margin) out.normals[out.count++] = wall.normal;
  return out;
}

WaysOut SolidBox::at(Vec3d x, double margin) const {
  const Vec3d u = frame_.local(x);
  struct Face {
    Vec3d normal;
    double height;  // of u above it
  };
  const Face faces[] = {{{-1, 0, 0}, low_.x - u.x}, {{1, 0, 0}, u.x - high_.x}, {{0, -1, 0}, low_.y - u.y},
                        {{0, 1, 0}, u.y - high_.y}, {{0, 0, -1}, low_.z - u.z}, {{0, 0, 1}, u.z - high_.z}};
  const Face* nearest = nullptr;
  double highest = -Bounds::infinity;
  for (const Face& face : faces) {
    const double height = face.height * frame_.width(face.normal);
    if (height > margin) return {};
    if (height <= highest) continue;
    highest = height;
    nearest = &face;
  }
  return {1, {frame_.normal(nearest->normal)}};
}

std::optional<Bounds> SolidCapsule::bounds() const {
  const Vec3d reach{radius_, radius_, radius_};
  Bounds local;
  for (const Vec3d end : {a_, b_}) {
    local.add(end - reach);
    local.add(end + reach);
  }
  return frame_.box(local);
}

WaysOut SolidCapsule::at(Vec3d x, double margin) const {
  const Vec3d u = frame_.local(x), along = b_ - a_;
  const double square = dot(along, along);
  const double t = square > 0 ? std::clamp(dot(u - a_, along) / square, 0.0, 1.0) : 0.0;
  const Vec3d out = u - a_ - t * along;
  const double distance = length(out);
  if (distance == 0 && radius_ * frame_.width({1, 0, 0}) < -margin) return {};
  if (distance == 0) {
    const Vec3d across[] = {cross(along, {1, 0, 0}), cross(along, {0, 1, 0}), Vec3d{0, 1, 0}};
    const Vec3d any = *std::find_if(std::begin(across), std::end(across), [](Vec3d v) { return dot(v, v) > 0; });
    return {1, {frame_.normal(any)}};
  }
  if ((distance - radius_) * frame_.width((1 / distance) * out) > margin) return {};
  return {1, {frame_.normal(out)}};
}

}  // namespace sinew
