// Scenes as JSON: reading, overriding, writing out, and the description of every key.
//
// The format is JSON with // and /* */ comments. Keys, types, ranges and words are strict: an Error names the file, the
// path of the key, the value, what is allowed and the nearest valid word, for all faults at once.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "sinew/result.h"
#include "sinew/scene.h"

namespace sinew {

// Each override is "path=value", e.g. "solver.iterations=40", "pins.0.release=1", "gravity=[0, 0, -9.81]",
// "gravity.1=0": it replaces or adds that value before anything is checked. What is not JSON is taken as text:
// "solver.type=newton". A new material may be given part by part if an object is made of it.
Result<Scene> read_scene(const std::filesystem::path& path, std::span<const std::string> overrides = {});

// `name` stands for the file in errors. Relative paths in the scene are against `base_folder`. The text of a run.json
// stands for the scene that was run.
Result<Scene> parse_scene(std::string_view text, const std::string& name, const std::string& base_folder,
                          std::span<const std::string> overrides = {});

// The scene with every default written out, as JSON that reads back as the same scene. Options of the solver and the
// accelerator that the scene leaves open are written with their defaults.
std::string resolved_json(const Scene& scene);

// Solver settings for another method: options that all solvers share are kept, a solver's own dropped. The accelerator
// stays.
SolverSettings with_solver(const SolverSettings& settings, std::string_view type);

// JSON Schema (draft-07, which editors know best) of a scene file, and the reference page of every key as Markdown.
std::string scene_schema();
std::string scene_reference();

}  // namespace sinew
