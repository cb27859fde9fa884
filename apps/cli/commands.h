// The subcommands of `sinew`. Each adds itself to the parser and, when chosen, sets the exit code.
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
  exit_diverged = 3,  // the record is complete, but some steps diverged
  exit_found = 4,     // surfaces cross or touch (check-intersections)
  // 128 + a signal: interrupted, with everything up to the last frame written (interrupted_exit)
};

void add_run(CLI::App& app, int& exit_code);
void add_render(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_reproduce(CLI::App& app, int& exit_code);
void add_dataset(CLI::App& app, int& exit_code);
void add_mesh(CLI::App& app, int& exit_code);
void add_info(CLI::App& app, int& exit_code);
void add_lists(CLI::App& app, int& exit_code);  // materials, solvers
void add_check(CLI::App& app, int& exit_code);
void add_intersections(CLI::App& app, int& exit_code);

// What to do when the reader of the output has gone.
enum class ClosedOutput { ends_it, is_ignored };
// Becomes true when the work must end: at the first Ctrl-C (which prints `promise`, of static lifetime; the second one
// ends the program at once), at a termination request, when the terminal closes and, unless ignored, when the reader of
// the output does. Installed by long-running commands. From then on, a closed output pipe is a write error instead of a
// fatal signal.
const std::atomic<bool>* catch_interrupts(const char* promise, ClosedOutput closed = ClosedOutput::ends_it);
// Requests the end because the reader of the output has gone.
void output_closed();
// As in shells, 128 + the signal: 130 after Ctrl-C, 143 terminated, 129 hung up, 141 the reader has gone.
int interrupted_exit();

}  // namespace sinew::cli
