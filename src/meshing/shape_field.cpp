#include "meshing/shape_field.h"

#include "base/format.h"
#include "meshing/deepest_point.h"
#include "meshing/shape_nodes.h"
#include "meshing/shape_primitives.h"

namespace sinew {
namespace {

using namespace shape_nodes;

// Compiles a shape to nodes. Keeps the first error.
class Compiler {
 public:
  NodePointer compile(const Shape& given, const Similarity& outer, const std::string& path) {
    const std::optional<Shape> apart = taken_apart(given);
    const Shape& shape = apart ? *apart : given;
    const Similarity place = outer.after(shape.placement);
    const auto parts = [&] {
      Nodes nodes;
      for (size_t k = 0; k < shape.parts.size(); ++k)
        nodes.push_back(compile(shape.parts[k], place, (path.empty() ? "" : path + ".") + format("parts[%zu]", k)));
      return nodes;
    };
    return std::visit([&](const auto& form) { return node(form, place, parts, path); }, shape.form);
  }
  std::optional<Error> error;

 private:
  template <class Primitive>
  static NodePointer leaf(const Primitive& primitive, const Similarity& place) {
    return std::make_unique<Leaf<Primitive>>(primitive, place);
  }
  NodePointer checked(NodePointer node, const std::string& path, const char* what, const char* remedy) {
    const Bounds& b = node->box;
    if (!error && !(b.low.x < b.high.x && b.low.y < b.high.y && b.low.z < b.high.z))
      error = Error{path.empty() ? "shape" : path, what, remedy};
    return node;
  }

  template <class Parts>
  NodePointer node(const shapes::Ball& s, const Similarity& place, const Parts&, const std::string&) {
    return leaf(primitive::Ball{s.radius}, place);
  }
  template <class Parts>
  NodePointer node(const shapes::Box& s, const Similarity& place, const Parts&, const std::string&) {
    return leaf(primitive::Box{0.5 * s.size, 0}, place);
  }
  template <class Parts>
  NodePointer node(const shapes::RoundedBox& s, const Similarity& place, const Parts&, const std::string&) {
    const double r = s.edge_radius;
    return leaf(primitive::Box{0.5 * s.size - Vec3d{r, r, r}, r}, place);
  }
  template <class Parts>
  NodePointer node(const shapes::Torus& s, const Similarity& place, const Parts&, const std::string&) {
    return leaf(primitive::Torus{s.radius, s.tube_radius}, place);
  }
  template <class Parts>
  NodePointer node(const shapes::Capsule& s, const Similarity& place, const Parts& parts, const std::string& path) {
    return node(shapes::RoundedCone{s.from, s.to, s.radius, s.radius}, place, parts, path);
  }
  template <class Parts>
  NodePointer node(const shapes::Cylinder& s, const Similarity& place, const Parts&, const std::string&) {
    return leaf(primitive::Cylinder{s.radius, s.length / 2}, place);
  }
  template <class Parts>
  NodePointer node(const shapes::Cone& s, const Similarity& place, const Parts&, const std::string&) {
    return leaf(primitive::Cone{s.radius, s.top_radius, s.length / 2}, place);
  }
  template <class Parts>
  NodePointer node(const shapes::RoundedCone& s, const Similarity& place, const Parts&, const std::string&) {
    const Vec3d along = s.to - s.from;
    const double difference = s.from_radius - s.to_radius;
    if (dot(along, along) > difference * difference)
      return leaf(primitive::RoundedCone(s.from, s.to, s.from_radius, s.to_radius), place);
    // One ball contains the other.
    return leaf(primitive::Ball{std::max(s.from_radius, s.to_radius)},
                place.after({.translate = difference > 0 ? s.from : s.to}));
  }
  template <class Parts>
  NodePointer node(const shapes::Ellipsoid& s, const Similarity& place, const Parts&, const std::string&) {
    return leaf(primitive::Ellipsoid{s.radii}, place);
  }
  template <class Parts>
  NodePointer node(const shapes::HalfSpace& s, const Similarity& place, const Parts&, const std::string&) {
    return leaf(primitive::HalfSpace{(1 / std::sqrt(dot(s.normal, s.normal))) * s.normal, s.offset}, place);
  }
  template <class Parts>
  NodePointer node(const shapes::Spindle& s, const Similarity& place, const Parts&, const std::string&) {
    return leaf(primitive::Spindle(s.length, s.radius, s.end_radius), place);
  }
  template <class Parts>
  NodePointer node(const shapes::Bowl& s, const Similarity& place, const Parts&, const std::string&) {
    return leaf(primitive::Bowl(s.radius, s.depth, s.thickness), place);
  }

