#include "linear/linear_solvers.h"

#include <array>

#include "linear/backends.h"

namespace sinew {
namespace {

struct Backend {
  std::string_view name;
  std::unique_ptr<LinearSolver> (*make)();
};
constexpr Backend backends[] = {
#if defined(SINEW_HAS_CHOLMOD)
    {"cholmod", make_cholmod_solver},
#endif
    {"eigen", make_eigen_solver},
};

}  // namespace

std::span<const std::string_view> linear_solver_names() {
  static constexpr auto names = [] {
    std::array<std::string_view, std::size(backends)> list;
    for (size_t k = 0; k < list.size(); ++k) list[k] = backends[k].name;
    return list;
  }();
  return names;
}

std::unique_ptr<LinearSolver> make_linear_solver(std::string_view name) {
  for (const Backend& backend : backends) {
    if (name == "auto" || name == backend.name) return backend.make();
  }
  return nullptr;
}

}  // namespace sinew
