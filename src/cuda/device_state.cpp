#include "cuda/device_state.h"

#include <algorithm>
#include <cstring>

#include "cuda/device_sum.h"

namespace sinew {
namespace {

constexpr size_t window_bytes = size_t{1} << 25;

template <class T>
bool same(std::span<const T> a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

void DeviceState::prepare(const Model& model, ThreadPool& pool) {
  model_ = &model;
  pool_ = &pool;
  const auto slots = static_cast<size_t>(model.slot_count());
  for (DeviceArray<Vec3d>* array : {&x_, &v_, &x_prev_, &target_}) array->resize(device_, slots);
  fall_.resize(device_, slots);
  scripted_.resize(device_, slots);
}

size_t DeviceState::window_for(size_t bytes) const {
  const size_t room = std::min(window_bytes, bytes);
  if (window_.size() < room) window_.resize(device_, room);
  return window_.size();
}

// Pieces through memory that a device reads by itself: several times as fast as from where they are.
void DeviceState::upload(void* to, const void* from, size_t bytes) const {
  const size_t window = window_for(bytes);
  for (size_t first = 0; first < bytes && window_.data(); first += window) {
    const size_t count = std::min(window, bytes - first);
    device_.wait();  // until then the last piece is read
    pool_->parallel_for(static_cast<int64_t>(count), 1 << 20, [&](int64_t begin, int64_t end) {
      std::memcpy(window_.data() + begin, static_cast<const char*>(from) + first + begin,
                  static_cast<size_t>(end - begin));
    });
    device_.upload(static_cast<char*>(to) + first, window_.data(), count);
  }
}

void DeviceState::download(void* to, const void* from, size_t bytes) const {
  const size_t window = window_for(bytes);
  for (size_t first = 0; first < bytes && window_.data(); first += window) {
    const size_t count = std::min(window, bytes - first);
    device_.download(window_.data(), static_cast<const char*>(from) + first, count);
    if (!device_.status()) return;
    pool_->parallel_for(static_cast<int64_t>(count), 1 << 20, [&](int64_t begin, int64_t end) {
      std::memcpy(static_cast<char*>(to) + first + begin, window_.data() + begin, static_cast<size_t>(end - begin));
    });
  }
}

void DeviceState::take(const State& state) {
  const auto copy = [&]<class T>(DeviceArray<T>& there, const std::vector<T>& here) {
    there.resize(device_, here.size());
    if (there.data()) upload(there.data(), here.data(), there.bytes());
  };
  copy(x_, state.x);
  copy(v_, state.v);
  copy(fall_, state.fall);
  copy(mass_, model_->mass);
  copy(extra_force_, model_->extra_force);
  scripted_.fill_zero();
  vertices_here_.clear();
  idle_here_.clear();
  step_ = {};
  step_.bodies.x = x_.data();
  step_.bodies.v = v_.data();
  step_.bodies.fall = fall_.data();
  step_.bodies.x_prev = x_prev_.data();
  step_.bodies.target = target_.data();
  step_.bodies.scripted = scripted_.data();
  step_.bodies.mass = mass_.data();
  step_.bodies.extra_force = extra_force_.data();
}

Status DeviceState::give(State& state) const {
  download(given_.x, x_);
  download(given_.v, v_);
  download(given_.fall, fall_);
  if (Status s = device_.status(); !s) return s;
  // All or nothing.
  state.x.swap(given_.x);
  state.v.swap(given_.v);
  state.fall.swap(given_.fall);
  return {};
}

Status DeviceState::give(StepProblem& problem) const {
  download(problem.x_prev, x_prev_);
  download(problem.x_target, target_);
  return device_.status();
}

Status DeviceState::give(std::span<Vec3d> accelerations) const {
  if (accelerations.size() == accelerations_.size())
    download(accelerations.data(), accelerations_.data(), accelerations_.bytes());
  return device_.status();
}

void DeviceState::follow(const StepProblem& problem, const StepScripts& scripts) {
  step_.bodies.gravity = model_->gravity;
  step_.h = scripts.h;
  step_.quasistatic = problem.quasistatic;
  step_.initial_guess = scripts.initial_guess;
  step_.scripted_count = static_cast<int64_t>(scripts.vertices.size());
  step_.idle_count = static_cast<int64_t>(scripts.idle.size());
  const auto copy_changed = [&]<class T>(DeviceArray<T>& there, std::vector<T>& last, std::span<const T> now) {
    if (same(now, last)) return false;
    last.assign(now.begin(), now.end());
    there.resize(device_, last.size());
    if (there.data()) upload(there.data(), last.data(), there.bytes());
    return true;
  };
  if (!same(scripts.idle, idle_here_)) {
    device_.run(static_cast<int64_t>(idle_here_.size()), SetScripted{step_.bodies, idle_.data(), moves_freely});
    copy_changed(idle_, idle_here_, scripts.idle);
  }
  if (!std::equal(scripts.vertices.begin(), scripts.vertices.end(), vertices_here_.begin(), vertices_here_.end(),
                  [](const ScriptedVertex& a, const ScriptedVertex& b) { return a.slot == b.slot; }))
    device_.run(static_cast<int64_t>(vertices_here_.size()), LeaveScripts{step_.bodies, vertices_.data()});
  copy_changed(vertices_, vertices_here_, scripts.vertices);
  copy_changed(glides_, glides_here_, std::span<const Glide>(problem.glides));
  step_.bodies.glides = glides_.data();
  step_.bodies.glide_count = static_cast<int32_t>(glides_.size());
  accelerations_.resize(device_, problem.quasistatic ? 0 : scripts.vertices.size());
  parts_.resize(device_, parts_of_sum);
  end_.resize(device_, 1);
  step_.scripted = vertices_.data();
  step_.idle = idle_.data();
  step_.accelerations = accelerations_.data();
  step_.parts = parts_.data();
}

template <class Real>
void DeviceState::pose(const SolverArrays<Real>& arrays) {
  device_.run(step_.scripted_count, FollowScripts{step_.bodies, step_.scripted});
  device_.run(step_.idle_count, SetScripted{step_.bodies, step_.idle, stays});
  device_.run(slots(), PoseVertices<Real>{step_.bodies, step_.h, inverse_h2(), step_.quasistatic, step_.initial_guess,
                                          arrays.x, arrays.target, arrays.x_prev});
}

template <class Real>
void DeviceState::finish(const Vec4<Real>* x) {
  device_.run(parts_of_sum, JudgeVertices<Real>{step_.bodies, x, slots(), step_.parts, parts_of_sum});
  device_.run_phases(AddPairs<StepEnd>{step_.parts, 1});
  if (!step_.quasistatic)
    device_.run(step_.scripted_count,
                AccelerateScripted{step_.bodies, step_.parts, 1 / step_.h, step_.scripted, step_.accelerations});
  device_.run(slots(), FinishVertices<Real>{step_.bodies, step_.parts, x, 1 / step_.h, step_.quasistatic});
}

Result<StepEnd> DeviceState::end() {
  if (end_.data()) device_.download(end_.data(), parts_.data(), sizeof(StepEnd));
  if (Status s = device_.status(); !s) return s.error();
  return *end_.data();
}

size_t DeviceState::memory_bytes() const {
  return x_.bytes() + v_.bytes() + x_prev_.bytes() + target_.bytes() + extra_force_.bytes() + fall_.bytes() +
         mass_.bytes() + scripted_.bytes() + vertices_.bytes() + accelerations_.bytes() + idle_.bytes() +
         glides_.bytes() + parts_.bytes() + window_.bytes();
}

template void DeviceState::pose(const SolverArrays<float>&);
template void DeviceState::pose(const SolverArrays<double>&);
template void DeviceState::finish(const Vec4<float>*);
template void DeviceState::finish(const Vec4<double>*);

}  // namespace sinew
