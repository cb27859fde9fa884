// A cube of 0.4 m and 12.8 kg in a grid of 0.1 m, under B-PXPBD.
#pragma once

#include "support/box_scene.h"

namespace sinew {

// `corner`: its lowest.
inline Scene cube_on_grid(const Real3& corner) {
  Scene scene = box_scene(4);
  scene.materials.resize(1);
  scene.materials[0].model = "fixed_corotated";
  scene.materials[0].set("youngs_modulus", 3e4);
  scene.materials[0].set("poisson_ratio", 0.3);
  scene.materials[0].density = 200;
  scene.objects[0].mesh = MeshBox{{0.4, 0.4, 0.4}, {4, 4, 4}, corner, 5};
  scene.time.frame_dt = 0.01;
  scene.time.duration = 10;
  scene.grid = GridSettings{.spacing = 0.1};
  scene.solver.type = "b_pxpbd";
  return scene;
}

}  // namespace sinew
