#include "scene/stiffness_factors.h"

#include <cmath>

#include "base/format.h"
#include "io/npy.h"
#include "io/read_file.h"
#include "io/scanner.h"
#include "io/suffix.h"
#include "scene/places.h"

namespace sinew {
namespace {

Result<std::vector<double>> read_text(const std::filesystem::path& path) {
  Result<std::string> bytes = read_file(path);
  if (!bytes) return bytes.error();
  const std::string name = path.string();
  Scanner scanner(*bytes, name, Layout::free, '#');
  std::vector<double> numbers;
  while (scanner.skip_space()) {
    double number = 0;
    if (!scanner.real(number)) return scanner.expected("a number");
    numbers.push_back(number);
  }
  return numbers;
}

Result<std::vector<double>> read_numbers(const std::filesystem::path& path) {
  if (suffix_of(path) != ".npy") return read_text(path);
  const Result<NpyArray> array = read_npy(path);
  if (!array) return array.error();
  if (array->rows != 1 && array->columns != 1)
    return Error{path.string(), format("is an array of %zu x %zu numbers", array->rows, array->columns),
                 "save a single row or column"};
  return array->as_doubles();
}

}  // namespace

Result<std::vector<double>> read_stiffness_factors(const FactorFile& file, size_t tet_count,
                                                   const std::string& base_folder) {
  const std::filesystem::path path = resolved_path(file.path, base_folder);
  Result<std::vector<double>> factors = read_numbers(path);
  if (!factors) return factors;
  if (factors->size() != tet_count)
    return Error{path.string(), format("has %zu numbers, but the mesh has %zu tetrahedra", factors->size(), tet_count),
                 "give one for each, in the order of the mesh's file"};
  for (size_t k = 0; k < factors->size(); ++k) {
    const double factor = (*factors)[k];
    if (factor > 0 && std::isfinite(factor)) continue;
    return Error{path.string(), format("the factor of tetrahedron %zu is %g: it must be above 0 and finite", k, factor),
                 "1 stands for the material as it is"};
  }
  return factors;
}

}  // namespace sinew
