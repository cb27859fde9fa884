// Source: the definition in model/quadratic_strip.h, replayed as kernels walk; and the Laplacian of quadratic tets from
// its integral, sum_q V/4 mu grad N_i . grad N_j.
#include "model/quadratic_strip.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "element/quadratic_tetrahedron.h"
#include "irregular_mesh.h"
#include "mesh/middles.h"
#include "support/body.h"

namespace sinew {
namespace {

Model quadratic_model(TetMesh mesh) {
  add_middles(mesh);
  ModelInput input;
  input.mesh = &mesh;
  input.block_of_tet.assign(mesh.tets.size(), 0);
  input.blocks = {{.material = elastic_material(MaterialKind::NeoHookean, lame_from(1e5, 0.3))}};
  input.density_of_block = {1000};
  return compile_model(input).value();
}

struct Seen {
  int32_t tet;
  std::array<int32_t, most_nodes> nodes;  // 0pqr, or 01qr
  bool odd;
};

std::vector<Seen> walk_around_corner(int32_t slot, const QuadraticStrip& strip) {
  std::vector<Seen> seen;
  int32_t p = -1, q = -1, m_p = -1, m_q = -1, m_pq = -1;
  for (const QuadraticEntry& entry : strip.entries) {
    const auto [r, m_r, m_pr, m_qr] = entry.nodes;
    if (entry.tet >= 0) seen.push_back({entry.tet, {slot, p, q, r, m_p, m_q, m_r, m_pq, m_pr, m_qr}, entry.odd});
    if (!entry.keeps) {
      p = q;
      m_p = m_q;
    }
    m_pq = entry.keeps ? m_pr : m_qr;
    q = r;
    m_q = m_r;
  }
  return seen;
}
std::vector<Seen> walk_around_middle(int32_t slot, const QuadraticStrip& strip) {
  std::vector<Seen> seen;
  const int32_t x0 = strip.entries[0].nodes[0], x1 = strip.entries[0].nodes[1];
  int32_t q = -1, m0 = -1, m1 = -1;
  for (size_t k = 1; k < strip.entries.size(); ++k) {
    const auto [r, m0r, m1r, m_qr] = strip.entries[k].nodes;
    const int32_t tet = strip.entries[k].tet;
    if (tet >= 0) seen.push_back({tet, {x0, x1, q, r, slot, m0, m0r, m1, m1r, m_qr}, false});
    q = r;
    m0 = m0r;
    m1 = m1r;
  }
  return seen;
}

// The nodes are the tet's own, and each middle lies between its corners.
void expect_tet(const Model& model, const Seen& seen) {
  std::vector<int32_t> nodes(seen.nodes.begin(), seen.nodes.end()), own;
  for (const int32_t s : model.nodes_of(seen.tet)) own.push_back(s);
  std::sort(nodes.begin(), nodes.end());
  std::sort(own.begin(), own.end());
  EXPECT_EQ(nodes, own);
  const auto x = [&](int k) { return model.rest[seen.nodes[static_cast<size_t>(k)]]; };
  for (int k = 0; k < 6; ++k) {
    const Vec3d off = x(4 + k) - 0.5 * (x(edge_ends[k][0]) + x(edge_ends[k][1]));
    EXPECT_LT(dot(off, off), 1e-20);
  }
  const double volume = dot(x(1) - x(0), cross(x(2) - x(0), x(3) - x(0)));
  EXPECT_EQ(volume < 0, seen.odd);
}

void expect_row(const Model& model, int32_t slot, double mu, const QuadraticStrip& strip) {
  std::map<int32_t, double> expected, found;
  double largest = 0;
  for (int32_t e = 0; e < static_cast<int32_t>(model.tets.size()); ++e) {
    const ElementNodes nodes = model.nodes_of(e);
    const auto at = std::find(nodes.begin(), nodes.end(), slot);
    if (at == nodes.end()) continue;
    const Vec3d x[4] = {model.rest[nodes[0]], model.rest[nodes[1]], model.rest[nodes[2]], model.rest[nodes[3]]};
    const RestShape<double> rest = QuadraticTetrahedron::rest(x);
    const Vec3d g[4] = {-(rest.gradient[0] + rest.gradient[1] + rest.gradient[2]), rest.gradient[0], rest.gradient[1],
                        rest.gradient[2]};
    for (int q = 0; q < QuadraticTetrahedron::points; ++q) {
      Vec3d of_node[most_nodes];
      node_gradients(g, q, of_node);
      for (size_t j = 0; j < nodes.size(); ++j) {
        if (nodes[j] == slot) continue;
        const double k = -mu * rest.volume / 4 * dot(of_node[at - nodes.begin()], of_node[j]);
        expected[nodes[j]] += k;
        largest = std::max(largest, std::abs(k));
      }
    }
  }
  double sum = 0;
  for (const QuadraticEntry& entry : strip.entries)
    for (size_t j = 0; j < entry.nodes.size(); ++j) {
      sum += entry.k[j];
      if (entry.nodes[j] == slot) {
        EXPECT_EQ(entry.k[j], 0);
      } else {
        found[entry.nodes[j]] += entry.k[j];
      }
    }
  EXPECT_EQ(found.size(), expected.size());
  for (const auto& [node, k] : expected) EXPECT_NEAR(found[node], k, 1e-12 * largest) << node;
  EXPECT_NEAR(strip.laplacian, sum, 1e-12 * largest);
}

// How many entries there are to a tet, of corners and of middles.
struct Lengths {
  double corners = 0, middles = 0;
};
Lengths expect_strips(const Model& model) {
  std::vector<std::vector<TetAtNode>> corners(static_cast<size_t>(model.slot_count())), middles(corners.size());
  for (int32_t e = 0; e < static_cast<int32_t>(model.tets.size()); ++e)
    for (int n = 0; n < most_nodes; ++n)
      (n < 4 ? corners : middles)[static_cast<size_t>(model.nodes_of(e)[static_cast<size_t>(n)])].push_back(
          seen_from(model, e, n));
  QuadraticStripper stripper;
  Lengths lengths;
  constexpr double mu = 2.5;
  for (int32_t slot = 0; slot < model.slot_count(); ++slot) {
    for (const bool middle : {false, true}) {
      std::vector<TetAtNode>& tets = (middle ? middles : corners)[static_cast<size_t>(slot)];
      if (tets.empty()) continue;
      QuadraticStrip strip;
      if (middle) {
        stripper.around_middle(model, slot, tets, mu, strip);
      } else {
        stripper.around_corner(model, slot, tets, mu, strip);
      }
      std::vector<int32_t> expected, found;
      for (const TetAtNode& tet : tets) expected.push_back(tet.tet);
      for (const Seen& seen : middle ? walk_around_middle(slot, strip) : walk_around_corner(slot, strip)) {
        found.push_back(seen.tet);
        expect_tet(model, seen);
      }
      std::sort(found.begin(), found.end());
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(found, expected) << "slot " << slot;
      expect_row(model, slot, mu, strip);
      (middle ? lengths.middles : lengths.corners) +=
          static_cast<double>(strip.entries.size()) / static_cast<double>(model.tets.size());
    }
  }
  return lengths;
}

TEST(QuadraticStrip, MeetsEveryTetAndNeighbourOnce) {
  for (TetMesh& mesh : std::vector<TetMesh>{support::box({3, 3, 3}), support::box({3, 3, 3}, {1, 1, 1}, TetSplit::six),
                                            make_ball({.shells = 2}).value(), support::fan(4, 8), support::fan(9, 20),
                                            bench::make_irregular({.cells = 3})}) {
    const Lengths lengths = expect_strips(quadratic_model(std::move(mesh)));
    // Two entries open a strip; a body this small has strips as short as one tet.
    EXPECT_LT(lengths.corners, 4 * 2.0);
    EXPECT_LT(lengths.middles, 6 * 2.0);
  }
}

// Two tets that share an edge or a corner only: strips begin anew.
TEST(QuadraticStrip, OfTetsThatMeetInAnEdgeOrACorner) {
  const Vec3d x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
  const auto model_of = [](std::vector<Vec3d> vertices, std::vector<Tet> tets) {
    TetMesh mesh;
    mesh.vertices = std::move(vertices);
    mesh.tets = std::move(tets);
    for (Tet& t : mesh.tets)
      if (volume_of(mesh.vertices, t) < 0) std::swap(t[0], t[1]);
    return quadratic_model(std::move(mesh));
  };
  expect_strips(model_of({{}, x, y, z, -x, -y}, {{0, 1, 2, 3}, {0, 3, 4, 5}}));
  expect_strips(model_of({{}, x, y, z, -x, -y, -z}, {{0, 1, 2, 3}, {0, 4, 5, 6}}));
}

TEST(QuadraticStrip, RefusesMiddlesOfTwoEdges) {
  TetMesh mesh = support::box({1, 1, 1});
  add_middles(mesh);
  mesh.middles[0][1] = mesh.middles[0][0];
  ModelInput input;
  input.mesh = &mesh;
  input.block_of_tet.assign(mesh.tets.size(), 0);
  input.blocks = {{.material = elastic_material(MaterialKind::NeoHookean, lame_from(1e5, 0.3))}};
  input.density_of_block = {1000};
  const auto model = compile_model(input);
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.error().where, "tet 0");
  EXPECT_NE(model.error().what.find("is the middle of"), std::string::npos);
}

}  // namespace
}  // namespace sinew
