// Smooths the light of a frame where surface, normal and shadow allow it.
#pragma once

#include "exec/thread_pool.h"
#include "math/vec.h"
#include "render/frame_buffer.h"

namespace sinew {

// pixel_angle is the angle one pixel is seen under [rad], eye the camera's place.
void denoise(FrameBuffer& frame, float pixel_angle, Vec3f eye, ThreadPool& pool);

}  // namespace sinew
