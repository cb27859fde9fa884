// How long operations are watched, and how they are ended.
//
// Each takes an observer, a struct of listeners, and options with an `interrupt`. Listeners are called on the thread of
// the caller, while nothing else happens. A listener that returns false ends the operation; one that returns nothing,
// or true, only watches. `interrupt` ends it from another thread or from a signal handler:
//
//   static std::atomic<bool> enough = false;
//   std::signal(SIGINT, [](int) { enough = true; });
//   auto run = sinew::run_scene(scene, {.folder = "out", .interrupt = &enough},
//                               {.on_frame = [](const sinew::RunFrame& f) { return f.evaluation.inverted == 0; }});
//
// What was written by then is whole. Each function says what it leaves behind, and what it returns.
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <utility>

namespace sinew {

struct Progress {
  std::string stage;  // what is being done, e.g. "meshes" or the label of a solver
  double share = 0;   // done of the whole, in [0, 1]; approximate
};

// A function that is called with an Event, and may end the operation. It may be empty.
template <class Event>
class Listener {
 public:
  Listener() = default;
  // `function` returns bool, true to go on, or nothing.
  template <class Function>
  requires(!std::is_same_v<std::remove_cvref_t<Function>, Listener> && std::is_invocable_v<Function&, const Event&>)
      Listener(Function function) {
    if constexpr (std::is_pointer_v<Function> || requires { function.operator bool(); }) {
      if (!function) return;  // null, or an empty std::function
    }
    if constexpr (std::is_void_v<std::invoke_result_t<Function&, const Event&>>) {
      call_ = [function = std::move(function)](const Event& event) mutable {
        function(event);
        return true;
      };
    } else {
      call_ = std::move(function);
    }
  }

  explicit operator bool() const { return static_cast<bool>(call_); }
  // Returns whether to go on.
  bool operator()(const Event& event) const { return !call_ || call_(event); }

 private:
  std::function<bool(const Event&)> call_;
};

}  // namespace sinew
