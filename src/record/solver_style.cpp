#include "record/solver_style.h"

namespace sinew {
namespace {

struct SolverColor {
  std::string_view solver, color;
};
constexpr SolverColor colors[] = {
    {"newton", "#000000"},
    {"multilevel", "#6a3d9a"},
    {"vbd", "#0072b2"},
    {"xpbd", "#d55e00"},
    {"pbng", "#009e73"},
    {"b_pxpbd", "#cc79a7"},
    {"fp_pxpbd", "#56b4e9"},
    {"pbd", "#e69f00"},
    {"quasi_newton", "#a89a00"},
    {"block_jacobi", "#332288"},
    {"gradient_descent", "#882255"},
    {"xpbd_qs", "#aa4466"},
    {"xpbd_root", "#999933"},
    {"xpbd_primary", "#7a5c3a"},
    {"xpbd_qs", "#b35806"},
    {"xpbd_root", "#fdb863"},
    {"xpbd_primary", "#8c510a"},
};

}  // namespace

std::string_view solver_color(std::string_view solver) {
  for (const SolverColor& c : colors) {
    if (c.solver == solver) return c.color;
  }
  return "#777777";
}

}  // namespace sinew
