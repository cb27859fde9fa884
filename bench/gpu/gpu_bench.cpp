// How fast the sweeps of a device are: a table of the time of an iteration, the bytes that it must move, and their
// share of what the device copies in that time. scripts/check-card builds and runs it.
//
//   sinew_gpu_bench [cuda|emulated] [PART ...]
//
// PART: vbd, bodies, materials, xpbd, ties, multilevel, steps: whole steps; teams: sweeps by vertex with teams of any
// size. Without one: all but teams.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "base/format.h"
#include "cuda/device_solvers.h"
#include "objective/objective.h"
#include "scenes.h"
#include "sinew/scene_file.h"
#include "sinew/simulation.h"
#include "solver/solver.h"
#include "solver/solver_list.h"
#include "tied_scenes.h"

namespace sinew::bench {
namespace {

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// [s] of one call: the least of five means over so many calls that they take about `span`.
double time_of(Device& device, double span, const std::function<void()>& call) {
  call();
  device.wait();
  double start = seconds();
  call();
  device.wait();
  const double first = seconds() - start;
  const int count = std::max(1, static_cast<int>(span / std::max(first, 1e-6)));
  double best = first;
  for (int k = 0; k < 5; ++k) {
    start = seconds();
    for (int i = 0; i < count; ++i) call();
    device.wait();
    best = std::min(best, (seconds() - start) / count);
  }
  return best;
}

class Table {
 public:
  explicit Table(std::shared_ptr<Device> device) : device_(std::move(device)) {}

  void measure_copy() {
    const size_t bytes = device_->emulated() ? size_t{1} << 26 : size_t{1} << 32;
    DeviceArray<char> a, b;
    a.resize(*device_, bytes);
    b.resize(*device_, bytes);
    a.fill_zero();
    copied_ =
        2 * static_cast<double>(bytes) / time_of(*device_, 0.05, [&] { device_->copy(b.data(), a.data(), bytes); });
    std::printf("%s, copies %.0f GB/s, read and written\n\n", device_->name().c_str(), 1e-9 * copied_);
    std::printf(
        "| solver | material | mesh | vertices | elements | us an iteration | ns an element | MB | of the copy rate "
        "|\n");
    std::printf("|---|---|---|---|---|---|---|---|---|\n");
    std::fflush(stdout);
  }

  // A mesh in one cluster, as scenes for devices have it.
  void row(const std::string& solver, MaterialKind material, MeshKind mesh, std::vector<NamedOption> options = {},
           const std::string& label = "") {
    const auto s = make_scene(mesh, material, whole_mesh);
    row_of(*s, solver, std::string(traits_of(material).name), mesh.name(), options, label);
  }

  // material: or what else the bodies are made of
  void row_of(const Scene& s, const std::string& solver, const std::string& material, const std::string& mesh,
              const std::vector<NamedOption>& options, const std::string& label) {
    SolveOptions common;
    common.device = device_->emulated() ? on_emulated : on_cuda;
    common.precision = single_precision;
    auto made = make_device_solver(*find_solver(solver), common, options, "solver", device_);
    if (!made) return say(made.error());
    Solver& it = **made;
    const double before = seconds();
    it.prepare(s.model, pool_of(0));
    it.begin_step(Objective(s.problem, pool_of(0)));
    device_->wait();
    const double prepared = seconds() - before;
    if (Status fault = it.fault(); !fault) return say(fault.error());
    const auto bytes = static_cast<double>(it.memory_bytes());
    // Multilevel descent gives its corrections up when nothing is left to correct: it is timed from the step's start.
    const double t = solver == "multilevel" ? time_of_first(it, s, 4) : time_of(*device_, 0.1, [&] { it.iterate(); });
    if (Status fault = it.fault(); !fault) return say(fault.error());
    const auto elements = s.model.tets.size() + static_cast<size_t>(s.model.ties.count());
    std::printf("| %s%s | %s | %s | %d | %zu | %.1f | %.4f | %.0f | %.0f %% |\n", solver.c_str(), label.c_str(),
                material.c_str(), mesh.c_str(), s.model.order.vertex_count(), elements, 1e6 * t,
                1e9 * t / static_cast<double>(elements), 1e-6 * bytes, 100 * bytes / t / copied_);
    std::fprintf(stderr, "  prepared in %.2f s\n", prepared);
    std::fflush(stdout);
  }

