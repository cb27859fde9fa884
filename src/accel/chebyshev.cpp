#include "accel/chebyshev.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

namespace sinew {
namespace {

constexpr int probe_sweeps = 8;  // plain sweeps before rho is measured
constexpr int probe_span = 4;    // over the last of these
constexpr double rho_cap = 0.9992;
constexpr double growth_limit = 2;  // changes this much larger than the smallest so far: start over

struct Sum {
  double value = 0;
  void operator+=(Sum o) { value += o.value; }
};

template <class Real>
double change(const Iterate<Real>& a, const Iterate<Real>& b, ThreadPool& pool) {
  return std::sqrt(ordered_sum<Sum>(pool, static_cast<int64_t>(a.x.size()), [&](int64_t s) {
                     const double x = a.x[s].x - b.x[s].x, y = a.x[s].y - b.x[s].y, z = a.x[s].z - b.x[s].z;
                     return Sum{x * x + y * y + z * z};
                   }).value);
}

// next = omega (next - before_last) + before_last
template <class Real>
void extrapolate(Iterate<Real>& next, const Iterate<Real>& before_last, double omega, ThreadPool& pool) {
  const Real w = static_cast<Real>(omega);
  const auto mix = [w](Real a, Real b) { return w * (a - b) + b; };
  pool.parallel_for(static_cast<int64_t>(next.x.size()), reduction_chunk, [&](int64_t first, int64_t last) {
    for (int64_t s = first; s < last; ++s) {
      const Vec4<Real> a = next.x[s], b = before_last.x[s];
      if (a.w > 0) next.x[s] = {mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z), a.w};
    }
  });
  pool.parallel_for(static_cast<int64_t>(next.multipliers.size()), reduction_chunk, [&](int64_t first, int64_t last) {
    for (int64_t k = first; k < last; ++k) {
      next.multipliers[k] = mix(next.multipliers[k], before_last.multipliers[k]);
    }
  });
}

template <class Real>
class History {
 public:
  explicit History(const ChebyshevOptions& options) : options_(options) {}

  void begin(const Iterate<Real>& iterate) {
    last_ = iterate;
    before_last_ = iterate;
    changes_.clear();
    rho_ = options_.rho;
    omega_ = 1;
    plain_ = 0;
  }

  void apply(Iterate<Real>& iterate, ThreadPool& pool) {
    ++plain_;
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
        if (!(changes_.back() <= growth_limit * smallest_)) {  // the estimate does not hold: measure again
          rho_ = 0;
          omega_ = 1;
          plain_ = 0;
          changes_.clear();
        }
      }
    }
    if (rho_ > 0 && plain_ > options_.delay) {
      omega_ = plain_ == options_.delay + 1 ? 2 / (2 - rho_ * rho_) : 4 / (4 - rho_ * rho_ * omega_);
      extrapolate(iterate, before_last_, omega_, pool);
    }
    before_last_.x.swap(last_.x);
    before_last_.multipliers.swap(last_.multipliers);
    last_ = iterate;
  }

 private:
  ChebyshevOptions options_;
  Iterate<Real> last_, before_last_;
  std::vector<double> changes_;  // |x~^(n) - x^(n-1)|, since the start or the last restart
  double rho_ = 0, omega_ = 1, smallest_ = 0;
  int plain_ = 0;  // sweeps since the start or the last restart
};

class Chebyshev final : public Accelerator {
 public:
  explicit Chebyshev(const ChebyshevOptions& options) : single_(options), double_(options) {}

  void begin_step(IterateRef iterate, ThreadPool&) override {
    visit(iterate, [](auto& history, auto& it) { history.begin(it); });
  }
  void apply(IterateRef iterate, int, ThreadPool& pool) override {
    visit(iterate, [&](auto& history, auto& it) { history.apply(it, pool); });
  }

 private:
  template <class Action>
  void visit(IterateRef iterate, const Action& action) {
    if (auto* single = std::get_if<Iterate<float>*>(&iterate)) action(single_, **single);
    if (auto* other = std::get_if<Iterate<double>*>(&iterate)) action(double_, **other);
  }
  History<float> single_;
  History<double> double_;
};

}  // namespace

std::unique_ptr<Accelerator> make_chebyshev(const ChebyshevOptions& options) {
  return std::make_unique<Chebyshev>(options);
}

}  // namespace sinew
