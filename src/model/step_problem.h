// The problem that a step poses to every solver: find x with
//   backward Euler   m (x - y) / h^2 + dPsi/dx + damping = 0,  y = x_prev + h v + h^2 f_ext / m
//   quasistatic      dPsi/dx - f_ext = 0
// with the forces of grabs (model/grab.h) and contacts (contact/contacts.h), for vertices that no script holds. For
// vertices that glide (model/glide.h), only the free part must vanish. f_ext enters here and nowhere else.
#pragma once

#include <cstdint>
#include <vector>

#include "math/vec.h"
#include "mesh/coloring.h"
#include "model/glide.h"
#include "model/grab.h"
#include "model/model.h"

namespace sinew {

class Contacts;
class GridEmbedding;
class TetPatches;

// In StepProblem::held: the vertex moves with the nodes of a grid, which are unknowns in its place.
inline constexpr uint8_t carried_by_grid = 2;

struct StepProblem {
  const Model* model = nullptr;
  int64_t step = 0;  // its number
  bool quasistatic = false;
  double h = 0;  // [s]; 0 if quasistatic
  // By slot, and behind the slots by node of the grid, if there is one. Padding and massless vertices are held.
  std::vector<uint8_t> held;
  std::vector<Vec3d> x_prev;    // [m] positions at the start of the step
  std::vector<Vec3d> x_start;   // [m] initial guess; held vertices are at their targets. For begin_step only
  std::vector<Vec3d> x_target;  // [m] positions of held vertices; for free ones the inertial target y (backward Euler)
  std::vector<double> pressures;   // [Pa] multipliers of quadratic elements at the start, by tet; or empty: 0
  std::vector<double> activation;  // [-] of each muscle of the model, at the end of the step

  std::vector<Vec3d> load;    // [N] by slot: the part of the loads that changes over time; or empty
  std::vector<Glide> glides;  // by ascending slot; their x_start and x_target are settled
  std::vector<Grab> grabs;
  const Contacts* contacts = nullptr;        // contact/contacts.h; null: nothing touches
  const GridEmbedding* embedding = nullptr;  // grid/grid_embedding.h; null: there is no grid
  std::vector<double> node_mass;             // [kg] by node
  std::vector<Glide> node_glides;            // of nodes, whose `slot` counts on behind the slots; ascending
  std::vector<Vec3d> node_end;               // [m] where the last solve left them; empty: at x_prev
  std::vector<Vec3d> embedded_target;        // [m] by slot: the inertial targets of the vertices that nodes carry
  const TetPatches* grid_patches = nullptr;  // grid/tet_patches.h; null: there is no grid
  Coloring grid_colors;                      // of them (grid/grid_coloring.h)
  // Springs at embedded vertices, one each: the pins that hold them, in place of holding nodes.
  std::vector<Grab> pins_on_grid;

  size_t node_count() const { return node_mass.size(); }
  // Of slots and nodes.
  size_t unknown_count() const { return static_cast<size_t>(model->slot_count()) + node_mass.size(); }
  double mass(size_t s) const {
    const auto slots = static_cast<size_t>(model->slot_count());
    return s < slots ? model->mass[s] : node_mass[s - slots];
  }
  bool is_carried(size_t s) const { return held[s] == carried_by_grid; }

  // [N] Weight and loads.
  Vec3d external_force(size_t slot) const {
    const Vec3d f = model->external_force(slot);
    return load.empty() ? f : f + load[slot];
  }
  double inverse_h2() const { return quasistatic ? 0 : 1 / (h * h); }
};

}  // namespace sinew
