// Expectations: the manual of gnuplot 5.4, "Quote Marks" and "Command line options", and the promises of
// files/gnuplot.h.
#include "files/gnuplot.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "files/read_file.h"
#include "io/temporary_folder.h"

namespace sinew {
namespace {

class Gnuplot : public TemporaryFolder {
 protected:
  static bool missing() { return std::system("gnuplot --version > /dev/null 2>&1") != 0; }
};

TEST_F(Gnuplot, DrawsWhole) {
  if (missing()) GTEST_SKIP() << "gnuplot is not installed";
  const auto target = folder() / "line.svg";
  const Status drawn = draw_with_gnuplot("set terminal svg\nset title 'one line'\nplot x\n", target);
  ASSERT_TRUE(drawn.ok()) << drawn.error().message();
  const Result<std::string> picture = read_file(target);
  ASSERT_TRUE(picture.ok());
  EXPECT_NE(picture->find("one line"), std::string::npos);
  EXPECT_NE(picture->find("</svg>"), std::string::npos);
  EXPECT_EQ(entries(), 1);
}

TEST_F(Gnuplot, FaultsLeaveNoFile) {
  if (missing()) GTEST_SKIP() << "gnuplot is not installed";
  const Status drawn = draw_with_gnuplot("set terminal svg\nplot nothing_of_this_name\n", folder() / "x.svg");
  ASSERT_FALSE(drawn.ok());
  EXPECT_NE(drawn.error().what.find("nothing_of_this_name"), std::string::npos) << drawn.error().message();
  EXPECT_EQ(entries(), 0);
}

TEST_F(Gnuplot, MissingProgramNamesThePackage) {
  const Status drawn = draw_with_gnuplot("plot x\n", folder() / "x.svg", "no-such-program-as-this");
  ASSERT_FALSE(drawn.ok());
  EXPECT_NE(drawn.error().message().find("install the package gnuplot-nox"), std::string::npos)
      << drawn.error().message();
  EXPECT_EQ(entries(), 0);
}

// A name from a scene file must not end the string or run a command.
TEST_F(Gnuplot, QuotedTextIsOnlyText) {
  EXPECT_EQ(gnuplot_quoted("a'b\nc"), "'a''b c'");
  if (missing()) GTEST_SKIP() << "gnuplot is not installed";
  const std::string wicked = "`touch " + (folder() / "ran").string() + "` '; system('touch x') #\\";
  const auto target = folder() / "x.svg";
  const Status drawn =
      draw_with_gnuplot("set terminal svg noenhanced\nset title " + gnuplot_quoted(wicked) + "\nplot x\n", target);
  ASSERT_TRUE(drawn.ok()) << drawn.error().message();
  EXPECT_EQ(entries(), 1);
}

}  // namespace
}  // namespace sinew
