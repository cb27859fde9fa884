// The command line program `sinew`.
#include <CLI/CLI.hpp>
#include <new>

#include "base/format.h"
#include "base/version.h"
#include "commands.h"
#include "console.h"

int main(int argc, char** argv) {
  using namespace sinew;
  CLI::App app("Sinew simulates elastic bodies: one scene, every solver, one honest residual.", "sinew");
  app.set_version_flag("--version", format("sinew %s (%s)", version, commit));
  app.require_subcommand(1);
  app.fallthrough();
  app.footer(
      "Start here:\n"
      "  sinew run scenes/stretch_twist.json -o out/twist   simulate a scene into a folder\n"
      "  sinew render out/twist                             make pictures and a film of it\n"
      "  sinew compare scenes/stretch_twist.json            how fast each solver converges\n"
      "  sinew COMMAND --help                               all about one command\n\n"
      "Exit codes: 0 done; 1 the simulation or the writing failed; 2 the command line, the scene or an input file is\n"
      "wrong; 130 ended by Ctrl-C, with everything up to the last frame written.");

  int exit_code = cli::exit_done;
  cli::add_run(app, exit_code);
  cli::add_render(app, exit_code);
  cli::add_compare(app, exit_code);
  cli::add_check(app, exit_code);
  cli::add_info(app, exit_code);
  cli::add_lists(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? cli::exit_done : cli::exit_usage;
  } catch (const std::bad_alloc&) {
    cli::error("not enough memory for this scene; use fewer cells or a coarser mesh");
    return cli::exit_usage;
  }
  return exit_code;
}
