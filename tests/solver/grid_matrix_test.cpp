// Newton's matrix on a grid, assembled and as a product, against central differences of the gradient.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "grid/grid_embedding.h"
#include "math/length.h"
#include "mesh/generators.h"
#include "objective/objective.h"
#include "solver/newton/assembly.h"
#include "solver/newton/grid_assembly.h"
#include "solver/newton/grid_operator.h"

namespace sinew {
namespace {

// A box on a grid beside one that is not, shaken; a node is held, and another glides. A fibre and a spring are on the
// grid, and two ties lead from it to the other box, across the order of the slots both ways.
struct Case {
  Model model;
  std::unique_ptr<GridEmbedding> embedding;
  StepProblem problem;
  std::vector<Vec3d> x;
  ThreadPool pool{2};
  std::mt19937 random{5};

  Case() {
    TetMesh mesh = *make_box({.cells = {2, 2, 1}});
    const size_t vertices = mesh.vertices.size(), tets = mesh.tets.size();
    for (size_t v = 0; v < vertices; ++v) mesh.vertices.push_back(mesh.vertices[v] + Vec3d{3, 0, 0});
    for (size_t e = 0; e < tets; ++e) {
      Tet t = mesh.tets[e];
      for (int32_t& v : t) v += static_cast<int32_t>(vertices);
      mesh.tets.push_back(t);
    }
    ModelInput input;
    input.mesh = &mesh;
    input.block_of_tet.assign(tets, 0);
    input.block_of_tet.resize(2 * tets, 1);
    input.blocks.resize(2);
    for (ElasticBlock& block : input.blocks) {
      block.material.kind = MaterialKind::FixedCorotated;
      block.material.lame = {500, 700};
    }
    input.blocks[0].on_grid = true;
    input.density_of_block = {10, 10};
    input.grid_spacing = 0.43;
    input.muscles.resize(1);
    const auto last = static_cast<int32_t>(mesh.vertices.size()) - 1, beside = static_cast<int32_t>(vertices);
    input.ties.add_fibre(mesh.tets[2], mesh.vertices, {1, 0, 0}, 300, 1, 0);
    input.ties.add_spring(0, beside - 1, 40, 0.7);
    input.ties.add_spring(beside - 1, beside, 60, 1.5);
    const std::array<int32_t, 4> ends{last, 0, 1, 2};
    input.ties.add(weak_constraint_law(90), ends, std::array<double, 4>{1, -0.2, -0.3, -0.5});
    model = std::move(*compile_model(input));
    embedding = std::make_unique<GridEmbedding>(model);
    EXPECT_TRUE(embedding->place(model.rest, pool).ok());
    problem.model = &model;
    problem.h = 0.02;
    problem.embedding = embedding.get();
    for (size_t s = 0; s < model.rest.size(); ++s)
      problem.held.push_back(embedding->is_embedded(static_cast<int32_t>(s)) ? carried_by_grid : model.mass[s] == 0);
    x = model.rest;
    for (int32_t i = 0; i < embedding->node_count(); ++i) {
      problem.node_mass.push_back(embedding->mass(i));
      problem.held.push_back(embedding->is_empty(i));
      x.push_back(embedding->position(i));
    }
    problem.x_prev = problem.x_target = x;
    problem.activation = {0.8};
    std::uniform_real_distribution<double> shift(-0.05, 0.05);
    for (Vec3d& p : x) p += Vec3d{shift(random), shift(random), shift(random)};
    carry_vertices(*embedding, x);
    const size_t slots = model.rest.size();
    size_t glides = slots;
    while (problem.held[glides]) ++glides;
    size_t held = glides + 1;
    while (problem.held[held]) ++held;
    problem.held[held] = 1;
    const Vec3d n = (1 / std::sqrt(14.0)) * Vec3d{1, 2, 3};
    Glide glide{static_cast<int32_t>(glides), {}, x[glides]};
    glide.fixed = {n.x * n.x, n.x * n.y, n.x * n.z, n.y * n.y, n.y * n.z, n.z * n.z};
    problem.node_glides = {glide};
  }

  // A direction of which the held part is 0.
  std::vector<Vec3d> free_direction() {
    std::uniform_real_distribution<double> any(-1, 1);
    std::vector<Vec3d> d(problem.unknown_count());
    for (size_t s = 0; s < d.size(); ++s)
      if (!problem.held[s]) d[s] = {any(random), any(random), any(random)};
    keep_free_parts(problem.node_glides, d);
    return d;
  }
};

// The matrix at c.x, both ways.
struct Matrices {
  Assembly of_vertices;
  GridAssembly assembled;
  GridOperator products;

