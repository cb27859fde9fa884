#include "dataset/plan.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "base/nearest.h"
#include "dataset/plan_table.h"
#include "dataset/sample_scene.h"
#include "dataset/sampling.h"
#include "drive/disk_files.h"
#include "files/read_file.h"
#include "io/scanner.h"
#include "scene/object_members.h"
#include "scene/overrides.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

template <NamedEnum E>
void choose(ObjectMembers& m, std::string_view key, E& value, Faults& faults) {
  std::string word;
  m.text(key, word);
  if (word.empty()) return;
  const std::vector<std::string_view> names(names_of<E>().begin(), names_of<E>().end());
  if (const std::optional<E> found = named<E>(word))
    value = *found;
  else
    faults.add(m.path_of(key), " = \"" + word + "\": there is no such word", did_you_mean(word, names));
}

bool numbers_in(const Json& json, std::vector<double>& values) {
  if (!json.is_array()) return false;
  for (const Json& item : json.items) {
    if (!item.is_number() || !std::isfinite(item.number)) return false;
    values.push_back(item.number);
  }
  return true;
}

void read_paths(ObjectMembers& m, DatasetParameter& parameter, Faults& faults) {
  const Json* path = m.find("path", true);
  if (!path) return;
  const auto add = [&](const std::string& text, double factor) {
    if (text.empty()) faults.add(m.path_of("path"), ": is empty", "e.g. \"gravity.1\"");
    parameter.paths.emplace_back(text, factor);
  };
  if (path->is_string()) return add(path->text, 1);
  if (path->is_object() && !path->items.empty()) {
    for (size_t k = 0; k < path->items.size(); ++k) {
      if (!path->items[k].is_number() || path->items[k].number == 0)
        return m.wrong("path", path->items[k], "a factor other than 0");
      add(path->keys[k], path->items[k].number);
    }
    return;
  }
  if (path->is_array() && !path->items.empty()) {
    for (const Json& item : path->items) {
      if (!item.is_string()) return m.wrong("path", item, "the path of a number in the scene");
      add(item.text, 1);
    }
    return;
  }
  m.wrong("path", *path, "a path of the scene, a list of paths, or an object {\"path\": factor}");
}

void read_range(ObjectMembers& m, DatasetParameter& parameter, Faults& faults) {
  std::vector<double> ends, normal;
  const Json *range = m.find("range"), *of_normal = m.find("normal");
  const std::string at = m.path_of("range");
  if (range && (!numbers_in(*range, ends) || ends.size() != 2)) {
    faults.add(at, ": must be two numbers", "e.g. [0, 1]");
    return;
  }
  std::string scale;
  m.text("scale", scale);
  if (!scale.empty() && scale != "linear" && scale != "log")
    faults.add(m.path_of("scale"), " = \"" + scale + "\": there is no such word", "use \"linear\" or \"log\"");
  if (range && !(ends[0] < ends[1]))
    faults.add(at, joined({" = [", number_text(ends[0]), ", ", number_text(ends[1]), "]: is empty"}),
               "the second number must be larger");
  if (scale == "log" && (!range || !(ends[0] > 0))) faults.add(m.path_of("scale"), ": needs a range above 0");
  if (of_normal) {
    if (!numbers_in(*of_normal, normal) || normal.size() != 2 || !(normal[1] > 0)) {
      faults.add(m.path_of("normal"), ": must be a mean and a deviation above 0", "e.g. [0, 1]");
      return;
    }
    DatasetNormal spread{normal[0], normal[1], {}, {}};
    if (range) spread.low = ends[0], spread.high = ends[1];
    if (scale == "log") faults.add(m.path_of("scale"), ": a normal distribution has no logarithmic scale");
    parameter.spread = spread;
  } else if (range) {
    parameter.spread = DatasetRange{ends[0], ends[1], scale == "log"};
  }
}

void read_parameter(const Json& json, const std::string& path, DatasetParameter& parameter, Faults& faults) {
  ObjectMembers m(json, path, faults);
  read_paths(m, parameter, faults);
  const Json *values = m.find("values"), *column = m.find("column");
  const int ways = (json.find("range") || json.find("normal") ? 1 : 0) + (values ? 1 : 0) + (column ? 1 : 0);
  if (json.is_object() && ways != 1)
    faults.add(path, ways == 0 ? ": says no values" : ": says its values in two ways",
               "give one of \"range\", \"normal\", \"values\" and \"column\"");
  read_range(m, parameter, faults);
  if (values) {
    DatasetValues list;
    if (!numbers_in(*values, list.values) || list.values.empty())
      faults.add(m.path_of("values"), ": must be a list of numbers");
    parameter.spread = std::move(list);
  }
  if (column) {
    const bool whole = column->is_number() && column->whole && column->number >= 0;
    if (!column->is_string() && !whole) m.wrong("column", *column, "the name of a column, or its number from 0");
    parameter.spread = DatasetColumn{whole ? std::to_string(static_cast<int64_t>(column->number)) : column->text};
  }
  m.whole("count", parameter.count, 1);
}

