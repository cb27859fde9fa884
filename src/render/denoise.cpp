#include "render/denoise.h"

#include "render/parallel_rows.h"

namespace sinew {

void Denoiser::run(FrameBuffer& frame, float pixel, Vec3f eye, const PictureKernels& kernels, ThreadPool& pool) {
  for (FrameBuffer::Plane& plane : spare_) plane.resize(frame.variance.size());
  // Five passes reach 62 pixels to each side; each writes its result where the next one reads.
  for (int level = 0; level < 5; ++level) {
    FilterPass pass{};
    pass.width = frame.width;
    pass.height = frame.height;
    pass.step = 1 << level;
    pass.eye = eye;
    pass.pixel = pixel;
    pass.coverage = frame.coverage.data();
    for (int c = 0; c < 3; ++c) {
      pass.normal[c] = frame.normal[c].data();
      pass.position[c] = frame.position[c].data();
      pass.light[c] = frame.diffuse[c].data();
      pass.light[3 + c] = frame.specular[c].data();
    }
    pass.variance = frame.variance.data();
    for (int c = 0; c < 6; ++c) pass.out_light[c] = spare_[c].data();
    pass.out_variance = spare_[6].data();

    parallel_rows(pool, frame.height, [&](int y) { kernels.filter_row(pass, y); });
    for (int c = 0; c < 3; ++c) {
      frame.diffuse[c].swap(spare_[c]);
      frame.specular[c].swap(spare_[3 + c]);
    }
    frame.variance.swap(spare_[6]);
  }
}

}  // namespace sinew
