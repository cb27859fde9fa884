// Steps, and what can be read of a simulation (sinew_web.h).
#include <cmath>

#include "base/format.h"
#include "report_numbers.h"
#include "session.h"
#include "sinew_web.h"

using namespace sinew;
using namespace sinew::web;

namespace {

Json json_of(const Real3& v) {
  Json list = Json::array();
  for (const double c : v) list.add(c);
  return list;
}

void finish(Held& held, StepReport& report) {
  if (held.wants == Held::Wants::steps && !report.evaluated) {
    report.evaluation = held.simulation.evaluate();
    report.evaluated = true;
  }
}

template <class Quantity>
Status check_number(const char* what, int given, int count, Quantity& quantity) {
  if (given < 0 || given >= count) return Error{what, format("%d: there is no such number", given), "they begin at 0"};
  quantity = static_cast<Quantity>(given);
  return {};
}

void answer_point(const std::optional<SurfacePoint>& point) {
  if (!point) return answer_numbers(std::vector<double>{});
  std::vector<double> numbers{static_cast<double>(point->object)};
  numbers.insert(numbers.end(), point->vertices.begin(), point->vertices.end());
  numbers.insert(numbers.end(), point->weights.begin(), point->weights.end());
  numbers.insert(numbers.end(), point->position.begin(), point->position.end());
  numbers.push_back(point->distance);
  answer_numbers(std::move(numbers));
}

// The drawing, built if it is none of the present objects.
Drawing& drawing_of(Held& held) {
  if (held.objects_changed) held.drawing.build(held.simulation);
  held.objects_changed = false;
  return held.drawing;
}

int32_t address(const void* at) {
  return static_cast<int32_t>(reinterpret_cast<intptr_t>(at));
}

}  // namespace

int sinew_step(int simulation) {
  return with(simulation, [](Held& held) -> Status {
    held.curve->numbers.clear();
    Result<StepReport> report = held.simulation.step();
    if (!report) return report.error();
    finish(held, *report);
    std::vector<double> numbers;
    put_report(*report, numbers);
    answer_numbers(std::move(numbers));
    return {};
  });
}
int sinew_advance_frame(int simulation) {
  return with(simulation, [](Held& held) -> Status {
    held.curve->numbers.clear();
    Result<std::vector<StepReport>> reports = held.simulation.advance_frame();
    if (!reports) return reports.error();
    finish(held, reports->back());
    std::vector<double> numbers;
    for (const StepReport& report : *reports) put_report(report, numbers);
    answer_numbers(std::move(numbers));
    return {};
  });
}
int sinew_observe(int simulation, int wants) {
  return with(simulation, [&](Held& held) -> Status {
    if (Status s = check_number("wants", wants, 3, held.wants); !s) return s;
    held.simulation.set_observer(held.wants == Held::Wants::iterations ? held.curve.get() : nullptr);
    return {};
  });
}
int sinew_curve(int simulation) {
  return with(simulation, [](Held& held) -> Status {
    answer_in_place(held.curve->numbers);
    return {};
  });
}
int sinew_counts(int simulation) {
  return with(simulation, [](Held& held) -> Status {
    const Simulation& s = held.simulation;
    answer_numbers({s.time(), static_cast<double>(s.steps_taken()), static_cast<double>(s.frames_taken()),
                    static_cast<double>(s.frame_count()), static_cast<double>(s.steps_per_frame()), s.step_size(),
                    static_cast<double>(s.vertex_count()), static_cast<double>(s.element_count())});
    return {};
  });
}

