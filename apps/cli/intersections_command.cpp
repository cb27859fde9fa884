#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "commands.h"
#include "console.h"
#include "sinew/intersections.h"
#include "text.h"
#include "usage.h"

namespace sinew::cli {
namespace {

struct IntersectionArguments {
  std::string path, list;
  int threads = 0;
};

// "ball and floor 12, ball 3": of two objects, and of one; "(grid)" after those that a grid keeps apart.
std::string where(const IntersectionReport& report, const CheckedFrame& frame) {
  constexpr size_t most = 4;
  std::string text;
  for (size_t k = 0; k < std::min(frame.objects.size(), most); ++k) {
    const MeetingObjects& o = frame.objects[k];
    const std::string& a = report.objects[static_cast<size_t>(o.a)];
    const std::string& b = report.objects[static_cast<size_t>(o.b)];
    text += format("%s%s%s%s %lld%s", k == 0 ? "" : ", ", a.c_str(), o.a == o.b ? "" : " and ",
                   o.a == o.b ? "" : b.c_str(), static_cast<long long>(o.pairs), o.by_grid ? " (grid)" : "");
  }
  if (frame.objects.size() > most) text += format(" and %zu more", frame.objects.size() - most);
  return text;
}

void tell_of_run(const IntersectionReport& report) {
  constexpr int most_rows = 20;
  int rows = 0;
  const CheckedFrame* worst = nullptr;
  bool by_grid = false;
  for (const CheckedFrame& frame : report.frames) {
    for (const MeetingObjects& o : frame.objects) by_grid = by_grid || o.by_grid;
    if (frame.pairs == 0) continue;
    if (!worst || frame.pairs > worst->pairs) worst = &frame;
    if (rows == 0) info("  frame  time [s]      pairs  triangles  pairs by object");
    if (++rows > most_rows) continue;
    info(format("%7lld  %8.4f  %9lld  %9lld  %s", static_cast<long long>(frame.number), frame.time,
                static_cast<long long>(frame.pairs), static_cast<long long>(frame.triangles),
                where(report, frame).c_str()));
  }
  if (rows > most_rows) info(format("         and %d more", rows - most_rows));
  std::string checked = format("%s of %s", counted(static_cast<int64_t>(report.frames.size()), "frame").c_str(),
                               counted(report.triangles, "triangle").c_str());
  if (report.colliders > 0) checked += " and " + counted(report.colliders, "collider");
  if (!worst) return info(checked + ": no intersection");
  info(format("%s: %s; the worst is frame %lld, with %s%s", checked.c_str(),
              counted(report.meeting_frames(), "frame intersects", "frames intersect").c_str(),
              static_cast<long long>(worst->number), counted(worst->pairs, "pair").c_str(),
              report.colliders > 0 ? "" : " of triangles"));
  if (by_grid)
    info(
        format("(grid): the nodes of the background grid keep these apart, not their surfaces, which may overlap by a "
               "share of a cell; nothing else intersects in %lld of these frames",
               static_cast<long long>(report.grid_frames())));
}

void tell_of_mesh(const IntersectionReport& report) {
  const CheckedFrame& mesh = report.frames.front();
  const std::string checked = counted(report.triangles, "triangle");
  if (mesh.pairs == 0) return info(checked + ": no intersection");
  info(format("%s: %s, of %s", checked.c_str(), counted(mesh.pairs, "pair intersects", "pairs intersect").c_str(),
              counted(mesh.triangles, "triangle").c_str()));
}

int check(const IntersectionArguments& a) {
  IntersectionOptions options;
  options.list = a.list;
  options.threads = a.threads;
  options.interrupt = catch_interrupts("stopping");
  std::unique_ptr<ProgressBar> bar;
  IntersectionObserver observer;
  int64_t meeting = 0;
  observer.on_frame = [&](const CheckedFrame& frame) {
    meeting += frame.pairs > 0;
    if (frame.count == 1) return;
    if (!bar) bar = std::make_unique<ProgressBar>(0, frame.count);
    bar->update(frame.done, {counted(meeting, "frame intersects", "frames intersect")});
  };
  const Result<IntersectionReport> report = check_intersections(a.path, options, observer);
  bar.reset();
  if (!report) return complain(report.error(), exit_usage);
  for (const std::string& w : report->warnings) warning(w);

  if (report->of_run) {
    tell_of_run(*report);
  } else if (!report->frames.empty()) {
    tell_of_mesh(*report);
  }
  if (!a.list.empty()) info("pairs: " + a.list);
  if (report->interrupted) return interrupted_exit();
  return report->meeting_frames() > 0 ? exit_found : exit_done;
}

}  // namespace

void add_intersections(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<IntersectionArguments>();
  CLI::App* c = app.add_subcommand("check-intersections", "Find triangles that cross or touch, exactly");
  c->add_option("path", a->path, "output folder of `sinew run`, or a mesh: tets or a surface, also frames/*.vtu")
      ->required()
      ->check(not_empty())
      ->type_name("RUN|FRAME");
  c->add_option("-o,--output", a->list, "write all pairs to this CSV file")->check(not_empty())->type_name("FILE");
  c->add_option("--threads", a->threads, "threads; 0: one per core")
      ->transform(whole(0, 1024))
      ->capture_default_str()
      ->type_name("N");
  c->footer(
      "Decided without rounding or tolerance, on the solver's own numbers, of each surface and between them,\n"
      "and between surfaces and colliders where they are at each frame. A plane counts for each triangle with a\n"
      "corner below it. Neighbours share a vertex or an edge; they count only if they cross or lie on each\n"
      "other. What the scene says does not touch is told of, and does not count. Pairs that the nodes of a\n"
      "background grid keep apart, and that may overlap by a share of a cell, count and are marked (grid).\n"
      "Exit codes: 0 nothing intersects; 4 something does, if only by a grid; 2 the run or the mesh cannot be read.\n\n"
      "Examples:\n"
      "  sinew check-intersections out                          every frame of a run\n"
      "  sinew check-intersections out -o pairs.csv             with the triangles of each pair\n"
      "  sinew check-intersections out/frames/frame_000010.vtu  one frame\n"
      "  sinew check-intersections scan.ply                     a surface, before it is meshed");
  c->callback([a, &exit_code] { exit_code = check(*a); });
}

}  // namespace sinew::cli
