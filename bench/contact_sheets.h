// Two bumpy sheets of 200 x 200 cells, half a radius apart and turned against each other: they touch everywhere.
#pragma once

#include "contact/contact_surface.h"

namespace sinew::bench {

constexpr double contact_edge = 0.01, contact_radius = 0.15 * contact_edge;  // [m]

// One rule for all bodies of the surface, with friction; and what follows from its triangles.
void finish(ContactSurface& surface);

ContactSurface bumpy_sheets();

}  // namespace sinew::bench
