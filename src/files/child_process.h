// Other programs, run without a shell.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

// Unnamed files replace pipes: neither side waits for the other, and a child that ends causes no signal.
struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using NamelessFile = std::unique_ptr<std::FILE, CloseFile>;
// Null on failure, as with a full disk; see errno.
inline NamelessFile make_nameless() {
  return NamelessFile(std::tmpfile());
}
std::string content_of(std::FILE* file);

struct ChildEnd {
  int not_started = 0;  // errno if it could not be run; 0: it was
  int exit_code = -1;   // -1: it was ended by `signal`
  int signal = 0;
};

// A running program. It has its own process group, out of reach of Ctrl-C, so that an interrupted program can still
// finish its film. It does not outlive us: on Linux it is killed with the thread that started it, however that ends.
class Child {
 public:
  Child() = default;
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { kill(); }

  // Runs words[0], searched along PATH; stdin, stdout and stderr are the three descriptors. Returns 0, or errno if it
  // could not be run.
  int start(std::vector<std::string> words, int in, int out, int complaints);
  bool running() const { return process_ >= 0; }
  // How it ended; nullopt if it has not ended within `patience`.
  std::optional<ChildEnd> wait(std::chrono::milliseconds patience);
  ChildEnd wait();
  // Asks it and all its children to end, and kills them after `patience`.
  ChildEnd end(std::chrono::milliseconds patience);
  // The same at once.
  void kill() {
    if (running()) (void)end(std::chrono::milliseconds(0));
  }

 private:
  std::optional<ChildEnd> ended(bool block);

  pid_t process_ = -1;
};

// Runs words[0] to its end; stdin, stdout and stderr are the three files. When `interrupt`, if given, becomes true, the
// program and its children are asked to end, and killed 2 s later.
ChildEnd run_child(std::vector<std::string> words, std::FILE* in, std::FILE* out, std::FILE* complaints,
                   const std::atomic<bool>* interrupt = nullptr);

}  // namespace sinew
