// Source: the promises of docs/contact.md: the guarantee holds for the pairs that have it, whatever others do.
// Surfaces are judged exactly (mesh/crossing_triangles.h).
#include <gtest/gtest.h>

#include "io/says.h"
#include "mesh/crossing_triangles.h"
#include "sinew/simulation.h"
#include "support/contact_scenes.h"
#include "support/simulated.h"

namespace sinew {
namespace {

// A held sheet, a cube that is shot through it, and another that may not be. The floor below stops both.
Scene shots() {
  Scene scene;
  scene.materials = {rubber(1e5)};
  scene.objects = {block("sheet", {0, 0, 0}, {1, 0.05, 0.5}, {10, 1, 5}), cube("through", {0.15, 0.3, 0.2}, 2),
                   cube("stopped", {0.75, 0.3, 0.2}, 2)};
  scene.objects[1].velocity = scene.objects[2].velocity = {0, -40, 0};
  ScenePin pin;
  pin.object = "sheet";
  pin.select = SelectBox{{-1, -1, -1}, {2, 2, 0.05}};
  scene.pins = {pin};
  pin.select = SelectBox{{-1, -1, 0.45}, {2, 2, 2}};
  scene.pins.push_back(pin);
  scene.colliders.push_back({.name = "floor", .shape = ColliderHalfSpace{{0, -2, 0}, {0, 1, 0}}});
  scene.contact = ContactSettings{};
  scene.time.frame_dt = 1.0 / 60;
  return scene;
}
bool meet(const Simulation& s, int32_t a, int32_t b) {
  std::vector<Vec3d> points;
  for (const Real3& p : s.positions()) points.push_back({p[0], p[1], p[2]});
  std::vector<Triangle> triangles;
  for (const int32_t object : {a, b}) {
    const std::vector<Triangle> surface = s.surface(object).value();
    triangles.insert(triangles.end(), surface.begin(), surface.end());
  }
  return !meeting_triangles(points, triangles, ThreadPool::caller()).empty();
}
// The heights of the middles of the two cubes after ten steps, in which the one of the pairs that are kept apart
// never meets the sheet.
std::array<double, 2> heights(const Scene& scene) {
  Simulation s = simulation_of(scene, 2);
  for (int k = 0; k < 10; ++k) {
    take(s, 1);
    EXPECT_FALSE(meet(s, 0, 2)) << scene.solver.type << ", step " << k;
  }
  std::array<double, 2> mean{};
  const std::vector<Real3> x = s.positions();
  for (size_t c = 0; c < 2; ++c) {
    const ObjectInfo& object = s.objects()[c + 1];
    for (int32_t v = object.first_vertex; v < object.last_vertex; ++v)
      mean[c] += x[static_cast<size_t>(v)][1] / (object.last_vertex - object.first_vertex);
  }
  return mean;
}

TEST(ContactGuarantee, HoldsForSomePairs) {
  for (const char* solver : {"vbd", "multilevel", "quasi_newton"}) {
    Scene scene = shots();
    scene.solver.type = solver;
    scene.objects[2].contact.guarantee = ContactGuarantee::intersection_free;
    std::array<double, 2> of_one = heights(scene);
    EXPECT_LT(of_one[0], -1) << solver << ": it went through";
    EXPECT_GT(of_one[1], -0.2) << solver;

    // The other way about: all but one pair.
    scene.objects[2].contact.guarantee.reset();
    scene.contact->guarantee = ContactGuarantee::intersection_free;
    SceneContactPair& pair = scene.contact->pairs.emplace_back();
    pair.a = "sheet";
    pair.b = "through";
    pair.guarantee = ContactGuarantee::none;
    of_one = heights(scene);
    EXPECT_LT(of_one[0], -1) << solver;
    EXPECT_GT(of_one[1], -0.2) << solver;
  }
}

// The same bits for any number of threads, and resumed.
TEST(ContactGuarantee, OfSomePairsIsKeptInCheckpoints) {
  Scene scene = shots();
  scene.objects[2].contact.guarantee = ContactGuarantee::intersection_free;
  Simulation one = simulation_of(scene, 1), two = simulation_of(scene, 2);
  take(one, 10);
  take(two, 10);
  EXPECT_EQ(one.hash(), two.hash());
  Result<Simulation> resumed = Simulation::resume(one.checkpoint(), 2);
  ASSERT_TRUE(resumed) << resumed.error().message();
  take(one, 10);
  take(*resumed, 10);
  EXPECT_EQ(one.hash(), resumed->hash());
}

TEST(ContactGuarantee, IsRefusedOfAPairWhereItCannotBeKept) {
  Scene scene = shots();
  scene.solver.type = "xpbd";
  scene.objects[2].contact.guarantee = ContactGuarantee::intersection_free;
  EXPECT_TRUE(says(creation_error(scene), "solver \"xpbd\" cannot keep it")) << creation_error(scene);
  scene.solver.type = "vbd";
  scene.objects[2].contact.law = ContactLaw::penalty;
  EXPECT_TRUE(says(creation_error(scene), "nothing would push at all")) << creation_error(scene);
}

// States that are set may have crossed where the pair may.
TEST(ContactGuarantee, LetsOthersBePlacedInEachOther) {
  Scene scene = shots();
  scene.objects[2].contact.guarantee = ContactGuarantee::intersection_free;
  Simulation s = simulation_of(scene);
  for (const size_t object : {1u, 2u}) {
    std::vector<Real3> x = s.positions();
    for (int32_t v = s.objects()[object].first_vertex; v < s.objects()[object].last_vertex; ++v)
      x[static_cast<size_t>(v)][1] -= 0.3;
    EXPECT_EQ(s.set_state(x, s.velocities()).ok(), object == 1);
  }
}

}  // namespace
}  // namespace sinew
