#include "compile/selection.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/format.h"
#include "base/nearest.h"
#include "io/scanner.h"
#include "scene/places.h"

namespace sinew {

namespace {

Error out_of_range(const std::string& where, int64_t index, const VertexRange& object) {
  return {where,
          format(" = %lld: object '%s' has %d vertices", static_cast<long long>(index), object.name.c_str(),
                 object.last - object.first),
          format("use numbers from 0 to %d", object.last - object.first - 1)};
}

// Reads vertex numbers from a file; errors say where in the file.
Result<std::vector<int32_t>> read_indices(const std::string& path, const VertexRange& object,
                                          const SceneFolder& folder) {
  const std::filesystem::path file = folder.at(path);
  Result<std::string> bytes = folder.files.bytes(file);
  if (!bytes) return Error{".file", ": " + bytes.error().where + ": " + bytes.error().what, bytes.error().remedy};
  const std::string name = file.string();
  Scanner scanner(*bytes, name, Layout::free, '#');
  std::vector<int32_t> indices;
  while (scanner.skip_space()) {
    int64_t index = 0;
    const size_t at = scanner.offset();
    if (!scanner.whole(index)) {
      const Error error = scanner.expected("a vertex number");
      return Error{".file", ": " + error.where + ": " + error.what, error.remedy};
    }
    if (index < 0 || index >= object.last - object.first) {
      const Error error = out_of_range("", index, object);
      return Error{".file", ": " + scanner.place(at) + ": vertex" + error.what, error.remedy};
    }
    indices.push_back(static_cast<int32_t>(index));
  }
  return indices;
}

// The vertices of all groups of a name, of any dimension and in every body.
Result<std::vector<int32_t>> vertices_of_group(const std::string& name, const VertexRange& object) {
  std::vector<int32_t> vertices;
  std::vector<std::string_view> names;
  bool is_there = false;
  const int32_t body = (object.last - object.first) / object.bodies;
  for (const MeshGroup& group : object.groups) {
    names.push_back(group.name);
    if (group.name != name) continue;
    is_there = true;
    for (int32_t k = 0; k < object.bodies; ++k)
      for (const int32_t v : group.vertices) vertices.push_back(k * body + v);
  }
  if (is_there) return vertices;
  const std::string what =
      joined({" = \"", name, "\": the mesh of object '", object.name, "' has no group of this name"});
  if (names.empty())
    return Error{".group", what + ", for it has none",
                 "name physical groups in Gmsh and save them in its .msh format; or select by box, sphere or plane"};
  return Error{".group", what, did_you_mean(name, names)};
}

std::string box_text(const Bounds& b) {
  const auto point = [](Vec3d p) {
    return joined({"[", number_text(p.x), ", ", number_text(p.y), ", ", number_text(p.z), "]"});
  };
  return joined({point(b.low), " to ", point(b.high), " m"});
}

}  // namespace

VertexRange range_of(const ObjectPart& part) {
  return {part.name, part.first_vertex, part.last_vertex, part.groups, part.bodies};
}

Result<std::vector<int32_t>> select_vertices(const Selection& selection, const std::vector<Vec3d>& rest,
                                             const VertexRange& object, const SceneFolder& folder) {
  std::vector<int32_t> chosen;
  const auto choose = [&](auto inside) {
    for (int32_t v = object.first; v < object.last; ++v)
      if (inside(rest[v])) chosen.push_back(v);
  };
  const Bounds bounds = bounds_of(rest, object.first, object.last);
  const double slack = 1e-9 * bounds.diagonal();

  std::string key;
  if (const auto* box = std::get_if<SelectBox>(&selection)) {
    key = ".box";
    choose([&](Vec3d x) {
      return x.x >= box->min[0] - slack && x.x <= box->max[0] + slack && x.y >= box->min[1] - slack &&
             x.y <= box->max[1] + slack && x.z >= box->min[2] - slack && x.z <= box->max[2] + slack;
    });
  } else if (const auto* sphere = std::get_if<SelectSphere>(&selection)) {
    key = ".sphere";
    const Vec3d center = to_vec(sphere->center);
    const double reach = sphere->radius + slack;
    choose([&](Vec3d x) { return dot(x - center, x - center) <= reach * reach; });
  } else if (const auto* plane = std::get_if<SelectPlane>(&selection)) {
    key = ".plane";
    const Vec3d point = to_vec(plane->point), normal = to_vec(plane->normal);
    const double length = std::sqrt(dot(normal, normal));
    choose([&](Vec3d x) { return dot(x - point, normal) >= -slack * length; });
  } else if (const auto* list = std::get_if<SelectIndices>(&selection)) {
    key = ".indices";
    for (size_t k = 0; k < list->indices.size(); ++k) {
      const int64_t index = list->indices[k];
      if (index < 0 || index >= object.last - object.first)
        return out_of_range(format(".indices.%zu", k), index, object);
      chosen.push_back(static_cast<int32_t>(index));
    }
  } else if (const auto* file = std::get_if<SelectFile>(&selection)) {
    key = ".file";
    Result<std::vector<int32_t>> read = read_indices(file->path, object, folder);
    if (!read) return read.error();
    chosen = std::move(*read);
  } else if (const auto* group = std::get_if<SelectGroup>(&selection)) {
    key = ".group";
    Result<std::vector<int32_t>> found = vertices_of_group(group->name, object);
    if (!found) return found.error();
    chosen = std::move(*found);
  } else {
    choose([](Vec3d) { return true; });
  }

  // These count the vertices of the object, and may contain duplicates.
  if (key == ".indices" || key == ".file" || key == ".group") {
    for (int32_t& v : chosen) v += object.first;
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  }
  if (chosen.empty())
    return Error{key, ": selects no vertex of object '" + object.name + "'", "the object lies in " + box_text(bounds)};
  return chosen;
}

}  // namespace sinew
