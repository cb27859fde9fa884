// The camera of a film: it keeps everything that moves in view, keeps its distance, turns slowly about the scene, and
// moves along with bodies that travel far.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/result.h"
#include "render/camera.h"

namespace sinew {

enum class Follow : int { automatic, always, never };

struct CameraPathOptions {
  FitOptions fit;            // direction: that of the middle of the film
  double orbit_degrees = 0;  // turned about the up axis from the first frame to the last
  // Whether to move along with bodies; automatic: if they travel much further than their size.
  Follow follow = Follow::automatic;
  double frames_per_second = 30;  // of the film, for the smoothing of movements
};

class CameraPath {
 public:
  CameraPath(const CameraPathOptions& options, size_t frame_count);

  // Points that the camera of this frame must show. Points that are not finite are ignored.
  void add(size_t frame, std::span<const Vec3f> points);

  // By frame. A frame without points has the camera of its neighbours. Errors: as of CameraFit.
  Result<std::vector<Camera>> cameras() const;

 private:
  // Only the outermost points matter: the furthest in each of many directions.
  static constexpr int directions = 64;
  struct Hull {
    std::array<double, directions> reach;
    std::array<Vec3d, directions> point;
    Bounds bounds;
  };

  double largest_body() const;  // diagonal of the largest frame
  bool follows() const;
  Vec3d direction_at(size_t frame) const;
  Result<Camera> standing() const;
  std::vector<Vec3d> smoothed_centres() const;

  const CameraPathOptions options_;
  std::array<Vec3d, directions> toward_;
  std::vector<Hull> hulls_;
};

}  // namespace sinew
