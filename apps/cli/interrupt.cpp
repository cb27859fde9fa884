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
  constexpr char again[] = "\nstopping at a whole frame (press Ctrl-C again to stop at once)\n";
  if (signal == SIGINT) [[maybe_unused]]
    const auto written = write(STDERR_FILENO, again, sizeof again - 1);
}

// What was ignored from the start, as under nohup or in the background of a script, stays so.
void listen(int signal) {
  if (std::signal(signal, on_signal) == SIG_IGN) std::signal(signal, SIG_IGN);
}

}  // namespace

const std::atomic<bool>* catch_interrupts() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) listen(signal);
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
