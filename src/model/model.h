// What a scene is compiled to. Model is constant during a step; State is what a step advances.
// Everything is in solver order (see order.h) and in double precision; a solver that works in single precision keeps
// its own copy of what it sweeps over.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "element/element.h"
#include "exec/thread_pool.h"
#include "material/elastic_material.h"
#include "math/vec.h"
#include "mesh/tet_mesh.h"
#include "model/activation.h"
#include "model/clusters.h"
#include "model/order.h"
#include "model/ties.h"

namespace sinew {

// Elements of one kind and one material, consecutive in Model::tets.
struct ElasticBlock {
  ElementKind element = ElementKind::Tetrahedron;
  ElasticMaterial material;     // of the elements' dimension
  double damping = 0;           // stiffness-proportional k_d [s]; 0 is exactly undamped
  double stiffness_factor = 1;  // [-] that all its tets have in common: part of `material` already
  bool on_grid = false;         // its vertices are embedded in the grid
  int32_t first_tet = 0, last_tet = 0;

  bool plane() const { return traits_of(element).plane(); }
  bool quadratic() const { return traits_of(element).quadratic(); }
};

// What acts at the points of a quadratic element, and lambda of its mean J [Pa] (element/quadratic_tetrahedron.h).
struct PointMaterial {
  ElasticMaterial material;
  double mean_lambda = 0;

  // The bulk stiffness of the mean J that sweeps by vertex work with, over mu, at most: multipliers carry the rest
  // (solver/by_vertex/multiplier_law.h). Smaller, and more sweeps correct these; larger, and sweeps are slow again.
  static constexpr double swept_of_shear = 8;

  // A block of linear elements keeps its material.
  static PointMaterial of(const ElasticBlock& block);
};

// How the k_d of elements acts (docs/theory.md, section 6). By the rate of strain (element/strain_rate.h) it exerts no
// force on a translation and never feeds energy in. Own-block is that of Chen et al. 2024, eqs. 10-11, with the
// vertex's own stiffness block only, and drags rigid motion. Springs are damped by the rate of strain under either.
enum class DampingForm { strain_rate, own_block };

// The background grid that vertices of some blocks are embedded in (grid/grid_embedding.h).
struct ModelGrid {
  double spacing = 0;          // [m]
  std::vector<int32_t> slots;  // embedded, ascending; empty: there is no grid

  bool empty() const { return slots.empty(); }
};

// The slots of an element's nodes: its corners, then its middles.
struct ElementNodes {
  std::array<int32_t, most_nodes> node;
  int count;

  size_t size() const { return static_cast<size_t>(count); }
  const int32_t* begin() const { return node.data(); }
  const int32_t* end() const { return node.data() + count; }
  int32_t operator[](size_t k) const { return node[k]; }
};

struct Model {
  VertexOrder order;
  std::vector<int32_t> color_begin;  // slots of one colour of one cluster: [color_begin[k], color_begin[k+1])
  Clusters clusters;                 // how sweeps by vertices walk through the slots
  int32_t color_count = 0;           // of vertices: the most that a cluster has

  std::vector<Vec3d> rest;         // [m], per slot
  std::vector<double> mass;        // [kg], per slot; 0 where neither element nor point mass is: it never moves
  Vec3d gravity{};                 // [m/s^2]
  std::vector<Vec3d> extra_force;  // [N], per slot: body forces and tractions, constant in time; or empty
  DampingForm damping_form = DampingForm::strain_rate;

  // Slots; positive volume; by block, then along the curve (model/clusters.h). A triangle has no_corner for the fourth.
  std::vector<Tet> tets;
  std::vector<Middles> middles;   // slots, by tet, no_middle in linear ones; empty: all are linear
  std::vector<int32_t> user_tet;  // the user's index of each tet
  // [-] > 0, times the Lame parameters of the tet's block; empty: 1 everywhere. Energy, forces and stiffness are
  // proportional to it as they are to the rest volume, so it is multiplied into the volume that weighs them.
  std::vector<double> stiffness_factor;
  std::vector<ElasticBlock> blocks;
  Ties ties;                        // springs, weak constraints and fibres between slots, in the user's order
  std::vector<Activation> muscles;  // whose activation fibres have, by their number
  ModelGrid grid;

