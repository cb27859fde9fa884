#include "render/render.h"

#include <cmath>
#include <new>
#include <system_error>

#include "base/format.h"
#include "base/picture_size.h"
#include "math/length.h"
#include "render/denoise.h"
#include "render/lines.h"
#include "render/overlay.h"
#include "render/parallel_rows.h"
#include "render/path_tracer.h"
#include "render/text.h"
#include "render/tone.h"
#include "render/vector.h"

namespace sinew {
namespace {

Status check(const RenderOptions& o) {
  const auto fault = [](const char* name, double value, const char* range) {
    return Error{"picture", format("%s = %g: must be in %s", name, value, range), ""};
  };
  if (const std::string size = size_fault(o.width, o.height); !size.empty())
    return Error{"picture", format("%d x %d: %s", o.width, o.height, size.c_str()), ""};
  if (o.samples < 1 || o.samples > 4096) return fault("samples", o.samples, "[1, 4096]");
  if (o.bounces < 0 || o.bounces > 8) return fault("bounces", o.bounces, "[0, 8]");
  if (o.threads < 0 || o.threads > 1024) return fault("threads", o.threads, "[0, 1024]");
  if (!(o.roughness >= 0.1f && o.roughness <= 1)) return fault("roughness", o.roughness, "[0.1, 1]");
  if (!(o.gloss >= 0 && o.gloss <= 1)) return fault("gloss", o.gloss, "[0, 1]");
  if (!(o.exposure > 0 && o.exposure <= 100)) return fault("exposure", o.exposure, "(0, 100]");
  if (!(o.crease_degrees >= 0 && o.crease_degrees <= 180)) return fault("crease_degrees", o.crease_degrees, "[0, 180]");
  if (!(o.wire_width >= 0.2f && o.wire_width <= 20)) return fault("wire_width", o.wire_width, "[0.2, 20]");
  if (!(o.light.key_radius_degrees >= 0 && o.light.key_radius_degrees <= 40))
    return fault("key_radius_degrees", o.light.key_radius_degrees, "[0, 40]");
  if (!(o.light.key_elevation_degrees >= 5 && o.light.key_elevation_degrees <= 90))
    return fault("key_elevation_degrees", o.light.key_elevation_degrees, "[5, 90]");
  if (!std::isfinite(o.light.key_azimuth_degrees))
    return fault("key_azimuth_degrees", o.light.key_azimuth_degrees, "the finite numbers");
  const Lighting& l = o.light;
  const Vec3f radiances[] = {l.zenith,    l.horizon,      l.nadir,          {l.key, l.rim, 0},
                             l.key_color, o.ground_color, o.background_top, o.background_bottom};
  for (Vec3f r : radiances)
    for (float c : {r.x, r.y, r.z})
      if (!(c >= 0 && c <= 1e4f)) return fault("a light or background colour", c, "[0, 10000]");
  for (const auto& bound : {o.value_min, o.value_max})
    if (bound && !std::isfinite(*bound)) return fault("an end of the value range", *bound, "the finite numbers");
  if (o.value_min && o.value_max && !(*o.value_min <= *o.value_max))
    return Error{"picture", format("the value range [%g, %g] runs backwards", *o.value_min, *o.value_max), ""};
  if (!(o.ground_square >= 0 && o.ground_square <= 1e9)) return fault("ground_square", o.ground_square, "[0, 1e9]");
  if (!(o.ground_contrast >= 0 && o.ground_contrast <= 1)) return fault("ground_contrast", o.ground_contrast, "[0, 1]");
  if (o.ground_height && !std::isfinite(*o.ground_height))
    return fault("ground_height", *o.ground_height, "the finite numbers");
  return {};
}

Status check(const Camera& camera, Vec3d up) {
  const auto fault = [](const char* what) { return Error{"camera", what, ""}; };
  if (!is_finite(camera.eye) || !is_finite(camera.target) || !is_finite(camera.up)) return fault("is not finite");
  const Vec3d view = camera.target - camera.eye;
  if (!(dot(view, view) > 0)) return fault("eye and target are the same point");
  const Vec3d side = cross(view, camera.up);
  if (!(dot(side, side) > 1e-12 * dot(view, view) * dot(camera.up, camera.up)))
    return fault("the view direction is parallel to its up axis");
  if (!(camera.vertical_fov_degrees >= 1 && camera.vertical_fov_degrees <= 120))
    return fault("vertical_fov_degrees: must be in [1, 120]");
  if (!is_finite(up) || !(dot(up, up) > 0)) return fault("the scene's up axis is zero or not finite");
  return {};
}

// Dithering: noise of half an 8-bit step, the same in every picture, avoids bands in the backdrop's gradient.
float dither(int x, int y) {
  const float r =
      52.9829189f * std::fmod(0.06711056f * static_cast<float>(x) + 0.00583715f * static_cast<float>(y), 1.0f);
  return r - std::floor(r) - 0.5f;
}

Image develop(const FrameBuffer& f, const RenderOptions& options, ThreadPool& pool) {
  Image image{f.width, f.height, std::vector<uint8_t>(3 * f.variance.size())};
  // sRGB by table, with steps far below those of 8 bits.
  constexpr int steps = 4096;
  std::vector<float> table(steps + 2);
  for (int k = 0; k <= steps + 1; ++k) table[k] = 255 * srgb_from_linear(static_cast<float>(k * k) / (steps * steps));
  parallel_rows(pool, f.height, [&](int y) {
    for (int x = 0; x < f.width; ++x) {
      const size_t i = static_cast<size_t>(y) * f.width + x;
      const auto channel = [&](int c) {
        return options.exposure * (f.backdrop[c][i] + f.albedo[c][i] * f.diffuse[c][i] + f.specular[c][i]);
      };
      const Vec3f mapped = tone_map({channel(0), channel(1), channel(2)});
      const float channels[] = {mapped.x, mapped.y, mapped.z};
      const float grain = (1 - f.coverage[i]) * dither(x, y);
      for (int c = 0; c < 3; ++c) {
        const float at = steps * std::sqrt(std::clamp(channels[c], 0.0f, 1.0f));
        const int cell = static_cast<int>(at);
        const float value = table[cell] + (at - static_cast<float>(cell)) * (table[cell + 1] - table[cell]);
        image.rgb[3 * i + c] = static_cast<uint8_t>(std::clamp(value + grain + 0.5f, 0.0f, 255.0f));
      }
    }
  });
  return image;
}

}  // namespace

struct Renderer::State {
  std::unique_ptr<PathTracer> tracer;
  std::unique_ptr<ThreadPool> pool;
  int pool_threads = 0;  // as requested
  FrameBuffer frame;
  Denoiser denoiser;

