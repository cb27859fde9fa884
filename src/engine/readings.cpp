#include "engine/readings.h"

#include <algorithm>

#include "base/format.h"
#include "contact/contact_sides.h"
#include "objective/contact_terms.h"
#include "objective/energies.h"
#include "objective/objective.h"
#include "objective/strain.h"

namespace sinew {
namespace {

Status check_length(const char* what, size_t given, size_t wanted) {
  if (given == wanted) return {};
  return Error{what, format("%zu numbers where there are %zu", given, wanted), "make room for as many"};
}

template <class Real>
void put(std::span<Real> out, size_t k, Vec3d p) {
  out[3 * k] = static_cast<Real>(p.x);
  out[3 * k + 1] = static_cast<Real>(p.y);
  out[3 * k + 2] = static_cast<Real>(p.z);
}

// Of each muscle, as it is at the present time.
std::vector<double> activations(const Engine& engine) {
  std::vector<double> activation;
  for (const Activation& muscle : engine.compiled.model.muscles) activation.push_back(muscle.at(engine.time()));
  return activation;
}

// Calls visit(block, first, last) with pieces of blocks, in parallel.
constexpr int32_t piece = 128;
template <class Visit>
void for_each_piece(const Model& model, ThreadPool& pool, const Visit& visit) {
  constexpr int64_t grain = 8 * piece;
  for (const ElasticBlock& block : model.blocks) {
    pool.parallel_for(block.last_tet - block.first_tet, grain, [&](int64_t begin, int64_t end) {
      const auto last = block.first_tet + static_cast<int32_t>(end);
      for (int32_t e = block.first_tet + static_cast<int32_t>(begin); e < last; e += piece)
        visit(block, e, std::min(e + piece, last));
    });
  }
}

// put(e, values) for each element of the model.
template <class Put>
void measure_stress(Engine& engine, const Put& put) {
  const Model& model = engine.compiled.model;
  if (!engine.element_stress) engine.element_stress.emplace(model, engine.compiled.fibre_tets);
  const std::vector<double> activation = activations(engine);
  for_each_piece(model, engine.pool, [&](const ElasticBlock& block, int32_t first, int32_t last) {
    Sym3<double> stress[piece];
    const auto count = static_cast<size_t>(last - first);
    engine.element_stress->measure(model, block, first, last, engine.state().x, activation, std::span(stress, count));
    for (size_t k = 0; k < count; ++k) put(static_cast<size_t>(first) + k, stress[k]);
  });
}

}  // namespace

template <class Real>
Status read_vertices(const Engine& engine, std::span<const Vec3d> slots, std::span<Real> xyz) {
  const VertexOrder& order = engine.compiled.model.order;
  const auto count = static_cast<size_t>(order.vertex_count());
  if (Status s = check_length("xyz", xyz.size(), 3 * count); !s) return s;
  for (size_t v = 0; v < count; ++v)
    put(xyz, v, slots[static_cast<size_t>(order.slot(UserVertex{static_cast<int32_t>(v)}))]);
  return {};
}

template <class Real>
Status read_elements(Engine& engine, ElementQuantity quantity, std::span<Real> values) {
  const Model& model = engine.compiled.model;
  const auto components = static_cast<size_t>(components_of(quantity));
  if (Status s = check_length("values", values.size(), components * model.tets.size()); !s) return s;
  const std::vector<Vec3d>& x = engine.state().x;
  // The first number of an element of the model.
  const auto at = [&](size_t e) -> Real* { return &values[components * static_cast<size_t>(model.user_tet[e])]; };
  switch (quantity) {
    case ElementQuantity::det_f:
    case ElementQuantity::strain:
      engine.pool.parallel_for(static_cast<int64_t>(model.tets.size()), piece, [&](int64_t first, int64_t last) {
        for (auto e = static_cast<size_t>(first); e < static_cast<size_t>(last); ++e) {
          const TetStrain measured = element_strain(model, x, static_cast<int32_t>(e));
          *at(e) = static_cast<Real>(quantity == ElementQuantity::strain ? measured.strain : measured.j);
        }
      });
      break;
    case ElementQuantity::energy_density:
      for_each_piece(model, engine.pool, [&](const ElasticBlock& block, int32_t first, int32_t last) {
        double density[piece];
        energy_densities(model, block, first, last, x, std::span(density, static_cast<size_t>(last - first)));
        for (int32_t e = first; e < last; ++e) *at(static_cast<size_t>(e)) = static_cast<Real>(density[e - first]);
      });
      break;
    case ElementQuantity::von_mises:
      measure_stress(engine, [&](size_t e, const Sym3<double>& s) { *at(e) = static_cast<Real>(von_mises_stress(s)); });
      break;
    case ElementQuantity::principal_stress:
      measure_stress(engine, [&](size_t e, const Sym3<double>& s) {
        put(std::span(at(e), components), 0, principal_stresses(s));
      });
      break;
    case ElementQuantity::stress:
      measure_stress(engine, [&](size_t e, const Sym3<double>& s) {
        const double six[] = {s.xx, s.yy, s.zz, s.xy, s.yz, s.xz};
        std::transform(six, six + 6, at(e), [](double c) { return static_cast<Real>(c); });
      });
      break;
  }
  return {};
}

template <class Real>
Status read_reactions(Engine& engine, std::span<Real> xyz) {
  const VertexOrder& order = engine.compiled.model.order;
  if (Status s = check_length("xyz", xyz.size(), 3 * static_cast<size_t>(order.vertex_count())); !s) return s;
  std::fill(xyz.begin(), xyz.end(), Real{0});
  // Of several pins at a vertex, one after the other.
  Vec3d sum{};
  int32_t slot = -1;
  for (const Reaction& r : engine.method.stepper->reactions(engine.state())) {
    sum = r.slot == slot ? sum + r.force : r.force;
    slot = r.slot;
    put(xyz, static_cast<size_t>(order.vertex(Slot{slot})), sum);
  }
  return {};
}

template <class Real>
Status read_probes(const Engine& engine, std::span<Real> xyz) {
  const std::vector<ProbePart>& probes = engine.compiled.probes;
  if (Status s = check_length("xyz", xyz.size(), 3 * probes.size()); !s) return s;
  const VertexOrder& order = engine.compiled.model.order;
  for (size_t k = 0; k < probes.size(); ++k) {
    const Real3 place =
        probes[k].place([&](int32_t v) { return engine.state().x[static_cast<size_t>(order.slot(UserVertex{v}))]; });
    put(xyz, k, {place[0], place[1], place[2]});
  }
  return {};
}

Result<const ObjectPart*> part_of(const Engine& engine, int32_t object) {
  const std::vector<ObjectPart>& parts = engine.compiled.objects;
  if (object < 0 || static_cast<size_t>(object) >= parts.size())
    return Error{"object", format("%d: there are %zu objects", object, parts.size()), "they are numbered from 0"};
  return &parts[static_cast<size_t>(object)];
}

Result<const Skin*> skin_of(const Engine& engine, int32_t object) {
  const Result<const ObjectPart*> part = part_of(engine, object);
  if (!part) return part.error();
  if (!(*part)->skin) return Error{"object", format("%d has no skin", object), "read its surface"};
  return (*part)->skin.get();
}

template <class Real>
Status read_skin(const Engine& engine, int32_t object, std::span<Real> xyz) {
  const Result<const Skin*> found = skin_of(engine, object);
  if (!found) return found.error();
  const Skin& skin = **found;
  const size_t points = skin.point_count();
  if (Status s = check_length("xyz", xyz.size(), 3 * points * static_cast<size_t>(skin.bodies)); !s) return s;
  const VertexOrder& order = engine.compiled.model.order;
  for (int32_t body = 0; body < skin.bodies; ++body) {
    const int32_t first = engine.objects[static_cast<size_t>(object)].first_vertex + body * skin.body_vertices;
    for (size_t k = 0; k < points; ++k) {
      const Vec3d p = skin.sum(k, [&](int32_t c) {
        const UserVertex v{first + skin.carriers[static_cast<size_t>(c)]};
        return engine.state().x[static_cast<size_t>(order.slot(v))];
      });
      put(xyz, static_cast<size_t>(body) * points + k, p);
    }
  }
  return {};
}

Energies energies_of(Engine& engine) {
  const StepProblem& problem = engine.method.stepper->problem_at(engine.state());
  Energies kinds = energies(engine.compiled.model, engine.state().x, engine.state().v, activations(engine),
                            problem.load, engine.pool);
  for (const GrabScript& grab : engine.method.stepper->grabs())
    if (!is_removed(grab)) kinds.grabs += energy_of(grab, engine.state().x);
  if (problem.contacts) kinds.contact = add_contact_terms(problem, engine.state().x, engine.pool, {}).energy;
  return kinds;
}

std::vector<ContactPoint> contacts_of(Engine& engine) {
  std::vector<ContactPoint> points;
  const Contacts* const contacts = engine.method.stepper->problem_at(engine.state()).contacts;
  if (!contacts) return points;
  const ContactSurface& surface = contacts->surface();
  const auto as_real3 = [](Vec3d a) { return Real3{a.x, a.y, a.z}; };
  std::vector<Contact> found;
  contacts->find(engine.state().x, engine.pool, found, nullptr);
  for (const Contact& contact : found) {
    const ContactNumbers<double>& n = contact.numbers;
    if (!(n.distance < n.law.radius)) continue;
    ContactPoint& point = points.emplace_back();
    point.position = as_real3(contact.place);
    point.normal = as_real3(n.normal);
    point.force = as_real3(contact_force(n, Vec3d{}).force);
    point.gap = n.distance;
    const std::array<SideOfContact, 2> sides = sides_of(surface, contact);
    point.first = sides[0].object;
    point.second = sides[1].object;
  }
  return points;
}

template Status read_vertices(const Engine&, std::span<const Vec3d>, std::span<double>);
template Status read_vertices(const Engine&, std::span<const Vec3d>, std::span<float>);
template Status read_elements(Engine&, ElementQuantity, std::span<double>);
template Status read_elements(Engine&, ElementQuantity, std::span<float>);
template Status read_reactions(Engine&, std::span<double>);
template Status read_reactions(Engine&, std::span<float>);
template Status read_probes(const Engine&, std::span<double>);
template Status read_probes(const Engine&, std::span<float>);
template Status read_skin(const Engine&, int32_t, std::span<double>);
template Status read_skin(const Engine&, int32_t, std::span<float>);

}  // namespace sinew
