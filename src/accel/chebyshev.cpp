#include "accel/chebyshev.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "accel/accelerator_info.h"
#include "accel/rule.h"

namespace sinew {
namespace {

constexpr int probe_sweeps = 8;  // plain sweeps before rho is measured
constexpr int probe_span = 4;    // measured over the last of these
constexpr double rho_cap = 0.9992;
constexpr double growth_limit = 2;  // start over if changes exceed the smallest so far by this factor

template <class Real>
double change(const Iterate<Real>& a, const Iterate<Real>& b, ThreadPool& pool) {
  return std::sqrt(ordered_sum<double>(pool, static_cast<int64_t>(a.x.size()), [&](int64_t s) {
    const double x = a.x[s].x - b.x[s].x, y = a.x[s].y - b.x[s].y, z = a.x[s].z - b.x[s].z;
    return x * x + y * y + z * z;
  }));
}

template <class Real>
class ChebyshevRule {
 public:
  explicit ChebyshevRule(const ChebyshevOptions& options) : options_(options) {}

  void begin(const Iterate<Real>& iterate, ThreadPool&) {
    last_ = iterate;
    before_last_ = iterate;
    changes_.clear();
    rho_ = options_.rho;
    omega_ = 1;
    plain_ = 0;
  }

  void apply(Iterate<Real>& iterate, ThreadPool& pool) {
    ++plain_;
    if (options_.gamma != 1) {
      const Real gamma = static_cast<Real>(options_.gamma);
      combine(iterate, last_, pool, [gamma](Real next, Real last) { return gamma * (next - last) + last; });
    }
    const bool measuring = options_.rho == 0;
    if (measuring) {
      changes_.push_back(change(iterate, last_, pool));
      if (rho_ == 0 && plain_ >= probe_sweeps) {
        const double ratio = changes_.back() / changes_[changes_.size() - 1 - probe_span];
        rho_ = ratio > 0 && ratio < 1 ? std::min(std::pow(ratio, 1.0 / probe_span), rho_cap) : 0;
        plain_ = rho_ > 0 ? options_.delay : 0;
        smallest_ = changes_.back();
      } else if (rho_ > 0) {
        smallest_ = std::min(smallest_, changes_.back());
        if (!(changes_.back() <= growth_limit * smallest_)) {  // the estimate is wrong: measure again
          rho_ = 0;
          omega_ = 1;
          plain_ = 0;
          changes_.clear();
        }
      }
    }
    if (rho_ > 0 && plain_ > options_.delay) {
      omega_ = plain_ == options_.delay + 1 ? 2 / (2 - rho_ * rho_) : 4 / (4 - rho_ * rho_ * omega_);
      const Real omega = static_cast<Real>(omega_);
      combine(iterate, before_last_, pool,
              [omega](Real next, Real before) { return omega * (next - before) + before; });
    }
    remember(iterate, last_, before_last_);
  }

 private:
  ChebyshevOptions options_;
  Iterate<Real> last_, before_last_;
  std::vector<double> changes_;  // |x~^(n) - x^(n-1)|, since the start or the last restart
  double rho_ = 0, omega_ = 1, smallest_ = 0;
  int plain_ = 0;  // sweeps since the start or the last restart
};

}  // namespace

std::unique_ptr<Accelerator> make_chebyshev(const ChebyshevOptions& options) {
  return std::make_unique<AcceleratorByRule<ChebyshevRule, ChebyshevOptions>>(options);
}

AcceleratorInfo chebyshev_info() {
  return accelerator_info<ChebyshevOptions, chebyshev_parameters, make_chebyshev>();
}

}  // namespace sinew
