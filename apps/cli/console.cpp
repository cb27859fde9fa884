#include "console.h"

#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/format.h"

namespace sinew::cli {
namespace {

Level current = Level::info;
bool bar_open = false;  // a progress line waits for its end

constexpr double seconds_between_redraws = 0.1;
constexpr double seconds_between_lines = 5;

void end_bar() {
  if (bar_open) std::fputs("\n", stdout);
  bar_open = false;
}

bool colored(int stream) {
  return isatty(stream) && !std::getenv("NO_COLOR");
}

void say(FILE* stream, const char* color, const char* label, const std::string& text) {
  end_bar();
  std::fflush(stdout);
  if (*label && colored(fileno(stream))) {
    std::fprintf(stream, "\033[%sm%s\033[0m %s\n", color, label, text.c_str());
  } else {
    std::fprintf(stream, "%s%s%s\n", label, *label ? " " : "", text.c_str());
  }
  std::fflush(stream);
}

int terminal_width() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 100;
}

}  // namespace

void set_level(Level level) {
  current = level;
}
Level level() {
  return current;
}

void error(const std::string& text) {
  say(stderr, "1;31", "error:", text);
}
void warning(const std::string& text) {
  say(stderr, "1;33", "warning:", text);
}
void info(const std::string& text) {
  if (current >= Level::info) say(stdout, "", "", text);
}
void debug(const std::string& text) {
  if (current >= Level::debug) say(stdout, "", "", text);
}

std::string duration_text(double seconds) {
  if (seconds < 60) return format("%.1f s", seconds);
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole < 3600) return format("%ld min %02ld s", whole / 60, whole % 60);
  return format("%ld h %02ld min", whole / 3600, whole / 60 % 60);
}

std::string bytes_text(double bytes) {
  if (bytes < 1e6) return format("%.0f kB", bytes / 1e3);
  if (bytes < 1e9) return format("%.0f MB", bytes / 1e6);
  return format("%.2f GB", bytes / 1e9);
}

double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

ProgressBar::ProgressBar(int64_t done, int64_t total)
    : first_(done), done_(done), total_(total), terminal_(isatty(STDOUT_FILENO)) {}

ProgressBar::~ProgressBar() {
  finish();
}

void ProgressBar::update(int64_t done, const std::string& detail) {
  done_ = done;
  if (current == Level::quiet) return;
  const Clock::time_point now = Clock::now();
  const double since = std::chrono::duration<double>(now - printed_).count();
  const bool last = done == total_;
  if (printed_ != Clock::time_point{} && !last &&
      since < (terminal_ ? seconds_between_redraws : seconds_between_lines)) {
    return;
  }
  printed_ = now;

  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const int64_t taken = done - first_;
  const double left = taken > 0 ? elapsed / static_cast<double>(taken) * static_cast<double>(total_ - done) : 0;
  const std::string when = last ? "in " + duration_text(elapsed) : duration_text(left) + " left";
  const double share = total_ > 0 ? static_cast<double>(done) / static_cast<double>(total_) : 1;
  const std::string counts = format("%lld/%lld", static_cast<long long>(done), static_cast<long long>(total_));
  if (!terminal_) {
    std::printf("%3.0f %%  %s  %s  %s\n", 100 * share, counts.c_str(), when.c_str(), detail.c_str());
    std::fflush(stdout);
    return;
  }

  const std::string tail = format(" %3.0f %%  %s  %s  %s", 100 * share, counts.c_str(), when.c_str(), detail.c_str());
  const int room = std::clamp(terminal_width() - static_cast<int>(tail.size()) - 3, 0, 40);
  std::string line;
  if (room >= 8) {
    const int full = static_cast<int>(share * room + 0.5);
    line = "[" + std::string(static_cast<size_t>(full), '=') + std::string(static_cast<size_t>(room - full), ' ') + "]";
  }
  line += tail;
  if (static_cast<int>(line.size()) >= terminal_width()) line.resize(static_cast<size_t>(terminal_width() - 1));
  std::printf("\r%s\033[K", line.c_str());
  std::fflush(stdout);
  bar_open = open_ = true;
}

void ProgressBar::finish() {
  if (!open_) return;
  open_ = false;
  end_bar();
  std::fflush(stdout);
}

}  // namespace sinew::cli
