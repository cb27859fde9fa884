#include <unistd.h>

#include <csignal>

#include "commands.h"

namespace sinew::cli {
namespace {

std::atomic<bool> stopping{false};
std::atomic<int> reason{SIGINT};

extern "C" void on_signal(int signal) {
  // Only a person who presses Ctrl-C twice is impatient: a terminal that closes may send its signal more than once.
  if (stopping.load() && signal == SIGINT) _exit(128 + signal);
  stop(signal);
  if (signal != SIGINT) return;
  constexpr char again[] = "\nstopping at a whole frame (press Ctrl-C again to stop at once)\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, again, sizeof again - 1);
}

}  // namespace

const std::atomic<bool>* catch_interrupts() {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, on_signal);
  // Under nohup the run is to outlive its terminal.
  if (std::signal(SIGHUP, on_signal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
  ignore_closed_output();
  return &stopping;
}

void ignore_closed_output() {
  std::signal(SIGPIPE, SIG_IGN);
}

void stop(int signal) {
  if (!stopping.exchange(true)) reason = signal;
}

int interrupted_exit() {
  return 128 + reason.load();
}

}  // namespace sinew::cli
