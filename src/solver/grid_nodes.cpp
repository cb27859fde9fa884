#include "solver/grid_nodes.h"

#include "grid/grid_embedding.h"
#include "grid/mobility.h"

namespace sinew {

template <class Real>
EmbeddedVertex<Real> embedded_vertex(const GridEmbedding& embedding, int32_t row) {
  const Spline& spline = embedding.spline(row);
  EmbeddedVertex<Real> v;
  for (int c = 0; c < spline_columns; ++c) {
    v.columns[c] = embedding.columns(row)[static_cast<size_t>(c)];
    v.across[c] = static_cast<Real>(spline.across(c));
  }
  for (size_t k = 0; k < 3; ++k) v.along[k] = static_cast<Real>(spline.along[2][k]);
  return v;
}

template <class Real>
double GridNodes<Real>::mobility(std::span<const int32_t> rows, std::span<const double> weights) const {
  double sum = 0;
  for (size_t j = 0; j < rows.size(); ++j) {
    const PushedNodes<1> nodes = pushed_nodes(*embedding, rows[j], inverse_mass);
    for (size_t k = 0; k < rows.size(); ++k)
      sum += weights[j] * weights[k] * nodes.at(PaddedSpline(embedding->spline(rows[k])))[0];
  }
  return sum;
}

template EmbeddedVertex<float> embedded_vertex(const GridEmbedding&, int32_t);
template EmbeddedVertex<double> embedded_vertex(const GridEmbedding&, int32_t);
template struct GridNodes<float>;
template struct GridNodes<double>;

}  // namespace sinew
