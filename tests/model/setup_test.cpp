// Source: the guarantee of docs/architecture.md: the same bits for any number of threads, here for a model and its
// layouts.
#include <gtest/gtest.h>

#include <cstring>

#include "irregular_mesh.h"
#include "mesh/coloring.h"
#include "model/model.h"
#include "model/vertex_stream.h"
#include "support/body.h"

namespace sinew {
namespace {

using support::Body;
using support::body_of;
using support::box;

template <class Array>
void expect_same(const Array& a, const Array& b, const char* what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  if (a.empty()) return;
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]), 0) << what;
}

// Large enough for four threads at every stage; in one cluster, in clusters by default, and in many small ones; of
// structured and irregular meshes; with two materials.
std::vector<Body> bodies() {
  std::vector<Body> bodies{body_of(box({32, 30, 30})), body_of(box({41, 41, 40}, {1, 1, 1}, TetSplit::five)),
                           body_of(bench::make_irregular({.cells = 22}))};
  Body& last = bodies.back();
  last.cluster_vertices = 400;
  last.blocks.push_back(last.blocks[0]);
  last.blocks[1].material = elastic_material(last.blocks[1].material.kind, lame_from(3000, 0.4));
  last.density.push_back(20);
  for (size_t e = 0; e < last.mesh.tets.size(); ++e) last.block_of_tet.push_back(e % 3 == 0);
  return bodies;
}

TEST(Setup, ModelsHaveTheSameBitsForAnyNumberOfThreadsSameBits) {
  for (const Body& body : bodies()) {
    const Model one = body.compile();
    EXPECT_GT(one.tets.size(), size_t{4} << 14);
    for (const int threads : {2, 3, 4}) {
      ThreadPool pool(threads);
      const Model model = compile_model(body.input(), pool).value();
      expect_same(model.rest, one.rest, "rest");
      expect_same(model.mass, one.mass, "mass");
      expect_same(model.tets, one.tets, "tets");
      expect_same(model.user_tet, one.user_tet, "user_tet");
      EXPECT_EQ(model.color_begin, one.color_begin);
      EXPECT_EQ(model.color_count, one.color_count);
      EXPECT_EQ(model.clusters.phase_begin, one.clusters.phase_begin);
      EXPECT_EQ(model.clusters.slot_begin, one.clusters.slot_begin);
      EXPECT_EQ(model.clusters.color_begin, one.clusters.color_begin);
      EXPECT_EQ(model.clusters.halo_begin, one.clusters.halo_begin);
      EXPECT_EQ(model.clusters.halos, one.clusters.halos);
      for (int32_t v = 0; v < one.order.vertex_count(); ++v)
        ASSERT_EQ(model.order.slot(UserVertex{v}), one.order.slot(UserVertex{v}));
      for (size_t b = 0; b < one.blocks.size(); ++b) {
        EXPECT_EQ(model.blocks[b].first_tet, one.blocks[b].first_tet);
        EXPECT_EQ(model.blocks[b].last_tet, one.blocks[b].last_tet);
      }
    }
  }
}

template <class Real>
void expect_same_streams(const Model& model, VertexLayout layout) {
  ThreadPool alone(1);
  const Incidence incidence = incidence_of(model.tets, static_cast<size_t>(model.slot_count()));
  for (const ElasticBlock& block : model.blocks) {
    const auto one = build_vertex_stream<Real>(model, block, incidence, layout, 8, alone);
    EXPECT_EQ(one.layout, layout);
    EXPECT_GT(one.row_begin.back(), 0);
    for (const int threads : {2, 3, 4}) {
      ThreadPool pool(threads);
      const Incidence same = incidence_of(model.tets, static_cast<size_t>(model.slot_count()), pool);
      expect_same(same.begin, incidence.begin, "incidence");
      expect_same(same.entries, incidence.entries, "incidence");
      const auto stream = build_vertex_stream<Real>(model, block, incidence, layout, 8, pool);
      expect_same(stream.row_begin, one.row_begin, "row_begin");
      expect_same(stream.corners, one.corners, "corners");
      expect_same(stream.numbers, one.numbers, "numbers");
      expect_same(stream.packed, one.packed, "packed");
      expect_same(stream.units, one.units, "units");
    }
  }
}

TEST(Setup, StreamsHaveTheSameBitsForAnyNumberOfThreadsSameBits) {
  for (const Body& body : bodies()) {
    const Model model = body.compile();
    expect_same_streams<float>(model, VertexLayout::packed);
    expect_same_streams<double>(model, VertexLayout::links);
    expect_same_streams<float>(model, VertexLayout::frames);
  }
}

// Of several faults the first in the user's order is named, whichever thread finds it.
TEST(Setup, NamesTheUsersFirstFaultForAnyNumberOfThreads) {
  const auto message = [](const Body& body, int threads) {
    ThreadPool pool(threads);
    return compile_model(body.input(), pool).error().message();
  };
  for (const int threads : {1, 2, 4}) {
    Body body = body_of(box({32, 30, 30}));
    for (const size_t e : {140000, 70001, 30003}) std::swap(body.mesh.tets[e][0], body.mesh.tets[e][1]);
    EXPECT_NE(message(body, threads).find("tet 30003: volume -"), std::string::npos) << message(body, threads);
    for (const size_t e : {130000, 80001}) body.mesh.tets[e][2] = -1;
    EXPECT_NE(message(body, threads).find("tet 80001: vertex -1"), std::string::npos) << message(body, threads);
  }
}

}  // namespace
}  // namespace sinew
