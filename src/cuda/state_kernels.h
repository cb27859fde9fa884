// What a step does on a device before and after its iterations, a thread a vertex (model/step_rules.h).
#pragma once

#include "model/glide.h"
#include "model/step_rules.h"
#include "solver/initial_guess.h"
#include "solver/resident_state.h"

namespace sinew {

// What scripts do with a vertex.
enum ScriptedMotion : uint8_t { moves_freely, held_at_target, stays };

// The bodies, by slot.
struct ResidentBodies {
  Vec3d *x = nullptr, *v = nullptr;
  double* fall = nullptr;
  Vec3d *x_prev = nullptr, *target = nullptr;  // of the step
  uint8_t* scripted = nullptr;                 // ScriptedMotion
  const double* mass = nullptr;
  const Vec3d* extra_force = nullptr;  // null: none
  Vec3d gravity{};
  const Glide* glides = nullptr;  // by ascending slot
  int32_t glide_count = 0;

  SINEW_INLINE bool is_held(int64_t slot) const { return mass[slot] == 0 || scripted[slot] != moves_freely; }
  SINEW_INLINE Vec3d external_force(int64_t slot) const {
    const Vec3d weight = mass[slot] * gravity;
    return extra_force ? weight + extra_force[slot] : weight;
  }
  SINEW_INLINE StepStart start_of(int64_t slot) const {
    return {x[slot], v[slot], mass[slot], mass[slot] * gravity, external_force(slot)};
  }
  // Null: it does not glide.
  SINEW_INLINE const Glide* glide_of(int64_t slot) const {
    int32_t first = 0, last = glide_count;
    while (first < last) {
      const int32_t middle = (first + last) / 2;
      if (glides[middle].slot < slot) {
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    return first < glide_count && glides[first].slot == slot ? glides + first : nullptr;
  }
  // x, settled if the vertex glides.
  SINEW_INLINE Vec3d settled(int64_t slot, Vec3d at) const {
    const Glide* const glide = glide_of(slot);
    return glide ? glide->settled(at) : at;
  }
};

template <class Real>
SINEW_INLINE Vec4<Real> narrowed(Vec3d p, double w) {
  return {static_cast<Real>(p.x), static_cast<Real>(p.y), static_cast<Real>(p.z), static_cast<Real>(w)};
}
template <class Real>
SINEW_INLINE Vec3d widened(const Vec4<Real>& p) {
  return {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
}

// Takes over what pins say.
struct FollowScripts {
  ResidentBodies bodies;
  const ScriptedVertex* vertices = nullptr;
  SINEW_INLINE void operator()(int64_t k) const {
    const ScriptedVertex& vertex = vertices[k];
    bodies.scripted[vertex.slot] = vertex.held ? held_at_target : moves_freely;
    if (vertex.held) bodies.target[vertex.slot] = vertex.target;
  }
};
struct LeaveScripts {
  ResidentBodies bodies;
  const ScriptedVertex* vertices = nullptr;
  SINEW_INLINE void operator()(int64_t k) const { bodies.scripted[vertices[k].slot] = moves_freely; }
};
struct SetScripted {
  ResidentBodies bodies;
  const int32_t* slots = nullptr;
  ScriptedMotion motion = stays;
  SINEW_INLINE void operator()(int64_t k) const { bodies.scripted[slots[k]] = motion; }
};

// x_prev, the target and the initial guess, and what the solver reads of them in its precision.
template <class Real>
struct PoseVertices {
  ResidentBodies bodies;
  double h = 0, inverse_h2 = 0;
  bool quasistatic = false;
  int guess_kind = guess_adaptive;
  Vec4<Real>* x = nullptr;
  Vec4<Real>* target = nullptr;
  Vec4<Real>* x_prev = nullptr;  // null: nothing is damped

  SINEW_INLINE void operator()(int64_t s) const {
    const Vec3d before = bodies.x[s];
    bodies.x_prev[s] = before;
    const bool held = bodies.is_held(s);
    Vec3d end = before, guess = before;
    if (held) {
      if (bodies.scripted[s] == held_at_target) end = bodies.target[s];
      guess = end;
    } else {
      const StepStart start = bodies.start_of(s);
      if (!quasistatic) {
        end = inertial_target(start, h);
        guess = initial_guess(guess_kind, start, h, bodies.fall[s]);
      }
      end = bodies.settled(s, end);
      guess = bodies.settled(s, guess);
    }
    bodies.target[s] = end;
    const double mass = bodies.mass[s];
    x[s] = narrowed<Real>(guess, held ? 0 : 1 / mass);
    target[s] = narrowed<Real>(quasistatic ? bodies.external_force(s) : end, mass * inverse_h2);
    if (x_prev) x_prev[s] = narrowed<Real>(before, 0);
  }
};

// What the end of the step is judged by: parts of it, each of vertices that lie so far apart, and of gliding ones.
template <class Real>
struct JudgeVertices {
  static constexpr int block_threads = 32;  // few threads, which more multiprocessors share
  ResidentBodies bodies;
  const Vec4<Real>* x = nullptr;
  int64_t slots = 0;
  StepEnd* parts = nullptr;
  int32_t part_count = 0;

  SINEW_INLINE void operator()(int64_t part) const {
    StepEnd end;
    for (int64_t s = part; s < slots; s += part_count) {
      const Vec3d to = widened(x[s]);
      const double sum = to.x + to.y + to.z;
      if (!(sum - sum == 0)) ++end.lost;
      if (bodies.mass[s] != 0) end.add(bodies.x_prev[s], to, bodies.is_held(s), bodies.target[s]);
    }
    for (int64_t k = part; k < bodies.glide_count; k += part_count)
      end.before.add(bodies.glides[k].settled(bodies.x_prev[bodies.glides[k].slot]));
    parts[part] = end;
  }
};

// [m/s^2] What the step imposes on vertices of scripts; nothing, if positions are lost.
struct AccelerateScripted {
  ResidentBodies bodies;
  const StepEnd* end = nullptr;
  double inverse_h = 0;
  const ScriptedVertex* vertices = nullptr;
  Vec3d* acceleration = nullptr;
  SINEW_INLINE void operator()(int64_t k) const {
    if (end->lost > 0) return;
    const int32_t s = vertices[k].slot;
    acceleration[k] = inverse_h * (inverse_h * (bodies.target[s] - bodies.x_prev[s]) - bodies.v[s]);
  }
};

// New positions, velocities, and what the next guess needs; nothing, if positions are lost.
template <class Real>
struct FinishVertices {
  ResidentBodies bodies;
  const StepEnd* end = nullptr;
  const Vec4<Real>* x = nullptr;
  double inverse_h = 0;
  bool quasistatic = false;

  SINEW_INLINE void operator()(int64_t s) const {
    if (end->lost > 0) return;
    // Held vertices are exactly where the script has them, whatever the precision of the solver.
    const Vec3d to = bodies.is_held(s) ? bodies.target[s] : bodies.settled(s, widened(x[s]));
    const Vec3d v = quasistatic ? Vec3d{} : inverse_h * (to - bodies.x_prev[s]);
    const double mass = bodies.mass[s];
    bodies.fall[s] = mass == 0 ? 0 : share_of_fall(inverse_h * (v - bodies.v[s]), mass, mass * bodies.gravity);
    bodies.v[s] = v;
    bodies.x[s] = to;
  }
};

}  // namespace sinew
