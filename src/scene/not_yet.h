// What people look for in a scene that Sinew does not have yet: the answer to such a key, and what to do instead. The
// README lists the same under "What is not there yet".
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <string>
#include <string_view>

#include "base/nearest.h"
#include "material/material_kind.h"

namespace sinew {

struct NotYet {
  std::string_view what;                    // begins a sentence in the plural: "... are not in Sinew yet"
  std::string_view instead;                 // what to do in the meantime
  std::array<std::string_view, 16> keys{};  // in lower case, words joined by _
};

inline constexpr NotYet not_yet_table[] = {
    {"coefficients of restitution",
     "bodies bounce by their elasticity: take less damping and a smaller time step",
     {"restitution", "bounce", "bounciness", "elasticity"}},
    {"GPUs by this name",
     R"(NVIDIA cards compute with "solver": { "device": "cuda" })",
     {"gpu", "gpus", "use_gpu", "cuda", "devices", "backend", "opencl", "metal", "vulkan", "hip"}},
    {"cloth, membranes and shells of triangles",
     R"(take a grid of springs: "mesh": { "grid": {} })",
     {"cloth", "shell", "thin_shell", "membrane", "bending", "bending_stiffness"}},
    {"rods and hair",
     R"(take a chain of springs: "mesh": { "chain": {} })",
     {"rod", "rods", "hair", "cable", "cables", "rope", "beam_element"}},
    {"rigid bodies and joints",
     "give the body a stiff material, or move it by pins with keyframes",
     {"rigid", "rigid_body", "rigid_bodies", "joint", "joints", "hinge", "motor", "motors", "articulation"}},
    {"fluids and particles",
     "Sinew simulates elastic solids and springs only",
     {"fluid", "fluids", "liquid", "gas", "water", "sph", "mpm", "particles", "buoyancy"}},
    {"plasticity, creep and viscoelasticity",
     "damping is the only loss that a material has",
     {"plasticity", "plastic", "yield_stress", "hardening", "creep", "viscosity", "viscoelastic", "viscoelasticity",
      "relaxation_time", "prony"}},
    {"fracture and cuts",
     "bodies keep their meshes",
     {"fracture", "tear", "tearing", "toughness", "cut", "cuts", "cutting", "damage"}},
    {"hexahedral elements",
     R"(take tets of "element": "quadratic", which do not lock either)",
     {"hex8", "hex20", "hex27", "hexahedra", "hexahedral"}},
    {"materials beyond those that `sinew materials` lists",
     "take the nearest of them; fibres add a direction",
     {"ogden", "yeoh", "gent", "arruda_boyce", "orthotropic", "anisotropic", "hill", "hgo"}},
    {"thermal effects",
     "scale the rest shape, or script pins",
     {"temperature", "thermal", "thermal_expansion", "heat", "conductivity"}},
    {"integrators besides backward_euler and quasistatic",
     "take backward_euler with more substeps: its own damping shrinks with the step",
     {"newmark", "bdf2", "implicit_midpoint", "midpoint", "trapezoidal", "explicit", "symplectic_euler", "verlet",
      "rk4", "generalized_alpha"}},
};

// Finds what a key or a word stands for, in any spelling: FloorHeight, floor-height. Null if it is unknown, or the name
// of a material that there is.
inline const NotYet* not_yet(std::string_view key) {
  std::string plain;
  for (size_t k = 0; k < key.size(); ++k) {
    const auto c = static_cast<unsigned char>(key[k]);
    const bool inner_capital = k > 0 && std::isupper(c) && std::islower(static_cast<unsigned char>(key[k - 1]));
    if (inner_capital) plain += '_';
    plain += c == '-' || c == ' ' ? '_' : static_cast<char>(std::tolower(c));
  }
  if (material_named(plain)) return nullptr;
  for (const NotYet& wish : not_yet_table)
    if (!plain.empty() && std::find(wish.keys.begin(), wish.keys.end(), plain) != wish.keys.end()) return &wish;
  return nullptr;
}

inline std::string not_yet_fault(const NotYet& wish) {
  return joined({": ", wish.what, " are not in Sinew yet"});
}
inline std::string not_yet_remedy(const NotYet& wish) {
  return joined({wish.instead, R"(; see "What is not there yet" in the README)"});
}

}  // namespace sinew
