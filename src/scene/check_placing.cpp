// Checks of where things are and how they move.
#include <cmath>

#include "base/format.h"
#include "scene/check.h"
#include "scene/value_text.h"

namespace sinew {

namespace {

bool is_zero_vector(const Real3& v) {
  return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

}  // namespace

void check_transform(const Transform& t, const std::string& path, Faults& faults) {
  if (t.scale[0] == 0 || t.scale[1] == 0 || t.scale[2] == 0)
    faults.add(path + ".scale", " = " + vector_text(t.scale) + " [-]: must not be 0", "use factors other than 0");
  if (t.rotation_degrees != 0 && is_zero_vector(t.rotation_axis))
    faults.add(path + ".rotation_axis", " = [0, 0, 0]: has no direction", "e.g. [0, 0, 1]");
}

void check_motion(const Motion& motion, const std::string& path, Faults& faults) {
  bool rotates = false;
  const auto& keys = motion.keyframes;
  for (size_t k = 0; k < keys.size(); ++k) {
    rotates = rotates || keys[k].rotate_degrees != 0;
    if (k > 0 && !(keys[k].time > keys[k - 1].time))
      faults.add(path + format(".keyframes.%zu.time", k),
                 " = " + number_text(keys[k].time) + " [s]: must be after the keyframe before it, at " +
                     number_text(keys[k - 1].time) + " s",
                 "order keyframes by time");
  }
  if (rotates && is_zero_vector(motion.axis))
    faults.add(path + ".axis", " = [0, 0, 0]: has no direction", "e.g. [1, 0, 0]");
}

}  // namespace sinew
