// What every material offers. A material is a struct of its coefficients, templated on a lane type T: double, float or
// lanes of them, but for Moduli and Forms. It has
//
//   name, summary            how a scene calls it, and a line for the reference page
//   isotropic                psi(F Q) = psi(F) for rotations Q: the rest frame of an element may be rotated
//   rotation_invariant       psi(Q F) = psi(F)
//   zero_at_rest             psi(1) = 0, and so are the constraints there
//   softens                  optional: its force falls under compression
//   links                    optional: sweeps by vertex may store it as links, for whose formula see
//                            model/vertex_stream.h
//   Moduli                   a struct of doubles [Pa] that determines it and that energy and stress are proportional
//                            to, with lame(), the tangent at rest, and of(lame), moduli with that tangent at rest, for
//                            every lame of positive shear and bulk modulus, in which each has a share, since tests use
//                            them; and with_lambda(lambda), the same but for lambda
//   Forms                    a FormList of what a scene may give for the moduli. A form is a struct of doubles with
//                            their defaults, parameters(), its table (base/parameters.h), moduli(), and, where
//                            parameters limit each other, fault(): {the parameter, what is wrong, what to do}, an
//                            Error without `what` if nothing is wrong
//   from(moduli, dimension)  the coefficients. At rest it is free of stress, with the tangent lame(); `dimension` is 2
//                            where F = [F2 0; 0 1]
//   as<U>()                  the same coefficients in another lane type
//   energy(F)                psi [J/m^3]
//   stress(F)                P = d psi / dF, first Piola-Kirchhoff [Pa]
//   stress_differential(F,D) (d2 psi / dF2) : D [Pa]
//   vertex(F, g)             P g and the vertex's own stiffness block, both per rest volume; g is a Vec3 and, if the
//                            material is isotropic, also an AxisGradient: math/gradient.h has what serves both
//   stiffer_block(F, g)      optional: what PBNG takes for the stiffness block, where it is not the one at the end of
//                            this file
//   by_stretch               optional: the vertex's part follows from the stretch of F. Its solution is one chain of
//                            dependent operations, so a sweep solves for many stretches at once (math/polar.h) before
//                            it calls add_vertex(volume, F, g, F F^T, stretch, sums)
//   surrogate(F)             a SurrogateTangent: positive semi-definite, and cheap to invert
//   principal(s)             of isotropic materials: a PrincipalTangent, the tangent in the frame of the principal
//                            stretches
//   constraint_count         number of scalar constraints C_k with psi = sum_k stiffness_k C_k^2 / 2 + const, or 0
//   constraint<k>(F)         C_k, dC_k/dF and stiffness_k
//   constraint_form<k>(F)    optional: the same as a RootConstraint or a VolumeConstraint, less work for the sweep
//   surrogate_bounds_tangent  optional: no direction has a stiffer tangent than the surrogate
//   visit_formula(visitor)   optional: calls visitor.operator()<F>() with the template whose kernels compute it, where
//                            several materials have the same formula; it has the same coefficients
//   strain_compliance()      optional, in place of these: psi = C^T K C / 2 with the Green strain for C, one
//                            constraint of six numbers; a StrainCompliance
//
// It never sees the time step, the mesh or the solver. `materials.def` lists them all; the build writes the header that
// includes each (cmake/list_headers.cmake).
#pragma once

#include "material/lame.h"
#include "math/gradient.h"
#include "math/lane.h"
#include "math/vec.h"