  template <class Parts>
  NodePointer node(const shapes::Union& s, const Similarity& place, const Parts& parts, const std::string&) {
    Nodes nodes = parts();
    if (nodes.size() == 1) return std::move(nodes[0]);
    return std::make_unique<UnionNode>(std::move(nodes), place.scale * s.blend);
  }
  template <class Parts>
  NodePointer node(const shapes::Intersection& s, const Similarity& place, const Parts& parts,
                   const std::string& path) {
    Nodes nodes = parts();
    const size_t count = nodes.size();
    return checked(std::make_unique<CutNode>(std::move(nodes), count, place.scale * s.blend), path,
                   "is empty: its parts do not meet", "move them together");
  }
  template <class Parts>
  NodePointer node(const shapes::Difference& s, const Similarity& place, const Parts& parts, const std::string&) {
    return std::make_unique<CutNode>(parts(), 1, place.scale * s.blend);
  }
  template <class Parts>
  NodePointer node(const shapes::Offset& s, const Similarity& place, const Parts& parts, const std::string& path) {
    return checked(std::make_unique<OffsetNode>(std::move(parts()[0]), place.scale * s.distance), path,
                   "is empty: its part shrinks to nothing", "take a distance nearer to 0");
  }
  template <class Parts>
  NodePointer node(const shapes::Shell& s, const Similarity& place, const Parts& parts, const std::string&) {
    return std::make_unique<ShellNode>(std::move(parts()[0]), place.scale * s.thickness);
  }
  // Ready-made shapes have been taken apart.
  template <class Other, class Parts>
  NodePointer node(const Other&, const Similarity&, const Parts&, const std::string&) {
    SINEW_ASSERT(false);
    return {};
  }
};

class CompiledShape final : public ShapeField {
 public:
  explicit CompiledShape(NodePointer root) : root_(std::move(root)) {}
  Bounds bounds() const override { return root_->box; }
  void distances(std::span<const Vec3d> points, std::span<double> values) const override {
    for (size_t i = 0; i < points.size(); i += 2) {
      const Vec3d a = points[i], b = points[i + 1 < points.size() ? i + 1 : i];
      const Pair value = root_->value({Pair{a.x, b.x}, Pair{a.y, b.y}, Pair{a.z, b.z}});
      values[i] = value[0];
      if (i + 1 < points.size()) values[i + 1] = value[1];
    }
  }

 private:
  NodePointer root_;
};

}  // namespace

Result<std::unique_ptr<ShapeField>> make_shape_field(const Shape& shape) {
  if (std::vector<Error> faults = shape_faults(shape); !faults.empty()) return faults[0];
  Compiler compiler;
  NodePointer root = compiler.compile(shape, {}, "");
  if (compiler.error) return *compiler.error;
  if (!is_finite(root->box))
    return Error{"shape", "has no end", "intersect its half-spaces with something that has, such as a box"};
  auto field = std::make_unique<CompiledShape>(std::move(root));
  // The result of differences may be empty though the boxes are not.
  constexpr int most_points = 100'000;
  if (depth_of(*field, most_points, true) == 0)
    return Error{"shape", "is empty: no point is inside by more than rounding",
                 "where parts are taken away or intersected, look whether anything is left of them; where it is thin, "
                 "make it thicker"};
  return std::unique_ptr<ShapeField>(std::move(field));
}

}  // namespace sinew
