// The yardstick: VBD and XPBD for Neo-Hookean as such code is usually written, in scalar single precision over an array
// of tets, with the order, the colours and the threads of the engine. It must give the same positions.
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

class PlainVbd {
 public:
  explicit PlainVbd(const StepProblem& problem);
  void sweep(ThreadPool& pool);
  const std::vector<Vec3f>& positions() const { return x_; }
  size_t bytes() const;

 private:
  void vertex(int32_t i);

  std::vector<int32_t> color_begin_;
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

  std::vector<int32_t> color_begin_;
  std::vector<PlainTet> tets_;  // by colour
  std::vector<float> multipliers_;
  std::vector<Vec3f> x_;
  std::vector<float> inverse_mass_;
  float mu_, lambda_hat_, gamma_, h2_;
};

}  // namespace sinew::bench
