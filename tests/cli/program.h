// Runs the program `sinew` in an empty folder and keeps its output.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "io/says.h"
#include "io/temporary_folder.h"

namespace sinew {

struct Ended {
  int status = -1;  // exit code, or 128 + the signal that killed it
  std::string out, err;
};

class Program : public TemporaryFolder {
 protected:
  static std::string content(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder() / name).parent_path());
    std::ofstream(folder() / name, std::ios::binary) << text;
  }

  // `prepare` is called in the new process and must not lock.
  pid_t start(const std::vector<std::string>& words, const std::function<void()>& prepare = {}) const {
    std::vector<std::string> all{SINEW_PROGRAM};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char*> arguments;
    for (std::string& word : all) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const std::string out = (folder() / "out.txt").string(), err = (folder() / "err.txt").string();
    const pid_t process = ::fork();
    if (process != 0) return process;
    const int mode = O_WRONLY | O_CREAT | O_TRUNC;
    ::dup2(::open(out.c_str(), mode, 0666), STDOUT_FILENO);
    ::dup2(::open(err.c_str(), mode, 0666), STDERR_FILENO);
    if (::chdir(folder().c_str()) != 0) ::_exit(99);
    if (prepare) prepare();
    ::execv(SINEW_PROGRAM, arguments.data());
    ::_exit(98);
  }
  Ended wait_for(pid_t process) const {
    int status = 0;
    ::waitpid(process, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), content(folder() / "out.txt"),
            content(folder() / "err.txt")};
  }
  Ended sinew(const std::vector<std::string>& words, const std::function<void()>& prepare = {}) const {
    return wait_for(start(words, prepare));
  }

  // A small bar that hangs and falls; `frames` at 50 per second.
  static std::string bar(int frames, const std::string& extra = "") {
    return R"({ "sinew": 1, "materials": { "rubber": { "youngs_modulus": 1e5 } },
      "objects": { "bar": { "mesh": { "box": { "cells": 2 } }, "material": "rubber" } },
      "pins": [{ "object": "bar", "select": { "plane": { "point": [0.01, 0, 0], "normal": [-1, 0, 0] } } }],
      "time": { "fps": 50, "duration": )" +
           std::to_string(frames / 50.0) + " }, \"render\": { \"width\": 32, \"height\": 32, \"samples\": 1 }" + extra +
           " }";
  }
};

}  // namespace sinew
