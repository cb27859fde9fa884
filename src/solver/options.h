// The options that mean the same for every solver, among them those that end a solve.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "base/parameters.h"

namespace sinew {

inline constexpr std::string_view precision_names[] = {"auto", "single", "double"};
enum Precision : int { auto_precision, single_precision, double_precision };

// The initial guess of a step (Chen et al. 2024, VBD, section 3.7): x_prev; x_prev + h v; the inertial target y; or
// adaptive, x_prev + h v + s h^2 g, where s is the part of the last step's acceleration along gravity g.
inline constexpr std::string_view initial_guess_names[] = {"previous", "inertia", "target", "adaptive"};
enum InitialGuess : int { guess_previous, guess_inertia, guess_target, guess_adaptive };

// Where a solver computes: on this processor, on a CUDA card, or with the kernels of the card on this processor, one
// thread after the other, to try them where there is no card (cuda/device.h).
inline constexpr std::string_view device_names[] = {"cpu", "cuda", "emulated"};
enum DeviceKind : int { on_cpu, on_cuda, on_emulated };

// What a solver supports.
struct SolverTraits {
  bool quasistatic = true;          // solves without inertia
  bool dynamic = true;              // solves with inertia
  bool needs_constraints = false;   // only materials with a constraint form
  bool strain_constraints = false;  // or with a strain constraint
  bool needs_zero_at_rest = false;  // only isotropic materials whose energy, and so their constraints, vanish at rest
  bool damping = true;              // stiffness-proportional damping
  bool accelerates = true;          // an accelerator may change its iterates
  bool multipliers = false;         // its positions follow from multipliers
  bool whole_iterate = false;       // positions and multipliers keep forces in balance: they may only change together
  bool single_precision = true;     // also works in single precision
  bool ties = false;                // springs and weak constraints
  bool fibres = true;               // and fibres, if it supports ties
  bool contact = false;             // bodies and colliders that touch
  bool keeps_apart = false;         // can guarantee that surfaces never intersect
  bool grid = false;                // bodies that are embedded in a grid
  bool quadratic = false;           // quadratic tets
  bool by_vertex = false;           // sweeps by vertex, large meshes cluster by cluster
  bool converges = true;            // to the solution of the step; else its residual need not fall
  bool shrinks_at_rest = false;     // bodies whose constraints are stressed at rest lose volume
  bool stiff_ties = false;          // is known to move vertices that stiff ties join
  bool recommended = false;         // advised where another does not converge
  bool reference = false;           // comparisons measure errors against it
  double carried_by_iteration = 0;  // the E h^2/(density edge^2) through which an iteration carries forces; 0: any
  double bytes_per_tet = 150;       // of its layouts in single precision
};

// Every solver has its own defaults for these (its `common`), sufficient for motion that looks right and is correct to
// about one percent.
struct SolveOptions {
  int iterations = 20;
  double tolerance = 0;           // [N]
  double relative_tolerance = 0;  // [-]
  int check_every = 5;
  double time_budget = 0;          // [ms]
  int precision = auto_precision;  // auto: chosen by the model (compile/precision.h), otherwise single
  int initial_guess = guess_adaptive;
  int device = on_cpu;
};

// A scene that sets one of these says itself when a step ends.
inline constexpr std::string_view other_ends[] = {"iterations", "tolerance"};

inline constexpr Parameter<SolveOptions> solve_parameters[] = {
    {"iterations",
     &SolveOptions::iterations,
     "-",
     {1, 1e9},
     "maximum number of iterations in a step; the exact number if no tolerance is given"},
    {"tolerance", &SolveOptions::tolerance, "N", non_negative,
     "end the step when the residual, the 2-norm of the unbalanced forces, is at most this; 0: do not test"},
    {"relative_tolerance",
     &SolveOptions::relative_tolerance,
     "-",
     {0, 1, false, true},
     "end the step when the residual is at most this times that of the initial guess, or at round-off; 0: do not test. "
     "Defaults to 0 if iterations or tolerance is given",
     {},
     other_ends},
    {"check_every",
     &SolveOptions::check_every,
     "-",
     {1, 1e6},
     "iterations between tests of the residual; a test costs about as much as five sweeps"},
    {"time_budget", &SolveOptions::time_budget, "ms", non_negative,
     "end the step after this much solver time; results then depend on the machine; 0: no limit"},
    {"precision",
     &SolveOptions::precision,
     "-",
     {},
     "floating-point precision of the sweeps. auto: single; double where the elastic forces of stiff bodies, or of "
     "bodies far from the origin, would be rounded by more than 0.3 times weight and loads, or 0.001 times where "
     "friction sticks",
     precision_names},
    {"initial_guess",
     &SolveOptions::initial_guess,
     "-",
     {},
     "start of each step: previous positions, inertia (x + h v), target (inertia and external forces) or adaptive",
     initial_guess_names},
    {"device",
     &SolveOptions::device,
     "-",
     {},
     "where to compute: cpu, cuda (an NVIDIA card; see docs/gpu.md), or emulated: the kernels of the card on the "
     "CPU, slowly, to try them without one",
     device_names},
};

// For sweeping solvers.
template <class Options>
constexpr Parameter<Options> lanes_parameter(int Options::*member) {
  return {"lanes",
          member,
          "-",
          {0, 16},
          "single-precision SIMD lanes of the sweeps: 1, 4, 8 or 16; 0: as set for the program, by default as many as "
          "the processor has. On a graphics card: the threads that share a vertex, a power of two; 0: as many as its "
          "number of vertices wants"};
}

}  // namespace sinew
