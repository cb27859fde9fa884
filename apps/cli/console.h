// What the program says to a person: messages by level, and a progress bar that behaves when the output is no terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "progress_line.h"

namespace sinew::cli {

enum class Level { quiet, info, debug };
void set_level(Level level);
Level level();

// Errors and warnings always go to stderr; info and debug to stdout, as the level allows.
void error(const std::string& text);
void warning(const std::string& text);
void info(const std::string& text);
void debug(const std::string& text);

// Whether the output went into a pipe that nobody reads any more.
bool reader_gone();

// "1.23 GB".
std::string bytes_text(double bytes);
// Largest memory this process has had so far [bytes].
double peak_memory();

// One line that is drawn over and over on a terminal, and printed now and then elsewhere.
class ProgressBar {
 public:
  ProgressBar(int64_t done, int64_t total);
  ~ProgressBar();
  // `figures`: what else to show, the most important first.
  void update(int64_t done, const std::vector<std::string>& figures);
  // The same where only the share in [0, 1] is known. Nothing is shown in the first second: most is done by then.
  void update_share(double share, const std::vector<std::string>& figures);
  // Ends the line.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  void draw(const Progress& progress);
  int64_t first_, total_;
  Clock::time_point start_ = Clock::now(), printed_{};
  bool terminal_, open_ = false;
};

}  // namespace sinew::cli
