#include "solver/by_vertex/vertex_contacts.h"

#include <algorithm>
#include <cmath>

namespace sinew {
template <class Real>
void VertexContacts<Real>::begin_step(const StepProblem& problem, int lanes, const ContactSweep& sweep) {
  problem_ = &problem;
  hold_.forget();
  lanes_ = lanes;
  how_ = sweep;
  contacts_.clear();
  waiting_begin_.clear();
  end_contacts_.clear();
  involved_.clear();
  if (!problem.contacts) return;
  const auto slots = static_cast<size_t>(problem.model->slot_count());
  has_.assign(slots / static_cast<size_t>(lanes_), 0);
  place_of_.assign(slots, -1);
  in_phases_ = problem.model->clusters.count() > 1;
}

// Finds contacts, unless those that there are still serve; returns whether they are others.
template <class Real>
bool VertexContacts<Real>::find_contacts(const Buffer<Vec4<Real>>& x, const Buffer<Vec4<Real>>& base, ThreadPool& pool,
                                         bool anew) {
  const Contacts& all = *problem_->contacts;
  const auto place = [&](size_t s) {
    const Vec3d at{x[s].x, x[s].y, x[s].z};
    return base.empty() ? at : at + Vec3d{base[s].x, base[s].y, base[s].z};
  };
  const auto take_near = [&] {
    const std::span<const int32_t> near = all.near_slots();
    where_near_.resize(near.size());
    pool.for_each(static_cast<int64_t>(near.size()),
                  [&](size_t k) { where_near_[k] = place(static_cast<size_t>(near[k])); });
  };
  if (!anew && hold_.serves(place, pool)) return false;
  if (all.limits() || !all.is_looked_at()) {
    where_.resize(x.size());
    pool.for_each(static_cast<int64_t>(x.size()), [&](size_t s) { where_[s] = place(s); });
    all.find(where_, pool, contacts_, nullptr);
    take_near();
  } else {
    take_near();
    all.find_near(where_near_, pool, contacts_, nullptr);
  }
  hold_.note(all, contacts_, where_near_);
  return true;
}

template <class Real>
bool VertexContacts<Real>::find(const Buffer<Vec4<Real>>& x, const Buffer<Vec4<Real>>& base, ThreadPool& pool,
                                bool anew) {
  if (!find_contacts(x, base, pool, anew)) {
    for (size_t k = 0; k < involved_.size(); ++k) {
      const Vec4<Real>&now = x[static_cast<size_t>(involved_[k])], &then = found_at_[k];
      ways_[k] = {now.x - then.x, now.y - then.y, now.z - then.z, 0};
    }
    begin_phase();
    return false;
  }
  find_involved(x);
  find_moments();
  rows_.resize(contacts_.size() * rows_of_contact);
  for (size_t c = 0; c < contacts_.size(); ++c) {
    const ContactNumbers<Real> n = in_precision<Real>(contacts_[c].numbers);
    Vec4<Real>* const row = rows_.data() + rows_of_contact * c;
    row[0] = {n.normal.x, n.normal.y, n.normal.z, n.distance};
    row[1] = {n.slip.x, n.slip.y, n.slip.z, n.share};
    row[2] = {n.law.radius, n.law.stiffness, n.law.floor, n.friction};
    // s_0 is what the others lack to a sum of 0; of a plane the last one, which does not move. Below 0, friction
    // sticks.
    const Real last = contacts_[c].kind == ContactKind::vertex_plane ? Real(-1) : n.weights[3];
    row[3] = {n.weights[1], n.weights[2], last, n.hold > 0 ? Real(-1) : n.creep};
  }
  sort_ends();
  begin_phase();
  return true;
}

// The vertices of contacts, and their places.
template <class Real>
void VertexContacts<Real>::find_involved(const Buffer<Vec4<Real>>& x) {
  for (const int32_t slot : involved_) {
    place_of_[static_cast<size_t>(slot)] = -1;
    has_[static_cast<size_t>(slot / lanes_)] = 0;
  }
  involved_.clear();
  for (const Contact& contact : contacts_)
    for (const int32_t slot : contact.slots) {
      if (slot < 0) continue;
      int32_t& place = place_of_[static_cast<size_t>(slot)];
      if (place < 0) involved_.push_back(slot);
      place = 0;
    }
  // What is near is sorted already; few among many are sorted faster by themselves.
  const std::span<const int32_t> near = problem_->contacts->near_slots();
  if (involved_.size() * 16 > near.size()) {
    involved_.clear();
    for (const int32_t slot : near)
      if (place_of_[static_cast<size_t>(slot)] == 0) involved_.push_back(slot);
  } else {
    std::sort(involved_.begin(), involved_.end());
  }
  const size_t count = involved_.size();
  found_at_.resize(count);
  ways_.resize(count + 1);
  for (size_t k = 0; k < count; ++k) {
    const auto slot = static_cast<size_t>(involved_[k]);
    place_of_[slot] = static_cast<int32_t>(k);
    has_[slot / static_cast<size_t>(lanes_)] = 1;
    found_at_[k] = x[slot];
  }
  std::fill(ways_.begin(), ways_.end(), Vec4<Real>{0, 0, 0, 0});
}

template <class Real>
void VertexContacts<Real>::find_moments() {
  const Model& model = *problem_->model;
  const auto last_not_after = [](const std::vector<int32_t>& begin, int32_t k, int32_t& at) {
    while (at + 1 < static_cast<int32_t>(begin.size()) && begin[static_cast<size_t>(at + 1)] <= k) ++at;
  };
  moments_.resize(involved_.size());
  Moment moment{0, 0, 0};
  for (size_t k = 0; k < involved_.size(); ++k) {
    last_not_after(model.color_begin, involved_[k], moment.color);
    if (in_phases_) {
      last_not_after(model.clusters.slot_begin, involved_[k], moment.cluster);
      last_not_after(model.clusters.phase_begin, moment.cluster, moment.phase);
    }
    moments_[k] = moment;
  }
}

// Whether neither of two vertices sees where the other one moves. Colours are those of one cluster.
template <class Real>
bool VertexContacts<Real>::move_at_once(const Moment& a, const Moment& b) const {
  if (how_.at_once) return true;
  if (a.cluster == b.cluster) return a.color == b.color && !how_.recolored;
  return a.phase == b.phase;
}

// A counting sort by place.
template <class Real>
void VertexContacts<Real>::sort_ends() {
  const auto nowhere = static_cast<int32_t>(involved_.size());
  end_of_.assign(involved_.size() + 1, 0);
  places_.resize(contacts_.size());
  for (size_t c = 0; c < contacts_.size(); ++c) {
    for (size_t j = 0; j < 4; ++j) {
      const int32_t slot = contacts_[c].slots[j];
      const int32_t place = slot < 0 ? nowhere : place_of_[static_cast<size_t>(slot)];
      places_[c][j] = place;
      if (slot >= 0) ++end_of_[static_cast<size_t>(place) + 1];
    }
  }
  for (size_t k = 0; k < involved_.size(); ++k) end_of_[k + 1] += end_of_[k];
  const auto count = static_cast<size_t>(end_of_.back());
  end_slots_.resize(count);
  end_contacts_.resize(count);
  end_weights_.resize(count);
  end_sizes_.resize(count);
  next_end_.assign(end_of_.begin(), end_of_.end() - 1);
  for (size_t c = 0; c < contacts_.size(); ++c) {
    const ContactNumbers<double>& numbers = contacts_[c].numbers;
    const bool shared = how_.shares_penalties && numbers.law.radius == 0;
    const std::array<int32_t, 4>& places = places_[c];
    std::array<Moment, 4> moment{};
    for (size_t j = 0; j < 4; ++j)
      if (places[j] != nowhere) moment[j] = moments_[static_cast<size_t>(places[j])];
    for (size_t j = 0; j < 4; ++j) {
      const int32_t place = places[j];
      if (place == nowhere) continue;
      double all = 0;
      for (size_t k = 0; k < 4; ++k)
        if (places[k] != nowhere && (shared || places[k] == place || move_at_once(moment[j], moment[k])))
          all += std::abs(numbers.weights[k]);
      const double s = numbers.weights[j];
      const auto end = static_cast<size_t>(next_end_[static_cast<size_t>(place)]++);
      end_slots_[end] = contacts_[c].slots[j];
      end_contacts_[end] = static_cast<int32_t>(c);
      end_weights_[end] = static_cast<Real>(s);
      end_sizes_[end] = static_cast<Real>(std::abs(s) * all);
    }
  }
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
        for (const int32_t place : places_[static_cast<size_t>(end_contacts_[e])])
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
void VertexContacts<Real>::begin_phase() {
  if (!in_phases_) return;
  ways_elsewhere_.resize(ways_.size());
  std::copy(ways_.begin(), ways_.end(), ways_elsewhere_.begin());
}

template <class Real>
void VertexContacts<Real>::note_moved(const VertexSweep<Real>& sweep, int32_t first_slot, int32_t last_slot) {
  const Range range = places_of(first_slot, last_slot);
  for (auto k = static_cast<size_t>(range.first); k < static_cast<size_t>(range.last); ++k) {
    const Vec4<Real>&now = sweep.moved[sweep.own(involved_[k])], &then = found_at_[k];
    ways_[k] = {now.x - then.x, now.y - then.y, now.z - then.z, 0};
  }
}

template <class Real>
typename VertexContacts<Real>::Range VertexContacts<Real>::places_of(int64_t first_slot, int64_t last_slot) const {
  const auto first = std::lower_bound(involved_.begin(), involved_.end(), first_slot);
  const auto last = std::lower_bound(first, involved_.end(), last_slot);
  return {static_cast<int32_t>(first - involved_.begin()), static_cast<int32_t>(last - involved_.begin())};
}

// The rows of a vertex are those of tie_kernel::Sums: (f, xx), (xy, xz, yy, yz), (zz).
template <class Real>
void VertexContacts<Real>::add(const Kernels& kernels, const VertexSweep<Real>& sweep, int32_t first_slot,
                               int32_t last_slot, ThreadPool* pool) const {
  const Range range = places_of(first_slot, last_slot);
  if (range.first == range.last) return;
  // Sums begin at 0; those of the other vertices of these batches stay so.
  int64_t next_batch = 0;
  for (int32_t k = range.first; k < range.last; ++k) {
    const int64_t slot = involved_[static_cast<size_t>(k)];
    if (slot < next_batch) continue;
    const int64_t first = slot / lanes_ * lanes_;
    std::fill_n(sweep.contact_sums + rows_of_sums * (sweep.own(first) - sweep.first_sum), rows_of_sums * lanes_,
                Vec4<Real>{0, 0, 0, 0});
    next_batch = first + lanes_;
  }
  const Range own = in_phases_ ? places_of(sweep.first_slot, sweep.first_slot + sweep.own_count)
                               : Range{0, static_cast<int32_t>(ways_.size())};
  const ContactEnds<Real> ends{.rows = rows_.data(),
                               .places = places_.data(),
                               .begin = end_of_.data(),
                               .slots = end_slots_.data(),
                               .contacts = end_contacts_.data(),
                               .weights = end_weights_.data(),
                               .sizes = end_sizes_.data(),
                               .ways = ways_.data(),
                               .ways_elsewhere = in_phases_ ? ways_elsewhere_.data() : nullptr,
                               .first_own = own.first,
                               .last_own = own.last};
  const auto sum = [&](int64_t first, int64_t last) {
    kernels.contacts(sweep, ends, range.first + static_cast<int32_t>(first), range.first + static_cast<int32_t>(last));
  };
  constexpr int64_t grain = 64;
  if (pool) {
    pool->parallel_for(range.last - range.first, grain, sum);
  } else {
    sum(0, range.last - range.first);
  }
}

template class VertexContacts<float>;
template class VertexContacts<double>;

}  // namespace sinew
