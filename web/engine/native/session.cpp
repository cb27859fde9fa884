#include "session.h"

#include <algorithm>

#include "base/format.h"

namespace sinew::web {

Session& session() {
  static Session one;
  return one;
}

void answer_text(std::string text) {
  Session& s = session();
  s.text = std::move(text);
  s.result = s.text.data();
  s.result_count = static_cast<int32_t>(s.text.size());
}
void answer_json(const Json& json) {
  answer_text(write_json(json));
}
void answer_numbers(std::vector<double> numbers) {
  session().numbers = std::move(numbers);
  answer_in_place(session().numbers);
}

std::shared_ptr<ThreadPool> pool_of(int threads) {
  Session& s = session();
  int left = s.threads - 1;  // workers
  for (auto at = s.pools.begin(); at != s.pools.end();) {
    const std::shared_ptr<ThreadPool> pool = at->second.lock();
    if (pool) left -= pool->size() - 1;
    at = pool ? std::next(at) : s.pools.erase(at);
  }
  if (threads <= 0) threads = s.threads;
  threads = std::clamp(threads, 1, s.threads);
  if (const auto at = s.pools.find(threads); at != s.pools.end()) return at->second.lock();
  // A thread beyond those that the module has ready would never begin.
  if (threads > left + 1) {
    for (auto at = s.pools.rbegin(); at != s.pools.rend(); ++at)
      if (at->first <= threads && at->first > left + 1) return at->second.lock();
    threads = left + 1;
    if (const auto at = s.pools.find(threads); at != s.pools.end()) return at->second.lock();
  }
  auto pool = std::make_shared<ThreadPool>(threads);
  s.pools[threads] = pool;
  return pool;
}

int fail(const Error& error) {
  session().error = error;
  return 0;
}

Error no_memory() {
  return {"memory",
          format("does not suffice: %.0f MB are in use of the %.0f MB that a page can have", memory_in_use() / 1e6,
                 session().most_memory / 1e6),
          "use fewer cells, or dispose of other simulations"};
}

}  // namespace sinew::web