namespace sinew {

// Sets of parameters, of which a scene gives one.
template <class... Form>
struct FormList {};

// Per rest volume: P g, and K_ii = sum_ce H[(a,c),(b,e)] g_c g_e. The force on the vertex is -V P g.
template <class T>
struct VertexResponse {
  Vec3<T> stress_times_gradient;
  Sym3<T> stiffness;
};

// The same of elements with their volumes, added up; the stiffness but for `identity` times 1.
template <class T>
struct VertexSums {
  Vec3<T> stress_times_gradient{};
  Sym3<T> stiffness{};
  T identity{};
};

// The tangent in the frame of the signed SVD, F = U diag(s) V^T. For pairs (i, j) the third index is k, and entries are
// stored at k: twist[k] belongs to the mode U (e_i e_j^T - e_j e_i^T) V^T / sqrt 2, flip[k] to the sum.
template <class T>
struct PrincipalTangent {
  Sym3<T> scaling;  // d2 psi / ds_i ds_j
  Vec3<T> twist;    // (psi_i + psi_j) / (s_i + s_j)
  Vec3<T> flip;     // (psi_i - psi_j) / (s_i - s_j)
};

// H~ : D = all D + along (W : D) W with all, along >= 0 [Pa]: by Sherman & Morrison as cheap to invert as a number.
// All have H~ : D = 2 mu D + lambda tr(D) 1 at rest, the tangent of symmetric D, and more than that of others. It lacks
// the part of the tangent that may be indefinite (Chen et al. 2024, PXPBD, eqs. 48-52).
template <class T>
struct SurrogateTangent {
  T all, along;
  Mat3<T> direction;  // W
};

template <class T>
struct Constraint {
  T value;           // C
  Mat3<T> gradient;  // dC/dF
  T stiffness;       // [Pa]; the compliance of an element is 1 / (stiffness V)
};

// K^-1 of psi = C^T K C/2, C = (E_xx, 2 E_xy, 2 E_xz, E_yy, 2 E_yz, E_zz), E = (F^T F - 1)/2, for isotropic K:
//   (K^-1 S)_aa = (S_aa - share tr S)/(2 mu),   (K^-1 S)_ab = S_ab/mu
template <class T>
struct StrainCompliance {
  T mu;     // [Pa]
  T share;  // lambda/(3 lambda + 2 mu)
};
template <template <class> class Material>
inline constexpr bool has_strain_constraint = requires(const Material<double>& m) {
  m.strain_compliance();
};
// Numbers that a tet's constraints of either form have for multipliers.
template <template <class> class Material>
inline constexpr int multiplier_count = has_strain_constraint<Material> ? 6 : Material<double>::constraint_count;

// Constraints that take less work than in the general form, into which `expanded` brings them.
// C = sqrt(square), dC/dF = half_derivative / C: without that division.
template <class T>
struct RootConstraint {
  T square;
  Mat3<T> half_derivative;  // d(square)/dF / 2
  T stiffness;              // [Pa]
};
// C = J - rest, dC/dF = cof F: without F, as its gradients at the corners of a tet are the normals of the faces.
template <class T>
struct VolumeConstraint {
  T rest;
  T stiffness;  // [Pa]
};

template <class T>
SINEW_INLINE Constraint<T> expanded(const RootConstraint<T>& c, Mat3<T>) {
  const T root = sqrt(c.square), zero = T{}, one = splat<T>(1);
  const auto usable = root > splat<T>(1e-20);
  return {root, (select(usable, one, zero) / select(usable, root, one)) * c.half_derivative, c.stiffness};
}
template <class T>
SINEW_INLINE Constraint<T> expanded(const VolumeConstraint<T>& c, Mat3<T> f) {
  const Mat3<T> cof = cofactor(f);
  return {dot(f.c0, cof.c0) - c.rest, cof, c.stiffness};
}

// The volume term k/2 (J - rest)^2 contributes the same to every material that has one.
template <class T>
SINEW_INLINE void add_volume_term(PrincipalTangent<T>& t, Vec3<T> s, T k, T p) {
  const Vec3<T> q{s.y * s.z, s.x * s.z, s.x * s.y};  // dJ/ds
  add_outer(t.scaling, k, q);
  t.scaling.xy += p * s.z;
  t.scaling.xz += p * s.y;
  t.scaling.yz += p * s.x;
  t.twist += p * s;
  t.flip -= p * s;
}

// PBNG's stiffness block of a vertex per rest volume (Chen et al. 2023, eqs. 49, 59), from the physical Lame
// parameters:
//   2 mu |g|^2 1 + lambda c c^T,  c = cof(F) g.
// Always positive definite. For fixed corotated it is never less than the exact block, so that a vertex's step never
// overshoots; of other materials it is a bound near the rest state only. Linear elasticity has its volume at F = 1.
template <class T, template <class> class Material, class Gradient>
SINEW_INLINE Sym3<T> stiffer_block(const Material<T>& material, const Lame& lame, const Mat3<T>& f, Gradient g) {
  if constexpr (requires { material.stiffer_block(f, g); }) return material.stiffer_block(f, g);
  Sym3<T> block{};
  add_identity(block, splat<T>(2 * lame.mu) * norm_squared(g));
  if constexpr (Material<double>::rotation_invariant) {
    add_outer(block, splat<T>(lame.lambda), volume_gradient(f, g).c);
  } else {
    add_outer(block, splat<T>(lame.lambda), g);
  }
  return block;
}

}  // namespace sinew
