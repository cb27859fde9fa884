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

}  // namespace

Result<TetMesh> generate(const SceneMesh& mesh, ThreadPool& pool) {
  if (const auto* box = std::get_if<MeshBox>(&mesh)) return make_box(options_of(*box), pool);
  if (const auto* beam = std::get_if<MeshBeam>(&mesh)) return make_beam(options_of(*beam), pool);
  if (const auto* rectangle = std::get_if<MeshRectangle>(&mesh)) return make(*rectangle);
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
  return {.vertices = point_count(mesh), .tets = 0, .springs = spring_count(mesh)};
}

}  // namespace sinew
