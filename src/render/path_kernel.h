// Paths are traced in packets of 16 samples of one pixel: all of them start alike, so that one walk through Embree's
// hierarchy serves them all, and shading works on all lanes at once.
#pragma once

#include <embree3/rtcore.h>

#include "render/kernels.h"
#include "render/sampler.h"

namespace sinew {
namespace {

constexpr float far_away = 1e30f;
// Within a packet, so many samples are always taken; more only where this share of the light is still uncertain.
constexpr float tolerated_noise = 0.05f;

// Each use of random numbers has its own pair of dimensions.
enum Dimension : uint32_t { on_pixel, on_lamp, on_dome, on_choice, per_bounce };

// Points where paths meet a surface.
struct Points {
  Vectors position, normal, geometric, albedo, to_eye;
  Floats kept;  // share of the surface against the backdrop the ground fades into
  Mask alive, object;
};

struct Sums {
  Vec3f diffuse{0, 0, 0}, specular{0, 0, 0}, albedo{0, 0, 0}, backdrop{0, 0, 0}, normal{0, 0, 0};
  float distance = 0, covered = 0, luminance = 0, squared = 0;
};

SINEW_INLINE float larger(float a, float b) {
  return a > b ? a : b;
}
SINEW_INLINE void put(Vectors& v, int k, Vec3f value) {
  v.x[k] = value.x;
  v.y[k] = value.y;
  v.z[k] = value.z;
}

// Fresnel's reflectance of plastic, held back at grazing angles as rough surfaces do.
template <class T>
SINEW_INLINE T fresnel(T cosine) {
  const T m = 1.0f - cosine, m2 = m * m;
  return 0.04f + 0.5f * m2 * m2 * m;
}

SINEW_INLINE void set_rays(RTCRay16& rays, Vectors origin, Vectors direction) {
  store(rays.org_x, origin.x);
  store(rays.org_y, origin.y);
  store(rays.org_z, origin.z);
  store(rays.dir_x, direction.x);
  store(rays.dir_y, direction.y);
  store(rays.dir_z, direction.z);
  store(rays.tnear, all(0));
  store(rays.tfar, all(far_away));
  store(rays.time, all(0));
  for (int k = 0; k < packet_size; ++k) {
    rays.mask[k] = ~0u;
    rays.id[k] = 0;
    rays.flags[k] = 0;
  }
}

SINEW_INLINE void intersect(const PathFrame& f, RTCRayHit16& rays, Mask valid, RTCIntersectContextFlags flags) {
  for (int k = 0; k < packet_size; ++k) rays.hit.geomID[k] = rays.hit.instID[0][k] = RTC_INVALID_GEOMETRY_ID;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  context.flags = flags;
  alignas(64) int active[packet_size];
  store<Mask>(active, valid);
  rtcIntersect16(active, f.scene, &context, &rays);
}

SINEW_INLINE Mask reaches_lamp(const PathFrame& f, RTCRay16& rays, Mask valid, RTCIntersectContextFlags flags) {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  context.flags = flags;
  alignas(64) int active[packet_size];
  store<Mask>(active, valid);
  rtcOccluded16(active, f.scene, &context, &rays);
  return valid & (load<Floats>(rays.tfar) > 0.0f);
}

// Normal, place and colour where lane k met its triangle.
void meet_triangle(const PathFrame& f, const RTCRayHit16& rays, int k, bool primary, Points& points) {
  const uint32_t face = rays.hit.primID[k];
  const uint32_t* index = f.indices + 3 * size_t{face};
  const float b1 = rays.hit.u[k], b2 = rays.hit.v[k], b0 = 1 - b1 - b2;
  const Vec3f p0 = f.positions[index[0]], p1 = f.positions[index[1]], p2 = f.positions[index[2]];
  const SurfaceSoup::Look& look = f.looks[f.look_of[face]];
  const Vec3f toward{rays.ray.dir_x[k], rays.ray.dir_y[k], rays.ray.dir_z[k]};

  Vec3f position = b0 * p0 + b1 * p1 + b2 * p2;
  const Vec3f area = cross(p1 - p0, p2 - p0);
  const float doubled = length(area);
  // Surfaces have two sides.
  const float side = dot(area, toward) > 0 ? -1.0f : 1.0f;
  const Vec3f geometric = (side / larger(doubled, 1e-35f)) * area;
  Vec3f normal = geometric;
  if (look.smooth) {
    const Vec3f* n = f.corner_normals + 3 * size_t{face};
    normal = normalised(side * (b0 * n[0] + b1 * n[1] + b2 * n[2]));
    // Light starts from the curved surface that the normals describe, not from the facet: J. Hanika, "Hacking the
    // Shadow Terminator", Ray Tracing Gems II, 2021.
    const Vec3f corner[3] = {p0, p1, p2};
    const float weight[3] = {b0, b1, b2};
    Vec3f lift{0, 0, 0};
    for (int c = 0; c < 3; ++c) {
      const float below = side * dot(position - corner[c], n[c]);
      if (below < 0) lift += (-weight[c] * below * side) * n[c];
    }
    position += lift;
    // At a silhouette an interpolated normal may look away.
    const float facing = -dot(normal, toward);
    if (facing < 0.02f) normal = normalised(normal - (0.02f - facing) * toward);
  }

  Vec3f albedo = look.color;
  if (look.by_value) {
    const float* value = f.corner_values + 3 * size_t{face};
    const float t = 256 * (b0 * value[0] + b1 * value[1] + b2 * value[2]);
    int cell = static_cast<int>(t);
    cell = cell < 0 ? 0 : cell > 255 ? 255 : cell;
    albedo = mix(f.colors[cell], f.colors[cell + 1], t - static_cast<float>(cell));
  }
  if (primary && f.wireframe) {
    // Distance to each edge in pixels, drawn as ink on the surface; where faces shrink to a few pixels it thins out.
    const float footprint = f.pixel * larger(rays.ray.tfar[k], 1e-20f);
    const Vec3f edges[3] = {p2 - p1, p0 - p2, p1 - p0};
    const float weight[3] = {b0, b1, b2};
    float ink = 0;
    for (int c = 0; c < 3; ++c) {
      const float height = doubled / larger(length(edges[c]), 1e-20f) / footprint, half = 0.5f * f.wire_width;
      ink =
          larger(ink, (1 - smoothstep(half - 0.3f, half + 0.3f, weight[c] * height)) * smoothstep(1.5f, 7.0f, height));
    }
    albedo = (1 - 0.75f * ink) * albedo;
  }

  put(points.position, k, position);
  put(points.geometric, k, geometric);
  put(points.normal, k, normal);
  put(points.albedo, k, albedo);
  points.kept[k] = 1;
}

// What the rays meet first: a triangle, the ground, or nothing.
SINEW_INLINE Points meet(const PathFrame& f, const RTCRayHit16& rays, Mask valid, bool primary) {
  Points points;
  const Vectors origin{load<Floats>(rays.ray.org_x), load<Floats>(rays.ray.org_y), load<Floats>(rays.ray.org_z)};
  const Vectors direction{load<Floats>(rays.ray.dir_x), load<Floats>(rays.ray.dir_y), load<Floats>(rays.ray.dir_z)};
  const Floats reach = load<Floats>(rays.ray.tfar);
  const Vectors up = all(f.studio.up);
  points.to_eye = -direction;
  points.normal = points.geometric = up;
  points.albedo = all(f.ground_albedo);
  points.kept = all(1);
  points.object = valid & (reach < far_away);
  points.alive = points.object;
  points.position = origin;
  if (f.ground) {
    const Floats fall = -dot(direction, up);
    const Floats t = (dot(origin, up) - f.ground_height) / select(fall > 1e-6f, fall, all(1));
    const Mask lands = valid & (fall > 1e-6f) & (t > 0.0f) & (t < reach);
    points.position = origin + t * direction;
    points.object = points.object & ~lands;
    if (primary) {
      const Vectors away = points.position - all(f.target);
      const Vectors level = away - dot(away, up) * up;
      points.kept = 1.0f - smoothstep(2.0f * f.view, 8.0f * f.view, root(dot(level, level)));
      points.alive = points.object | (lands & (points.kept > 0.0f));
    } else {
      points.alive = points.object | lands;
    }
  }
  for (int k = 0; k < packet_size; ++k)
    if (points.object[k]) meet_triangle(f, rays, k, primary, points);
  return points;
}

// A gradient from bottom to top of the picture, a little darker in the corners.
SINEW_INLINE Vec3f backdrop(const PathFrame& f, int x, int y) {
  const float u = (static_cast<float>(x) + 0.5f) / static_cast<float>(f.width) - 0.5f;
  const float v = (static_cast<float>(y) + 0.5f) / static_cast<float>(f.height);
  const Vec3f color = mix(f.background_top, f.background_bottom, smoothstep(0.0f, 1.0f, v));
  return (1 - 0.22f * (u * u + (v - 0.5f) * (v - 0.5f))) * color;
}

void trace_packet(const PathFrame& f, int x, int y, const PixelSampler& sampler, uint32_t first, int count,
                  Sums& sums) {
  // From the eye through the pixel, with a tent of weight that reaches a little into the neighbours.
  const Mask lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  const Mask valid = lane < count;
  RTCRayHit16 rays;
  {
    const SamplePairs s = sampler.pairs(first, on_pixel);
    const auto tent = [](Floats u) {
      const Floats rising = u < 0.5f ? 2.0f * u : 2.0f - 2.0f * u, r = root(rising);
      return select(u < 0.5f, r - 1.0f, 1.0f - r);
    };
    const float px = static_cast<float>(x) + 0.5f - 0.5f * static_cast<float>(f.width);
    const float py = 0.5f * static_cast<float>(f.height) - static_cast<float>(y) - 0.5f;
    const Vectors d = all(f.forward) + (f.pixel * (px + 0.85f * tent(s.u))) * all(f.right) +
                      (f.pixel * (py - 0.85f * tent(s.v))) * all(f.above);
    set_rays(rays.ray, all(f.eye), normalised(d));
  }
  intersect(f, rays, valid, RTC_INTERSECT_CONTEXT_FLAG_COHERENT);

  Points p = meet(f, rays, valid, true);
  const Vec3f behind = backdrop(f, x, y);
  const Mask seen = p.alive;
  const Floats one = select(seen, all(1), all(0)), kept = select(seen, p.kept, all(0));
  const float surface = sum(kept);
  sums.backdrop += (static_cast<float>(count) - surface) * behind;
  if (!any(seen)) return;
  const Vectors color = kept * p.albedo;
  sums.albedo += sum(color);
  sums.normal += sum(one * p.normal);
  const Vectors from_eye = p.position - all(f.eye);
  sums.distance += sum(one * root(dot(from_eye, from_eye)));
  sums.covered += sum(one);

  const Vectors black = all(Vec3f{0, 0, 0});
  Vectors light = black, gloss = black, weight = all(Vec3f{1, 1, 1});
  Mask glossy = valid ^ valid;
  const Mask shiny = f.gloss > 0 ? p.object : glossy;
  const bool any_shiny = any(shiny);
  const float alpha = f.roughness * f.roughness, a2 = alpha * alpha;

  for (int bounce = 0;; ++bounce) {
    const uint32_t dimension = static_cast<uint32_t>(bounce) * per_bounce;
    const bool first_hit = bounce == 0;
    const RTCIntersectContextFlags flags =
        first_hit ? RTC_INTERSECT_CONTEXT_FLAG_COHERENT : RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
    const Vectors start = p.position + all(f.skin) * p.geometric;
    const Floats facing = at_least(dot(p.normal, p.to_eye), 1e-3f);

    // Light straight from the lamp: one point on it for each path.
    {
      const SamplePairs s = sampler.pairs(first, dimension + on_lamp);
      const Vectors on = disc(s.u, s.v);
      const Vectors to_lamp = normalised(all(f.studio.lamp.n) + (f.studio.key_slope * on.x) * all(f.studio.lamp.t) +
                                         (f.studio.key_slope * on.y) * all(f.studio.lamp.b));
      const Floats cosine = dot(p.normal, to_lamp);
      const Mask faces_lamp = p.alive & (cosine > 0.0f);
      if (any(faces_lamp)) {
        set_rays(rays.ray, start, to_lamp);
        const Mask lit = reaches_lamp(f, rays.ray, faces_lamp, flags);
        const Floats direct = select(lit, cosine, all(0));
        if (!first_hit) {
          const Vectors more = multiply(weight, direct * multiply(p.albedo, all(f.studio.key)));
          light += select(glossy, black, more);
          gloss += select(glossy, more, black);
        } else if (!any_shiny) {
          light += direct * all(f.studio.key);
        } else {
          // At the first hit colour is left out, to be multiplied in after denoising. The gloss: microfacets, B. Walter
          // et al., 2007; D times the visibility term of the Smith model.
          light += (direct * (1.0f - select(shiny, f.gloss * fresnel(facing), all(0)))) * all(f.studio.key);
          const Vectors half = normalised(to_lamp + p.to_eye);
          const Floats nh = dot(p.normal, half), d = nh * nh * (a2 - 1) + 1.0f;
          const Floats visible = 0.5f / at_least(cosine * root(a2 + (1 - a2) * facing * facing) +
                                                     facing * root(a2 + (1 - a2) * cosine * cosine),
                                                 1e-6f);
          const Floats reflected = f.gloss * fresnel(at_least(dot(half, to_lamp), 0)) * a2 / (d * d) * visible * direct;
          gloss += select(shiny, reflected, all(0)) * all(f.studio.key);
        }
      }
    }
    if (bounce == f.bounces) {
      // The rest of the light, as if it came from everywhere alike.
      const Vectors rest = select(p.alive, all(0.4f * f.ambient), black);
      const Vectors more = first_hit ? rest : multiply(weight, multiply(p.albedo, rest));
      light += select(glossy, black, more);
      gloss += select(glossy, more, black);
      break;
    }

    // And on to the next surface.
    const SamplePairs s = sampler.pairs(first, dimension + on_dome);
    const Frames frames = frames_around(p.normal);
    Vectors direction = on_hemisphere(frames, s.u, s.v);
    Mask alive = p.alive;
    if (!first_hit) {
      weight = multiply(weight, p.albedo);
    } else if (any_shiny) {
      // Either the gloss or the colour below it, by about the share they have.
      const Floats reflected = f.gloss * fresnel(facing);
      const Floats chance = clamp(reflected / (reflected + (1.0f - reflected) * 0.6f), 0.1f, 0.9f);
      glossy = shiny & (sampler.pairs(first, dimension + on_choice).u < chance);
      Floats w = select(shiny, (1.0f - reflected) / (1.0f - chance), all(1));
      if (any(glossy)) {
        // Visible normals: J. Dupuy and A. Benyoub, "Sampling Visible GGX Normals with Spherical Caps", 2023.
        const Vectors view{dot(frames.t, p.to_eye), dot(frames.b, p.to_eye), facing};
        const Vectors stretched = normalised(Vectors{alpha * view.x, alpha * view.y, view.z});
        const Vectors on = disc(s.u, s.v);
        const Floats z = (1.0f - on.z) * (1.0f + stretched.z) - stretched.z;
        const Floats ring = root(at_least(1.0f - z * z, 0) / at_least(on.z, 1e-12f));
        const Vectors cap = Vectors{ring * on.x, ring * on.y, z} + stretched;
        const Vectors half = normalised(Vectors{alpha * cap.x, alpha * cap.y, cap.z});
        const Floats vh = at_least(dot(view, half), 0);
        const Vectors local = (2.0f * vh) * half - view;
        const Floats masking = 2.0f * local.z / (local.z + root(a2 + (1 - a2) * local.z * local.z));
        const Mask upward = local.z > 1e-4f;
        alive = alive & (~glossy | upward);
        w = select(glossy, select(upward, f.gloss * fresnel(vh) * masking / chance, all(0)), w);
        direction = select(glossy, to_world(frames, local), direction);
      }
      weight = {w, w, w};
    }
    if (!any(alive)) break;
    set_rays(rays.ray, start, direction);
    intersect(f, rays, alive, RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT);
    p = meet(f, rays, alive, false);
    const Mask escaped = alive & ~p.alive;
    if (any(escaped)) {
      const Vectors more = select(escaped, multiply(weight, sky(f.studio, direction)), black);
      light += select(glossy, black, more);
      gloss += select(glossy, more, black);
    }
    if (!any(p.alive)) break;
  }

  light = select(seen, light, black);
  gloss = select(seen, kept * gloss, black);
  sums.diffuse += sum(multiply(color, light));
  sums.specular += sum(gloss);
  const Floats bright = 0.2126f * (light.x + gloss.x) + 0.7152f * (light.y + gloss.y) + 0.0722f * (light.z + gloss.z);
  sums.luminance += sum(bright);
  sums.squared += sum(bright * bright);
}

SINEW_INLINE void put(float* const planes[3], size_t i, Vec3f v) {
  planes[0][i] = v.x;
  planes[1][i] = v.y;
  planes[2][i] = v.z;
}

void trace_pixel(const PathFrame& f, int x, int y) {
  const PixelSampler sampler(x, y, f.samples, f.seed);
  Sums sums;
  int taken = 0;
  float variance = 0;
  while (taken < f.samples) {
    const int count = f.samples - taken < packet_size ? f.samples - taken : packet_size;
    trace_packet(f, x, y, sampler, static_cast<uint32_t>(taken), count, sums);
    taken += count;
    if (sums.covered == 0) break;
    const float mean = sums.luminance / sums.covered;
    variance = larger(0, sums.squared / sums.covered - mean * mean) / sums.covered;
    const float tolerated = tolerated_noise * (mean + 0.1f);
    if (variance < tolerated * tolerated) break;
  }

  const size_t i = static_cast<size_t>(y) * f.width + x;
  const float each = 1 / static_cast<float>(taken), of_covered = 1 / larger(sums.covered, 1);
  // Light without colour: of the pixel as a whole, so that where two surfaces share it their product is still right.
  const auto light = [](float reflected, float albedo) { return albedo > 1e-12f ? reflected / albedo : 0.0f; };
  put(f.diffuse, i,
      {light(sums.diffuse.x, sums.albedo.x), light(sums.diffuse.y, sums.albedo.y),
       light(sums.diffuse.z, sums.albedo.z)});
  put(f.specular, i, each * sums.specular);
  put(f.albedo, i, each * sums.albedo);
  put(f.backdrop, i, each * sums.backdrop);
  put(f.normal, i, normalised(sums.normal));
  const float px = static_cast<float>(x) + 0.5f - 0.5f * static_cast<float>(f.width);
  const float py = 0.5f * static_cast<float>(f.height) - static_cast<float>(y) - 0.5f;
  const Vec3f d = normalised(f.forward + f.pixel * px * f.right + f.pixel * py * f.above);
  put(f.position, i, f.eye + of_covered * sums.distance * d);
  f.variance[i] = variance;
  f.coverage[i] = each * sums.covered;
}

void trace_row(const PathFrame& f, int y) {
  for (int x = 0; x < f.width; ++x) trace_pixel(f, x, y);
}

}  // namespace
}  // namespace sinew
