// A simulation whose meshes are read from disk.
#include "drive/disk_files.h"
#include "engine/engine.h"
#include "sinew/simulation.h"

namespace sinew {

Result<Simulation> Simulation::create(const Scene& scene, int threads) {
  Result<std::unique_ptr<Engine>> engine = Engine::create(scene, DiskFiles(), threads);
  if (!engine) return engine.error();
  return Simulation(std::move(*engine));
}

}  // namespace sinew
