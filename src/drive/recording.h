// How a scene's runs are kept in folders: one run in a folder of its own, those of a comparison in the folder of that.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "compile/compile.h"
#include "exec/thread_pool.h"
#include "record/recorder.h"
#include "sinew/scene.h"

namespace sinew {

// A description of what the scene says of its output, without folder and command. Takes the surfaces and regions out of
// the compiled scene, which are large and only needed there; the rest of it must outlive the recorder.
RunDescription describe_run(const Scene& scene, CompiledScene& compiled, ThreadPool& pool);

// FOLDER/runs/NN LABEL
std::filesystem::path compared_run(const std::filesystem::path& folder, size_t number, const std::string& label);
// Makes FOLDER/runs and puts the run on the folder's list. Errors: files of others or links in the way, no permission.
Status claim_compared_run(const std::filesystem::path& folder, const std::filesystem::path& run);
// Those that are there, in order; empty where the folder is not that of a comparison.
std::vector<std::filesystem::path> compared_runs(const std::filesystem::path& folder);
// Removes those on the folder's list, also what a killed comparison left, and nothing else that lies there. Errors:
// links in the way, no permission.
Status remove_compared_runs(const std::filesystem::path& folder);
// All that a comparison may write into its folder, but for runs and what is rendered of them.
std::vector<std::string> comparison_names();
// The label, as far as it can be part of a path.
std::string compared_name(const std::filesystem::path& run);

}  // namespace sinew
