#include "solver/by_vertex/jacobi_descent.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/damping_merit.h"

namespace sinew {
namespace {

constexpr int longest_pause = 8;  // iterations
constexpr double shrink = 0.7;
// Differences of the energy below this share of its terms are round-off.
constexpr double resolution = 1e-14;

}  // namespace

template <class Real>
void JacobiDescent<Real>::prepare(const Model& model, ThreadPool& pool) {
  VertexSolver<Real>::prepare(model, pool);
  energy_scale_ = energy_scale(model, pool);
}

template <class Real>
bool JacobiDescent<Real>::take_parameters(const Model& model) {
  if (!VertexSolver<Real>::take_parameters(model)) return false;
  energy_scale_ = energy_scale(model, this->pool());
  return true;
}

template <class Real>
void JacobiDescent<Real>::begin_step(const Objective& objective) {
  VertexSolver<Real>::begin_step(objective);
  objective_ = &objective;
  kept_.clear();
  // Where contact keeps things apart, a step that waits for a script begins anew after each iteration.
  begun_again_ = this->has_limits() && objective.problem().step == step_;
  step_ = objective.problem().step;
  if (!begun_again_) share_ = 1;
  least_ = least_squares_ = std::numeric_limits<double>::infinity();
  iteration_ = next_look_ = 0;
  pause_ = 1;
  restarted_ = false;
}

template <class Real>
void JacobiDescent<Real>::iterate() {
  restarted_ = false;
  if (iteration_++ == next_look_) look();
  this->set_relaxation(share_);
  VertexSolver<Real>::iterate();
  if (iteration_ >= iterations_ || begun_again_) look();
}

template <class Real>
void JacobiDescent<Real>::look() {
  Buffer<Vec4<Real>>& x = this->iterate_now().x;
  x_.resize(static_cast<size_t>(objective_->model().slot_count()));
  this->positions(x_);
  if (improved()) {
    kept_ = x;
    if (iteration_ > 1) pause_ = std::min(2 * pause_, longest_pause);
  } else {
    const Buffer<Vec4<Real>> from = x;
    x = kept_;
    this->keep_limits(from);
    share_ *= shrink;
    pause_ = 1;  // a share that is far too large shows at once, and is not worth more
    restarted_ = true;
  }
  next_look_ += pause_;
}

// Whether the energy is as low as it ever was. With contacts it may rise as forces balance, because shares and friction
// are not its gradient; then the residual may judge.
template <class Real>
bool JacobiDescent<Real>::improved() {
  const double energy = objective_->energy(x_) + damping_merit(objective_->problem(), x_, x_, this->pool());
  bool lower = kept_.empty() || energy <= least_ + resolution * (energy_scale_ + std::abs(energy));
  least_ = std::min(least_, energy);
  if (objective_->problem().contacts) {
    gradient_.resize(x_.size());
    objective_->gradient(x_, gradient_);
    const double squares = ordered_sum<double>(this->pool(), static_cast<int64_t>(gradient_.size()),
                                               [&](int64_t k) { return dot(gradient_[k], gradient_[k]); });
    lower = lower || squares <= least_squares_;
    least_squares_ = std::min(least_squares_, squares);
  }
  return lower;
}

template <class Real>
size_t JacobiDescent<Real>::memory_bytes() const {
  return VertexSolver<Real>::memory_bytes() + (x_.capacity() + gradient_.capacity()) * sizeof(Vec3d) +
         kept_.capacity() * sizeof(Vec4<Real>);
}

template class JacobiDescent<float>;
template class JacobiDescent<double>;

}  // namespace sinew
