// What a comparison leaves in a folder (sinew/compare.h).
#include <system_error>

#include "drive/recording.h"
#include "files/atomic_file.h"
#include "files/gnuplot.h"
#include "record/convergence.h"
#include "record/convergence_plot.h"
#include "record/file_error.h"
#include "record/manifest.h"
#include "sinew/compare.h"
#include "sinew/folder.h"

namespace sinew {
namespace {

// Both formats of a figure, if there is something on it; the first failure stays, and further figures are not tried.
void draw(const LineFigure& figure, Manifest& manifest, const std::string& name, const std::atomic<bool>* interrupt,
          ComparisonFiles& files) {
  if (figure.panels.empty()) return;
  for (const auto& [form, suffix] : {std::pair{FigureFormat::svg, ".svg"}, std::pair{FigureFormat::png, ".png"}}) {
    if (files.no_figures) return;
    const std::filesystem::path target = manifest.folder() / (name + suffix);
    if (Status s = manifest.claim(name + suffix); !s)
      files.no_figures = s.error();
    else if (s = draw_with_gnuplot(figure_script(figure, form), target, "gnuplot", interrupt); !s)
      files.no_figures = s.error();
    else
      files.written.push_back(target);
  }
}

}  // namespace

Status check_comparison_folder(const std::filesystem::path& folder) {
  if (Status s = check_writable(folder); !s) return s;
  return check_folder(folder, FolderKind::comparison, comparison_names());
}

std::string comparison_table(const Comparison& comparison) {
  return comparison_text(comparison);
}

Result<ComparisonFiles> write_comparison(const Comparison& comparison, const std::filesystem::path& folder,
                                         bool with_figures, const std::atomic<bool>* interrupt) {
  if (Status s = check_folder(folder, FolderKind::comparison, comparison_names()); !s) return s.error();
  std::error_code fault;
  std::filesystem::create_directories(folder, fault);
  if (fault) return file_error(folder, "the folder cannot be made", fault.value());

  // An earlier comparison's figures and runs must not pass for this one's.
  if (!comparison.recorded)
    if (Status s = remove_compared_runs(folder); !s) return s.error();
  Result<Manifest> manifest = Manifest::open(folder, FolderKind::comparison);
  if (!manifest) return manifest.error();
  const std::vector<std::string> names = comparison_names();
  manifest->remove_abandoned(names);
  for (const std::string& name : names)
    if (Status s = manifest->remove(name); !s) return s.error();

  ComparisonFiles files;
  const auto write = [&](const std::string& name, const std::string& text) -> Status {
    if (Status s = manifest->claim(name); !s) return s;
    files.written.push_back(folder / name);
    return write_file_atomically(files.written.back(), text);
  };
  const bool several = comparison.steps > 1;
  if (Status s = write("comparison.json", comparison_json(comparison)); !s) return s.error();
  if (Status s = write("convergence.csv", convergence_csv(comparison)); !s) return s.error();
  if (several) {
    if (Status s = write("trajectory.csv", trajectory_csv(comparison)); !s) return s.error();
  }
  if (with_figures) draw(convergence_figure(comparison), *manifest, "convergence", interrupt, files);
  if (with_figures && several) draw(trajectory_figure(comparison), *manifest, "trajectory", interrupt, files);
  return files;
}

}  // namespace sinew
