#include "model/vertex_ties.h"

#include <algorithm>

namespace sinew {

template <class Real>
VertexTies<Real> build_vertex_ties(const Model& model, int lanes) {
  const Ties& ties = model.ties;
  struct Place {
    int32_t slot, tie, end;
  };
  std::vector<Place> places;
  for (int32_t t = 0; t < ties.count(); ++t)
    for (int32_t j = ties.begin[t]; j < ties.begin[t + 1]; ++j) places.push_back({ties.vertices[j], t, j});
  std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.slot < b.slot; });

  VertexTies<Real> result;
  result.begin.assign(static_cast<size_t>(model.slot_count() / lanes) + 1, 0);
  for (const Place& p : places) {
    const int32_t cluster = model.clusters.cluster_of(p.slot);
    const auto first = static_cast<int32_t>(result.others.size());
    for (int32_t j = ties.begin[p.tie]; j < ties.begin[p.tie + 1]; ++j) {
      if (j == p.end) continue;
      result.others.push_back({static_cast<Real>(ties.weights[j]), model.clusters.local(cluster, ties.vertices[j])});
    }
    result.ends.push_back({ties.laws[p.tie].template as<Real>(), static_cast<Real>(ties.weights[p.end]), p.slot % lanes,
                           first, static_cast<int32_t>(result.others.size())});
    ++result.begin[static_cast<size_t>(p.slot / lanes) + 1];
  }
  for (size_t b = 1; b < result.begin.size(); ++b) result.begin[b] += result.begin[b - 1];
  return result;
}

template VertexTies<float> build_vertex_ties(const Model&, int);
template VertexTies<double> build_vertex_ties(const Model&, int);

}  // namespace sinew
