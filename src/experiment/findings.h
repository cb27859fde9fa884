// The measurements of an experiment's runs, by name:
//   RUN.METHOD.MEASURE         a series over the iterations of the first step: residual, energy, error, ...
//   RUN.METHOD.frames.MEASURE  a series over the steps or frames
//   RUN.METHOD.NUMBER          a number: ms_per_iteration, setup_ms, diverged, refused, ...
//   RUN.NUMBER                 a number: vertices, tets, vertex_colors, element_colors, ...
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sinew/comparison.h"

namespace sinew {

// One measure along a solve or a simulation. All three have the same length.
struct Series {
  std::vector<double> place;         // the iteration, or the simulated time [s]
  std::vector<double> milliseconds;  // spent so far
  std::vector<double> value;
};

struct Findings {
  std::map<std::string, Series, std::less<>> series;
  std::map<std::string, double, std::less<>> numbers;
};

// The colours of a run's mesh, as the papers count them.
struct MeshColors {
  double vertices = 0, tets = 0, vertex_colors = 0, element_colors = 0, most_tets_at_a_vertex = 0;
};
void add_colors(const std::string& run, const MeshColors& colors, Findings& findings);

// Adds a comparison under the name of its run.
void add_comparison(const std::string& run, const Comparison& comparison, Findings& findings);

}  // namespace sinew
