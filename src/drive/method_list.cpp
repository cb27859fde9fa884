// The list of methods of `sinew compare` (sinew/compare.h).
#include <algorithm>

#include "base/digits.h"
#include "base/format.h"
#include "base/nearest.h"
#include "scene/methods.h"
#include "sinew/compare.h"
#include "sinew/scene_file.h"
#include "solver/solver_list.h"

namespace sinew {
namespace {

constexpr std::string_view name_letters = "abcdefghijklmnopqrstuvwxyz0123456789_";

// "name=..." goes on with the options of the method before it.
bool is_option(std::string_view piece) {
  const size_t end = piece.find_first_not_of(name_letters);
  return end != std::string_view::npos && end > 0 && piece[end] == '=';
}

// Where "+accelerator" begins; a plus before a digit belongs to a number.
size_t accelerator_begin(std::string_view method) {
  for (size_t k = method.find('+'); k != std::string_view::npos; k = method.find('+', k + 1)) {
    const bool exponent = k + 1 < method.size() && method[k + 1] >= '0' && method[k + 1] <= '9';
    if (!exponent) return k;
  }
  return method.size();
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    pieces.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return pieces;
}

// Without the blanks around it, as in "vbd , newton".
std::string_view trimmed(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

OptionScalar value_of(std::string_view text) {
  if (text == "true" || text == "false") return text == "true";
  double number = 0;
  const auto [end, fault] = read_digits(text.data(), text.data() + text.size(), number);
  if (fault == std::errc() && end == text.data() + text.size()) return number;
  return std::string(text);
}

// "NAME[:OPTION=VALUE,...]" into name and options. `where` is the method as it was written.
Status read_part(std::string_view part, const MethodList& known, const char* kind, const Error& fault_at,
                 std::string& name, OptionValues& options) {
  const auto fault = [&](const std::string& what, const std::string& remedy) {
    return Error{fault_at.where, what, remedy};
  };
  const size_t colon = std::min(part.find(':'), part.size());
  name = part.substr(0, colon);
  const MethodEntry* entry = find_method(known, name);
  if (!entry) {
    return fault(name.empty() ? joined({"the name of the ", kind, " is missing"})
                              : joined({"there is no ", kind, " \"", name, "\""}),
                 did_you_mean(name, method_names(known)));
  }
  if (colon == part.size()) return {};
  for (const std::string_view piece : split(part.substr(colon + 1), ',')) {
    const size_t equals = piece.find('=');
    if (!is_option(piece)) return fault(joined({"\"", piece, "\" must be OPTION=VALUE"}), "e.g. vbd:precision=double");
    const std::string_view option_name = piece.substr(0, equals);
    const Option* option = find_option(entry->options, option_name);
    if (!option) {
      std::vector<std::string_view> names;
      for (const Option& o : entry->options) names.push_back(o.name);
      return fault(joined({"\"", name, "\" has no option \"", option_name, "\""}), did_you_mean(option_name, names));
    }
    const OptionScalar value = value_of(piece.substr(equals + 1));
    if (const Error e = option_fault(*option, value); !e.what.empty())
      return fault(joined({option_name, " ", e.what}), e.remedy);
    for (const char* shared : {"iterations", "time_budget", "tolerance", "relative_tolerance", "check_every"}) {
      if (option_name == shared)
        return fault(joined({"the comparison decides over ", option_name, ", for all solvers alike"}),
                     "use --iterations or --budget");
    }
    options.set(option_name, value);
  }
  return {};
}

Result<ComparedMethod> read_method(std::string_view text, const Scene& scene) {
  const Error at{joined({"--solvers", text.empty() ? "" : " ", text}), "", ""};
  ComparedMethod method;
  method.label = text;
  const size_t plus = accelerator_begin(text);

  SolverSettings own;
  if (Status s = read_part(text.substr(0, plus), solver_methods(), "solver", at, own.type, own.options); !s)
    return s.error();
  method.settings = with_solver(scene.solver, own.type);
  for (const OptionValue& o : own.options) method.settings.options.set(o.name, o.value);

  own = {};
  own.accelerator = "none";
  if (plus < text.size()) {
    if (Status s = read_part(text.substr(plus + 1), accelerator_methods(), "accelerator", at, own.accelerator,
                             own.accelerator_options);
        !s)
      return s.error();
  }
  if (own.accelerator != scene.solver.accelerator) method.settings.accelerator_options.clear();
  method.settings.accelerator = own.accelerator;
  for (const OptionValue& o : own.accelerator_options) method.settings.accelerator_options.set(o.name, o.value);
  return method;
}

}  // namespace

Result<std::vector<ComparedMethod>> parse_methods(std::string_view list, const Scene& scene) {
  std::vector<std::string> texts;
  for (const std::string_view untrimmed : split(list, ',')) {
    const std::string_view piece = trimmed(untrimmed);
    if (is_option(piece) && !texts.empty())
      texts.back().append(",").append(piece);
    else
      texts.emplace_back(piece);
  }
  // "all" stands for those that are not named otherwise.
  if (const auto all = std::find(texts.begin(), texts.end(), "all"); all != texts.end()) {
    std::vector<std::string> others;
    for (const SolverInfo& solver : solver_list())
      if (std::find(texts.begin(), texts.end(), solver.name) == texts.end()) others.emplace_back(solver.name);
    texts.insert(texts.erase(all), others.begin(), others.end());
  }
  std::vector<ComparedMethod> methods;
  for (const std::string& text : texts) {
    for (const ComparedMethod& other : methods) {
      if (other.label == text) return Error{"--solvers", joined({"\"", text, "\" is listed twice"}), "name it once"};
    }
    Result<ComparedMethod> method = read_method(text, scene);
    if (!method) return method.error();
    methods.push_back(std::move(*method));
  }
  return methods;
}

}  // namespace sinew
