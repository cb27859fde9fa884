// The outcome of an experiment: text for a terminal, files, and a page of many experiments.
#include <algorithm>
#include <cmath>
#include <system_error>

#include "base/format.h"
#include "base/nearest.h"
#include "drive/recording.h"
#include "files/atomic_file.h"
#include "files/read_file.h"
#include "record/file_error.h"
#include "record/machine.h"
#include "record/manifest.h"
#include "render/render.h"
#include "scene/json.h"
#include "sinew/compare.h"
#include "sinew/experiment.h"
#include "sinew/render.h"

namespace sinew {
namespace {

constexpr const char* bodies = "bodies.png";
constexpr int cell_width = 400, cell_height = 225;  // of one method's picture

std::string figure_text(const std::pair<std::string, double>& figure) {
  return figure.first + " = " +
         (std::isinf(figure.second)   ? "never"
          : std::isnan(figure.second) ? "not finite"
                                      : format("%.3g", figure.second));
}

// "over SIDE [m]: holds at 1, 2; not at 0.5"
std::string swept_text(const SweptVerdict& swept) {
  std::string at[2];
  for (const auto& [label, holds] : swept.holds) at[holds ? 0 : 1] += (at[holds ? 0 : 1].empty() ? "" : ", ") + label;
  std::string text = "over " + swept.over + ": ";
  if (!at[0].empty()) text += "holds at " + at[0];
  if (!at[1].empty()) text += (at[0].empty() ? "does not hold at " : "; not at ") + at[1];
  return text;
}

// Text for a cell of a Markdown table.
std::string cell(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '|') safe += '\\';
    safe += c == '\n' ? ' ' : c;
  }
  return safe;
}

// The beginning of every generated page: any other page belongs to the user.
constexpr const char* page_head =
    "# The papers' figures and tables, run again\n\nWritten by `sinew reproduce`; not by hand. ";

std::filesystem::path images_of(const std::filesystem::path& page) {
  return page.parent_path() / "images" / page.stem();
}
constexpr const char* picture_names[] = {"convergence.svg", "trajectory.svg", bodies};
std::string image_name(const std::string& experiment, const std::string& run, const char* name) {
  return joined({experiment, "-", run, "-", name});
}

// The existing page lists the images that it may replace.
Status check_image(const std::filesystem::path& image, const std::string& page_before) {
  std::error_code none;
  const std::filesystem::file_status status = std::filesystem::symlink_status(image, none);
  if (status.type() == std::filesystem::file_type::not_found) return {};
  if (status.type() == std::filesystem::file_type::symlink)
    return Error{image.string(), "is a symbolic link, and nothing is written through links", "remove the link"};
  if (page_before.find("/" + image.filename().string() + ")") == std::string::npos)
    return Error{image.string(), "is there already, and the page does not show it", "move it away"};
  return {};
}

// The existing page; empty if there is none.
Result<std::string> page_now(const std::filesystem::path& page) {
  std::error_code none;
  if (std::filesystem::symlink_status(page, none).type() == std::filesystem::file_type::not_found) return std::string();
  Result<std::string> text = read_file(page);
  if (text && !text->starts_with(page_head))
    return Error{page.string(), "is no page of `sinew reproduce`, and would be lost", "give another name"};
  for (const std::filesystem::path& folder : {images_of(page).parent_path(), images_of(page)})
    if (std::filesystem::is_symlink(folder, none))
      return Error{folder.string(), "is a symbolic link, and nothing is written through links", "remove the link"};
  return text;
}

std::string minutes(double seconds) {
  return seconds < 100 ? format("%.0f s", seconds) : format("%.1f min", seconds / 60);
}

// Draws the recorded frame of a comparison into its folder; false if there is nothing to draw.
Result<bool> draw_bodies(const std::filesystem::path& folder, int64_t frame, int methods) {
  if (!render_available() || compared_runs(folder).empty()) return false;
  // Cells of the same size, however many there are.
  const int columns = methods > 4 ? 3 : methods > 1 ? 2 : 1;
  FilmOptions settings;
  settings.width = columns * cell_width;
  settings.height = columns * cell_height;
  settings.frame = frame;
  const Result<FilmOutcome> still = render_run(folder, settings);
  if (!still) return still.error();
  Result<Manifest> manifest = Manifest::open(folder, FolderKind::comparison);
  if (!manifest) return manifest.error();
  if (Status s = manifest->claim(bodies); !s) return s.error();
  std::error_code fault;
  std::filesystem::rename(still->pictures, folder / bodies, fault);
  if (fault) return file_error(folder / bodies, "the picture cannot be put there", fault.value());
  std::filesystem::remove(still->pictures.parent_path(), fault);  // only if empty
  return true;
}

}  // namespace

