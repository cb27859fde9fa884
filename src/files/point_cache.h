// Point caches: the vertices of a surface over time, for Blender's Mesh Cache modifier and others.
//   PC2 (3ds Max)     "POINTCACHE2\0", int32 version = 1, int32 points, float start, float sampling, int32 samples;
//                     then samples x points x 3 floats; little endian
//   MDD (LightWave)   int32 frames, int32 points, float time[frames] [s]; then frames x points x 3 floats; big endian
// Both store the number of frames before the first frame, so a cache is written when all its frames exist, and appears
// whole or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "base/result.h"
#include "files/atomic_file.h"
#include "math/vec.h"

namespace sinew {

enum class PointCacheFormat { pc2, mdd };

class PointCacheWriter {
 public:
  // One time [s] per frame.
  static Result<PointCacheWriter> create(const std::filesystem::path& path, PointCacheFormat format, size_t point_count,
                                         std::span<const double> times);
  Status add(std::span<const Vec3f> points);
  // Call after all announced frames.
  Status commit();

 private:
  PointCacheWriter(AtomicFile file, PointCacheFormat format, size_t point_count, size_t frame_count)
      : file_(std::move(file)), format_(format), point_count_(point_count), missing_(frame_count) {}

  AtomicFile file_;
  PointCacheFormat format_;
  [[maybe_unused]] size_t point_count_;  // asserted
  size_t missing_;                       // frames announced and not yet added
  std::string bytes_;
};

}  // namespace sinew
