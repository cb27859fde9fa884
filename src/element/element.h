// The kinds of solid elements (solid_element.h).
#pragma once

#include <cstdint>

#include "element/every_element.h"
#include "element/solid_element.h"

namespace sinew {

enum class ElementKind : int32_t {
#define SINEW_ELEMENT(Type, file) Type,
#include "element/elements.def"
};

// Calls visitor.template operator()<Element>() with the type of the kind.
template <class Visitor>
SINEW_INLINE decltype(auto) visit_element(ElementKind kind, Visitor&& visitor) {
  switch (kind) {
#define SINEW_ELEMENT(Type, file) \
  case ElementKind::Type:         \
    return visitor.template operator()<Type>();
#include "element/elements.def"
  }
  __builtin_unreachable();
}

SINEW_INLINE ElementTraits traits_of(ElementKind kind) {
  return visit_element(kind, []<class Element>() { return Element::traits; });
}
// x: the corners [m]
template <class T>
SINEW_INLINE RestShape<T> rest_shape(ElementKind kind, const Vec3<T>* x) {
  return visit_element(kind, [&]<class Element>() { return Element::template rest<T>(x); });
}

}  // namespace sinew
