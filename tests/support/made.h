// A material's coefficients by its type.
#pragma once

#include "material/materials.h"

namespace sinew::support {

// Of the material with this tangent at rest.
template <template <class> class M>
M<double> made(const Lame& lame) {
  return M<double>::from(M<double>::Moduli::of(lame), lame.dimension);
}

}  // namespace sinew::support
