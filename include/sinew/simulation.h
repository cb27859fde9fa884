// The library in five lines:
//
//   auto scene = sinew::read_scene("beam.json");                 // or build a Scene in code
//   auto simulation = sinew::Simulation::create(*scene);         // look at scene and simulation: each may be an Error
//   for (int frame = 0; frame < simulation->frame_count(); ++frame) {
//     if (auto reports = simulation->advance_frame(); !reports) return complain(reports.error());
//     draw(simulation->positions());
//   }
//
// Everything is in SI units and in the user's vertex order: objects as the scene lists them, vertices as their meshes
// do. Results have the same bits for any number of threads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sinew/report.h"
#include "sinew/result.h"
#include "sinew/scene.h"

namespace sinew {

struct Engine;

class Simulation {
 public:
  // threads <= 0: one per core. Errors: whatever is wrong with the scene, with the paths of its keys.
  static Result<Simulation> create(const Scene& scene, int threads = 0);
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  // Takes one time step. An Error (a state that is not finite) leaves the state as it was before the step.
  Result<StepReport> step();
  // Takes the steps up to the next frame.
  Result<std::vector<StepReport>> advance_frame();

  double time() const;  // [s]
  int64_t steps_taken() const;
  int64_t frames_taken() const;
  int64_t frame_count() const;  // that the scene asks for
  int64_t steps_per_frame() const;

  int32_t vertex_count() const;
  std::vector<Real3> positions() const;   // [m]
  std::vector<Real3> velocities() const;  // [m/s]
  std::vector<Real3> rest_positions() const;
  std::vector<std::array<int32_t, 4>> tets() const;  // of a triangle the fourth is -1
  // Sets positions and velocities, one entry per vertex; the step counter and the clock go on. A vertex that a pin
  // holds in the next step follows the pin: its position must be the present one, to a millionth of the size of the
  // scene, and its velocity is not looked at. To move it, give the pin keyframes. Errors, which change nothing: wrong
  // number of entries, a number that is not finite, a held vertex that is elsewhere.
  Status set_state(const std::vector<Real3>& positions, const std::vector<Real3>& velocities);

  // The objective of the last step at the present positions; of the first step before one was taken.
  Evaluation evaluate() const;
  // The force [N] of the pins on each vertex, at the end of the last step: with all else that acts on the vertex it
  // gives it the acceleration that its pins impose; on one that glides only across what it is free in. 0 elsewhere.
  std::vector<Real3> reactions() const;
  // A fingerprint of positions, velocities and the clock: equal bits, equal hash.
  uint64_t hash() const;

  // What was repaired in the meshes and what looks wrong.
  const std::vector<std::string>& warnings() const;
  // Called during the steps that follow; null: nobody. Must outlive the simulation or be reset.
  void set_observer(Observer* observer);

 private:
  explicit Simulation(std::unique_ptr<Engine> engine);
  std::unique_ptr<Engine> engine_;
};

}  // namespace sinew
