// A simulation whose meshes are read from disk.
#include "engine/create_simulation.h"

#include "drive/disk_files.h"

namespace sinew {

Result<Simulation> Simulation::create(const Scene& scene, int threads, const Listener<Progress>& on_setup) {
  return create_simulation(scene, std::make_shared<DiskFiles>(), std::make_shared<ThreadPool>(threads), on_setup);
}

Result<Simulation> Simulation::resume(std::string_view checkpoint, int threads) {
  return resume_simulation(checkpoint, std::make_shared<DiskFiles>(), std::make_shared<ThreadPool>(threads));
}

}  // namespace sinew