 private:
  // [s] the mean of the first iterations of a step, the least of five.
  double time_of_first(Solver& it, const Scene& s, int iterations) const {
    double best = 1e300;
    for (int k = 0; k < 5; ++k) {
      it.begin_step(Objective(s.problem, pool_of(0)));
      device_->wait();
      const double start = seconds();
      for (int i = 0; i < iterations; ++i) it.iterate();
      device_->wait();
      best = std::min(best, (seconds() - start) / iterations);
    }
    return best;
  }
  static void say(const Error& error) { std::printf("%s\n", error.message().c_str()); }

  std::shared_ptr<Device> device_;
  double copied_ = 1;
};

// Whole steps of a cantilever of n x n x n cells that falls, 20 iterations each, through the interface that users have:
// the mean of those after the first ten.
void time_steps(const char* device, int cells) {
  const std::string n = std::to_string(cells);
  const std::string text = joined({R"({ "sinew": 1, "time": { "fps": 60 },
      "materials": { "m": { "youngs_modulus": 1e5, "poisson_ratio": 0.4, "density": 1000 } },
      "objects": { "body": { "mesh": { "box": { "cells": [)",
                                   n, ", ", n, ", ", n,
                                   R"(], "split": 6 } }, "material": "m" } },
      "pins": [{ "object": "body", "select": { "plane": { "point": [0.001, 0, 0], "normal": [-1, 0, 0] } } }],
      "solver": { "type": "vbd", "iterations": 20, "device": ")",
                                   device, R"(" } })"});
  Result<sinew::Scene> scene = parse_scene(text, "steps", ".");
  Result<Simulation> simulation = scene ? Simulation::create(*scene) : scene.error();
  if (!simulation) {
    std::printf("%s\n", simulation.error().message().c_str());
    return;
  }
  constexpr int warm = 10, counted = 50;
  double start = 0;
  StageTimes parts;
  for (int k = 0; k < warm + counted; ++k) {
    if (k == warm) start = seconds();
    const Result<StepReport> report = simulation->step();
    if (!report) {
      std::printf("%s\n", report.error().message().c_str());
      return;
    }
    if (k < warm) continue;
    parts.predict += report->milliseconds.predict / counted;
    parts.solve += report->milliseconds.solve / counted;
    parts.velocities += report->milliseconds.velocities / counted;
  }
  std::printf("| %s | cube-%d | %.3f | %.3f | %.3f | %.3f |\n", device, cells, 1e3 * (seconds() - start) / counted,
              parts.predict, parts.solve, parts.velocities);
  std::fflush(stdout);
}

int main_of(int count, char** words) {
  const bool emulated = count > 1 && std::strcmp(words[1], "emulated") == 0;
  auto device = device_of(emulated ? on_emulated : on_cuda);
  if (!device) {
    std::fprintf(stderr, "%s\n", device.error().message().c_str());
    return 2;
  }
  const auto asked = [&](const char* part) {
    for (int k = 2; k < count; ++k)
      if (std::strcmp(words[k], part) == 0) return true;
    return count <= 2 && std::strcmp(part, "teams") != 0;
  };
  Table table(*device);
  table.measure_copy();
  const std::vector<MeshKind> small = {{8, false}, {15, false}, {32, false}, {48, false}, {49, true}};
  if (asked("vbd")) {
    for (const MeshKind mesh : small) table.row("vbd", MaterialKind::NeoHookean, mesh);
    for (const MeshKind mesh : {MeshKind{64, false}, MeshKind{58, true}, MeshKind{128, false}})
      table.row("vbd", MaterialKind::NeoHookean, mesh);
    table.row("pbng", MaterialKind::NeoHookean, {48, false});
    table.row("vbd", MaterialKind::NeoHookean, {48, false}, {{"layout", "frames"}}, ", frames");
  }
  if (asked("bodies")) {
    for (const MeshKind mesh : {MeshKind{15, false}, MeshKind{15, false, 1000}, MeshKind{20, false},
                                MeshKind{20, false, 100}, MeshKind{20, false, 1000}})
      table.row("vbd", MaterialKind::NeoHookean, mesh);
  }
  if (asked("teams")) {
    for (const MeshKind mesh :
         {MeshKind{8, false}, MeshKind{48, false}, MeshKind{49, true}, MeshKind{64, false}, MeshKind{128, false}}) {
      const auto s = make_scene(mesh, MaterialKind::NeoHookean, whole_mesh);
      for (const int team : {1, 2, 4, 8}) {
        if ((team == 1) != (mesh.cells == 128)) continue;
        table.row_of(*s, "vbd", "neo_hookean", mesh.name(), {{"lanes", double(team)}},
                     joined({", teams of ", std::to_string(team)}));
      }
    }
  }
  if (asked("materials")) {
    for (const MeshKind mesh : {MeshKind{32, false}, MeshKind{64, false}})
      for (const MaterialKind kind : {MaterialKind::StableNeoHookean, MaterialKind::FixedCorotated, MaterialKind::Stvk})
        table.row("vbd", kind, mesh);
  }
  if (asked("xpbd")) {
    for (const MeshKind mesh : {MeshKind{15, false}, MeshKind{32, false}, MeshKind{64, false}, MeshKind{128, false}}) {
      table.row("xpbd", MaterialKind::NeoHookean, mesh, {}, ", colours");
      table.row("xpbd", MaterialKind::NeoHookean, mesh, {{"order", "jacobi"}}, ", Jacobi");
    }
    table.row("xpbd", MaterialKind::FixedCorotated, {64, false}, {}, ", colours");
  }
  if (asked("ties")) {
    for (const TiedKind kind : tied_kinds) {
      const auto s = make_tied_scene(kind, 63, whole_mesh);
      for (const char* solver : {"vbd", "xpbd"}) table.row_of(*s, solver, name_of(kind), "cube-63", {}, "");
    }
  }
  if (asked("multilevel")) {
    for (const MeshKind mesh : {MeshKind{15, false}, MeshKind{32, false}, MeshKind{64, false}, MeshKind{58, true}})
      table.row("multilevel", MaterialKind::NeoHookean, mesh, {{"corrections", std::string("always")}});
    // What a cycle costs, and the mixing.
    const std::vector<NamedOption> always = {{"corrections", std::string("always")}};
    for (const MeshKind mesh : {MeshKind{32, false}, MeshKind{64, false}}) {
      for (const NamedOption& without : {NamedOption{"cycles", 1.0}, NamedOption{"mix", false}}) {
        std::vector<NamedOption> options = always;
        options.push_back(without);
        table.row("multilevel", MaterialKind::NeoHookean, mesh, options,
                  without.name == "cycles" ? ", one cycle" : ", unmixed");
      }
    }
  }
  if (asked("steps")) {
    std::printf("\n| device | mesh | ms a step of 20 iterations | before | iterations | after |\n");
    std::printf("|---|---|---|---|---|---|\n");
    const std::vector<int> sizes = emulated ? std::vector<int>{8} : std::vector<int>{15, 48, 128};
    for (const int cells : sizes)
      for (const char* where : {emulated ? "emulated" : "cuda", "cpu"})
        if (cells < 100 || !std::strcmp(where, "cuda")) time_steps(where, cells);
  }
  return 0;
}

}  // namespace
}  // namespace sinew::bench

int main(int count, char** words) {
  return sinew::bench::main_of(count, words);
}
