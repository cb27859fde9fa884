// A device that runs out of memory, at any point.
#include "cuda/device.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cuda/test_device.h"
#include "support/trial.h"

namespace sinew {
namespace {

using support::Method;
using support::on_left;
using support::Trial;

struct Case {
  std::string name;
  std::vector<NamedOption> options;
};

// Steps with ever more memory, until there is enough: before, each ends with a message and with the state as it was.
TEST(EmulatedDevice, SaysHowMuchMemoryIsMissing) {
  const std::vector<Case> cases = {{"vbd", {}},
                                   {"vbd", {{"layout", std::string("frames")}}},
                                   {"xpbd", {{"order", std::string("jacobi")}}},
                                   {"multilevel", {{"corrections", std::string("always")}}}};
  for (const Case& c : cases) {
    size_t memory = 1000;
    int failures = 0;
    for (;; memory += memory / 8) {
      const auto device = emulated_device(memory);
      Method method;
      method.solve.iterations = 4;
      method.make = [&](const SolveOptions& solve) {
        return make_on_device(c.name, solve.precision, c.options, device);
      };
      Trial run(body_of(box({8, 3, 3}, {0.8, 0.3, 0.3}), MaterialKind::NeoHookean, 1e6), method);
      run.hold(on_left);
      const uint64_t before = run.hash();
      const Result<StepReport> report = run.try_step();
      if (report.ok()) {
        EXPECT_NE(run.hash(), before);
        EXPECT_TRUE(device->status().ok());
        break;
      }
      ++failures;
      EXPECT_EQ(run.hash(), before) << c.name;
      const std::string text = report.error().message();
      EXPECT_NE(text.find("of memory free, and"), std::string::npos) << text;
      EXPECT_NE(text.find("use a smaller mesh, a card with more memory, or device \"cpu\""), std::string::npos) << text;
      ASSERT_LT(memory, size_t{1} << 30) << c.name;
    }
    EXPECT_GT(failures, 20) << c.name << ", " << memory << " bytes";
  }
}

// What was released can be had again.
TEST(EmulatedDevice, CountsItsMemory) {
  const auto device = emulated_device(1 << 20);
  EXPECT_EQ(device->free_bytes(), size_t{1} << 20);
  {
    DeviceArray<double> half;
    half.resize(*device, 1 << 16);
    EXPECT_EQ(device->free_bytes(), size_t{1} << 19);
  }
  EXPECT_EQ(device->free_bytes(), size_t{1} << 20);
  EXPECT_EQ(device->allocate((1 << 20) + 1), nullptr);
  ASSERT_FALSE(device->status().ok());
  EXPECT_EQ(device->allocate(1), nullptr) << "after a fault it does nothing";
}

}  // namespace
}  // namespace sinew
