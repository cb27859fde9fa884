// Ctrl-C in what takes long: Python's handlers of signals run where the library says how far it is.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <future>
#include <optional>

#include "errors.h"
#include "sinew/progress.h"

namespace sinew::python {

// Asks Python now and then whether a handler has raised an exception; it stays set.
class Signals {
 public:
  // Taking the lock from a busy thread may take 5 ms.
  static constexpr std::chrono::milliseconds interval{50};

  // Without the interpreter's lock.
  bool raised() {
    const auto now = std::chrono::steady_clock::now();
    if (raised_ || now - asked_ < interval) return raised_;
    asked_ = now;
    const py::gil_scoped_acquire acquired;
    return raised_ = PyErr_CheckSignals() != 0;
  }
  // With the lock: throws what was raised.
  void rethrow() const {
    if (raised_) throw py::error_already_set();
  }

 private:
  std::chrono::steady_clock::time_point asked_ = std::chrono::steady_clock::now();
  bool raised_ = false;
};

// What `operation`, which is given a listener and returns a Result, leads to, without the interpreter's lock.
template <class T, class Operation>
T interruptible(const Operation& operation) {
  Signals signals;
  std::optional<Result<T>> result;
  {
    const py::gil_scoped_release released;
    result = operation([&signals](const Progress&) { return !signals.raised(); });
  }
  signals.rethrow();
  return value_of(std::move(*result));
}

// `operation`, which is given an interrupt, for work that says nothing for long. Without the interpreter's lock. A
// thread of its own works, since Python tells of signals in the main thread alone, which looks for them meanwhile.
template <class Operation>
auto interrupted_by(Signals& signals, const Operation& operation) {
  std::atomic<bool> interrupt = false;
  auto result = std::async(std::launch::async, [&] { return operation(&interrupt); });
  while (result.wait_for(Signals::interval) == std::future_status::timeout) interrupt = signals.raised();
  return result.get();
}

// What `operation`, which is given an interrupt, returns.
template <class Operation>
auto interruptible_within(const Operation& operation) {
  Signals signals;
  auto result = [&] {
    const py::gil_scoped_release released;
    return interrupted_by(signals, operation);
  }();
  signals.rethrow();
  return result;
}

}  // namespace sinew::python
