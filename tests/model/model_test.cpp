// Source: the interfaces in model/model.h, order.h and the two streams; docs/theory.md, Masses and loads.
#include "model/model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "element/tet_frame.h"
#include "mesh/space_filling.h"
#include "model/constraint_stream.h"
#include "model/vertex_stream.h"
#include "support/body.h"

namespace sinew {
namespace {

using support::Body;
using support::body_of;
using support::box;
using support::size;

// Two materials side by side, an isolated tet and two vertices without tets.
Body mixed() {
  Body body = body_of(support::together(box({5, 4, 3}, {1, 0.8, 0.6}), support::one_tet()));
  body.blocks.push_back({.material = elastic_material(MaterialKind::FixedCorotated, lame_from(5000, 0.4))});
  body.density.push_back(30);
  for (size_t e = 0; e < body.mesh.tets.size(); ++e) {
    body.block_of_tet.push_back(body.mesh.vertices[body.mesh.tets[e][0]].x > 0.5);
  }
  body.mesh.vertices.push_back({3, 3, 3});
  body.mesh.vertices.push_back({-3, 3, 3});
  return body;
}

TEST(VertexOrder, GoesThereAndBack) {
  const Body body = mixed();
  const Model model = body.compile();
  std::vector<int32_t> user(body.mesh.vertices.size());
  std::iota(user.begin(), user.end(), 0);
  const std::vector<int32_t> slots = model.order.to_slots(user, -7);
  EXPECT_EQ(model.order.to_user(slots), user);
  int padding = 0;
  for (int32_t s = 0; s < model.slot_count(); ++s) {
    EXPECT_EQ(model.order.is_padding(Slot{s}), slots[s] == -7);
    padding += slots[s] == -7;
    if (slots[s] == -7) continue;
    EXPECT_EQ(model.order.vertex(Slot{s}), UserVertex{slots[s]});
    EXPECT_EQ(model.order.slot(UserVertex{slots[s]}), Slot{s});
  }
  EXPECT_EQ(model.order.vertex_count() + padding, model.slot_count());
  for (size_t s = 0; s < slots.size(); ++s) EXPECT_TRUE(std::isfinite(size(model.rest[s])));
  EXPECT_EQ(size(model.order.to_user(model.rest)[7] - body.mesh.vertices[7]), 0);
}

TEST(Model, ColorsAreWholeBatchesOfVerticesThatShareNoTet) {
  const Model model = mixed().compile();
  EXPECT_EQ(model.color_begin.front(), 0);
  EXPECT_EQ(model.color_begin.back(), model.slot_count());
  std::vector<int32_t> color(model.slot_count());
  for (int32_t c = 0; c < model.color_count; ++c) {
    EXPECT_EQ(model.color_begin[c] % slot_alignment, 0);
    for (int32_t s = model.color_begin[c]; s < model.color_begin[c + 1]; ++s) color[s] = c;
  }
  for (const Tet& t : model.tets) {
    EXPECT_EQ((std::set<int32_t>{color[t[0]], color[t[1]], color[t[2]], color[t[3]]}).size(), 4u);
  }
}

// The same mesh with randomly numbered vertices, as in a scan.
TetMesh renumbered(const TetMesh& mesh) {
  std::vector<int32_t> number(mesh.vertices.size());
  std::iota(number.begin(), number.end(), 0);
  std::shuffle(number.begin(), number.end(), std::mt19937(1));
  TetMesh result = mesh;
  for (size_t v = 0; v < number.size(); ++v) result.vertices[number[v]] = mesh.vertices[v];
  for (Tet& t : result.tets) {
    for (int32_t& v : t) v = number[v];
  }
  return result;
}

// 5 colours on boxes in natural order; the better of that order and the curve is used.
TEST(Model, TakesTheOrderWithFewerColors) {
  EXPECT_EQ(body_of(box({18, 18, 18})).compile().color_count, 5);
  int natural_wins = 0, curve_wins = 0;
  for (const TetMesh& mesh :
       {box({13, 11, 9}), box({9, 9, 9}, {1, 1, 1}, TetSplit::six), make_ball({.shells = 5}).value(),
        make_ball({.shells = 9}).value(), renumbered(box({9, 9, 9}))}) {
    const Incidence incidence = incidence_of(mesh.tets, mesh.vertices.size());
    const int natural = color_vertices(mesh.tets, incidence, {}).count;
    const int curve = color_vertices(mesh.tets, incidence, space_filling_order(mesh.vertices)).count;
    EXPECT_EQ(body_of(mesh).compile().color_count, std::min(natural, curve));
    natural_wins += natural < curve;
    curve_wins += curve < natural;
  }
  EXPECT_GT(natural_wins, 0);
  EXPECT_GT(curve_wins, 0);
}

// For clusters of any size, everything that a cluster's sweep reads is available, and no two of a phase touch.
TEST(Model, ClustersOfAPhaseShareNoTetAndSeeTheirNeighbours) {
  Body body = mixed();
  for (const int32_t most : {1, 5, 17, 64, 1000}) {
    body.cluster_vertices = most;
    const Model model = body.compile();
    const Clusters& clusters = model.clusters;
    const auto vertices = static_cast<int32_t>(body.mesh.vertices.size());
    EXPECT_EQ(clusters.count(), (vertices + most - 1) / most);
    EXPECT_EQ(clusters.slot_begin.back(), model.slot_count());
    EXPECT_EQ(clusters.phase_begin.back(), clusters.count());
    EXPECT_EQ(clusters.color_begin.back(), static_cast<int32_t>(model.color_begin.size()) - 1);

    std::vector<int32_t> phase(clusters.count());
    for (int32_t p = 0; p < clusters.phase_count(); ++p) {
      for (int32_t c = clusters.phase_begin[p]; c < clusters.phase_begin[p + 1]; ++c) phase[c] = p;
    }
    std::vector<int32_t> color(model.slot_count());
    size_t seen = 0;
    for (int32_t c = 0; c < clusters.count(); ++c) {
      EXPECT_EQ(model.color_begin[clusters.color_begin[c]], clusters.slot_begin[c]);
      EXPECT_EQ(model.color_begin[clusters.color_begin[c + 1]], clusters.slot_begin[c + 1]);
      for (int32_t k = clusters.color_begin[c]; k < clusters.color_begin[c + 1]; ++k) {
        EXPECT_EQ(model.color_begin[k] % slot_alignment, 0);
        for (int32_t s = model.color_begin[k]; s < model.color_begin[k + 1]; ++s) color[s] = k;
      }
      const std::span<const int32_t> halo = clusters.halo(c);
      std::set<int32_t> neighbours, owners;
      for (const Tet& t : model.tets) {
        for (const int32_t s : t) {
          if (clusters.cluster_of(s) != c) continue;
          for (const int32_t other : t) {
            const int32_t owner = clusters.cluster_of(other);
            EXPECT_TRUE(owner == c || phase[owner] != phase[c]);
            if (owner != c) neighbours.insert(other);
            if (owner != c) owners.insert(owner);
            const int32_t local = clusters.local(c, other);
            EXPECT_EQ(
                local < clusters.own_count(c) ? clusters.slot_begin[c] + local : halo[local - clusters.own_count(c)],
                other);
          }
        }
      }
      EXPECT_TRUE(std::equal(halo.begin(), halo.end(), neighbours.begin(), neighbours.end()));
      const auto first = clusters.neighbours.begin() + clusters.neighbour_begin[c];
      const auto last = clusters.neighbours.begin() + clusters.neighbour_begin[c + 1];
      EXPECT_TRUE(std::equal(first, last, owners.begin(), owners.end()));
      seen += halo.size();
    }
    EXPECT_EQ(seen > 0, clusters.count() > 1);
    int32_t most_colors = 0;
    for (int32_t c = 0; c < clusters.count(); ++c)
      most_colors = std::max(most_colors, clusters.color_begin[c + 1] - clusters.color_begin[c]);
    EXPECT_EQ(model.color_count, most_colors);
    for (const Tet& t : model.tets) {
      EXPECT_EQ((std::set<int32_t>{color[t[0]], color[t[1]], color[t[2]], color[t[3]]}).size(), 4u);
    }
  }
}

TEST(Model, TetsAreTheUsersByBlock) {
  const Body body = mixed();
  const Model model = body.compile();
  ASSERT_EQ(model.tets.size(), body.mesh.tets.size());
  std::vector<int32_t> seen = model.user_tet;
  std::sort(seen.begin(), seen.end());
  for (size_t e = 0; e < seen.size(); ++e) EXPECT_EQ(seen[e], static_cast<int32_t>(e));
  int32_t next = 0;
  for (size_t b = 0; b < 2; ++b) {
    const ElasticBlock& block = model.blocks[b];
    EXPECT_EQ(block.first_tet, next);
    EXPECT_LT(block.first_tet, block.last_tet);
    EXPECT_EQ(block.material.kind, body.blocks[b].material.kind);
    next = block.last_tet;
    for (int32_t e = block.first_tet; e < block.last_tet; ++e) {
      EXPECT_EQ(body.block_of_tet[model.user_tet[e]], static_cast<int32_t>(b));
      for (int k = 0; k < 4; ++k) {
        EXPECT_EQ(static_cast<int32_t>(model.order.vertex(Slot{model.tets[e][k]})),
                  body.mesh.tets[model.user_tet[e]][k]);
      }
    }
  }
  EXPECT_EQ(next, static_cast<int32_t>(model.tets.size()));
}

// A triangle has the vertices of its mesh and no others, a third of its mass at each, and its own kind.
TEST(Model, TrianglesHaveThreeCorners) {
  const Body body = support::plane_body_of(support::rectangle({7, 5}, {1.4, 1}));
  const Model model = body.compile();
  EXPECT_EQ(model.blocks[0].element, ElementKind::PlaneTriangle);
  EXPECT_EQ(body_of(box({2, 2, 2})).compile().blocks[0].element, ElementKind::Tetrahedron);
  std::set<int32_t> used;
  for (const Tet& t : model.tets) {
    EXPECT_EQ(t[3], no_corner);
    for (const int32_t s : corners_of(t)) used.insert(s);
  }
  EXPECT_EQ(used.size(), body.mesh.vertices.size());
  const auto with_mass = std::count_if(model.mass.begin(), model.mass.end(), [](double m) { return m > 0; });
  EXPECT_EQ(static_cast<size_t>(with_mass), body.mesh.vertices.size());
  double mass = 0;
  for (const double m : model.mass) mass += m;
  EXPECT_NEAR(mass, 1.4 * body.density[0], 1e-12 * mass);
  EXPECT_EQ(user_tets(model), body.mesh.tets);
}

TEST(Model, MassIsAQuarterOfEachTetAndForcesFollowIt) {
  Body body = mixed();
  ModelInput input = body.input();
  for (size_t v = 0; v < body.mesh.vertices.size(); ++v) input.extra_force.push_back({0.5, 0, static_cast<double>(v)});
  const Model model = compile_model(input).value();

  std::vector<double> expected(body.mesh.vertices.size());
  for (size_t e = 0; e < body.mesh.tets.size(); ++e) {
    const Tet& t = body.mesh.tets[e];
    const auto x = [&](int k) { return body.mesh.vertices[t[k]]; };
    const double volume = dot(x(1) - x(0), cross(x(2) - x(0), x(3) - x(0))) / 6;
    for (const int32_t v : t) expected[v] += body.density[body.block_of_tet[e]] * volume / 4;
  }
  const std::vector<double> mass = model.order.to_user(model.mass);
  for (size_t v = 0; v < mass.size(); ++v) {
    EXPECT_NEAR(mass[v], expected[v], 1e-14);
    const Vec3d force =
        model.external_force(static_cast<size_t>(model.order.slot(UserVertex{static_cast<int32_t>(v)})));
    EXPECT_LT(size(force - Vec3d{0.5, -9.8 * expected[v], static_cast<double>(v)}), 1e-12);
  }
  EXPECT_EQ(mass.back(), 0) << "no tet there";
  const State state = rest_state(model);
  EXPECT_EQ(state.x.size(), model.mass.size());
  EXPECT_EQ(size(state.v[3]), 0);
}

// Factors follow the tets; if they are constant in a block, its parameters absorb them.
TEST(Model, StiffnessFactorsAreTheUsersByTet) {
  Body body = mixed();
  support::Random random(7);
  support::vary_stiffness(body, random);
  for (size_t e = 0; e < body.mesh.tets.size(); ++e) {
    if (body.block_of_tet[e] == 1) body.stiffness_factor[e] = 2.5;
  }
  const Model model = body.compile();
  ASSERT_EQ(model.stiffness_factor.size(), model.tets.size());
  for (int b = 0; b < 2; ++b) {
    const double folded = b == 1 ? 2.5 : 1;
    EXPECT_EQ(model.blocks[b].material.lame.mu, folded * body.blocks[b].material.lame.mu);
    EXPECT_EQ(model.blocks[b].material.lame.lambda, folded * body.blocks[b].material.lame.lambda);
    for (int32_t e = model.blocks[b].first_tet; e < model.blocks[b].last_tet; ++e)
      EXPECT_EQ(folded * model.stiffness_factor_of(e), body.stiffness_factor[model.user_tet[e]]);
  }
  EXPECT_EQ(model.mass, mixed().compile().mass) << "stiffness weighs nothing";

  // A factor that is the same everywhere is not stored.
  body.stiffness_factor.assign(body.mesh.tets.size(), 2.0);
  const Model twice = body.compile();
  EXPECT_TRUE(twice.stiffness_factor.empty());
  for (int b = 0; b < 2; ++b) EXPECT_EQ(twice.blocks[b].material.lame.mu, 2 * body.blocks[b].material.lame.mu);
}

TEST(Model, RefusesWhatCannotBeCompiled) {
  const auto refused = [](const Body& body) {
    const Result<Model> model = compile_model(body.input());
    return model.ok() ? std::string("accepted") : model.error().message();
  };
  Body body = body_of(support::one_tet());
  EXPECT_EQ(refused(body), "accepted");
  std::swap(body.mesh.tets[0][0], body.mesh.tets[0][1]);
  EXPECT_NE(refused(body).find("tet 0: volume -0.166667 m^3 is not positive"), std::string::npos) << refused(body);
  body.mesh.tets[0] = {0, 1, 2, 4};
  EXPECT_NE(refused(body).find("vertex 4 is not in 0..3"), std::string::npos) << refused(body);
  body.mesh.tets[0] = {0, 1, 2, -1};
  EXPECT_NE(refused(body).find("vertex -1"), std::string::npos) << refused(body);
  body = body_of(support::one_tet());
  body.mesh.vertices[2].y = std::nan("");
  EXPECT_NE(refused(body).find("volume"), std::string::npos) << refused(body);
  body = body_of(support::one_tet());
  body.block_of_tet = {1};
  EXPECT_NE(refused(body).find("has no material"), std::string::npos) << refused(body);
  for (const double factor : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    body = body_of(support::one_tet());
    body.stiffness_factor = {factor};
    EXPECT_NE(refused(body).find("tet 0: its stiffness factor"), std::string::npos) << refused(body);
  }
}

TEST(Model, AnEmptyMeshIsAModel) {
  const Model model = body_of({}).compile();
  EXPECT_EQ(model.slot_count(), 0);
  EXPECT_EQ(model.color_count, 0);
}

// For every slot the multiset of its tets' other corners is the same in the stream and in the mesh; unused lanes have
// no volume and read existing slots only.
TEST(VertexFrames, HoldEveryCornerOfEveryTetOnce) {
  const Model model = mixed().compile();
  ThreadPool pool(2);
  const Incidence incidence = incidence_of(model.tets, static_cast<size_t>(model.slot_count()));
  for (const int lanes : {1, 2, 4, 8, 16}) {
    for (size_t b = 0; b < 2; ++b) {
      const ElasticBlock& block = model.blocks[b];
      const auto stream = build_vertex_stream<double>(model, block, incidence, VertexLayout::frames, lanes, pool);
      constexpr int numbers = AlignedTetFrame<double>::number_count;
      std::map<std::pair<int32_t, std::set<int32_t>>, double> found;
      for (int32_t batch = 0; batch < model.slot_count() / lanes; ++batch) {
        for (int32_t row = stream.row_begin[batch]; row < stream.row_begin[batch + 1]; ++row) {
          for (int lane = 0; lane < lanes; ++lane) {
            const uint16_t* corner = &stream.corners[static_cast<size_t>(row) * 3 * lanes + lane];
            const std::set<int32_t> others{corner[0], corner[lanes], corner[2 * lanes]};
            EXPECT_GE(*others.begin(), 0);
            EXPECT_LT(*others.rbegin(), model.slot_count());
            const double volume = stream.numbers[(static_cast<size_t>(row) * numbers + numbers - 1) * lanes + lane];
            if (volume == 0) continue;
            EXPECT_TRUE(found.insert({{batch * lanes + lane, others}, volume}).second) << "twice";
          }
        }
      }
      EXPECT_EQ(found.size(), 4u * (block.last_tet - block.first_tet));
      for (int32_t e = block.first_tet; e < block.last_tet; ++e) {
        for (const int32_t s : model.tets[e]) {
          std::set<int32_t> others(model.tets[e].begin(), model.tets[e].end());
          others.erase(s);
          EXPECT_EQ(found.count({s, others}), 1u);
        }
      }
    }
  }
}

// Compared entry by entry with the full strips: the same neighbours and volumes, with weights off by at most 2^-15 of
// the vertex's largest.
TEST(PackedStrips, AreTheStripsInFull) {
  Body body = body_of(make_ball({.shells = 5}).value());
  body.cluster_vertices = 100;
  const Model model = body.compile();
  ThreadPool pool(2);
  const Incidence incidence = incidence_of(model.tets, static_cast<size_t>(model.slot_count()));
  for (const int lanes : {1, 4, 16}) {
    const auto build = [&](VertexLayout layout) {
      return build_vertex_stream<float>(model, model.blocks[0], incidence, layout, lanes, pool);
    };
    const VertexStream<float> full = build(VertexLayout::links), packed = build(VertexLayout::packed);
    ASSERT_EQ(packed.layout, VertexLayout::packed);
    ASSERT_EQ(packed.row_begin, full.row_begin);
    for (int32_t slot = 0; slot < model.slot_count(); ++slot) {
      const int32_t batch = slot / lanes, lane = slot % lanes;
      const auto numbers = [&](int32_t row) { return &full.numbers[static_cast<size_t>(row) * 3 * lanes + lane]; };
      float largest = 0;
      double laplacian = 0;
      for (int32_t row = full.row_begin[batch]; row < full.row_begin[batch + 1]; ++row) {
        largest = std::max(largest, std::abs(numbers(row)[0]));
        laplacian += numbers(row)[0];
      }
      EXPECT_NEAR(full.laplacian[slot], laplacian, 1e-6 * largest);
      EXPECT_EQ(packed.laplacian[slot], full.laplacian[slot]);
      for (int32_t row = full.row_begin[batch]; row < full.row_begin[batch + 1]; ++row) {
        const uint32_t* words = &packed.packed[static_cast<size_t>(row) * 2 * lanes + lane];
        const float k = numbers(row)[0], w = numbers(row)[lanes], w_c = numbers(row)[2 * lanes];
        const float packed_w = bit_cast<float>(words[lanes]);
        EXPECT_EQ(words[0] & 0xffff, full.corners[static_cast<size_t>(row) * lanes + lane]);
        EXPECT_EQ(std::signbit(packed_w), std::signbit(w));
        const double unpacked = static_cast<int32_t>(words[0]) * static_cast<double>(packed.units[slot]);
        EXPECT_NEAR(unpacked, k, std::ldexp(largest, -15) + 1e-20);
        if (w != 0) {
          EXPECT_NEAR(packed_w * packed.units[slot] / w, 1, 1e-6);
          EXPECT_NEAR((words[lanes] & 1 ? -packed.volume_stiffness : packed.volume_stiffness) / w_c, 1, 1e-6);
        } else {
          EXPECT_LT(std::abs(packed_w), 1e-36F);
        }
      }
    }
  }
}

TEST(PackedStrips, GiveWayWhereTheirNumbersWouldLeaveTheRange) {
  ThreadPool pool(1);
  for (const auto& [size, layout] : {std::pair{1e-3, VertexLayout::packed}, {1e-6, VertexLayout::links}}) {
    const Model model = body_of(box({3, 3, 3}, {size, size, size})).compile();
    const Incidence incidence = incidence_of(model.tets, static_cast<size_t>(model.slot_count()));
    const auto layout_of = [&]<class Real>(Real) {
      return build_vertex_stream<Real>(model, model.blocks[0], incidence, VertexLayout::packed, 4, pool).layout;
    };
    EXPECT_EQ(layout_of(float{}), layout);
    EXPECT_EQ(layout_of(double{}), VertexLayout::links);
  }
}

// If factors differ, the weight of a tet's volume does not depend on its size alone.
TEST(PackedStrips, GiveWayWhereStiffnessFactorsDiffer) {
  Body body = body_of(support::together(box({3, 3, 3}), support::one_tet()));
  body.blocks.push_back(body.blocks[0]);
  body.density.push_back(10);
  for (const Tet& t : body.mesh.tets) body.block_of_tet.push_back(t[0] >= 64);
  body.stiffness_factor.assign(body.mesh.tets.size(), 2.0);
  body.stiffness_factor[5] = 3;
  const Model model = body.compile();
  EXPECT_TRUE(model.has_stiffness_factors(model.blocks[0]));
  EXPECT_FALSE(model.has_stiffness_factors(model.blocks[1]));
  ThreadPool pool(1);
  const Incidence incidence = incidence_of(model.tets, static_cast<size_t>(model.slot_count()));
  const auto layout_of = [&](const ElasticBlock& block) {
    return build_vertex_stream<float>(model, block, incidence, VertexLayout::packed, 4, pool).layout;
  };
  EXPECT_EQ(layout_of(model.blocks[0]), VertexLayout::links);
  EXPECT_EQ(layout_of(model.blocks[1]), VertexLayout::packed);
}

// Also for a mesh that is sorted in several chunks, by several threads.
TEST(ConstraintStream, HoldsEveryTetOnceInItsColorInOrder) {
  for (const Body& body : {mixed(), body_of(box({18, 18, 18})), body_of(box({3, 2, 2}), MaterialKind::LinearElastic)}) {
    const Model model = body.compile();
    std::map<Tet, int32_t> index;
    for (size_t e = 0; e < model.tets.size(); ++e) index[model.tets[e]] = static_cast<int32_t>(e);
    const Coloring coloring = color_tets(model.tets, static_cast<size_t>(model.slot_count()), {});
    for (const int lanes : {1, 4, 16}) {
      for (const ElasticBlock& block : model.blocks) {
        ThreadPool one(1), three(3);
        const auto stream = build_constraint_stream<double>(model, block, coloring, model.slot_count(), lanes, one);
        const auto same = build_constraint_stream<double>(model, block, coloring, model.slot_count(), lanes, three);
        EXPECT_EQ(stream.color_begin, same.color_begin);
        EXPECT_EQ(stream.corners, same.corners);
        EXPECT_EQ(stream.frames, same.frames);

        const int numbers = traits_of(block.material.kind).isotropic ? AlignedTetFrame<double>::number_count
                                                                     : FullTetFrame<double>::number_count;
        int32_t found = 0;
        for (int32_t c = 0; c < coloring.count; ++c) {
          int32_t before = -1;
          for (int32_t batch = stream.color_begin[c]; batch < stream.color_begin[c + 1]; ++batch) {
            std::set<int32_t> written;
            for (int lane = 0; lane < lanes; ++lane) {
              const auto corner = [&](int k) {
                return stream.corners[(static_cast<size_t>(batch) * 4 + k) * lanes + lane];
              };
              const Tet t{corner(0), corner(1), corner(2), corner(3)};
              const double volume = stream.frames[(static_cast<size_t>(batch + 1) * numbers - 1) * lanes + lane];
              if (volume == 0) {
                EXPECT_EQ(t, (Tet{t[0], t[0], t[0], t[0]}));
                EXPECT_EQ(t[0], model.slot_count() + lane);
                continue;
              }
              for (const int32_t s : t) EXPECT_TRUE(written.insert(s).second) << "two lanes write one slot";
              const auto e = index.find(t);
              ASSERT_NE(e, index.end());
              EXPECT_EQ(coloring.color[e->second], c);
              EXPECT_LT(before, e->second);
              EXPECT_TRUE(block.first_tet <= e->second && e->second < block.last_tet);
              before = e->second;
              ++found;
            }
          }
        }
        EXPECT_EQ(found, block.last_tet - block.first_tet);
      }
    }
  }
}

}  // namespace
}  // namespace sinew
