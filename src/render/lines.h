// Lines and arrows of a scene drawn over its picture, so that nothing hides them.
#pragma once

#include <span>

#include "render/camera.h"
#include "render/image.h"
#include "render/render_scene.h"

namespace sinew {

// Where the camera sees a point, in pixels from the upper left corner; z: how far it is in front [m], at or below 0
// behind.
Vec3d seen_at(Vec3d point, const Camera& camera, int width, int height);

// Those nearer to the camera are drawn last. What is behind it is cut off.
void draw_lines(Image& image, std::span<const RenderLine> lines, const Camera& camera);

}  // namespace sinew
