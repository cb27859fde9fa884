// A plan of a bar of 40 tets, held at one end, whose other end is moved.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "io/says.h"
#include "io/temporary_folder.h"
#include "sinew/dataset.h"

namespace sinew {

class SmallPlan : public TemporaryFolder {
 protected:
  static std::string scene(const std::string& more = "") {
    return R"({
      "sinew": 1, "name": "bar", "time": { "integrator": "quasistatic", "frame_dt": 0.05, "duration": 0.2 },
      "solver": { "type": "multilevel", "precision": "double" },
      "materials": { "rubber": { "youngs_modulus": 1e4, "poisson_ratio": 0.3, "density": 1000 } },
      "objects": { "bar": { "mesh": { "box": { "size": [0.4, 0.1, 0.1], "cells": [8, 1, 1] } }, "material": "rubber" } },
      "pins": [
        { "object": "bar", "select": { "plane": { "point": [0, 0, 0], "normal": [-1, 0, 0] } } },
        { "object": "bar", "select": { "plane": { "point": [0.4, 0, 0], "normal": [1, 0, 0] } },
          "motion": { "keyframes": [{ "time": 0 }, { "time": 0.2, "translate": [0, -0.05, 0] }] } }
      ],
      "probes": { "middle": { "object": "bar", "select": { "box": { "min": [0.2, 0, 0], "max": [0.2, 0.1, 0.1] } } } })" +
           more + "}";
  }
  static std::string parameters() {
    return R"({
      "lift": { "path": "pins.1.motion.keyframes.1.translate.1", "range": [-0.1, 0.1] },
      "stiffness": { "path": "materials.rubber.youngs_modulus", "range": [1e4, 1e5], "scale": "log" }
    })";
  }
  // `more`: further members, e.g. ", \"samples\": 20".
  static std::string plan_text(const std::string& more, const std::string& with_parameters = parameters(),
                               const std::string& with_scene = scene()) {
    return "{ \"dataset\": 1, \"scene\": " + with_scene + ", \"parameters\": " + with_parameters + more + "}";
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder() / name, std::ios::binary) << text;
  }
  Result<DatasetPlan> read(const std::string& text, const std::vector<std::string>& overrides = {}) const {
    write("plan.json", text);
    return read_dataset_plan(folder() / "plan.json", overrides);
  }
};

}  // namespace sinew
