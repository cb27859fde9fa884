#include "files/gnuplot.h"

#include <signal.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "files/atomic_file.h"
#include "files/child_process.h"

namespace sinew {
namespace {

// gnuplot prints the line and marks the place; the last line is the message.
std::string last_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  const size_t begin = text.rfind('\n');
  text = text.substr(begin == std::string::npos ? 0 : begin + 1);
  return text.substr(text.find_first_not_of(' ') == std::string::npos ? 0 : text.find_first_not_of(' '));
}

}  // namespace

Status draw_with_gnuplot(std::string_view script, const std::filesystem::path& target, const std::string& program,
                         const std::atomic<bool>* interrupt) {
  const NamelessFile in = make_nameless(), out = make_nameless(), complaints = make_nameless();
  if (!in || !out || !complaints)
    return Error{target.string(), std::string("no temporary file: ") + std::strerror(errno), "free some space"};
  if (std::fwrite(script.data(), 1, script.size(), in.get()) != script.size() || std::fflush(in.get()) != 0)
    return Error{target.string(), std::string("no temporary file: ") + std::strerror(errno), "free some space"};
  std::rewind(in.get());

  const ChildEnd end =
      run_child({program, "--default-settings", "-"}, in.get(), out.get(), complaints.get(), interrupt);
  if (interrupt && interrupt->load()) return Error{target.string(), "was not drawn: interrupted", ""};
  if (end.not_started != 0) {
    return Error{target.string(), "the program " + program + " cannot be run: " + std::strerror(end.not_started),
                 "install the package gnuplot-nox"};
  }
  if (end.signal == SIGXFSZ)
    return Error{target.string(), "is larger than the limit on the size of files", "raise it (ulimit -f)"};
  const std::string picture = content_of(out.get());
  if (end.exit_code != 0 || picture.empty()) {
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