int sinew_vertices(int simulation, int what) {
  return with(simulation, [&](Held& held) -> Status {
    size_t k = 0;
    if (Status s = check_number("vertices", what, 2, k); !s) return s;
    std::vector<float>& xyz = held.vertices[k];
    xyz.resize(3 * static_cast<size_t>(held.simulation.vertex_count()));
    const Status s =
        k == 0 ? held.simulation.read_positions(std::span(xyz)) : held.simulation.read_velocities(std::span(xyz));
    answer_in_place(xyz);
    return s;
  });
}
int sinew_vertices64(int simulation, int what) {
  return with(simulation, [&](Held& held) -> Status {
    size_t k = 0;
    if (Status s = check_number("vertices64", what, 5, k); !s) return s;
    std::vector<double>& values = held.vertices64[k];
    const Simulation& of = held.simulation;
    Status status;
    if (k == 3) {
      values = of.masses();
    } else {
      values.resize(3 * static_cast<size_t>(of.vertex_count()));
      if (k == 0) status = of.read_positions(std::span(values));
      if (k == 1) status = of.read_velocities(std::span(values));
      if (k == 4) status = of.read_reactions(std::span(values));
      if (k == 2) {
        const std::vector<Real3> rest = of.rest_positions();
        for (size_t v = 0; v < rest.size(); ++v) std::copy(rest[v].begin(), rest[v].end(), &values[3 * v]);
      }
    }
    answer_in_place(values);
    return status;
  });
}
int sinew_tets(int simulation) {
  return with(simulation, [](Held& held) -> Status {
    held.tets.clear();
    for (const auto& tet : held.simulation.tets()) held.tets.insert(held.tets.end(), tet.begin(), tet.end());
    answer_in_place(held.tets);
    return {};
  });
}
int sinew_middles(int simulation) {
  return with(simulation, [](Held& held) -> Status {
    held.middles.clear();
    for (const auto& of_tet : held.simulation.middles())
      held.middles.insert(held.middles.end(), of_tet.begin(), of_tet.end());
    answer_in_place(held.middles);
    return {};
  });
}
int sinew_elements(int simulation, int quantity) {
  return with(simulation, [&](Held& held) -> Status {
    ElementQuantity of;
    if (Status s = check_number("elements", quantity, 6, of); !s) return s;
    std::vector<double>& values = held.elements[quantity];
    values.resize(static_cast<size_t>(components_of(of)) * static_cast<size_t>(held.simulation.element_count()));
    const Status s = held.simulation.read_elements(of, std::span(values));
    answer_in_place(values);
    return s;
  });
}
int sinew_energies(int simulation) {
  return with(simulation, [](Held& held) -> Status {
    const Energies e = held.simulation.energies();
    answer_numbers({e.kinetic, e.elastic, e.ties, e.gravity, e.loads, e.grabs, e.contact});
    return {};
  });
}
int sinew_evaluate(int simulation) {
  return with(simulation, [](Held& held) -> Status {
    std::vector<double> numbers;
    put_evaluation(held.simulation.evaluate(), numbers);
    answer_numbers(std::move(numbers));
    return {};
  });
}
int sinew_contacts(int simulation) {
  return with(simulation, [](Held& held) -> Status {
    std::vector<double> numbers;
    for (const ContactPoint& p : held.simulation.contacts()) {
      for (const Real3& v : {p.position, p.normal, p.force}) numbers.insert(numbers.end(), v.begin(), v.end());
      numbers.insert(numbers.end(), {p.gap, static_cast<double>(p.first), static_cast<double>(p.second)});
    }
    answer_numbers(std::move(numbers));
    return {};
  });
}
int sinew_probes(int simulation) {
  return with(simulation, [](Held& held) -> Status {
    const std::vector<std::string> names = held.simulation.probes();
    std::vector<double> xyz(3 * names.size());
    if (Status s = held.simulation.read_probes(std::span(xyz)); !s) return s;
    Json list = Json::array();
    for (size_t k = 0; k < names.size(); ++k) {
      Json& probe = list.add(Json::object());
      probe.add("name", names[k]);
      probe.add("position", json_of(Real3{xyz[3 * k], xyz[3 * k + 1], xyz[3 * k + 2]}));
    }
    answer_json(list);
    return {};
  });
}
int sinew_objects(int simulation) {
  return with(simulation, [](Held& held) -> Status {
    Json list = Json::array();
    int32_t number = 0;
    for (const ObjectInfo& o : held.simulation.objects()) {
      Json& object = list.add(Json::object());
      object.add("name", o.name);
      object.add("firstVertex", o.first_vertex);
      object.add("lastVertex", o.last_vertex);
      object.add("on", o.on);
      object.add("hasSkin", held.simulation.skin_point_count(number++).ok());
    }
    answer_json(list);
    return {};
  });
}
int sinew_warnings(int simulation) {
  return with(simulation, [](Held& held) -> Status {
    Json list = Json::array();
    for (const std::string& warning : held.simulation.warnings()) list.add(warning);
    answer_json(list);
    return {};
  });
}
int sinew_hash(int simulation) {
  return with(simulation, [](Held& held) -> Status {
    answer_text(format("%016llx", static_cast<unsigned long long>(held.simulation.hash())));
    return {};
  });
}

