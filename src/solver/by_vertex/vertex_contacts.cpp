#include "solver/by_vertex/vertex_contacts.h"

#include <algorithm>
#include <cmath>

namespace sinew {

template <class Real>
void VertexContacts<Real>::begin_step(const StepProblem& problem, int lanes, const ContactSweep& sweep) {
  problem_ = &problem;
  lanes_ = lanes;
  how_ = sweep;
  contacts_.clear();
  waiting_begin_.clear();
  ends_.clear();
  involved_.clear();
  if (!problem.contacts) return;
  const auto slots = static_cast<size_t>(problem.model->slot_count());
  has_.assign(slots / static_cast<size_t>(lanes), 0);
  place_of_.assign(slots, -1);
  in_phases_ = problem.model->clusters.count() > 1;
}

template <class Real>
void VertexContacts<Real>::find_contacts(const Buffer<Vec4<Real>>& x, const Buffer<Vec4<Real>>& base,
                                         ThreadPool& pool) {
  const Contacts& all = *problem_->contacts;
  where_.resize(x.size());
  const auto place = [&](size_t s) {
    where_[s] = {x[s].x, x[s].y, x[s].z};
    if (!base.empty()) where_[s] += Vec3d{base[s].x, base[s].y, base[s].z};
  };
  if (all.limits() || !all.is_looked_at()) {
    pool.for_each(static_cast<int64_t>(x.size()), place);
    all.find(where_, pool, contacts_, nullptr);
  } else {
    const std::span<const int32_t> near = all.near_slots();
    pool.for_each(static_cast<int64_t>(near.size()), [&](size_t k) { place(static_cast<size_t>(near[k])); });
    all.find_near(where_, pool, contacts_, nullptr);
  }
}

template <class Real>
void VertexContacts<Real>::find(const Buffer<Vec4<Real>>& x, const Buffer<Vec4<Real>>& base, ThreadPool& pool) {
  find_contacts(x, base, pool);
  for (const int32_t slot : involved_) {
    place_of_[static_cast<size_t>(slot)] = -1;
    has_[static_cast<size_t>(slot / lanes_)] = 0;
  }
  involved_.clear();
  size_t count = 0;
  for (const Contact& contact : contacts_) {
    for (const int32_t slot : contact.slots) {
      if (slot < 0) continue;
      ++count;
      int32_t& place = place_of_[static_cast<size_t>(slot)];
      if (place >= 0) continue;
      place = 0;
      involved_.push_back(slot);
    }
  }
  std::sort(involved_.begin(), involved_.end());
  found_at_.resize(involved_.size());
  for (size_t k = 0; k < involved_.size(); ++k) {
    const auto slot = static_cast<size_t>(involved_[k]);
    place_of_[slot] = static_cast<int32_t>(k);
    has_[slot / static_cast<size_t>(lanes_)] = 1;
    found_at_[k] = x[slot];
  }

  // A counting sort of the ends by slot.
  end_of_.assign(involved_.size() + 1, 0);
  numbers_.resize(contacts_.size());
  for (size_t c = 0; c < contacts_.size(); ++c) {
    const Contact& contact = contacts_[c];
    numbers_[c].numbers = in_precision<Real>(contact.numbers);
    for (size_t j = 0; j < 4; ++j) {
      const int32_t slot = contact.slots[j];
      numbers_[c].places[j] = slot < 0 ? -1 : place_of_[static_cast<size_t>(slot)];
      if (slot >= 0) ++end_of_[static_cast<size_t>(numbers_[c].places[j]) + 1];
    }
  }
  for (size_t k = 0; k < involved_.size(); ++k) end_of_[k + 1] += end_of_[k];
  ends_.resize(count);
  std::vector<int32_t> next(end_of_.begin(), end_of_.end() - 1);
  for (size_t c = 0; c < contacts_.size(); ++c) {
    const Contact& contact = contacts_[c];
    const bool shared = how_.shares_penalties && contact.numbers.law.radius == 0;
    std::array<Moment, 4> moments{};
    for (size_t j = 0; j < 4; ++j)
      if (contact.slots[j] >= 0) moments[j] = moment_of(contact.slots[j]);
    for (size_t j = 0; j < 4; ++j) {
      if (contact.slots[j] < 0) continue;
      const double s = contact.numbers.weights[j];
      double all = 0;
      for (size_t k = 0; k < 4; ++k)
        if (contact.slots[k] >= 0 && (shared || move_at_once(moments[j], moments[k])))
          all += std::abs(contact.numbers.weights[k]);
      const auto place = static_cast<size_t>(numbers_[c].places[j]);
      ends_[static_cast<size_t>(next[place]++)] = {contact.slots[j], static_cast<int32_t>(c), static_cast<Real>(s),
                                                   static_cast<Real>(std::abs(s) * all)};
    }
  }
  if (in_phases_) begin_phase(x);
}

template <class Real>
typename VertexContacts<Real>::Moment VertexContacts<Real>::moment_of(int32_t slot) const {
  const Model& model = *problem_->model;
  const auto index_in = [](const std::vector<int32_t>& begin, int32_t k) {
    return static_cast<int32_t>(std::upper_bound(begin.begin(), begin.end(), k) - begin.begin()) - 1;
  };
  const int32_t cluster = in_phases_ ? model.clusters.cluster_of(slot) : 0;
  return {slot, index_in(model.color_begin, slot), cluster,
          in_phases_ ? index_in(model.clusters.phase_begin, cluster) : 0};
}

// Whether neither sees where the other one moves. Colours are those of one cluster.
template <class Real>
bool VertexContacts<Real>::move_at_once(const Moment& a, const Moment& b) const {
  if (a.slot == b.slot || how_.at_once) return true;
  if (a.cluster == b.cluster) return a.color == b.color && !how_.recolored;
  return a.phase == b.phase;
}

template <class Real>
void VertexContacts<Real>::take_turns(std::span<const int32_t> color_begin) {
  turn_of_.assign(involved_.size(), 0);
  waiting_.clear();
  waiting_begin_.clear();
  std::vector<int32_t> taken;
  size_t k = 0;
  for (size_t color = 0; color + 1 < color_begin.size(); ++color) {
    waiting_begin_.push_back(static_cast<int32_t>(waiting_.size()));
    const size_t first = k;
    for (; k < involved_.size() && involved_[k] < color_begin[color + 1]; ++k) {
      taken.clear();
      for (auto e = static_cast<size_t>(end_of_[k]); e < static_cast<size_t>(end_of_[k + 1]); ++e)
        for (const int32_t place : numbers_[static_cast<size_t>(ends_[e].contact)].places)
          if (place >= static_cast<int32_t>(first) && place < static_cast<int32_t>(k))
            taken.push_back(turn_of_[static_cast<size_t>(place)]);
      std::sort(taken.begin(), taken.end());
      int32_t turn = 0;
      for (const int32_t t : taken) turn += t == turn ? 1 : 0;
      turn_of_[k] = turn;
      if (turn > 0) waiting_.push_back({turn, involved_[k]});
    }
    std::sort(waiting_.begin() + waiting_begin_.back(), waiting_.end());
  }
  waiting_begin_.push_back(static_cast<int32_t>(waiting_.size()));
}

template <class Real>
std::span<const typename VertexContacts<Real>::Waiting> VertexContacts<Real>::waiting(int32_t color) const {
  if (waiting_begin_.empty()) return {};
  const auto first = static_cast<size_t>(waiting_begin_[static_cast<size_t>(color)]);
  const auto last = static_cast<size_t>(waiting_begin_[static_cast<size_t>(color) + 1]);
  return std::span(waiting_).subspan(first, last - first);
}

template <class Real>
void VertexContacts<Real>::mark(std::span<uint8_t> collided) const {
  for (const Contact& contact : contacts_) {
    if (!(contact.numbers.distance < contact.numbers.law.radius)) continue;
    for (const int32_t slot : contact.slots)
      if (slot >= 0) collided[static_cast<size_t>(slot)] = 1;
  }
}

template <class Real>
void VertexContacts<Real>::begin_phase(const Buffer<Vec4<Real>>& x) {
  phase_.resize(involved_.size());
  for (size_t k = 0; k < involved_.size(); ++k) phase_[k] = x[static_cast<size_t>(involved_[k])];
}

// The rows of a vertex are those of tie_kernel::Sums: (f, xx), (xy, xz, yy, yz), (zz).
template <class Real>
void VertexContacts<Real>::add_slot(const VertexSweep<Real>& sweep, size_t first_end, size_t last_end) const {
  Vec3<Real> force{};
  Sym3<Real> stiffness{};
  for (size_t e = first_end; e < last_end; ++e) {
    const End& end = ends_[e];
    const Numbers& contact = numbers_[static_cast<size_t>(end.contact)];
    Vec3<Real> change{};
    for (size_t j = 0; j < 4; ++j) {
      const int32_t place = contact.places[j];
      if (place < 0) continue;
      const auto k = static_cast<size_t>(place);
      const int64_t here = sweep.own(involved_[k]);
      const Vec4<Real>& now = in_phases_ && (here < 0 || here >= sweep.own_count) ? phase_[k] : sweep.x[here];
      const Vec4<Real>& then = found_at_[k];
      change += contact.numbers.weights[j] * Vec3<Real>{now.x - then.x, now.y - then.y, now.z - then.z};
    }
    const ContactForce<Real> f = contact_force(contact.numbers, change);
    force += end.weight * f.force;
    const Real across = end.size * f.across;
    add_identity(stiffness, across);
    add_outer(stiffness, end.size * f.along - across, f.axis);
  }
  Vec4<Real>* const rows = sweep.contact_sums + rows_of_sums * (sweep.own(ends_[first_end].slot) - sweep.first_sum);
  rows[0] = {force.x, force.y, force.z, stiffness.xx};
  rows[1] = {stiffness.xy, stiffness.xz, stiffness.yy, stiffness.yz};
  rows[2] = {stiffness.zz, 0, 0, 0};
}

template <class Real>
void VertexContacts<Real>::add(const VertexSweep<Real>& sweep, int32_t first_slot, int32_t last_slot,
                               ThreadPool* pool) const {
  const auto first = std::lower_bound(involved_.begin(), involved_.end(), first_slot) - involved_.begin();
  const auto last = std::lower_bound(involved_.begin() + first, involved_.end(), last_slot) - involved_.begin();
  if (first == last) return;
  // The other vertices of these batches have none.
  for (auto k = first; k < last; ++k) {
    const int32_t batch = involved_[static_cast<size_t>(k)] / lanes_;
    if (k > first && involved_[static_cast<size_t>(k - 1)] / lanes_ == batch) continue;
    std::fill_n(sweep.contact_sums + rows_of_sums * (sweep.own(int64_t{batch} * lanes_) - sweep.first_sum),
                rows_of_sums * lanes_, Vec4<Real>{0, 0, 0, 0});
  }
  const auto sum = [&](int64_t from, int64_t to) {
    for (auto k = static_cast<size_t>(first + from); k < static_cast<size_t>(first + to); ++k)
      add_slot(sweep, static_cast<size_t>(end_of_[k]), static_cast<size_t>(end_of_[k + 1]));
  };
  constexpr int64_t grain = 64;
  if (pool) {
    pool->parallel_for(last - first, grain, sum);
  } else {
    sum(0, last - first);
  }
}

template class VertexContacts<float>;
template class VertexContacts<double>;

}  // namespace sinew
