// The camera of a film: it holds all that moves in view, keeps its distance, turns slowly about the scene, and goes
// along with bodies that travel far.
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
  // Go along with what moves; automatic: where it travels much further than it is large.
  Follow follow = Follow::automatic;
  double frames_per_second = 30;  // of the film, by which movements are smoothed
};

class CameraPath {
 public:
  CameraPath(const CameraPathOptions& options, size_t frame_count);

  // Points that the camera of this frame is to hold in view. Those that are not finite are passed over.
  void add(size_t frame, std::span<const Vec3f> points);

  // By frame. A frame without points has the camera of its neighbours. Errors: as of CameraFit.
  Result<std::vector<Camera>> cameras() const;

 private:
  // Of a cloud of points only the outermost matter: the furthest in each of many directions.
  static constexpr int directions = 64;
  struct Hull {
    std::array<double, directions> reach;
    std::array<Vec3d, directions> point;
    Bounds bounds;
  };

  bool follows() const;
  Vec3d direction_at(size_t frame) const;
  Result<Camera> standing() const;
  std::vector<Vec3d> smoothed_centres() const;

  const CameraPathOptions options_;
  std::array<Vec3d, directions> toward_;
  std::vector<Hull> hulls_;
};

}  // namespace sinew
