#include "io/child_process.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <thread>

extern char** environ;

namespace sinew {
namespace {

// 0, or why the program could not be started.
int start(std::vector<std::string>& words, std::FILE* in, std::FILE* out, std::FILE* complaints, pid_t& process) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, fileno(in), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, fileno(out), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, fileno(complaints), STDERR_FILENO);
  // Signals are as a program expects them, whatever the caller has blocked or ignores: of programs that do not look
  // whether they could write, SIGXFSZ at least tells.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  for (const int signal : {SIGPIPE, SIGXFSZ}) sigaddset(&usual, signal);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  const int reason = posix_spawnp(&process, words[0].c_str(), &files, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return reason;
}

// What is asked to end has this long until it is made to.
constexpr std::chrono::seconds patience{2};

int status_at_end(pid_t process, const std::atomic<bool>* interrupt) {
  using Clock = std::chrono::steady_clock;
  int status = 0;
  std::optional<Clock::time_point> asked;
  while (true) {
    const pid_t ended = waitpid(process, &status, interrupt ? WNOHANG : 0);
    if (ended == process || (ended < 0 && errno != EINTR)) break;
    if (ended != 0) continue;
    // The whole group: the program may be a script, and what hangs a child of that.
    if (!asked && interrupt->load()) {
      kill(-process, SIGTERM);
      asked = Clock::now();
    } else if (asked && Clock::now() - *asked > patience) {
      kill(-process, SIGKILL);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  if (asked) kill(-process, SIGKILL);  // what it leaves behind
  return status;
}

}  // namespace

std::string content_of(std::FILE* file) {
  std::string content;
  char piece[1 << 16];
  std::rewind(file);
  while (const size_t count = std::fread(piece, 1, sizeof piece, file)) content.append(piece, count);
  return content;
}

ChildEnd run_child(std::vector<std::string> words, std::FILE* in, std::FILE* out, std::FILE* complaints,
                   const std::atomic<bool>* interrupt) {
  ChildEnd end;
  pid_t process = -1;
  end.not_started = start(words, in, out, complaints, process);
  if (end.not_started != 0) return end;
  const int status = status_at_end(process, interrupt);
  if (WIFEXITED(status)) {
    end.exit_code = WEXITSTATUS(status);
    // Where the system's spawn cannot tell, a missing program shows as a child that ends with 127.
    if (end.exit_code == 127) end.not_started = ENOENT;
  } else if (WIFSIGNALED(status)) {
    end.signal = WTERMSIG(status);
  }
  return end;
}

}  // namespace sinew
