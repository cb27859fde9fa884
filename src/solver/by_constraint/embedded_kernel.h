// The sweep by constraint over W tets of one colour whose corners are embedded in a grid (embedded_corners.h).
// Positions are summed and impulses spread tet by tet, four numbers of a node at a time; what lies between is in lanes.
#pragma once

#include "grid/spline.h"
#include "material/coefficients.h"
#include "solver/by_constraint/constraint_kernel.h"
#include "solver/by_constraint/embedded_corners.h"
#include "solver/sweep.h"

namespace sinew::constraint_kernel {

template <class Real>
SINEW_INLINE Lane<Real, 4> load_node(const Vec4<Real>& x) {
  return load<Lane<Real, 4>>(&x.x);
}

// Positions of the corners; those of lanes without a tet are 0.
template <class T>
SINEW_INLINE void read_corners(const EmbeddedTets<ScalarOf<T>>& tets, const Vec4<ScalarOf<T>>* x, const int32_t* corner,
                               Vec3<T> (&xyz)[4]) {
  using Real = ScalarOf<T>;
  using Four = Lane<Real, 4>;
  constexpr int w = lane_count<T>;
  alignas(64) Vec4<Real> at[w];
  for (int j = 0; j < 4; ++j) {
    for (int lane = 0; lane < w; ++lane) {
      const int64_t row = corner[j * w + lane];
      Four sum{}, other{};
      if (row < tets.rows) {
        const int32_t* nodes = tets.nodes + row * spline_nodes;
        const Real* weights = tets.weights + row * spline_nodes;
#pragma GCC unroll 13
        for (int n = 0; n < spline_nodes - 1; n += 2) {
          sum += weights[n] * load_node(x[nodes[n]]);
          other += weights[n + 1] * load_node(x[nodes[n + 1]]);
        }
        sum += weights[spline_nodes - 1] * load_node(x[nodes[spline_nodes - 1]]);
      }
      store<Four>(&at[lane].x, sum + other);
    }
    xyz[j] = load4<T>(at).xyz;
  }
}

// x += w_ip impulse / m, of the corners of all lanes with a tet.
template <class T, bool gliding>
SINEW_INLINE void spread_impulses(const EmbeddedTets<ScalarOf<T>>& tets, Vec4<ScalarOf<T>>* x, const int32_t* corner,
                                  const Vec3<T> (&impulse)[4]) {
  using Real = ScalarOf<T>;
  using Four = Lane<Real, 4>;
  constexpr int w = lane_count<T>;
  alignas(64) Vec4<Real> of[w];
  for (int j = 0; j < 4; ++j) {
    store4<T>(of, {impulse[j], T{}});
    for (int lane = 0; lane < w; ++lane) {
      const int64_t row = corner[j * w + lane];
      if (row >= tets.rows) continue;
      const int32_t* nodes = tets.nodes + row * spline_nodes;
      const Real* weights = tets.weights + row * spline_nodes;
      const Four whole = load_node(of[lane]);
#pragma GCC unroll 9
      for (int n = 0; n < spline_nodes; ++n) {
        Vec4<Real>& node = x[nodes[n]];
        Four push = whole;
        if constexpr (gliding) {
          const Vec4<Real>* fixed = tets.fixed + 3 * int64_t{nodes[n]};
          push -= (whole[0] * load_node(fixed[0]) + whole[1] * load_node(fixed[1])) + whole[2] * load_node(fixed[2]);
        }
        store<Four>(&node.x, load_node(node) + (weights[n] * node.w) * push);
      }
    }
  }
}

template <class T, template <class> class Material, class Rule, class Number>
void sweep_embedded(const typename Rule::Sweep& sweep, int64_t first, int64_t last) {
  using Real = ScalarOf<T>;
  constexpr int w = lane_count<T>;
  constexpr bool gliding = !std::is_same_v<Number, T>;
  const EmbeddedTets<Real>& tets = *sweep.embedded;
  const ConstraintStreamView<Real> stream = view_of(*sweep.block);
  const auto material = coefficients_of<Material>(sweep.block->block.material).template as<T>();
  const T h2 = splat<T>(static_cast<double>(sweep.h2));
  Rule rule(sweep, material);
  for (int64_t batch = first; batch < last; ++batch) {
    const int32_t* corner = stream.corners + batch * 4 * w;
    EmbeddedCorners<T, Number> x;
    read_corners<T>(tets, sweep.x, corner, x.xyz);
    for (int p = 0; p < pairs_of_corners; ++p) {
      if constexpr (gliding) {
        const Real* at = tets.gliding_mobility + (batch * pairs_of_corners + p) * 6 * w;
        x.mobility[p] = {load<T>(at),         load<T>(at + w),     load<T>(at + 2 * w),
                         load<T>(at + 3 * w), load<T>(at + 4 * w), load<T>(at + 5 * w)};
      } else {
        x.mobility[p] = load<T>(tets.mobility + (batch * pairs_of_corners + p) * w);
      }
    }
    for (Vec3<T>& impulse : x.impulse) impulse = Vec3<T>{};
    project_batch<T, Material, true>(rule, material, stream, Batch<T, w>{batch}, h2, x,
                                     [](auto) SINEW_INLINE_LAMBDA {});
    spread_impulses<T, gliding>(tets, sweep.x, corner, x.impulse);
  }
}

// `Rule` of either kind of batch.
template <class T, template <class> class Material, class Rule>
void sweep_on_grid(const typename Rule::Sweep& sweep, int64_t first, int64_t last) {
  if (sweep.embedded->gliding_mobility) {
    sweep_embedded<T, Material, Rule, Sym3<T>>(sweep, first, last);
  } else {
    sweep_embedded<T, Material, Rule, T>(sweep, first, last);
  }
}

}  // namespace sinew::constraint_kernel
