// A rubber beam, clamped at one end, sags under its weight; prints how its tip falls.
//
//   sagging_beam              the scene below, built in code
//   sagging_beam scene.json   a scene file
#include <algorithm>
#include <cstdio>

#include "sinew/scene.h"
#include "sinew/scene_file.h"
#include "sinew/simulation.h"

namespace {

// 0.4 m long, clamped at x = 0, under VBD.
sinew::Scene sagging_beam() {
  sinew::Scene scene;
  scene.name = "sagging beam";

  sinew::SceneMaterial rubber;
  rubber.name = "rubber";
  rubber.set("youngs_modulus", 1e5);  // [Pa]
  rubber.set("poisson_ratio", 0.4);
  scene.materials.push_back(rubber);

  sinew::SceneObject beam;
  beam.name = "beam";
  beam.mesh = sinew::MeshBeam{};
  beam.material = "rubber";
  scene.objects.push_back(beam);

  // Everything within 1 mm of the wall is held.
  sinew::ScenePin clamp;
  clamp.object = "beam";
  clamp.select = sinew::SelectPlane{.point = {0.001, 0, 0}, .normal = {-1, 0, 0}};
  scene.pins.push_back(clamp);

  scene.time.duration = 0.25;  // [s]
  scene.solver.type = "vbd";
  scene.solver.options.set("iterations", 40);
  return scene;
}

int complain(const sinew::Error& error) {
  std::fprintf(stderr, "%s\n", error.message().c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const auto scene = argc > 1 ? sinew::read_scene(argv[1]) : sinew::Result<sinew::Scene>(sagging_beam());
  if (!scene) return complain(scene.error());

  auto simulation = sinew::Simulation::create(*scene);
  if (!simulation) return complain(simulation.error());
  for (const std::string& warning : simulation->warnings()) std::printf("warning: %s\n", warning.c_str());
  std::printf("%s: %d vertices, %zu tets\n", scene->name.c_str(), simulation->vertex_count(),
              simulation->tets().size());

  // The vertex farthest along x.
  const auto rest = simulation->rest_positions();
  const auto tip =
      std::max_element(rest.begin(), rest.end(), [](const auto& a, const auto& b) { return a[0] < b[0]; }) -
      rest.begin();

  for (int64_t frame = 0; frame < simulation->frame_count(); ++frame) {
    const auto reports = simulation->advance_frame();
    if (!reports) return complain(reports.error());
    const auto x = simulation->positions()[tip];
    std::printf("t = %.4f s   tip at (%+.4f, %+.4f, %+.4f) m\n", simulation->time(), x[0], x[1], x[2]);
  }
}