// Names are lines of an attribute of every file, of scripts and of messages: no character may end a line or control a
// terminal (Unicode's category Cc, and its line ends U+2028 and U+2029).
bool has_control(std::string_view name) {
  for (size_t k = 0; k < name.size(); ++k) {
    const auto byte = static_cast<unsigned char>(name[k]);
    const std::string_view rest = name.substr(k);
    if (byte < 0x20 || byte == 0x7f || rest.starts_with("\xe2\x80\xa8") || rest.starts_with("\xe2\x80\xa9"))
      return true;
    if (byte == 0xc2 && rest.size() > 1 && static_cast<unsigned char>(rest[1]) < 0xa0) return true;
  }
  return false;
}

// The scene as text, from the plan or from a file, with the plan's and the caller's overrides.
Status read_scene_of_plan(ObjectMembers& m, const fs::path& folder, std::span<const std::string> overrides,
                          DatasetPlan& plan) {
  const Json* scene = m.find("scene", true);
  std::vector<std::string> set;
  m.texts("set", set);
  std::string scene_folder;
  m.text("scene_folder", scene_folder);
  if (!scene) return {};
  Json document;
  plan.scene_source = plan.file;
  plan.base_folder = scene_folder.empty() ? folder.string() : scene_folder;
  if (scene->is_object()) {
    document = *scene;
  } else if (scene->is_string()) {
    const fs::path path = folder / scene->text;
    const Result<std::string> text = read_file(path);
    if (!text) return text.error();
    Result<Json> read = parse_json(*text, path.string());
    if (!read) return read.error();
    document = std::move(*read);
    plan.scene_source = path.string();
    plan.base_folder = path.parent_path().string();
  } else {
    m.wrong("scene", *scene, "a scene or the path of one");
    return {};
  }
  if (!document.is_object()) return Error{plan.scene_source, "is no scene", "give a scene, or the path of one"};
  // Those of the plan are checked with the caller's, which may finish what they begin.
  std::vector<std::string> all = set;
  all.insert(all.end(), overrides.begin(), overrides.end());
  Json trial = document;
  if (const Result<std::vector<std::string>> done = apply_overrides(trial, all); done) {
    document = std::move(trial);
  } else {
    Error error = done.error();
    const bool of_plan = std::any_of(set.begin(), set.end(), [&](const std::string& text) {
      return error.where.find(text.substr(0, text.find('='))) != std::string::npos;
    });
    if (of_plan) return Error{plan.file + ": set", joined({error.where, ": ", error.what}), error.remedy};
    return error;
  }
  plan.scene = write_json(document);
  return {};
}

// faulty: see PlanTable.
Status read_table(ObjectMembers& m, const fs::path& folder, DatasetPlan& plan, std::map<std::string, Error>& faulty,
                  Faults& faults) {
  const Json* table = m.find("table");
  if (!table) return {};
  if (table->is_string()) {
    Result<PlanTable> read = read_plan_table(folder / table->text);
    if (!read) return read.error();
    plan.table = std::move(read->values);
    plan.table_columns = std::move(read->columns);
    faulty = std::move(read->faulty);
    return {};
  }
  ObjectMembers t(*table, m.path_of("table"), faults);
  t.texts("columns", plan.table_columns);
  if (const Json* values = t.find("values", true); values && !numbers_in(*values, plan.table))
    faults.add(t.path_of("values"), ": must be a list of numbers");
  return {};
}

// A column by its number, where none has it for a name.
void name_columns(DatasetPlan& plan) {
  for (DatasetParameter& parameter : plan.parameters) {
    auto* column = std::get_if<DatasetColumn>(&parameter.spread);
    const auto& names = plan.table_columns;
    if (!column || std::find(names.begin(), names.end(), column->column) != names.end()) continue;
    int64_t number = 0;
    if (to_whole(column->column, number) && number >= 0 && number < static_cast<int64_t>(names.size()))
      column->column = names[static_cast<size_t>(number)];
  }
}

