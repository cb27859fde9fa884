// The baseline: VBD and XPBD as usually written, one number at a time in single precision over an array of tets, with
// F, the stress and the vertex's block from their definitions; vertices by colour along the curve, without the engine's
// clusters, but with its threads. If the engine makes no clusters either, positions must agree.
//
// Real is float, or Counted, which counts the operations.
#pragma once

#include <cstdint>
#include <vector>

#include "counted.h"
#include "exec/thread_pool.h"
#include "mesh/coloring.h"
#include "model/step_problem.h"

namespace sinew::bench {

template <class Real>
struct PlainTet {
  int32_t vertex[4];
  Real inverse[3][3];  // of the rest edges: rows g_1, g_2, g_3
  Real volume;
};

// The vertex order of the plain code: the slot of each of its vertices, and its colours.
struct PlainOrder {
  explicit PlainOrder(const Model& model);
  std::vector<int32_t> slots;
  std::vector<int32_t> color_begin{0};
  std::vector<Tet> tets;  // of the model, with the plain code's vertices
};

// The contribution of a tet to force and block of a vertex with the rest gradient g.
template <class Real>
struct PlainNeoHookean {
  explicit PlainNeoHookean(Lame lame);
  void add(const Mat3<Real>& f, Vec3<Real> g, Real volume, Vec3<Real>& force, Sym3<Real>& block) const;
  Real mu, lambda_hat, gamma;
};
template <class Real>
struct PlainFixedCorotated {
  explicit PlainFixedCorotated(Lame lame);
  void add(const Mat3<Real>& f, Vec3<Real> g, Real volume, Vec3<Real>& force, Sym3<Real>& block) const;
  Real mu, lambda;
};

template <class Real, template <class> class Material>
class PlainVbd {
 public:
  explicit PlainVbd(const StepProblem& problem);
  void sweep(ThreadPool& pool);
  const std::vector<Vec3<Real>>& positions() const { return x_; }
  size_t bytes() const;

 private:
  void vertex(int32_t i);

  PlainOrder order_;
  Material<Real> material_;
  std::vector<PlainTet<Real>> tets_;
  Incidence incidence_;
  std::vector<Vec3<Real>> x_, target_;
  std::vector<Real> inertia_;  // m/h^2, 0 where held
};

// Neo-Hookean: a deviatoric and a volume constraint.
template <class Real>
class PlainXpbd {
 public:
  explicit PlainXpbd(const StepProblem& problem);
  void sweep(ThreadPool& pool);
  const std::vector<Vec3<Real>>& positions() const { return x_; }
  size_t bytes() const;

 private:
  void tet(int32_t e);

  PlainOrder order_;
  PlainNeoHookean<Real> material_;
  std::vector<int32_t> color_begin_;
  std::vector<PlainTet<Real>> tets_;  // by colour
  std::vector<Real> multipliers_;
  std::vector<Vec3<Real>> x_;
  std::vector<Real> inverse_mass_;
  Real h2_;
};

}  // namespace sinew::bench
