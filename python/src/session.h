// A simulation with what Python adds to it: arrays that follow its state, curves of its steps, and one caller at a
// time.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "arrays.h"
#include "errors.h"
#include "sinew/simulation.h"

namespace sinew::python {

namespace py = pybind11;

// A StepReport with the iterations of the step, where they were asked for.
struct Step : StepReport {
  std::vector<IterationReport> curve;
};

// How long a run goes on: of the three one is given, or none for the scene's duration.
struct RunLength {
  std::optional<int64_t> steps;
  std::optional<double> seconds;
  std::optional<int64_t> frames;
};

class Session {
 public:
  Session(const Scene& scene, int threads);
  Session(const std::string& checkpoint, int threads);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  // Calls `action` with the simulation while no other thread uses it. `ask` is for what takes no time, and keeps the
  // interpreter's lock; `work` releases it. Neither may touch Python's objects: their destructors may come back here.
  template <class Action>
  auto ask(Action action) {
    const std::unique_lock lock = owned();
    return action(simulation_);
  }
  template <class Action>
  auto work(Action action) {
    refuse_in_observer();
    const py::gil_scoped_release released;
    const std::lock_guard lock(busy_);
    return action(simulation_);
  }
  // `work` that moves vertices: arrays follow.
  template <class Action>
  auto change(Action action) {
    refuse_in_observer();
    const py::gil_scoped_release released;
    const std::lock_guard lock(busy_);
    const Following following{*this};
    return action(simulation_);
  }

  Step step();
  // Looks for Ctrl-C between steps. Errors: as step(), after the steps that went well.
  std::vector<Step> run(const RunLength& length);

  // From here to the end of the block its arrays alone move the body. Errors: there is such a block.
  void begin_edit();
  void end_edit() { editing_ = false; }
  // Errors: what the block would undo when it ends.
  void refuse_in_edit(const char* where) const;

  // Views that follow the state. Those of elements and reactions cost an evaluation a step while somebody has them.
  py::array positions();
  py::array velocities();
  py::array elements(ElementQuantity quantity);
  py::array reactions();
  bool curves() const { return watcher_->keeps; }
  void show_curves(bool on);
  // A function that is called with each iterate, or None. What it raises is raised after the step.
  const py::object& observer() const { return watcher_->function; }
  // Also within an observer, which so ends itself.
  void set_observer(const py::object& function);

 private:
  class Watcher final : public Observer {
   public:
    bool wants(int64_t, int) const override { return true; }
    bool wants_positions() const override { return calls; }
    void on_iteration(const IterationReport& report) override;
    bool keeps = false, calls = false;
    std::vector<IterationReport> curve;
    py::object function = py::none();
    std::exception_ptr raised;  // by the function
  };
  // Shows the present state, also after an error: a change may have been made in part of a run.
  struct Following {
    Session& session;
    ~Following() { session.refresh(); }
  };
  using Kept = std::weak_ptr<Numbers>;
  using Reader = std::function<Status(std::span<double>)>;

  std::unique_lock<std::mutex> owned();
  bool in_observer() const { return stepping_.load(std::memory_order_relaxed) == std::this_thread::get_id(); }
  // Errors: the observer of a step uses the simulation that takes it.
  void refuse_in_observer() const;
  void watch();
  Step take_step();
  void refresh();
  void count_observed();
  static std::shared_ptr<Numbers> read_into(Kept& kept, int64_t count, const Reader& read);

  std::mutex busy_;
  std::atomic<std::thread::id> stepping_{};  // the thread that takes a step
  std::atomic<bool> editing_ = false;
  std::unique_ptr<Watcher> watcher_ = std::make_unique<Watcher>();
  Simulation simulation_;
  // What arrays show that somebody still has. They are kept by those arrays, not here: where there are none, steps copy
  // nothing, and an array outlives its simulation.
  Kept positions_, velocities_, reactions_;
  std::array<Kept, 6> elements_;  // by quantity
  int64_t counted_ = 0;           // among the vertices that have observers
};

}  // namespace sinew::python
