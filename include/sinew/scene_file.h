// Scenes as JSON: reading, overriding, writing, and the documentation of every key.
//
// The format is JSON with // and /* */ comments. Keys, types, ranges and words are checked strictly: an Error names the
// file, the path of the key, the value, the allowed values and the nearest valid word, for all faults at once.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "sinew/result.h"
#include "sinew/scene.h"

namespace sinew {

// Each override is "path=value", e.g. "solver.iterations=40", "pins.0.release=1", "gravity=[0, 0, -9.81]",
// "gravity.1=0": it replaces or adds the value before anything is checked. A value that is not JSON is taken as text:
// "solver.type=newton". A new material may be given key by key if an object uses it.
Result<Scene> read_scene(const std::filesystem::path& path, std::span<const std::string> overrides = {});

// `name` replaces the file name in errors. Relative paths in the scene are relative to `base_folder`. Given the text of
// a run.json, returns the scene that was run.
Result<Scene> parse_scene(std::string_view text, const std::string& name, const std::string& base_folder,
                          std::span<const std::string> overrides = {});

// The scene with every default written out, as JSON that reads back as the same scene, including the defaults of unset
// solver and accelerator options.
std::string resolved_json(const Scene& scene);

// Solver settings for another method: keeps the accelerator and the options common to all solvers, drops the solver's
// own.
SolverSettings with_solver(const SolverSettings& settings, std::string_view type);

// The JSON Schema of a scene file (draft-07, the best supported by editors), and the reference of every key as
// Markdown.
std::string scene_schema();
std::string scene_reference();

}  // namespace sinew
