// Motions by keyframes: x -> x + (M - 1) (x - center) + translate with M = R diag(scale), relative to where things
// start.
#pragma once

#include <vector>

#include "math/vec.h"

namespace sinew {

struct MotionKey {
  double time;  // [s]
  Vec3d translate;
  double rotate;  // [rad]
  Vec3d scale;
};

struct MotionScript {
  Vec3d center{}, axis{0, 0, 1};
  bool smooth = true;
  std::vector<MotionKey> keys;  // ascending times; empty: no motion
};

// A motion at one time. In this form, no motion leaves x unchanged to the last bit.
struct Placement {
  Mat3d m_minus_identity;
  Vec3d translate;

  Vec3d moved(Vec3d start, Vec3d center) const { return start + m_minus_identity * (start - center) + translate; }
};
// Constant before the first key and after the last.
Placement placement_at(const MotionScript& motion, double time);

}  // namespace sinew