  Matrices(Case& c, Tangent tangent) {
    of_vertices.prepare(c.model, c.pool);
    of_vertices.assemble(c.problem, c.x, tangent, c.pool);
    const BlockMatrix& vertices = of_vertices.block_matrix();
    EXPECT_TRUE(assembled.begin_step(c.problem, vertices.pattern(), c.pool));
    EXPECT_FALSE(assembled.begin_step(c.problem, vertices.pattern(), c.pool)) << "the pattern is kept";
    assembled.assemble(c.problem, vertices, c.pool);
    assembled.block_matrix().hold(c.problem.held, c.problem.node_glides);
    products.begin_step(c.problem, of_vertices.matrix());
    products.assemble(vertices, c.problem.node_glides, c.pool);
  }
};

std::vector<double> flat(const std::vector<Vec3d>& v) {
  std::vector<double> out;
  for (const Vec3d& p : v) out.insert(out.end(), {p.x, p.y, p.z});
  return out;
}

TEST(GridMatrix, IsTheDerivativeOfTheGradient) {
  Case c;
  Matrices m(c, Tangent::exact);
  const Objective objective(c.problem, c.pool);
  for (int k = 0; k < 5; ++k) {
    const std::vector<Vec3d> d = c.free_direction();
    std::vector<Vec3d> way = d, ahead(c.x.size()), behind(c.x.size());
    carry_vertices(*c.embedding, way);
    const double step = 1e-6;
    const auto gradient_at = [&](double t, std::vector<Vec3d>& g) {
      std::vector<Vec3d> y = c.x;
      for (size_t s = 0; s < y.size(); ++s) y[s] += t * way[s];
      objective.gradient(y, g);
    };
    gradient_at(step, ahead);
    gradient_at(-step, behind);
    std::vector<double> by_matrix(3 * c.x.size()), by_product(by_matrix.size());
    multiply(m.assembled.block_matrix().matrix(), flat(d), by_matrix);
    m.products.times(flat(d), by_product, c.pool);
    double scale = 0;
    for (const double v : by_matrix) scale = std::max(scale, std::abs(v));
    for (size_t s = 0; s < c.x.size(); ++s) {
      const Vec3d difference = (0.5 / step) * (ahead[s] - behind[s]);
      EXPECT_LT(length(difference - Vec3d{by_matrix[3 * s], by_matrix[3 * s + 1], by_matrix[3 * s + 2]}), 1e-7 * scale)
          << s;
      for (size_t a = 3 * s; a < 3 * s + 3; ++a) EXPECT_NEAR(by_matrix[a], by_product[a], 1e-13 * scale) << s;
    }
  }
}

// Also raised, and for directions that held and gliding nodes do not permit.
TEST(GridMatrix, IsTheSameAssembledAndAsAProduct) {
  Case c;
  Matrices m(c, Tangent::projected);
  for (const double share : {0.0, 0.3}) {
    m.assembled.block_matrix().regularize(share);
    m.products.regularize(share);
    const VertexPattern& pattern = m.assembled.block_matrix().pattern();
    const auto rows = static_cast<int32_t>(c.x.size());
    std::vector<double> unit(3 * c.x.size()), by_product(unit.size()), by_matrix(unit.size());
    for (int32_t row = 0; row < rows; ++row) {
      const Mat3d expected = m.assembled.block_matrix().block(pattern.begin[static_cast<size_t>(row)]);
      const Sym3<double> block = m.products.diagonal_block(row);
      const double scale = 1e-12 * (1 + std::abs(expected.c0.x));
      const bool carried = c.problem.is_carried(static_cast<size_t>(row));
      EXPECT_NEAR(block.xx, expected.c0.x, scale) << row;
      EXPECT_NEAR(block.xy, expected.c0.y, scale) << row;
      EXPECT_NEAR(block.yz, expected.c1.z, scale) << row;
      EXPECT_NEAR(block.zz, expected.c2.z, scale) << row;
      if (carried) continue;
      for (size_t a = 0; a < 3; ++a) {
        const size_t at = 3 * static_cast<size_t>(row) + a;
        unit[at] = 1;
        multiply(m.assembled.block_matrix().matrix(), unit, by_matrix);
        m.products.times(unit, by_product, c.pool);
        unit[at] = 0;
        for (size_t k = 0; k < unit.size(); ++k)
          ASSERT_NEAR(by_product[k], by_matrix[k], 1e-12 * (1 + std::abs(by_matrix[k]) + std::abs(by_matrix[at])))
              << row << " " << k;
      }
    }
  }
}

}  // namespace
}  // namespace sinew
