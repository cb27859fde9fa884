// Smooths the light of a frame where surface, normal and shadow allow it.
#pragma once

#include "exec/thread_pool.h"
#include "math/vec.h"
#include "render/frame_buffer.h"
#include "render/kernels.h"

namespace sinew {

class Denoiser {
 public:
  // pixel is the side of a pixel at unit distance, eye the camera's place. Changes diffuse, specular and variance.
  void run(FrameBuffer& frame, float pixel, Vec3f eye, const PictureKernels& kernels, ThreadPool& pool);

 private:
  FrameBuffer::Plane spare_[7];  // kept from frame to frame
};

}  // namespace sinew
