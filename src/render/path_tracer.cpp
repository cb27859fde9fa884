#include "render/path_tracer.h"

#include <embree3/rtcore.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "render/kernels.h"
#include "render/parallel_rows.h"

namespace sinew {
namespace {

class EmbreeTracer final : public PathTracer {
 public:
  explicit EmbreeTracer(RTCDevice device) : device_(device) {}
  ~EmbreeTracer() override { rtcReleaseDevice(device_); }
  EmbreeTracer(const EmbreeTracer&) = delete;
  EmbreeTracer& operator=(const EmbreeTracer&) = delete;

  Status trace(const SurfaceSoup& soup, Vec3f up, const Camera& camera, const RenderOptions& options,
               const PictureKernels& kernels, ThreadPool& pool, FrameBuffer& frame) override;

 private:
  RTCDevice device_;
};

// The light on a white, unshadowed ground, and of the dome on average. The ground's reflectance follows from its
// requested apparent colour.
void measure_light(PathFrame& f, Vec3f ground_color) {
  Vec3f irradiance{0, 0, 0}, mean{0, 0, 0};
  const Vec3f around = f.studio.up;
  const Frames frames = frames_around(all(around));
  constexpr int n = 16;
  Floats v{};
  for (int k = 0; k < packet_size; ++k) v[k] = (static_cast<float>(k) + 0.5f) / packet_size;
  for (int i = 0; i < n; ++i) {
    const Vectors d = on_hemisphere(frames, all((static_cast<float>(i) + 0.5f) / n), v);
    irradiance += (1.0f / (n * packet_size)) * sum(sky(f.studio, d));
    mean += (0.5f / (n * packet_size)) * (sum(sky(f.studio, d)) + sum(sky(f.studio, -d)));
  }
  f.ambient = mean;
  irradiance += std::max(0.0f, dot(f.studio.up, f.studio.lamp.n)) * f.studio.key;
  const auto share = [](float color, float light) { return light > 0 ? std::min(color / light, 1.0f) : 0.0f; };
  f.ground_albedo = {share(ground_color.x, irradiance.x), share(ground_color.y, irradiance.y),
                     share(ground_color.z, irradiance.z)};
}

PathFrame prepare(const SurfaceSoup& soup, Vec3f up, const Camera& camera, const RenderOptions& options,
                  FrameBuffer& frame) {
  PathFrame f{};
  f.positions = soup.positions.data();
  f.indices = soup.indices.data();
  f.look_of = soup.look_of.data();
  f.looks = soup.looks.data();
  f.corner_normals = soup.corner_normals.data();
  f.corner_values = soup.corner_values.data();

  f.width = options.width;
  f.height = options.height;
  f.samples = options.samples;
  f.bounces = options.bounces;
  f.seed = options.seed;
  f.eye = narrow(camera.eye);
  const Vec3d view = camera.target - camera.eye;
  f.forward = narrow((1 / std::sqrt(dot(view, view))) * view);
  f.right = normalised(cross(f.forward, narrow((1 / std::sqrt(dot(camera.up, camera.up))) * camera.up)));
  f.above = cross(f.right, f.forward);
  f.pixel = static_cast<float>(2 * std::tan(camera.vertical_fov_degrees * M_PI / 360) / options.height);

  // The ground fades by the camera's view, not by the scene, which changes between frames of a film.
  f.target = narrow(camera.target);
  const double shape = static_cast<double>(options.width) / options.height;
  f.view = 0.5f * f.pixel * static_cast<float>(options.height) *
           static_cast<float>(std::max(1.0, shape) * std::sqrt(dot(view, view)));

  const Vec3d diagonal = soup.bounds.high - soup.bounds.low;
  const float radius = static_cast<float>(0.5 * std::sqrt(dot(diagonal, diagonal)));
  f.skin = 2e-5f * radius + 1e-6f * std::max(length(narrow(soup.bounds.low)), length(f.eye));

  f.studio = make_studio(options.light, up, f.forward);
  f.ground = options.ground;
  // By default slightly below the lowest point, so that nothing lies in the same plane.
  const double lowest = soup.bounds.lowest({up.x, up.y, up.z});
  f.ground_height = static_cast<float>(options.ground_height.value_or(lowest - 1e-3 * radius));
  measure_light(f, options.ground_color);
  f.square = static_cast<float>(options.ground_square);
  f.square_contrast = options.ground_contrast;
  const Basis level = basis_around(up);
  f.square_t = level.t;
  f.square_b = level.b;
  f.background_top = options.background_top;
  f.background_bottom = options.background_bottom;
  f.gloss = options.gloss;
  f.roughness = options.roughness;
  f.wireframe = options.wireframe;
  f.wire_width = options.wire_width;

  const auto point_to = [](float*(&to)[3], std::array<FrameBuffer::Plane, 3>& planes) {
    for (int c = 0; c < 3; ++c) to[c] = planes[c].data();
  };
  frame.resize(options.width, options.height);
  point_to(f.diffuse, frame.diffuse);
  point_to(f.specular, frame.specular);
  point_to(f.albedo, frame.albedo);
  point_to(f.backdrop, frame.backdrop);
  point_to(f.normal, frame.normal);
  point_to(f.position, frame.position);
  f.variance = frame.variance.data();
  f.coverage = frame.coverage.data();
  return f;
}

Status EmbreeTracer::trace(const SurfaceSoup& soup, Vec3f up, const Camera& camera, const RenderOptions& options,
                           const PictureKernels& kernels, ThreadPool& pool, FrameBuffer& frame) {
  // The whole scene is one geometry, rebuilt for every frame: that takes little time compared with tracing.
  RTCScene scene = rtcNewScene(device_);
  RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
  rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, soup.positions.data(), 0,
                             sizeof(Vec3f), soup.positions.size() - 1);
  rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, soup.indices.data(), 0,
                             3 * sizeof(uint32_t), soup.indices.size() / 3);
  rtcCommitGeometry(geometry);
  rtcAttachGeometry(scene, geometry);
  rtcReleaseGeometry(geometry);
  rtcCommitScene(scene);
  if (const RTCError error = rtcGetDeviceError(device_); error != RTC_ERROR_NONE) {
    rtcReleaseScene(scene);
    return Error{"picture",
                 error == RTC_ERROR_OUT_OF_MEMORY ? "out of memory for the scene's ray tracing hierarchy"
                                                  : "the ray tracing library failed to take the scene",
                 ""};
  }

  PathFrame f = prepare(soup, up, camera, options, frame);
  const std::array<Vec3f, 257> colors = color_table(options.color_map);
  f.colors = colors.data();
  f.scene = scene;
  parallel_rows(pool, (options.height + 1) / 2, [&](int pair) {
    if (!is_interrupted(options)) kernels.trace_rows(f, 2 * pair);
  });
  rtcReleaseScene(scene);
  return {};
}

}  // namespace

Result<std::unique_ptr<PathTracer>> PathTracer::create() {
  // One thread builds the hierarchy: with several its order, and with it the choice between two triangles hit at a
  // shared edge, could vary.
  RTCDevice device = rtcNewDevice("threads=1,set_affinity=0");
  if (!device) return Error{"picture", "the ray tracing library Embree did not start on this processor", ""};
  return std::unique_ptr<PathTracer>(std::make_unique<EmbreeTracer>(device));
}

}  // namespace sinew
