#include "solver/by_constraint/constraint_residuals.h"

#include "element/tet_frame.h"
#include "model/rest_shape.h"
#include "solver/by_constraint/quadratic_constraint_kernel.h"
#include "solver/by_constraint/strain_constraint.h"
#include "solver/by_constraint/visit_constraints.h"

namespace sinew {
namespace {

// Sum of h_c^2 over a tet's constraints, with multipliers lambda(k); s = V h^2, times the stiffness factor.
template <class Real, template <class> class Material, class At>
double squared_faults(const Material<Real>& material, const Mat3<Real>& f, const At& lambda, double s) {
  double sum = 0;
  if constexpr (has_strain_constraint<Material>) {
    const StrainCompliance<Real> compliance = material.strain_compliance();
    const Sym3<Real> c = green_strain_constraint(f), l = compliance * six_multipliers<Real>(lambda);
    const double over = 1 / (compliance.mu * s);
    const double h[6] = {c.xx + over * l.xx, c.xy + over * l.xy, c.xz + over * l.xz,
                         c.yy + over * l.yy, c.yz + over * l.yz, c.zz + over * l.zz};
    for (const double part : h) sum += part * part;
  } else {
    for_each_index<0, Material<double>::constraint_count>([&](auto k) {
      const Constraint<Real> c = material.template constraint<k>(f);
      if (!(c.stiffness > 0)) return;  // its multiplier is 0
      const double h = c.value + lambda(k) / (c.stiffness * s);
      sum += h * h;
    });
  }
  return sum;
}

}  // namespace

// Constraints are scattered colour by colour, so that the bits are the same for any number of threads.
template <class Real, ConstraintForm form>
void add_residuals_of_tets(const ConstraintBlocks<Real, form>& blocks, const Iterate<Real>& iterate,
                           const PseudoTime<Real>& time, std::vector<Vec3d>& g, double& squares) {
  const StepProblem& problem = time.problem();
  const Model& model = *problem.model;
  ThreadPool& pool = blocks.pool();
  const double h2 = static_cast<double>(time.h2());
  const auto at = [&](int32_t s) {
    const Vec4<Real>& p = iterate.x[static_cast<size_t>(s)];
    return Vec3d{p.x, p.y, p.z};
  };
  for (size_t b = 0; b < blocks.streams().size(); ++b) {
    const ConstraintStream<Real>& stream = blocks.streams()[b];
    const int w = stream.lanes;
    const bool plane = stream.block.plane();
    std::vector<double> of_tet(static_cast<size_t>(stream.batch_count() * w), 0);  // sum of h_c^2 of each tet
    const auto tet = [&]<template <class> class Material>(int64_t batch, int lane) {
      constexpr int count = multiplier_count<Material>;
      const int32_t* corners = &stream.corners[static_cast<size_t>(batch * 4 * w + lane)];
      const int32_t slot[4] = {corners[0], corners[w], corners[2 * w], corners[3 * w]};
      if (slot[0] == slot[1]) return;  // a lane without a tet
      const auto now = [&](int j) { return at(slot[j]) - at(slot[0]); };
      const RestShape<double> rest =
          rest_shape(Tet{slot[0], slot[1], slot[2], plane ? no_corner : slot[3]}, model.rest);
      // In the axes of the sweep's frame, as the multipliers of a strain refer to them.
      double numbers[AlignedTetFrame<double>::number_count];
      AlignedTetFrame<double>::write(rest, numbers);
      const auto frame = AlignedTetFrame<double>::read(numbers, plane);
      const Mat3d f = frame.deformation_gradient(now(1), now(2), now(3));
      const double factor = stream.stiffness_factors.empty()
                                ? 1
                                : static_cast<double>(stream.stiffness_factors[static_cast<size_t>(batch * w + lane)]);
      const auto material = coefficients_of<Material>(stream.block.material).template as<Real>();
      const auto column = [](Vec3d v) {
        return Vec3<Real>{static_cast<Real>(v.x), static_cast<Real>(v.y), static_cast<Real>(v.z)};
      };
      const Mat3<Real> own{column(f.c0), column(f.c1), column(f.c2)};
      const auto lambda = [&](int k) {
        return iterate.multipliers[blocks.first_constraint(b) + static_cast<size_t>((batch * count + k) * w + lane)];
      };
      of_tet[static_cast<size_t>(batch * w + lane)] =
          squared_faults<Real, Material>(material, own, lambda, factor * rest.volume * h2);
      const Mat3<Real> sum = multipliers_times_gradients<Real, Material>(material, own, lambda);
      const auto wide = [](const Vec3<Real>& v) { return Vec3d{v.x, v.y, v.z}; };
      const CornerVectors<double> impulse = frame.times_gradients({wide(sum.c0), wide(sum.c1), wide(sum.c2)});
      for (int j = 0; j < 4; ++j) {
        if (!problem.held[static_cast<size_t>(slot[j])]) g[static_cast<size_t>(slot[j])] -= impulse.at[j];
      }
    };
    for_each_color(pool, stream.color_begin, least_shared / w, [&](int32_t, int64_t first, int64_t last) {
      for (int64_t batch = first; batch < last; ++batch) {
        for (int lane = 0; lane < w; ++lane) {
          visit_constraints<form>(stream.block.material.kind,
                                  [&]<template <class> class M>() { tet.template operator()<M>(batch, lane); });
        }
      }
    });
    squares += ordered_sum<double>(pool, static_cast<int64_t>(of_tet.size()),
                                   [&](int64_t k) { return of_tet[static_cast<size_t>(k)]; });
  }
}

template <class Real>
void add_residuals_of_quadratic_tets(const QuadraticConstraints<Real>& quadratic, size_t first_multiplier,
                                     const Iterate<Real>& iterate, const PseudoTime<Real>& time, ThreadPool& pool,
                                     std::vector<Vec3d>& g, double& squares) {
  using quadratic_constraint_kernel::MeanVolume;
  using quadratic_constraint_kernel::PointWeights;
  const StepProblem& problem = time.problem();
  const double h2 = static_cast<double>(time.h2());
  for (size_t b = 0; b < quadratic.streams().size(); ++b) {
    const QuadraticConstraintStream<Real>& stream = quadratic.streams()[b];
    const int w = stream.lanes;
    std::vector<double> of_tet(static_cast<size_t>(stream.batch_count() * w), 0);  // sum of h_c^2 of each tet
    const auto tet = [&]<template <class> class Material>(int64_t batch, int lane) {
      constexpr int at_each = multiplier_count<Material>, count = quadratic_multiplier_count(at_each);
      const int32_t* const nodes = &stream.nodes[static_cast<size_t>(batch * most_nodes * w + lane)];
      if (nodes[0] == nodes[w]) return;  // a lane without a tet
      const auto at = [&](int n) {
        const Vec4<Real>& p = iterate.x[static_cast<size_t>(nodes[n * w])];
        return Vec3d{p.x, p.y, p.z};
      };
      const auto number = [&](int k) {
        return static_cast<double>(stream.numbers[static_cast<size_t>((batch * stream.number_count + k) * w + lane)]);
      };
      Vec3d corner[4];
      for (int c = 0; c < 3; ++c) corner[c + 1] = {number(3 * c), number(3 * c + 1), number(3 * c + 2)};
      corner[0] = -(corner[1] + corner[2] + corner[3]);
      const auto material = coefficients_of<Material>(stream.points.material).template as<Real>();
      const auto lambda_of = [&](int k) {
        return iterate.multipliers[first_multiplier + quadratic.first_multiplier(b) +
                                   static_cast<size_t>((batch * count + k) * w + lane)];
      };
      const double weight = number(9) * h2 / QuadraticTetrahedron::points;
      double& sum = of_tet[static_cast<size_t>(batch * w + lane)];
      const auto mean = MeanVolume<double>::of(at, corner);
      const double mean_multiplier = lambda_of(count - 1);
      if (stream.points.mean_lambda > 0) {
        const double h = mean.excess + mean_multiplier / (stream.points.mean_lambda * number(9) * h2);
        sum += h * h;
      }
      Vec3d impulse[most_nodes];
      for (int n = 0; n < most_nodes; ++n) impulse[n] = mean_multiplier * mean.derivative.at[n];
      for (int q = 0; q < QuadraticTetrahedron::points; ++q) {
        const auto p = PointWeights<double>::of(q);
        const Mat3d f = p.deformation_gradient(at, corner);
        const auto column = [](Vec3d v) {
          return Vec3<Real>{static_cast<Real>(v.x), static_cast<Real>(v.y), static_cast<Real>(v.z)};
        };
        const Mat3<Real> own{column(f.c0), column(f.c1), column(f.c2)};
        const auto lambda = [&](int k) { return lambda_of(q * at_each + k); };
        sum += squared_faults<Real, Material>(material, own, lambda, weight);
        const Mat3<Real> stress = multipliers_times_gradients<Real, Material>(material, own, lambda);
        const auto wide = [](const Vec3<Real>& v) { return Vec3d{v.x, v.y, v.z}; };
        const auto of_point = p.times_gradients(Mat3d{wide(stress.c0), wide(stress.c1), wide(stress.c2)}, corner);
        for (int n = 0; n < most_nodes; ++n) impulse[n] += of_point.at[n];
      }
      for (int n = 0; n < most_nodes; ++n) {
        const auto slot = static_cast<size_t>(nodes[n * w]);
        if (!problem.held[slot]) g[slot] -= impulse[n];
      }
    };
    for_each_color(pool, stream.color_begin, least_shared / w, [&](int32_t, int64_t first, int64_t last) {
      for (int64_t batch = first; batch < last; ++batch) {
        for (int lane = 0; lane < w; ++lane) {
          visit_constraints<ConstraintForm::of_material>(
              stream.block.material.kind, [&]<template <class> class M>() { tet.template operator()<M>(batch, lane); });
        }
      }
    });
    squares += ordered_sum<double>(pool, static_cast<int64_t>(of_tet.size()),
                                   [&](int64_t k) { return of_tet[static_cast<size_t>(k)]; });
  }
}

template void add_residuals_of_quadratic_tets(const QuadraticConstraints<float>&, size_t, const Iterate<float>&,
                                              const PseudoTime<float>&, ThreadPool&, std::vector<Vec3d>&, double&);
template void add_residuals_of_quadratic_tets(const QuadraticConstraints<double>&, size_t, const Iterate<double>&,
                                              const PseudoTime<double>&, ThreadPool&, std::vector<Vec3d>&, double&);

template void add_residuals_of_tets(const ConstraintBlocks<float, ConstraintForm::of_material>&, const Iterate<float>&,
                                    const PseudoTime<float>&, std::vector<Vec3d>&, double&);
template void add_residuals_of_tets(const ConstraintBlocks<double, ConstraintForm::of_material>&,
                                    const Iterate<double>&, const PseudoTime<double>&, std::vector<Vec3d>&, double&);
template void add_residuals_of_tets(const ConstraintBlocks<float, ConstraintForm::energy_root>&, const Iterate<float>&,
                                    const PseudoTime<float>&, std::vector<Vec3d>&, double&);
template void add_residuals_of_tets(const ConstraintBlocks<double, ConstraintForm::energy_root>&,
                                    const Iterate<double>&, const PseudoTime<double>&, std::vector<Vec3d>&, double&);

}  // namespace sinew
