#include "drive/round_length.h"

#include <cmath>

#include "base/format.h"

namespace sinew {

double round_near(double wanted) {
  const double power = std::pow(10, std::floor(std::log10(wanted)));
  for (const double digit : {1.0, 2.0, 5.0})
    if (wanted < 1.4 * digit * power) return digit * power;
  return 10 * power;
}

std::string length_text(double metres) {
  if (metres >= 1000) return format("%g km", metres / 1000);
  if (metres >= 1) return format("%g m", metres);
  if (metres >= 0.01) return format("%g cm", 100 * metres);
  if (metres >= 0.001) return format("%g mm", 1000 * metres);
  return format("%g µm", 1e6 * metres);
}

}  // namespace sinew
