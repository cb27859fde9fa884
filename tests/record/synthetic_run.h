// Two boxes that swing by an artificial rule: a run without a solver. Every value depends on everything in a
// checkpoint, so that any loss shows in the next frames.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "mesh/generators.h"
#include "mesh/topology.h"
#include "record/recorder.h"
#include "support/body.h"

namespace sinew {

struct SyntheticRun {
  TetMesh mesh;
  std::vector<RecordedObject> objects;
  Model model;
  State state;        // the state that a simulation would advance
  int64_t frame = 0;  // the frame of the state
  int substeps = 2;
  double frame_dt = 1.0 / 30;

  explicit SyntheticRun(int cells = 3) {
    add_box("block", cells, {0, 0, 0});
    add_box("second one/ä", cells + 1, {2, 0, 0});
    compile();
  }

  static ThreadPool& pool() {
    static ThreadPool one(1);
    return one;
  }

  // Call after a change of the mesh.
  void compile() {
    model = support::body_of(mesh).compile();
    state = rest_state(model);
  }

  void add_box(const std::string& name, int cells, Vec3d origin) {
    const TetMesh box = make_box({{cells, cells, cells}, {1, 1, 1}, origin, TetSplit::five}).value();
    RecordedObject object;
    object.name = name;
    object.first_vertex = static_cast<int32_t>(mesh.vertices.size());
    object.first_tet = static_cast<int32_t>(mesh.tets.size());
    mesh.vertices.insert(mesh.vertices.end(), box.vertices.begin(), box.vertices.end());
    for (const Tet& t : box.tets) {
      const int32_t o = object.first_vertex;
      mesh.tets.push_back({o + t[0], o + t[1], o + t[2], o + t[3]});
      mesh.regions.push_back(static_cast<int32_t>(mesh.tets.size() % 3));
    }
    object.last_vertex = static_cast<int32_t>(mesh.vertices.size());
    object.last_tet = static_cast<int32_t>(mesh.tets.size());
    for (const Triangle& t : extract_boundary(box).triangles) {
      const int32_t o = object.first_vertex;
      object.boundary.push_back({o + t[0], o + t[1], o + t[2]});
      object.materials.push_back(static_cast<int32_t>(object.boundary.size() % 3));
    }
    objects.push_back(std::move(object));
  }

  RunDescription description(const std::filesystem::path& folder) const {
    RunDescription d;
    d.folder = folder;
    d.model = &model;
    d.objects = objects;
    d.regions = mesh.regions;
    d.pool = &pool();
    d.info.scene_json = R"({"name": "synthetic", "solver": {"type": "none"}})";
    d.info.version = "0.1.0";
    d.info.commit = "0123456";
    d.info.command = "sinew run synthetic.json -o out";
    d.info.frame_dt = frame_dt;
    d.info.setup_milliseconds = {{"mesh", 1.5}};
    d.options.mdd = true;
    d.options.checkpoint_every = 4;
    return d;
  }

  void go_on(const Checkpoint& checkpoint) {
    state = checkpoint.state;
    frame = checkpoint.frame;
  }

  void step() {
    const double h = frame_dt / substeps;
    for (size_t k = 0; k < state.x.size(); ++k) {
      const Vec3d x = state.x[k], v = state.v[k];
      state.v[k] = 0.95 * v + h * Vec3d{std::sin(3 * x.y + state.time), -x.y * 2, 0.1 * std::cos(x.x + state.fall[k])};
      state.fall[k] = 0.9 * state.fall[k] + 0.02 * v.y;
      state.x[k] = x + h * state.v[k];
    }
    ++state.step;
    state.time = static_cast<double>(state.step) * h;
  }

  StatsRow row() const {
    StatsRow r;
    r.step = state.step;
    r.time = state.time;
    r.frame = frame + 1;
    r.iterations = 10;
    r.status = SolveStatus::budget;
    r.residual = state.v[5].y;
    r.energy = state.x[7].x;
    r.ms(Stage::solve) = 1.25;
    return r;
  }

  // Position of a vertex by the user's index.
  Vec3d& x(size_t v) { return state.x[static_cast<size_t>(model.order.slot(UserVertex{static_cast<int32_t>(v)}))]; }

  FrameData frame_data() const {
    FrameData d;
    d.frame = frame;
    d.time = state.time;
    d.step = state.step;
    d.x = state.x;
    d.v = state.v;
    return d;
  }

  // Runs and records up to frame `last`; records the start if the run is at frame 0 and nothing was written.
  Status run_to(Recorder& recorder, int64_t last) {
    if (recorder.progress().last_frame < 0)
      if (Status status = recorder.write_frame(frame_data()); !status) return status;
    while (frame < last) {
      for (int k = 0; k < substeps; ++k) {
        step();
        recorder.add_stats(row());
      }
      ++frame;
      if (Status status = recorder.write_frame(frame_data()); !status) return status;
      if (recorder.checkpoint_due(frame))
        if (Status status = recorder.write_checkpoint(state, "", frame); !status) return status;
    }
    return {};
  }
};

}  // namespace sinew
