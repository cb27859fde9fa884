// `sinew mesh`: from a surface to tets.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "commands.h"
#include "console.h"
#include "sinew/mesh_info.h"
#include "sinew/mesher.h"
#include "text.h"
#include "usage.h"

namespace sinew::cli {
namespace {

struct MeshArguments {
  std::string input, output, mesher = "stuffing";
  double cell = 0, cells = 0, tets = 0;
  int smoothing = 0, coarsest = 0, threads = 0;
  bool no_fit = false, sharp_edges = false, thin_pieces = false;
};

// One line for each ten degrees with angles.
std::string histogram_text(const AngleHistogram& angles) {
  constexpr int widest = 50;
  const int64_t most = std::max<int64_t>(1, *std::max_element(angles.begin(), angles.end()));
  const auto used = [](int64_t count) { return count > 0; };
  const auto first = std::find_if(angles.begin(), angles.end(), used);
  const auto last = std::find_if(angles.rbegin(), angles.rend(), used).base();
  std::string text;
  for (auto at = first; at < last; ++at) {
    const auto degrees = 10 * (at - angles.begin());
    const auto width = static_cast<size_t>((widest * *at + most - 1) / most);
    text += format("  %3d to %3d  %9lld  ", static_cast<int>(degrees), static_cast<int>(degrees) + 10,
                   static_cast<long long>(*at)) +
            std::string(width, '#') + "\n";
  }
  return text;
}

void describe(const FilledSolid& solid) {
  const MeshSummary summary = summarize(solid);
  const MeshQuality& q = summary.quality;
  const auto pieces = static_cast<long long>(summary.topology.components);
  info(format("%s, %s%s; cell %.4g m", counted(summary.tets, "tet").c_str(),
              counted(summary.vertices, "vertex", "vertices").c_str(),
              pieces > 1 ? format(" in %lld pieces", pieces).c_str() : "", solid.cell));
  std::string volume = format("volume %.6g m^3", q.volume);
  if (solid.enclosed > 0) {
    const double more = 100 * (q.volume / solid.enclosed - 1);
    volume += format(", %.2f %% %s than the surface encloses", std::abs(more), more < 0 ? "less" : "more");
  }
  info(volume);
  info(format("dihedral angles %.2f to %.2f degrees:", q.worst_small_angle, q.worst_large_angle));
  info(histogram_text(q.angles));
  for (const std::string& note : solid.notes) info("note: " + note);
  for (const std::string& sentence : solid.warnings) warning(sentence);
}

Status check_output(const MeshArguments& a) {
  std::error_code none;
  if (std::filesystem::equivalent(a.input, a.output, none))
    return Error{a.output, "is the input file, which would be overwritten", "name another file with -o"};
  return check_mesh_output(a.output);
}

int run(const MeshArguments& a) {
  // Errors that would waste long work are found first.
  if (const Status s = check_output(a); !s) return complain(s.error(), exit_usage);
  MesherSettings settings;
  if (a.cell > 0) settings.cell = a.cell;
  if (a.cells > 0) settings.cells = a.cells;
  if (a.tets > 0) settings.tets = a.tets;
  settings.smoothing = a.smoothing;
  settings.fit = !a.no_fit;
  settings.coarsest = a.coarsest;
  settings.sharp_edges = a.sharp_edges;
  settings.thin_pieces = a.thin_pieces;
  settings.mesher = named<Mesher>(a.mesher).value_or(Mesher::stuffing);

  const auto start = std::chrono::steady_clock::now();
  MesherOptions options;
  options.threads = a.threads;
  options.interrupt = catch_interrupts("stopping", ClosedOutput::is_ignored);
  auto bar = std::make_unique<ProgressBar>(0, 1000);
  MesherObserver observer;
  observer.on_progress = [&](const Progress& now) { bar->update_share(now.share, {now.stage}); };
  const Result<FilledSolid> solid = mesh_file(a.input, settings, options, observer);
  bar.reset();
  if (options.interrupt->load()) {
    info("interrupted; nothing was written");
    return interrupted_exit();
  }
  if (!solid) return complain(solid.error(), exit_usage);
  if (const Status s = write_mesh(a.output, *solid); !s) return complain(s.error(), exit_failed);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  describe(*solid);
  std::string stages;
  for (const auto& [name, milliseconds] : solid->milliseconds)
    stages += format("%s%s %.2f s", stages.empty() ? "" : ", ", name.c_str(), milliseconds / 1000);
  info(format("written to %s in %.2f s (%s)", a.output.c_str(), spent.count(), stages.c_str()));
  return exit_done;
}

}  // namespace

void add_mesh(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<MeshArguments>();
  CLI::App* c = app.add_subcommand("mesh", "Fill a surface or a shape with tetrahedra");
  c->add_option("input", a->input, "surface (.obj, .ply, .stl, .off), closed or not, or a shape (.json)")
      ->required()
      ->check(not_empty())
      ->type_name("FILE");
  c->add_option("-o,--output", a->output, "mesh to write (.node/.ele, .mesh, .msh, .vtk or .vtu)")
      ->required()
      ->check(not_empty())
      ->type_name("FILE");
  CLI::Option* cell = c->add_option("--cell", a->cell, "size of a cell [m], about the length of an edge")
                          ->check(above_zero())
                          ->type_name("M");
  CLI::Option* cells =
      c->add_option("--cells", a->cells, "cells along the longest side; default, if none of the three is given: 30")
          ->check(above_zero())
          ->excludes(cell)
          ->type_name("N");
  c->add_option("--tets", a->tets, "approximate number of tets")
      ->check(above_zero())
      ->excludes(cell)
      ->excludes(cells)
      ->type_name("N");
  c->add_option("--smooth", a->smoothing, "smoothing passes; they never worsen the worst angle")
      ->transform(whole(0, 1000))
      ->capture_default_str()
      ->type_name("N");
  c->add_flag(
      "--no-fit", a->no_fit,
      "leave boundary vertices where cells were cut: on the surface, while the faces between them cut off its edges");
  c->add_option("--coarsest", a->coarsest, "let inner tets grow to 2^N times the size of those at the surface")
      ->transform(whole(0, 3))
      ->capture_default_str()
      ->type_name("N");
  c->add_flag("--sharp-edges", a->sharp_edges, "move vertices onto sharp edges and corners of surfaces");
  c->add_flag("--thin-pieces", a->thin_pieces,
              "keep loose pieces thinner than two cells, the remains of parts too thin for the cells");
  c->add_option("--mesher", a->mesher, "stuffing, or tetgen if that program is installed")
      ->check(one_of(words_of<Mesher>()))
      ->capture_default_str()
      ->type_name("NAME");
  c->add_option("--threads", a->threads, "threads; 0: one per core")
      ->transform(whole(0, 1024))
      ->capture_default_str()
      ->type_name("N");
  c->footer(
      "Isosurface stuffing (Labelle and Shewchuk 2007): tets of even size whose dihedral angles are within 10.7 and "
      "164.8\n"
      "degrees, whatever the surface (with --sharp-edges 5 and 170). What the surface winds around counts as inside, "
      "so\n"
      "holes, self-intersections and flipped or missing triangles are no problem. Parts thinner than a cell are "
      "missed, or break "
      "up\n"
      "and are left out. Shapes are solids defined by formulas, such as\n"
      "{ \"octopus\": { \"arms\": 6 } }; docs/scene-reference.md lists them.\n"
      "\n"
      "Examples:\n"
      "  sinew mesh scan.ply -o scan.vtu --cell 0.02\n"
      "  sinew mesh bunny.obj -o bunny.mesh --tets 100000 --smooth 5\n"
      "  echo '{ \"octopus\": {} }' > octopus.json && sinew mesh octopus.json -o octopus.vtu --tets 50000\n"
      "  sinew info bunny.mesh");
  c->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace sinew::cli
