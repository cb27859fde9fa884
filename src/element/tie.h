// The kinds of ties (tie_law.h), and a tie as it is stored: its kind and its numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "element/every_element.h"
#include "element/tie_law.h"

namespace sinew {

enum class TieKind : int32_t {
#define SINEW_TIE(Type, file) Type,
#include "element/elements.def"
};

inline constexpr int tie_kind_count = 0
#define SINEW_TIE(Type, file) +1
#include "element/elements.def"
    ;

// Calls visitor.template operator()<Law>() with the law of the kind.
template <class Visitor>
SINEW_INLINE decltype(auto) visit_tie(TieKind kind, Visitor&& visitor) {
  switch (kind) {
#define SINEW_TIE(Type, file) \
  case TieKind::Type:         \
    return visitor.template operator()<Type>();
#include "element/elements.def"
  }
  __builtin_unreachable();
}

SINEW_INLINE TieTraits traits_of(TieKind kind) {
  return visit_tie(kind, []<class Law>() { return Law::traits; });
}
inline std::vector<int> used_tie_numbers(TieKind kind) {
  std::vector<int> used;
  for (int k = 0; k < tie_number_count; ++k)
    if (uses_tie_number(visit_tie(kind, []<class Law>() { return Law::uses; }), k)) used.push_back(k);
  return used;
}
template <class Law>
inline constexpr bool has_tie_constraint = requires(const TieNumbers<double>& n) {
  Law::constraint(n, Vec3d{}, 0.0);
};

template <class T>
struct TieLaw : TieNumbers<T> {
  TieKind kind = TieKind::Spring;
  int32_t muscle = 0;  // whose activation it has, if its law says is_muscle

  template <class U>
  TieLaw<U> as() const {
    const Vec3<T>& n = this->normal;
    return {{static_cast<U>(this->stiffness),
             static_cast<U>(this->tangential),
             static_cast<U>(this->rest_length),
             {static_cast<U>(n.x), static_cast<U>(n.y), static_cast<U>(n.z)},
             static_cast<U>(this->damping)},
            kind,
            muscle};
  }
  TieTraits traits() const { return traits_of(kind); }
  // [-] Of this tie's muscle, out of those of all muscles; 0 for a tie that is no muscle.
  SINEW_INLINE T activation(const T* of_muscles) const { return traits_of(kind).is_muscle ? of_muscles[muscle] : T{}; }
};

inline TieLaw<double> spring_law(double stiffness, double rest_length, double damping = 0) {
  return {{.stiffness = stiffness, .rest_length = rest_length, .damping = damping}, TieKind::Spring};
}
inline TieLaw<double> weak_constraint_law(double stiffness) {
  return {{.stiffness = stiffness, .tangential = stiffness}, TieKind::WeakConstraint};
}
inline TieLaw<double> weak_constraint_law(double normal_stiffness, double tangential_stiffness, Vec3d normal) {
  return {{.stiffness = normal_stiffness, .tangential = tangential_stiffness, .normal = normal},
          TieKind::WeakConstraint};
}
// `energy`: k = V sigma_max [J]
inline TieLaw<double> fibre_law(double energy, int32_t muscle) {
  return {{.stiffness = energy}, TieKind::Fibre, muscle};
}

// phi(C) [J]. `activation` [-] is that of a muscle; other ties have none.
template <class T>
SINEW_INLINE T tie_energy(const TieLaw<T>& law, Vec3<T> c, T activation) {
  return visit_tie(law.kind, [&]<class Law>() { return Law::energy(law, c, activation); });
}
// phi'(C) [N]
template <class T>
SINEW_INLINE Vec3<T> tie_gradient(const TieLaw<T>& law, Vec3<T> c, T activation) {
  return visit_tie(law.kind, [&]<class Law>() { return Law::gradient(law, c, activation); });
}
// phi''(C); `projected`: without its negative part.
template <class T>
SINEW_INLINE TieStiffness<T> tie_stiffness(const TieLaw<T>& law, Vec3<T> c, T activation, bool projected) {
  const TieStiffness<T> k = visit_tie(law.kind, [&]<class Law>() { return Law::stiffness(law, c, activation); });
  return projected ? k.projected() : k;
}
// Makes `form` the tie as one constraint, if it has that form; returns false otherwise, and leaves `form` alone.
template <class T>
SINEW_INLINE bool tie_constraint(const TieLaw<T>& law, Vec3<T> c, T activation, TieConstraint<T>& form) {
  return visit_tie(law.kind, [&]<class Law>() SINEW_INLINE_LAMBDA {
    if constexpr (has_tie_constraint<Law>) form = Law::constraint(law, c, activation);
    return has_tie_constraint<Law>;
  });
}
inline bool is_one_constraint(TieKind kind) {
  return visit_tie(kind, []<class Law>() { return has_tie_constraint<Law>; });
}
// No eigenvalue of phi'' is larger, whatever C is.
inline double largest_stiffness(const TieLaw<double>& law) {
  return visit_tie(law.kind, [&]<class Law>() { return Law::largest_stiffness(law); });
}

}  // namespace sinew
