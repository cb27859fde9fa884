// Smooths the light of a frame within surfaces, across neither creases nor shadows.
#pragma once

#include "exec/thread_pool.h"
#include "math/vec.h"
#include "render/frame_buffer.h"
#include "render/kernels.h"

namespace sinew {

class Denoiser {
 public:
  // pixel: side of a pixel at unit distance; eye: camera position. Changes diffuse, specular and variance.
  void run(FrameBuffer& frame, float pixel, Vec3f eye, const PictureKernels& kernels, ThreadPool& pool);

 private:
  FrameBuffer::Plane spare_[7];  // kept from frame to frame
};

}  // namespace sinew
