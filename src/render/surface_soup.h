// All meshes of a scene as one list of triangles, checked, with normals and colours at the corners.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "math/bounds.h"
#include "render/render_options.h"
#include "render/render_scene.h"

namespace sinew {

struct SurfaceSoup {
  struct Look {
    Vec3f color;
    bool by_value = false;
    bool smooth = true;
  };

  std::vector<Vec3f> positions;
  std::vector<uint32_t> indices;  // 3F
  std::vector<uint16_t> look_of;  // F, into looks
  std::vector<Look> looks;
  std::vector<Vec3f> corner_normals;  // 3F, unit
  std::vector<float> corner_values;   // 3F, in [0, 1]; empty if no mesh has values
  Bounds bounds;
  bool has_values = false;
  float value_min = 0, value_max = 1;
};

Result<SurfaceSoup> gather_surfaces(const RenderScene& scene, const RenderOptions& options);

}  // namespace sinew
