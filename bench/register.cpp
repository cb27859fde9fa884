#include "register.h"

namespace sinew::bench {

std::string name_of(const std::string& method, MaterialKind material, const std::string& layout, MeshKind mesh,
                    int threads) {
  return method + "/" + traits_of(material).name + "/" + layout + "/" + mesh.name() +
         "/threads:" + std::to_string(threads);
}

void add(const std::string& name, const std::function<void(benchmark::State&)>& body) {
  benchmark::RegisterBenchmark(name.c_str(), [body](benchmark::State& state) { body(state); })
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

void set_counters(benchmark::State& state, double tets, double bytes) {
  using benchmark::Counter;
  state.counters["tets"] = tets;
  state.counters["ns_per_tet"] = Counter(1e-9 * tets, Counter::kIsIterationInvariantRate | Counter::kInvert);
  state.counters["bytes_per_tet"] = bytes / tets;
}

void add_sweep(const std::string& name, const std::function<Sweep()>& prepare) {
  static std::string prepared;
  static Sweep sweep;
  add(name, [=](benchmark::State& state) {
    if (prepared != name) {
      sweep = {};
      prepared = name;
      sweep = prepare();
      if (sweep.fault.empty()) sweep.run();  // pages touched, caches filled
    }
    if (!sweep.fault.empty()) {
      state.SkipWithError(sweep.fault.c_str());
      return;
    }
    for (auto _ : state) sweep.run();
    set_counters(state, sweep.tets, sweep.bytes);
    state.counters["flop_per_tet"] = sweep.flops_per_tet;
  });
}

}  // namespace sinew::bench
