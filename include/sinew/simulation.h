// The library in five lines:
//
//   auto scene = sinew::read_scene("beam.json");                 // or build a Scene in code
//   auto simulation = sinew::Simulation::create(*scene); // check scene and simulation: each may be an Error for (int
//   frame = 0; frame < simulation->frame_count(); ++frame) {
//     if (auto reports = simulation->advance_frame(); !reports) return complain(reports.error());
//     draw(simulation->positions());
//   }
//
// Everything is in SI units and in the user's vertex order: objects in the order of the scene, vertices in the order of
// their meshes. Results are bit-identical for any number of threads.
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
  // threads <= 0: one per core. Errors: every fault of the scene, with the path of its key.
  static Result<Simulation> create(const Scene& scene, int threads = 0);
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  // Takes one time step. On an Error (a state that is not finite) the state from before the step is kept.
  Result<StepReport> step();
  // Takes the steps up to the next frame.
  Result<std::vector<StepReport>> advance_frame();

  double time() const;  // [s]
  int64_t steps_taken() const;
  int64_t frames_taken() const;
  int64_t frame_count() const;  // frames in the scene's duration
  int64_t steps_per_frame() const;

  int32_t vertex_count() const;
  std::vector<Real3> positions() const;   // [m]
  std::vector<Real3> velocities() const;  // [m/s]
  std::vector<Real3> rest_positions() const;
  std::vector<std::array<int32_t, 4>> tets() const;  // the fourth index of a triangle is -1
  // Sets positions and velocities, one entry per vertex; the step counter and the clock continue. A vertex that a pin
  // holds in the next step follows the pin: its position must equal the current one to a millionth of the size of the
  // scene, and its velocity is ignored. To move it, give the pin keyframes. Errors, which leave the state unchanged: a
  // wrong number of entries, a number that is not finite, a held vertex in another place.
  Status set_state(const std::vector<Real3>& positions, const std::vector<Real3>& velocities);

  // The objective of the last step at the current positions; before any step, that of the first step.
  Evaluation evaluate() const;
  // The force [N] of the pins on each vertex at the end of the last step: together with all other forces on the vertex
  // it produces the acceleration that the pins impose. On a vertex that glides it acts only in the directions that are
  // held. 0 elsewhere.
  std::vector<Real3> reactions() const;
  // A fingerprint of positions, velocities and the clock: equal for bit-identical states.
  uint64_t hash() const;

  // Repairs made to the meshes, and suspicious input.
  const std::vector<std::string>& warnings() const;
  // Called during the steps that follow; null: no observer. Must outlive the simulation or be reset.
  void set_observer(Observer* observer);

 private:
  explicit Simulation(std::unique_ptr<Engine> engine);
  std::unique_ptr<Engine> engine_;
};

}  // namespace sinew
