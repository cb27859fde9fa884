// Source: `sinew check-intersections --help`.
#include "program.h"

namespace sinew {
namespace {

class Intersections : public Program {
 protected:
  // Two triangles, the second `high` above the origin, upright.
  static std::string pair(const std::string& high) {
    return "v -1 -1 0\nv 1 -1 0\nv 0 1 0\nv -1 0 " + high + "\nv 1 0 " + high + "\nv 0 0 5\nf 1 2 3\nf 4 5 6\n";
  }
};

TEST_F(Intersections, ExitWithFourWhereThereAreAny) {
  write("apart.obj", pair("0.1"));
  Ended ended = sinew({"check-intersections", "apart.obj"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(says(ended.out, "2 triangles: no intersection"));

  write("touching.obj", pair("0"));
  ended = sinew({"check-intersections", "touching.obj", "-o", "pairs.csv"});
  EXPECT_EQ(ended.status, 4) << ended.err;
  EXPECT_TRUE(says(ended.out, "2 triangles: 1 pair intersects, of 2 triangles"));
  EXPECT_TRUE(says(content(folder() / "pairs.csv"), "touching.obj,0,touching.obj,1,"));
}

TEST_F(Intersections, OfARunAreListedByFrame) {
  write("bar.json", bar(2));
  ASSERT_EQ(sinew({"run", "bar.json", "-o", "out"}).status, 0);
  const Ended ended = sinew({"check-intersections", "out"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(says(ended.out, "3 frames of 48 triangles: no intersection"));
}

TEST_F(Intersections, OfCollidersAreNamed) {
  write("risen.json", bar(2, R"(, "colliders": { "floor": { "shape": { "half_space": { "point": [0, -1, 0] } },
    "motion": { "smooth": false, "keyframes": [{ "time": 0.02 }, { "time": 0.04, "translate": [0, 1.05, 0] }] } } })"));
  ASSERT_EQ(sinew({"run", "risen.json", "-o", "out"}).status, 0);
  const Ended ended = sinew({"check-intersections", "out"});
  EXPECT_EQ(ended.status, 4) << ended.err;
  EXPECT_TRUE(says(ended.out, "bar and floor "));
  EXPECT_TRUE(says(ended.out, "3 frames of 48 triangles and 1 collider: 1 frame intersects; the worst is frame 2, "));
}

TEST_F(Intersections, OfWhatAGridKeepsApartAreMarked) {
  write("low.json", bar(2, R"(, "colliders": { "floor": { "shape": { "half_space": { "point": [0, 0.01, 0] } } } },
    "grid": { "spacing": 0.5 }, "solver": { "type": "xpbd" })"));
  ASSERT_EQ(sinew({"run", "low.json", "-o", "out"}).status, 0);
  const Ended ended = sinew({"check-intersections", "out"});
  EXPECT_EQ(ended.status, 4) << ended.err;
  EXPECT_TRUE(says(ended.out, " (grid)\n"));
  EXPECT_TRUE(says(ended.out, "nothing else intersects in 3 of these frames"));
}

TEST_F(Intersections, RefuseWhatCannotBeChecked) {
  write("far.obj", pair("1e200"));
  write("points.obj", "v 0 0 0\nv 1 0 0\n");
  for (const auto& [file, fault] : {std::pair("far.obj", "1e+200"), std::pair("points.obj", "points.obj"),
                                    std::pair("missing.ply", "missing.ply")}) {
    const Ended ended = sinew({"check-intersections", file});
    EXPECT_EQ(ended.status, 2) << ended.out;
    EXPECT_EQ(ended.out, "");
    EXPECT_TRUE(says(ended.err, fault));
  }
}

}  // namespace
}  // namespace sinew
