// Sample: bench/run; or, built with -DSINEW_BENCH=ON, sinew_bench --benchmark_filter='vbd/.*/cube-64/.*'
#include <algorithm>
#include <cstdio>

#include "register.h"
#include "solver/sweep.h"

namespace sinew::bench {
namespace {

// One line per benchmark, as soon as it is measured, for bench/run: its name and the numbers of the fastest repetition,
// because noise only adds time.
class Lines final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override {
    std::printf("kernels %s\n", kernels_with_lanes(0)->name);
    return true;
  }
  void ReportRuns(const std::vector<Run>& runs) override {
    const Run* best = nullptr;
    for (const Run& run : runs) {
      if (run.error_occurred) {
        std::printf("%s error %s\n", run.run_name.function_name.c_str(), run.error_message.c_str());
        std::fflush(stdout);
        failed_ = true;
        return;
      }
      if (run.run_type != Run::RT_Iteration) continue;
      if (!best || run.GetAdjustedRealTime() < best->GetAdjustedRealTime()) best = &run;
    }
    if (!best) return;
    std::printf("%s", best->run_name.function_name.c_str());
    for (const auto& [name, counter] : best->counters) std::printf(" %s=%.6g", name.c_str(), counter.value);
    std::printf("\n");
    std::fflush(stdout);
  }
  bool failed() const { return failed_; }

 private:
  bool failed_ = false;
};

void register_all() {
  register_limits();
  register_contact_find();
  register_live();
  register_quadratic();
  register_ties();
  for (const MeshKind mesh : meshes) {
    for (int k = 0; k < material_count; ++k) {
      if (mesh.cells > largest_cells && MaterialKind(k) != MaterialKind::NeoHookean) continue;
      register_vbd(mesh, MaterialKind(k));
      register_xpbd(mesh, MaterialKind(k));
      if (mesh.cells <= largest_cells) register_family(mesh, MaterialKind(k));
      if (mesh.cells <= largest_cells && MaterialKind(k) == MaterialKind::NeoHookean) register_setup(mesh);
    }
  }
}

}  // namespace
}  // namespace sinew::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  sinew::bench::register_all();
  sinew::bench::Lines lines;
  benchmark::RunSpecifiedBenchmarks(&lines);
  benchmark::Shutdown();
  return lines.failed() ? 3 : 0;
}
