// Sample: bench/run; or, built with -DSINEW_BENCH=ON, sinew_bench --benchmark_filter='vbd/.*/1572864/.*'
#include "register.h"
#include "solver/sweep.h"

int main(int argc, char** argv) {
  using namespace sinew;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::AddCustomContext("kernels", kernels_with_lanes(0)->name);
  bench::register_limits();
  bench::register_vbd();
  bench::register_xpbd();
  bench::register_setup();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
