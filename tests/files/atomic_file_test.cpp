// Source: what a reader of the folder may see at any time; a file size limit stands in for a full disk.
#include "files/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>

#include "files/read_file.h"
#include "io/temporary_folder.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

using AtomicFileTest = TemporaryFolder;

TEST_F(AtomicFileTest, AppearsOnlyWhenCommitted) {
  const fs::path target = folder() / "frame.vtu";
  {
    AtomicFile file = std::move(AtomicFile::create(target).value());
    ASSERT_TRUE(file.write("abc").ok());
    EXPECT_FALSE(fs::exists(target));
    ASSERT_TRUE(file.write("def").ok());
    ASSERT_TRUE(file.commit().ok());
  }
  EXPECT_EQ(read_file(target).value(), "abcdef");
  EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFileTest, LeavesTheOldFileAndNoLitterWhenAbandoned) {
  const fs::path target = folder() / "a.txt";
  ASSERT_TRUE(write_file_atomically(target, "old").ok());
  {
    AtomicFile file = std::move(AtomicFile::create(target).value());
    ASSERT_TRUE(file.write("new").ok());
  }
  EXPECT_EQ(read_file(target).value(), "old");
  EXPECT_EQ(entries(), 1);
  ASSERT_TRUE(write_file_atomically(target, "new").ok());
  EXPECT_EQ(read_file(target).value(), "new");
}

TEST_F(AtomicFileTest, WritesThroughNoLink) {
  const fs::path target = folder() / "real.txt", link = folder() / "link.txt", dangling = folder() / "dangling.txt";
  ASSERT_TRUE(write_file_atomically(target, "old").ok());
  fs::create_symlink("real.txt", link);
  fs::create_symlink("none.txt", dangling);
  for (const fs::path& path : {link, dangling}) {
    const Status status = write_file_atomically(path, "new");
    ASSERT_FALSE(status.ok());
    EXPECT_NE(status.error().message().find("is a symbolic link, and nothing is written through links"),
              std::string::npos)
        << status.error().message();
    EXPECT_TRUE(fs::is_symlink(path));
  }
  EXPECT_EQ(read_file(target).value(), "old");
  EXPECT_EQ(entries(), 3);
}

// As in a handler of a signal that ends the program.
TEST_F(AtomicFileTest, ASecondCtrlCLeavesNothingUnfinished) {
  AtomicFile one = std::move(AtomicFile::create(folder() / "one").value());
  AtomicFile two = std::move(AtomicFile::create(folder() / "two").value());
  ASSERT_TRUE(write_file_atomically(folder() / "whole", "x").ok());
  EXPECT_EQ(entries(), 3);
  remove_unfinished_files();
  EXPECT_EQ(entries(), 1);
  EXPECT_FALSE(one.commit().ok());
}

TEST_F(AtomicFileTest, WhatAKilledWriterLeftIsToldFromWhatIsBeingWritten) {
  const fs::path target = folder() / "a.txt";
  AtomicFile living = std::move(AtomicFile::create(target).value());
  for (const char* name : {".a.txt.99.1.partial", ".a.txt.partial", ".b.txt.99.1.partial", ".a.txt.x.1.partial"})
    std::ofstream(folder() / name) << "half";
  fs::create_symlink("b.txt", folder() / ".a.txt.99.2.partial");
  remove_abandoned_files(target);
  EXPECT_EQ(entries(), 5) << "all but the first";
  EXPECT_FALSE(fs::exists(folder() / ".a.txt.99.1.partial"));
  ASSERT_TRUE(living.write("whole").ok());
  ASSERT_TRUE(living.commit().ok());
  EXPECT_EQ(read_file(target).value(), "whole");
}

TEST_F(AtomicFileTest, SaysWhyItCannotWrite) {
  const auto message = [](const fs::path& path) { return write_file_atomically(path, "x").error().message(); };
  const std::string missing = message(folder() / "no" / "such" / "file");
  EXPECT_NE(missing.find("no/such/file"), std::string::npos) << missing;
  EXPECT_NE(missing.find("No such file or directory"), std::string::npos) << missing;
  EXPECT_NE(missing.find("create the folder"), std::string::npos) << missing;
  EXPECT_NE(message(folder()).find("is a folder"), std::string::npos);
  EXPECT_NE(message(folder() / "").find("does not name a file"), std::string::npos);
  EXPECT_NE(message("/dev/null").find("not a regular file"), std::string::npos);
  std::ofstream(folder() / "file") << "x";
  EXPECT_NE(message(folder() / "file" / "below").find("Not a directory"), std::string::npos);
}

TEST_F(AtomicFileTest, ReportsAFullDiskAndLeavesNothing) {
  const fs::path target = folder() / "big.bin";
  ASSERT_TRUE(write_file_atomically(target, "old").ok());
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1 << 16, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  // Once a write fails directly, once only when the buffer is flushed at the end.
  const Status direct = write_file_atomically(target, std::string(1 << 20, 'x'));
  Status late;
  {
    AtomicFile file = std::move(AtomicFile::create(target).value());
    for (int k = 0; k < (1 << 16) + 1; ++k) ASSERT_TRUE(file.write("x").ok());
    late = file.commit();
  }
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);

  for (const Status& status : {direct, late}) {
    ASSERT_FALSE(status.ok());
    EXPECT_NE(status.error().message().find("big.bin: cannot be written (File too large); raise the limit"),
              std::string::npos)
        << status.error().message();
  }
  EXPECT_EQ(read_file(target).value(), "old");
  EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFileTest, ReadingSaysWhyItFails) {
  EXPECT_NE(read_file(folder() / "none").error().message().find("no such file"), std::string::npos);
  EXPECT_NE(read_file(folder()).error().message().find("is a folder"), std::string::npos);
  EXPECT_NE(read_file("/dev/zero").error().message().find("not a regular file"), std::string::npos);
}

}  // namespace
}  // namespace sinew