int sinew_surface(int simulation) {
  return with(simulation, [](Held& held) -> Status {
    Drawing& drawing = drawing_of(held);
    if (Status s = drawing.refresh(held.simulation); !s) return s;
    std::vector<int32_t>& where = session().integers;
    where.clear();
    const auto add = [&](const auto& array) {
      where.push_back(address(array.data()));
      where.push_back(static_cast<int32_t>(array.size()));
    };
    add(drawing.points());
    add(drawing.normals());
    add(drawing.triangles());
    add(drawing.edges());
    add(drawing.vertices());
    where.push_back(drawing.revision());
    answer_in_place(where);
    return {};
  });
}
int sinew_surface_objects(int simulation) {
  return with(simulation, [](Held& held) -> Status {
    std::vector<int32_t>& ranges = session().integers;
    ranges.clear();
    for (const Drawing::Range& r : drawing_of(held).objects())
      ranges.insert(ranges.end(), {r.first_triangle, r.triangle_count, r.first_point, r.point_count});
    answer_in_place(ranges);
    return {};
  });
}
int sinew_surface_quantity(int simulation, int quantity) {
  return with(simulation, [&](Held& held) -> Status {
    Drawing::Quantity of;
    if (Status s = check_number("quantity", quantity, Drawing::quantity_count, of); !s) return s;
    Drawing& drawing = drawing_of(held);
    const Status s = drawing.measure(held.simulation, of);
    answer_in_place(drawing.quantity(of));
    return s;
  });
}
int sinew_skin_points(int simulation, int object) {
  return with(simulation, [&](Held& held) -> Status {
    const Result<int32_t> count = held.simulation.skin_point_count(object);
    if (!count) return count.error();
    held.skin_points.resize(3 * static_cast<size_t>(*count));
    answer_in_place(held.skin_points);
    return held.simulation.read_skin(object, std::span(held.skin_points));
  });
}
int sinew_skin_triangles(int simulation, int object) {
  return with(simulation, [&](Held& held) -> Status {
    const auto triangles = held.simulation.skin_triangles(object);
    if (!triangles) return triangles.error();
    held.skin_triangles.clear();
    for (const auto& t : *triangles) held.skin_triangles.insert(held.skin_triangles.end(), t.begin(), t.end());
    answer_in_place(held.skin_triangles);
    return {};
  });
}
int sinew_cast_ray(int simulation, double ox, double oy, double oz, double dx, double dy, double dz) {
  return with(simulation, [&](Held& held) -> Status {
    const auto point = held.simulation.cast_ray({ox, oy, oz}, {dx, dy, dz});
    if (!point) return point.error();
    answer_point(*point);
    return {};
  });
}
int sinew_nearest_point(int simulation, double x, double y, double z) {
  return with(simulation, [&](Held& held) -> Status {
    const auto point = held.simulation.nearest_point({x, y, z});
    if (!point) return point.error();
    answer_point(*point);
    return {};
  });
}
