// What a page holds of the engine: simulations by handle, the last error, the last result.
#pragma once

#include <map>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drawing.h"
#include "exec/thread_pool.h"
#include "memory_files.h"
#include "scene/json.h"
#include "sinew/simulation.h"

namespace sinew::web {

// Keeps what an observer is told of the iterations of the last steps.
class Curve final : public Observer {
 public:
  bool wants(int64_t, int) const override { return true; }
  void on_iteration(const IterationReport& r) override {
    numbers.insert(numbers.end(), {static_cast<double>(r.step), static_cast<double>(r.iteration), r.milliseconds,
                                   r.evaluation.residual, r.evaluation.energy});
  }
  std::vector<double> numbers;
};

// A simulation with what a page reads of it. Arrays stay where they are until they are read again.
struct Held {
  Simulation simulation;
  std::shared_ptr<MemoryFiles> files;
  std::shared_ptr<ThreadPool> pool;
  enum class Wants { nothing, steps, iterations } wants = Wants::nothing;
  std::unique_ptr<Curve> curve = std::make_unique<Curve>();
  std::map<int, Snapshot> snapshots = {};
  int next_snapshot = 1;
  Drawing drawing = {};
  bool objects_changed = true;  // since the drawing was built
  std::vector<float> vertices[2] = {};
  std::vector<double> vertices64[5] = {};
  std::vector<double> elements[6] = {};
  std::vector<int32_t> tets = {}, middles = {};
  std::vector<float> skin_points = {};
  std::vector<int32_t> skin_triangles = {};
};

struct Session {
  double most_memory = 0;  // [bytes]
  int threads = 1;         // that all pools together may have, with the calling one
  int next_handle = 1;
  std::map<int, std::unique_ptr<Held>> held;
  std::map<int, std::weak_ptr<ThreadPool>> pools;  // by number of threads
  std::map<std::string, std::string> files;        // for the next simulation

  Error error;
  const void* result = nullptr;
  int32_t result_count = 0;
  std::string text;
  std::vector<double> numbers;
  std::vector<int32_t> integers;
};
Session& session();

// The last result: text or numbers of the session's, or an array that stays where it is.
void answer_text(std::string text);
void answer_json(const Json& json);
void answer_numbers(std::vector<double> numbers);
template <class T>
void answer_in_place(const std::vector<T>& array) {
  session().result = array.data();
  session().result_count = static_cast<int32_t>(array.size());
}

// A pool of that many threads (0: of all there are), or of as many as are left: simulations of one number share one,
// since they take their steps one after the other.
std::shared_ptr<ThreadPool> pool_of(int threads);

int fail(const Error& error);
Error no_memory();

// The number or 0 that `action`, which returns a Result<int> or a Status, leads to.
template <class Action>
int attempt(const Action& action) {
  try {
    const auto outcome = action();
    if (!outcome) return fail(outcome.error());
    if constexpr (std::is_same_v<decltype(outcome), const Status>)
      return 1;
    else
      return outcome.value();
  } catch (const std::bad_alloc&) {
    return fail(no_memory());
  } catch (...) {
    return fail({"the engine", "failed", "create the simulation anew"});
  }
}
// The same on a simulation.
template <class Action>
int with(int handle, const Action& action) {
  return attempt([&]() -> decltype(action(std::declval<Held&>())) {
    const auto at = session().held.find(handle);
    if (at == session().held.end()) return Error{"simulation", "was disposed of", "create another"};
    return action(*at->second);
  });
}

inline std::string_view text_at(const char* at, int32_t length) {
  return {at, static_cast<size_t>(length)};
}

}  // namespace sinew::web
