// Paths are traced in packets of 16 samples of one pixel: all of them start alike, so that one walk through Embree's
// hierarchy serves them all.
#include "render/path_tracer.h"

#include <embree3/rtcore.h>

#include <array>
#include <cmath>
#include <string>

#include "render/parallel_rows.h"
#include "render/sampler.h"
#include "render/sky.h"
#include "render/vector.h"

namespace sinew {
namespace {

constexpr int lanes = 16;
constexpr float far_away = 1e30f;

// Each use of random numbers has its own pair of dimensions.
enum Dimension : uint32_t { on_pixel, on_lamp, on_hemisphere, on_choice, per_bounce };

// A point where a path meets a surface.
struct Point {
  Vec3f position, normal, geometric;
  Vec3f albedo;
  Vec3f to_eye;
  float kept;  // share of the surface against the backdrop the ground fades into
  bool ground;
};

Vec3f disc(SamplePair s) {
  // Concentric map: P. Shirley and K. Chiu, 1997. Polynomials, so that no library's sine decides a pixel.
  const float a = 2 * s.u - 1, b = 2 * s.v - 1;
  const bool wide = std::abs(a) > std::abs(b);
  const float radius = wide ? a : b, ratio = radius != 0 ? (wide ? b : a) / radius : 0;
  const float phi = 0.785398163f * ratio, p2 = phi * phi;
  const float sine = phi * (1 - p2 * (1 / 6.0f - p2 * (1 / 120.0f - p2 / 5040)));
  const float cosine = 1 - p2 * (0.5f - p2 * (1 / 24.0f - p2 / 720));
  return wide ? Vec3f{radius * cosine, radius * sine, radius * radius}
              : Vec3f{radius * sine, radius * cosine, radius * radius};
}

SINEW_INLINE Vec3f on_cosine(const Basis& basis, SamplePair s) {
  const Vec3f d = disc(s);
  return to_world(basis, {d.x, d.y, std::sqrt(std::max(0.0f, 1 - d.z))});
}

SINEW_INLINE float schlick(float cosine) {
  const float m = 1 - cosine, m2 = m * m;
  return 0.04f + 0.96f * m2 * m2 * m;
}

class EmbreeTracer final : public PathTracer {
 public:
  explicit EmbreeTracer(RTCDevice device) : device_(device) {}
  ~EmbreeTracer() override { rtcReleaseDevice(device_); }
  EmbreeTracer(const EmbreeTracer&) = delete;
  EmbreeTracer& operator=(const EmbreeTracer&) = delete;

  Status trace(const SurfaceSoup& soup, Vec3f up, const Camera& camera, const RenderOptions& options, ThreadPool& pool,
               FrameBuffer& frame) override;

 private:
  RTCDevice device_;
};

// One frame's constants and the work on one pixel.
class Frame {
 public:
  Frame(RTCScene scene, const SurfaceSoup& soup, Vec3f up, const Camera& camera, const RenderOptions& options)
      : scene_(scene),
        soup_(soup),
        options_(options),
        eye_(narrow(camera.eye)),
        forward_(normalised(narrow(camera.target - camera.eye))),
        studio_(options.light, up, forward_),
        colours_(colour_table(options.colour_map)) {
    right_ = normalised(cross(forward_, narrow(camera.up)));
    above_ = cross(right_, forward_);
    const auto slope = static_cast<float>(std::tan(camera.vertical_fov_degrees * M_PI / 360));
    pixel_ = 2 * slope / static_cast<float>(options.height);

    const Vec3d diagonal = soup.bounds.high - soup.bounds.low;
    radius_ = static_cast<float>(0.5 * std::sqrt(dot(diagonal, diagonal)));
    centre_ = narrow(0.5 * (soup.bounds.low + soup.bounds.high));
    radius_ = std::max(radius_, 1e-6f * length(centre_ - eye_));
    skin_ = 2e-5f * radius_ + 1e-6f * std::max(length(centre_), length(eye_));

    lamp_ = basis_around(studio_.key_direction);
    const Vec3d up_exact{up.x, up.y, up.z};
    const double lowest = soup.bounds.lowest(up_exact);
    ground_height_ = static_cast<float>(options.ground_height.value_or(lowest - 1e-3 * radius_));
    ground_basis_ = basis_around(up);
    measure_sky();
  }

