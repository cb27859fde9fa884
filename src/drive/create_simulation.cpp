// A simulation whose meshes are read from disk.
#include "drive/disk_files.h"
#include "drive/watching.h"
#include "engine/engine.h"
#include "engine/live_checkpoint.h"
#include "sinew/simulation.h"

namespace sinew {

Result<Simulation> Simulation::create(const Scene& scene, int threads, const Listener<Progress>& on_setup) {
  Watching watching(nullptr);
  Result<std::unique_ptr<Engine>> engine =
      Engine::create(scene, std::make_shared<DiskFiles>(), threads, watching.progress(on_setup));
  if (watching.stopped()) return Error{"the simulation", "was interrupted during its set-up", ""};
  if (!engine) return engine.error();
  return Simulation(std::move(*engine));
}

Result<Simulation> Simulation::resume(std::string_view checkpoint, int threads) {
  const Result<LiveCheckpoint> read = decode_live_checkpoint(checkpoint);
  if (!read) return read.error();
  Result<std::unique_ptr<Engine>> engine =
      Engine::create(read->live.scene, std::make_shared<DiskFiles>(), threads, {}, Beginning::resume);
  if (!engine) return engine.error();
  if (Status s = go_on(**engine, *read); !s) return s.error();
  return Simulation(std::move(*engine));
}

}  // namespace sinew
