#include "mesh/generators.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/format.h"
#include "math/length.h"

namespace sinew {

namespace {

// Indices are 32 bits wide.
// "make_box: cells = [0, 3, 3]: ..." without a file to point at.
Error refusal(const char* generator, const std::string& what, const char* remedy) {
  return {generator, what, remedy};
}

bool positive(double value) {
  return std::isfinite(value) && value > 0;
}
// A cell's corner is a number whose bits are its steps along x (1), y (2) and z (4).
using CellTet = std::array<int, 4>;

constexpr CellTet kFiveEven[] = {{0, 3, 5, 6}, {1, 0, 3, 5}, {2, 0, 3, 6}, {4, 0, 5, 6}, {7, 3, 5, 6}};
constexpr CellTet kFiveOdd[] = {{1, 2, 4, 7}, {0, 1, 2, 4}, {3, 1, 2, 7}, {5, 1, 4, 7}, {6, 2, 4, 7}};
// The six paths from corner 0 to corner 7 along the axes.
constexpr CellTet kSix[] = {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}};

// The corners in an order of positive volume: swaps the last two if the volume is negative.
CellTet oriented(CellTet tet) {
  const auto corner = [](int bits) { return Vec3<int>{bits & 1, bits >> 1 & 1, bits >> 2 & 1}; };
  const Vec3<int> o = corner(tet[0]);
  if (dot(corner(tet[1]) - o, cross(corner(tet[2]) - o, corner(tet[3]) - o)) < 0) std::swap(tet[2], tet[3]);
  return tet;
}

double cells_along(const BeamOptions& options) {
  return std::round(options.cells_across * options.length / options.height);
}

Status check(const char* generator, const BoxOptions& options) {
  const auto [nx, ny, nz] = options.cells;
  if (nx < 1 || ny < 1 || nz < 1)
    return refusal(generator, format("cells = [%d, %d, %d]", nx, ny, nz), "give at least one cell along each axis");
  if (!positive(options.size.x) || !positive(options.size.y) || !positive(options.size.z))
    return refusal(generator, format("size = [%g, %g, %g] m", options.size.x, options.size.y, options.size.z),
                   "sizes are positive");
  if (!is_finite(options.origin)) return refusal(generator, "the origin is not finite", "give finite coordinates");
  const double tets = 6.0 * nx * ny * nz;
  if (tets > static_cast<double>(most_items) || (nx + 1.0) * (ny + 1.0) * (nz + 1.0) > static_cast<double>(most_items))
    return refusal(generator, format("cells = [%d, %d, %d] make more than 2^31 elements", nx, ny, nz),
                   "use fewer cells");
  return {};
}

// Threads take slices of cells.
TetMesh box(const BoxOptions& options, ThreadPool& pool) {
  const auto [nx, ny, nz] = options.cells;
  const size_t row = static_cast<size_t>(nx) + 1, slice = row * (static_cast<size_t>(ny) + 1);
  TetMesh mesh;
  mesh.vertices.resize(slice * (static_cast<size_t>(nz) + 1));
  pool.parallel_for(nz + 1, 1, [&, nx = nx, ny = ny, nz = nz](int64_t first, int64_t last) {
    Vec3d* out = mesh.vertices.data() + first * slice;
    for (int64_t k = first; k < last; ++k)
      for (int j = 0; j <= ny; ++j)
        for (int i = 0; i <= nx; ++i)
          *out++ = {options.origin.x + options.size.x * i / nx, options.origin.y + options.size.y * j / ny,
                    options.origin.z + options.size.z * static_cast<int>(k) / nz};
  });

  // The tets of a cell, as steps from its first corner.
  const auto steps = [&](const auto& patterns) {
    std::vector<Tet> tets;
    for (const CellTet& pattern : patterns) {
      Tet& tet = tets.emplace_back();
      const CellTet corners = oriented(pattern);
      for (int a = 0; a < 4; ++a)
        tet[a] = static_cast<int32_t>((corners[a] & 1) + (corners[a] >> 1 & 1) * row + (corners[a] >> 2 & 1) * slice);
    }
    return tets;
  };
  const bool five = options.split == TetSplit::five;
  const std::vector<Tet> even = five ? steps(kFiveEven) : steps(kSix), odd = five ? steps(kFiveOdd) : even;
  const size_t cells = static_cast<size_t>(nx) * ny;
  mesh.tets.resize(cells * nz * even.size());
  pool.parallel_for(nz, 1, [&, nx = nx, ny = ny](int64_t first, int64_t last) {
    Tet* out = mesh.tets.data() + first * cells * even.size();
    for (int64_t k = first; k < last; ++k)
      for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i) {
          const auto corner = static_cast<int32_t>(i + row * j + slice * k);
          for (const Tet& t : (i + j + k) % 2 == 0 ? even : odd)
            *out++ = {corner + t[0], corner + t[1], corner + t[2], corner + t[3]};
        }
  });
  return mesh;
}

}  // namespace

