#include "plain.h"

#include <numeric>

#include "math/gradient.h"
#include "math/robust_polar.h"
#include "mesh/space_filling.h"
#include "solver/sweep_solver.h"

namespace sinew::bench {
namespace {

template <class Real>
Vec3<Real> rounded(Vec3d a) {
  return {Real(a.x), Real(a.y), Real(a.z)};
}

// `t` with the model's slots, `own` with the plain code's vertices.
template <class Real>
PlainTet<Real> plain_tet(const Model& model, const Tet& t, const Tet& own) {
  const auto edge = [&](int k) { return model.rest[t[k]] - model.rest[t[0]]; };
  const Mat3d edges{edge(1), edge(2), edge(3)};
  const double det = determinant(edges);
  const Mat3d rows = (1 / det) * cofactor(edges);  // columns: g_1, g_2, g_3
  PlainTet<Real> p{};
  p.volume = Real(det / 6);
  const Vec3d g[3] = {rows.c0, rows.c1, rows.c2};
  for (int k = 0; k < 3; ++k) {
    p.inverse[k][0] = Real(g[k].x);
    p.inverse[k][1] = Real(g[k].y);
    p.inverse[k][2] = Real(g[k].z);
  }
  for (int k = 0; k < 4; ++k) p.vertex[k] = own[k];
  return p;
}

// F = [x1 - x0, x2 - x0, x3 - x0] inverse
template <class Real>
Mat3<Real> deformation_gradient(const PlainTet<Real>& t, const std::vector<Vec3<Real>>& x) {
  const Vec3<Real> x0 = x[t.vertex[0]];
  const Vec3<Real> a = x[t.vertex[1]] - x0, b = x[t.vertex[2]] - x0, c = x[t.vertex[3]] - x0;
  return {t.inverse[0][0] * a + t.inverse[1][0] * b + t.inverse[2][0] * c,
          t.inverse[0][1] * a + t.inverse[1][1] * b + t.inverse[2][1] * c,
          t.inverse[0][2] * a + t.inverse[1][2] * b + t.inverse[2][2] * c};
}

template <class Real>
Vec3<Real> gradient(const PlainTet<Real>& t, int corner) {
  const auto row = [&](int k) { return Vec3<Real>{t.inverse[k][0], t.inverse[k][1], t.inverse[k][2]}; };
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

template <class Real>
PlainNeoHookean<Real>::PlainNeoHookean(Lame lame)
    : mu(Real(lame.mu)), lambda_hat(Real(lame.lambda + lame.mu)), gamma(Real(1 + lame.mu / (lame.lambda + lame.mu))) {}

template <class Real>
void PlainNeoHookean<Real>::add(const Mat3<Real>& f, Vec3<Real> g, Real volume, Vec3<Real>& force,
                                Sym3<Real>& block) const {
  const Mat3<Real> cof = cofactor(f);
  const Real j = dot(f.c0, cof.c0);
  const Mat3<Real> stress = mu * f + (lambda_hat * (j - gamma)) * cof;
  force -= volume * (stress * g);
  add_identity(block, volume * mu * dot(g, g));
  add_outer(block, volume * lambda_hat, cof * g);
}

template <class Real>
PlainFixedCorotated<Real>::PlainFixedCorotated(Lame lame) : mu(Real(lame.mu)), lambda(Real(lame.lambda)) {}

template <class Real>
void PlainFixedCorotated<Real>::add(const Mat3<Real>& f, Vec3<Real> g, Real volume, Vec3<Real>& force,
                                    Sym3<Real>& block) const {
  const Real two_mu = mu + mu;
  const auto [r, compliance] = robust_polar_decomposition(f);
  const Mat3<Real> cof = cofactor(f);
  const Mat3<Real> stress = two_mu * (f - r) + (lambda * (dot(f.c0, cof.c0) - Real(1))) * cof;
  force -= volume * (stress * g);
  // 2 mu |g|^2 1 + lambda c c^T - 2 mu M (tr(S) 1 - S)^-1 M^T (material/fixed_corotated.h), M by its rows.
  const Mat3<Real> m = transpose(r * rotations_of(g));
  const Vec3<Real> x = compliance * m.c0, y = compliance * m.c1, z = compliance * m.c2;
  const Sym3<Real> turning{dot(m.c0, x), dot(m.c0, y), dot(m.c0, z), dot(m.c1, y), dot(m.c1, z), dot(m.c2, z)};
  block = block + (-(volume * two_mu)) * turning;
  add_identity(block, volume * two_mu * dot(g, g));
  add_outer(block, volume * lambda, cof * g);
}

template <class Real, template <class> class Material>
PlainVbd<Real, Material>::PlainVbd(const StepProblem& problem)
    : order_(*problem.model), material_(problem.model->blocks[0].material.lame) {
  const Model& model = *problem.model;
  tets_.reserve(model.tets.size());
  for (size_t e = 0; e < model.tets.size(); ++e) {
    tets_.push_back(plain_tet<Real>(model, model.tets[e], order_.tets[e]));
  }
  incidence_ = incidence_of(order_.tets, order_.slots.size());
  order_.tets = {};
  for (const int32_t s : order_.slots) {
    x_.push_back(rounded<Real>(problem.x_start[s]));
    target_.push_back(rounded<Real>(problem.x_target[s]));
    inertia_.push_back(Real(problem.held[s] ? 0 : model.mass[s] * problem.inverse_h2()));
  }
}

template <class Real, template <class> class Material>
void PlainVbd<Real, Material>::vertex(int32_t i) {
  const Real inertia = inertia_[i], o{};
  if (inertia == o) return;
  Vec3<Real> force = inertia * (target_[i] - x_[i]);
  Sym3<Real> h{inertia, o, o, inertia, o, inertia};
  for (int64_t k = incidence_.begin[i]; k < incidence_.begin[i + 1]; ++k) {
    const PlainTet<Real>& t = tets_[incidence_.entries[k] >> 2];
    const Mat3<Real> f = deformation_gradient(t, x_);
    material_.add(f, gradient(t, static_cast<int>(incidence_.entries[k] & 3)), t.volume, force, h);
  }
  const Sym3<Real> c = adjugate(h);
  x_[i] += (Real(1) / determinant(h, c)) * (c * force);
}

template <class Real, template <class> class Material>
void PlainVbd<Real, Material>::sweep(ThreadPool& pool) {
  for_each_color(pool, order_.color_begin, least_shared, [&](int32_t, int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) vertex(static_cast<int32_t>(i));
  });
}

template <class Real, template <class> class Material>
size_t PlainVbd<Real, Material>::bytes() const {
  return tets_.size() * sizeof(PlainTet<Real>) + incidence_.entries.size() * sizeof(uint32_t) +
         incidence_.begin.size() * sizeof(int64_t) + x_.size() * (2 * sizeof(Vec3<Real>) + sizeof(Real));
}

template <class Real>
PlainXpbd<Real>::PlainXpbd(const StepProblem& problem)
    : order_(*problem.model), material_(problem.model->blocks[0].material.lame), h2_(Real(problem.h * problem.h)) {
  const Model& model = *problem.model;
  std::vector<int32_t> visit(model.tets.size());
  for (size_t e = 0; e < visit.size(); ++e) visit[model.user_tet[e]] = static_cast<int32_t>(e);
  const Coloring coloring = color_tets(model.tets, model.mass.size(), visit);
  std::vector<std::vector<int32_t>> by_color(static_cast<size_t>(coloring.count));
  for (size_t e = 0; e < model.tets.size(); ++e) by_color[coloring.color[e]].push_back(static_cast<int32_t>(e));
  color_begin_.push_back(0);
  tets_.reserve(model.tets.size());
  for (const std::vector<int32_t>& tets : by_color) {
    for (const int32_t e : tets) tets_.push_back(plain_tet<Real>(model, model.tets[e], order_.tets[e]));
    color_begin_.push_back(static_cast<int32_t>(tets_.size()));
  }
  order_.tets = {};
  multipliers_.assign(2 * tets_.size(), Real{});
  for (const int32_t s : order_.slots) {
    x_.push_back(rounded<Real>(problem.held[s] ? problem.x_start[s] : problem.x_target[s]));
    inverse_mass_.push_back(Real(problem.held[s] ? 0 : 1 / model.mass[s]));
  }
}

template <class Real>
void PlainXpbd<Real>::tet(int32_t e) {
  const PlainTet<Real>& t = tets_[e];
  for (int constraint = 0; constraint < 2; ++constraint) {
    const Mat3<Real> f = deformation_gradient(t, x_);
    Real value, stiffness;
    Mat3<Real> derivative;
    if (constraint == 0) {
      value = sqrt(contract(f, f));
      derivative = (Real(1) / value) * f;
      stiffness = material_.mu;
    } else {
      derivative = cofactor(f);
      value = dot(f.c0, derivative.c0) - material_.gamma;
      stiffness = material_.lambda_hat;
    }
    const Real compliance = Real(1) / (stiffness * t.volume * h2_);
    Vec3<Real> g[4];
    Real weight = compliance;
    for (int k = 0; k < 4; ++k) {
      g[k] = derivative * gradient(t, k);
      weight += inverse_mass_[t.vertex[k]] * dot(g[k], g[k]);
    }
    Real& multiplier = multipliers_[2 * static_cast<size_t>(e) + constraint];
    const Real change = -(value + compliance * multiplier) / weight;
    multiplier += change;
    for (int k = 0; k < 4; ++k) x_[t.vertex[k]] += (inverse_mass_[t.vertex[k]] * change) * g[k];
  }
}

template <class Real>
void PlainXpbd<Real>::sweep(ThreadPool& pool) {
  for_each_color(pool, color_begin_, least_shared, [&](int32_t, int64_t first, int64_t last) {
    for (int64_t e = first; e < last; ++e) tet(static_cast<int32_t>(e));
  });
}

template <class Real>
size_t PlainXpbd<Real>::bytes() const {
  return tets_.size() * (sizeof(PlainTet<Real>) + 2 * sizeof(Real)) + x_.size() * (sizeof(Vec3<Real>) + sizeof(Real));
}

template class PlainVbd<float, PlainNeoHookean>;
template class PlainVbd<Counted, PlainNeoHookean>;
template class PlainVbd<float, PlainFixedCorotated>;
template class PlainVbd<Counted, PlainFixedCorotated>;
template class PlainXpbd<float>;
template class PlainXpbd<Counted>;

}  // namespace sinew::bench
