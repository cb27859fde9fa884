// The initial guess of bodies of quadratic tetrahedra that are far out of shape.
//
// Vertices that a few sweeps have moved far are fast, and go on by h v. In a body whose points turn inside out by that,
// the energy may exceed what it had before by far, more than the sweeps of a step take away again, and grows from step
// to step until it flies apart. Such a body starts instead where the energy is less: moved as a whole, as its momentum
// and angular momentum have it, or where it was. Moved as a whole, bodies may be pressed deep into what they lie on:
// where that costs more than is won, all of them stay where they were.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "exec/thread_pool.h"
#include "model/model.h"
#include "model/step_problem.h"

namespace sinew {

class BodyGuess {
 public:
  // The model must outlive it. Bodies of linear tets alone are left as they are.
  explicit BodyGuess(const Model& model);

  // x: the guess [m] by slot, with held vertices at their targets; `problem` is that of the step. contact_energy [J]:
  // of positions by slot; empty: nothing stops bodies, or limits do.
  void mend(const StepProblem& problem, ThreadPool& pool,
            const std::function<double(std::span<const Vec3d>)>& contact_energy, std::span<Vec3d> x);

 private:
  struct Body {
    std::vector<int32_t> slots;
    std::vector<int32_t> tets;  // those that are quadratic
  };
  // Of a guess, by body.
  struct Measure {
    std::vector<double> elastic;  // [J]
    std::vector<uint8_t> inverted;
  };

  Measure measure(ThreadPool& pool, std::span<const Vec3d> x);
  double inertia(const StepProblem& problem, const Body& body, std::span<const Vec3d> x) const;
  void move_rigidly(const StepProblem& problem, const Body& body, std::span<const Vec3d> guess,
                    std::span<Vec3d> x) const;

  const Model& model_;
  std::vector<Body> bodies_;
  std::vector<double> energy_, det_f_;  // by tet; of linear ones nothing
};

}  // namespace sinew
