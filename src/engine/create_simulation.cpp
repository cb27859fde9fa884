#include "engine/create_simulation.h"

#include "engine/engine.h"
#include "engine/live_checkpoint.h"

namespace sinew {

Result<Simulation> create_simulation(const Scene& scene, std::shared_ptr<const SceneFiles> files,
                                     std::shared_ptr<ThreadPool> pool, const Listener<Progress>& on_setup) {
  bool stopped = false;
  const ProgressListener progress = [&](const char* what, double share) {
    if (!stopped && !on_setup(Progress{what, share})) stopped = true;
    return !stopped;
  };
  Result<std::unique_ptr<Engine>> engine = Engine::create(scene, std::move(files), std::move(pool), progress);
  if (stopped) return Error{"the simulation", "was interrupted during its set-up", ""};
  if (!engine) return engine.error();
  return Simulation(std::move(*engine));
}

Result<Simulation> resume_simulation(std::string_view checkpoint, std::shared_ptr<const SceneFiles> files,
                                     std::shared_ptr<ThreadPool> pool) {
  const Result<LiveCheckpoint> read = decode_live_checkpoint(checkpoint);
  if (!read) return read.error();
  Result<std::unique_ptr<Engine>> engine =
      Engine::create(read->live.scene, std::move(files), std::move(pool), {}, Beginning::resume);
  if (!engine) return engine.error();
  if (Status s = go_on(**engine, *read); !s) return s.error();
  return Simulation(std::move(*engine));
}

}  // namespace sinew
