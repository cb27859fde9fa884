// Terminal output: messages by level, and a progress bar that adapts if the output is not a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "progress_line.h"
#include "sinew/error.h"

namespace sinew::cli {

enum class Level { quiet, info, debug };
void set_level(Level level);
Level level();

// Errors and warnings always go to stderr; info and debug to stdout, depending on the level.
void error(const std::string& text);
int complain(const Error& fault, int code);  // returns the code
void warning(const std::string& text);
void info(const std::string& text);
void debug(const std::string& text);

// Whether the output is a pipe whose reader has gone.
bool reader_gone();

// "1.23 GB".
std::string bytes_text(double bytes);
// Peak memory of this process so far [bytes].
double peak_memory();

// One line that is redrawn on a terminal, and printed now and then elsewhere.
class ProgressBar {
 public:
  ProgressBar(int64_t done, int64_t total);
  ~ProgressBar();
  // `figures`: further values to show, the most important first.
  void update(int64_t done, const std::vector<std::string>& figures);
  // The same if only the share in [0, 1] is known. Shows nothing in the first second: most work is done by then.
  void update_share(double share, const std::vector<std::string>& figures);
  // Ends the line.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  void draw(const ProgressState& progress);
  int64_t first_, total_;
  Clock::time_point start_ = Clock::now(), printed_{};
  bool terminal_, open_ = false;
};

}  // namespace sinew::cli
