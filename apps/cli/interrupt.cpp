#include <unistd.h>

#include <csignal>
#include <cstring>

#include "commands.h"
#include "sinew/folder.h"

namespace sinew::cli {
namespace {

std::atomic<bool> stopping{false};
std::atomic<int> reason{SIGINT};
std::atomic<const char*> promise_{""};
ClosedOutput closed_ = ClosedOutput::ends_it;

// Called for a signal; the first one counts.
void stop(int signal) {
  if (!stopping.exchange(true)) reason = signal;
}

void say(const char* text) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text, std::strlen(text));
}

extern "C" void on_signal(int signal) {
  // Only a second Ctrl-C ends at once: a closing terminal may send its signal more than once.
  if (stopping.load() && signal == SIGINT) {
    remove_unfinished_files();
    _exit(128 + signal);
  }
  stop(signal);
  if (signal != SIGINT) return;
  say("\n");
  say(promise_);
  say(" (press Ctrl-C again to stop at once)\n");
}

}  // namespace

const std::atomic<bool>* catch_interrupts(const char* promise, ClosedOutput closed) {
  promise_ = promise;
  closed_ = closed;
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, on_signal);
  // Under nohup the run must outlive its terminal.
  if (std::signal(SIGHUP, on_signal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  return &stopping;
}

void output_closed() {
  if (closed_ == ClosedOutput::ends_it) stop(SIGPIPE);
}

int interrupted_exit() {
  return 128 + reason.load();
}

}  // namespace sinew::cli
