#include "objective/contact_terms.h"

#include <algorithm>
#include <cmath>

#include "contact/contacts.h"

namespace sinew {

namespace {

// [J] What friction takes; a spring that is stretched gives it back.
double friction_work(const ContactNumbers<double>& n, Vec3d force) {
  const Vec3d u = n.slip - dot(n.normal, n.slip) * n.normal;
  const double work = dot(u, force), spring = n.share * n.hold;
  if (spring == 0) return work;
  const Vec3d across = force - dot(n.normal, force) * n.normal;
  return std::min(work + dot(across, across) / spring, 0.0);
}

}  // namespace

ContactSums add_contact_terms(const StepProblem& problem, std::span<const Vec3d> x, ThreadPool& pool,
                              std::span<Vec3d> g) {
  std::vector<Contact> contacts;
  ContactSums sums;
  problem.contacts->find(x, pool, contacts, &sums.counts);
  for (const Contact& contact : contacts) {
    const ContactNumbers<double>& n = contact.numbers;
    sums.energy += contact_energy(n, Vec3d{});
    const ContactForce<double> on_c = contact_force(n, Vec3d{});
    sums.friction_work += friction_work(n, on_c.force);
    if (g.empty()) continue;
    for (size_t j = 0; j < 4; ++j)
      if (contact.slots[j] >= 0) g[static_cast<size_t>(contact.slots[j])] -= n.weights[j] * on_c.force;
  }
  return sums;
}

namespace {

// sum s_j (x_j - x_j^0) since the contact was found.
Vec3d change_of(const Contact& contact, std::span<const Vec3d> x, std::span<const Vec3d> found_at) {
  Vec3d change{};
  for (size_t j = 0; j < 4; ++j) {
    if (contact.slots[j] < 0) continue;
    const auto s = static_cast<size_t>(contact.slots[j]);
    change += contact.numbers.weights[j] * (x[s] - found_at[s]);
  }
  return change;
}

}  // namespace

double friction_merit(std::span<const Contact> contacts, std::span<const Vec3d> x, std::span<const Vec3d> found_at) {
  double sum = 0;
  for (const Contact& contact : contacts) {
    const ContactNumbers<double>& n = contact.numbers;
    if (!(n.friction > 0)) continue;
    const Vec3d w = n.slip + change_of(contact, x, found_at), u = w - dot(n.normal, w) * n.normal;
    const double y = std::sqrt(dot(u, u)), most = -n.friction * n.share * law_slope(n.law, n.distance).slope;
    // The length at which it slips at last.
    const double e = n.hold > 0 ? most / (n.share * n.hold) : n.creep;
    if (n.hold > 0) {
      sum += y < e ? n.share * n.hold / 2 * y * y : most * (y - e / 2);
    } else {
      sum += most * (y < e ? y * y / e - y * y * y / (3 * e * e) : y - e / 3);
    }
  }
  return sum;
}

double energy_as_found(std::span<const Contact> contacts, std::span<const Vec3d> x, std::span<const Vec3d> found_at) {
  double sum = 0;
  for (const Contact& contact : contacts) sum += contact_energy(contact.numbers, change_of(contact, x, found_at));
  return sum;
}

}  // namespace sinew
