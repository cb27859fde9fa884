// The engine, the files that it is given, and the making of simulations (sinew_web.h).
#include <emscripten.h>

#include <cmath>
#include <cstdlib>

#include "engine/create_simulation.h"
#include "report_numbers.h"
#include "session.h"
#include "sinew/lanes.h"
#include "sinew/lists.h"
#include "sinew/scene_file.h"
#include "sinew/version.h"
#include "sinew_web.h"

using namespace sinew;
using namespace sinew::web;

// Returns whether to go on.
EM_JS(int, tell_page, (const char* stage, double share),
      { return Module["sinewProgress"] ? Module["sinewProgress"](UTF8ToString(stage), share) : 1; });

namespace {

Json json_of(const ParameterInfo& p) {
  constexpr const char* kinds[] = {"number", "whole", "toggle", "choice"};
  Json json = Json::object();
  json.add("name", p.name);
  json.add("meaning", p.meaning);
  json.add("kind", kinds[static_cast<int>(p.kind)]);
  json.add("unit", p.unit);
  Json& range = json.add("range", Json::object());  // without what is infinite, which is no number in JSON
  if (std::isfinite(p.range.low)) range.add("low", p.range.low);
  if (std::isfinite(p.range.high)) range.add("high", p.range.high);
  range.add("lowOpen", p.range.low_open);
  range.add("highOpen", p.range.high_open);
  range.add("text", p.range.text());
  Json& choices = json.add("choices", Json::array());
  for (const std::string& choice : p.choices) choices.add(choice);
  if (p.default_value) std::visit([&](const auto& value) { json.add("defaultValue", Json(value)); }, *p.default_value);
  return json;
}
Json json_of(const std::vector<ParameterInfo>& parameters) {
  Json list = Json::array();
  for (const ParameterInfo& p : parameters) list.add(json_of(p));
  return list;
}

Json json_of(const SolverDescription& s) {
  Json json = Json::object();
  json.add("name", s.name);
  json.add("summary", s.summary);
  json.add("color", s.color);
  json.add("options", json_of(s.options));
  json.add("commonOptions", json_of(s.common_options));
  json.add("dynamic", s.dynamic);
  json.add("quasistatic", s.quasistatic);
  json.add("damping", s.damping);
  json.add("springs", s.springs);
  json.add("fibres", s.fibres);
  json.add("contact", s.contact);
  json.add("intersectionFree", s.intersection_free);
  json.add("grid", s.grid);
  json.add("quadratic", s.quadratic);
  json.add("accelerators", s.accelerators);
  json.add("singlePrecision", s.single_precision);
  json.add("needsConstraints", s.needs_constraints);
  json.add("strainConstraints", s.strain_constraints);
  json.add("needsZeroAtRest", s.needs_zero_at_rest);
  return json;
}
Json json_of(const AcceleratorDescription& a) {
  Json json = Json::object();
  json.add("name", a.name);
  json.add("summary", a.summary);
  json.add("options", json_of(a.options));
  return json;
}
Json json_of(const MaterialDescription& m) {
  Json json = Json::object();
  json.add("name", m.name);
  json.add("summary", m.summary);
  Json& forms = json.add("forms", Json::array());
  for (const std::vector<ParameterInfo>& form : m.forms) forms.add(json_of(form));
  json.add("constraints", m.constraints);
  json.add("strainConstraint", m.strain_constraint);
  json.add("zeroAtRest", m.zero_at_rest);
  json.add("isotropic", m.isotropic);
  return json;
}
Json json_of(const ElementDescription& e) {
  Json json = Json::object();
  json.add("name", e.name);
  json.add("summary", e.summary);
  json.add("vertices", e.vertices);
  json.add("where", e.where);
  json.add("parameters", json_of(e.parameters));
  return json;
}
template <class T>
Json list_of(const std::vector<T>& descriptions) {
  Json list = Json::array();
  for (const T& d : descriptions) list.add(json_of(d));
  return list;
}

std::shared_ptr<MemoryFiles> take_files() {
  auto files = std::make_shared<MemoryFiles>(session().most_memory);
  files->add(std::exchange(session().files, {}));
  return files;
}

Result<int> hold(Result<Simulation> simulation, std::shared_ptr<MemoryFiles> files, std::shared_ptr<ThreadPool> pool) {
  if (!simulation) return simulation.error();
  const int handle = session().next_handle++;
  session().held[handle] = std::make_unique<Held>(
      Held{.simulation = std::move(*simulation), .files = std::move(files), .pool = std::move(pool)});
  return handle;
}

Result<Scene> read(std::string_view text, std::string_view name, std::string_view overrides) {
  const Result<Json> list = parse_json(overrides, "overrides");
  if (!list) return list.error();
  std::vector<std::string> texts;
  for (const Json& item : list->items) texts.push_back(item.text);
  return parse_scene(text, std::string(name), "", texts);
}

}  // namespace

