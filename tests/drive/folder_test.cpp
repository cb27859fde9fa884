// Source: the promises of sinew/folder.h, sinew/version.h and of check_comparison_folder (sinew/compare.h).
#include "sinew/folder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <optional>

#include "io/says.h"
#include "io/temporary_folder.h"
#include "sinew/compare.h"
#include "sinew/run.h"
#include "sinew/version.h"
#include "support/box_scene.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

class Folders : public TemporaryFolder {};

TEST_F(Folders, AreLockedByOne) {
  const fs::path path = folder() / "new" / "out";
  {
    const Result<FolderLock> first = FolderLock::claim(path);
    ASSERT_TRUE(first.ok()) << first.error().message();
    EXPECT_TRUE(fs::is_directory(path));
    const Result<FolderLock> second = FolderLock::claim(path);
    ASSERT_FALSE(second.ok());
    EXPECT_TRUE(says(second.error().message(), "is being written by another run"));
    // A run into it is refused too.
    EXPECT_FALSE(run_scene(box_scene(1), {.folder = path, .frames = 0, .threads = 1}).ok());
  }
  EXPECT_FALSE(fs::exists(path)) << "made by the claim, and empty";
  EXPECT_TRUE(FolderLock::claim(path).ok()) << "free again";
  EXPECT_FALSE(FolderLock::acquire(path).ok()) << "there is no such folder";
}

TEST_F(Folders, AreCheckedBeforeLongWork) {
  EXPECT_TRUE(check_writable(folder() / "a" / "b").ok());
  EXPECT_FALSE(fs::exists(folder() / "a")) << "nothing is left behind";
  std::ofstream(folder() / "file") << "text";
  EXPECT_FALSE(check_writable(folder() / "file").ok());
  EXPECT_TRUE(check_comparison_folder(folder() / "a").ok());
  EXPECT_FALSE(check_comparison_folder(folder() / "file").ok());
  ASSERT_TRUE(run_scene(box_scene(1), {.folder = folder() / "run", .frames = 0, .threads = 1}).ok());
  EXPECT_FALSE(check_comparison_folder(folder() / "run").ok()) << "it belongs to a run";
}

TEST(Version, IsThatOfTheProject) {
  EXPECT_TRUE(says(library_version(), "."));
  const std::string commit = library_commit();
  EXPECT_TRUE(commit == "unknown" || commit.size() == 12) << commit;
}

}  // namespace
}  // namespace sinew
