#include "model/quadratic_constraint_stream.h"

#include "exec/counting_sort.h"
#include "model/rest_shape.h"

namespace sinew {

template <class Real>
QuadraticConstraintStream<Real> build_quadratic_constraint_stream(const Model& model, const ElasticBlock& block,
                                                                  const Coloring& coloring, int32_t spare_slot,
                                                                  int lanes, ThreadPool& pool) {
  QuadraticConstraintStream<Real> stream;
  stream.block = block;
  stream.points = PointMaterial::of(block);
  stream.lanes = lanes;
  std::vector<int64_t> begin;
  std::vector<int32_t> by_color;  // tets of the block
  counting_sort(
      pool, block.last_tet - block.first_tet, static_cast<size_t>(coloring.count),
      [&](int64_t k) { return static_cast<size_t>(coloring.color[static_cast<size_t>(block.first_tet + k)]); }, begin,
      by_color);
  stream.color_begin.push_back(0);
  for (size_t c = 0; c + 1 < begin.size(); ++c) {
    const int64_t tets = begin[c + 1] - begin[c];
    stream.color_begin.push_back(stream.color_begin.back() + static_cast<int32_t>((tets + lanes - 1) / lanes));
  }
  constexpr size_t count = QuadraticConstraintStream<Real>::number_count;
  const auto w = static_cast<size_t>(lanes), batches = static_cast<size_t>(stream.batch_count());
  stream.nodes.resize(batches * most_nodes * w);
  stream.numbers.assign(batches * count * w, 0);
  for (size_t row = 0; row < batches * most_nodes; ++row)
    for (size_t lane = 0; lane < w; ++lane) stream.nodes[row * w + lane] = spare_slot + static_cast<int32_t>(lane);
  for (size_t c = 0; c + 1 < begin.size(); ++c) {
    pool.for_each(begin[c + 1] - begin[c], [&](size_t rank) {
      const int32_t e = block.first_tet + by_color[static_cast<size_t>(begin[c]) + rank];
      const size_t batch = static_cast<size_t>(stream.color_begin[c]) + rank / w, lane = rank % w;
      const ElementNodes nodes = model.nodes_of(e);
      for (size_t n = 0; n < most_nodes; ++n) stream.nodes[(batch * most_nodes + n) * w + lane] = nodes[n];
      const ElementShape shape(model.tets[e], model.rest, model.stiffness_factor_of(e));
      Real* const number = &stream.numbers[batch * count * w + lane];
      for (size_t a = 0; a < 3; ++a) {
        const Vec3d g = shape.gradient[a + 1];
        number[3 * a * w] = static_cast<Real>(g.x);
        number[(3 * a + 1) * w] = static_cast<Real>(g.y);
        number[(3 * a + 2) * w] = static_cast<Real>(g.z);
      }
      number[9 * w] = static_cast<Real>(shape.volume);
    });
  }
  return stream;
}

template QuadraticConstraintStream<float> build_quadratic_constraint_stream(const Model&, const ElasticBlock&,
                                                                            const Coloring&, int32_t, int, ThreadPool&);
template QuadraticConstraintStream<double> build_quadratic_constraint_stream(const Model&, const ElasticBlock&,
                                                                             const Coloring&, int32_t, int,
                                                                             ThreadPool&);

}  // namespace sinew
