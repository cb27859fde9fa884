#include "plain.h"

#include <cmath>
#include <numeric>

#include "mesh/space_filling.h"

#include "solver/sweep_solver.h"

namespace sinew::bench {
namespace {

Vec3f single(Vec3d a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}

// `t` with the model's slots, `own` with the plain code's vertices.
PlainTet plain_tet(const Model& model, const Tet& t, const Tet& own) {
  const auto edge = [&](int k) { return model.rest[t[k]] - model.rest[t[0]]; };
  const Mat3d edges{edge(1), edge(2), edge(3)};
  const double det = determinant(edges);
  const Mat3d rows = (1 / det) * cofactor(edges);  // columns: g_1, g_2, g_3
  PlainTet p{};
  p.volume = static_cast<float>(det / 6);
  const Vec3d g[3] = {rows.c0, rows.c1, rows.c2};
  for (int k = 0; k < 3; ++k) {
    const Vec3f s = single(g[k]);
    p.inverse[k][0] = s.x;
    p.inverse[k][1] = s.y;
    p.inverse[k][2] = s.z;
  }
  for (int k = 0; k < 4; ++k) p.vertex[k] = own[k];
  return p;
}

// F = [x1 - x0, x2 - x0, x3 - x0] inverse
Mat3<float> deformation_gradient(const PlainTet& t, const std::vector<Vec3f>& x) {
  const Vec3f x0 = x[t.vertex[0]];
  const Vec3f a = x[t.vertex[1]] - x0, b = x[t.vertex[2]] - x0, c = x[t.vertex[3]] - x0;
  return {t.inverse[0][0] * a + t.inverse[1][0] * b + t.inverse[2][0] * c,
          t.inverse[0][1] * a + t.inverse[1][1] * b + t.inverse[2][1] * c,
          t.inverse[0][2] * a + t.inverse[1][2] * b + t.inverse[2][2] * c};
}

Vec3f gradient(const PlainTet& t, int corner) {
  const auto row = [&](int k) { return Vec3f{t.inverse[k][0], t.inverse[k][1], t.inverse[k][2]}; };
  return corner > 0 ? row(corner - 1) : -(row(0) + row(1) + row(2));
}

}  // namespace

PlainOrder::PlainOrder(const Model& model) : tets(model.tets) {
  if (model.clusters.count() <= 1) {
    slots.resize(model.mass.size());
    std::iota(slots.begin(), slots.end(), 0);
    color_begin = model.color_begin;
    return;
  }
  std::vector<int32_t> curve = space_filling_order(model.rest);
  std::erase_if(curve, [&](int32_t s) { return model.order.is_padding(Slot{s}); });
  const Coloring coloring = color_vertices(model.tets, incidence_of(model.tets, model.mass.size()), curve);
  std::vector<int32_t> own(model.mass.size());
  for (int32_t c = 0; c < coloring.count; ++c) {
    for (const int32_t s : curve) {
      if (coloring.color[s] != c) continue;
      own[s] = static_cast<int32_t>(slots.size());
      slots.push_back(s);
    }
    color_begin.push_back(static_cast<int32_t>(slots.size()));
  }
  for (Tet& t : tets) {
    for (int32_t& v : t) v = own[v];
  }
}

PlainVbd::PlainVbd(const StepProblem& problem) : order_(*problem.model) {
  const Model& model = *problem.model;
  const Lame lame = model.blocks[0].lame;
  mu_ = static_cast<float>(lame.mu);
  lambda_hat_ = static_cast<float>(lame.lambda + lame.mu);
  gamma_ = 1 + mu_ / lambda_hat_;
  for (size_t e = 0; e < model.tets.size(); ++e) tets_.push_back(plain_tet(model, model.tets[e], order_.tets[e]));
  incidence_ = incidence_of(order_.tets, order_.slots.size());
  for (const int32_t s : order_.slots) {
    x_.push_back(single(problem.x_start[s]));
    target_.push_back(single(problem.x_target[s]));
    inertia_.push_back(problem.held[s] ? 0 : static_cast<float>(model.mass[s] * problem.inverse_h2()));
  }
}

void PlainVbd::vertex(int32_t i) {
  const float inertia = inertia_[i];
  if (inertia == 0) return;
  Vec3f force = inertia * (target_[i] - x_[i]);
  Sym3<float> h{inertia, 0, 0, inertia, 0, inertia};
  for (int64_t k = incidence_.begin[i]; k < incidence_.begin[i + 1]; ++k) {
    const PlainTet& t = tets_[incidence_.entries[k] >> 2];
    const Mat3<float> f = deformation_gradient(t, x_);
    const Mat3<float> cof = cofactor(f);
    const float j = dot(f.c0, cof.c0);
    const Mat3<float> stress = mu_ * f + (lambda_hat_ * (j - gamma_)) * cof;
    const Vec3f g = gradient(t, static_cast<int>(incidence_.entries[k] & 3));
    force -= t.volume * (stress * g);
    add_identity(h, t.volume * mu_ * dot(g, g));
    add_outer(h, t.volume * lambda_hat_, cof * g);
  }
  const float cxx = h.yy * h.zz - h.yz * h.yz, cxy = h.xz * h.yz - h.xy * h.zz, cxz = h.xy * h.yz - h.xz * h.yy;
  const float cyy = h.xx * h.zz - h.xz * h.xz, cyz = h.xy * h.xz - h.xx * h.yz, czz = h.xx * h.yy - h.xy * h.xy;
  const float inverse = 1 / (h.xx * cxx + h.xy * cxy + h.xz * cxz);
  x_[i] += inverse * Vec3f{cxx * force.x + cxy * force.y + cxz * force.z, cxy * force.x + cyy * force.y + cyz * force.z,
                           cxz * force.x + cyz * force.y + czz * force.z};
}

void PlainVbd::sweep(ThreadPool& pool) {
  for_each_color(pool, order_.color_begin, true, [&](int32_t, int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) vertex(static_cast<int32_t>(i));
  });
}

