#include <algorithm>
#include <cmath>

#include "base/format.h"
#include "compile/oddities.h"
#include "math/length.h"
#include "scene/places.h"

namespace sinew {

namespace {

// Wind is limited when a step of it would reverse the motion of a light surface (step/load_script.h).
void odd_wind(const OddityContext& in, const SceneLoad& l, const std::string& path) {
  const SceneWind& w = l.wind;
  double most = 1;
  if (l.curve) {
    most = 0;
    for (const double value : l.curve->values) most = std::max(most, std::abs(value));
  }
  for (const ObjectPart& part : in.compiled.objects) {
    if (part.name != l.object) continue;
    std::vector<double> rate(static_cast<size_t>(part.last_vertex - part.first_vertex));
    for (const Triangle& t : part.surface) {
      const std::vector<Vec3d>& x = in.mesh.vertices;
      const double area = length(cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]])) / 2;
      for (const int32_t v : t)
        rate[static_cast<size_t>(v - part.first_vertex)] +=
            most * w.density / 6 * area * length(to_vec(w.velocity)) * std::hypot(w.drag, w.lift);
    }
    double worst = 0;
    for (int32_t v = part.first_vertex; v < part.last_vertex; ++v) {
      const double mass = in.compiled.model.mass[static_cast<size_t>(in.compiled.model.order.slot(UserVertex{v}))];
      if (mass > 0) worst = std::max(worst, in.step() * rate[static_cast<size_t>(v - part.first_vertex)] / mass);
    }
    if (worst <= 1) continue;
    in.warn(path + format(": in a step of %g s it would blow '%s', which is light, to more than its own speed; it is "
                          "limited to less. Take time.substeps = %.0f",
                          in.step(), l.object.c_str(), std::ceil(worst * in.scene.time.substeps)));
  }
}

}  // namespace

void odd_winds(const OddityContext& in) {
  if (in.scene.time.quasistatic) return;
  for (size_t k = 0; k < in.scene.loads.size(); ++k) {
    if (in.scene.loads[k].kind == SceneLoad::Kind::wind) odd_wind(in, in.scene.loads[k], format("loads.%zu.wind", k));
  }
}

}  // namespace sinew
