#include "accel/anderson.h"

#include <limits>

#include "accel/accelerator_info.h"
#include "accel/least_squares.h"
#include "accel/rule.h"

namespace sinew {
namespace {

constexpr double most_growth = 2;  // of the change, per iteration

// Columns that depend more on each other are dropped; in single precision the last two digits of a change are noise.
template <class Real>
constexpr double least_ratio = sizeof(Real) == sizeof(float) ? 1e-5 : 1e-10;

template <class Unknowns>
class AndersonRule {
 public:
  using Real = typename Unknowns::Number;
  explicit AndersonRule(const AndersonOptions& options) : options_(options) {}

  void begin(const Iterate<Real>& iterate, ThreadPool& pool) {
    // Multiplication by a power of two rounds nothing.
    scale_ = static_cast<Real>(std::exp2(std::round(std::log2(iterate.multiplier_scale))));
    forget();
    last_size_ = std::numeric_limits<double>::infinity();
    pack(iterate, u_, pool);
  }

  void apply(Iterate<Real>& iterate, ThreadPool& pool) {
    pack(iterate, image_, pool);
    change_.resize(u_.size());
    pool.for_each(count(), [&](size_t i) { change_[i] = image_[i] - u_[i]; });
    const double size = Window::norm(change_, pool);
    if (!(size <= most_growth * last_size_)) forget();
    last_size_ = size;

    if (has_last_) add_differences(pool);
    u_ = image_;
    last_image_.swap(image_);
    last_change_.swap(change_);
    has_last_ = true;
    if (window_.size() == 0) return;

    const auto gamma = window_.solve(last_change_, pool);
    Window::subtract(std::span(image_steps_.data(), window_.size()), gamma, u_, pool);
    unpack(u_, iterate, pool);
  }

 private:
  using Window = ColumnWindow<Real, largest_anderson_window>;

  int64_t count() const { return static_cast<int64_t>(u_.size()); }

  void forget() {
    window_.clear();
    has_last_ = false;
  }

  // Adds image_ and change_, minus the previous ones, to the window.
  void add_differences(ThreadPool& pool) {
    if (window_.size() == options_.window) drop_oldest(pool);
    pool.for_each(count(), [&](size_t i) { last_change_[i] = change_[i] - last_change_[i]; });
    if (!window_.add(last_change_, pool)) return;
    Buffer<Real>& step = image_steps_[window_.size() - 1];
    step.resize(u_.size());
    pool.for_each(count(), [&](size_t i) { step[i] = image_[i] - last_image_[i]; });
    while (window_.size() > 1 && window_.diagonal_ratio() < least_ratio<Real>) drop_oldest(pool);
  }

  void drop_oldest(ThreadPool& pool) {
    window_.drop_oldest(pool);
    std::rotate(image_steps_.begin(), image_steps_.begin() + 1, image_steps_.begin() + window_.size() + 1);
  }

  // The unknowns as one array: coordinates, then scaled multipliers, according to `on`.
  size_t coordinates(const Iterate<Real>& it) const {
    return options_.on == anderson_multipliers ? 0 : 3 * it.x.size();
  }
  size_t multipliers(const Iterate<Real>& it) const {
    return options_.on == anderson_positions ? 0 : it.multipliers.size();
  }
  void pack(const Iterate<Real>& it, Buffer<Real>& u, ThreadPool& pool) const {
    const size_t moved = coordinates(it);
    u.resize(moved + multipliers(it));
    pool.for_each(static_cast<int64_t>(moved / 3), [&](size_t s) {
      u[3 * s] = it.x[s].x;
      u[3 * s + 1] = it.x[s].y;
      u[3 * s + 2] = it.x[s].z;
    });
    pool.for_each(static_cast<int64_t>(u.size() - moved), [&](size_t k) { u[moved + k] = scale_ * it.multipliers[k]; });
  }
  void unpack(const Buffer<Real>& u, Iterate<Real>& it, ThreadPool& pool) const {
    const size_t moved = coordinates(it);
    pool.for_each(static_cast<int64_t>(moved / 3), [&](size_t s) {
      if (it.x[s].w > 0) it.x[s] = {u[3 * s], u[3 * s + 1], u[3 * s + 2], it.x[s].w};
    });
    const Real inverse = 1 / scale_;
    pool.for_each(static_cast<int64_t>(u.size() - moved),
                  [&](size_t k) { it.multipliers[k] = inverse * u[moved + k]; });
  }

  AndersonOptions options_;
  Real scale_ = 1;
  Buffer<Real> u_;               // u^k
  Buffer<Real> image_, change_;  // G(u^k), R^k
  Buffer<Real> last_image_, last_change_;
  bool has_last_ = false;
  double last_size_ = 0;                                           // |R^(k-1)|
  Window window_;                                                  // dR
  std::array<Buffer<Real>, largest_anderson_window> image_steps_;  // dG
};

class Anderson final : public AcceleratorByRule<AndersonRule, AndersonOptions> {
 public:
  explicit Anderson(const AndersonOptions& options) : AcceleratorByRule(options), on_(options.on) {}
  bool moves_multipliers_alone() const override { return on_ == anderson_multipliers; }
  bool moves_positions_alone() const override { return on_ == anderson_positions; }

 private:
  int on_;
};

}  // namespace

std::unique_ptr<Accelerator> make_anderson(const AndersonOptions& options) {
  return std::make_unique<Anderson>(options);
}

AcceleratorInfo anderson_info() {
  return accelerator_info<AndersonOptions, anderson_parameters, make_anderson>();
}

}  // namespace sinew