Result<TetMesh> make_box(const BoxOptions& options, ThreadPool& pool) {
  if (Status status = check("make_box", options); !status) return status.error();
  return box(options, pool);
}

double tet_count(const BoxOptions& options) {
  const auto [nx, ny, nz] = options.cells;
  return (options.split == TetSplit::five ? 5.0 : 6.0) * nx * ny * nz;
}

double vertex_count(const BoxOptions& options) {
  const auto [nx, ny, nz] = options.cells;
  return (nx + 1.0) * (ny + 1.0) * (nz + 1.0);
}

double vertex_count(const BeamOptions& options) {
  const double across = options.cells_across + 1.0;
  return across * across * (std::max(1.0, cells_along(options)) + 1);
}

double tet_count(const BeamOptions& options) {
  const double across = options.cells_across;
  return (options.split == TetSplit::five ? 5.0 : 6.0) * across * across * std::max(1.0, cells_along(options));
}

Result<TetMesh> make_beam(const BeamOptions& options, ThreadPool& pool) {
  if (options.cells_across < 1)
    return refusal("make_beam", format("cells_across = %d", options.cells_across), "give at least one cell");
  if (!positive(options.length) || !positive(options.height) || !positive(options.depth))
    return refusal("make_beam", format("size = [%g, %g, %g] m", options.length, options.height, options.depth),
                   "sizes are positive");
  const double along = cells_along(options);
  if (along > static_cast<double>(most_items))
    return refusal("make_beam", format("length = %g m needs %g cells", options.length, along), "use a shorter beam");
  BoxOptions settings;
  settings.cells = {std::max(1, static_cast<int32_t>(along)), options.cells_across, options.cells_across};
  settings.size = {options.length, options.height, options.depth};
  settings.split = options.split;
  if (Status status = check("make_beam", settings); !status) return status.error();
  return box(settings, pool);
}

Result<SurfaceMesh> make_grid(const GridOptions& options) {
  const auto [nx, ny] = options.cells;
  if (nx < 1 || ny < 1)
    return refusal("make_grid", format("cells = [%d, %d]", nx, ny), "give at least one cell along each axis");
  if (!positive(options.size[0]) || !positive(options.size[1]))
    return refusal("make_grid", format("size = [%g, %g] m", options.size[0], options.size[1]), "sizes are positive");
  if (!is_finite(options.origin)) return refusal("make_grid", "the origin is not finite", "give finite coordinates");
  if ((nx + 1.0) * (ny + 1.0) * 2 > static_cast<double>(most_items))
    return refusal("make_grid", format("cells = [%d, %d] make more than 2^31 triangles", nx, ny), "use fewer cells");

  SurfaceMesh mesh;
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i)
      mesh.vertices.push_back(
          {options.origin.x + options.size[0] * i / nx, options.origin.y + options.size[1] * j / ny, options.origin.z});
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const int32_t a = i + (nx + 1) * j, b = a + 1, c = a + nx + 1, e = c + 1;
      mesh.triangles.push_back({a, b, e});
      mesh.triangles.push_back({a, e, c});
    }
  return mesh;
}

}  // namespace sinew
