// The subcommands of `sinew`. Each adds itself to the parser and, when chosen, leaves its exit code.
#pragma once

#include <atomic>

namespace CLI {
class App;
}

namespace sinew::cli {

// Documented in `sinew --help` and docs/first-steps.md.
enum ExitCode : int {
  exit_done = 0,
  exit_failed = 1,         // the simulation or the writing failed
  exit_usage = 2,          // the command line, the scene or an input file is wrong
  exit_interrupted = 130,  // Ctrl-C; everything up to the last frame is written
};

void add_run(CLI::App& app, int& exit_code);
void add_render(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_info(CLI::App& app, int& exit_code);
void add_lists(CLI::App& app, int& exit_code);  // materials, solvers
void add_check(CLI::App& app, int& exit_code);

// Becomes true at the first Ctrl-C; the second one ends the program at once. Installed by the commands that run long.
const std::atomic<bool>* catch_interrupts();

}  // namespace sinew::cli
