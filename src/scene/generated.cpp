#include "scene/generated.h"

#include "mesh/generators.h"
#include "scene/places.h"
#include "scene/spring_mesh.h"

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

}  // namespace

Result<TetMesh> generate(const SceneMesh& mesh, ThreadPool& pool) {
  if (const auto* box = std::get_if<MeshBox>(&mesh)) return make_box(options_of(*box), pool);
  if (const auto* beam = std::get_if<MeshBeam>(&mesh)) return make_beam(options_of(*beam), pool);
  return make_ball(options_of(std::get<MeshBall>(mesh)));
}

MeshSize generated_size(const SceneMesh& mesh) {
  const auto size = [](const auto& options) {
    return MeshSize{.vertices = vertex_count(options), .tets = tet_count(options)};
  };
  if (const auto* box = std::get_if<MeshBox>(&mesh)) return size(options_of(*box));
  if (const auto* beam = std::get_if<MeshBeam>(&mesh)) return size(options_of(*beam));
  if (const auto* ball = std::get_if<MeshBall>(&mesh)) return size(options_of(*ball));
  return {.vertices = point_count(mesh), .tets = 0, .springs = spring_count(mesh)};
}

}  // namespace sinew
