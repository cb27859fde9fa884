#include "io/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <memory>

#include "io/atomic_file.h"

extern char** environ;

namespace sinew {
namespace {

// Files without a name stand for pipes: neither side waits for the other, and no signal tells of a child that ended.
struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

std::string content_of(std::FILE* file) {
  std::string content;
  char piece[1 << 16];
  std::rewind(file);
  while (const size_t count = std::fread(piece, 1, sizeof piece, file)) content.append(piece, count);
  return content;
}

// gnuplot shows the line and points at the place; the last line says what is wrong there.
std::string last_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  const size_t begin = text.rfind('\n');
  text = text.substr(begin == std::string::npos ? 0 : begin + 1);
  return text.substr(text.find_first_not_of(' ') == std::string::npos ? 0 : text.find_first_not_of(' '));
}

// 0, or why the program could not be started.
int start(const std::string& program, std::FILE* in, std::FILE* out, std::FILE* complaints, pid_t& process) {
  std::string words[] = {program, "--default-settings", "-"};
  char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, fileno(in), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, fileno(out), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, fileno(complaints), STDERR_FILENO);
  // A process group of its own keeps it out of reach of Ctrl-C, so that an interrupted program can still finish its
  // figures; signals are as a program expects them, whatever the caller has blocked.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  const int reason = posix_spawnp(&process, program.c_str(), &files, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return reason;
}

}  // namespace

Status draw_with_gnuplot(std::string_view script, const std::filesystem::path& target, const std::string& program) {
  const File in(std::tmpfile()), out(std::tmpfile()), complaints(std::tmpfile());
  if (!in || !out || !complaints)
    return Error{target.string(), std::string("no temporary file: ") + std::strerror(errno), "free some space"};
  if (std::fwrite(script.data(), 1, script.size(), in.get()) != script.size() || std::fflush(in.get()) != 0)
    return Error{target.string(), std::string("no temporary file: ") + std::strerror(errno), "free some space"};
  std::rewind(in.get());

  pid_t process = -1;
  if (const int reason = start(program, in.get(), out.get(), complaints.get(), process); reason != 0) {
    return Error{target.string(), "the program " + program + " cannot be run: " + std::strerror(reason),
                 "install the package gnuplot-nox"};
  }
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  const std::string picture = content_of(out.get());
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || picture.empty()) {
    // Where the system's spawn cannot tell, a missing program shows as a child that ends with 127.
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
      return Error{target.string(), "the program " + program + " cannot be run", "install the package gnuplot-nox"};
    const std::string reason = last_line(content_of(complaints.get()));
    return Error{target.string(), program + " has failed" + (reason.empty() ? "" : ": " + reason),
                 "install the package gnuplot-nox, version 5.2 or newer"};
  }
  return write_file_atomically(target, picture);
}

std::string gnuplot_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') quoted += c;
    quoted += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return quoted + '\'';
}

}  // namespace sinew
