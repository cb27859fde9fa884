#include "record/convergence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/counted.h"
#include "base/format.h"
#include "io/csv.h"
#include "record/machine.h"
#include "record/measures.h"
#include "solver/solver_list.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json json_of(const Evaluation& e) {
  return {{"residual", number(e.residual)}, {"residual_max", number(e.residual_max)},
          {"energy", number(e.energy)},     {"inverted", e.finite ? Json(e.inverted) : Json(nullptr)},
          {"min_j", number(e.min_j)},       {"finite", e.finite}};
}

Json json_of(const StateError& e) {
  return {{"max", number(e.max)}, {"rms", number(e.rms)}};
}

void add_shape(const ShapeMeasures& shape, const std::vector<std::string>& probes, Json& json) {
  json["volume"] = number(shape.volume);
  for (size_t k = 0; k < probes.size(); ++k) {
    const Real3& p = shape.probes[k];
    json["probes"][probes[k]] = {number(p[0]), number(p[1]), number(p[2])};
  }
}

Json json_of(const std::vector<TrajectoryPoint>& trajectory, const std::vector<std::string>& probes) {
  Json list = Json::array();
  for (const TrajectoryPoint& p : trajectory) {
    list.push_back(
        {{"step", p.step}, {"time", p.time}, {"iterations", p.iterations}, {"milliseconds", p.milliseconds}});
    list.back().update(json_of(p.evaluation));
    list.back()["error"] = json_of(p.error);
    add_shape(p.shape, probes, list.back());
  }
  return list;
}

Json json_of(const Curve& curve, const std::vector<std::string>& probes) {
  Json json{{"label", curve.label}, {"solver", curve.solver}, {"accelerator", curve.accelerator}};
  if (curve.refused) {
    json["refused"] = curve.refused->message();
    return json;
  }
  json["status"] = name_of(curve.status);
  json["setup_milliseconds"] = curve.setup_milliseconds;
  json["remarks"] = curve.remarks;
  json["points"] = Json::array();
  for (const CurvePoint& p : curve.points) {
    Json point{{"iteration", p.iteration}, {"milliseconds", p.milliseconds}};
    point.update(json_of(p.evaluation));
    point["relative_residual"] = number(p.relative_residual);
    point["relative_loss"] = number(p.relative_loss);
    point["change"] = number(p.change);
    point["primary"] = number(p.primary);
    point["secondary"] = number(p.secondary);
    point["error"] = json_of(p.error);
    add_shape(p.shape, probes, point);
    json["points"].push_back(std::move(point));
  }
  json["trajectory"] = json_of(curve.trajectory, probes);
  return json;
}

// The names of a row's fields, then those of its shape.
void header(CsvWriter& csv, std::initializer_list<const char*> names, const std::vector<std::string>& probes) {
  for (const char* name : names) csv.field(std::string_view(name));
  csv.field(std::string_view("volume [-]"));
  for (const std::string& probe : probes)
    for (const char axis : {'x', 'y', 'z'}) csv.field(probe + "_" + axis + " [m]");
  csv.end_record();
}

void end_with_shape(CsvWriter& csv, const ShapeMeasures& shape) {
  csv.field(shape.volume);
  for (const Real3& p : shape.probes)
    for (const double v : p) csv.field(v);
  csv.end_record();
}

void fields_of(CsvWriter& csv, const Evaluation& e) {
  csv.field(e.residual);
  csv.field(e.residual_max);
  csv.field(e.energy);
  if (e.finite) {
    csv.field(e.inverted);
    csv.field(e.min_j);
  } else {
    csv.field("");
    csv.field("");
  }
}

// A number for a narrow column.
std::string brief(double value, const char* pattern) {
  if (!std::isfinite(value)) return "-";
  char text[32];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

std::string inverted_text(const Evaluation& e) {
  return e.finite ? format("%d", e.inverted) : "-";
}

// Lines of cells under headings: words left-aligned, numbers right-aligned.
template <size_t Columns>
std::string aligned(const std::vector<std::array<std::string, Columns>>& rows, size_t word_columns) {
  std::array<size_t, Columns> width{};
  for (const auto& row : rows)
    for (size_t k = 0; k < Columns; ++k) width[k] = std::max(width[k], row[k].size());
  std::string text;
  for (const auto& row : rows) {
    for (size_t k = 0; k < Columns; ++k) {
      const std::string blanks(width[k] - row[k].size(), ' ');
      text += k < word_columns ? row[k] + blanks : blanks + row[k];
      text += k + 1 < Columns ? "  " : "\n";
    }
  }
  return text;
}

}  // namespace

