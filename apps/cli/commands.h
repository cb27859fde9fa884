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
  exit_failed = 1,    // the simulation or the writing failed
  exit_usage = 2,     // the command line, the scene or an input file is wrong
  exit_diverged = 3,  // the record is whole, but some of its steps diverged
  // 128 + a signal: interrupted, with everything up to the last frame written (interrupted_exit)
};

void add_run(CLI::App& app, int& exit_code);
void add_render(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_info(CLI::App& app, int& exit_code);
void add_lists(CLI::App& app, int& exit_code);  // materials, solvers
void add_check(CLI::App& app, int& exit_code);

// Becomes true when the work is to end at the next frame: at the first Ctrl-C (the second one ends the program at
// once), when the program is asked to terminate, when its terminal goes away, when the reader of its output does.
// Installed by the commands that run long.
const std::atomic<bool>* catch_interrupts();
// A closed pipe at the other end of the output is an error of writing, no longer a signal that kills.
void ignore_closed_output();
// Asks for that end, on behalf of a signal; the first one counts.
void stop(int signal);
// As shells say it, 128 + the signal: 130 after Ctrl-C, 143 terminated, 129 hung up, 141 nobody reads the output.
int interrupted_exit();

}  // namespace sinew::cli
