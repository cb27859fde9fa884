#include "accel/sor.h"

#include "accel/accelerator_info.h"
#include "accel/rule.h"

namespace sinew {
namespace {

template <class Real>
class SorRule {
 public:
  explicit SorRule(const SorOptions& options) : options_(options) {}

  void begin(const Iterate<Real>& iterate, ThreadPool&) {
    last_ = iterate;
    first_sweep_ = true;
  }

  void apply(Iterate<Real>& iterate, ThreadPool& pool) {
    const bool richardson = options_.form == sor_richardson;
    if (!(richardson && first_sweep_)) {
      const Real omega = static_cast<Real>(options_.omega);
      combine(iterate, richardson ? before_last_ : last_, pool,
              [omega](Real next, Real from) { return omega * (next - from) + from; });
    }
    first_sweep_ = false;
    if (richardson) {
      remember(iterate, last_, before_last_);
    } else {
      last_ = iterate;
    }
  }

 private:
  SorOptions options_;
  Iterate<Real> last_, before_last_;
  bool first_sweep_ = true;
};

}  // namespace

std::unique_ptr<Accelerator> make_sor(const SorOptions& options) {
  return std::make_unique<AcceleratorByRule<SorRule, SorOptions>>(options);
}

AcceleratorInfo sor_info() {
  return accelerator_info<SorOptions, sor_parameters, make_sor>();
}

}  // namespace sinew