std::string convergence_csv(const Comparison& comparison) {
  CsvWriter csv;
  header(csv,
         {"method", "solver", "accelerator", "iteration [-]", "time [ms]", "residual [N]", "residual_max [N]",
          "energy [J]", "inverted [-]", "min_j [-]", "relative_residual [-]", "relative_loss [-]", "change [m]",
          "primary [N]", "secondary [-]", "error_max [m]", "error_rms [m]"},
         comparison.probes);
  for (const Curve& curve : comparison.curves) {
    for (const CurvePoint& p : curve.points) {
      for (const std::string& name : {curve.label, curve.solver, curve.accelerator}) csv.field(name);
      csv.field(p.iteration);
      csv.field(p.milliseconds);
      fields_of(csv, p.evaluation);
      for (const double v :
           {p.relative_residual, p.relative_loss, p.change, p.primary, p.secondary, p.error.max, p.error.rms})
        csv.field(v);
      end_with_shape(csv, p.shape);
    }
  }
  return csv.take();
}

std::string trajectory_csv(const Comparison& comparison) {
  CsvWriter csv;
  header(
      csv,
      {"method", "solver", "accelerator", "step [-]", "time [s]", "iterations [-]", "solver_time [ms]", "residual [N]",
       "residual_max [N]", "energy [J]", "inverted [-]", "min_j [-]", "error_max [m]", "error_rms [m]"},
      comparison.probes);
  const auto rows = [&](const std::string& label, const std::string& solver, const std::string& accelerator,
                        const std::vector<TrajectoryPoint>& trajectory) {
    for (const TrajectoryPoint& p : trajectory) {
      for (const std::string& name : {label, solver, accelerator}) csv.field(name);
      csv.field(p.step);
      csv.field(p.time);
      csv.field(p.iterations);
      csv.field(p.milliseconds);
      fields_of(csv, p.evaluation);
      csv.field(p.error.max);
      csv.field(p.error.rms);
      end_with_shape(csv, p.shape);
    }
  };
  rows("reference", reference_solver().name, "none", comparison.reference.trajectory);
  for (const Curve& curve : comparison.curves) rows(curve.label, curve.solver, curve.accelerator, curve.trajectory);
  return csv.take();
}

std::string comparison_json(const Comparison& comparison) {
  const Machine machine = this_machine();
  const ComparisonReference& reference = comparison.reference;
  Json json;
  json["format"] = "sinew comparison";
  json["format_version"] = 1;
  json["scene"] = comparison.scene;
  json["vertices"] = comparison.vertices;
  json["tets"] = comparison.tets;
  json["machine"] = {{"cpu", machine.cpu},       {"cores", machine.cores},      {"memory_bytes", machine.memory_bytes},
                     {"system", machine.system}, {"compiler", compiler_name()}, {"threads", comparison.threads}};
  json["units"] = {{"length", "m"}, {"time", "s"}, {"force", "N"}, {"energy", "J"}};
  json["quasistatic"] = comparison.quasistatic;
  json["step_size"] = comparison.step_size;
  json["first_step"] = comparison.first_step;
  json["steps"] = comparison.steps;
  json["iterations"] = comparison.iterations > 0 ? Json(comparison.iterations) : Json(nullptr);
  json["budget_milliseconds"] = comparison.budget > 0 ? Json(comparison.budget) : Json(nullptr);
  json["reference"] = {{"solver", reference_solver().name},
                       {"converged", reference.converged},
                       {"remark", reference.remark},
                       {"iterations", reference.iterations},
                       {"milliseconds", number(reference.milliseconds)},
                       {"residual", number(reference.residual)},
                       {"tolerance", number(reference.tolerance)},
                       {"first_residual", number(reference.first_residual)},
                       {"energy", number(reference.energy)},
                       {"first_energy", number(reference.first_energy)},
                       {"trajectory", json_of(reference.trajectory, comparison.probes)}};
  json["curves"] = Json::array();
  for (const Curve& curve : comparison.curves) json["curves"].push_back(json_of(curve, comparison.probes));
  json["warnings"] = comparison.warnings;
  // Replaces bytes that are not UTF-8 instead of throwing.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string conditions_text(const Comparison& comparison) {
  std::string text = comparison.steps == 1
                         ? format("step %lld", static_cast<long long>(comparison.first_step))
                         : format("steps %lld to %lld", static_cast<long long>(comparison.first_step),
                                  static_cast<long long>(comparison.first_step + comparison.steps - 1));
  text += comparison.quasistatic ? ", quasistatic" : format(", h = %.4g s", comparison.step_size);
  const std::string per_step = comparison.steps == 1 ? "" : " per step";
  if (comparison.budget > 0)
    text += format(", %.6g ms each", comparison.budget) + per_step;
  else if (comparison.iterations > 0)
    text += format(", %d iteration%s each", comparison.iterations, comparison.iterations == 1 ? "" : "s") + per_step;
  // Chains and cloths of springs have no elements.
  text += "; " + (comparison.tets > 0 ? elements_text(comparison.tets, comparison.triangles)
                                      : counted(comparison.vertices, "vertex", "vertices"));
  return text + format(", %d thread%s", comparison.threads, comparison.threads == 1 ? "" : "s");
}

