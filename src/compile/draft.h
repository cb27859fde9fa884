// A partly compiled scene, which the stages of compiling (bodies, springs, muscles, loads, bindings, contacts, pins)
// read and extend. A new kind of thing in scenes is a new stage in a file of its own, and a line in compile.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "base/result.h"
#include "compile/compile.h"
#include "compile/scene_files.h"
#include "exec/thread_pool.h"
#include "mesh/tet_mesh.h"
#include "model/model.h"
#include "sinew/scene.h"

namespace sinew {

struct Draft {
  Draft(const Scene& of, const SceneFiles& its_files, ThreadPool& threads)
      : scene(of), files(its_files), pool(threads) {}

  const Scene& scene;
  const SceneFiles& files;
  ThreadPool& pool;

  CompiledScene out;
  TetMesh mesh;            // of all objects, in world coordinates and user order
  ModelInput input;        // the input from which the model is made
  double skin_points = 0;  // total of all skins
  // The number of tets in an object's mesh before the repair, and those that were kept; one entry for each of
  // out.objects.
  struct KeptTets {
    size_t in_file = 0;
    std::vector<int32_t> kept;  // empty: all
  };
  std::vector<KeptTets> kept_tets;
  // By material, owner, dimension, whether they are on the grid, and whether they are quadratic.
  std::map<std::tuple<std::string, std::string, int, bool, bool>, int32_t> blocks;

  SceneFolder folder() const { return {files, scene.base_folder}; }
  Error fault(const std::string& line, const std::string& remedy = "") const { return {scene.source, line, remedy}; }
  // An error below a path.
  Error fault(const std::string& path, const Error& error) const;
  void warn(std::string sentence) { out.warnings.push_back(std::move(sentence)); }

  const ObjectPart& part(const std::string& object) const;
  // Vertices in user order, ascending.
  Result<std::vector<int32_t>> select(const Selection& selection, const std::string& object,
                                      const std::string& path) const;
  // To be called once there is a model.
  int32_t slot_of(int32_t vertex) const { return static_cast<int32_t>(out.model.order.slot(UserVertex{vertex})); }
};

}  // namespace sinew
