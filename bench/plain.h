// The yardstick: VBD and XPBD for Neo-Hookean as such code is usually written, in scalar single precision over an array
// of tets: vertices by colour along the curve, whatever clusters the engine makes, and its threads. Where the engine
// makes none, it must give the same positions.
#pragma once

#include <cstdint>
#include <vector>

#include "exec/thread_pool.h"
#include "mesh/coloring.h"
#include "model/step_problem.h"

namespace sinew::bench {

struct PlainTet {
  int32_t vertex[4];
  float inverse[3][3];  // of the rest edges: rows g_1, g_2, g_3
  float volume;
};

// The order of the plain code: the slot of each of its vertices, and its colours.
struct PlainOrder {
  explicit PlainOrder(const Model& model);
  std::vector<int32_t> slots;
  std::vector<int32_t> color_begin{0};
  std::vector<Tet> tets;  // of the model, with the plain code's vertices
};

class PlainVbd {
 public:
  explicit PlainVbd(const StepProblem& problem);
  void sweep(ThreadPool& pool);
  const std::vector<Vec3f>& positions() const { return x_; }
  size_t bytes() const;

 private:
  void vertex(int32_t i);

  PlainOrder order_;
  std::vector<PlainTet> tets_;
  Incidence incidence_;
  std::vector<Vec3f> x_, target_;
  std::vector<float> inertia_;  // m/h^2, 0 where held
  float mu_, lambda_hat_, gamma_;
};

class PlainXpbd {
 public:
  explicit PlainXpbd(const StepProblem& problem);
  void sweep(ThreadPool& pool);
  const std::vector<Vec3f>& positions() const { return x_; }
  size_t bytes() const;

 private:
  void tet(int32_t e);

  PlainOrder order_;
  std::vector<int32_t> color_begin_;
  std::vector<PlainTet> tets_;  // by colour
  std::vector<float> multipliers_;
  std::vector<Vec3f> x_;
  std::vector<float> inverse_mass_;
  float mu_, lambda_hat_, gamma_, h2_;
};

}  // namespace sinew::bench
