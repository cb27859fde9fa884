#include "experiment/claim.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <variant>

#include "base/format.h"
#include "base/nearest.h"

namespace sinew {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

std::vector<double> known(const Series& s) {
  std::vector<double> values;
  for (const double v : s.value)
    if (!std::isnan(v)) values.push_back(v);
  return values;
}
double or_unknown(const std::vector<double>& values, double value) {
  return values.empty() ? unknown_value : value;
}

double first(const Series& s) {
  return or_unknown(s.value, s.value.empty() ? 0 : s.value.front());
}
double last(const Series& s) {
  return or_unknown(s.value, s.value.empty() ? 0 : s.value.back());
}
double least(const Series& s) {
  const std::vector<double> v = known(s);
  return v.empty() ? unknown_value : *std::min_element(v.begin(), v.end());
}
double most(const Series& s) {
  const std::vector<double> v = known(s);
  return v.empty() ? unknown_value : *std::max_element(v.begin(), v.end());
}
double mean(const Series& s) {
  double sum = 0;
  const std::vector<double> v = known(s);
  for (const double x : v) sum += x;
  return or_unknown(v, sum / static_cast<double>(v.size()));
}
double median(const Series& s) {
  std::vector<double> v = known(s);
  if (v.empty()) return unknown_value;
  std::sort(v.begin(), v.end());
  return (v[(v.size() - 1) / 2] + v[v.size() / 2]) / 2;
}
double count(const Series& s) {
  return static_cast<double>(s.value.size());
}
double at(const Series& s, double place) {
  double value = unknown_value;
  for (size_t k = 0; k < s.value.size() && s.place[k] <= place; ++k) value = s.value[k];
  return value;
}
double reach(const Series& s, double limit) {
  for (size_t k = 0; k < s.value.size(); ++k)
    if (s.value[k] <= limit) return s.place[k];
  return never;
}
double reach_ms(const Series& s, double limit) {
  for (size_t k = 0; k < s.value.size(); ++k)
    if (s.value[k] <= limit) return s.milliseconds[k];
  return never;
}

struct OfSeries {
  std::string_view name;
  double (*value)(const Series&);
};
constexpr OfSeries of_series[] = {{"first", first}, {"last", last},     {"min", least},  {"max", most},
                                  {"mean", mean},   {"median", median}, {"count", count}};
struct OfSeriesAndNumber {
  std::string_view name;
  double (*value)(const Series&, double);
};
constexpr OfSeriesAndNumber of_series_and_number[] = {{"at", at}, {"reach", reach}, {"reach_ms", reach_ms}};
struct OfNumber {
  std::string_view name;
  double (*value)(double);
};
constexpr OfNumber of_number[] = {{"abs", [](double v) { return std::abs(v); }},
                                  {"sqrt", [](double v) { return std::sqrt(v); }},
                                  {"log10", [](double v) { return std::log10(v); }}};

// Parses and evaluates in one pass. The first fault is kept; values returned after it are meaningless.
class Evaluator {
 public:
  Evaluator(std::string_view text, const Findings& findings) : text_(text), findings_(findings) {}

  Result<Judgement> judge() {
    judgement_.holds = disjunction();
    end();
    if (fault_) return *fault_;
    return std::move(judgement_);
  }
  Result<double> number() {
    const double value = sum();
    end();
    if (fault_) return *fault_;
    return value;
  }

 private:
  using Value = std::variant<double, bool>;