  void trace(int x, int y, FrameBuffer& frame) const;

 private:
  struct Packet {
    alignas(64) RTCRayHit16 rays;
    alignas(64) int valid[lanes];
  };
  struct Sums {
    Vec3f diffuse{0, 0, 0}, specular{0, 0, 0}, albedo{0, 0, 0}, backdrop{0, 0, 0}, normal{0, 0, 0};
    float distance = 0, covered = 0, luminance = 0, squared = 0;
  };

  void measure_sky();
  Vec3f backdrop(int x, int y) const;
  void trace_packet(int x, int y, const PixelSampler& sampler, uint32_t first, int count, Sums& sums) const;
  bool find(const RTCRayHit16& rays, int k, bool primary, Point& point) const;
  void surface(const RTCRayHit16& rays, int k, bool primary, Point& point) const;

  void set_ray(RTCRay16& rays, int k, Vec3f origin, Vec3f direction, float start) const {
    rays.org_x[k] = origin.x;
    rays.org_y[k] = origin.y;
    rays.org_z[k] = origin.z;
    rays.dir_x[k] = direction.x;
    rays.dir_y[k] = direction.y;
    rays.dir_z[k] = direction.z;
    rays.tnear[k] = start;
    rays.tfar[k] = far_away;
    rays.time[k] = 0;
    rays.mask[k] = ~0u;
    rays.id[k] = 0;
    rays.flags[k] = 0;
  }
  static Vec3f direction(const RTCRay16& rays, int k) { return {rays.dir_x[k], rays.dir_y[k], rays.dir_z[k]}; }
  static Vec3f origin(const RTCRay16& rays, int k) { return {rays.org_x[k], rays.org_y[k], rays.org_z[k]}; }

  RTCScene scene_;
  const SurfaceSoup& soup_;
  const RenderOptions& options_;
  Vec3f eye_, forward_, right_{}, above_{};
  Studio studio_;
  std::array<Vec3f, 257> colours_;
  float pixel_, radius_, skin_, ground_height_;
  Vec3f centre_{};
  Basis lamp_{}, ground_basis_{};
  Vec3f ground_albedo_{}, ambient_{};
};

// How bright a white, unshadowed ground is, and the dome on average. The ground's reflectance follows from the colour
// it is to be seen in.
void Frame::measure_sky() {
  Vec3f irradiance{0, 0, 0}, mean{0, 0, 0};
  constexpr int n = 32;
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
      const SamplePair s{(static_cast<float>(i) + 0.5f) / n, (static_cast<float>(k) + 0.5f) / n};
      const Vec3f d = on_cosine(ground_basis_, s);
      irradiance += studio_.sky(d);
      mean += studio_.sky(d) + studio_.sky(-d);
    }
  }
  irradiance = (1.0f / (n * n)) * irradiance;
  ambient_ = (0.5f / (n * n)) * mean;
  irradiance += std::max(0.0f, dot(studio_.up, studio_.key_direction)) * studio_.key;
  const auto share = [](float colour, float light) { return light > 0 ? std::min(colour / light, 1.0f) : 0.0f; };
  const Vec3f c = options_.ground_colour;
  ground_albedo_ = {share(c.x, irradiance.x), share(c.y, irradiance.y), share(c.z, irradiance.z)};
}

// A gradient from bottom to top of the picture, a little darker in the corners.
Vec3f Frame::backdrop(int x, int y) const {
  const float u = (static_cast<float>(x) + 0.5f) / static_cast<float>(options_.width);
  const float v = (static_cast<float>(y) + 0.5f) / static_cast<float>(options_.height);
  const Vec3f colour = mix(options_.background_top, options_.background_bottom, smoothstep(0.0f, 1.0f, v));
  const float du = u - 0.5f, dv = v - 0.5f;
  return (1 - 0.22f * (du * du + dv * dv)) * colour;
}