// Leaves out columns without numbers, unless a parameter needs them.
Status leave_out(const std::map<std::string, Error>& faulty, DatasetPlan& plan) {
  if (faulty.empty()) return {};
  std::vector<size_t> kept;
  const std::vector<std::string> names = std::exchange(plan.table_columns, {});
  for (size_t c = 0; c < names.size(); ++c) {
    const auto fault = faulty.find(names[c]);
    const bool is_used = std::any_of(plan.parameters.begin(), plan.parameters.end(), [&](const DatasetParameter& p) {
      const auto* column = std::get_if<DatasetColumn>(&p.spread);
      return column && column->column == names[c];
    });
    if (fault != faulty.end() && (is_used || names.size() == 1)) return fault->second;
    if (fault != faulty.end()) continue;
    kept.push_back(c);
    plan.table_columns.push_back(names[c]);
  }
  std::vector<double> values;
  for (size_t row = 0; row < plan.table.size(); row += names.size())
    for (const size_t c : kept) values.push_back(plan.table[row + c]);
  plan.table = std::move(values);
  return {};
}

void check_column(const DatasetPlan& plan, const std::string& column, const std::string& path, Faults& faults) {
  const std::vector<std::string_view> names(plan.table_columns.begin(), plan.table_columns.end());
  if (names.empty()) return faults.add(path, ": there is no table", "add \"table\": \"FILE.csv\" to the plan");
  if (std::find(names.begin(), names.end(), column) != names.end()) return;
  int64_t number = 0;
  faults.add(path, " = \"" + column + "\": the table has no such column",
             to_whole(column, number) ? format("its columns have the numbers 0 to %zu", names.size() - 1)
                                      : did_you_mean(column, names));
}

void check_parameters(const DatasetPlan& plan, Faults& faults) {
  std::set<std::string> paths;
  bool uses_table = false;
  for (const DatasetParameter& parameter : plan.parameters) {
    const std::string at = "parameters." + parameter.name;
    if (parameter.name.find_first_not_of(' ') == std::string::npos || has_control(parameter.name))
      faults.add(at, ": is no name", "use visible characters, without line ends and tabs");
    if (const auto* normal = std::get_if<DatasetNormal>(&parameter.spread); normal && !has_tail(*normal))
      faults.add(at + ".range", ": the normal distribution has nothing there", "use a range nearer to the mean");
    for (const auto& [path, factor] : parameter.paths)
      if (!paths.insert(path).second) faults.add(at + ".path", " = \"" + path + "\": another parameter sets it too");
    const bool is_grid = plan.sampling == DatasetSampling::grid;
    const bool has_range = std::holds_alternative<DatasetRange>(parameter.spread);
    const bool has_values = std::holds_alternative<DatasetValues>(parameter.spread);
    if (is_grid && has_range && parameter.count == 0)
      faults.add(at + ".count", ": missing", "with grid sampling, say how many values the range has");
    if (is_grid && !has_range && !has_values) faults.add(at, ": a grid needs \"range\" and \"count\", or \"values\"");
    if (!is_grid && parameter.count > 0) faults.add(at + ".count", ": has a meaning with \"sampling\": \"grid\" only");
    const auto* column = std::get_if<DatasetColumn>(&parameter.spread);
    if (!column) continue;
    uses_table = true;
    if (!faults.names(at + ".column")) check_column(plan, column->column, at + ".column", faults);
  }
  if (!plan.table_columns.empty() && !uses_table)
    faults.add("table", ": no parameter uses it", "give a parameter \"column\", or leave it out");
}

// How many samples there are, where the plan leaves it to its table or its grid.
Status count_samples(DatasetPlan& plan, bool given, Faults& faults) {
  const int64_t rows =
      plan.table_columns.empty() ? 0 : static_cast<int64_t>(plan.table.size() / plan.table_columns.size());
  if (plan.sampling == DatasetSampling::grid) {
    const Result<int64_t> size = grid_size(plan.parameters);
    if (!size) return size.error();
    if (given && plan.samples != *size)
      faults.add(
          "samples",
          format(" = %lld: the grid has %lld", static_cast<long long>(plan.samples), static_cast<long long>(*size)),
          "leave it out");
    plan.samples = *size;
  } else if (rows > 0) {
    if (given && plan.samples > rows)
      faults.add("samples",
                 format(" = %lld: the table has %lld rows", static_cast<long long>(plan.samples),
                        static_cast<long long>(rows)),
                 "leave it out");
    if (!given) plan.samples = rows;
  } else if (!given) {
    faults.add("samples", ": missing", "say how many samples the data set has");
  }
  return {};
}

