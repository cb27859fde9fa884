// What contacts add to a vertex sweep (solver/by_vertex/vertex_contacts.h): force and stiffness with friction, summed
// up at each vertex of each contact, in single precision on one thread; and how far the vertices have moved, noted
// once.
//   near    the vertices of two bumpy sheets in touch lie in a row in memory, as in a mesh in order
//   spread  the same vertices anywhere among 230,400
// ns_per_corner: nanoseconds per vertex of a contact, of which there are `corners`.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "contact_sheets.h"
#include "register.h"
#include "solver/by_vertex/vertex_contacts.h"

namespace sinew::bench {
namespace {

constexpr int32_t spread_slots = 230'400;

struct ForceScene {
  Model model;
  StepProblem problem;
  std::unique_ptr<Contacts> contacts;
  VertexContacts<float> ends;
  Buffer<Vec4<float>> x;
  Buffer<Vec4<float>> sums;
  int64_t corners = 0;
};

// The surface with its points at other slots among `count`.
ContactSurface at_slots(const ContactSurface& surface, const std::vector<int32_t>& slot_of, int32_t count) {
  ContactSurface moved;
  moved.bodies = surface.bodies;
  moved.rules = surface.rules;
  moved.group_count = surface.group_count;
  moved.slot_count = count;
  moved.rest.assign(static_cast<size_t>(count), Vec3d{});
  moved.body_of.assign(static_cast<size_t>(count), -1);
  for (size_t k = 0; k < slot_of.size(); ++k) {
    moved.rest[static_cast<size_t>(slot_of[k])] = surface.rest[k];
    moved.body_of[static_cast<size_t>(slot_of[k])] = surface.body_of[k];
  }
  for (const Triangle& t : surface.triangles)
    moved.triangles.push_back(
        {slot_of[static_cast<size_t>(t[0])], slot_of[static_cast<size_t>(t[1])], slot_of[static_cast<size_t>(t[2])]});
  connect(moved);
  return moved;
}

std::shared_ptr<ForceScene> force_scene(bool spread, const Kernels& kernels) {
  auto made = std::make_shared<ForceScene>();
  ContactSurface surface = bumpy_sheets();
  const auto points = static_cast<size_t>(surface.point_count());
  std::vector<int32_t> slot_of(points);
  if (spread) {
    std::vector<int32_t> all(spread_slots);
    std::iota(all.begin(), all.end(), 0);
    std::shuffle(all.begin(), all.end(), std::mt19937(3));
    std::copy_n(all.begin(), points, slot_of.begin());
  } else {
    std::iota(slot_of.begin(), slot_of.end(), 0);
  }
  const int32_t slots = spread ? spread_slots : static_cast<int32_t>((points + 15) / 16 * 16);
  const ContactSurface placed = at_slots(surface, slot_of, slots);
  // Vertices are counted as they lie.
  std::vector<int32_t> order(static_cast<size_t>(slots));
  std::iota(order.begin(), order.end(), 0);
  made->model.order = VertexOrder(order, slots);
  made->problem.model = &made->model;
  made->contacts =
      std::make_unique<Contacts>(placed, std::vector<double>(placed.rest.size(), 1000.0), ContactOptions{}, pool_of(1));
  made->problem.contacts = made->contacts.get();

  // They have slid a little in the step, so that friction acts.
  std::mt19937 engine(4);
  std::uniform_real_distribution<double> shift(-1e-5, 1e-5);
  std::vector<Vec3d> before = placed.rest;
  for (Vec3d& p : before) p += Vec3d{shift(engine), shift(engine), shift(engine)};
  made->contacts->begin_step(before, {}, {}, {}, {}, 0.01);
  made->contacts->detect(placed.rest, placed.rest, pool_of(1));
  made->x = Buffer<Vec4<float>>(static_cast<size_t>(slots));
  for (size_t s = 0; s < placed.rest.size(); ++s) {
    const Vec3d& p = placed.rest[s];
    made->x[s] = {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z), 1};
  }
  made->ends.begin_step(made->problem, kernels.lanes<float>(), {});
  made->ends.find(made->x, {}, pool_of(1), true);
  made->sums = Buffer<Vec4<float>>(static_cast<size_t>(rows_of_sums) * static_cast<size_t>(slots));
  for (const Contact& contact : made->ends.contacts())
    for (const int32_t slot : contact.slots) made->corners += slot >= 0;
  return made;
}

[[maybe_unused]] const bool forces_registered = [] {
  for (const bool spread : {false, true}) {
    for (const int lanes : {1, 16}) {
      const Kernels* const kernels = kernels_with_lanes(lanes);
      if (!kernels) continue;
      const std::string name = std::string("contact_force/") + (spread ? "spread" : "near");
      add(name + "/lanes:" + std::to_string(lanes), [=](benchmark::State& state) {
        const std::shared_ptr<ForceScene> s = force_scene(spread, *kernels);
        VertexSweep<float> sweep;
        sweep.x = s->x.data();
        sweep.moved = s->x.data();
        sweep.own_count = static_cast<int64_t>(s->x.size());
        sweep.contact_sums = s->sums.data();
        const auto slots = static_cast<int32_t>(s->x.size());
        const auto add_all = [&] {
          s->ends.add(*kernels, sweep, 0, slots, nullptr);
          s->ends.note_moved(sweep, 0, slots);
        };
        add_all();
        for (auto _ : state) add_all();
        using benchmark::Counter;
        const auto corners = static_cast<double>(s->corners);
        state.counters["corners"] = corners;
        state.counters["contacts"] = static_cast<double>(s->ends.contacts().size());
        state.counters["ns_per_corner"] =
            Counter(1e-9 * corners, Counter::kIsIterationInvariantRate | Counter::kInvert);
      });
    }
  }
  return true;
}();

}  // namespace
}  // namespace sinew::bench
