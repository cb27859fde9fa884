// What names parts of a simulation, and what it answers when it is asked about them.
#include <pybind11/operators.h>
#include <pybind11/stl.h>

#include <string>

#include "arrays.h"
#include "errors.h"
#include "simulation.h"
#include "sinew/simulation.h"

namespace sinew::python {
namespace {

template <class Handle>
void bind_handle(py::module_& m, const char* name, const char* what) {
  py::class_<Handle>(m, name, what)
      .def(py::init([](int32_t number) {
             if (number < 0) fail("number", "= " + std::to_string(number) + ": must not be negative", "count from 0");
             return Handle{number};
           }),
           py::arg("number"))
      .def_readonly("number", &Handle::number)
      .def(py::self == py::self)
      .def("__hash__", [](const Handle& h) { return h.number; })
      .def("__repr__", [text = std::string(name)](const Handle& h) {
        return "sinew." + text + "(" + std::to_string(h.number) + ")";
      });
}

}  // namespace

void bind_live(py::module_& m) {
  bind_handle<PinHandle>(m, "Pin", "Names a pin. Pin(0), Pin(1), ... are those of the scene.");
  bind_handle<ForceHandle>(m, "Force", "Names a force.");
  bind_handle<GrabHandle>(m, "Grab", "Names a grab.");
  bind_handle<ColliderHandle>(m, "Collider", "Names a collider. Collider(0), Collider(1), ... are those of the scene.");
  py::class_<Snapshot>(m, "Snapshot", "A state with all that was changed, for Simulation.restore.")
      .def("__repr__", [](const Snapshot&) { return "<sinew.Snapshot>"; });

  py::class_<SurfacePoint>(m, "SurfacePoint", "A point of a surface: the sum of weights[j] positions[vertices[j]].")
      .def_readonly("object", &SurfacePoint::object, "Its number in Simulation.objects.")
      .def_readonly("vertices", &SurfacePoint::vertices)
      .def_readonly("weights", &SurfacePoint::weights)
      .def_readonly("position", &SurfacePoint::position, "[m]")
      .def_readonly("distance", &SurfacePoint::distance, "[m] from the ray's origin, or from the point asked about.");

  py::class_<ContactPoint>(m, "ContactPoint", "Where two surfaces touch.")
      .def_readonly("position", &ContactPoint::position, "[m] on the first.")
      .def_readonly("normal", &ContactPoint::normal, "From the second to the first, of length 1.")
      .def_readonly("force", &ContactPoint::force, "[N] on the first, friction included.")
      .def_readonly("gap", &ContactPoint::gap, "[m] negative: a depth.")
      .def_readonly("first", &ContactPoint::first, "Its number in Simulation.objects; behind those, of colliders.")
      .def_readonly("second", &ContactPoint::second, "Likewise.");

  py::class_<ObjectInfo>(m, "ObjectInfo", "An object, as a range of vertices.")
      .def_readonly("name", &ObjectInfo::name)
      .def_readonly("on", &ObjectInfo::on, "False: it was switched off.")
      .def_property_readonly(
          "vertices", [](const ObjectInfo& o) { return py::slice(o.first_vertex, o.last_vertex, 1); },
          "A slice: simulation.positions[object.vertices].")
      .def("__repr__", [](const ObjectInfo& o) {
        return "<sinew.ObjectInfo " + o.name + ", vertices " + std::to_string(o.first_vertex) + " to " +
               std::to_string(o.last_vertex - 1) + (o.on ? ">" : ", off>");
      });

  py::class_<ColliderInfo>(m, "ColliderInfo", "A collider of a simulation.")
      .def_readonly("name", &ColliderInfo::name)
      .def_readonly("handle", &ColliderInfo::handle);

  py::class_<PlacedCollider>(m, "PlacedCollider", "Where a collider is.")
      .def_property_readonly(
          "vertices", [](const PlacedCollider& c) { return array_of(c.vertices); }, "[m]")
      .def_property_readonly("triangles", [](const PlacedCollider& c) { return array_of(c.triangles); })
      .def_property_readonly(
          "planes",
          [](const PlacedCollider& c) {
            py::list planes;
            for (const PlacedCollider::Plane& p : c.planes) planes.append(py::make_tuple(p.point, p.normal));
            return planes;
          },
          "A point and the normal of each; below it is solid.");
}

}  // namespace sinew::python