size_t PlainVbd::bytes() const {
  return tets_.size() * sizeof(PlainTet) + incidence_.entries.size() * sizeof(uint32_t) +
         incidence_.begin.size() * sizeof(int64_t) + x_.size() * (2 * sizeof(Vec3f) + sizeof(float));
}

PlainXpbd::PlainXpbd(const StepProblem& problem) : order_(*problem.model) {
  const Model& model = *problem.model;
  const Lame lame = model.blocks[0].lame;
  mu_ = static_cast<float>(lame.mu);
  lambda_hat_ = static_cast<float>(lame.lambda + lame.mu);
  gamma_ = 1 + mu_ / lambda_hat_;
  h2_ = static_cast<float>(problem.h * problem.h);
  std::vector<int32_t> visit(model.tets.size());
  for (size_t e = 0; e < visit.size(); ++e) visit[model.user_tet[e]] = static_cast<int32_t>(e);
  const Coloring coloring = color_tets(model.tets, model.mass.size(), visit);
  std::vector<std::vector<int32_t>> by_color(static_cast<size_t>(coloring.count));
  for (size_t e = 0; e < model.tets.size(); ++e) by_color[coloring.color[e]].push_back(static_cast<int32_t>(e));
  color_begin_.push_back(0);
  for (const std::vector<int32_t>& tets : by_color) {
    for (const int32_t e : tets) tets_.push_back(plain_tet(model, model.tets[e], order_.tets[e]));
    color_begin_.push_back(static_cast<int32_t>(tets_.size()));
  }
  multipliers_.assign(2 * tets_.size(), 0);
  for (const int32_t s : order_.slots) {
    x_.push_back(single(problem.held[s] ? problem.x_start[s] : problem.x_target[s]));
    inverse_mass_.push_back(problem.held[s] ? 0 : static_cast<float>(1 / model.mass[s]));
  }
}

void PlainXpbd::tet(int32_t e) {
  const PlainTet& t = tets_[e];
  for (int constraint = 0; constraint < 2; ++constraint) {
    const Mat3<float> f = deformation_gradient(t, x_);
    float value, stiffness;
    Mat3<float> derivative;
    if (constraint == 0) {
      value = std::sqrt(contract(f, f));
      derivative = (1 / value) * f;
      stiffness = mu_;
    } else {
      derivative = cofactor(f);
      value = dot(f.c0, derivative.c0) - gamma_;
      stiffness = lambda_hat_;
    }
    const float compliance = 1 / (stiffness * t.volume * h2_);
    Vec3f g[4];
    float weight = compliance;
    for (int k = 0; k < 4; ++k) {
      g[k] = derivative * gradient(t, k);
      weight += inverse_mass_[t.vertex[k]] * dot(g[k], g[k]);
    }
    float& multiplier = multipliers_[2 * static_cast<size_t>(e) + constraint];
    const float change = -(value + compliance * multiplier) / weight;
    multiplier += change;
    for (int k = 0; k < 4; ++k) x_[t.vertex[k]] += (inverse_mass_[t.vertex[k]] * change) * g[k];
  }
}

void PlainXpbd::sweep(ThreadPool& pool) {
  for_each_color(pool, color_begin_, true, [&](int32_t, int64_t first, int64_t last) {
    for (int64_t e = first; e < last; ++e) tet(static_cast<int32_t>(e));
  });
}

size_t PlainXpbd::bytes() const {
  return tets_.size() * (sizeof(PlainTet) + 2 * sizeof(float)) + x_.size() * (sizeof(Vec3f) + sizeof(float));
}

}  // namespace sinew::bench
