// Source: the promises of sinew/named.h, for every enum that scenes have.
#include "sinew/named.h"

#include <gtest/gtest.h>

#include "sinew/scene.h"

namespace sinew {
namespace {

template <class E>
class Named : public testing::Test {};
using Enums = testing::Types<VtuFrames, SurfaceCache, FrameField, CameraFollow, ColorBy, GroundPattern, UpAxis, Mesher,
                             ContactLaw, FrictionForm, ContactGuarantee, ContactStart>;
TYPED_TEST_SUITE(Named, Enums);

TYPED_TEST(Named, EveryValueHasANameAndIsFoundByIt) {
  const auto names = names_of<TypeParam>();
  ASSERT_GE(names.size(), 2u);
  for (size_t k = 0; k < names.size(); ++k) {
    EXPECT_FALSE(names[k].empty());
    EXPECT_EQ(name_of(static_cast<TypeParam>(k)), names[k]);
    EXPECT_EQ(named<TypeParam>(names[k]), static_cast<TypeParam>(k));
  }
  EXPECT_EQ(named<TypeParam>("no such name"), std::nullopt);
  EXPECT_EQ(named<TypeParam>(""), std::nullopt);
  EXPECT_EQ(name_of(static_cast<TypeParam>(names.size())), "");
}

// The order of names is that of values.
TEST(Names, OfTheLastValues) {
  EXPECT_EQ(name_of(VtuFrames::none), "none");
  EXPECT_EQ(name_of(SurfaceCache::mdd), "mdd");
  EXPECT_EQ(name_of(FrameField::pinned), "pinned");
  EXPECT_EQ(name_of(CameraFollow::automatic), "auto");
  EXPECT_EQ(name_of(CameraFollow::never), "never");
  EXPECT_EQ(name_of(ColorBy::von_mises), "von_mises");
  EXPECT_EQ(name_of(ColorBy::residual), "residual");
  EXPECT_EQ(name_of(GroundPattern::plain), "plain");
  EXPECT_EQ(name_of(UpAxis::z), "z");
  EXPECT_EQ(name_of(Mesher::tetgen), "tetgen");
  EXPECT_EQ(name_of(ContactLaw::penalty), "penalty");
  EXPECT_EQ(name_of(FrictionForm::stick), "stick");
  EXPECT_EQ(name_of(ContactGuarantee::intersection_free), "intersection_free");
  EXPECT_EQ(name_of(ContactStart::allow), "allow");
}

}  // namespace
}  // namespace sinew
