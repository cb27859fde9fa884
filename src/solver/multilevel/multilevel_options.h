// The options of multilevel descent (solver/multilevel/multilevel.h).
#pragma once

#include <string_view>

#include "solver/by_vertex/vertex_solver.h"
#include "solver/options.h"
#include "solver/solver.h"
#include "solver/sweep_order.h"

namespace sinew {

inline constexpr std::string_view corrections_names[] = {"auto", "always"};
enum Corrections : int { corrections_auto, corrections_always };
inline constexpr std::string_view sweep_kind_names[] = {"gauss_seidel", "jacobi"};
enum SweepKind : int { sweeps_gauss_seidel, sweeps_jacobi };
inline constexpr std::string_view blocks_names[] = {"exact", "stiffer"};
enum Blocks : int { blocks_exact, blocks_stiffer };

struct MultilevelOptions {
  double spacing = 4;
  int sweeps = 2;
  int cycles = 4;
  double omega = 0;
  bool mix = true;
  int corrections = corrections_auto;
  int blocks = blocks_exact;
  int order = sweeps_gauss_seidel;
  int sweep_order = sweep_forward;
  bool multipliers = true;
  int layout = layout_auto;
  int lanes = 0;

  static constexpr const char* name = "multilevel";
  static constexpr const char* summary =
      "sweeps by vertex with corrections on a lattice: as fast on stiff bodies and fine meshes as on soft ones";
  static constexpr const char* color = "#6a3d9a";
  static constexpr SolverTraits traits = {.accelerates = false,
                                          .ties = true,
                                          .contact = true,
                                          .keeps_apart = true,
                                          .quadratic = true,
                                          .by_vertex = true,
                                          .recommended = true};
  static constexpr SolveOptions common = {.iterations = 100, .relative_tolerance = 0.01, .check_every = 1};
};

inline constexpr Parameter<MultilevelOptions> multilevel_parameters[] = {
    {"spacing",
     &MultilevelOptions::spacing,
     "-",
     {2, 100},
     "edge of the lattice's cubes, in mean distances of vertices; a finer lattice costs more and mostly corrects what "
     "sweeps resolve anyway"},
    {"sweeps", &MultilevelOptions::sweeps, "-", {1, 100}, "sweeps by vertex in each iteration, before the correction"},
    {"cycles",
     &MultilevelOptions::cycles,
     "-",
     {1, 100},
     "maximum number of V-cycles in each correction; fewer if the last one achieved little"},
    {"omega",
     &MultilevelOptions::omega,
     "-",
     {0, 2, false, true},
     "over-relaxation of each vertex's step on corrected bodies; 0: chosen by the material: 1 (none) for scenes with "
     "StVK or muscle fibres, whose energy over-relaxed steps can raise, 1.3 for others"},
    {"mix", &MultilevelOptions::mix, "-", {}, "Anderson's mixing of the last three iterations"},
    {"corrections",
     &MultilevelOptions::corrections,
     "-",
     {},
     "auto: correct bodies on which sweeps alone would be slow, judged by stiffness, density, mesh and time step; "
     "always: correct all bodies. In quasistatics all are corrected",
     corrections_names},
    {"blocks",
     &MultilevelOptions::blocks,
     "-",
     {},
     "the stiffness that a vertex's step divides by: exact, that of vbd; stiffer, that of pbng",
     blocks_names},
    {"order",
     &MultilevelOptions::order,
     "-",
     {},
     "gauss_seidel: each vertex uses the new positions of those before it; jacobi: all use the old positions and take "
     "0.4 omega of their steps, as a smoother only, so that soft bodies are corrected too",
     sweep_kind_names},
    sweep_order_parameter(&MultilevelOptions::sweep_order),
    multipliers_parameter(&MultilevelOptions::multipliers),
    layout_parameter(&MultilevelOptions::layout),
    lanes_parameter(&MultilevelOptions::lanes),
};

// Whether its sweeps have the multipliers of quadratic tets: vertices that all move at once would overshoot with them.
inline bool has_multipliers(const MultilevelOptions& options) {
  return options.multipliers && options.order == sweeps_gauss_seidel;
}

// The share of the over-relaxation if all vertices move at once: each of four neighbours in a tet does its part, or of
// the six in a quadratic tet that resist its change of volume.
inline constexpr double jacobi_share = 0.4, quadratic_jacobi_share = 0.25;

}  // namespace sinew
