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
void add_reproduce(CLI::App& app, int& exit_code);
void add_mesh(CLI::App& app, int& exit_code);
void add_info(CLI::App& app, int& exit_code);
void add_lists(CLI::App& app, int& exit_code);  // materials, solvers
void add_check(CLI::App& app, int& exit_code);

// What becomes of the work when nobody reads the output any more.
enum class ClosedOutput { ends_it, is_ignored };
// Becomes true when the work is to end: at the first Ctrl-C (which shows `promise`, of static lifetime; the second one
// ends the program at once), when the program is asked to terminate, when its terminal goes away, and, unless that is
// ignored, when the reader of its output does. Installed by the commands that run long. A closed pipe at the other end
// of the output is an error of writing from then on, no longer a signal that kills.
const std::atomic<bool>* catch_interrupts(const char* promise, ClosedOutput closed = ClosedOutput::ends_it);
// Nobody reads the output any more: asks for that end.
void output_closed();
// As shells say it, 128 + the signal: 130 after Ctrl-C, 143 terminated, 129 hung up, 141 nobody reads the output.
int interrupted_exit();

}  // namespace sinew::cli
