// Sources: `sinew info --help`; the house rule that nothing that is not finite is ever printed.
#include "program.h"

namespace sinew {
namespace {

class Info : public Program {
 protected:
  static std::string tet(const std::string& size) {
    return "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n" + size + " 0 0 0\n0 " + size + " 0 0\n0 0 " +
           size + " 0\nTetrahedra\n1\n1 2 3 4 0\nEnd\n";
  }
};

TEST_F(Info, RefusesWhatIsBeyondDoublePrecision) {
  write("one.mesh", tet("1"));
  const Ended good = sinew({"info", "one.mesh"});
  EXPECT_EQ(good.status, 0) << good.err;
  EXPECT_TRUE(says(good.out, "volume"));
  for (const char* size : {"1e216", "-1e216", "1.7e308"}) {
    write("far.mesh", tet(size));
    write("far.obj", std::string("v 0 0 0\nv ") + size + " 0 0\nv 0 " + size + " 0\nv 0 0 " + size +
                         "\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    for (const char* file : {"far.mesh", "far.obj"}) {
      const Ended ended = sinew({"info", file});
      EXPECT_EQ(ended.status, 2) << ended.out;
      EXPECT_EQ(ended.out, "");
      EXPECT_TRUE(says(ended.err, std::string("error: ") + file + ": has coordinates as large as 1"));
      EXPECT_TRUE(says(ended.err, "are not finite in double precision; check the units"));
    }
  }
}

TEST_F(Info, AnswersANameOf100kBInALineThatCanBeRead) {
  const std::string name(100'000, 'x');
  for (const auto& words : {std::vector<std::string>{"info", name},
                            {"run", name},
                            {name},
                            {"mesh", "a.obj", "--" + name},
                            {"run", "bar.json", "--set", name + "=1"},
                            {"compare", "bar.json", "--solvers", name}}) {
    write("bar.json", bar(1));
    const Ended ended = sinew(words);
    EXPECT_EQ(ended.status, 2);
    EXPECT_TRUE(ended.err.starts_with("error: ")) << ended.err.substr(0, 100);
    EXPECT_LT(ended.err.size(), 3000u);
  }
}

}  // namespace
}  // namespace sinew
