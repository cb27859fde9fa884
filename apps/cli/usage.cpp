#include "usage.h"

#include <cmath>
#include <cstdlib>

#include "sinew/lanes.h"
#include "sinew/scene.h"
#include "sinew/text.h"
#include "text.h"

namespace sinew::cli {
namespace {

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::string question(std::string_view near) {
  return "did you mean '" + std::string(near) + "'?";
}

}  // namespace

std::string usage_fault(const CLI::App& app, const CLI::ParseError& fault) {
  const CLI::App* command = nullptr;
  std::string name = "sinew";
  for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
    command = at = at->get_subcommands().front();
    name += " " + at->get_name();
  }
  const CLI::App& parsed = command ? *command : app;
  const std::string help = "see " + name + " --help";

  // An unrecognized word explains more than what is then missing.
  for (const std::string& word : app.remaining(true)) {
    if (word.size() > 1 && word[0] == '-') {
      const std::string option = word.substr(0, word.find('='));
      const std::vector<std::string> options = options_of(parsed);
      const std::string_view near = option.size() > 2 ? nearest_word(option, options) : "";
      const std::string remedy = near.empty() ? help : question(near);
      return format("%s: there is no option %s; %s", name.c_str(), option.c_str(), remedy.c_str());
    }
    if (!command) {
      const std::string remedy = did_you_mean(word, commands_of(app));
      return format("%s: there is no command '%s'; %s", name.c_str(), word.c_str(), remedy.c_str());
    }
    return format("%s: '%s' is one argument too many; %s", name.c_str(), word.c_str(), help.c_str());
  }
  if (!command) return name + ": no command given; known: " + word_list(commands_of(app));
  return name + ": " + fault.what() + "; " + help;
}

std::string memory_fault(const CLI::App& app) {
  if (app.got_subcommand("mesh"))
    return "not enough memory for this mesh; use a larger --cell, a smaller --tets or a coarser surface";
  if (app.got_subcommand("info")) return "not enough memory for this mesh; use a smaller one or a larger machine";
  return "not enough memory for this scene; use fewer cells or a coarser mesh";
}

void add_overrides(CLI::App& command, std::vector<std::string>& overrides, const std::string& example) {
  command
      .add_option("--set", overrides,
                  "override a value of the scene, e.g. --set " + example + "; repeat for more values")
      ->type_name("PATH=VALUE")
      ->expected(1)  // else the help shows it as taking several
      ->allow_extra_args(false)
      ->take_all();
}

void add_device(CLI::App& command, std::string& device) {
  command
      .add_option("--device", device,
                  "where the solver computes: cpu, cuda (a graphics card) or emulated; stands for --set "
                  "solver.device=NAME. Not every solver runs on every device")
      ->check(not_empty())
      ->type_name("NAME");
}

std::vector<std::string> with_device(std::vector<std::string> overrides, const std::string& device) {
  if (!device.empty()) overrides.push_back("solver.device=" + device);
  return overrides;
}

std::string lanes_fault(int lanes, const Scene& scene) {
  const OptionScalar* own = scene.solver.options.find("lanes");
  const auto* number = own ? std::get_if<double>(own) : nullptr;
  if (lanes == 0 || !number || *number == 0 || *number == lanes) return "";
  return format("--lanes %d and solver.lanes = %g of the scene: give one of them", lanes, *number);
}

void add_lanes(CLI::App& command, int& lanes, int least) {
  std::string meaning = "SIMD lanes: ";
  for (const int width : {1, 4, 8, 16}) {
    if (width >= least) meaning += (width == least ? "" : width < 16 ? ", " : " or ") + std::to_string(width);
  }
  command
      .add_option_function<int>(
          "--lanes",
          [&lanes, least](int given) {
            lanes = given;
            Status set = set_lanes(given);
            if (set.ok() && given > 0 && given < least)
              set = Error{"lanes", format("= %d [-]: this command has no such width", given),
                          format("use %d or more, or 0 for the widest", least)};
            if (!set.ok()) throw CLI::ValidationError("--" + set.error().message());
          },
          meaning + "; 0: as many as the processor has. Only the last digits of the results depend on it")
      ->transform(whole(0, 16).description(""))
      ->type_name("N");
}

CLI::Validator one_of(std::vector<std::string> words) {
  return CLI::Validator(
      [words = std::move(words)](std::string& given) {
        if (std::find(words.begin(), words.end(), given) != words.end()) return std::string();
        const std::string_view near = nearest_word(given, words);
        return '"' + given + "\" must be one of " + word_list(words) + (near.empty() ? "" : "; " + question(near));
      },
      "");
}

CLI::Validator not_empty() {
  return CLI::Validator([](std::string& given) { return given.empty() ? "must not be empty" : std::string(); }, "");
}

CLI::Validator above_zero() {
  return CLI::Validator(
      [](std::string& given) {
        char* end = nullptr;
        const double number = std::strtod(given.c_str(), &end);
        const bool good = end != given.c_str() && *end == 0 && std::isfinite(number) && number > 0;
        return good ? std::string() : '"' + given + "\" must be a number above 0";
      },
      "");
}

CLI::Validator whole(int64_t low, int64_t high) {
  const auto l = static_cast<long long>(low), h = static_cast<long long>(high);
  return CLI::Validator(
      [l, h](std::string& given) {
        char* end = nullptr;
        const double number = std::strtod(given.c_str(), &end);
        const bool whole = end != given.c_str() && *end == 0 && number == std::floor(number);
        if (!whole || number < static_cast<double>(l) || number > static_cast<double>(h))
          return format("\"%s\" must be a whole number from %lld to %lld", given.c_str(), l, h);
        given = format("%.0f", number);
        return std::string();
      },
      format("INT in [%lld - %lld]", l, h));
}

}  // namespace sinew::cli
