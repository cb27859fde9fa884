#include "accel/anderson.h"

#include "accel/accelerator_info.h"
#include "accel/anderson_rule.h"

namespace sinew {
namespace {

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
