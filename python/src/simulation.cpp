#include "simulation.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "scenes.h"
#include "session.h"
#include "sinew/text.h"
#include "text.h"

namespace sinew::python {
namespace {

// In the order of ElementQuantity.
constexpr std::array<std::string_view, 6> quantities = {"det_f",     "strain",           "energy_density",
                                                        "von_mises", "principal_stress", "stress"};

ElementQuantity quantity_named(const std::string& name) {
  for (size_t k = 0; k < quantities.size(); ++k)
    if (quantities[k] == name) return static_cast<ElementQuantity>(k);
  fail("quantity", "= \"" + name + "\": is not known", did_you_mean(name, quantities));
}

int32_t vertex_count(Session& session) {
  return session.ask([](const Simulation& s) { return s.vertex_count(); });
}

PinPose pose_from(const py::object& translate, const py::object& axis, double rotate_degrees, const py::object& scale,
                  const py::object& center) {
  PinPose pose;
  pose.translate = real3_from(translate, "translate");
  pose.axis = real3_from(axis, "axis");
  pose.rotate_degrees = rotate_degrees;
  pose.scale = real3_from(scale, "scale");
  if (!center.is_none()) pose.center = real3_from(center, "center");
  return pose;
}

py::array elements(Session& session, const std::string& quantity, bool follow) {
  const ElementQuantity asked = quantity_named(quantity);
  if (follow) return session.elements(asked);
  const Numbers numbers = session.work([&](const Simulation& s) {
    Numbers values(static_cast<size_t>(s.element_count()) * components_of(asked));
    check(s.read_elements(asked, values));
    return values;
  });
  return array_of(numbers, components_of(asked));
}

void bind_reading(py::class_<Session>& c) {
  c.def_property_readonly(
       "time", [](Session& s) { return s.ask([](const Simulation& e) { return e.time(); }); }, "[s]")
      .def_property_readonly("steps_taken",
                             [](Session& s) { return s.ask([](const Simulation& e) { return e.steps_taken(); }); })
      .def_property_readonly("frames_taken",
                             [](Session& s) { return s.ask([](const Simulation& e) { return e.frames_taken(); }); })
      .def_property_readonly(
          "frame_count", [](Session& s) { return s.ask([](const Simulation& e) { return e.frame_count(); }); },
          "Frames in the scene's duration.")
      .def_property_readonly("steps_per_frame",
                             [](Session& s) { return s.ask([](const Simulation& e) { return e.steps_per_frame(); }); })
      .def_property_readonly(
          "step_size", [](Session& s) { return s.ask([](const Simulation& e) { return e.step_size(); }); }, "[s]")
      .def_property_readonly("vertex_count", &vertex_count)
      .def_property_readonly(
          "element_count", [](Session& s) { return s.ask([](const Simulation& e) { return e.element_count(); }); },
          "Of tets and triangles: the length of `tets`.")
      .def_property_readonly(
          "rest_positions",
          [](Session& s) { return frozen(array_of(s.work([](const Simulation& e) { return e.rest_positions(); }))); },
          "[m] (N, 3); not to be written to.")
      .def_property_readonly(
          "tets", [](Session& s) { return frozen(array_of(s.work([](const Simulation& e) { return e.tets(); }))); },
          "(E, 4); the fourth of a triangle is -1. Not to be written to.")
      .def_property_readonly(
          "middles",
          [](Session& s) { return frozen(array_of(s.work([](const Simulation& e) { return e.middles(); }))); },
          "(E, 6), the vertices at the middles of the edges 01 02 03 12 13 23 of `tets`, -1 in one that is not "
          "quadratic; (0, 6) where none is. Not to be written to.")
      .def_property_readonly(
          "springs",
          [](Session& s) { return frozen(array_of(s.work([](const Simulation& e) { return e.springs(); }))); },
          "(S, 2), the two ends of each. Not to be written to.")
      .def_property_readonly(
          "masses", [](Session& s) { return frozen(array_of(s.work([](const Simulation& e) { return e.masses(); }))); },
          "[kg] (N,). Not to be written to.")
      .def_property_readonly("objects",
                             [](Session& s) { return s.ask([](const Simulation& e) { return e.objects(); }); })
      .def_property_readonly("colliders",
                             [](Session& s) { return s.ask([](const Simulation& e) { return e.colliders(); }); })
      .def_property_readonly(
          "warnings", [](Session& s) { return texts_of(s.ask([](const Simulation& e) { return e.warnings(); })); },
          "Repairs made to the meshes, and suspicious input.")
      .def("elements", &elements, py::arg("quantity"), py::kw_only(), py::arg("follow") = false,
           "A number for each element, in the order of `tets`: \"det_f\", \"strain\", \"energy_density\" [J/m^3] or "
           "\"von_mises\" [Pa]; three, the largest first: \"principal_stress\"; six, xx, yy, zz, xy, yz, xz: "
           "\"stress\". follow: a view that follows the state, as `positions`; each step evaluates it while there is "
           "one.")
      .def(
          "reactions",
          [](Session& s, bool follow) {
            return follow ? s.reactions() : array_of(s.work([](const Simulation& e) { return e.reactions(); }));
          },
          py::kw_only(), py::arg("follow") = false,
          "[N] (N, 3) of the pins on each vertex at the end of the last step. follow: a view, as of `elements`.")
      .def(
          "probes",
          [](Session& s) {
            const auto [names, places] = s.work([](const Simulation& e) {
              std::pair<std::vector<std::string>, Numbers> read{e.probes(), {}};
              read.second.resize(3 * read.first.size());
              check(e.read_probes(std::span<double>(read.second)));
              return read;
            });
            py::dict probes;
            for (size_t k = 0; k < names.size(); ++k)
              probes[py::str(names[k])] = array_of(std::span(places).subspan(3 * k, 3));
            return probes;
          },
          "The mean position [m] of each probe's vertices, by its name.")
      .def(
          "surface",
          [](Session& s, int32_t object) {
            return array_of(s.work([&](const Simulation& e) { return value_of(e.surface(object)); }));
          },
          py::arg("object"), "(T, 3): the triangles of an object's boundary, counter-clockwise from outside.")
      .def(
          "skin",
          [](Session& s, int32_t object) {
            const auto [points, triangles] = s.work([&](const Simulation& e) {
              std::pair<Numbers, std::vector<std::array<int32_t, 3>>> read;
              read.first.resize(3 * static_cast<size_t>(value_of(e.skin_point_count(object))));
              check(e.read_skin(object, std::span<double>(read.first)));
              read.second = value_of(e.skin_triangles(object));
              return read;
            });
            return py::make_tuple(array_of(points, 3), array_of(triangles));
          },
          py::arg("object"), "The points [m] and the triangles of an object's skin.")
      .def(
          "energies", [](Session& s) { return s.work([](const Simulation& e) { return e.energies(); }); },
          "What the state holds of energy, by kind.")
      .def(
          "contacts", [](Session& s) { return s.work([](const Simulation& e) { return e.contacts(); }); },
          "What touches now, with forces. Empty where a scene has no contact.")
      .def(
          "evaluate", [](Session& s) { return s.work([](const Simulation& e) { return e.evaluate(); }); },
          "The objective of the last step at the present positions.")
      .def(
          "hash", [](Session& s) { return hash_text(s.work([](const Simulation& e) { return e.hash(); })); },
          "A fingerprint of positions, velocities and the clock, as `sinew run` prints it.")
      .def(
          "cast_ray",
          [](Session& s, const py::object& origin, const py::object& direction) {
            const Real3 from = real3_from(origin, "origin"), along = real3_from(direction, "direction");
            return s.work([&](const Simulation& e) { return value_of(e.cast_ray(from, along)); });
          },
          py::arg("origin"), py::arg("direction"), "The first point of the surfaces that the ray meets, or None.")
      .def(
          "nearest_point",
          [](Session& s, const py::object& point) {
            const Real3 to = real3_from(point, "point");
            return s.work([&](const Simulation& e) { return value_of(e.nearest_point(to)); });
          },
          py::arg("point"), "The nearest point of the surfaces, or None where there are none.");
}

void bind_state(py::class_<Session>& c) {
  c.def_property(
       "positions", &Session::positions,
       [](Session& s, const py::object& value) {
         s.refuse_in_edit("positions");
         const std::vector<Real3> positions = points_from(value, "positions");
         s.change([&](Simulation& e) { check(e.set_state(positions, e.velocities())); });
       },
       "[m] (N, 3), a view that follows the state from step to step and outlives the simulation. Not to be written to: "
       "assign an array, or use `edit`, to move the body. What pins hold stays where it is.")
      .def_property(
          "velocities", &Session::velocities,
          [](Session& s, const py::object& value) {
            s.refuse_in_edit("velocities");
            const std::vector<Real3> velocities = points_from(value, "velocities");
            s.change([&](Simulation& e) { check(e.set_velocities(velocities)); });
          },
          "[m/s] (N, 3), a view as `positions`. Assign an array to set them.")
      .def(
          "set_state",
          [](Session& s, const py::object& positions, const py::object& velocities) {
            s.refuse_in_edit("set_state");
            const std::vector<Real3> x = points_from(positions, "positions"), v = points_from(velocities, "velocities");
            s.change([&](Simulation& e) { check(e.set_state(x, v)); });
          },
          py::arg("positions"), py::arg("velocities"), "Both at once; the clock continues.")
      .def(
          "edit", [](const py::object& s) { return py::module_::import("sinew._edit").attr("Edit")(s); },
          "For a `with`: positions and velocities that can be written to. When the block ends the body is there.")
      .def("_begin_edit", &Session::begin_edit)
      .def("_end_edit", &Session::end_edit)
      .def_property_readonly(
          "held",
          [](Session& s) {
            const std::vector<bool> held = s.ask([](const Simulation& e) { return e.held(); });
            py::array_t<bool> mask(static_cast<py::ssize_t>(held.size()));
            std::copy(held.begin(), held.end(), mask.mutable_data());
            return frozen(mask);
          },
          "(N,) Whether a pin holds each vertex in the next step, be it in one direction alone. Not to be written to.")
      .def(
          "save", [](Session& s) { return s.work([](Simulation& e) { return e.save(); }); },
          "Keeps the state with all that was changed, in memory.")
      .def(
          "restore",
          [](Session& s, const Snapshot& snapshot) {
            s.refuse_in_edit("restore");
            s.change([&](Simulation& e) { check(e.restore(snapshot)); });
          },
          py::arg("snapshot"), "Returns to a saved state, bit for bit.")
      .def(
          "checkpoint",
          [](Session& s) { return py::bytes(s.work([](const Simulation& e) { return e.checkpoint(); })); },
          "The simulation with its scene and all changes as bytes, from which Simulation.resume continues.")
      .def_static(
          "resume",
          [](const py::bytes& checkpoint, int threads) {
            check_threads(threads);
            return std::make_unique<Session>(checkpoint, threads);
          },
          py::arg("checkpoint"), py::arg("threads") = 0,
          "Continues from a checkpoint with the same bits, in any process and on any number of threads.")
      .def(py::pickle([](Session& s) { return py::bytes(s.work([](const Simulation& e) { return e.checkpoint(); })); },
                      [](const py::bytes& checkpoint) { return std::make_unique<Session>(checkpoint, 0); }))
      .def(
          "changes", [](Session& s) { return s.work([](const Simulation& e) { return value_of(e.changes()); }); },
          "All changes since the simulation was created, each with its step, as JSON.")
      .def(
          "replay", [](Session& s, const std::string& log) { s.change([&](Simulation& e) { check(e.replay(log)); }); },
          py::arg("log"), "The same steps and changes on a new simulation of the same scene: the same bits.")
      .def(
          "keep_changes", [](Session& s, bool keep) { s.ask([&](Simulation& e) { e.keep_changes(keep); }); },
          py::arg("keep"), "False: forgets the changes so far and keeps none, for loops that run for days.");
}

void bind_changes(py::class_<Session>& c) {
  const PinPose rest;
  const auto none = py::none();
  c.def(
       "set",
       [](Session& s, const std::string& path, const py::object& value) {
         const std::string text = json_from(value, path);
         s.change([&](Simulation& e) { check(e.set(path, text)); });
       },
       py::arg("path"), py::arg("value"),
       "A value of the scene by its path, as `sinew run --set` takes it: set(\"solver.type\", \"newton\").")
      .def(
          "add_pin",
          [](Session& s, const py::object& vertices) {
            const std::vector<int32_t> held = vertices_from(vertices, "vertices", vertex_count(s));
            return s.work([&](Simulation& e) { return value_of(e.add_pin(held)); });
          },
          py::arg("vertices"), "Holds vertices where they are: their numbers, or a mask of all.")
      .def(
          "move_pin",
          [](Session& s, PinHandle pin, const py::object& translate, const py::object& axis, double rotate_degrees,
             const py::object& scale, const py::object& center) {
            const PinPose pose = pose_from(translate, axis, rotate_degrees, scale, center);
            s.work([&](Simulation& e) { check(e.move_pin(pin, pose)); });
          },
          py::arg("pin"), py::kw_only(), py::arg("translate") = rest.translate, py::arg("axis") = rest.axis,
          py::arg("rotate_degrees") = rest.rotate_degrees, py::arg("scale") = rest.scale, py::arg("center") = none,
          "To a pose relative to where its vertices were when it was added: rotated about `axis` through `center`, "
          "scaled about it, then translated.")
      .def(
          "place_pin",
          [](Session& s, PinHandle pin, const py::object& places) {
            const std::vector<Real3> points = points_from(places, "places");
            s.work([&](Simulation& e) { check(e.move_pin(pin, points)); });
          },
          py::arg("pin"), py::arg("places"), "To a place [m] for each of its vertices, in the order they were given.")
      .def(
          "remove_pin", [](Session& s, PinHandle pin) { s.work([&](Simulation& e) { check(e.remove_pin(pin)); }); },
          py::arg("pin"))
      .def(
          "add_force",
          [](Session& s, const SurfacePoint& at, const py::object& force) {
            const Real3 value = real3_from(force, "force");
            return s.work([&](Simulation& e) { return value_of(e.add_force(at, value)); });
          },
          py::arg("at"), py::arg("force"))
      .def(
          "add_force",
          [](Session& s, const py::object& at, const py::object& force) {
            const std::vector<int32_t> vertices = vertices_from(at, "at", vertex_count(s));
            const Real3 value = real3_from(force, "force");
            return s.work([&](Simulation& e) { return value_of(e.add_force(vertices, value)); });
          },
          py::arg("at"), py::arg("force"),
          "[N] in all, on vertices, shared by mass, or at a SurfacePoint, until it is changed or removed.")
      .def(
          "set_force",
          [](Session& s, ForceHandle handle, const py::object& force) {
            const Real3 value = real3_from(force, "force");
            s.work([&](Simulation& e) { check(e.set_force(handle, value)); });
          },
          py::arg("handle"), py::arg("force"))
      .def(
          "move_force",
          [](Session& s, ForceHandle handle, const SurfacePoint& point) {
            s.work([&](Simulation& e) { check(e.move_force(handle, point)); });
          },
          py::arg("handle"), py::arg("point"))
      .def(
          "remove_force",
          [](Session& s, ForceHandle handle) { s.work([&](Simulation& e) { check(e.remove_force(handle)); }); },
          py::arg("handle"))
      .def(
          "add_grab",
          [](Session& s, const SurfacePoint& at, std::optional<double> stiffness, std::optional<double> damping) {
            return s.work([&](Simulation& e) { return value_of(e.add_grab(at, {stiffness, damping})); });
          },
          py::arg("at"), py::kw_only(), py::arg("stiffness") = none, py::arg("damping") = none)
      .def(
          "add_grab",
          [](Session& s, int32_t at, std::optional<double> stiffness, std::optional<double> damping) {
            return s.work([&](Simulation& e) { return value_of(e.add_grab(at, {stiffness, damping})); });
          },
          py::arg("at"), py::kw_only(), py::arg("stiffness") = none, py::arg("damping") = none,
          "Holds a SurfacePoint or a vertex by a spring of a stiffness [N/m] and damping [s], as a hand does.")
      .def(
          "move_grab",
          [](Session& s, GrabHandle grab, const py::object& target, const py::object& velocity) {
            const Real3 to = real3_from(target, "target"), with = real3_from(velocity, "velocity");
            s.work([&](Simulation& e) { check(e.move_grab(grab, to, with)); });
          },
          py::arg("grab"), py::arg("target"), py::arg("velocity") = Real3{0, 0, 0},
          "Where its target is at the end of the next step [m], and how fast it moves [m/s].")
      .def(
          "remove_grab",
          [](Session& s, GrabHandle grab) { s.work([&](Simulation& e) { check(e.remove_grab(grab)); }); },
          py::arg("grab"))
      .def(
          "grab_force",
          [](Session& s, GrabHandle grab) {
            return array_of(s.work([&](const Simulation& e) { return value_of(e.grab_force(grab)); }));
          },
          py::arg("grab"), "[N] on the body.")
      .def(
          "set_gravity",
          [](Session& s, const py::object& gravity) {
            const Real3 value = real3_from(gravity, "gravity");
            s.work([&](Simulation& e) { check(e.set_gravity(value)); });
          },
          py::arg("gravity"), "[m/s^2]")
      .def(
          "set_activation",
          [](Session& s, const std::string& object, double activation) {
            s.work([&](Simulation& e) { check(e.set_activation(object, activation)); });
          },
          py::arg("object"), py::arg("activation"), "How strongly the muscle fibres of an object pull, from 0 to 1.")
      .def(
          "switch_object",
          [](Session& s, const std::string& name, bool on) {
            s.change([&](Simulation& e) { check(e.switch_object(name, on)); });
          },
          py::arg("name"), py::arg("on"), "Off: it stays where it is, at rest.")
      .def(
          "add_object",
          [](Session& s, const std::string& name, const py::object& object) {
            const std::string json = json_from(object, "objects." + name);
            s.change([&](Simulation& e) { check(e.add_object(name, json)); });
          },
          py::arg("name"), py::arg("object"),
          "Adds an object, with the keys of scenes, behind all others. Earlier arrays keep their length and stay.")
      .def(
          "remove_object",
          [](Session& s, const std::string& name) { s.change([&](Simulation& e) { check(e.remove_object(name)); }); },
          py::arg("name"), "Later objects get smaller vertex numbers. Earlier arrays keep their length and stay.")
      .def(
          "collider",
          [](Session& s, ColliderHandle collider) {
            return s.work([&](const Simulation& e) { return value_of(e.collider(collider)); });
          },
          py::arg("collider"), "Where a collider is.")
      .def(
          "move_collider",
          [](Session& s, ColliderHandle collider, const py::object& translate, const py::object& axis,
             double rotate_degrees, const py::object& scale, const py::object& center, std::optional<double> arrival) {
            const PinPose pose = pose_from(translate, axis, rotate_degrees, scale, center);
            s.work([&](Simulation& e) {
              check(arrival ? e.move_collider(collider, pose, *arrival) : e.move_collider(collider, pose));
            });
          },
          py::arg("collider"), py::kw_only(), py::arg("translate") = rest.translate, py::arg("axis") = rest.axis,
          py::arg("rotate_degrees") = rest.rotate_degrees, py::arg("scale") = rest.scale, py::arg("center") = none,
          py::arg("arrival") = none,
          "To a pose relative to where the scene has it: within the next step, or steadily until `arrival` [s].")
      .def(
          "drive_collider",
          [](Session& s, ColliderHandle collider, const py::object& motion) {
            const std::string json = json_from(motion, "motion");
            s.work([&](Simulation& e) { check(e.drive_collider(collider, json)); });
          },
          py::arg("collider"), py::arg("motion"),
          "Gives it a motion, with the keys of scenes: {\"keyframes\": [...]}, on the clock of `time`.")
      .def(
          "add_collider",
          [](Session& s, const std::string& name, const py::object& collider) {
            const std::string json = json_from(collider, "colliders." + name);
            return s.work([&](Simulation& e) { return value_of(e.add_collider(name, json)); });
          },
          py::arg("name"), py::arg("collider"), "Adds a collider, with the keys of scenes.")
      .def(
          "remove_collider",
          [](Session& s, ColliderHandle collider) {
            s.work([&](Simulation& e) { check(e.remove_collider(collider)); });
          },
          py::arg("collider"));
}

// Null: it is being created.
Session* session_in(PyObject* self) {
  const py::detail::value_and_holder held = reinterpret_cast<py::detail::instance*>(self)->get_value_and_holder();
  return held.holder_constructed() ? held.value_ptr<Session>() : nullptr;
}

// An observer may hold the simulation that calls it: the collector must see that ring.
void collect_observers(PyHeapTypeObject* heap_type) {
  PyTypeObject& type = heap_type->ht_type;
  type.tp_flags |= Py_TPFLAGS_HAVE_GC;
  type.tp_traverse = [](PyObject* self, visitproc visit, void* arg) -> int {
    Py_VISIT(Py_TYPE(self));
    if (Session* s = session_in(self)) Py_VISIT(s->observer().ptr());
    return 0;
  };
  type.tp_clear = [](PyObject* self) -> int {
    if (Session* s = session_in(self)) s->set_observer(py::none());
    return 0;
  };
  // The collector may run while an observer goes with its simulation, and must not meet that one then.
  type.tp_dealloc = [](PyObject* self) {
    PyObject_GC_UnTrack(self);
    py::detail::pybind11_object_dealloc(self);
  };
}

}  // namespace

py::class_<Session> bind_simulation(py::module_& m) {
  const auto none = py::none();
  py::class_<Session> c(
      m, "Simulation", py::custom_type_setup(&collect_observers),
      "A scene that takes steps. All is in SI units; objects are in the order of the scene, vertices in that of their "
      "meshes. Results have the same bits for any number of threads.\n\n"
      "scene, overrides, folder: as of sinew.Scene. threads: 0: one per core.\n"
      "Several Python threads may use one simulation: a call waits for the one before, and computes without Python's "
      "lock.");
  c.def(py::init([](const py::object& scene, int threads, const py::object& overrides, const py::object& folder) {
          check_threads(threads);
          return std::make_unique<Session>(scene_from(scene, overrides, folder), threads);
        }),
        py::arg("scene"), py::arg("threads") = 0, py::kw_only(), py::arg("overrides") = none, py::arg("folder") = none)
      .def("step", &Session::step,
           "Takes one time step. After an Error (a state that is not finite) the state from before it is kept.")
      .def(
          "run",
          [](Session& s, std::optional<int64_t> steps, std::optional<double> seconds, std::optional<int64_t> frames) {
            return s.run({steps, seconds, frames});
          },
          py::arg("steps") = none, py::kw_only(), py::arg("seconds") = none, py::arg("frames") = none,
          "Takes steps: so many, or for so many simulated seconds or frames; by default to the end of the scene's "
          "duration. Returns their reports. Ctrl-C ends it after a whole step.")
      .def_property("curves", &Session::curves, &Session::show_curves,
                    "Whether reports have the residual of each iterate. Evaluating one costs as much as a few sweeps.")
      .def_property("observer", &Session::observer, &Session::set_observer,
                    "A function that is called with the report of each iterate, with its positions, during steps; or "
                    "None. What it raises is raised when the step has ended. It cannot use the simulation, "
                    "but may set another observer or None.")
      .def("__repr__", [](Session& s) {
        return s.ask([](const Simulation& e) {
          char text[120];
          std::snprintf(text, sizeof text, "<sinew.Simulation %d vertices, %d elements, %g s>", e.vertex_count(),
                        e.element_count(), e.time());
          return std::string(text);
        });
      });
  bind_reading(c);
  bind_state(c);
  bind_changes(c);
  return c;
}

}  // namespace sinew::python
