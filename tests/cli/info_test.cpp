// Sources: `sinew info --help`; the rule that only finite numbers are ever printed.
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

TEST_F(Info, ListsPhysicalGroups) {
  const std::string head =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n2 2 \"clamp\"\n3 7 \"bone\"\n1 5 \"rim\"\n"
      "$EndPhysicalNames\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n";
  write("tet.msh", head + "2\n1 2 2 2 1 1 2 3\n2 4 2 7 1 1 2 3 4\n$EndElements\n");
  const Ended tets = sinew({"info", "tet.msh"});
  EXPECT_EQ(tets.status, 0) << tets.err;
  EXPECT_TRUE(says(tets.out, "group \"clamp\""));
  EXPECT_TRUE(says(tets.out, "surface 2: 1 face, 3 vertices\n"));
  EXPECT_TRUE(says(tets.out, "group \"bone\""));
  EXPECT_TRUE(says(tets.out, "volume 7: 1 element, 4 vertices; a region\n"));
  EXPECT_TRUE(says(tets.out, "curve 5: 0 lines, 0 vertices\n"));
  // In a file of triangles, surfaces are regions.
  write("faces.msh", head + "2\n1 2 2 2 1 1 2 3\n2 1 2 5 1 1 2\n$EndElements\n");
  const Ended faces = sinew({"info", "faces.msh"});
  EXPECT_EQ(faces.status, 0) << faces.err;
  EXPECT_TRUE(says(faces.out, "surface 2: 1 face, 3 vertices; a region\n"));
  EXPECT_TRUE(says(faces.out, "curve 5: 1 line, 2 vertices\n"));
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
