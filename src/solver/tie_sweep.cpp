#include "solver/tie_sweep.h"

#include "mesh/coloring.h"
#include "solver/sweep_solver.h"

namespace sinew {
namespace {

// Ties that share a slot get different colours.
Coloring color_ties(const Ties& ties, size_t slot_count) {
  std::vector<std::vector<int32_t>> at(slot_count);
  for (int32_t t = 0; t < ties.count(); ++t)
    for (const int32_t s : ties.vertices_of(t)) at[s].push_back(t);
  return greedy_coloring(static_cast<size_t>(ties.count()), {}, [&](int32_t t, const auto& visit) {
    for (const int32_t s : ties.vertices_of(t))
      for (const int32_t other : at[s]) visit(other);
  });
}

// dl = -(C + a l) / (W + a)
template <class Real>
Real step_of(Real c, Real lambda, Real stiffness, Real h2, Real w) {
  const Real a = 1 / (stiffness * h2);
  return -(c + a * lambda) / (w + a);
}

}  // namespace

template <class Real>
void TieSweep<Real>::prepare(const Ties& ties, size_t slot_count) {
  const Coloring coloring = color_ties(ties, slot_count);
  items_.clear();
  ends_.clear();
  multiplier_count_ = 0;
  color_begin_.assign(static_cast<size_t>(coloring.count) + 1, 0);
  for (const int32_t c : coloring.color) ++color_begin_[c + 1];
  for (int32_t c = 0; c < coloring.count; ++c) color_begin_[c + 1] += color_begin_[c];
  std::vector<int32_t> next(color_begin_.begin(), color_begin_.end() - 1), order(coloring.color.size());
  for (int32_t t = 0; t < ties.count(); ++t) order[next[coloring.color[t]]++] = t;
  for (const int32_t t : order) {
    const auto first = static_cast<int32_t>(ends_.size());
    for (int32_t j = ties.begin[t]; j < ties.begin[t + 1]; ++j)
      ends_.push_back({ties.vertices[j], static_cast<Real>(ties.weights[j])});
    items_.push_back({ties.laws[t].template as<Real>(), first, static_cast<int32_t>(ends_.size()),
                      static_cast<uint32_t>(multiplier_count_)});
    multiplier_count_ += ties.laws[t].kind == TieKind::spring ? 1 : 3;
  }
}

// Colour by colour.
template <class Real>
template <class Visit>
void TieSweep<Real>::for_each_item(ThreadPool& pool, const Visit& visit) const {
  const bool parallel = static_cast<int32_t>(items_.size()) >= parallel_slots;
  for_each_color(pool, color_begin_, parallel, [&](int32_t, int64_t first, int64_t last) {
    for (int64_t k = first; k < last; ++k) visit(items_[static_cast<size_t>(k)]);
  });
}

template <class Real>
Vec3<Real> TieSweep<Real>::vector_of(const Item& item, const Vec4<Real>* x) const {
  const auto at = [&](int32_t end) {
    const Vec4<Real>& p = x[ends_[end].slot];
    return Vec3<Real>{p.x, p.y, p.z};
  };
  Vec3<Real> c{};
  const Vec3<Real> origin = at(item.first_end);
  for (int32_t k = item.first_end + 1; k < item.last_end; ++k) c += ends_[k].weight * (at(k) - origin);
  return c;
}

template <class Real>
void TieSweep<Real>::sweep(ThreadPool& pool, Vec4<Real>* x, Real* multipliers, Real h2) const {
  for_each_item(pool, [&](const Item& item) { project(item, x, multipliers, h2); });
}

template <class Real>
void TieSweep<Real>::project(const Item& item, Vec4<Real>* x, Real* multipliers, Real h2) const {
  Real w = 0;
  for (int32_t k = item.first_end; k < item.last_end; ++k) w += x[ends_[k].slot].w * ends_[k].weight * ends_[k].weight;
  if (w == 0) return;  // all of its vertices are held

  const Vec3<Real> c = vector_of(item, x);
  Vec3<Real> step{};
  Real* const l = multipliers + item.first_multiplier;
  const TieLaw<Real>& law = item.law;
  if (law.kind == TieKind::spring) {
    if (law.stiffness == 0) return;
    const Direction<Real> m = direction_of(c);
    const Real dl = step_of(m.length - law.rest_length, l[0], law.stiffness, h2, w);
    l[0] += dl;
    step = dl * m.along;
  } else {
    // Along the normal, and what is left across it.
    const Vec3<Real> lambda{l[0], l[1], l[2]};
    const Real c_n = dot(law.normal, c), l_n = dot(law.normal, lambda);
    const Vec3<Real> c_t = c - c_n * law.normal, l_t = lambda - l_n * law.normal;
    if (law.stiffness > 0) step += step_of(c_n, l_n, law.stiffness, h2, w) * law.normal;
    if (law.tangential > 0) {
      step += Vec3<Real>{step_of(c_t.x, l_t.x, law.tangential, h2, w), step_of(c_t.y, l_t.y, law.tangential, h2, w),
                         step_of(c_t.z, l_t.z, law.tangential, h2, w)};
    }
    l[0] += step.x;
    l[1] += step.y;
    l[2] += step.z;
  }
  push(item, step, x);
}

template <class Real>
void TieSweep<Real>::push(const Item& item, Vec3<Real> impulse, Vec4<Real>* x) const {
  for (int32_t k = item.first_end; k < item.last_end; ++k) {
    Vec4<Real>& p = x[ends_[k].slot];
    const Real share = p.w * ends_[k].weight;
    p.x += share * impulse.x;
    p.y += share * impulse.y;
    p.z += share * impulse.z;
  }
}

template <class Real>
void TieSweep<Real>::follow(ThreadPool& pool, const Vec4<Real>* at, Vec4<Real>* x, const Real* multipliers) const {
  for_each_item(pool, [&](const Item& item) { push(item, impulse_of(item, vector_of(item, at), multipliers), x); });
}

// l grad C, but for the weights.
template <class Real>
Vec3<Real> TieSweep<Real>::impulse_of(const Item& item, Vec3<Real> c, const Real* multipliers) const {
  const Real* const l = multipliers + item.first_multiplier;
  if (item.law.kind == TieKind::spring) return l[0] * direction_of(c).along;
  return {l[0], l[1], l[2]};
}

template <class Real>
double TieSweep<Real>::add_residuals(const Vec4<Real>* x, const Real* multipliers, Real h2,
                                     std::span<const uint8_t> held, std::span<Vec3d> g) const {
  const auto wide = [](Vec3<Real> v) { return Vec3d{v.x, v.y, v.z}; };
  double squares = 0;
  for (const Item& item : items_) {
    const Vec3<Real> c = vector_of(item, x), impulse = impulse_of(item, c, multipliers);
    for (int32_t k = item.first_end; k < item.last_end; ++k) {
      const auto slot = static_cast<size_t>(ends_[k].slot);
      if (!held[slot]) g[slot] -= static_cast<double>(ends_[k].weight) * wide(impulse);
    }
    const TieLaw<Real>& law = item.law;
    const auto add = [&](Vec3d value, Vec3d multiplier, Real stiffness) {
      if (stiffness == 0) return;
      const Vec3d fault = value + (1 / (static_cast<double>(stiffness) * static_cast<double>(h2))) * multiplier;
      squares += dot(fault, fault);
    };
    if (law.kind == TieKind::spring) {
      const Direction<Real> m = direction_of(c);
      add({m.length - law.rest_length, 0, 0}, {multipliers[item.first_multiplier], 0, 0}, law.stiffness);
    } else {
      const Vec3d n = wide(law.normal), c_n = dot(n, wide(c)) * n, l_n = dot(n, wide(impulse)) * n;
      add(c_n, l_n, law.stiffness);
      add(wide(c) - c_n, wide(impulse) - l_n, law.tangential);
    }
  }
  return squares;
}

template <class Real>
size_t TieSweep<Real>::memory_bytes() const {
  return color_begin_.capacity() * sizeof(int32_t) + items_.capacity() * sizeof(Item) + ends_.capacity() * sizeof(End);
}

template class TieSweep<float>;
template class TieSweep<double>;

}  // namespace sinew
