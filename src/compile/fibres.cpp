#include "compile/fibres.h"

#include <cmath>
#include <map>
#include <set>

#include "base/format.h"
#include "io/npy.h"
#include "linear/harmonic_field.h"
#include "linear/linear_solvers.h"
#include "scene/places.h"
#include "scene/region_labels.h"

namespace sinew {
namespace {

Vec3d unit(Vec3d v) {
  const double length = std::sqrt(dot(v, v));
  return length > 0 ? (1 / length) * v : Vec3d{};
}

Result<std::vector<Vec3d>> by_region(const FibreRegions& by, const FibreBody& body) {
  const std::set<int32_t> labels(body.regions.begin(), body.regions.end());
  std::map<int32_t, Vec3d> direction;
  for (size_t k = 0; k < by.regions.size(); ++k) {
    const FibreRegion& region = by.regions[k];
    const Result<int32_t> label = label_of(region.region, labels, body.groups);
    if (!label)
      return Error{format(".regions.%zu.region", k), " = " + region_text(region.region) + label.error().what,
                   label.error().remedy};
    direction[*label] = unit(body.placing * to_vec(region.direction));
  }
  std::vector<Vec3d> directions;
  for (const int32_t label : body.regions) {
    const auto at = direction.find(label);
    directions.push_back(at == direction.end() ? Vec3d{} : at->second);
  }
  return directions;
}

Result<std::vector<Vec3d>> from_file(const FibreFile& file, const FibreBody& body, const SceneFolder& folder) {
  const std::filesystem::path path = folder.at(file.path);
  const auto fault = [&](const std::string& what, const std::string& remedy) {
    return Error{".file", ": " + path.string() + ": " + what, remedy};
  };
  const Result<std::string> bytes = folder.files.bytes(path);
  const Result<NpyArray> array = bytes ? parse_npy(*bytes, path.string()) : Result<NpyArray>(bytes.error());
  if (!array) return Error{".file", ": " + array.error().where + ": " + array.error().what, array.error().remedy};
  const bool plane = !body.tets.empty() && is_triangle(body.tets[0]);
  if (array->rows != body.tets_in_file || array->columns != 3)
    return fault(format("is an array of %zu x %zu numbers, but the mesh has %zu %s", array->rows, array->columns,
                        body.tets_in_file, plane ? "triangles" : "tetrahedra"),
                 "give three numbers for each, in the order of the mesh");
  const std::vector<double> numbers = array->as_doubles();
  std::vector<Vec3d> own;  // of one body
  for (size_t e = 0; e < body.tets_in_file; ++e) {
    const Vec3d v{numbers[3 * e], numbers[3 * e + 1], numbers[3 * e + 2]};
    const double square = dot(v, v);
    if (!(square > 0) || !std::isfinite(square))
      return fault(
          format("the direction of %s %zu is (%g, %g, %g)", plane ? "triangle" : "tetrahedron", e, v.x, v.y, v.z),
          "give each a direction of any length but 0");
    if (plane && v.z != 0)
      return fault(format("the direction of triangle %zu, (%g, %g, %g), leaves its plane", e, v.x, v.y, v.z),
                   "let z be 0");
    own.push_back(unit(body.placing * v));
  }
  for (size_t k = 0; k < body.kept_tets.size(); ++k) own[k] = own[static_cast<size_t>(body.kept_tets[k])];
  if (!body.kept_tets.empty()) own.resize(body.kept_tets.size());
  std::vector<Vec3d> directions;
  for (size_t e = 0; e < body.tets.size(); ++e) directions.push_back(own[e % own.size()]);
  return directions;
}

Result<std::vector<Vec3d>> harmonic(const FibreHarmonic& ends, const FibreBody& body, const SelectVertices& select) {
  const Result<std::vector<int32_t>> from = select(ends.from, ".harmonic.from");
  if (!from) return from.error();
  const Result<std::vector<int32_t>> to = select(ends.to, ".harmonic.to");
  if (!to) return to.error();
  const std::unique_ptr<LinearSolver> solver = make_linear_solver();
  Result<std::vector<Vec3d>> gradients = harmonic_gradients(body.rest, body.tets, *from, *to, *solver);
  if (!gradients) {
    const Error& e = gradients.error();
    return Error{".harmonic", ": " + e.where + ": " + e.what, e.remedy};
  }
  for (Vec3d& v : *gradients) v = unit(v);
  return gradients;
}

}  // namespace

Result<std::vector<Vec3d>> fibre_directions(const FibreDirections& directions, const FibreBody& body,
                                            const SceneFolder& folder, const SelectVertices& select) {
  if (const auto* regions = std::get_if<FibreRegions>(&directions)) return by_region(*regions, body);
  if (const auto* file = std::get_if<FibreFile>(&directions)) return from_file(*file, body, folder);
  if (const auto* ends = std::get_if<FibreHarmonic>(&directions)) return harmonic(*ends, body, select);
  const Vec3d along = unit(body.placing * to_vec(std::get<FibreConstant>(directions).direction));
  return std::vector<Vec3d>(body.tets.size(), along);
}

}  // namespace sinew
