#include "drive/film_contacts.h"

#include <algorithm>
#include <cmath>

#include "base/format.h"
#include "drive/round_length.h"
#include "math/length.h"
#include "render/vector.h"

namespace sinew {

namespace {

// Of all forces of a film this share has an arrow no longer than `longest` times the length that is written.
constexpr double usual_share = 0.98, longest = 1;
constexpr Vec3f orange{1.0f, 0.22f, 0.02f};  // linear

}  // namespace

std::string ForceScale::text() const {
  return "arrow of " + length_text(length) + format(": %g N", force);
}

Result<ForceScale> force_scale(ShownRuns runs, double length_of_arrow) {
  std::vector<double> forces;
  for (const ShownRun* const run : runs)
    for (size_t k = 0; k < run->frame_count(); ++k) {
      const Result<std::vector<RecordedContact>> contacts = run->contacts(k);
      if (!contacts) return contacts.error();
      for (const RecordedContact& c : *contacts) forces.push_back(length(c.force));
    }
  ForceScale scale{length_of_arrow, 1};
  if (forces.empty()) return scale;
  const auto rank = static_cast<std::ptrdiff_t>(usual_share * static_cast<double>(forces.size() - 1));
  std::nth_element(forces.begin(), forces.begin() + rank, forces.end());
  const double usual = forces[static_cast<size_t>(rank)];
  if (usual > 0 && std::isfinite(usual)) scale.force = round_near(usual / longest);
  return scale;
}

Result<std::vector<RenderLine>> contact_arrows(const ShownRun& run, size_t k, const ForceScale& scale,
                                               const Vec3d& origin) {
  const Result<std::vector<RecordedContact>> contacts = run.contacts(k);
  if (!contacts) return contacts.error();
  std::vector<RenderLine> arrows;
  for (const RecordedContact& c : *contacts) {
    const Vec3d from = c.point - origin, to = from + (scale.length / scale.force) * c.force;
    arrows.push_back({narrow(from), narrow(to), orange, true});
  }
  return arrows;
}

}  // namespace sinew
