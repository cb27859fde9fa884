// Paths are traced in packets: four samples of each pixel of a block of 2 x 2. All start in similar directions, so that
// one traversal of Embree's hierarchy serves them all, and shading uses all lanes.
#pragma once

#include <embree3/rtcore.h>

#include "render/kernels.h"
#include "render/sampler.h"

namespace sinew {
namespace {

constexpr float far_away = 1e30f;
// One packet of samples is always taken; more only at edges, and where the uncertainty exceeds this share of the light.
// It is the noise of a pixel in a picture of 540 rows: the eye averages over more of smaller pixels.
constexpr float tolerated_noise = 0.06f, rows_of_tolerance = 540;
// Samples of one pixel that differ by more than this indicate an edge: in reflectance, and in the length of the mean
// normal.
constexpr float edge_in_albedo = 0.05f, edge_in_normals = 0.02f;

// Each use of random numbers has its own pair of dimensions.
enum Dimension : uint32_t { on_pixel, on_lamp, on_dome, on_choice, per_bounce };

// Points where paths meet a surface.
struct Points {
  Vectors position, normal, geometric, albedo, to_eye;
  Floats kept;  // share of the surface; the rest is the backdrop into which the ground fades
  Mask alive, object;
};

// Sums over the packets of a block, by lane.
struct Sums {
  Vectors diffuse{}, specular{}, albedo{}, normal{};
  Floats backdrop{}, distance{}, covered{}, objects{}, luminance{}, squared{}, albedo_squared{};
  Floats taken{};
};

SINEW_INLINE float larger(float a, float b) {
  return a > b ? a : b;
}
SINEW_INLINE void put(Vectors& v, int k, Vec3f value) {
  v.x[k] = value.x;
  v.y[k] = value.y;
  v.z[k] = value.z;
}

// Fresnel reflectance of plastic, reduced at grazing angles as for rough surfaces.
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

// Normal, position and colour where lane k hit its triangle.
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
  // Surfaces are two-sided.
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
    // At a silhouette an interpolated normal may face away.
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
    // Distance to each edge in pixels; lines are drawn as ink on the surface, and fade where faces shrink to a few
    // pixels.
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

// The share of an interval of `width` around x on odd squares of a line, minus a half, times two.
SINEW_INLINE Floats parity(Floats x, Floats width) {
  const Floats to_low = magnitude(fraction(0.5f * (x - 0.5f * width)) - 0.5f);
  const Floats to_high = magnitude(fraction(0.5f * (x + 0.5f * width)) - 0.5f);
  return 2.0f * (to_low - to_high) / width;
}

// The ground's colour relative to its mean: squares, averaged over the pixel's footprint (the box filter of I. Quilez,
// "Filtering the checkerboard pattern", 2016).
SINEW_INLINE Floats ground_pattern(const PathFrame& f, Vectors position, Floats footprint) {
  const float scale = 1 / f.square;
  const Floats width = at_least(scale * footprint, 1e-3f);
  const Floats mixed =
      parity(scale * dot(position, all(f.square_t)), width) * parity(scale * dot(position, all(f.square_b)), width);
  return 1.0f + (0.5f * f.square_contrast) * mixed;
}

// What the rays hit first: a triangle, the ground, or nothing.
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
      if (f.square > 0) {
        // Each sample represents a part of the pixel.
        const Floats footprint = 0.5f * f.pixel * t / at_least(fall, 1e-3f);
        const Mask squared = lands & (t < 1e4f * f.square);
        points.albedo = select(squared, ground_pattern(f, points.position, footprint), all(1)) * points.albedo;
      }
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

// The pixels of a block are those of the lanes 0 to 3, 4 to 7, and so on; lanes beyond the picture's border are idle.
struct Block {
  Floats x, y;  // the lane's pixel
  Mask inside;
};
SINEW_INLINE Block block_at(const PathFrame& f, int x, int y) {
  const Words lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  const Mask across = __builtin_convertvector((lane >> 2) & 1u, Mask) + x;
  const Mask down = __builtin_convertvector(lane >> 3, Mask) + y;
  return {__builtin_convertvector(across, Floats), __builtin_convertvector(down, Floats),
          (across < f.width) & (down < f.height)};
}

// From the middle of the picture, in pixels, upwards.
SINEW_INLINE Vectors direction_through(const PathFrame& f, Floats x, Floats y) {
  const Floats px = x + (0.5f - 0.5f * static_cast<float>(f.width));
  const Floats py = (0.5f * static_cast<float>(f.height) - 0.5f) - y;
  return all(f.forward) + (f.pixel * px) * all(f.right) + (f.pixel * py) * all(f.above);
}

// Samples `first` to `first` + 3 of each pixel.
void trace_packet(const PathFrame& f, const Block& block, const BlockSampler& sampler, uint32_t first, Sums& sums) {
  // From the eye through the pixel, with a tent filter that reaches slightly into the neighbours.
  const Mask valid = block.inside;
  RTCRayHit16 rays;
  {
    const SamplePairs s = sampler.pairs(first, on_pixel);
    const auto tent = [](Floats u) {
      const Floats rising = u < 0.5f ? 2.0f * u : 2.0f - 2.0f * u, r = root(rising);
      return select(u < 0.5f, r - 1.0f, 1.0f - r);
    };
    set_rays(rays.ray, all(f.eye),
             normalised(direction_through(f, block.x + 0.85f * tent(s.u), block.y - 0.85f * tent(s.v))));
  }
  intersect(f, rays, valid, RTC_INTERSECT_CONTEXT_FLAG_COHERENT);

  Points p = meet(f, rays, valid, true);
  const Mask seen = p.alive;
  const Floats one = select(seen, all(1), all(0)), kept = select(seen, p.kept, all(0));
  const Floats here = select(valid, all(1), all(0));
  sums.taken += here;
  sums.backdrop += here - kept;
  if (!any(seen)) return;
  const Vectors color = kept * p.albedo;
  sums.albedo += color;
  const Floats tint = luminance(color);
  sums.albedo_squared += tint * tint;
  sums.normal += one * p.normal;
  const Vectors from_eye = p.position - all(f.eye);
  sums.distance += one * root(dot(from_eye, from_eye));
  sums.covered += one;
  sums.objects += select(p.object, all(1), all(0));

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

    // Direct light: one point on the lamp for each path.
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
          // The colour of the first hit is multiplied in after denoising. The gloss: microfacets, B. Walter et al.,
          // 2007; D times the visibility term of the Smith model.
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
      // The rest of the light, approximated as uniform from all directions.
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
      // Either the gloss or the colour below it, with probability close to their share.
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
  sums.diffuse += multiply(color, light);
  sums.specular += gloss;
  const Floats bright = luminance(light + gloss);
  sums.luminance += bright;
  sums.squared += bright * bright;
}

SINEW_INLINE void put(float* const planes[3], size_t i, Vec3f v) {
  planes[0][i] = v.x;
  planes[1][i] = v.y;
  planes[2][i] = v.z;
}

// The sum over the lanes of pixel k of a block.
SINEW_INLINE float of_pixel(Floats lanes, int k) {
  return (lanes[4 * k] + lanes[4 * k + 1]) + (lanes[4 * k + 2] + lanes[4 * k + 3]);
}
SINEW_INLINE Vec3f of_pixel(const Vectors& lanes, int k) {
  return {of_pixel(lanes.x, k), of_pixel(lanes.y, k), of_pixel(lanes.z, k)};
}

// The variance of the mean luminance of the light on pixel k.
SINEW_INLINE float variance_of(const Sums& sums, int k, float& mean) {
  const float covered = larger(of_pixel(sums.covered, k), 1);
  mean = of_pixel(sums.luminance, k) / covered;
  return larger(0, of_pixel(sums.squared, k) / covered - mean * mean) / covered;
}

// Whether surfaces meet within pixel k.
SINEW_INLINE bool is_edge(const Sums& sums, int k) {
  const float taken = of_pixel(sums.taken, k), covered = of_pixel(sums.covered, k);
  if (covered == 0) return false;
  const float objects = of_pixel(sums.objects, k);
  if (covered < taken || (objects > 0 && objects < taken)) return true;
  const Vec3f albedo = of_pixel(sums.albedo, k);
  const float tint = (0.2126f * albedo.x + 0.7152f * albedo.y + 0.0722f * albedo.z) / covered;
  const float spread = of_pixel(sums.albedo_squared, k) / covered - tint * tint;
  if (spread > edge_in_albedo * edge_in_albedo * tint * tint) return true;
  const Vec3f normal = of_pixel(sums.normal, k);
  return dot(normal, normal) < (1 - edge_in_normals) * covered * covered;
}

// Whether the block needs no more samples. Its noise is judged as a whole: four samples of a pixel may agree by chance.
SINEW_INLINE bool resolved(const PathFrame& f, const Sums& sums) {
  float luminance = 0, squared = 0, covered = 0, pixels = 0;
  for (int k = 0; k < pixels_in_block; ++k) {
    if (of_pixel(sums.covered, k) == 0) continue;
    if (is_edge(sums, k)) return false;
    // Few paths find the gloss: perhaps none of one packet.
    if (f.gloss > 0 && of_pixel(sums.objects, k) > 0 && of_pixel(sums.taken, k) <= samples_in_packet) return false;
    luminance += of_pixel(sums.luminance, k);
    squared += of_pixel(sums.squared, k);
    covered += of_pixel(sums.covered, k);
    pixels += 1;
  }
  if (covered == 0) return true;
  const float mean = luminance / covered, variance = larger(0, squared / covered - mean * mean) * pixels / covered;
  const float tolerated = tolerated_noise * (static_cast<float>(f.height) / rows_of_tolerance) * (mean + 0.1f);
  return variance < tolerated * tolerated;
}

void keep_pixel(const PathFrame& f, const Sums& sums, int k, int x, int y) {
  const size_t i = static_cast<size_t>(y) * f.width + x;
  const float each = 1 / of_pixel(sums.taken, k), of_covered = 1 / larger(of_pixel(sums.covered, k), 1);
  const Vec3f diffuse = of_pixel(sums.diffuse, k), albedo = of_pixel(sums.albedo, k);
  // Light without colour, for the pixel as a whole, so that the product is right even if two surfaces share it.
  const auto light = [](float reflected, float share) { return share > 1e-12f ? reflected / share : 0.0f; };
  put(f.diffuse, i, {light(diffuse.x, albedo.x), light(diffuse.y, albedo.y), light(diffuse.z, albedo.z)});
  put(f.specular, i, each * of_pixel(sums.specular, k));
  put(f.albedo, i, each * albedo);
  put(f.backdrop, i, (each * of_pixel(sums.backdrop, k)) * backdrop(f, x, y));
  put(f.normal, i, normalised(of_pixel(sums.normal, k)));
  const float px = static_cast<float>(x) + 0.5f - 0.5f * static_cast<float>(f.width);
  const float py = 0.5f * static_cast<float>(f.height) - static_cast<float>(y) - 0.5f;
  const Vec3f d = normalised(f.forward + f.pixel * px * f.right + f.pixel * py * f.above);
  put(f.position, i, f.eye + of_covered * of_pixel(sums.distance, k) * d);
  float mean = 0;
  f.variance[i] = variance_of(sums, k, mean);
  f.coverage[i] = each * of_pixel(sums.covered, k);
}

void trace_block(const PathFrame& f, int x, int y) {
  const Block block = block_at(f, x, y);
  const BlockSampler sampler(x, y, f.samples, f.seed);
  Sums sums;
  for (int taken = 0; taken < f.samples; taken += samples_in_packet) {
    trace_packet(f, block, sampler, static_cast<uint32_t>(taken), sums);
    if (resolved(f, sums)) break;
  }
  for (int k = 0; k < pixels_in_block; ++k)
    if (block.inside[4 * k]) keep_pixel(f, sums, k, x + (k & 1), y + (k >> 1));
}

void trace_rows(const PathFrame& f, int y) {
  for (int x = 0; x < f.width; x += 2) trace_block(f, x, y);
}

}  // namespace
}  // namespace sinew
