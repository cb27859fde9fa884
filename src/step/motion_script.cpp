#include "step/motion_script.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"

namespace sinew {

namespace {

MotionKey mix(const MotionKey& a, const MotionKey& b, double time, bool smooth) {
  double t = (time - a.time) / (b.time - a.time);
  if (smooth) t = t * t * (3 - 2 * t);  // zero velocity at the keyframes
  return {time, (1 - t) * a.translate + t * b.translate, (1 - t) * a.rotate + t * b.rotate,
          (1 - t) * a.scale + t * b.scale};
}

MotionKey key_at(const MotionScript& motion, double time) {
  const auto next = std::upper_bound(motion.keys.begin(), motion.keys.end(), time,
                                     [](double t, const MotionKey& key) { return t < key.time; });
  if (next == motion.keys.begin()) return motion.keys.front();
  if (next == motion.keys.end()) return motion.keys.back();
  return mix(next[-1], *next, time, motion.smooth);
}

}  // namespace

Placement placement_at(const MotionScript& motion, double time) {
  if (motion.keys.empty()) return {};
  const MotionKey key = key_at(motion, time);
  const double length = std::sqrt(dot(motion.axis, motion.axis));
  Mat3d r{};
  if (key.rotate != 0 && length > 0) r = rotation_minus_identity((1 / length) * motion.axis, key.rotate);
  // M - 1 = (R - 1) S + (S - 1)
  const Vec3d s = key.scale;
  Mat3d m{s.x * r.c0, s.y * r.c1, s.z * r.c2};
  m = m + diagonal(s.x - 1, s.y - 1, s.z - 1);
  return {m, key.translate};
}

}  // namespace sinew
