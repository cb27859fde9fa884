// Source: the promises of sinew/progress.h.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "sinew/progress.h"

namespace sinew {
namespace {

TEST(Listener, EndsTheOperationOnlyByFalse) {
  const Progress half{"meshes", 0.5};
  EXPECT_TRUE(Listener<Progress>()(half));
  std::string seen;
  const Listener<Progress> watches = [&](const Progress& p) { seen += p.stage; };
  EXPECT_TRUE(watches(half));
  EXPECT_EQ(seen, "meshes");
  const Listener<Progress> decides = [](const Progress& p) { return p.share < 0.5; };
  EXPECT_FALSE(decides(half));
  EXPECT_TRUE(decides({"meshes", 0.4}));
  // One that counts.
  const Listener<Progress> twice = [left = 2](const Progress&) mutable { return --left > 0; };
  EXPECT_TRUE(twice(half));
  EXPECT_FALSE(twice(half));
}

TEST(Listener, IsEmptyIfItsFunctionIs) {
  const std::function<void(const Progress&)> none;
  void (*null)(const Progress&) = nullptr;
  for (const Listener<Progress>& listener :
       {Listener<Progress>(none), Listener<Progress>(null), Listener<Progress>()}) {
    EXPECT_FALSE(listener);
    EXPECT_TRUE(listener({"", 0}));
  }
  EXPECT_TRUE(static_cast<bool>(Listener<Progress>([](const Progress&) {})));
}

}  // namespace
}  // namespace sinew
