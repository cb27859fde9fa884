// Searches for what is valid in a scene and probably not meant. Each is a file for one subject, and a line in
// `look_for_oddities` (compile/check_compiled.h).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compile/compile.h"
#include "mesh/tet_mesh.h"
#include "solver/solver_info.h"

namespace sinew {

struct OddityContext {
  const Scene& scene;
  const TetMesh& mesh;
  const CompiledScene& compiled;
  std::vector<std::string>& warnings;

  double step() const { return scene.time.frame_dt / scene.time.substeps; }  // [s]
  SolverTraits solver_traits() const;
  void warn(std::string sentence) const { warnings.push_back(std::move(sentence)); }
};

void odd_settings(const OddityContext& in);   // the clock, gravity, options of the solver
void odd_materials(const OddityContext& in);  // units of moduli and densities
void odd_pins(const OddityContext& in);       // pins that hold nothing, or what others hold
void odd_bodies(const OddityContext& in);     // sizes, weights, motion, rounding, locking
void odd_quadratic(const OddityContext& in);  // materials that quadratic tets take otherwise than linear ones
void odd_solving(const OddityContext& in);    // bodies that the solver, with its steps and iterations, does not hold up
void odd_falls(const OddityContext& in);      // bodies that nothing holds
void odd_bindings(const OddityContext& in);   // bindings whose forces are lost in rounding
void odd_contacts(const OddityContext& in);   // what may pass through bodies between two steps
void odd_winds(const OddityContext& in);      // winds that are too strong for a step

// Share of the shortest edge by which rounding may displace a vertex, which is 1 % of strain.
inline constexpr double coarse_rounding = 0.01;

// What a material has in stiffness: its Young's modulus where it is given by it, else its shear modulus at rest [Pa].
struct Stiffness {
  double value;
  const char* key;
};
Stiffness stiffness_of(const SceneMaterial& m);
double poisson_ratio_of(const SceneMaterial& m);
bool uses(const SceneObject& o, const SceneMaterial& m);
// [m] Edge of a body's elements, as if six made a cube.
double element_edge(const TetMesh& mesh, const ObjectPart& part);

}  // namespace sinew