std::string outcome_text(const ExperimentOutcome& outcome) {
  std::string text = outcome.experiment.name + ": " + outcome.experiment.title + " (" + outcome.experiment.source +
                     "), " + minutes(outcome.seconds) + "\n";
  for (const Verdict& v : outcome.verdicts) {
    text += (v.holds ? "  holds          " : "  does not hold  ") + v.claim.says + "\n";
    for (const auto& figure : v.figures) text += "                   " + figure_text(figure) + "\n";
    if (!v.claim.paper.empty()) text += "                   the paper: " + v.claim.paper + "\n";
    if (!v.holds && !v.claim.reason.empty()) text += "                   " + v.claim.reason + "\n";
    for (const SweptVerdict& swept : v.swept) text += "                   " + swept_text(swept) + "\n";
  }
  return text;
}

Status check_outcome_folder(const Experiment& experiment, const std::filesystem::path& folder) {
  const std::string own[] = {"result.json"};
  if (Status s = check_folder(folder, FolderKind::experiment, own); !s) return s;
  std::vector<std::string> names = comparison_names();
  names.emplace_back(bodies);
  for (const ExperimentRun& run : experiment.runs)
    if (Status s = check_folder(folder / run.name, FolderKind::comparison, names); !s) return s;
  return {};
}

Result<std::vector<std::filesystem::path>> write_outcome(const ExperimentOutcome& outcome,
                                                         const std::filesystem::path& folder, bool with_figures,
                                                         const std::atomic<bool>* interrupt) {
  if (Status s = check_outcome_folder(outcome.experiment, folder); !s) return s.error();
  std::error_code fault;
  std::filesystem::create_directories(folder, fault);
  if (fault) return file_error(folder, "the folder cannot be made", fault.value());
  Result<Manifest> own = Manifest::open(folder, FolderKind::experiment);
  if (!own) return own.error();
  std::vector<std::filesystem::path> written;
  for (const auto& [run, comparison] : outcome.comparisons) {
    const Result<ComparisonFiles> files = write_comparison(comparison, folder / run, with_figures, interrupt);
    if (!files) return files.error();
    if (files->no_figures) return *files->no_figures;
    written.insert(written.end(), files->written.begin(), files->written.end());
    const auto described = std::find_if(outcome.experiment.runs.begin(), outcome.experiment.runs.end(),
                                        [&, name = run](const ExperimentRun& r) { return r.name == name; });
    const Result<Manifest> manifest = Manifest::open(folder / run, FolderKind::comparison);
    if (!manifest) return manifest.error();
    if (Status s = manifest->remove(bodies); !s) return s.error();  // of an earlier run
    if (!with_figures || !described->picture) continue;
    // Where every method failed before that frame, the last that there is.
    size_t recorded = 0;
    for (const Curve& curve : comparison.curves) recorded = std::max(recorded, curve.trajectory.size());
    const Result<bool> drawn = draw_bodies(folder / run, std::min(*described->picture, static_cast<int64_t>(recorded)),
                                           static_cast<int>(described->methods.size()));
    if (!drawn) return drawn.error();
    if (*drawn) written.push_back(folder / run / bodies);
  }

  Json json = Json::object();
  json.add("format", "sinew experiment");
  json.add("name", outcome.experiment.name);
  json.add("title", outcome.experiment.title);
  json.add("source", outcome.experiment.source);
  json.add("full_size", outcome.full);
  json.add("seconds", outcome.seconds);
  json.add("cpu", this_machine().cpu);
  Json& claims = json.add("claims", Json::array());
  for (const Verdict& v : outcome.verdicts) {
    Json& claim = claims.add(Json::object());
    claim.add("says", v.claim.says);
    claim.add("holds", v.holds);
    claim.add("rule", v.claim.holds);
    if (!v.claim.paper.empty()) claim.add("paper", v.claim.paper);
    Json& figures = claim.add("figures", Json::object());
    for (const auto& [name, value] : v.figures) figures.add(name, value);
    if (v.swept.empty()) continue;
    Json& sweeps = claim.add("swept", Json::array());
    for (const SweptVerdict& swept : v.swept) {
      Json& sweep = sweeps.add(Json::object());
      sweep.add("over", swept.over);
      Json& values = sweep.add("holds", Json::object());
      for (const auto& [label, holds] : swept.holds) values.add(label, holds);
    }
  }
  if (Status s = own->claim("result.json"); !s) return s.error();
  written.push_back(folder / "result.json");
  if (Status s = write_file_atomically(written.back(), write_json(json)); !s) return s.error();
  return written;
}

