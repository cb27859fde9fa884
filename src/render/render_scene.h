// The scene of one frame: surfaces as triangles, with a colour or with values to be mapped to colours.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "math/vec.h"
#include "mesh/tet_mesh.h"

namespace sinew {

struct RenderMesh {
  std::string name;                 // for errors
  std::vector<Vec3f> positions;     // V
  std::vector<Triangle> triangles;  // F, counter-clockwise seen from outside

  // At most one of the two; if both are empty the mesh has its own colour.
  std::vector<float> vertex_values;  // V or empty
  std::vector<float> face_values;    // F or empty

  std::vector<int32_t> face_palette;  // F or empty: palette entry of each face

  int object = 0;              // index in the palette
  std::optional<Vec3f> color;  // linear reflectance in [0, 1]; overrides the palette
  bool smooth = true;          // shade with interpolated normals, except across creases

  // The undeformed shape, V or empty. Creases are found on it, so that they do not change during a film.
  std::vector<Vec3f> rest_positions;
};

// Drawn over the picture, from a dot to a head if it is an arrow (render/lines.h).
struct RenderLine {
  Vec3f from, to;
  Vec3f color;  // linear
  bool arrow = false;
};

struct RenderScene {
  std::vector<RenderMesh> meshes;
  std::vector<RenderLine> lines;
  Vec3d up{0, 1, 0};  // normal of the ground
};

}  // namespace sinew
