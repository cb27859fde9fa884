#include "objective/contact_terms.h"

#include "contact/contacts.h"

namespace sinew {

ContactSums add_contact_terms(const StepProblem& problem, std::span<const Vec3d> x, ThreadPool& pool,
                              std::span<Vec3d> g) {
  std::vector<Contact> contacts;
  ContactSums sums;
  problem.contacts->find(x, pool, contacts, &sums.counts);
  for (const Contact& contact : contacts) {
    const ContactNumbers<double>& n = contact.numbers;
    sums.energy += contact_energy(n, Vec3d{});
    const ContactForce<double> on_c = contact_force(n, Vec3d{});
    const Vec3d u = n.slip - dot(n.normal, n.slip) * n.normal;
    sums.friction_work += dot(u, on_c.force);
    if (g.empty()) continue;
    for (size_t j = 0; j < 4; ++j)
      if (contact.slots[j] >= 0) g[static_cast<size_t>(contact.slots[j])] -= n.weights[j] * on_c.force;
  }
  return sums;
}

}  // namespace sinew
