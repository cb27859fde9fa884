// What is to be seen in one frame: surfaces as triangles, with a colour or with values to be mapped to colours.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "math/vec.h"
#include "mesh/tet_mesh.h"

namespace sinew {

struct RenderMesh {
  std::string name;                 // named in errors
  std::vector<Vec3f> positions;     // V
  std::vector<Triangle> triangles;  // F, counter-clockwise seen from outside

  // At most one of the two; where both are empty the mesh shows its colour.
  std::vector<float> vertex_values;  // V or empty
  std::vector<float> face_values;    // F or empty

  std::vector<int32_t> face_palette;  // F or empty: the entry of the palette that each face shows

  int object = 0;              // takes its colour from the palette
  std::optional<Vec3f> color;  // linear reflectance in [0, 1]; overrides the palette
  bool smooth = true;          // shade with interpolated normals, except across creases

  // The undeformed shape, V or empty. Creases are found there, so that they do not come and go in a film.
  std::vector<Vec3f> rest_positions;
};

struct RenderScene {
  std::vector<RenderMesh> meshes;
  Vec3d up{0, 1, 0};  // the ground is at right angles to it
};

}  // namespace sinew
