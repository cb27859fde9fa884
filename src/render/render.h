// Pictures by path tracing, on the processor and without a display.
// The same input gives the same picture, bit for bit, for any number of threads.
#pragma once

#include <memory>

#include "base/result.h"
#include "render/camera.h"
#include "render/image.h"
#include "render/render_options.h"
#include "render/render_scene.h"

namespace sinew {

// Keeps the ray tracing device and the frame buffers between frames. Not thread-safe.
class Renderer {
 public:
  Renderer();
  ~Renderer();
  Renderer(Renderer&&) noexcept;
  Renderer& operator=(Renderer&&) noexcept;

  // Errors: options out of range, no triangles, array sizes that disagree, an index out of range, a position or value
  // that is not finite, a camera without a direction, an interrupt, a build without the path tracer.
  Result<Image> render(const RenderScene& scene, const Camera& camera, const RenderOptions& options);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// For a single picture.
Result<Image> render(const RenderScene& scene, const Camera& camera, const RenderOptions& options);

// Whether this build has the path tracer.
bool render_available();
// Checks what does not depend on meshes. Errors: settings out of range, a camera that sees nothing, a build without the
// path tracer.
Status check_picture(const RenderOptions& options, const Camera& camera, Vec3d up);

// Text in pictures needs a font, found at run time; an Error names its package. Without it, pictures only lack the
// text.
Status text_available();

}  // namespace sinew
