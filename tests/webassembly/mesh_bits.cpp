// Prints a fingerprint of a mesh, for scripts/check-portable: a browser must come to the same bits as a native program,
// with one thread and with two. The surface is made by arithmetic and roots only, which are the same everywhere.
#include <array>
#include <cinttypes>
#include <cstdio>

#include "base/hash.h"
#include "meshing/fitting.h"
#include "meshing/smoothing.h"
#include "meshing/stuffing.h"
#include "meshing/surface_field.h"

namespace {

using namespace sinew;

struct Point {
  double x, y;
};
// Point k of n around the unit circle, n a multiple of four: (1 - u^2, 2 u)/(1 + u^2) in each quarter.
Point on_circle(int k, int n) {
  const int quarter = 4 * k / n;
  const double u = 4.0 * k / n - quarter, c = (1 - u * u) / (1 + u * u), s = 2 * u / (1 + u * u);
  return std::array<Point, 4>{{{c, s}, {-s, c}, {-c, -s}, {s, -c}}}[static_cast<size_t>(quarter)];
}

SurfaceMesh bumpy_ring() {
  constexpr int around = 96, across = 48;
  const auto at = [](int i, int j) { return i % around * across + j % across; };
  SurfaceMesh ring;
  for (int i = 0; i < around; ++i) {
    for (int j = 0; j < across; ++j) {
      const auto [c, s] = on_circle(i, around);
      const auto [a, b] = on_circle(j, across);
      const double radius = 0.3 + 0.006 * ((7 * i + 3 * j) % 5);
      ring.vertices.push_back({(1 + radius * a) * c, radius * b, (1 + radius * a) * s});
      ring.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i + 1, j)});
      ring.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j + 1)});
    }
  }
  return ring;
}

// 0: there is no mesh
uint64_t fingerprint(const SurfaceMesh& surface, ThreadPool& pool) {
  constexpr double cell = 0.06;
  const auto field = make_surface_field(surface, pool);
  if (!field.ok()) return 0;
  auto mesh = stuff(**field, {.cell = cell}, pool);
  if (!mesh.ok()) return 0;
  fit(*mesh, **field, {.cell = cell}, pool);
  smooth(*mesh, field->get(), {.passes = 2}, pool);
  return Hash()
      .bytes(mesh->vertices.data(), mesh->vertices.size() * sizeof(Vec3d))
      .bytes(mesh->tets.data(), mesh->tets.size() * sizeof(Tet))
      .value();
}

}  // namespace

int main() {
  const SurfaceMesh ring = bumpy_ring();
  for (const int threads : {1, 2}) {
    ThreadPool pool(threads);
    const uint64_t bits = fingerprint(ring, pool);
    if (bits == 0 || pool.size() != threads) return 1;
    std::printf("%016" PRIx64 "\n", bits);
  }
}