// The table of all parameters is kept in memory.
Status check_table_memory(const DatasetPlan& plan) {
  const double bytes = 8.0 * static_cast<double>(plan.samples) * static_cast<double>(plan.parameters.size());
  const std::optional<int64_t> available = DiskFiles().available_memory();
  if (!available || 4 * bytes < static_cast<double>(*available)) return {};
  return Error{
      plan.file,
      format("samples = %lld: their parameters alone take %.1f GB", static_cast<long long>(plan.samples), bytes / 1e9),
      "make several data sets of fewer samples, with a seed each"};
}

// The scene takes the parameters at their ends, and those of the first sample.
Status try_scenes(const DatasetPlan& plan) {
  const Result<SampleScenes> scenes = SampleScenes::of(plan);
  if (!scenes) return scenes.error();
  const std::vector<double> table = dataset_parameters(plan);
  const std::vector<double> first(table.begin(), table.begin() + static_cast<std::ptrdiff_t>(plan.parameters.size()));
  if (const Result<Scene> scene = scenes->scene(first); !scene) return scene.error();
  for (size_t p = 0; p < plan.parameters.size(); ++p) {
    std::vector<double> ends;
    const auto& spread = plan.parameters[p].spread;
    if (const auto* range = std::get_if<DatasetRange>(&spread)) ends = {range->low, range->high};
    if (const auto* values = std::get_if<DatasetValues>(&spread)) ends = values->values;
    for (const double end : ends) {
      std::vector<double> values = first;
      values[p] = end;
      if (const Result<Scene> scene = scenes->scene(values); !scene) return scene.error();
    }
  }
  return {};
}

}  // namespace

Result<DatasetPlan> read_dataset_plan(const fs::path& path, std::span<const std::string> overrides) {
  const Result<std::string> text = read_file(path);
  if (!text) return text.error();
  return parse_dataset_plan(*text, path.string(), path.parent_path().string(), overrides);
}

Result<DatasetPlan> parse_dataset_plan(std::string_view text, const std::string& name, const std::string& base_folder,
                                       std::span<const std::string> overrides) {
  const Result<Json> document = parse_json(text, name);
  if (!document) return document.error();
  const fs::path folder = base_folder;
  if (!document->is_object() || !document->find("dataset"))
    return Error{name, "is no plan of a data set",
                 "a plan looks like { \"dataset\": 1, \"scene\": ..., \"samples\": 100, \"parameters\": {...} }"};

  DatasetPlan plan;
  plan.file = name;
  plan.name = fs::path(name).stem().string();
  Faults faults;
  {
    ObjectMembers m(*document, "", faults);
    int format_version = 1;
    m.whole("dataset", format_version, 1, 1);
    m.text("name", plan.name);
    if (const Status s = read_scene_of_plan(m, folder, overrides, plan); !s) return s.error();
    m.whole("samples", plan.samples, 1);
    m.whole("seed", plan.seed, 0);
    choose(m, "sampling", plan.sampling, faults);
    std::map<std::string, Error> faulty;
    if (const Status s = read_table(m, folder, plan, faulty, faults); !s) return s.error();
    choose(m, "kind", plan.kind, faults);
    choose(m, "start", plan.start, faults);
    m.number("relative_residual", plan.relative_residual, 0);
    if (m.find("residual")) m.number("residual", plan.residual.emplace(), 0);
    m.exclude("residual", "relative_residual");
    m.whole("steps", plan.steps, 1, 1'000'000);
    m.whole("attempts", plan.attempts, 1, 10);
    choose(m, "fallback", plan.fallback, faults);
    m.toggle("allow_inverted", plan.allow_inverted);
    m.toggle("single_precision", plan.single_precision);
    m.whole("compression", plan.compression, 0, 9);
    m.whole("shard", plan.shard, 1);
    if (m.find("fields")) {
      std::vector<std::string> words;
      m.texts("fields", words);
      plan.fields.clear();
      const auto names = names_of<DatasetField>();
      for (const std::string& word : words) {
        const auto field = named<DatasetField>(word);
        if (field && std::find(plan.fields.begin(), plan.fields.end(), *field) != plan.fields.end())
          faults.add("fields", ": \"" + word + "\" is there twice");
        else if (field)
          plan.fields.push_back(*field);
        else
          faults.add("fields", ": \"" + word + "\" is none",
                     did_you_mean(word, std::vector<std::string_view>(names.begin(), names.end())));
      }
    }
    if (const Json* parameters = m.find("parameters", true); parameters && parameters->is_object()) {
      for (size_t k = 0; k < parameters->items.size(); ++k) {
        plan.parameters.emplace_back().name = parameters->keys[k];
        read_parameter(parameters->items[k], "parameters." + parameters->keys[k], plan.parameters.back(), faults);
      }
      if (parameters->items.empty()) faults.add("parameters", ": there are none");
    } else if (parameters) {
      m.wrong("parameters", *parameters, "an object {\"name\": {...}}");
    }
    const bool counted = document->find("samples") != nullptr;
    if (has_control(plan.name)) faults.add("name", ": has line ends or control characters", "leave them out");
    name_columns(plan);
    if (const Status s = leave_out(faulty, plan); !s) return s.error();
    check_parameters(plan, faults);
    if (const Status s = count_samples(plan, counted, faults); !s) return s.error();
    if (plan.sampling == DatasetSampling::sobol && static_cast<int>(plan.parameters.size()) > most_sobol_parameters())
      faults.add("sampling", format(" = \"sobol\": has at most %d parameters", most_sobol_parameters()));
    if (!plan.residual && !(plan.relative_residual > 0 && plan.relative_residual < 1) &&
        !faults.names("relative_residual"))
      faults.add("relative_residual", ": must be above 0 and below 1");
    if (plan.residual && !(*plan.residual > 0)) faults.add("residual", ": must be above 0 [N]");
    if (plan.kind == DatasetKind::trajectory && plan.start == DatasetStart::nearest)
      faults.add("start", " = \"nearest\": trajectories start at rest", "leave it out");
  }
  if (!faults.empty()) return faults.error(name);
  if (const Status s = check_table_memory(plan); !s) return s.error();
  if (const Status s = try_scenes(plan); !s) return s.error();
  return plan;
}