  Result<Image> render(const RenderScene& scene, const Camera& camera, const RenderOptions& options);
};

Renderer::Renderer() : state_(std::make_unique<State>()) {}
Renderer::~Renderer() = default;
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;

Result<Image> Renderer::render(const RenderScene& scene, const Camera& camera, const RenderOptions& options) {
  try {
    return state_->render(scene, camera, options);
  } catch (const std::bad_alloc&) {
    return Error{"picture", format("out of memory for %d x %d pixels", options.width, options.height), ""};
  } catch (const std::system_error& error) {
    return Error{"picture", std::string("no threads to work with: ") + error.what(), ""};
  }
}

Result<Image> Renderer::State::render(const RenderScene& scene, const Camera& camera, const RenderOptions& options) {
  if (Status status = check_picture(options, camera, scene.up); !status) return status.error();
  const PictureKernels* kernels = picture_kernels(options.lanes);
  if (!kernels)
    return Error{"picture", format("lanes = %d: must be 0, 4, or 8 or 16 where the processor has them", options.lanes),
                 ""};
  if (!tracer) {
    Result<std::unique_ptr<PathTracer>> created = PathTracer::create();
    if (!created) return created.error();
    tracer = std::move(*created);
  }
  const Result<SurfaceSoup> soup = gather_surfaces(scene, options);
  if (!soup) return soup.error();

  const Vec3d up = (1 / std::sqrt(dot(scene.up, scene.up))) * scene.up;
  if (!pool || options.threads != pool_threads) {
    pool = std::make_unique<ThreadPool>(options.threads);
    pool_threads = options.threads;
  }
  if (Status status = tracer->trace(*soup, narrow(up), camera, options, *kernels, *pool, frame); !status)
    return status.error();
  if (is_interrupted(options)) return Error{"picture", "was interrupted", ""};
  if (options.denoise) {
    const double pixel = 2 * std::tan(camera.vertical_fov_degrees * M_PI / 360) / options.height;
    denoiser.run(frame, static_cast<float>(pixel), narrow(camera.eye), *kernels, *pool);
  }
  Image image = develop(frame, options, *pool);
  draw_lines(image, scene.lines, camera);
  if (soup->has_values && options.legend) draw_legend(image, options, soup->value_min, soup->value_max);
  if (!options.legend_entries.empty() && options.legend) draw_legend_entries(image, options);
  draw_captions(image, options);
  return image;
}

Result<Image> render(const RenderScene& scene, const Camera& camera, const RenderOptions& options) {
  return Renderer().render(scene, camera, options);
}

Status check_picture(const RenderOptions& options, const Camera& camera, Vec3d up) {
  if (Status status = check(options); !status) return status;
  return check(camera, up);
}

bool render_available() {
  return true;
}

Status text_available() {
  return find_font();
}

}  // namespace sinew
