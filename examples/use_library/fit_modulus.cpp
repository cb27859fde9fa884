// Finds Young's modulus of a beam from how far its tip sags under its weight: secant iterations on one simulation,
// whose modulus changes while it runs.
//
//   fit_modulus                  the deflection of a beam of 420 kPa, which the fit has to find again
//   fit_modulus DEFLECTION       a measured one [m]
//
// A slender beam that sags little has a deflection proportional to 1/E. In logarithms the relation is therefore nearly
// a straight line, also where it sags more, and the secant method needs few iterations.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <span>

#include "sinew/scene.h"
#include "sinew/simulation.h"

namespace {

constexpr double known_modulus = 4.2e5, first_guess = 1e6;  // [Pa]

// 0.4 m long, clamped at x = 0, in equilibrium at the end of every step. The probe is the end face.
sinew::Scene clamped_beam() {
  sinew::Scene scene;
  scene.name = "clamped beam";
  sinew::SceneMaterial rubber;
  rubber.name = "rubber";
  rubber.set("youngs_modulus", first_guess);
  rubber.set("poisson_ratio", 0.4);
  scene.materials.push_back(rubber);

  sinew::SceneObject beam;
  beam.name = "beam";
  beam.mesh = sinew::MeshBeam{};
  beam.material = "rubber";
  scene.objects.push_back(beam);
  sinew::ScenePin clamp;
  clamp.object = "beam";
  clamp.select = sinew::SelectPlane{.point = {0.001, 0, 0}, .normal = {-1, 0, 0}};
  scene.pins.push_back(clamp);
  scene.probes.push_back({"tip", "beam", sinew::SelectPlane{.point = {0.399, 0, 0}, .normal = {1, 0, 0}}});

  scene.time = {.quasistatic = true, .frame_dt = 1, .substeps = 1, .duration = 1};
  scene.solver.type = "newton";
  scene.solver.options.set("iterations", 100);
  scene.solver.options.set("relative_tolerance", 1e-10);
  return scene;
}

// A simulation of the beam and its unloaded state, from which every trial starts.
struct Beam {
  sinew::Simulation simulation;
  sinew::Snapshot start;
  double tip_height;  // [m]

  // [m] The deflection of the tip in equilibrium. Errors: a modulus out of range, a step that did not converge.
  sinew::Result<double> deflection(double modulus) {
    if (auto restored = simulation.restore(start); !restored) return restored.error();
    if (auto set = simulation.set("materials.rubber.youngs_modulus", modulus); !set) return set.error();
    const auto report = simulation.step();
    if (!report) return report.error();
    if (report->status != sinew::SolveStatus::converged)
      return sinew::Error{"the beam", "found no equilibrium", "begin with a stiffer one"};
    double tip[3];
    if (auto read = simulation.read_probes(std::span(tip)); !read) return read.error();
    return tip_height - tip[1];
  }
};

int complain(const sinew::Error& error) {
  std::fprintf(stderr, "%s\n", error.message().c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  auto created = sinew::Simulation::create(clamped_beam());
  if (!created) return complain(created.error());
  double tip[3];
  if (auto read = created->read_probes(std::span(tip)); !read) return complain(read.error());
  sinew::Snapshot start = created->save();
  Beam beam{std::move(*created), start, tip[1]};

  const auto measured = argc > 1 ? sinew::Result<double>(std::atof(argv[1])) : beam.deflection(known_modulus);
  if (!measured) return complain(measured.error());
  if (!(*measured > 0)) return complain({"DEFLECTION", "must be above 0", "give it in metres, e.g. 0.09"});

  // log E against log of the deflection; at first with the slope of linear elasticity.
  double x = std::log(first_guess), slope = -1, x_before = 0, y_before = 0;
  std::printf("measured: %.6f m\n\n%9s  %14s  %14s  %10s\n", *measured, "iteration", "modulus [Pa]", "deflection [m]",
              "error");
  for (int k = 1; k <= 20; ++k) {
    const auto deflection = beam.deflection(std::exp(x));
    if (!deflection) return complain(deflection.error());
    const double y = std::log(*deflection / *measured);
    std::printf("%9d  %14.1f  %14.6f  %+10.2e\n", k, std::exp(x), *deflection, *deflection / *measured - 1);
    if (std::abs(y) < 1e-8) {
      std::printf("\nYoung's modulus: %.1f Pa\n", std::exp(x));
      return 0;
    }
    if (k > 1) slope = (y - y_before) / (x - x_before);
    x_before = x;
    y_before = y;
    x -= y / slope;
  }
  return complain({"the fit", "did not converge in 20 iterations", "check the deflection"});
}
