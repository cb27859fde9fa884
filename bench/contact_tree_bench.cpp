// The broad phase of contact: refit and query of the tree, vertex-triangle and edge-edge, as a step does once. Boxes of
// motion are a tenth of an edge long, and grown by an eighth of an edge. ns_per_triangle: nanoseconds per triangle of
// the surface.
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <random>

#include "contact/surface_tree.h"
#include "register.h"
#include "sinew/lanes.h"

namespace sinew::bench {
namespace {

struct TouchingSurfaces {
  ContactSurface surface;
  std::vector<Vec3d> from, to;
  double edge = 0;  // [m] of a mean triangle

  PointPositions start() const { return {from, {}}; }
  PointPositions end() const { return {to, {}}; }
};

// A sheet of cells x cells quadrilaterals at place(u, v), u and v in [0, 1].
template <class Place>
void add_sheet(ContactSurface& surface, int32_t body, int cells, const Place& place) {
  const auto first = static_cast<int32_t>(surface.rest.size());
  for (int i = 0; i <= cells; ++i)
    for (int j = 0; j <= cells; ++j) {
      surface.rest.push_back(place(double(i) / cells, double(j) / cells));
      surface.body_of.push_back(body);
    }
  const auto at = [&](int i, int j) { return first + i * (cells + 1) + j; };
  for (int i = 0; i < cells; ++i)
    for (int j = 0; j < cells; ++j) {
      surface.triangles.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
      surface.triangles.push_back({at(i + 1, j + 1), at(i, j + 1), at(i + 1, j)});
    }
}

void finish(TouchingSurfaces& scene) {
  ContactSurface& s = scene.surface;
  s.slot_count = static_cast<int32_t>(s.rest.size());
  s.group_count = 1;
  s.rules.resize(1);
  connect(s);
  double sum = 0;
  for (const Edge& e : s.edges) {
    const Vec3d d = s.rest[static_cast<size_t>(e[1])] - s.rest[static_cast<size_t>(e[0])];
    sum += std::sqrt(dot(d, d));
  }
  scene.edge = sum / static_cast<double>(s.edges.size());
  std::mt19937 engine(1);
  std::normal_distribution<double> normal(0, 0.1 * scene.edge);
  for (const Vec3d& x : s.rest) {
    scene.from.push_back(x);
    scene.to.push_back(x + Vec3d{normal(engine), normal(engine), normal(engine)});
  }
}

// Balls of 1200 triangles in rows, which overlap by a hundredth of their diameter.
std::shared_ptr<TouchingSurfaces> pile() {
  auto scene = std::make_shared<TouchingSurfaces>();
  constexpr int rows = 4, cells = 10;
  ContactSurface& s = scene->surface;
  for (int ball = 0; ball < rows * rows * rows; ++ball) {
    s.bodies.push_back({.object = ball, .closed = true});
    const Vec3d centre{double(ball % rows), double(ball / rows % rows), double(ball / rows / rows)};
    // The faces of a cube, blown up; they are not joined, as far as the tree sees.
    for (int side = 0; side < 6; ++side)
      add_sheet(s, ball, cells, [&](double u, double v) {
        const double a = std::tan((u - 0.5) * 1.57), b = std::tan((v - 0.5) * 1.57);
        const double c = side % 2 ? 1 : -1, scale = 0.505 / std::sqrt(1 + a * a + b * b);
        const std::array<double, 3> p{scale * c, scale * a * c, scale * b};
        const auto k = static_cast<size_t>(side / 2);
        return centre + Vec3d{p[k], p[(k + 1) % 3], p[(k + 2) % 3]};
      });
  }
  finish(*scene);
  return scene;
}

// One sheet with bumps of 15 % of an edge, on a wave, askew to the axes.
std::shared_ptr<TouchingSurfaces> sheet() {
  auto scene = std::make_shared<TouchingSurfaces>();
  constexpr int cells = 224;
  scene->surface.bodies.push_back({});
  std::mt19937 engine(2);
  std::normal_distribution<double> bump(0, 0.15 / cells);
  add_sheet(scene->surface, 0, cells, [&](double u, double v) {
    const double w = 0.05 * std::sin(20 * u) + bump(engine);
    return Vec3d{0.8 * u - 0.6 * w, 0.36 * u + 0.8 * v + 0.48 * w, 0.48 * u - 0.6 * v + 0.64 * w};
  });
  finish(*scene);
  return scene;
}

}  // namespace

void register_contact_tree() {
  const std::pair<const char*, std::shared_ptr<TouchingSurfaces> (*)()> kinds[] = {{"pile", pile}, {"sheet", sheet}};
  const std::pair<const char*, EdgeChoice> choices[] = {{"all-edges", EdgeChoice::all},
                                                        {"sharp-edges", EdgeChoice::sharp}};
  for (const auto& [name, make] : kinds)
    for (const auto& [edges, choice] : choices)
      for (const auto& [lanes, threads] : {std::pair(1, 1), std::pair(8, 1), std::pair(16, 1), std::pair(16, 2)}) {
        if (!tree_kernels_with_lanes(lanes)) continue;
        add("contact_tree/" + std::string(name) + "/" + edges + "/lanes:" + std::to_string(lanes) +
                "/threads:" + std::to_string(threads),
            [=](benchmark::State& state) {
              const std::shared_ptr<TouchingSurfaces> scene = make();
              ThreadPool& pool = pool_of(threads);
              SurfaceTree tree(lanes);
              tree.build(scene->surface, pool);
              CandidatePairs found;
              const auto find = [&] {
                tree.find(scene->surface, scene->start(), scene->end(), 0.125 * scene->edge, choice, pool, found);
              };
              find();
              for (auto _ : state) find();
              using benchmark::Counter;
              const auto triangles = static_cast<double>(scene->surface.triangles.size());
              state.counters["triangles"] = triangles;
              state.counters["ns_per_triangle"] =
                  Counter(1e-9 * triangles, Counter::kIsIterationInvariantRate | Counter::kInvert);
              state.counters["pairs_per_triangle"] =
                  static_cast<double>(found.vertex_triangle.size() + found.edge_edge.size()) / triangles;
              state.counters["bytes_per_triangle"] = static_cast<double>(tree.memory_bytes()) / triangles;
            });
      }
}

namespace {
[[maybe_unused]] const bool tree_registered = (register_contact_tree(), true);
}  // namespace

}  // namespace sinew::bench
