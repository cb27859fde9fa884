// The command line program `sinew`.
#include <CLI/CLI.hpp>
#include <csignal>
#include <new>

#include "commands.h"
#include "console.h"
#include "sinew/version.h"
#include "text.h"
#include "usage.h"

int main(int argc, char** argv) {
  using namespace sinew;
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is reported like a full disk
  CLI::App app("Sinew simulates elastic bodies: one scene, every solver, one honest residual.", "sinew");
  app.set_version_flag("--version", cli::format("sinew %s (%s)", library_version(), library_commit()));
  app.require_subcommand(1);
  app.fallthrough();
  app.footer(
      "Start here:\n"
      "  sinew run scene.json -o out   simulate a scene into a folder\n"
      "  sinew render out              make pictures and a film of it\n"
      "  sinew compare scene.json      how fast each solver converges\n"
      "  sinew COMMAND --help          all about one command\n\n"
      "Exit codes: 0 done; 1 the simulation or the writing failed; 2 the command line, the scene or an input file is\n"
      "wrong; 3 the run is complete, but some of its steps diverged; 4 surfaces intersect; 130 ended by Ctrl-C (129 "
      "by\n"
      "a closed terminal, 141 by a closed pipe, 143 by SIGTERM), with everything up to the last frame written;\n"
      "`compare` writes nothing then.");

  int exit_code = cli::exit_done;
  cli::add_run(app, exit_code);
  cli::add_render(app, exit_code);
  cli::add_compare(app, exit_code);
  cli::add_reproduce(app, exit_code);
  cli::add_dataset(app, exit_code);
  cli::add_check(app, exit_code);
  cli::add_intersections(app, exit_code);
  cli::add_mesh(app, exit_code);
  cli::add_info(app, exit_code);
  cli::add_lists(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() != 0) {
      cli::error(cli::usage_fault(app, e));
      return cli::exit_usage;
    }
    app.exit(e);  // help or version
  } catch (const std::bad_alloc&) {
    cli::error(cli::memory_fault(app));
    return cli::exit_usage;
  }
  // A list truncated by a full disk must not pass for a complete one.
  const bool written = std::fflush(stdout) == 0 && !std::ferror(stdout);
  if (written || exit_code != cli::exit_done) return exit_code;
  if (cli::reader_gone()) return 128 + SIGPIPE;
  cli::error("the output cannot be written; is the disk full?");
  return cli::exit_failed;
}
