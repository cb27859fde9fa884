#include "session.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "interrupt.h"

namespace sinew::python {
namespace {

// A ring of an observer and its simulation is left to Python's collector, which counts objects, not what they hold: it
// is called where simulations with observers have more vertices than this, and later than twice as many as stayed.
constexpr int64_t collected_from = 50'000;
std::atomic<int64_t> observed = 0, most_observed = collected_from;

void collect_rings() {
  if (observed <= most_observed) return;
  const py::module_ gc = py::module_::import("gc");
  if (!gc.attr("isenabled")().cast<bool>()) return;
  gc.attr("collect")();
  most_observed = std::max(collected_from, 2 * observed.load());
}

}  // namespace

Session::Session(const Scene& scene, int threads)
    : simulation_(interruptible<Simulation>(
          [&](const Listener<Progress>& watch) { return Simulation::create(scene, threads, watch); })) {}
Session::Session(const std::string& checkpoint, int threads)
    : simulation_(interruptible<Simulation>(
          [&](const Listener<Progress>&) { return Simulation::resume(checkpoint, threads); })) {}
Session::~Session() {
  observed -= counted_;
}

void Session::refuse_in_observer() const {
  if (in_observer())
    fail("simulation", "is in the middle of a step", "use what the observer is given, or wait for the end of the step");
}

std::unique_lock<std::mutex> Session::owned() {
  refuse_in_observer();
  std::unique_lock lock(busy_, std::try_to_lock);
  if (!lock) {  // held by a thread that needs the interpreter's lock to let go
    const py::gil_scoped_release released;
    lock.lock();
  }
  return lock;
}

void Session::Watcher::on_iteration(const IterationReport& report) {
  if (keeps) {
    curve.push_back(report);
    curve.back().positions = nullptr;
  }
  if (!calls || raised) return;
  const py::gil_scoped_acquire acquired;
  try {
    const py::object given = py::cast(report);
    const py::object called = function;  // which may set another
    called(given);
    given.cast<IterationReport&>().positions = nullptr;  // whoever keeps the report has none from here on
  } catch (...) {
    raised = std::current_exception();
  }
}

Step Session::take_step() {
  watcher_->curve.clear();
  // Also where the step throws, for want of memory.
  struct Stepping {
    std::atomic<std::thread::id>& thread;
    explicit Stepping(std::atomic<std::thread::id>& of) : thread(of) {
      thread.store(std::this_thread::get_id(), std::memory_order_relaxed);
    }
    ~Stepping() { thread.store({}, std::memory_order_relaxed); }
  };
  Result<StepReport> report = [&] {
    const Stepping stepping(stepping_);
    return simulation_.step();
  }();
  watch();  // as the observer may have left it
  if (watcher_->raised) std::rethrow_exception(std::exchange(watcher_->raised, nullptr));
  return {value_of(std::move(report)), std::move(watcher_->curve)};
}

Step Session::step() {
  return change([this](Simulation&) { return take_step(); });
}

std::vector<Step> Session::run(const RunLength& length) {
  if (length.steps.has_value() + length.seconds.has_value() + length.frames.has_value() > 1)
    fail("run", "has several lengths", "give steps, seconds or frames");
  const auto refuse = [](const char* where, const std::string& what) {
    fail(where, what, "give a length of 0 or more");
  };
  if (length.steps && *length.steps < 0) refuse("steps", "= " + std::to_string(*length.steps));
  if (length.frames && *length.frames < 0) refuse("frames", "= " + std::to_string(*length.frames));
  if (length.seconds && !std::isfinite(*length.seconds)) fail("seconds", "is not finite", "give a time");
  if (length.seconds && *length.seconds < 0) refuse("seconds", "= " + std::to_string(*length.seconds) + " [s]");
  Signals signals;
  std::vector<Step> steps = change([&](Simulation& s) {
    // Steps, or frames where there are no steps to count.
    constexpr int64_t most = int64_t{1} << 50;  // nobody waits for more, and sums of it do not overflow
    std::optional<int64_t> last_step;
    if (length.steps) last_step = s.steps_taken() + std::min(most, *length.steps);
    if (length.seconds) {
      // A step more than is needed by round-off alone is none.
      const double count = std::ceil(*length.seconds / s.step_size() - 1e-6);
      last_step = s.steps_taken() + static_cast<int64_t>(std::min(count, static_cast<double>(most)));
    }
    const int64_t last_frame = length.frames ? s.frames_taken() + std::min(most, *length.frames) : s.frame_count();
    std::vector<Step> taken;
    while (last_step ? s.steps_taken() < *last_step : s.frames_taken() < last_frame) {
      taken.push_back(take_step());
      if (signals.raised()) break;
    }
    return taken;
  });
  signals.rethrow();
  return steps;
}

void Session::begin_edit() {
  if (editing_.exchange(true))
    fail("edit", "a block of the simulation has not ended", "write into its arrays, or begin another after it");
}
void Session::refuse_in_edit(const char* where) const {
  if (editing_) fail(where, "a block of `edit` would undo it", "write into the arrays of the block, or do it after it");
}

void Session::refresh() {
  const Simulation& s = simulation_;
  const auto update = [](Kept& kept, const auto& read) {
    // Of another length after objects came or went: the array stays as it was.
    if (const std::shared_ptr<Numbers> numbers = kept.lock(); numbers && !read(*numbers)) kept.reset();
  };
  update(positions_, [&](std::span<double> xyz) { return s.read_positions(xyz); });
  update(velocities_, [&](std::span<double> xyz) { return s.read_velocities(xyz); });
  update(reactions_, [&](std::span<double> xyz) { return s.read_reactions(xyz); });
  for (size_t k = 0; k < elements_.size(); ++k)
    update(elements_[k],
           [&](std::span<double> values) { return s.read_elements(static_cast<ElementQuantity>(k), values); });
}

// What arrays show already, or else what is read.
std::shared_ptr<Numbers> Session::read_into(Kept& kept, int64_t count, const Reader& read) {
  std::shared_ptr<Numbers> numbers = kept.lock();
  if (numbers) return numbers;
  numbers = std::make_shared<Numbers>(static_cast<size_t>(count));
  check(read(*numbers));
  kept = numbers;
  return numbers;
}

py::array Session::positions() {
  return view_of(ask([&](const Simulation& s) {
                   return read_into(positions_, 3 * s.vertex_count(),
                                    [&](std::span<double> xyz) { return s.read_positions(xyz); });
                 }),
                 3);
}
py::array Session::velocities() {
  return view_of(ask([&](const Simulation& s) {
                   return read_into(velocities_, 3 * s.vertex_count(),
                                    [&](std::span<double> xyz) { return s.read_velocities(xyz); });
                 }),
                 3);
}
py::array Session::reactions() {
  return view_of(work([&](const Simulation& s) {
                   return read_into(reactions_, 3 * s.vertex_count(),
                                    [&](std::span<double> xyz) { return s.read_reactions(xyz); });
                 }),
                 3);
}
py::array Session::elements(ElementQuantity quantity) {
  return view_of(work([&](const Simulation& s) {
                   return read_into(elements_[static_cast<size_t>(quantity)],
                                    s.element_count() * components_of(quantity),
                                    [&](std::span<double> values) { return s.read_elements(quantity, values); });
                 }),
                 components_of(quantity));
}

void Session::watch() {
  simulation_.set_observer(watcher_->keeps || watcher_->calls ? watcher_.get() : nullptr);
}
void Session::show_curves(bool on) {
  ask([&](Simulation&) {
    watcher_->keeps = on;
    watch();
  });
}
void Session::count_observed() {
  constexpr int64_t overhead = 100;  // what a simulation without vertices takes, as vertices
  const int64_t count = watcher_->calls ? simulation_.vertex_count() + overhead : 0;
  observed += count - std::exchange(counted_, count);
}
void Session::set_observer(const py::object& function) {
  if (!function.is_none() && !PyCallable_Check(function.ptr()))
    fail("observer", "cannot be called", "give a function of one argument, or None");
  py::object before = function;  // the one before goes when nothing is locked
  const auto swap = [&] {
    std::swap(watcher_->function, before);
    watcher_->calls = !watcher_->function.is_none();
  };
  if (in_observer()) return swap();
  ask([&](Simulation&) {
    swap();
    watch();
    count_observed();
  });
  if (watcher_->calls) collect_rings();
}

}  // namespace sinew::python