void Frame::surface(const RTCRayHit16& rays, int k, bool primary, Point& point) const {
  const uint32_t face = rays.hit.primID[k];
  const uint32_t* index = &soup_.indices[3 * size_t{face}];
  const float b1 = rays.hit.u[k], b2 = rays.hit.v[k], b0 = 1 - b1 - b2;
  const Vec3f p0 = soup_.positions[index[0]], p1 = soup_.positions[index[1]], p2 = soup_.positions[index[2]];
  const SurfaceSoup::Look& look = soup_.looks[soup_.look_of[face]];
  const Vec3f* n = &soup_.corner_normals[3 * size_t{face}];
  const Vec3f toward = direction(rays.ray, k);

  point.position = b0 * p0 + b1 * p1 + b2 * p2;
  point.to_eye = -toward;
  const Vec3f area = cross(p1 - p0, p2 - p0);
  point.geometric = normalised(area);
  // Surfaces have two sides.
  const float side = dot(point.geometric, toward) > 0 ? -1.0f : 1.0f;
  point.geometric = side * point.geometric;
  point.normal = point.geometric;
  if (look.smooth) {
    point.normal = normalised(side * (b0 * n[0] + b1 * n[1] + b2 * n[2]));
    // Light starts from the curved surface that the normals describe, not from the facet: J. Hanika, "Hacking the
    // Shadow Terminator", Ray Tracing Gems II, 2021.
    Vec3f lift{0, 0, 0};
    const Vec3f corner[3] = {p0, p1, p2};
    const float weight[3] = {b0, b1, b2};
    for (int c = 0; c < 3; ++c) {
      const float below = side * dot(point.position - corner[c], n[c]);
      if (below < 0) lift += (-weight[c] * below * side) * n[c];
    }
    point.position += lift;
    // At a silhouette an interpolated normal may look away.
    const float facing = dot(point.normal, point.to_eye);
    if (facing < 0.02f) point.normal = normalised(point.normal + (0.02f - facing) * point.to_eye);
  }
  point.ground = false;
  point.kept = 1;

  point.albedo = look.colour;
  if (look.by_value) {
    const float* value = &soup_.corner_values[3 * size_t{face}];
    const float t = 256 * (b0 * value[0] + b1 * value[1] + b2 * value[2]);
    const int cell = std::min(std::max(static_cast<int>(t), 0), 255);
    point.albedo = mix(colours_[cell], colours_[cell + 1], t - static_cast<float>(cell));
  }
  if (primary && options_.wireframe) {
    // Distance to each edge in pixels, drawn as ink on the surface; where faces shrink to a few pixels it thins out.
    const float footprint = pixel_ * std::max(rays.ray.tfar[k], 1e-20f);
    const float doubled = length(area);
    const Vec3f edges[3] = {p2 - p1, p0 - p2, p1 - p0};
    const float weight[3] = {b0, b1, b2};
    float ink = 0;
    for (int c = 0; c < 3; ++c) {
      const float height = doubled / std::max(length(edges[c]), 1e-20f) / footprint;
      const float line =
          1 - smoothstep(0.5f * options_.wire_width - 0.3f, 0.5f * options_.wire_width + 0.3f, weight[c] * height);
      ink = std::max(ink, line * smoothstep(1.5f, 7.0f, height));
    }
    point.albedo = (1 - 0.78f * ink) * point.albedo;
  }
}