  int32_t slot_count() const { return order.slot_count(); }
  // [N]
  Vec3d external_force(size_t slot) const {
    const Vec3d weight = mass[slot] * gravity;
    return extra_force.empty() ? weight : weight + extra_force[slot];
  }
  double stiffness_factor_of(int32_t tet) const { return stiffness_factor.empty() ? 1 : stiffness_factor[tet]; }
  bool is_quadratic(int32_t tet) const { return !middles.empty() && middles[tet][0] != no_middle; }
  ElementNodes nodes_of(int32_t tet) const;
  // Is any element or spring damped?
  bool is_damped() const;
  // Does it differ within the block? One that does not is part of the block's own parameters.
  bool has_stiffness_factors(const ElasticBlock& block) const;
  size_t memory_bytes() const;
};

// The block of each tet as the user gives it, to be compiled into a Model.
struct ModelInput {
  const TetMesh* mesh = nullptr;
  std::vector<int32_t> block_of_tet;     // T entries, index into blocks
  std::vector<ElasticBlock> blocks;      // element, first_tet and last_tet are ignored
  std::vector<double> density_of_block;  // [kg/m^3]
  Vec3d gravity{};                       // [m/s^2]
  std::vector<double> stiffness_factor;  // [-] T entries > 0, or empty: 1 everywhere
  std::vector<Vec3d> extra_force;        // [N] per user vertex (body forces, tractions), or empty
  std::vector<double> point_mass;        // [kg] per user vertex, beside what its tets have, >= 0; or empty: none
  Ties ties;                             // between user vertices
  std::vector<Activation> muscles;       // of the fibres among them
  DampingForm damping_form = DampingForm::strain_rate;
  double grid_spacing = 0;       // [m] of the grid of the blocks that are on it
  int32_t cluster_vertices = 0;  // the most vertices of a cluster (model/clusters.h); 0: what is fastest
};

// Errors: triangles in a block of tets or the other way round; tets with non-positive volume or indices out of range
// (mesh/repair.h repairs what can be repaired), a stiffness factor that is not positive, a point mass that is negative,
// a tie that check_ties refuses, an activation outside 0 to 1 or of times that do not ascend, a vertex with tens of
// thousands of neighbours.
Result<Model> compile_model(const ModelInput& input, ThreadPool& pool = ThreadPool::caller());

inline ElementNodes Model::nodes_of(int32_t tet) const {
  const Tet& t = tets[tet];
  ElementNodes nodes{{t[0], t[1], t[2], t[3]}, static_cast<int>(corner_count(t))};
  if (!is_quadratic(tet)) return nodes;
  for (size_t k = 0; k < 6; ++k) nodes.node[4 + k] = middles[tet][k];
  nodes.count = most_nodes;
  return nodes;
}

// Positions [m] and velocities [m/s] per slot. `fall` is for the adaptive guess: the part of the last step's
// acceleration along the external one, 1 in free fall (and before the first step), 0 at rest.
struct State {
  std::vector<Vec3d> x, v;
  std::vector<double> fall;
  std::vector<double> pressures;  // [Pa] multipliers of quadratic elements, by tet (QuadraticTetrahedron); or empty
  std::vector<Mat3d> affine;  // [m^2/s] B_p of embedded vertices, in the order of Model::grid (grid/grid_embedding.h)
  std::vector<int32_t> grid_colors;  // of patches in the last step (grid/grid_coloring.h); or empty
  double time = 0;                   // [s]
  int64_t step = 0;                  // steps taken
};
State rest_state(const Model& model);
// A state of the same bodies in a model whose vertices and tets are in another order. Neither model has a grid.
State reordered(const State& state, const Model& from, const Model& to);

// The tets as the user gave them, and their middles, of which there may be none.
std::vector<Tet> user_tets(const Model& model);
std::vector<Middles> user_middles(const Model& model);

}  // namespace sinew
