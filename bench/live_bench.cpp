// What it costs to change and to read a running simulation, beside a step of it: a box of 104 thousand vertices under
// vbd with ten iterations, on two threads. All are to be small beside live/step, which compares them.
#include <vector>

#include "register.h"
#include "sinew/simulation.h"

namespace sinew::bench {
namespace {

Simulation& simulation() {
  static Simulation made = [] {
    sinew::Scene scene;
    scene.materials.emplace_back();
    scene.materials[0].name = "rubber";
    SceneObject block;
    block.name = "block";
    block.mesh = MeshBox{{1, 1, 1}, {46, 46, 46}, {0, 0, 0}, 5};
    block.material = "rubber";
    scene.objects.push_back(block);
    ScenePin top;
    top.object = "block";
    top.select = SelectPlane{{0, 1, 0}, {0, 1, 0}};
    scene.pins.push_back(top);
    scene.solver.type = "vbd";
    scene.solver.options.push_back({"iterations", 10.0});
    return std::move(*Simulation::create(scene, 2));
  }();
  return made;
}

template <class Work>
void measure(const std::string& name, const Work& work) {
  add("live/" + name, [=](benchmark::State& state) {
    Simulation& s = simulation();
    for (auto _ : state) work(s);
    using benchmark::Counter;
    state.counters["us"] = Counter(1e-6 * static_cast<double>(state.iterations()), Counter::kIsRate | Counter::kInvert);
  });
}

}  // namespace

void register_live() {
  measure("step", [](Simulation& s) { benchmark::DoNotOptimize(s.step()); });
  measure("read_positions/float", [](Simulation& s) {
    static std::vector<float> xyz(3 * static_cast<size_t>(s.vertex_count()));
    benchmark::DoNotOptimize(s.read_positions(std::span(xyz)));
  });
  measure("move_pin", [](Simulation& s) { benchmark::DoNotOptimize(s.move_pin({0}, PinPose())); });
  measure("add_and_remove_pin", [](Simulation& s) {
    const std::vector<int32_t> triangle{1000, 1001, 1050};
    benchmark::DoNotOptimize(s.remove_pin(*s.add_pin(triangle)));
  });
  measure("add_and_remove_force", [](Simulation& s) {
    const std::vector<int32_t> triangle{1000, 1001, 1050};
    benchmark::DoNotOptimize(s.remove_force(*s.add_force(triangle, {1, 0, 0})));
  });
  measure("add_and_remove_grab", [](Simulation& s) {
    static const SurfacePoint point = *s.cast_ray({0.3, 5, 0.4}, {0, -1, 0}).value();
    benchmark::DoNotOptimize(s.remove_grab(*s.add_grab(point)));
  });
  measure("move_grab", [](Simulation& s) {
    static const GrabHandle grab = *s.add_grab(*s.cast_ray({0.3, 5, 0.4}, {0, -1, 0}).value());
    benchmark::DoNotOptimize(s.move_grab(grab, {0.3, 1.1, 0.4}));
  });
  measure("step_with_a_grab", [](Simulation& s) { benchmark::DoNotOptimize(s.step()); });
  measure("set_gravity", [](Simulation& s) { benchmark::DoNotOptimize(s.set_gravity({0, -9.81, 0})); });
  measure("set_modulus", [](Simulation& s) {
    static bool stiff = false;
    stiff = !stiff;
    benchmark::DoNotOptimize(s.set("materials.rubber.youngs_modulus", stiff ? "1.1e5" : "1e5"));
  });
  measure("point_force", [](Simulation& s) {
    static const ForceHandle force = *s.add_force(SurfacePoint{0, {1000, 1001, 1050}, {0.2, 0.3, 0.5}, {}, 0}, {});
    benchmark::DoNotOptimize(s.set_force(force, {1, 0, 0}));
  });
  measure("switch_object",
          [](Simulation& s) { benchmark::DoNotOptimize(s.switch_object("block", !s.objects()[0].on)); });
  measure("read_reactions/float", [](Simulation& s) {
    static std::vector<float> xyz(3 * static_cast<size_t>(s.vertex_count()));
    benchmark::DoNotOptimize(s.read_reactions(std::span(xyz)));
  });
  measure("read_von_mises/float", [](Simulation& s) {
    static std::vector<float> stress(s.tets().size());
    benchmark::DoNotOptimize(s.read_elements(ElementQuantity::von_mises, std::span(stress)));
  });
  measure("energies", [](Simulation& s) { benchmark::DoNotOptimize(s.energies()); });
  measure("cast_ray", [](Simulation& s) { benchmark::DoNotOptimize(s.cast_ray({0.3, 5, 0.4}, {0, -1, 0})); });
  measure("save", [](Simulation& s) { benchmark::DoNotOptimize(s.save()); });
}

}  // namespace sinew::bench
