// Source: POSIX.1-2024, Shell Command Language, 2.2 Quoting: the shell itself reads the words back.
#include "sinew/text.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace sinew {
namespace {

// One word as read by a shell: bash, since older versions of /bin/sh lack $'...'.
std::string read_back(const std::string& word) {
  const std::string command = "printf '%s' " + word;
  std::string quoted;  // for the shell of popen
  for (const char c : command) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  std::FILE* pipe = ::popen(("bash -c '" + quoted + "'").c_str(), "r");
  std::string text;
  for (int c; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  ::pclose(pipe);
  return text;
}

TEST(ShellWord, LeavesPlainWordsAlone) {
  for (const char* word : {"out/twist", "solver.iterations=40", "a_b-c:d,e+f@g%h"}) EXPECT_EQ(shell_word(word), word);
}

TEST(ShellWord, IsReadBackByAShell) {
  for (const std::string word :
       {"", " ", "my run", "it's", "$(touch gone)", "`id`", "a;b", "a&b", "*", "~", "#x", "\"q\"", "back\\slash",
        "gravity=[0, 0, -9.81]", "two\nlines", "\x1b[31mred\x07", "tab\there's\\", "ä"}) {
    EXPECT_EQ(read_back(shell_word(word)), word) << shell_word(word);
  }
  EXPECT_EQ(shell_word("my run"), "'my run'");
}

TEST(ShellWord, APathIsNoOption) {
  EXPECT_EQ(shell_path("-x"), "./-x");
  EXPECT_EQ(shell_path("--all of it"), "'./--all of it'");
  EXPECT_EQ(shell_path("out/-x"), "out/-x");
}

}  // namespace
}  // namespace sinew
