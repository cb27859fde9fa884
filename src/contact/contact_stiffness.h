// What holds a vertex in place by itself, from which contacts take their stiffness: k = m/h^2 + trace(K)/3, with K the
// block of its own at rest. A contact that is as stiff as its two sides yields about as much as they do, in all units
// and for all ratios of mass. In K, lambda of the mean J of quadratic tetrahedra counts up to 8 mu: however nearly
// incompressible they are, they yield by changing shape.
#pragma once

#include <vector>

#include "model/model.h"

namespace sinew {

// [N/m] By slot; inverse_h2: 0 in quasistatics.
std::vector<double> contact_stiffness(const Model& model, double inverse_h2);

}  // namespace sinew
