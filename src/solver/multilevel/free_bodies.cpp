#include "solver/multilevel/free_bodies.h"

#include "contact/contacts.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Moments about an origin near the body.
struct Moments {
  double mass = 0;
  Vec3d x{}, y{};
  Mat3d yx{};  // sum m y x^T
  void operator+=(const Moments& o) {
    mass += o.mass;
    x += o.x;
    y += o.y;
    yx = yx + o.yx;
  }
};

Mat3d turn_by(Vec3d w) {
  const double angle = std::sqrt(dot(w, w));
  const double s = angle > 1e-8 ? std::sin(angle) / angle : 1;
  const double c = angle > 1e-8 ? (1 - std::cos(angle)) / (angle * angle) : 0.5;
  const auto turned = [&](Vec3d v) { return v + s * cross(w, v) + c * cross(w, cross(w, v)); };
  return {turned({1, 0, 0}), turned({0, 1, 0}), turned({0, 0, 1})};
}

// The rotation R that makes sum m (R x) x y = 0, with moments about the centres. Newton's method starts at 1, so a body
// on a line is not rotated about it. A body whose target is far from any rotation of it stays as it is.
Mat3d balancing_turn(Mat3d yx, bool in_plane) {
  Mat3d turn = diagonal(1.0, 1.0, 1.0);
  constexpr int most = 20;
  for (int k = 0; k < most; ++k) {
    const Mat3d a = yx * transpose(turn), s = 0.5 * (a + transpose(a));
    const Vec3d torque{a.c1.z - a.c2.y, a.c2.x - a.c0.z, a.c0.y - a.c1.x};
    // Slightly more inertia, for axes about which there is none.
    const double size = (1 + 1e-9) * trace(s);
    const Mat3d inertia = diagonal(size, size, size) - s;
    const double minor = inertia.c1.y * inertia.c2.z - inertia.c1.z * inertia.c2.y, det = determinant(inertia);
    if (!(inertia.c2.z > 0 && (in_plane || (minor > 0 && det > 0)))) return diagonal(1.0, 1.0, 1.0);
    const Vec3d w =
        in_plane ? Vec3d{0, 0, torque.z / inertia.c2.z} : (1 / det) * (transpose(cofactor(inertia)) * torque);
    turn = turn_by(w) * turn;
    if (dot(w, w) < 1e-30) break;
  }
  return turn;
}

}  // namespace

void FreeBodies::prepare(const Model& model, const Bodies& bodies) {
  const auto count = static_cast<size_t>(bodies.count());
  begin_.assign(count + 1, 0);
  for (const int32_t b : bodies.of_slot) {
    if (b >= 0) ++begin_[static_cast<size_t>(b) + 1];
  }
  for (size_t b = 0; b < count; ++b) begin_[b + 1] += begin_[b];
  slots_.resize(static_cast<size_t>(begin_.back()));
  std::vector<int64_t> next(begin_.begin(), begin_.end() - 1);
  for (size_t s = 0; s < bodies.of_slot.size(); ++s) {
    if (const int32_t b = bodies.of_slot[s]; b >= 0)
      slots_[static_cast<size_t>(next[static_cast<size_t>(b)]++)] = static_cast<int32_t>(s);
  }

  allowed_.assign(count, Motion::any);
  const auto limit = [&](int32_t slot, Motion motion) {
    if (const int32_t b = bodies.of_slot[static_cast<size_t>(slot)]; b >= 0)
      allowed_[static_cast<size_t>(b)] = std::min(allowed_[static_cast<size_t>(b)], motion);
  };
  for (const ElasticBlock& block : model.blocks) {
    Motion motion = block.plane() ? Motion::in_plane : Motion::any;
    if (!traits_of(block.material.kind).rotation_invariant || block.damping > 0) motion = Motion::shift;
    if (block.damping > 0 && model.damping_form == DampingForm::own_block) motion = Motion::none;
    for (int32_t e = block.first_tet; e < block.last_tet; ++e) limit(model.tets[e][0], motion);
  }
  for (int32_t t = 0; t < model.ties.count(); ++t) {
    const TieLaw<double>& law = model.ties.laws[t];
    if (!law.traits().binds && law.damping == 0) continue;
    for (const int32_t v : model.ties.vertices_of(t)) limit(v, law.traits().binds ? Motion::none : Motion::shift);
  }
  free_.assign(count, 0);
  any_ = false;
}

void FreeBodies::begin_step(const StepProblem& problem) {
  any_ = false;
  std::vector<uint8_t> is_held = problem.held;
  for (const Glide& g : problem.glides) is_held[static_cast<size_t>(g.slot)] = 1;
  for (const Grab& grab : problem.grabs)
    for (const int32_t s : grab.slots()) is_held[static_cast<size_t>(s)] = 1;
  if (problem.contacts)
    for (size_t s = 0; s < is_held.size(); ++s)
      if (problem.contacts->is_near(static_cast<int32_t>(s))) is_held[s] = 1;
  for (size_t b = 0; b < free_.size(); ++b) {
    const auto held = [&](int32_t s) { return is_held[static_cast<size_t>(s)] != 0; };
    free_[b] = !problem.quasistatic && allowed_[b] != Motion::none &&
               std::none_of(slots_.begin() + begin_[b], slots_.begin() + begin_[b + 1], held);
    any_ = any_ || free_[b];
  }
}

void FreeBodies::balance(const StepProblem& problem, ThreadPool& pool, std::span<Vec3d> x) const {
  for (size_t b = 0; b < free_.size(); ++b) {
    if (!free_[b]) continue;
    const std::span<const int32_t> slots(slots_.data() + begin_[b], slots_.data() + begin_[b + 1]);
    const Vec3d origin = problem.x_target[static_cast<size_t>(slots.front())];
    Moments sum = ordered_sum<Moments>(pool, static_cast<int64_t>(slots.size()), [&](int64_t k) {
      const auto s = static_cast<size_t>(slots[static_cast<size_t>(k)]);
      const double m = problem.model->mass[s];
      const Vec3d p = x[s] - origin, y = problem.x_target[s] - origin;
      return Moments{m, m * p, m * y, outer(m * y, p)};
    });
    const Vec3d from = (1 / sum.mass) * sum.x, to = (1 / sum.mass) * sum.y;
    if (!std::isfinite(dot(from, from))) continue;
    Mat3d turn = diagonal(1.0, 1.0, 1.0);
    if (allowed_[b] != Motion::shift) {
      turn = balancing_turn(sum.yx - outer(sum.mass * to, from), allowed_[b] == Motion::in_plane);
    }
    pool.for_each(static_cast<int64_t>(slots.size()), [&](size_t k) {
      Vec3d& p = x[static_cast<size_t>(slots[k])];
      p = origin + to + turn * (p - origin - from);
    });
  }
}

size_t FreeBodies::memory_bytes() const {
  return begin_.capacity() * sizeof(int64_t) + slots_.capacity() * sizeof(int32_t) + allowed_.capacity() +
         free_.capacity();
}

}  // namespace sinew
