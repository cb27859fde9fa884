// The files of a run, for comparison with those of another.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "files/read_file.h"

namespace sinew::support {

// Every file below a run's folder with its content, except those with dates and times: run.json and stats.csv.
inline std::map<std::string, std::string> lasting_files(const std::filesystem::path& run) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(run)) {
    const std::string name = entry.path().lexically_relative(run).string();
    if (entry.is_regular_file() && name != "run.json" && name != "stats.csv")
      files[name] = read_file(entry.path()).value();
  }
  return files;
}

}  // namespace sinew::support
