// Continuous collision detection of pairs that detection by boxes of motion hands over: edges of about unit length that
// move by up to a third of it, everywhere in a cube, kept where the boxes of motion overlap (`boxes`); and of pairs at
// a tenth of an edge from one another (`near`). One thread. ns_per_query: nanoseconds per query; hits: the share that
// is stopped.
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "contact/ccd.h"
#include "register.h"

namespace sinew::bench {
namespace {

constexpr int queries = 1 << 14;
using Query = std::array<MovingPoint, 4>;

class Queries {
 public:
  Queries(size_t first, bool near) : first_(first), near_(near) {
    while (all.size() < queries) add();
  }
  std::vector<Query> all;

 private:
  double number() { return 2 * std::uniform_real_distribution<double>(0, 1)(random_) - 1; }
  double share() { return std::uniform_real_distribution<double>(0, 1)(random_); }
  Vec3d vector(double size) { return {size * number(), size * number(), size * number()}; }

  void add() {
    Query q;
    // Corners of a primitive are near one another.
    const Vec3d centres[2] = {vector(.7), vector(.7)};
    for (size_t k = 0; k < 4; ++k) q[k].from = centres[k < first_ ? 0 : 1] + vector(.5);
    if (near_) {
      const double s = share(), t = share();
      const bool edges = first_ == 2;
      const Vec3d u = edges ? q[1].from - q[0].from : q[2].from - q[1].from, v = q[3].from - q[edges ? 2 : 1].from;
      const Vec3d n = cross(u, v);
      const Vec3d gap = (.1 / std::sqrt(dot(n, n))) * n;
      if (edges) {
        const Vec3d shift = q[2].from + t * v + gap - (q[0].from + s * u);
        q[0].from += shift;
        q[1].from += shift;
      } else {
        q[0].from = q[1].from + (s * t) * u + (s * (1 - t)) * v + gap;
      }
    }
    for (MovingPoint& p : q) p.to = p.from + vector(.2);
    if (near_ || boxes_overlap(q)) all.push_back(q);
  }
  bool boxes_overlap(const Query& q) const {
    for (double Vec3d::*x : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
      double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
      for (size_t k = 0; k < 4; ++k) {
        const size_t side = k < first_ ? 0 : 1;
        low[side] = std::min({low[side], q[k].from.*x, q[k].to.*x});
        high[side] = std::max({high[side], q[k].from.*x, q[k].to.*x});
      }
      if (low[0] > high[1] || low[1] > high[0]) return false;
    }
    return true;
  }

  size_t first_;
  bool near_;
  std::mt19937 random_{1};
};

void time_queries(benchmark::State& state, size_t first, bool near) {
  const Queries made(first, near);
  int64_t hits = 0;
  for (auto _ : state) {
    hits = 0;
    for (const Query& q : made.all) {
      const double t = first == 1 ? safe_time_vertex_triangle(q[0], q[1], q[2], q[3], 1e-4)
                                  : safe_time_edge_edge(q[0], q[1], q[2], q[3], 1e-4);
      hits += t < 1;
    }
    benchmark::DoNotOptimize(hits);
  }
  using benchmark::Counter;
  state.counters["hits"] = static_cast<double>(hits) / queries;
  state.counters["ns_per_query"] = Counter(1e-9 * queries, Counter::kIsIterationInvariantRate | Counter::kInvert);
}

[[maybe_unused]] const bool ccd_registered = [] {
  for (const bool near : {false, true}) {
    const std::string kind = near ? "/near" : "/boxes";
    add("ccd/vertex-triangle" + kind, [near](benchmark::State& state) { time_queries(state, 1, near); });
    add("ccd/edge-edge" + kind, [near](benchmark::State& state) { time_queries(state, 2, near); });
  }
  return true;
}();

}  // namespace
}  // namespace sinew::bench