// What the ray meets first: a triangle, the ground, or nothing.
bool Frame::find(const RTCRayHit16& rays, int k, bool primary, Point& point) const {
  if (options_.ground) {
    const Vec3f o = origin(rays.ray, k), d = direction(rays.ray, k);
    const float fall = -dot(d, studio_.up);
    const float t = fall > 1e-6f ? (dot(o, studio_.up) - ground_height_) / fall : -1.0f;
    if (t > 0 && t < rays.ray.tfar[k]) {
      point.position = o + t * d;
      point.normal = point.geometric = studio_.up;
      point.albedo = ground_albedo_;
      point.to_eye = -d;
      point.ground = true;
      point.kept = 1;
      if (primary) {
        const Vec3f away = point.position - centre_;
        point.kept = 1 - smoothstep(2.2f * radius_, 9.0f * radius_, length(away - dot(away, studio_.up) * studio_.up));
        return point.kept > 0;
      }
      return true;
    }
  }
  if (rays.hit.geomID[k] == RTC_INVALID_GEOMETRY_ID) return false;
  surface(rays, k, primary, point);
  return true;
}

void Frame::trace_packet(int x, int y, const PixelSampler& sampler, uint32_t first, int count, Sums& sums) const {
  Packet eye, next, shadow;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;

  // From the eye through the pixel, with a tent of weight that reaches a little into the neighbours.
  for (int k = 0; k < lanes; ++k) {
    eye.valid[k] = k < count ? -1 : 0;
    const SamplePair s = sampler.pair(first + k, on_pixel);
    const auto tent = [](float u) { return u < 0.5f ? std::sqrt(2 * u) - 1 : 1 - std::sqrt(2 - 2 * u); };
    const float px = static_cast<float>(x) + 0.5f + 0.85f * tent(s.u) - 0.5f * static_cast<float>(options_.width);
    const float py = 0.5f * static_cast<float>(options_.height) - static_cast<float>(y) - 0.5f - 0.85f * tent(s.v);
    set_ray(eye.rays.ray, k, eye_, normalised(forward_ + pixel_ * px * right_ + pixel_ * py * above_), 0);
    eye.rays.hit.geomID[k] = RTC_INVALID_GEOMETRY_ID;
    eye.rays.hit.instID[0][k] = RTC_INVALID_GEOMETRY_ID;
  }
  rtcIntersect16(eye.valid, scene_, &context, &eye.rays);

  const Vec3f behind = backdrop(x, y);
  Point point[lanes];
  bool alive[lanes], glossy[lanes];
  Vec3f weight[lanes], light[lanes], gloss[lanes], lamp_light[lanes], lamp_gloss[lanes];
  bool any = false;
  for (int k = 0; k < count; ++k) {
    alive[k] = find(eye.rays, k, true, point[k]);
    light[k] = gloss[k] = {0, 0, 0};
    weight[k] = {1, 1, 1};
    glossy[k] = false;
    if (!alive[k]) {
      sums.backdrop += behind;
      continue;
    }
    any = true;
    sums.backdrop += (1 - point[k].kept) * behind;
    sums.albedo += point[k].kept * point[k].albedo;
    sums.normal += point[k].normal;
    sums.distance += length(point[k].position - eye_);
    sums.covered += 1;
  }
  if (!any) return;

  const float alpha = options_.roughness * options_.roughness;
  for (int bounce = 0;; ++bounce) {
    const uint32_t dimension = static_cast<uint32_t>(bounce) * per_bounce;
    const bool first_hit = bounce == 0, last = bounce == options_.bounces;

    // Light straight from the lamp: one point on it for each path.
    bool lit = false;
    for (int k = 0; k < lanes; ++k) {
      shadow.valid[k] = 0;
      if (k >= count || !alive[k]) continue;
      const Point& p = point[k];
      const Vec3f on = disc(sampler.pair(first + k, dimension + on_lamp));
      const Vec3f to_lamp = normalised(lamp_.n + studio_.key_slope * (on.x * lamp_.t + on.y * lamp_.b));
      const float cosine = dot(p.normal, to_lamp);
      if (!(cosine > 0)) continue;
      const bool shiny = first_hit && !p.ground && options_.gloss > 0;
      const float facing = std::max(dot(p.normal, p.to_eye), 1e-3f);
      lamp_light[k] = cosine * studio_.key;
      lamp_gloss[k] = {0, 0, 0};
      if (shiny) {
        // Microfacets: B. Walter et al., 2007; D times the visibility term of the Smith model.
        lamp_light[k] = (1 - options_.gloss * schlick(facing)) * lamp_light[k];
        const Vec3f half = normalised(to_lamp + p.to_eye);
        const float nh = dot(p.normal, half), a2 = alpha * alpha, d = nh * nh * (a2 - 1) + 1;
        const float visible = 0.5f / (cosine * std::sqrt(a2 + (1 - a2) * facing * facing) +
                                      facing * std::sqrt(a2 + (1 - a2) * cosine * cosine));
        const float f = options_.gloss * schlick(std::max(dot(half, to_lamp), 0.0f)) * a2 / (d * d) * visible * cosine;
        lamp_gloss[k] = f * studio_.key;
      }
      set_ray(shadow.rays.ray, k, p.position + skin_ * p.geometric, to_lamp, 0);
      shadow.valid[k] = -1;
      lit = true;
    }
    context.flags = first_hit ? RTC_INTERSECT_CONTEXT_FLAG_COHERENT : RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
    if (lit) rtcOccluded16(shadow.valid, scene_, &context, &shadow.rays.ray);
    for (int k = 0; k < count; ++k) {
      if (!shadow.valid[k] || shadow.rays.ray.tfar[k] < 0) continue;
      // At the first hit colour is left out, to be multiplied in after denoising.
      if (first_hit) {
        light[k] += lamp_light[k];
        gloss[k] += lamp_gloss[k];
      } else {
        (glossy[k] ? gloss : light)[k] += multiply(weight[k], multiply(point[k].albedo, lamp_light[k]));
      }
    }
    if (last) {
      // The rest of the light, as if it came from everywhere alike.
      for (int k = 0; k < count; ++k) {
        if (!alive[k]) continue;
        const Vec3f rest = 0.6f * ambient_;
        if (first_hit)
          light[k] += rest;
        else
          (glossy[k] ? gloss : light)[k] += multiply(weight[k], multiply(point[k].albedo, rest));
      }
      break;
    }

    // And on to the next surface.
    any = false;
    for (int k = 0; k < lanes; ++k) {
      next.valid[k] = 0;
      if (k >= count || !alive[k]) continue;
      const Point& p = point[k];
      const SamplePair s = sampler.pair(first + k, dimension + on_hemisphere);
      const Basis around = p.ground ? ground_basis_ : basis_around(p.normal);
      Vec3f d;
      if (first_hit && !p.ground && options_.gloss > 0) {
        // Either the gloss or the colour below it, by the share they have.
        const float facing = std::max(dot(p.normal, p.to_eye), 1e-3f), fresnel = options_.gloss * schlick(facing);
        const float chance = std::min(std::max(fresnel / (fresnel + (1 - fresnel) * 0.6f), 0.1f), 0.9f);
        if (sampler.pair(first + k, dimension + on_choice).u < chance) {
          // Visible normals: J. Dupuy and A. Benyoub, "Sampling Visible GGX Normals with Spherical Caps", 2023.
          const Vec3f v{dot(around.t, p.to_eye), dot(around.b, p.to_eye), facing};
          const Vec3f stretched = normalised(Vec3f{alpha * v.x, alpha * v.y, v.z});
          const Vec3f on = disc(s);
          const float z = (1 - on.z) * (1 + stretched.z) - stretched.z;
          const float ring = on.z > 0 ? std::sqrt(std::max(0.0f, 1 - z * z) / on.z) : 0.0f;
          const Vec3f cap = Vec3f{ring * on.x, ring * on.y, z} + stretched;
          const Vec3f half = normalised(Vec3f{alpha * cap.x, alpha * cap.y, cap.z});
          const float vh = std::max(dot(v, half), 0.0f);
          const Vec3f local = 2 * vh * half - v;
          if (!(local.z > 0)) {
            alive[k] = false;
            continue;
          }
          const float a2 = alpha * alpha;
          const float masking = 2 * local.z / (local.z + std::sqrt(a2 + (1 - a2) * local.z * local.z));
          const float w = options_.gloss * schlick(vh) * masking / chance;
          weight[k] = {w, w, w};
          glossy[k] = true;
          d = to_world(around, local);
        } else {
          const float w = (1 - fresnel) / (1 - chance);
          weight[k] = {w, w, w};
          d = on_cosine(around, s);
        }
      } else {
        if (!first_hit) weight[k] = multiply(weight[k], p.albedo);
        d = on_cosine(around, s);
      }
      set_ray(next.rays.ray, k, p.position + skin_ * p.geometric, d, 0);
      next.rays.hit.geomID[k] = RTC_INVALID_GEOMETRY_ID;
      next.rays.hit.instID[0][k] = RTC_INVALID_GEOMETRY_ID;
      next.valid[k] = -1;
      any = true;
    }
    if (!any) break;
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
    rtcIntersect16(next.valid, scene_, &context, &next.rays);
    any = false;
    for (int k = 0; k < count; ++k) {
      if (!next.valid[k]) continue;
      alive[k] = find(next.rays, k, false, point[k]);
      any |= alive[k];
      if (!alive[k]) (glossy[k] ? gloss : light)[k] += multiply(weight[k], studio_.sky(direction(next.rays.ray, k)));
    }
    if (!any) break;
  }

  for (int k = 0; k < count; ++k) {
    if (eye.rays.hit.geomID[k] == RTC_INVALID_GEOMETRY_ID && !options_.ground) continue;
    sums.diffuse += light[k];
    sums.specular += gloss[k];
    const float l = luminance(light[k] + gloss[k]);
    sums.luminance += l;
    sums.squared += l * l;
  }
}