std::string reference_text(const Comparison& comparison) {
  const ComparisonReference& r = comparison.reference;
  if (!r.wanted) return "no reference: no errors";
  if (!r.converged) return "errors are unreliable: the reference did not converge (" + r.remark + ")";
  return format("errors against Newton: %d iterations, residual %.1e N from %.1e N", r.iterations, r.residual,
                r.first_residual);
}

std::string comparison_text(const Comparison& comparison) {
  const bool several = comparison.steps > 1;
  std::vector<std::array<std::string, 11>> rows;
  rows.push_back({"method", "status", "iterations", "ms", "ms/iteration", "residual [N]", "relative", "error max [m]",
                  "error rms [m]", "loss [-]", "inverted"});
  std::string notes;
  for (const Curve& curve : comparison.curves) {
    if (curve.refused) {
      notes += curve.label + ": " + curve.refused->message() + "\n";
      rows.push_back({curve.label, "refused", "-", "-", "-", "-", "-", "-", "-", "-", "-"});
      continue;
    }
    const CurvePoint& p = curve.points.back();
    rows.push_back({curve.label, p.evaluation.finite ? name_of(curve.status) : "not finite", format("%d", p.iteration),
                    brief(p.milliseconds, "%.2f"), brief(p.milliseconds / std::max(1, p.iteration), "%.3f"),
                    brief(p.evaluation.residual, "%.2e"), brief(p.relative_residual, "%.1e"),
                    brief(p.error.max, "%.2e"), brief(p.error.rms, "%.2e"), brief(p.relative_loss, "%.1e"),
                    inverted_text(p.evaluation)});
    for (const std::string& remark : curve.remarks) notes += curve.label + ": " + remark + "\n";
  }
  std::string text = comparison.scene + ": " + conditions_text(comparison) + "\n" + reference_text(comparison) + "\n\n";
  if (several) text += format("step %lld\n", static_cast<long long>(comparison.first_step));
  text += aligned(rows, 2);

  if (several) {
    std::vector<std::array<std::string, 8>> ends;
    ends.push_back(
        {"method", "time [s]", "iterations", "ms", "residual [N]", "error max [m]", "error rms [m]", "inverted"});
    for (const Curve& curve : comparison.curves) {
      if (curve.trajectory.empty()) continue;
      int64_t iterations = 0;
      double milliseconds = 0;
      for (const TrajectoryPoint& p : curve.trajectory) {
        iterations += p.iterations;
        milliseconds += p.milliseconds;
      }
      const TrajectoryPoint& last = curve.trajectory.back();
      ends.push_back({curve.label, brief(last.time, "%.4g"), format("%lld", static_cast<long long>(iterations)),
                      brief(milliseconds, "%.1f"), brief(last.evaluation.residual, "%.2e"),
                      brief(last.error.max, "%.2e"), brief(last.error.rms, "%.2e"), inverted_text(last.evaluation)});
    }
    text += "\nend of each solver's own way\n" + aligned(ends, 1);
  }
  // Only for measures requested by name: for the defaults, the line about the reference suffices.
  if (const auto asked = measures_named(comparison.plotted, comparison.probes); asked && !comparison.plotted.empty())
    for (const Measure& m : *asked)
      if (!was_measured(m, comparison)) notes += "no figure of " + m.name + ": none of the methods has it\n";
  return notes.empty() ? text : text + "\n" + notes;
}

}  // namespace sinew