std::string plan_json(const DatasetPlan& plan) {
  Json json = Json::object();
  json.add("dataset", 1);
  json.add("name", plan.name);
  json.add("samples", plan.samples);
  json.add("seed", static_cast<int64_t>(plan.seed));
  json.add("sampling", name_of(plan.sampling));
  json.add("kind", name_of(plan.kind));
  json.add("start", name_of(plan.start));
  if (plan.residual)
    json.add("residual", *plan.residual);
  else
    json.add("relative_residual", plan.relative_residual);
  json.add("steps", plan.steps);
  json.add("attempts", plan.attempts);
  json.add("fallback", name_of(plan.fallback));
  json.add("allow_inverted", plan.allow_inverted);
  json.add("single_precision", plan.single_precision);
  json.add("compression", plan.compression);
  json.add("shard", plan.shard);
  Json& fields = json.add("fields", Json::array());
  for (const DatasetField field : plan.fields) fields.add(Json(name_of(field)));
  const auto list = [](const std::vector<double>& values) {
    Json array = Json::array();
    for (const double value : values) array.add(Json(value));
    return array;
  };
  Json& parameters = json.add("parameters", Json::object());
  for (const DatasetParameter& parameter : plan.parameters) {
    Json& p = parameters.add(parameter.name, Json::object());
    Json& path = p.add("path", Json::object());
    for (const auto& [at, factor] : parameter.paths) path.add(at, factor);
    if (const auto* range = std::get_if<DatasetRange>(&parameter.spread)) {
      p.add("range", list({range->low, range->high}));
      if (range->logarithmic) p.add("scale", "log");
    } else if (const auto* normal = std::get_if<DatasetNormal>(&parameter.spread)) {
      p.add("normal", list({normal->mean, normal->deviation}));
      if (normal->low) p.add("range", list({*normal->low, *normal->high}));
    } else if (const auto* values = std::get_if<DatasetValues>(&parameter.spread)) {
      p.add("values", list(values->values));
    } else {
      p.add("column", std::get<DatasetColumn>(parameter.spread).column);
    }
    if (parameter.count > 0) p.add("count", parameter.count);
  }
  if (!plan.table_columns.empty()) {
    Json& table = json.add("table", Json::object());
    Json& columns = table.add("columns", Json::array());
    for (const std::string& column : plan.table_columns) columns.add(Json(column));
    table.add("values", list(plan.table));
  }
  json.add("scene_folder", std::filesystem::absolute(plan.base_folder.empty() ? "." : plan.base_folder).string());
  if (const Result<Json> scene = parse_json(plan.scene, plan.scene_source)) json.add("scene", *scene);
  return write_json(json) + "\n";
}

}  // namespace sinew
