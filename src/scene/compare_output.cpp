// What a comparison leaves in a folder (sinew/compare.h).
#include <system_error>

#include "io/atomic_file.h"
#include "io/gnuplot.h"
#include "record/convergence.h"
#include "record/convergence_plot.h"
#include "record/file_error.h"
#include "scene/recording.h"
#include "sinew/compare.h"

namespace sinew {
namespace {

// Both formats of a figure, if there is something on it; the first failure stays, and further figures are not tried.
void draw(const LineFigure& figure, const std::filesystem::path& folder, const std::string& name,
          ComparisonFiles& files) {
  if (figure.panels.empty()) return;
  for (const auto& [form, suffix] : {std::pair{FigureFormat::svg, ".svg"}, std::pair{FigureFormat::png, ".png"}}) {
    if (files.no_figures) return;
    const std::filesystem::path target = folder / (name + suffix);
    if (Status s = draw_with_gnuplot(figure_script(figure, form), target); !s)
      files.no_figures = s.error();
    else
      files.written.push_back(target);
  }
}

}  // namespace

std::string comparison_table(const Comparison& comparison) {
  return comparison_text(comparison);
}

Result<ComparisonFiles> write_comparison(const Comparison& comparison, const std::filesystem::path& folder,
                                         bool with_figures) {
  std::error_code fault;
  std::filesystem::create_directories(folder, fault);
  if (fault) return file_error(folder, "the folder cannot be made", fault.value());

  // An earlier comparison's figures and runs must not pass for this one's.
  if (std::filesystem::exists(folder / "comparison.json", fault)) {
    if (!comparison.recorded)
      if (Status s = remove_compared_runs(folder); !s) return s.error();
    for (const char* name : {"convergence", "trajectory"})
      for (const char* suffix : {".csv", ".svg", ".png"})
        std::filesystem::remove(folder / (std::string(name) + suffix), fault);
  }

  ComparisonFiles files;
  const auto write = [&](const char* name, const std::string& text) -> Status {
    files.written.push_back(folder / name);
    return write_file_atomically(files.written.back(), text);
  };
  const bool several = comparison.steps > 1;
  if (Status s = write("comparison.json", comparison_json(comparison)); !s) return s.error();
  if (Status s = write("convergence.csv", convergence_csv(comparison)); !s) return s.error();
  if (several) {
    if (Status s = write("trajectory.csv", trajectory_csv(comparison)); !s) return s.error();
  }
  if (with_figures) draw(convergence_figure(comparison), folder, "convergence", files);
  if (with_figures && several) draw(trajectory_figure(comparison), folder, "trajectory", files);
  return files;
}

}  // namespace sinew
