// A pinhole camera, and the tightest one that shows everything in a film.
#pragma once

#include <span>

#include "base/result.h"
#include "math/bounds.h"

namespace sinew {

struct Camera {
  Vec3d eye{0, 0, 5};
  Vec3d target{0, 0, 0};
  Vec3d up{0, 1, 0};
  double vertical_fov_degrees = 28;
};

struct FitOptions {
  Vec3d direction{-0.6, -0.35, -0.72};  // from the eye to the scene; need not be of unit length
  Vec3d up{0, 1, 0};
  double aspect = 16.0 / 9.0;
  double vertical_fov_degrees = 28;
  double margin = 0.08;       // free part of the picture's half-width and half-height on each side, [0, 0.8]
  double right_margin = 0.0;  // further free part of the width at the right, for a legend, [0, 0.5]
};

// A view from the front left and above, for either up axis (y or z).
FitOptions default_view(Vec3d up, double aspect);

// Collects points, frame by frame, and finds the nearest camera of the given direction that sees them all. With the
// orientation fixed, each side of the view pyramid only has to lie outside the outermost point along its normal, so
// four numbers suffice.
class CameraFit {
 public:
  static Result<CameraFit> create(const FitOptions& options);

  void add(Vec3d point);
  void add(std::span<const Vec3d> points);
  void add(std::span<const Vec3f> points);
  // Errors: no finite point was added.
  Result<Camera> camera() const;

 private:
  FitOptions options_;
  Vec3d right_{}, up_{}, forward_{};
  double slope_left_ = 0, slope_right_ = 0, slope_vertical_ = 0;
  // max over points of (x - slope z) and the like, in camera axes with z forward
  double left_ = -Bounds::infinity, right_most_ = -Bounds::infinity;
  double bottom_ = -Bounds::infinity, top_ = -Bounds::infinity;
  double nearest_ = Bounds::infinity, farthest_ = -Bounds::infinity;
};

// The same for a box, usually the bounds over all frames.
Result<Camera> fit_camera(const Bounds& bounds, const FitOptions& options);

}  // namespace sinew
