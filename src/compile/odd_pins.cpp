#include <algorithm>
#include <map>

#include "base/format.h"
#include "compile/oddities.h"
#include "scene/value_text.h"

namespace sinew {

namespace {

void odd_pin(const OddityContext& in, const ScenePin& p, const std::string& path) {
  if (p.release && *p.release <= in.step() * (1 + 1e-9))
    in.warn(path +
            format(".release = %g s is not after the first step, at %g s: it holds nothing", *p.release, in.step()));
  for (size_t k = 0; k < p.motion.keyframes.size(); ++k) {
    const Real3& scale = p.motion.keyframes[k].scale;
    const double least = *std::min_element(scale.begin(), scale.end());
    if (least > 0) continue;
    in.warn(
        joined({path, format(".motion.keyframes.%zu.scale = ", k), vector_text(scale),
                least == 0 ? ": presses the held vertices flat" : ": takes the held vertices through a flat state"}));
  }
}

void odd_hold(const OddityContext& in, const PinScript& pin, const std::string& path) {
  const bool loose = std::all_of(pin.slots.begin(), pin.slots.end(),
                                 [&](int32_t s) { return in.compiled.model.mass[static_cast<size_t>(s)] == 0; });
  if (loose) in.warn(path + ".select: no tetrahedron has any of its vertices: it holds nothing");
}

// Reports each pin with earlier pins that hold some of its vertices; for three on one vertex, each with the next.
void shared_pins(const OddityContext& in) {
  std::vector<int32_t> last(in.compiled.model.mass.size(), -1);  // for each slot: the latest pin that holds it
  for (size_t k = 0; k < in.compiled.pins.size(); ++k) {
    const PinScript& pin = in.compiled.pins[k];
    std::map<int32_t, size_t> shared;
    for (const int32_t slot : pin.slots) {
      int32_t& before = last[static_cast<size_t>(slot)];
      // Pins along which vertices glide are combined.
      if (before >= 0 && pin.fixed.empty() && in.compiled.pins[static_cast<size_t>(before)].fixed.empty())
        ++shared[before];
      before = static_cast<int32_t>(k);
    }
    for (const auto& [before, count] : shared) {
      std::string sentence = format("pins.%zu shares %zu vert%s with pins.%d and wins there", k, count,
                                    count == 1 ? "ex" : "ices", before);
      if (pin.release < in.compiled.pins[static_cast<size_t>(before)].release)
        sentence += format("; from %g s on pins.%d holds %s again, where its own motion says", pin.release, before,
                           count == 1 ? "it" : "them");
      in.warn(std::move(sentence));
    }
  }
}

}  // namespace

void odd_pins(const OddityContext& in) {
  for (size_t k = 0; k < in.scene.pins.size(); ++k) {
    odd_pin(in, in.scene.pins[k], format("pins.%zu", k));
    odd_hold(in, in.compiled.pins[k], format("pins.%zu", k));
  }
  shared_pins(in);
}

}  // namespace sinew
