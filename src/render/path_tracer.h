// The path tracer: a lamp of finite size and a dome, matte surfaces with a gloss, an infinite ground.
#pragma once

#include <memory>

#include "base/result.h"
#include "exec/thread_pool.h"
#include "render/camera.h"
#include "render/frame_buffer.h"
#include "render/kernels.h"
#include "render/render_options.h"
#include "render/surface_soup.h"

namespace sinew {

class PathTracer {
 public:
  static Result<std::unique_ptr<PathTracer>> create();
  virtual ~PathTracer() = default;
  // Fills the frame buffer, of the size in the options, unless it is interrupted. `soup` need not outlive the call.
  virtual Status trace(const SurfaceSoup& soup, Vec3f up, const Camera& camera, const RenderOptions& options,
                       const PictureKernels& kernels, ThreadPool& pool, FrameBuffer& frame) = 0;
};

}  // namespace sinew
