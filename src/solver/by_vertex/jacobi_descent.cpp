#include "solver/by_vertex/jacobi_descent.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/contacts.h"
#include "objective/contact_terms.h"
#include "solver/damping_merit.h"

namespace sinew {
namespace {

constexpr int look_every = 8;
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
  share_ = 1;
  least_ = std::numeric_limits<double>::infinity();
  iteration_ = 0;
  restarted_ = false;
}

template <class Real>
void JacobiDescent<Real>::iterate() {
  restarted_ = false;
  if (iteration_++ % look_every == 0) look();
  this->set_relaxation(share_);
  VertexSolver<Real>::iterate();
}

template <class Real>
void JacobiDescent<Real>::look() {
  Buffer<Vec4<Real>>& x = this->iterate_now().x;
  x_.resize(static_cast<size_t>(objective_->model().slot_count()));
  this->positions(x_);
  double energy = objective_->energy(x_) + damping_merit(objective_->problem(), x_, x_, this->pool());
  if (const Contacts* contacts = objective_->problem().contacts) {
    std::vector<Contact> found;
    contacts->find(x_, this->pool(), found, nullptr);
    energy += friction_merit(found, x_, x_);
  }
  if (kept_.empty() || energy <= least_ + resolution * (energy_scale_ + std::abs(energy))) {
    least_ = std::min(least_, energy);
    kept_ = x;
  } else {
    const Buffer<Vec4<Real>> from = x;
    x = kept_;
    this->keep_limits(from);
    share_ *= shrink;
    restarted_ = true;
  }
}

template <class Real>
size_t JacobiDescent<Real>::memory_bytes() const {
  return VertexSolver<Real>::memory_bytes() + x_.capacity() * sizeof(Vec3d) + kept_.capacity() * sizeof(Vec4<Real>);
}

template class JacobiDescent<float>;
template class JacobiDescent<double>;

}  // namespace sinew
