#include "compile/stiffness_factors.h"

#include <cmath>

#include "base/format.h"
#include "io/npy.h"
#include "io/scanner.h"
#include "io/suffix.h"
#include "scene/places.h"

namespace sinew {
namespace {

Result<std::vector<double>> read_text(std::string_view bytes, std::string_view name) {
  Scanner scanner(bytes, name, Layout::free, '#');
  std::vector<double> numbers;
  while (scanner.skip_space()) {
    double number = 0;
    if (!scanner.real(number)) return scanner.expected("a number");
    numbers.push_back(number);
  }
  return numbers;
}

Result<std::vector<double>> read_numbers(const std::filesystem::path& path, const SceneFiles& files) {
  const Result<std::string> bytes = files.bytes(path);
  if (!bytes) return bytes.error();
  if (suffix_of(path) != ".npy") return read_text(*bytes, path.string());
  const Result<NpyArray> array = parse_npy(*bytes, path.string());
  if (!array) return array.error();
  if (array->rows != 1 && array->columns != 1)
    return Error{path.string(), format("is an array of %zu x %zu numbers", array->rows, array->columns),
                 "save a single row or column"};
  return array->as_doubles();
}

// Checks the factors from a file; `name` is its name.
Status check(const std::vector<double>& factors, size_t tet_count, const std::string& name) {
  if (factors.size() != tet_count)
    return Error{name, format("has %zu numbers, but the mesh has %zu tetrahedra", factors.size(), tet_count),
                 "give one for each, in the order of the mesh"};
  for (size_t k = 0; k < tet_count; ++k) {
    if (factors[k] > 0 && std::isfinite(factors[k])) continue;
    return Error{name, format("the factor of tetrahedron %zu is %g: it must be above 0 and finite", k, factors[k]),
                 "1 stands for the material as it is"};
  }
  return {};
}

}  // namespace

Result<std::vector<double>> read_stiffness_factors(const StiffnessFactors& factors, size_t tet_count,
                                                   const SceneFolder& folder) {
  const auto* file = std::get_if<FactorFile>(&factors);
  const std::filesystem::path path = file ? folder.at(file->path) : "";
  Result<std::vector<double>> numbers = file ? read_numbers(path, folder.files) : std::get<FactorList>(factors).values;
  const Status good = numbers ? check(*numbers, tet_count, path.string()) : Status(numbers.error());
  if (good.ok()) return numbers;
  return Error{file ? ".file" : ".values", ": " + Error{good.error().where, good.error().what, ""}.message(),
               good.error().remedy};
}

}  // namespace sinew
