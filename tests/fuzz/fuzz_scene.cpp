// The scene parser, with overrides: what stands behind a line of '=' are path=value lines.
#include <string>
#include <vector>

#include "fuzz/fuzz_parser.h"
#include "scene/methods.h"
#include "sinew/scene_file.h"
#include "solver/options.h"

namespace sinew {

// Lists of methods with all kinds of options, so that the fuzzer needs no solver.
const MethodList& solver_methods() {
  static const MethodList list{
      {"multilevel", "", {}}, {"vbd", "", option_table<SolveOptions>(solve_parameters)}, {"newton", "", {}}};
  return list;
}
const MethodList& accelerator_methods() {
  static const MethodList list{{"none", "", {}}, {"chebyshev", "", option_table<SolveOptions>(solve_parameters)}};
  return list;
}
Status check_pair(const SolverSettings&) {
  return {};
}
}  // namespace sinew

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t bar = bytes.find("\n=\n");
  std::vector<std::string> overrides;
  if (bar != std::string_view::npos) {
    std::string_view rest = bytes.substr(bar + 3);
    while (!rest.empty() && overrides.size() < 10) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      overrides.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  const Result<Scene> scene = parse_scene(bytes.substr(0, bar), "fuzz.json", "", overrides);
  if (!scene) {
    require(!scene.error().message().empty());
    return 0;
  }
  // What is accepted reads back as the same.
  const Result<Scene> again = parse_scene(resolved_json(*scene), "fuzz.json", "");
  require(again.ok() && *again == *scene);
  return 0;
}
