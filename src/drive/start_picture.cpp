#include "drive/start_picture.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "compile/contact_start.h"
#include "math/bounds.h"
#include "render/color_map.h"
#include "render/png.h"
#include "render/render.h"

namespace sinew {

namespace {

// The camera sees so many times the size of what intersects, and at least this share of the whole scene.
constexpr double around_meeting = 3, least_share = 0.12;
constexpr int least_width = 960, least_height = 540;  // [px] of larger pictures the scene's own
constexpr Vec3f red{0.9f, 0.02f, 0.02f};
constexpr float grey = 0.55f;

Vec3f linear(const Real3& color) {
  const auto of = [&](size_t c) { return linear_from_srgb(static_cast<float>(color[c])); };
  return {of(0), of(1), of(2)};
}

class StartPicture {
 public:
  StartPicture(const Scene& scene, CompiledScene& compiled, ThreadPool& pool)
      : scene_(scene), compiled_(compiled), view_(view_start(scene, compiled, pool)) {
    up_ = scene.up == UpAxis::z ? Vec3d{0, 0, 1} : Vec3d{0, 1, 0};
    for (const Vec3d& x : compiled.model.order.to_user(compiled.start.x)) all_.add(x);
    if (!all_.empty()) origin_ = 0.5 * (all_.low + all_.high);
  }

  Status draw(const std::filesystem::path& file) {
    add_objects();
    add_colliders();
    const double aspect = static_cast<double>(least_width) / least_height;
    FitOptions fit = default_view(up_, aspect);
    const Result<Camera> camera = fit_camera(in_view(), fit);
    if (!camera) return camera.error();
    RenderOptions options;
    options.width = std::max(least_width, scene_.render.width);
    options.height = options.width * least_height / least_width;
    options.ground = scene_.render.ground;
    if (const std::optional<double> height = floor_height()) options.ground_height = *height;
    options.caption = outlined_ ? "red: what intersects at the start" : "the start: nothing intersects";
    const Result<Image> image = render(shown_, *camera, options);
    if (!image) return image.error();
    return write_png(file.string(), *image);
  }

 private:
  Vec3f seen(Vec3d p) const {
    const Vec3d d = p - origin_;
    return {static_cast<float>(d.x), static_cast<float>(d.y), static_cast<float>(d.z)};
  }

  // Where the camera looks, relative to the origin.
  Bounds in_view() const {
    Bounds whole, view;
    whole.add(all_.low - origin_);
    whole.add(all_.high - origin_);
    if (first_.empty()) return whole;
    const Vec3d middle = 0.5 * (first_.low + first_.high) - origin_;
    const double half =
        0.5 * std::max(around_meeting * first_.diagonal(), least_share * all_.diagonal()) / std::sqrt(3.0);
    view.add(middle - Vec3d{half, half, half});
    view.add(middle + Vec3d{half, half, half});
    return view;
  }

  // Triangles that intersect are a mesh of their own.
  void add(const std::string& name, int object, std::optional<Vec3f> color, std::span<const Triangle> triangles,
           std::span<const Vec3d> points, std::span<const StartMark> marks) {
    RenderMesh rest, meeting;
    for (RenderMesh* const mesh : {&rest, &meeting}) {
      mesh->name = name;
      mesh->object = object;
      mesh->color = color;
      mesh->smooth = false;
      for (const Vec3d& p : points) mesh->positions.push_back(seen(p));
    }
    meeting.color = red;
    for (size_t t = 0; t < triangles.size(); ++t) {
      const StartMark mark = marks.empty() ? StartMark::none : marks[t];
      (mark == StartMark::none ? rest : meeting).triangles.push_back(triangles[t]);
      if (mark == StartMark::none) continue;
      outlined_ = true;
      for (size_t k = 0; k < 3; ++k) {
        const Vec3d a = points[static_cast<size_t>(triangles[t][k])];
        shown_.lines.push_back({seen(a), seen(points[static_cast<size_t>(triangles[t][(k + 1) % 3])]), red});
        if (mark == StartMark::first) first_.add(a);
      }
    }
    for (RenderMesh& mesh : {std::ref(rest), std::ref(meeting)})
      if (!mesh.triangles.empty()) shown_.meshes.push_back(std::move(mesh));
  }

  void add_objects() {
    const ContactSurface& surface = compiled_.contact_surface;
    const std::vector<Vec3d> points = compiled_.model.order.to_user(compiled_.start.x);
    size_t next = 0;  // triangle of the surface of contact, which has those of an object in their order or none of them
    for (size_t k = 0; k < compiled_.objects.size(); ++k) {
      const ObjectPart& part = compiled_.objects[k];
      std::span<const StartMark> marks;
      const auto of_object = [&](size_t t) {
        return t < surface.triangles.size() &&
               surface.bodies[static_cast<size_t>(surface.body_of[static_cast<size_t>(surface.triangles[t][0])])]
                       .object == static_cast<int32_t>(k);
      };
      if (of_object(next)) {
        marks = std::span(view_.marks).subspan(next, part.surface.size());
        next += part.surface.size();
      }
      std::vector<Triangle> triangles = part.surface;
      for (Triangle& t : triangles)
        for (int32_t& v : t) v -= part.first_vertex;
      const std::optional<Vec3f> color = part.color ? std::optional(linear(*part.color)) : std::nullopt;
      add(part.name, static_cast<int>(k), color, triangles,
          std::span(points).subspan(static_cast<size_t>(part.first_vertex),
                                    static_cast<size_t>(part.last_vertex - part.first_vertex)),
          marks);
    }
    first_of_colliders_ = next;
  }

  void add_colliders() {
    const ContactSurface& surface = compiled_.contact_surface;
    size_t next = first_of_colliders_;
    for (size_t k = 0; k < compiled_.colliders.size(); ++k) {
      const ColliderScript& script = compiled_.colliders[k];
      std::vector<Triangle> triangles;
      const size_t first = next;
      for (; next < surface.triangles.size() && surface.triangles[next][0] < script.last_point; ++next) {
        const Triangle& t = surface.triangles[next];
        triangles.push_back({t[0] - script.first_point, t[1] - script.first_point, t[2] - script.first_point});
      }
      if (triangles.empty()) continue;
      const ColliderPart& part = compiled_.collider_parts[k];
      add(part.name, 0, part.color ? linear(*part.color) : Vec3f{grey, grey, grey}, triangles,
          std::span(view_.points)
              .subspan(static_cast<size_t>(script.first_point),
                       static_cast<size_t>(script.last_point - script.first_point)),
          std::span(view_.marks).subspan(first, triangles.size()));
    }
  }

  std::optional<double> floor_height() const {
    std::optional<double> height;
    for (const ContactPlane& plane : view_.planes) {
      if (!(dot(plane.normal, up_) > 1 - 1e-9)) continue;
      const double own = dot(up_, plane.point - origin_);
      height = height ? std::max(*height, own) : own;
    }
    return height;
  }

  const Scene& scene_;
  CompiledScene& compiled_;
  const StartView view_;
  Vec3d up_{}, origin_{};
  Bounds all_, first_;  // of all bodies; of the first that intersect
  size_t first_of_colliders_ = 0;
  bool outlined_ = false;
  RenderScene shown_;
};

}  // namespace

Status draw_start(const Scene& scene, CompiledScene& compiled, const std::filesystem::path& file, ThreadPool& pool) {
  if (!render_available()) return check_picture({}, {}, {0, 1, 0});
  return StartPicture(scene, compiled, pool).draw(file);
}

}  // namespace sinew
