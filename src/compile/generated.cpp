#include "compile/generated.h"

#include "compile/spring_mesh.h"
#include "mesh/generators.h"
#include "scene/places.h"

namespace sinew {
namespace {

TetSplit split_into(int tets) {
  return tets == 5 ? TetSplit::five : TetSplit::six;
}
BoxOptions options_of(const MeshBox& box) {
  return {{box.cells[0], box.cells[1], box.cells[2]}, to_vec(box.size), to_vec(box.origin), split_into(box.split)};
}
BeamOptions options_of(const MeshBeam& beam) {
  return {beam.length, beam.height, beam.depth, beam.cells_across, split_into(beam.split)};
}
BallOptions options_of(const MeshBall& ball) {
  return {ball.radius, to_vec(ball.center), ball.shells};
}

double vertex_count(const MeshRectangle& r) {
  return (r.cells_x + 1.0) * (r.cells_y + 1.0);
}
double tet_count(const MeshRectangle& r) {
  return 2.0 * r.cells_x * r.cells_y;
}
Result<TetMesh> make(const MeshRectangle& r) {
  Result<SurfaceMesh> grid = make_grid({{r.cells_x, r.cells_y}, {r.width, r.height}, to_vec(r.origin)});
  if (!grid) return grid.error();
  TetMesh mesh;
  mesh.vertices = std::move(grid->vertices);
  for (const Triangle& t : grid->triangles) mesh.tets.push_back({t[0], t[1], t[2], no_corner});
  return mesh;
}

TetMesh make(const MeshArrays& given) {
  TetMesh mesh;
  for (size_t k = 0; k + 2 < given.vertices.size(); k += 3)
    mesh.vertices.push_back({given.vertices[k], given.vertices[k + 1], given.vertices[k + 2]});
  const auto at = [](const std::vector<int64_t>& list, size_t k) { return static_cast<int32_t>(list[k]); };
  for (size_t k = 0; k + 3 < given.tets.size(); k += 4)
    mesh.tets.push_back({at(given.tets, k), at(given.tets, k + 1), at(given.tets, k + 2), at(given.tets, k + 3)});
  for (size_t k = 0; k + 2 < given.triangles.size(); k += 3)
    mesh.tets.push_back({at(given.triangles, k), at(given.triangles, k + 1), at(given.triangles, k + 2), no_corner});
  return mesh;
}

}  // namespace

Result<TetMesh> generate(const SceneMesh& mesh, ThreadPool& pool) {
  if (const auto* box = std::get_if<MeshBox>(&mesh)) return make_box(options_of(*box), pool);
  if (const auto* beam = std::get_if<MeshBeam>(&mesh)) return make_beam(options_of(*beam), pool);
  if (const auto* rectangle = std::get_if<MeshRectangle>(&mesh)) return make(*rectangle);
  if (const auto* given = std::get_if<MeshArrays>(&mesh)) return make(*given);
  return make_ball(options_of(std::get<MeshBall>(mesh)));
}

MeshSize generated_size(const SceneMesh& mesh) {
  const auto size = [](const auto& options) {
    return MeshSize{.vertices = vertex_count(options), .tets = tet_count(options)};
  };
  if (const auto* box = std::get_if<MeshBox>(&mesh)) return size(options_of(*box));
  if (const auto* beam = std::get_if<MeshBeam>(&mesh)) return size(options_of(*beam));
  if (const auto* ball = std::get_if<MeshBall>(&mesh)) return size(options_of(*ball));
  if (const auto* rectangle = std::get_if<MeshRectangle>(&mesh))
    return {.vertices = vertex_count(*rectangle), .tets = tet_count(*rectangle)};
  if (const auto* given = std::get_if<MeshArrays>(&mesh); given && given->edges.empty())
    return {.vertices = static_cast<double>(given->vertices.size() / 3),
            .tets = static_cast<double>(given->tets.size() / 4 + given->triangles.size() / 3)};
  return {.vertices = point_count(mesh), .tets = 0, .springs = spring_count(mesh)};
}

}  // namespace sinew
