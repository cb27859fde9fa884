#include <unistd.h>

#include <csignal>

#include "commands.h"

namespace sinew::cli {
namespace {

std::atomic<bool> interrupted{false};

extern "C" void on_signal(int signal) {
  if (interrupted.exchange(true)) _exit(128 + signal);
  constexpr char text[] = "\nstopping after this frame (press Ctrl-C again to stop at once)\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text, sizeof text - 1);
}

}  // namespace

const std::atomic<bool>* catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  return &interrupted;
}

}  // namespace sinew::cli