  // Words.
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool take(std::string_view token) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(token)) return false;
    const bool is_word = token[0] >= 'a' && token[0] <= 'z';
    if (is_word && at_ + token.size() < text_.size() && in_name(text_[at_ + token.size()])) return false;
    at_ += token.size();
    return true;
  }
  static bool in_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  }
  std::string_view name() {
    skip_blanks();
    const size_t begin = at_;
    while (at_ < text_.size() && in_name(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  void fail(const std::string& what, const std::string& remedy = "") {
    if (!fault_) fault_ = Error{std::string(text_), format("at character %zu: ", at_ + 1) + what, remedy};
    at_ = text_.size();
  }
  void need(std::string_view token) {
    if (!take(token)) fail(joined({"expected \"", token, "\""}));
  }
  void end() {
    skip_blanks();
    if (at_ < text_.size()) fail("there is more than the expression");
  }

  // Truths.
  bool disjunction() {
    bool holds = conjunction();
    while (take("or")) holds = conjunction() || holds;
    return holds;
  }
  bool conjunction() {
    bool holds = truth();
    while (take("and")) holds = truth() && holds;
    return holds;
  }
  bool truth() {
    if (take("not")) return !truth();
    // A parenthesis may also begin a number; the comparison after it decides.
    const size_t begin = at_;
    if (take("(")) {
      const std::optional<Error> before = fault_;
      const Judgement judged = judgement_;
      const bool holds = disjunction();
      if (!fault_ && take(")") && !comparing() && !calculating()) return holds;
      fault_ = before;
      judgement_ = judged;
      at_ = begin;
    }
    return comparison();
  }
  bool comparing() {
    skip_blanks();
    return at_ < text_.size() && (text_[at_] == '<' || text_[at_] == '>');
  }
  bool calculating() {
    skip_blanks();
    return at_ < text_.size() && std::string_view("+-*/").find(text_[at_]) != std::string_view::npos;
  }
  bool comparison() {
    const double left = sum();
    if (take("<=")) return left <= sum();
    if (take(">=")) return left >= sum();
    if (take("<")) return left < sum();
    if (take(">")) return left > sum();
    fail("expected a comparison (< <= > >=)");
    return false;
  }

  // Numbers.
  double sum() {
    double value = product();
    for (;;) {
      if (take("+")) {
        value += product();
      } else if (take("-")) {
        value -= product();
      } else {
        return value;
      }
    }
  }
  double product() {
    double value = factor();
    for (;;) {
      if (take("*")) {
        value *= factor();
      } else if (take("/")) {
        value /= factor();
      } else {
        return value;
      }
    }
  }
  double factor() {
    if (take("-")) return -factor();
    if (take("(")) {
      const double value = sum();
      need(")");
      return value;
    }
    skip_blanks();
    const size_t begin = at_;
    double value = 0;
    const auto [rest, fault] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (fault == std::errc() && text_[at_] >= '0' && text_[at_] <= '9') {
      at_ = static_cast<size_t>(rest - text_.data());
      return value;
    }
    const std::string_view word = name();
    if (word.empty()) {
      fail("expected a number, a name or a function");
      return 0;
    }
    value = take("(") ? function(word, begin) : named(word, begin);
    return value;
  }
  double function(std::string_view word, size_t begin) {
    for (const OfNumber& f : of_number) {
      if (f.name != word) continue;
      const double argument = sum();
      need(")");
      return f.value(argument);
    }
    for (const OfSeries& f : of_series) {
      if (f.name != word) continue;
      const Series* s = series();
      need(")");
      return s ? figure(begin, f.value(*s)) : 0;
    }
    for (const OfSeriesAndNumber& f : of_series_and_number) {
      if (f.name != word) continue;
      const Series* s = series();
      need(",");
      const double argument = sum();
      need(")");
      return s ? figure(begin, f.value(*s, argument)) : 0;
    }
    std::vector<std::string_view> names;
    for (const auto& f : of_number) names.push_back(f.name);
    for (const auto& f : of_series) names.push_back(f.name);
    for (const auto& f : of_series_and_number) names.push_back(f.name);
    at_ = begin;
    fail(joined({"there is no function \"", word, "\""}), did_you_mean(word, names));
    return 0;
  }
  const Series* series() {
    skip_blanks();
    const size_t begin = at_;
    const std::string_view word = name();
    const auto found = findings_.series.find(word);
    if (found != findings_.series.end()) return &found->second;
    std::vector<std::string_view> names;
    for (const auto& [known_name, ignored] : findings_.series) names.push_back(known_name);
    at_ = begin;
    fail(joined({"nothing is measured under \"", word, "\""}), did_you_mean(word, names));
    return nullptr;
  }
  double named(std::string_view word, size_t begin) {
    const auto found = findings_.numbers.find(word);
    if (found != findings_.numbers.end()) return figure(begin, found->second);
    at_ = begin;
    std::vector<std::string_view> names;
    for (const auto& [known_name, ignored] : findings_.numbers) names.push_back(known_name);
    const bool is_series = findings_.series.contains(word);
    fail(is_series ? joined({"\"", word, "\" is a series, not a number"})
                   : joined({"there is no number \"", word, "\""}),
         is_series ? "take last(), min(), ... of it" : did_you_mean(word, names));
    return 0;
  }
  double figure(size_t begin, double value) {
    if (fault_) return value;
    size_t end = at_;
    while (text_[end - 1] == ' ') --end;
    const std::string written(text_.substr(begin, end - begin));
    for (const auto& [other, ignored] : judgement_.figures)
      if (other == written) return value;
    judgement_.figures.emplace_back(written, value);
    return value;
  }

  std::string_view text_;
  const Findings& findings_;
  size_t at_ = 0;
  std::optional<Error> fault_;
  Judgement judgement_;
};

}  // namespace

Result<Judgement> judge_claim(std::string_view claim, const Findings& findings) {
  return Evaluator(claim, findings).judge();
}

Result<double> evaluate_number(std::string_view expression, const Findings& findings) {
  return Evaluator(expression, findings).number();
}

}  // namespace sinew