void* sinew_allocate(uint32_t bytes) {
  return std::malloc(bytes);
}
void sinew_free(void* memory) {
  std::free(memory);
}

const char* sinew_error(int part) {
  const Error& e = session().error;
  return (part == 0 ? e.where : part == 1 ? e.what : e.remedy).c_str();
}
const void* sinew_result() {
  return session().result;
}
int32_t sinew_result_count() {
  return session().result_count;
}

int sinew_start(int threads, double maximum) {
  session().threads = threads > 1 ? threads : 1;
  session().most_memory = maximum;
  return 1;
}

int sinew_description() {
  return attempt([]() -> Status {
    Json json = Json::object();
    json.add("version", library_version());
    json.add("commit", library_commit());
    json.add("lanes", lanes_in_use());
    Json& lists = json.add("lists", Json::object());
    lists.add("solvers", list_of(solvers()));
    lists.add("accelerators", list_of(accelerators()));
    lists.add("materials", list_of(materials()));
    lists.add("elements", list_of(elements()));
    answer_json(json);
    return {};
  });
}
int sinew_schema() {
  return attempt([]() -> Status {
    answer_text(scene_schema());
    return {};
  });
}
int sinew_report_fields() {
  return attempt([]() -> Status {
    answer_text(report_fields());
    return {};
  });
}
double sinew_memory_in_use() {
  return memory_in_use();
}

void* sinew_file(const char* name, int32_t length, uint32_t bytes) {
  void* room = nullptr;
  attempt([&]() -> Status {
    std::string& content = session().files[std::string(text_at(name, length))];
    content.resize(bytes);
    room = content.data();
    return {};
  });
  return room;
}
int sinew_add_files(int simulation) {
  return with(simulation, [](Held& held) -> Status {
    held.files->add(std::exchange(session().files, {}));
    return {};
  });
}

int sinew_create(const char* scene, int32_t length, const char* name, int32_t name_length, const char* overrides,
                 int32_t overrides_length, int threads) {
  return attempt([&]() -> Result<int> {
    const auto files = take_files();
    const Result<Scene> read_scene =
        read(text_at(scene, length), text_at(name, name_length), text_at(overrides, overrides_length));
    if (!read_scene) return read_scene.error();
    const auto pool = pool_of(threads);
    return hold(create_simulation(*read_scene, files, pool,
                                  [](const Progress& p) { return tell_page(p.stage.c_str(), p.share) != 0; }),
                files, pool);
  });
}
int sinew_resume(const char* checkpoint, int32_t length, int threads) {
  return attempt([&]() -> Result<int> {
    const auto files = take_files();
    const auto pool = pool_of(threads);
    return hold(resume_simulation(text_at(checkpoint, length), files, pool), files, pool);
  });
}
int sinew_resolve(const char* scene, int32_t length, const char* name, int32_t name_length, const char* overrides,
                  int32_t overrides_length) {
  return attempt([&]() -> Status {
    take_files();
    const Result<Scene> resolved =
        read(text_at(scene, length), text_at(name, name_length), text_at(overrides, overrides_length));
    if (!resolved) return resolved.error();
    answer_text(resolved_json(*resolved));
    return {};
  });
}
int sinew_dispose(int simulation) {
  return attempt([&]() -> Status {
    session().held.erase(simulation);
    return {};
  });
}
int sinew_threads(int simulation) {
  return with(simulation, [](Held& held) -> Result<int> { return held.pool->size(); });
}
