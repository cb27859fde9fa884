#include "render/surface_soup.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/format.h"
#include "render/vector.h"

namespace sinew {
namespace {

bool finite(Vec3f p) {
  return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

Status check(const RenderMesh& mesh) {
  const std::string where = "mesh \"" + mesh.name + "\"";
  const size_t vertices = mesh.positions.size();
  // Squared distances between points must be finite too.
  constexpr float largest = 1e12f;
  for (size_t i = 0; i < vertices; ++i) {
    const Vec3f p = mesh.positions[i];
    if (!finite(p) || std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) > largest)
      return Error{where, format("vertex %zu is at (%g, %g, %g), which cannot be shown", i, p.x, p.y, p.z),
                   "the simulation has diverged before this frame"};
  }
  for (size_t f = 0; f < mesh.triangles.size(); ++f)
    for (int32_t v : mesh.triangles[f])
      if (v < 0 || static_cast<size_t>(v) >= vertices)
        return Error{where, format("triangle %zu names vertex %d of %zu", f, v, vertices), ""};

  if (!mesh.vertex_values.empty() && mesh.vertex_values.size() != vertices)
    return Error{where, format("%zu vertex values for %zu vertices", mesh.vertex_values.size(), vertices), ""};
  if (!mesh.face_values.empty() && mesh.face_values.size() != mesh.triangles.size())
    return Error{where, format("%zu face values for %zu triangles", mesh.face_values.size(), mesh.triangles.size()),
                 ""};
  if (!mesh.vertex_values.empty() && !mesh.face_values.empty())
    return Error{where, "has values on vertices and on faces", "keep one of them"};
  for (const auto* values : {&mesh.vertex_values, &mesh.face_values})
    for (size_t i = 0; i < values->size(); ++i)
      if (!std::isfinite((*values)[i])) return Error{where, format("value %zu is %g", i, (*values)[i]), ""};

  if (!mesh.face_palette.empty() && mesh.face_palette.size() != mesh.triangles.size())
    return Error{where,
                 format("%zu palette entries for %zu triangles", mesh.face_palette.size(), mesh.triangles.size()), ""};

  if (!mesh.rest_positions.empty() && mesh.rest_positions.size() != vertices)
    return Error{where, format("%zu rest positions for %zu vertices", mesh.rest_positions.size(), vertices), ""};
  if (mesh.color && !finite(*mesh.color)) return Error{where, "its colour is not finite", ""};
  return {};
}

Vec3f face_normal(const std::vector<Vec3f>& x, const Triangle& t) {
  return normalised(cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]));
}

// Corner normals: the mean of the faces around the vertex, weighted by their angle there, without those across a crease
// from this face.
void append_normals(const RenderMesh& mesh, bool smooth, double crease_degrees, std::vector<Vec3f>& out) {
  const size_t faces = mesh.triangles.size();
  std::vector<Vec3f> normal(faces);
  for (size_t f = 0; f < faces; ++f) normal[f] = face_normal(mesh.positions, mesh.triangles[f]);
  if (!smooth) {
    for (size_t f = 0; f < faces; ++f) out.insert(out.end(), 3, normal[f]);
    return;
  }

  std::vector<Vec3f> rest_normal;
  if (!mesh.rest_positions.empty()) {
    rest_normal.resize(faces);
    for (size_t f = 0; f < faces; ++f) rest_normal[f] = face_normal(mesh.rest_positions, mesh.triangles[f]);
  }
  const std::vector<Vec3f>& judge = rest_normal.empty() ? normal : rest_normal;

  // Corners by vertex.
  std::vector<uint32_t> start(mesh.positions.size() + 1, 0), corners(3 * faces);
  for (const Triangle& t : mesh.triangles)
    for (int32_t v : t) ++start[v + 1];
  for (size_t v = 0; v < mesh.positions.size(); ++v) start[v + 1] += start[v];
  std::vector<uint32_t> fill(start.begin(), start.end() - 1);
  std::vector<float> angle(3 * faces);
  for (size_t f = 0; f < faces; ++f) {
    const Triangle& t = mesh.triangles[f];
    for (int k = 0; k < 3; ++k) {
      const Vec3f p = mesh.positions[t[k]];
      const Vec3f a = normalised(mesh.positions[t[(k + 1) % 3]] - p),
                  b = normalised(mesh.positions[t[(k + 2) % 3]] - p);
      angle[3 * f + k] = std::acos(std::clamp(dot(a, b), -1.0f, 1.0f));
      corners[fill[t[k]]++] = static_cast<uint32_t>(3 * f + k);
    }
  }

  const float crease = static_cast<float>(std::cos(crease_degrees * M_PI / 180));
  for (size_t f = 0; f < faces; ++f) {
    for (int k = 0; k < 3; ++k) {
      const int32_t v = mesh.triangles[f][k];
      Vec3f sum{0, 0, 0};
      for (uint32_t c = start[v]; c < start[v + 1]; ++c) {
        const uint32_t other = corners[c] / 3;
        if (dot(judge[f], judge[other]) >= crease || other == f) sum += angle[corners[c]] * normal[other];
      }
      const Vec3f n = normalised(sum);
      out.push_back(dot(n, n) > 0.5f ? n : normal[f]);
    }
  }
}

}  // namespace