void Frame::trace(int x, int y, FrameBuffer& frame) const {
  const PixelSampler sampler(x, y, options_.samples, options_.seed);
  Sums sums;
  int taken = 0;
  while (taken < options_.samples) {
    const int count = std::min(lanes, options_.samples - taken);
    trace_packet(x, y, sampler, static_cast<uint32_t>(taken), count, sums);
    taken += count;
    if (sums.covered == 0) break;
  }

  const size_t i = static_cast<size_t>(y) * frame.width + x;
  const auto store = [i](std::array<FrameBuffer::Plane, 3>& planes, Vec3f v) {
    planes[0][i] = v.x;
    planes[1][i] = v.y;
    planes[2][i] = v.z;
  };
  const float n = static_cast<float>(taken);
  const float covered = std::max(sums.covered, 1.0f);
  store(frame.diffuse, (1 / covered) * sums.diffuse);
  store(frame.specular, (1 / n) * sums.specular);
  store(frame.albedo, (1 / n) * sums.albedo);
  store(frame.backdrop, (1 / n) * sums.backdrop);
  store(frame.normal, normalised(sums.normal));
  const float px = static_cast<float>(x) + 0.5f - 0.5f * static_cast<float>(options_.width);
  const float py = 0.5f * static_cast<float>(options_.height) - static_cast<float>(y) - 0.5f;
  const Vec3f d = normalised(forward_ + pixel_ * px * right_ + pixel_ * py * above_);
  store(frame.position, eye_ + (sums.distance / covered) * d);
  const float mean = sums.luminance / covered;
  frame.variance[i] = std::max(0.0f, sums.squared / covered - mean * mean) / covered;
  frame.coverage[i] = sums.covered / n;
}

Status EmbreeTracer::trace(const SurfaceSoup& soup, Vec3f up, const Camera& camera, const RenderOptions& options,
                           ThreadPool& pool, FrameBuffer& frame) {
  // The whole scene is one geometry, rebuilt for every frame: that takes a small part of the time of tracing it.
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

  frame.resize(options.width, options.height);
  const Frame constants(scene, soup, up, camera, options);
  parallel_rows(pool, options.height, [&](int y) {
    for (int x = 0; x < options.width; ++x) constants.trace(x, y, frame);
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
