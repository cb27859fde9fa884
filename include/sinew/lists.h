// What a scene can name: solvers, accelerators, materials and elements, with their parameters. `sinew solvers` and
// `sinew materials` print the same.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/option_value.h"

namespace sinew {

// An interval, closed unless it says otherwise; infinite where there is no limit.
struct NumberRange {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool low_open = false, high_open = false;

  bool contains(double v) const { return (low_open ? v > low : v >= low) && (high_open ? v < high : v <= high); }
  // "above 0, at most 1"; empty without limits.
  std::string text() const;
};

struct ParameterInfo {
  enum class Kind { number, whole, toggle, choice };

  std::string name;
  std::string meaning;
  Kind kind = Kind::number;
  std::string unit;  // "m", "Pa", "-"; empty: none
  NumberRange range;
  std::vector<std::string> choices;           // of a choice
  std::optional<OptionScalar> default_value;  // none: required

  // "0.4", "true", "auto"; empty if required.
  std::string default_text() const;
};

// A value of solver.type.
struct SolverDescription {
  std::string name, summary;
  std::string color;                          // "#rrggbb" in figures and tables
  std::vector<ParameterInfo> options;         // its own
  std::vector<ParameterInfo> common_options;  // of every solver, with this one's defaults
  // What it supports.
  bool dynamic = true, quasistatic = true;
  bool damping = true;
  bool springs = false, fibres = false;  // springs: and bindings
  bool contact = false;                  // bodies and colliders that touch
  bool intersection_free = false;        // and the guarantee that they never intersect
  bool grid = false;                     // bodies in a background grid
  bool quadratic = false;                // tets with a vertex at the middle of each edge
  bool accelerators = true;
  bool single_precision = true;
  bool needs_constraints = false;   // only materials in the form of constraints
  bool strain_constraints = false;  // or of one for their strain
  bool needs_zero_at_rest = false;  // only isotropic materials without energy at rest
};
const std::vector<SolverDescription>& solvers();

// A value of solver.accelerator; "none" comes first.
struct AcceleratorDescription {
  std::string name, summary;
  std::vector<ParameterInfo> options;
};
const std::vector<AcceleratorDescription>& accelerators();

// A value of a material's `model`.
struct MaterialDescription {
  std::string name, summary;
  // The sets of parameters that determine it, of which a scene gives one.
  std::vector<std::vector<ParameterInfo>> forms;
  int constraints = 0;             // per tet, for xpbd and its relatives; 0: has no such form
  bool strain_constraint = false;  // one vector constraint per tet, its strain: for xpbd and xpbd_qs
  bool zero_at_rest = true;        // its energy, and its constraints, vanish at rest
  bool isotropic = true;
};
const std::vector<MaterialDescription>& materials();

// What bodies are made of.
struct ElementDescription {
  std::string name, summary;
  int vertices = 0;                       // of each; 0: any number
  std::string where;                      // in a scene: keys that make them, e.g. "objects.NAME.mesh.box"
  std::vector<ParameterInfo> parameters;  // beside those of a material
};
const std::vector<ElementDescription>& elements();

// The sparse direct solvers of this build, the fastest first.
std::vector<std::string_view> sparse_solvers();

}  // namespace sinew
