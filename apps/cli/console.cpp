#include "console.h"

#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "commands.h"
#include "shortened.h"
#include "text.h"

namespace sinew::cli {
namespace {

Level current = Level::info;
bool bar_open = false;  // a progress line is unfinished
bool reader_gone_ = false;

constexpr double seconds_between_redraws = 0.1;
constexpr double seconds_between_lines = 5;

void end_bar() {
  if (bar_open) std::fputs("\n", stdout);
  bar_open = false;
}

bool colored(int stream) {
  return isatty(stream) && !std::getenv("NO_COLOR");
}

// Names come from files and users: neither control characters nor a name of a megabyte must reach the terminal.
std::string printable(const std::string& text) {
  std::string shown;
  for (const char c : shortened(text)) {
    const auto code = static_cast<unsigned char>(c);
    if ((code < 0x20 && c != '\n' && c != '\t') || code == 0x7f)
      shown += format("\\x%02x", code);
    else
      shown += c;
  }
  return shown;
}

// When the reader of a pipe has gone, there is no point in continuing.
void flush() {
  if (std::fflush(stdout) != 0 && errno == EPIPE) {
    reader_gone_ = true;
    output_closed();
  }
}

void say(FILE* stream, const char* color, const char* label, const std::string& text) {
  end_bar();
  flush();
  const std::string shown = printable(text);
  if (*label && colored(fileno(stream))) {
    std::fprintf(stream, "\033[%sm%s\033[0m %s\n", color, label, shown.c_str());
  } else {
    std::fprintf(stream, "%s%s%s\n", label, *label ? " " : "", shown.c_str());
  }
  stream == stdout ? flush() : static_cast<void>(std::fflush(stream));
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

bool reader_gone() {
  return reader_gone_;
}

void error(const std::string& text) {
  say(stderr, "1;31", "error:", text);
}
int complain(const Error& fault, int code) {
  error(fault.message());
  return code;
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

ProgressBar::ProgressBar(int64_t done, int64_t total) : first_(done), total_(total), terminal_(isatty(STDOUT_FILENO)) {}

ProgressBar::~ProgressBar() {
  finish();
}

void ProgressBar::update(int64_t done, const std::vector<std::string>& figures) {
  if (current == Level::quiet) return;
  const Clock::time_point now = Clock::now();
  const double since = std::chrono::duration<double>(now - printed_).count();
  const bool last = done == total_;
  if (printed_ != Clock::time_point{} && !last &&
      since < (terminal_ ? seconds_between_redraws : seconds_between_lines)) {
    return;
  }
  printed_ = now;

  ProgressState progress;
  progress.share = total_ > 0 ? static_cast<double>(done) / static_cast<double>(total_) : 1;
  progress.counts = format("%lld/%lld", static_cast<long long>(done), static_cast<long long>(total_));
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const int64_t taken = done - first_;
  if (last)
    progress.when = "in " + duration_text(elapsed);
  else if (taken > 0)
    progress.when = left_text(elapsed / static_cast<double>(taken) * static_cast<double>(total_ - done));
  progress.figures = figures;
  draw(progress);
}

void ProgressBar::update_share(double share, const std::vector<std::string>& figures) {
  if (current == Level::quiet) return;
  const Clock::time_point now = Clock::now();
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double since = std::chrono::duration<double>(now - printed_).count();
  if (elapsed < 1 || since < (terminal_ ? seconds_between_redraws : seconds_between_lines)) return;
  printed_ = now;
  ProgressState progress;
  progress.share = share;
  progress.when = duration_text(elapsed);
  progress.figures = figures;
  draw(progress);
}

void ProgressBar::draw(const ProgressState& progress) {
  if (terminal_) {
    // The last column stays free: some terminals wrap a line that fills it.
    std::printf("\r%s\033[K", fitted_line(progress, terminal_width() - 1).c_str());
    bar_open = open_ = true;
  } else {
    std::printf("%s\n", plain_line(progress).c_str());
  }
  flush();
}

void ProgressBar::finish() {
  if (!open_) return;
  open_ = false;
  end_bar();
  flush();
}

}  // namespace sinew::cli