Status check_reproduction_page(std::span<const Experiment> experiments, const std::filesystem::path& page) {
  const Result<std::string> before = page_now(page);
  if (!before) return before.error();
  for (const Experiment& experiment : experiments)
    for (const ExperimentRun& run : experiment.runs)
      for (const char* name : picture_names)
        if (Status s = check_image(images_of(page) / image_name(experiment.name, run.name, name), *before); !s)
          return s;
  return {};
}

Status write_reproduction_page(std::span<const ExperimentOutcome> outcomes, const std::filesystem::path& results,
                               const std::filesystem::path& page) {
  const std::filesystem::path images = images_of(page);
  const Result<std::string> before = page_now(page);
  if (!before) return before.error();
  std::error_code fault;
  std::filesystem::create_directories(images, fault);
  if (fault) return file_error(images, "the folder cannot be made", fault.value());

  size_t claims = 0, held = 0;
  double seconds = 0;
  for (const ExperimentOutcome& o : outcomes) {
    seconds += o.seconds;
    claims += o.verdicts.size();
    held += static_cast<size_t>(
        std::count_if(o.verdicts.begin(), o.verdicts.end(), [](const Verdict& v) { return v.holds; }));
  }
  const Machine machine = this_machine();
  std::string text = page_head;
  text += format("%zu experiments, %zu claims, of which %zu hold; %s on %s, %d cores.\n\n", outcomes.size(), claims,
                 held, minutes(seconds).c_str(), machine.cpu.c_str(), machine.cores);
  text +=
      "`sinew reproduce NAME` runs one of them, `--full` at the paper's size, `--sweep` also over the choices that a "
      "paper leaves open, and `--list` names them all. "
      "Each is described by `experiments/NAME.json`: scene, methods, budgets and the rule behind each claim.\n\n";
  text += "| experiment | claim | our figures | the paper's | verdict |\n|---|---|---|---|---|\n";
  for (const ExperimentOutcome& o : outcomes) {
    for (const Verdict& v : o.verdicts) {
      std::string figures;
      for (const auto& figure : v.figures) figures += (figures.empty() ? "`" : "<br>`") + figure_text(figure) + "`";
      std::string verdict =
          v.holds ? "holds" : "**does not hold**" + (v.claim.reason.empty() ? "" : ": " + v.claim.reason);
      for (const SweptVerdict& swept : v.swept) verdict += "<br>" + swept_text(swept);
      text += "| [" + o.experiment.name + "](#" + o.experiment.name + ") | " + cell(v.claim.says) + " | " +
              cell(figures) + " | " + cell(v.claim.paper) + " | " + cell(verdict) + " |\n";
    }
  }
  for (const ExperimentOutcome& o : outcomes) {
    text += "\n<a name=\"" + o.experiment.name + "\"></a>\n## " + o.experiment.name + ": " + o.experiment.title +
            "\n\n" + o.experiment.source + ". " + minutes(o.seconds) + (o.full ? ", at the paper's size.\n" : ".\n");
    if (!o.experiment.note.empty()) text += "\n" + o.experiment.note + "\n";
    for (const auto& [run, comparison] : o.comparisons) {
      for (const char* name : picture_names) {
        const std::filesystem::path from = results / o.experiment.name / run / name;
        if (!std::filesystem::exists(from, fault)) continue;
        const std::string to = image_name(o.experiment.name, run, name);
        if (Status s = check_image(images / to, *before); !s) return s;
        std::filesystem::copy_file(from, images / to, std::filesystem::copy_options::overwrite_existing, fault);
        if (fault) return file_error(images / to, "the figure cannot be copied", fault.value());
        text += joined({"\n![", run, ": ", from.stem().string(), "](images/", page.stem().string(), "/", to, ")\n"});
      }
    }
  }
  return write_file_atomically(page, text);
}

}  // namespace sinew
