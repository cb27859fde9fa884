#include "record/surface_store.h"

#include <deque>
#include <fstream>
#include <numeric>
#include <set>
#include <type_traits>

#include "base/format.h"
#include "files/read_file.h"
#include "mesh/topology.h"
#include "record/envelope_file.h"
#include "record/file_name.h"

namespace sinew {

namespace fs = std::filesystem;

namespace {

constexpr FileKind kRestKind{"SINEWRST", 3, "a rest surface"};
constexpr FileKind kFrameKind{"SINEWSRF", 4, "a surface frame"};
const char* const kRunAgain = "the output folder is damaged; run again with --overwrite or into a new folder";

// The header before the positions of a frame.
struct FrameHead {
  int64_t frame;
  double time;
  int64_t step;
  uint64_t points;
  uint64_t residuals;        // 0 or points
  uint64_t stresses;         // 0 or points
  uint64_t bytes_of_number;  // 4: float, 8: double
  uint64_t collider_points;
  uint64_t collider_planes;
};

Vec3d rest_of(const Model& model, int32_t vertex) {
  return model.rest[static_cast<size_t>(model.order.slot(UserVertex{vertex}))];
}

void add_boundary(const Model& model, const RecordedObject& object, RecordedSurface& surface) {
  surface.triangles = object.boundary;
  surface.materials = object.materials;
  surface.vertices = renumber(surface.triangles, object.first_vertex, object.last_vertex);
  if (surface.triangles.empty()) {
    surface.vertices.resize(static_cast<size_t>(object.last_vertex - object.first_vertex));
    std::iota(surface.vertices.begin(), surface.vertices.end(), object.first_vertex);
  }
  for (const int32_t v : surface.vertices) surface.rest.push_back(rest_of(model, v));
}

// Body after body.
void add_skin(const Model& model, const RecordedObject& object, RecordedSurface& surface) {
  const Skin& skin = *object.skin;
  for (int32_t body = 0; body < skin.bodies; ++body) {
    const auto shift = static_cast<int32_t>(surface.rest.size());
    for (const Triangle& t : skin.triangles) surface.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
    surface.materials.insert(surface.materials.end(), skin.materials.begin(), skin.materials.end());
    const int32_t first = object.first_vertex + body * skin.body_vertices;
    for (size_t k = 0; k < skin.point_count(); ++k)
      surface.rest.push_back(
          skin.sum(k, [&](int32_t c) { return rest_of(model, first + skin.carriers[static_cast<size_t>(c)]); }));
  }
}

}  // namespace

std::vector<RecordedSurface> make_surfaces(const Model& model, std::span<const RecordedObject> objects) {
  std::vector<RecordedSurface> surfaces;
  std::set<std::string> taken;
  int32_t first = 0;
  for (const RecordedObject& object : objects) {
    RecordedSurface surface;
    surface.name = object.name;
    surface.file = file_name(object.name, taken);
    surface.first = first;
    if (object.skin)
      add_skin(model, object, surface);
    else
      add_boundary(model, object, surface);
    surface.point_count = static_cast<int32_t>(surface.rest.size());
    first += surface.point_count;
    surfaces.push_back(std::move(surface));
  }
  return surfaces;
}

Status save_rest(const fs::path& path, std::span<const RecordedSurface> surfaces) {
  std::deque<std::string> heads;  // small headers; views of them stay valid
  std::vector<std::string_view> parts;
  const auto add = [&](Packer& packer) { parts.push_back(heads.emplace_back(packer.take())); };
  add(Packer().put<uint64_t>(surfaces.size()));
  for (const RecordedSurface& surface : surfaces) {
    add(Packer()
            .put_text(surface.name)
            .put_text(surface.file)
            .put<uint64_t>(surface.rest.size())
            .put<uint64_t>(surface.vertices.size())
            .put<uint64_t>(surface.triangles.size()));
    parts.insert(parts.end(), {bytes_of(surface.vertices), bytes_of(surface.rest), bytes_of(surface.triangles)});
    add(Packer().put<uint64_t>(surface.materials.size()));
    parts.push_back(bytes_of(surface.materials));
  }
  return write_envelope(path, kRestKind, parts);
}

Result<std::vector<RecordedSurface>> load_rest(const fs::path& path) {
  const Result<std::string> file = read_file(path);
  if (!file) return file.error();
  const Result<std::string_view> payload = open_envelope(*file, kRestKind, path.string(), kRunAgain);
  if (!payload) return payload.error();
  const Error broken{path.string(), "is damaged: its content is not that of a rest surface", kRunAgain};

  Unpacker unpacker(*payload);
  std::vector<RecordedSurface> surfaces;
  uint64_t count = 0;
  if (!unpacker.take(count)) return broken;
  int64_t first = 0;
  for (uint64_t k = 0; k < count; ++k) {
    RecordedSurface surface;
    uint64_t points = 0, vertices = 0, triangles = 0, materials = 0;
    if (!unpacker.take_text(surface.name) || !unpacker.take_text(surface.file) || !unpacker.take(points) ||
        !unpacker.take(vertices) || !unpacker.take(triangles) || !unpacker.take_all(surface.vertices, vertices) ||
        !unpacker.take_all(surface.rest, points) || !unpacker.take_all(surface.triangles, triangles) ||
        !unpacker.take(materials) || !unpacker.take_all(surface.materials, materials) ||
        (vertices != 0 && vertices != points) || (materials != 0 && materials != triangles) || points > INT32_MAX)
      return broken;
    surface.point_count = static_cast<int32_t>(points);
    for (const Triangle& triangle : surface.triangles)
      for (const int32_t v : triangle)
        if (v < 0 || v >= surface.point_count) return broken;
    surface.first = static_cast<int32_t>(first);
    first += surface.point_count;
    if (first > INT32_MAX) return broken;
    surfaces.push_back(std::move(surface));
  }
  if (!unpacker.at_end()) return broken;
  return surfaces;
}

template <class T>
Status save_surface_frame(const fs::path& path, const SurfaceFrameOf<T>& frame) {
  SINEW_ASSERT(frame.strain.size() == frame.positions.size());
  SINEW_ASSERT(frame.residual.empty() || frame.residual.size() == frame.positions.size());
  SINEW_ASSERT(frame.von_mises.empty() || frame.von_mises.size() == frame.positions.size());
  const std::string head =
      Packer()
          .put(FrameHead{frame.frame, frame.time, frame.step, frame.positions.size(), frame.residual.size(),
                         frame.von_mises.size(), sizeof(T), frame.collider_points.size(), frame.collider_planes.size()})
          .take();
  const std::string_view parts[] = {head,
                                    bytes_of(frame.positions),
                                    bytes_of(frame.strain),
                                    bytes_of(frame.residual),
                                    bytes_of(frame.von_mises),
                                    bytes_of(frame.collider_points),
                                    bytes_of(frame.collider_planes)};
  return write_envelope(path, kFrameKind, parts);
}
template Status save_surface_frame(const fs::path& path, const SurfaceFrameOf<float>& frame);
template Status save_surface_frame(const fs::path& path, const SurfaceFrameOf<double>& frame);

namespace {

// The data after the header, in either precision.
template <class T>
bool take_values(Unpacker& unpacker, const FrameHead& head, SurfaceFrame& frame) {
  SurfaceFrameOf<T> stored;
  if (!unpacker.take_all(stored.positions, head.points) || !unpacker.take_all(stored.strain, head.points) ||
      !unpacker.take_all(stored.residual, head.residuals) || !unpacker.take_all(stored.von_mises, head.stresses) ||
      !unpacker.take_all(stored.collider_points, head.collider_points) ||
      !unpacker.take_all(frame.collider_planes, head.collider_planes) || !unpacker.at_end())
    return false;
  if constexpr (std::is_same_v<T, double>) {
    frame.positions = std::move(stored.positions);
    frame.strain = std::move(stored.strain);
    frame.residual = std::move(stored.residual);
    frame.von_mises = std::move(stored.von_mises);
    frame.collider_points = std::move(stored.collider_points);
  } else {
    for (const Vec3<T>& p : stored.positions) frame.positions.push_back({p.x, p.y, p.z});
    for (const Vec3<T>& p : stored.collider_points) frame.collider_points.push_back({p.x, p.y, p.z});
    frame.strain.assign(stored.strain.begin(), stored.strain.end());
    frame.residual.assign(stored.residual.begin(), stored.residual.end());
    frame.von_mises.assign(stored.von_mises.begin(), stored.von_mises.end());
  }
  return true;
}

}  // namespace

Result<SurfaceFrame> load_surface_frame(const fs::path& path, size_t point_count) {
  const Result<std::string> file = read_file(path);
  if (!file) return file.error();
  const Result<std::string_view> payload = open_envelope(*file, kFrameKind, path.string(), kRunAgain);
  if (!payload) return payload.error();

  Unpacker unpacker(*payload);
  FrameHead head{};
  const bool has_head = unpacker.take(head);
  if (has_head && head.points != point_count)
    return Error{path.string(),
                 format("has %llu points; the surfaces of the run have %zu",
                        static_cast<unsigned long long>(head.points), point_count),
                 kRunAgain};
  SurfaceFrame frame;
  frame.frame = head.frame;
  frame.time = head.time;
  frame.step = head.step;
  const bool in_double = head.bytes_of_number == sizeof(double),
             known = in_double || head.bytes_of_number == sizeof(float);
  if (!has_head || !known || (head.residuals != 0 && head.residuals != head.points) ||
      (head.stresses != 0 && head.stresses != head.points) ||
      !(in_double ? take_values<double>(unpacker, head, frame) : take_values<float>(unpacker, head, frame)))
    return Error{path.string(), "is damaged: its content is not that of a surface frame", kRunAgain};
  return frame;
}

Result<double> load_frame_time(const fs::path& path, size_t point_count) {
  const Error broken{path.string(), "is missing or not whole", kRunAgain};
  std::ifstream stream(path, std::ios::binary);
  char bytes[envelope_size + sizeof(FrameHead)];
  if (!stream.read(bytes, sizeof bytes) || std::string_view(bytes, 8) != kFrameKind.magic) return broken;
  FrameHead head{};
  std::memcpy(&head, bytes + envelope_size, sizeof head);
  std::error_code code;
  const uintmax_t size = fs::file_size(path, code);
  // Three coordinates and the strain of each point.
  const uintmax_t numbers = 4 * point_count + head.residuals + head.stresses + 3 * head.collider_points;
  const uintmax_t expected =
      sizeof bytes + numbers * head.bytes_of_number + head.collider_planes * sizeof(RecordedPlane);
  if (code || head.points != point_count || size != expected) return broken;
  return head.time;
}

}  // namespace sinew
