// Runs scenes with 4 lanes on one thread, as a page does, and prints a line for each.
//
//   sinew_web_reference hash            the hash after the steps
//   sinew_web_reference time            the mean CPU time of a step [ms] after as many steps to warm up
//
// Reads from standard input, a line each: the number of steps, a blank, the scene on one line.
#include <sys/resource.h>

#include <cstdio>
#include <iostream>
#include <string>

#include "sinew/lanes.h"
#include "sinew/scene_file.h"
#include "sinew/simulation.h"

namespace {

int complain(const sinew::Error& error) {
  std::fprintf(stderr, "%s\n", error.message().c_str());
  return 1;
}

double cpu_milliseconds() {
  rusage used;
  getrusage(RUSAGE_SELF, &used);
  const auto ms = [](const timeval& t) {
    return 1e3 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_usec);
  };
  return ms(used.ru_utime) + ms(used.ru_stime);
}

}  // namespace

int main(int count, char** words) {
  const std::string what = count == 2 ? words[1] : "";
  if (what != "hash" && what != "time") return complain({"usage", "sinew_web_reference hash|time", ""});
  if (const auto s = sinew::set_lanes(4); !s) return complain(s.error());
  std::string line;
  while (std::getline(std::cin, line)) {
    const size_t blank = line.find(' ');
    const int steps = std::stoi(line.substr(0, blank));
    const auto scene = sinew::parse_scene(line.substr(blank + 1), "scene", "");
    if (!scene) return complain(scene.error());
    auto simulation = sinew::Simulation::create(*scene, 1);
    if (!simulation) return complain(simulation.error());
    const auto run = [&] {
      for (int k = 0; k < steps; ++k)
        if (const auto report = simulation->step(); !report) return complain(report.error());
      return 0;
    };
    if (run() != 0) return 1;
    if (what == "hash") {
      std::printf("%016llx\n", static_cast<unsigned long long>(simulation->hash()));
    } else {
      const double before = cpu_milliseconds();
      if (run() != 0) return 1;
      std::printf("%.6f\n", (cpu_milliseconds() - before) / steps);
    }
    std::fflush(stdout);
  }
  return 0;
}
