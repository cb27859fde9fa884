// Contacts in the methods by constraint: each contact keeps a force p of its own, as ties do in FP-PXPBD
// (tie_forces.h), with M (x - y) + h^2 (that of the elements + sum s_j p) = 0 for every vertex, and takes a Newton step
// for its vertices towards the force of its law, friction included,
//   (1 + t phi''(C)) dp = phi'(C) - p,   p += dp,   x_j -= w_j h^2 s_j dp,   t = h^2 sum_j w_j s_j^2.
// For a law that is quadratic this is the visit of XPBD to a constraint d - r >= 0 of compliance 1/k. With a radius, a
// visit changes C by half of it at most.
//
// A vertex on a grid is moved by its nodes: there W = sum_jk s_j s_k M_jk is in place of sum_j w_j s_j^2, as for ties
// (solver/by_constraint/embedded_ties.h).
//
// Contacts are found anew before each sweep. One that is there again keeps its force, with its new weights; that of one
// that is gone is taken back. They are visited one after the other.
//
// In PBD a contact has no force: its vertices are moved to where d = r, and back across n by no more than mu times that
// (Mueller et al. 2007; Macklin et al. 2014, "Unified particle physics", section 6.1).
#pragma once

#include <vector>

#include "contact/contacts.h"
#include "model/iterate.h"
#include "model/step_problem.h"
#include "solver/grid_nodes.h"

namespace sinew {

template <class Real>
class ContactForces {
 public:
  // Starts without forces. `nodes`: of the grid, whose positions are behind those of slots in what follows.
  void begin_step(const StepProblem& problem, const GridNodes<Real>& nodes = {});
  bool any() const { return problem_ && problem_->contacts; }
  // Forgets all forces, for a pseudo-step that starts from where the last one ended.
  void forget();

  // Finds contacts and visits each once. x by slot, w = 1/m. The same bits for any number of threads.
  void sweep(ThreadPool& pool, Vec4<Real>* x, Real h2);
  // The same without forces (PBD); share: of each fault that is removed.
  void project(ThreadPool& pool, Vec4<Real>* x, Real share);
  // x_j -= w_j h^2 s_j p.
  void add_impulses(Vec4<Real>* x, Real h2) const;
  // Adds h^2 s_j p [N s^2] to g at slots that are not held; returns the sum of ((phi'(C) - p) / stiffness)^2 [m^2].
  double add_residuals(Real h2, std::span<const uint8_t> held, std::span<Vec3d> g) const;
  size_t memory_bytes() const {
    return (items_.capacity() + old_.capacity()) * sizeof(Item) +
           (ends_.rows.capacity() + old_ends_.rows.capacity()) * (sizeof(EmbeddedVertex<Real>) + sizeof(int32_t));
  }

 private:
  struct Item {
    Contact contact;
    ContactNumbers<Real> numbers;
    Vec3<Real> force{};
    std::array<Vec3<Real>, 4> found_at{};
    std::array<int32_t, 4> embedded{-1, -1, -1, -1};  // the number of each end that is on a grid among `ends`
  };
  // Those of the contacts of one finding.
  struct EmbeddedEnds {
    std::vector<EmbeddedVertex<Real>> vertices;
    std::vector<int32_t> rows;
  };
  void find(ThreadPool& pool, const Vec4<Real>* x);
  Vec3<Real> position(int32_t slot, const Vec4<Real>* x) const;
  void push(const Item& item, const EmbeddedEnds& ends, Vec3<Real> impulse, Vec4<Real>* x) const;
  Vec3<Real> change_of(const Item& item, const Vec4<Real>* x) const;
  Real mobility(const Item& item, const Vec4<Real>* x) const;

  const StepProblem* problem_ = nullptr;
  GridNodes<Real> nodes_;
  std::vector<Item> items_, old_;
  EmbeddedEnds ends_, old_ends_;
  std::vector<Contact> found_;
  std::vector<Vec3d> where_;
};

extern template class ContactForces<float>;
extern template class ContactForces<double>;

}  // namespace sinew
