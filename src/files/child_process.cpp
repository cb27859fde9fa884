#include "files/child_process.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <cerrno>
#include <thread>
#include <utility>

namespace sinew {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds between_looks{20};
// Time between asking a process to end and killing it.
constexpr std::chrono::seconds patience{2};

// Restores default signals, whatever the caller has blocked, ignored or handled: SIGXFSZ then ends even programs that
// do not check their writes.
void reset_signals() {
  struct sigaction usual {
  }, now{};
  usual.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) {
    if (::sigaction(signal, nullptr, &now) != 0) continue;
    const bool ignored = !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_IGN;
    if (!ignored || signal == SIGPIPE || signal == SIGXFSZ) ::sigaction(signal, &usual, nullptr);
  }
}

bool place(int from, int to) {
  if (from == to) return ::fcntl(to, F_SETFD, 0) == 0;  // it may be one that is closed on exec
  return ::dup2(from, to) == to;
}

// In the new process, which shares our memory until it runs the program: must not allocate or lock. Returns errno on
// failure.
int become(char* const* arguments, pid_t parent, int in, int out, int complaints) {
  reset_signals();
  ::setpgid(0, 0);
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) return ESRCH;  // it ended before the child was bound to it
#else
  (void)parent;
#endif
  if (!place(in, STDIN_FILENO) || !place(out, STDOUT_FILENO) || !place(complaints, STDERR_FILENO)) return errno;
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execvp(arguments[0], arguments);
  return errno;
}

ChildEnd end_of(int status) {
  ChildEnd end;
  if (WIFEXITED(status))
    end.exit_code = WEXITSTATUS(status);
  else if (WIFSIGNALED(status))
    end.signal = WTERMSIG(status);
  return end;
}

}  // namespace

std::string content_of(std::FILE* file) {
  std::string content;
  char piece[1 << 16];
  std::rewind(file);
  while (const size_t count = std::fread(piece, 1, sizeof piece, file)) content.append(piece, count);
  return content;
}

Child::Child(Child&& other) noexcept : process_(std::exchange(other.process_, -1)) {}

Child& Child::operator=(Child&& other) noexcept {
  if (this == &other) return *this;
  kill();
  process_ = std::exchange(other.process_, -1);
  return *this;
}

int Child::start(std::vector<std::string> words, int in, int out, int complaints) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  // No handler of ours may run in the child, whose memory is ours.
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t parent = ::getpid();
  volatile int reason = 0;
  // Like posix_spawn, which cannot bind the child's life to ours. A fork would copy all page tables.
  const pid_t process = ::vfork();
  if (process == 0) {
    reason = become(arguments.data(), parent, in, out, complaints);
    ::_exit(127);
  }
  const int no_process = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (process < 0) return no_process;
  process_ = process;
  if (reason != 0) (void)wait();
  return reason;
}

std::optional<ChildEnd> Child::ended(bool block) {
  int status = 0;
  while (true) {
    const pid_t found = ::waitpid(process_, &status, block ? 0 : WNOHANG);
    if (found == 0) return std::nullopt;
    if (found < 0 && errno == EINTR) continue;
    const bool known = found == process_;
    process_ = -1;
    return known ? end_of(status) : ChildEnd{};
  }
}

std::optional<ChildEnd> Child::wait(std::chrono::milliseconds most) {
  const Clock::time_point start = Clock::now();
  while (true) {
    if (std::optional<ChildEnd> end = ended(false)) return end;
    if (Clock::now() - start >= most) return std::nullopt;
    std::this_thread::sleep_for(std::min(most, between_looks));
  }
}

ChildEnd Child::wait() {
  return *ended(true);
}

ChildEnd Child::end(std::chrono::milliseconds most) {
  // The whole group: the program may be a script whose child hangs.
  const pid_t group = process_;
  if (most.count() > 0) ::kill(-group, SIGTERM);
  std::optional<ChildEnd> end = wait(most);
  ::kill(-group, SIGKILL);
  return end ? *end : wait();
}

ChildEnd run_child(std::vector<std::string> words, std::FILE* in, std::FILE* out, std::FILE* complaints,
                   const std::atomic<bool>* interrupt) {
  Child child;
  if (const int reason = child.start(std::move(words), fileno(in), fileno(out), fileno(complaints)); reason != 0)
    return {.not_started = reason};
  std::optional<ChildEnd> end;
  while (!end) {
    if (interrupt && interrupt->load())
      end = child.end(patience);
    else
      end = interrupt ? child.wait(between_looks) : child.wait();
  }
  // stdbuf and other wrappers report a missing program with this code.
  if (end->exit_code == 127) end->not_started = ENOENT;
  return *end;
}

}  // namespace sinew