Result<SurfaceSoup> gather_surfaces(const RenderScene& scene, const RenderOptions& options) {
  SurfaceSoup soup;
  size_t faces = 0, vertices = 0;
  bool first_value = true;
  for (const RenderMesh& mesh : scene.meshes) {
    if (Status status = check(mesh); !status) return status.error();
    faces += mesh.triangles.size();
    vertices += mesh.positions.size();
    for (const auto* values : {&mesh.vertex_values, &mesh.face_values})
      for (float value : *values) {
        soup.value_min = first_value ? value : std::min(soup.value_min, value);
        soup.value_max = first_value ? value : std::max(soup.value_max, value);
        first_value = false;
      }
  }
  soup.has_values = !first_value;
  if (faces == 0) return Error{"picture", "there is no surface to show", "give at least one mesh with triangles"};
  if (vertices > 0x3fffffff || faces > 0x3fffffff) return Error{"picture", "more than a billion triangles", ""};
  if (scene.meshes.size() > 0xffff) return Error{"picture", "more than 65535 meshes", "merge some"};
  if (options.value_min) soup.value_min = *options.value_min;
  if (options.value_max) soup.value_max = *options.value_max;
  // A constant value gets the middle of the map.
  if (soup.has_values && !(soup.value_min < soup.value_max)) {
    const float value = soup.value_min, half = value != 0 ? 0.5f * std::abs(value) : 0.5f;
    soup.value_min = value - half;
    soup.value_max = value + half;
  }
  const float scale = 1 / (soup.value_max - soup.value_min);
  const auto mapped = [&](float value) { return std::clamp((value - soup.value_min) * scale, 0.0f, 1.0f); };

  soup.positions.reserve(vertices + 1);
  soup.indices.reserve(3 * faces);
  soup.corner_normals.reserve(3 * faces);
  for (const RenderMesh& mesh : scene.meshes) {
    const bool by_vertex = !mesh.vertex_values.empty(), by_face = !mesh.face_values.empty();
    const bool smooth = options.shading == Shading::smooth || (options.shading == Shading::as_given && mesh.smooth);
    const uint32_t offset = static_cast<uint32_t>(soup.positions.size());
    const auto look = static_cast<uint16_t>(soup.looks.size());
    Vec3f color = mesh.color.value_or(object_color(mesh.object));
    for (float* c : {&color.x, &color.y, &color.z}) *c = std::clamp(*c, 0.0f, 1.0f);
    soup.looks.push_back({color, by_vertex || by_face, smooth});
    // A look for each entry of the palette that the mesh shows.
    std::map<int32_t, uint16_t> look_of_entry;
    for (const int32_t entry : mesh.face_palette) {
      if (!look_of_entry.try_emplace(entry, static_cast<uint16_t>(soup.looks.size())).second) continue;
      if (soup.looks.size() > 0xffff) return Error{"picture", "more than 65535 meshes and colours", "merge some"};
      soup.looks.push_back({object_color(entry), by_vertex || by_face, smooth});
    }

    soup.positions.insert(soup.positions.end(), mesh.positions.begin(), mesh.positions.end());
    for (size_t f = 0; f < mesh.triangles.size(); ++f) {
      soup.look_of.push_back(mesh.face_palette.empty() ? look : look_of_entry[mesh.face_palette[f]]);
      for (int32_t v : mesh.triangles[f]) {
        soup.indices.push_back(offset + static_cast<uint32_t>(v));
        soup.bounds.add({mesh.positions[v].x, mesh.positions[v].y, mesh.positions[v].z});
        if (soup.has_values)
          soup.corner_values.push_back(by_vertex ? mapped(mesh.vertex_values[v])
                                       : by_face ? mapped(mesh.face_values[f])
                                                 : 0.0f);
      }
    }
    append_normals(mesh, smooth, options.crease_degrees, soup.corner_normals);
  }
  // Embree reads 16 bytes per vertex.
  soup.positions.push_back({0, 0, 0});
  return soup;
}

}  // namespace sinew
