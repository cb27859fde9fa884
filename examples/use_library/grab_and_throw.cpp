// A soft ball is grabbed where a ray meets it, swung for a second, and thrown: the loop of a game or a robot's
// simulator. Prints the way of the ball's centre, and how much of each frame's time the step took.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <thread>
#include <vector>

#include "sinew/scene.h"
#include "sinew/simulation.h"

namespace {

constexpr double frame = 1.0 / 60;  // [s]

sinew::Scene ball_in_space() {
  sinew::Scene scene;
  scene.name = "ball";
  sinew::SceneMaterial jelly;
  jelly.name = "jelly";
  jelly.set("youngs_modulus", 2e4);  // [Pa]
  scene.materials.push_back(jelly);
  sinew::SceneObject ball;
  ball.name = "ball";
  ball.mesh = sinew::MeshBall{.radius = 0.2, .shells = 6};
  ball.material = "jelly";
  scene.objects.push_back(ball);
  scene.gravity = {0, -9.81, 0};
  scene.time.frame_dt = frame;
  scene.time.duration = 2;
  return scene;
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
  auto simulation = sinew::Simulation::create(ball_in_space());
  if (!simulation) return complain(simulation.error());
  const std::vector<double> masses = simulation->masses();

  // What the mouse points at: the triangle that a ray from above meets first.
  const auto hit = simulation->cast_ray({0, 1, 0}, {0, -1, 0});
  if (!hit) return complain(hit.error());
  if (!*hit) return complain({"ray", "meets nothing", "aim at the ball"});
  std::vector<sinew::Real3> held;
  for (const int32_t v : (*hit)->vertices) held.push_back(simulation->positions()[static_cast<size_t>(v)]);
  const auto grab = simulation->add_pin((*hit)->vertices);
  if (!grab) return complain(grab.error());

  double busy = 0;
  for (int k = 1; k <= 120; ++k) {
    const auto start = std::chrono::steady_clock::now();
    if (k < 60) {
      // The hand: to the right on a quarter of a circle, faster and faster.
      const double turn = 0.5 * std::pow(k / 60.0, 3) * 3.14159265358979;
      std::vector<sinew::Real3> places = held;
      for (sinew::Real3& p : places) {
        p[0] += std::sin(turn);
        p[1] += 1 - std::cos(turn);
      }
      if (auto moved = simulation->move_pin(*grab, places); !moved.ok()) return complain(moved.error());
    } else if (k == 60) {
      if (auto thrown = simulation->remove_pin(*grab); !thrown.ok()) return complain(thrown.error());
    }
    if (auto report = simulation->step(); !report) return complain(report.error());
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    busy += spent.count() / frame;
    if (k % 10 == 0) {
      const sinew::Real3 c = center_of(*simulation, masses);
      std::printf("t = %.2f s: the ball is at (%.3f, %.3f, %.3f) m\n", simulation->time(), c[0], c[1], c[2]);
    }
    if (wait && spent.count() < frame) std::this_thread::sleep_for(std::chrono::duration<double>(frame) - spent);
  }
  std::printf("steps took %.0f %% of the time they simulated\n", 100 * busy / 120);
}
