// What a state holds of energy, by kind (sinew/report.h).
#pragma once

#include <span>

#include "exec/thread_pool.h"
#include "model/model.h"
#include "sinew/report.h"

namespace sinew {

// x, v: per slot [m], [m/s]; activation: of each muscle [-]; load: what changes of the loads, per slot [N], or empty.
// The same bits for any number of threads.
Energies energies(const Model& model, std::span<const Vec3d> x, std::span<const Vec3d> v,
                  std::span<const double> activation, std::span<const Vec3d> load, ThreadPool& pool);

}  // namespace sinew
