// A jelly octopus is grabbed around the point where a ray meets its head, lifted, swung and thrown: the loop of a game
// or of a robot's simulator. Prints the way of its centre, and how much of each frame's time a step took.
//   grab_and_throw [--real-time]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "sinew/mesher.h"
#include "sinew/scene.h"
#include "sinew/simulation.h"

namespace {

constexpr double frame = 1.0 / 60;          // [s]
constexpr double release = 1.5, end = 2.5;  // [s]

sinew::Result<sinew::Scene> jelly_octopus() {
  const auto mesh = sinew::mesh_shape({"octopus"}, {.cell = 0.05});
  if (!mesh) return mesh.error();
  sinew::Scene scene;
  scene.name = "octopus";
  sinew::SceneMaterial jelly;
  jelly.name = "jelly";
  jelly.set("youngs_modulus", 1e5);  // [Pa]
  jelly.damping = 0.01;              // [s]
  scene.materials.push_back(jelly);
  sinew::SceneObject octopus;
  octopus.name = "octopus";
  octopus.mesh = sinew::mesh_arrays(*mesh);
  octopus.material = "jelly";
  scene.objects.push_back(octopus);
  scene.gravity = {0, -9.81, 0};
  scene.time.frame_dt = frame;
  scene.time.duration = end;
  return scene;
}

// The hand's way from where it grabs [m]: up, back to the left, and to the right faster and faster, as an arm swings.
sinew::Real3 hand(double t) {
  const auto eased = [&](double from, double to) {
    const double s = std::clamp((t - from) / (to - from), 0.0, 1.0);
    return s * s * (3 - 2 * s);
  };
  const double back = eased(0.5, 1.0), forth = std::pow(std::clamp((t - 1) / (release - 1), 0.0, 1.0), 2);
  const double angle = -0.6 * back + 1.5 * forth, arm = 1;
  return {arm * std::sin(angle), 0.3 * eased(0, 0.5) + arm * (1 - std::cos(angle)), 0};
}

// What the hand holds: the vertices around a point, each by a grab. One alone, at a triangle, would draw the soft jelly
// out to a thread.
struct Held {
  sinew::GrabHandle grab;
  sinew::Real3 start;  // [m]
};
sinew::Result<std::vector<Held>> hold_around(sinew::Simulation& simulation, const sinew::Real3& point, double mass) {
  constexpr double radius = 0.15;  // [m]
  const std::vector<sinew::Real3> x = simulation.positions();
  std::vector<int32_t> near;
  for (size_t v = 0; v < x.size(); ++v)
    if (std::hypot(x[v][0] - point[0], x[v][1] - point[1], x[v][2] - point[2]) < radius)
      near.push_back(static_cast<int32_t>(v));
  std::vector<Held> held;
  for (const int32_t v : near) {
    const double share = 1000 * mass / static_cast<double>(near.size());  // [N/m] 1 cm under the octopus's weight
    const auto grab = simulation.add_grab(v, {.stiffness = share, .damping = 0.05});
    if (!grab) return grab.error();
    held.push_back({*grab, x[static_cast<size_t>(v)]});
  }
  return held;
}

sinew::Real3 center_of(const sinew::Simulation& simulation, const std::vector<double>& masses) {
  static std::vector<double> x(3 * masses.size());
  if (!simulation.read_positions(std::span(x)).ok()) return {};
  sinew::Real3 sum{};
  double mass = 0;
  for (size_t v = 0; v < masses.size(); ++v) {
    for (size_t c = 0; c < 3; ++c) sum[c] += masses[v] * x[3 * v + c];
    mass += masses[v];
  }
  return {sum[0] / mass, sum[1] / mass, sum[2] / mass};
}

int complain(const sinew::Error& error) {
  std::fprintf(stderr, "%s\n", error.message().c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const bool wait = argc > 1 && std::string(argv[1]) == "--real-time";
  const auto scene = jelly_octopus();
  if (!scene) return complain(scene.error());
  auto simulation = sinew::Simulation::create(*scene);
  if (!simulation) return complain(simulation.error());
  const std::vector<double> masses = simulation->masses();

  // What the mouse points at: the point of the surface that a ray from above meets first.
  const auto hit = simulation->cast_ray({0, 5, 0}, {0, -1, 0});
  if (!hit) return complain(hit.error());
  if (!*hit) return complain({"ray", "meets nothing", "aim at the octopus"});
  const auto held = hold_around(*simulation, (*hit)->position, std::accumulate(masses.begin(), masses.end(), 0.0));
  if (!held) return complain(held.error());

  double busy = 0;
  const int frames = static_cast<int>(std::lround(end / frame));
  for (int k = 1; k <= frames; ++k) {
    const auto start = std::chrono::steady_clock::now();
    const double t = k * frame;
    if (t < release) {
      const sinew::Real3 now = hand(t), before = hand(t - frame);
      for (const Held& h : *held) {
        sinew::Real3 target = h.start, velocity{};
        for (size_t c = 0; c < 3; ++c) {
          target[c] += now[c];
          velocity[c] = (now[c] - before[c]) / frame;
        }
        if (auto moved = simulation->move_grab(h.grab, target, velocity); !moved.ok()) return complain(moved.error());
      }
    } else if (t < release + frame) {
      for (const Held& h : *held)
        if (auto thrown = simulation->remove_grab(h.grab); !thrown.ok()) return complain(thrown.error());
    }
    if (auto report = simulation->step(); !report) return complain(report.error());
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    busy += spent.count() / frame;
    if (k % 10 == 0) {
      const sinew::Real3 c = center_of(*simulation, masses);
      std::printf("t = %.2f s: the octopus is at (%.3f, %.3f, %.3f) m\n", simulation->time(), c[0], c[1], c[2]);
    }
    if (wait && spent.count() < frame) std::this_thread::sleep_for(std::chrono::duration<double>(frame) - spent);
  }
  std::printf("steps took %.0f %% of the time they simulated\n", 100 * busy / frames);
}
