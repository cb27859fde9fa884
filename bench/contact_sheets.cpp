#include "contact_sheets.h"

#include <cmath>
#include <random>

namespace sinew::bench {

void finish(ContactSurface& surface) {
  ContactRule rule;
  rule.radius = contact_radius;
  rule.friction = 0.3;
  surface.rules = {rule};
  surface.group_count = 1;
  surface.slot_count = surface.point_count();
  connect(surface);
}

ContactSurface bumpy_sheets() {
  ContactSurface surface;
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> shift(-0.1, 0.1);
  constexpr int n = 200;
  for (const bool upper : {false, true}) {
    const auto body = static_cast<int32_t>(surface.bodies.size());
    const int32_t first = surface.point_count();
    surface.bodies.push_back({.object = body, .closed = true});
    const double turn = upper ? 0.3 : 0;
    for (int i = 0; i <= n; ++i)
      for (int j = 0; j <= n; ++j) {
        const double x = i + shift(engine), y = j + shift(engine), z = 0.15 * shift(engine) + (upper ? 0.075 : 0);
        surface.rest.push_back(
            contact_edge * Vec3d{std::cos(turn) * x - std::sin(turn) * y, std::sin(turn) * x + std::cos(turn) * y, z});
        surface.body_of.push_back(body);
      }
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const int32_t a = first + i * (n + 1) + j, b = a + n + 1, c = b + 1, d = a + 1;
        surface.triangles.push_back(upper ? Triangle{a, c, b} : Triangle{a, b, c});
        surface.triangles.push_back(upper ? Triangle{a, d, c} : Triangle{a, c, d});
      }
  }
  finish(surface);
  return surface;
}

}  // namespace sinew::bench
