// The energy and forces of contacts (contact/find_contacts.h), in double precision and found anew at the positions.
#pragma once

#include <span>

#include "contact/find_contacts.h"
#include "exec/thread_pool.h"
#include "model/step_problem.h"

namespace sinew {

struct ContactSums {
  double energy = 0;         // [J]
  double friction_work = 0;  // [J] of friction in the step, on what has slipped; never positive
  ContactCounts counts;
};
// The gradient [N], friction included, is added to g, by slot, where there is one.
ContactSums add_contact_terms(const StepProblem& problem, std::span<const Vec3d> x, ThreadPool& pool,
                              std::span<Vec3d> g);

// [J] What a line search adds to the energy for friction, which has no potential: sum mu lambda f0(|u|), f0' = f1, with
// lambda and the directions frozen where the contacts were found, at `found_at`.
double friction_merit(std::span<const Contact> contacts, std::span<const Vec3d> x, std::span<const Vec3d> found_at);

// [J] The energy of contacts with directions and shares as they were found at `found_at`: near there, their forces are
// its gradient.
double energy_as_found(std::span<const Contact> contacts, std::span<const Vec3d> x, std::span<const Vec3d> found_at);

}  // namespace sinew
