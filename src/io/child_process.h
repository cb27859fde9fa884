// Other programs, run without a shell.
#pragma once

#include <atomic>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace sinew {

// Files without a name stand for pipes: neither side waits for the other, and no signal tells of a child that ended.
struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using NamelessFile = std::unique_ptr<std::FILE, CloseFile>;
// Null where there is no space for one; errno says why.
inline NamelessFile make_nameless() {
  return NamelessFile(std::tmpfile());
}
std::string content_of(std::FILE* file);

struct ChildEnd {
  int not_started = 0;  // errno's number of why it could not be run; 0: it was
  int exit_code = -1;   // -1: it was ended by `signal`
  int signal = 0;
};

// Runs words[0], searched for along PATH, and waits for its end; stdin, stdout and stderr are the three files. It has a
// process group of its own, out of reach of Ctrl-C, so that an interrupted program can still finish its figures; where
// `interrupt` is given it is asked to end when that becomes true, with all that it has started, and made to 2 s later.
ChildEnd run_child(std::vector<std::string> words, std::FILE* in, std::FILE* out, std::FILE* complaints,
                   const std::atomic<bool>* interrupt = nullptr);

}  // namespace sinew
