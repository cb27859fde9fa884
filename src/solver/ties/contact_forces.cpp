#include "solver/ties/contact_forces.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "element/tie_law.h"
#include "grid/grid_embedding.h"

namespace sinew {
namespace {

// [-] in radii: a visit changes the distance by no more. What has come deep into a body in one step would otherwise
// turn elements inside out before they are visited, and these throw the bodies away. With less, stiff bodies sink
// deeper; with a whole radius, energy grows where they hit each other hard (docs/contact.md).
constexpr double longest_visit = 0.85;

auto name_of(const Contact& c) {
  return std::tuple(c.kind, c.first, c.second);
}

}  // namespace

template <class Real>
void ContactForces<Real>::begin_step(const StepProblem& problem, const GridNodes<Real>& nodes) {
  problem_ = &problem;
  nodes_ = nodes;
  forget();
}

template <class Real>
void ContactForces<Real>::forget() {
  items_.clear();
}

template <class Real>
Vec3<Real> ContactForces<Real>::position(int32_t slot, const Vec4<Real>* x) const {
  const int32_t row = nodes_.embedding ? nodes_.embedding->row_of(slot) : -1;
  if (row >= 0) return nodes_.position(embedded_vertex<Real>(*nodes_.embedding, row), x);
  return {x[slot].x, x[slot].y, x[slot].z};
}

template <class Real>
void ContactForces<Real>::find(ThreadPool& pool, const Vec4<Real>* x) {
  const Contacts& contacts = *problem_->contacts;
  const auto wide = [&](int32_t s) {
    const Vec3<Real> at = position(s, x);
    return Vec3d{at.x, at.y, at.z};
  };
  if (contacts.is_looked_at()) {
    where_.clear();
    for (const int32_t s : contacts.near_slots()) where_.push_back(wide(s));
    contacts.find_near(where_, pool, found_, nullptr);
  } else {
    where_.resize(static_cast<size_t>(problem_->model->slot_count()));
    pool.for_each(static_cast<int64_t>(where_.size()), [&](size_t s) { where_[s] = wide(static_cast<int32_t>(s)); });
    contacts.find(where_, pool, found_, nullptr);
  }
  std::stable_sort(found_.begin(), found_.end(),
                   [](const Contact& a, const Contact& b) { return name_of(a) < name_of(b); });
  old_.swap(items_);
  items_.clear();
  std::swap(old_ends_, ends_);
  ends_.vertices.clear();
  ends_.rows.clear();
  for (const Contact& contact : found_) {
    Item item;
    item.contact = contact;
    item.numbers = in_precision<Real>(contact.numbers);
    for (size_t j = 0; j < 4; ++j) {
      const int32_t slot = contact.slots[j];
      if (slot < 0) continue;
      if (const int32_t row = nodes_.embedding ? nodes_.embedding->row_of(slot) : -1; row >= 0) {
        item.embedded[j] = static_cast<int32_t>(ends_.rows.size());
        ends_.rows.push_back(row);
        ends_.vertices.push_back(embedded_vertex<Real>(*nodes_.embedding, row));
      }
      item.found_at[j] = position(slot, x);
    }
    items_.push_back(item);
  }
}

template <class Real>
void ContactForces<Real>::push(const Item& item, const EmbeddedEnds& ends, Vec3<Real> impulse, Vec4<Real>* x) const {
  for (size_t j = 0; j < 4; ++j) {
    if (item.contact.slots[j] < 0) continue;
    if (item.embedded[j] >= 0) {
      nodes_.push(ends.vertices[static_cast<size_t>(item.embedded[j])], item.numbers.weights[j] * impulse, x);
      continue;
    }
    Vec4<Real>& p = x[item.contact.slots[j]];
    const Real share = p.w * item.numbers.weights[j];
    p.x += share * impulse.x;
    p.y += share * impulse.y;
    p.z += share * impulse.z;
  }
}

template <class Real>
Vec3<Real> ContactForces<Real>::change_of(const Item& item, const Vec4<Real>* x) const {
  Vec3<Real> change{};
  for (size_t j = 0; j < 4; ++j) {
    const int32_t slot = item.contact.slots[j];
    if (slot < 0) continue;
    const Vec3<Real> now = item.embedded[j] >= 0
                               ? nodes_.position(ends_.vertices[static_cast<size_t>(item.embedded[j])], x)
                               : Vec3<Real>{x[slot].x, x[slot].y, x[slot].z};
    change += item.numbers.weights[j] * (now - item.found_at[j]);
  }
  return change;
}

template <class Real>
Real ContactForces<Real>::mobility(const Item& item, const Vec4<Real>* x) const {
  Real w = 0;
  std::array<int32_t, 4> rows{};
  std::array<double, 4> weights{};
  size_t count = 0;
  for (size_t j = 0; j < 4; ++j) {
    if (item.contact.slots[j] < 0) continue;
    if (item.embedded[j] >= 0) {
      rows[count] = ends_.rows[static_cast<size_t>(item.embedded[j])];
      weights[count++] = item.contact.numbers.weights[j];
    } else {
      w += x[item.contact.slots[j]].w * item.numbers.weights[j] * item.numbers.weights[j];
    }
  }
  if (count == 0) return w;
  return w + static_cast<Real>(nodes_.mobility(std::span(rows).first(count), std::span(weights).first(count)));
}

template <class Real>
void ContactForces<Real>::sweep(ThreadPool& pool, Vec4<Real>* x, Real h2) {
  if (!any()) return;
  find(pool, x);
  // Both lists are sorted by name.
  size_t next = 0;
  const auto take_back = [&](const Item& gone) { push(gone, old_ends_, h2 * gone.force, x); };
  for (Item& item : items_) {
    const auto name = name_of(item.contact);
    while (next < old_.size() && name_of(old_[next].contact) < name) take_back(old_[next++]);
    if (next == old_.size() || name_of(old_[next].contact) != name) continue;
    item.force = old_[next].force;
    take_back(old_[next++]);
    push(item, ends_, -h2 * item.force, x);
  }
  while (next < old_.size()) take_back(old_[next++]);

  for (Item& item : items_) {
    const Real t = h2 * mobility(item, x);
    if (t == 0) continue;
    const ContactForce<Real> f = contact_force(item.numbers, change_of(item, x));
    const TieStiffness<Real> stiffness{f.axis, f.along, f.across};
    Vec3<Real> change = stiffness.damped(t, -f.force - item.force);
    const Real length = t * std::sqrt(dot(change, change)),
               most = static_cast<Real>(longest_visit) * item.numbers.law.radius;
    if (most > 0 && length > most) change = (most / length) * change;
    item.force += change;
    push(item, ends_, -h2 * change, x);
  }
}

template <class Real>
void ContactForces<Real>::project(ThreadPool& pool, Vec4<Real>* x, Real share) {
  if (!any()) return;
  find(pool, x);
  for (const Item& item : items_) {
    const Real w = mobility(item, x);
    if (w == 0 || !(item.numbers.share > 0)) continue;
    const Vec3<Real> n = item.numbers.normal, change = change_of(item, x);
    const Real fault = item.numbers.law.radius - item.numbers.distance - dot(n, change);
    if (!(fault > 0)) continue;
    const Real normal = share * item.numbers.share * fault;
    const Vec3<Real> slip = item.numbers.slip + change, u = slip - dot(n, slip) * n;
    const Real length = std::sqrt(dot(u, u)), most = item.numbers.friction * normal;
    const Real back = length > 0 ? std::min(Real(1), most / length) : 0;
    push(item, ends_, (1 / w) * (normal * n - (share * back) * u), x);
  }
}

template <class Real>
void ContactForces<Real>::add_impulses(Vec4<Real>* x, Real h2) const {
  for (const Item& item : items_) push(item, ends_, -h2 * item.force, x);
}

template <class Real>
double ContactForces<Real>::add_residuals(Real h2, std::span<const uint8_t> held, std::span<Vec3d> g) const {
  double squares = 0;
  for (const Item& item : items_) {
    const Vec3d p{item.force.x, item.force.y, item.force.z};
    for (size_t j = 0; j < 4; ++j) {
      const int32_t s = item.contact.slots[j];
      if (s >= 0 && !held[static_cast<size_t>(s)])
        g[static_cast<size_t>(s)] += (static_cast<double>(h2) * item.contact.numbers.weights[j]) * p;
    }
    const Vec3d lack = -contact_force(item.contact.numbers, Vec3d{}).force - p;
    const double stiffness = item.contact.numbers.law.stiffness;
    squares += dot(lack, lack) / (stiffness * stiffness);
  }
  return squares;
}

template class ContactForces<float>;
template class ContactForces<double>;

}  // namespace sinew
