#include "record/line_figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <string_view>

#include "base/format.h"
#include "files/gnuplot.h"
#include "record/polyline.h"

namespace sinew {
namespace {

// All lengths in pixels of the SVG; the PNG has twice the size.
constexpr double panel_width = 330, panel_height = 260;
constexpr double least_left_room = 82, bottom_room = 50, panel_gap = 22;
constexpr int most_ticks = 8;  // of a linear axis
constexpr double character = 7.2, line_height = 14, font_size = 12;
constexpr size_t longest_line = 20;  // characters of a label
constexpr const char* dashes[] = {"solid", "(9,4)", "(2.5,3)", "(10,4,2.5,4)", "(16,5)", "(5,3,2,3,2,3)"};
// Diverging curves are cut off at divergence_room x the level of the others, and all curves most_decades below the top.
constexpr double divergence_room = 1e3, most_decades = 20;
constexpr double linear_room = 10;  // the same for a linear axis
// An axis this short relative to its values is drawn relative to one of them.
constexpr double invisible = 0.25;  // distance from the line within which a point may be omitted [pixels]
constexpr double short_axis = 1e-3;
constexpr double constant = 1e-9;  // relative difference below which values are equal

struct Box {
  double left, top, right, bottom;

  bool meets(const Box& o) const { return left < o.right && o.left < right && top < o.bottom && o.top < bottom; }
  bool contains(double x, double y) const { return x > left && x < right && y > top && y < bottom; }
};

struct Axis {
  bool log = false;
  double low = 0, high = 1;  // of the value, or of its decimal logarithm

  double scaled(double v) const { return log ? std::log10(v) : v; }
  // 0 at the low end, 1 at the high end.
  double share(double v) const { return (scaled(v) - low) / (high - low); }
  // The value at a scaled coordinate, slightly further out: gnuplot drops a tick that rounding puts beyond the end.
  double end(double s, double outwards) const { return log ? std::pow(10.0, s + 1e-5 * outwards) : s; }
};

// The text to draw: letters that some machines have no font for, and some draw as giant boxes, become their numbers,
// \u6f22, as do bytes that are not UTF-8. Latin, Greek and Cyrillic letters, and the characters between them, are
// unchanged.
std::string drawable(std::string_view text) {
  std::string drawn;
  for (size_t k = 0; k < text.size();) {
    const auto byte = [&](size_t n) { return k + n < text.size() ? static_cast<unsigned char>(text[k + n]) : 0u; };
    const size_t length = byte(0) < 0x80       ? 1
                          : byte(0) >> 5 == 6  ? 2
                          : byte(0) >> 4 == 14 ? 3
                          : byte(0) >> 3 == 30 ? 4
                                               : 0;
    uint32_t code = length < 2 ? byte(0) : byte(0) & (0x7fu >> length);
    bool good = length > 0;
    for (size_t n = 1; n < length; ++n) {
      good = good && byte(n) >> 6 == 2;
      code = code << 6 | (byte(n) & 0x3f);
    }
    const bool common = code < 0x250 || (code >= 0x370 && code < 0x500) || (code >= 0x2010 && code < 0x2028);
    if (good && common)
      drawn += text.substr(k, length);
    else
      drawn += format(good ? "\\u%04x" : "\\x%02x", good ? code : byte(0));
    k += good ? length : 1;
  }
  return drawn;
}

// "vbd:precision=double+chebyshev" in lines of moderate length.
std::vector<std::string> wrapped(const std::string& label) {
  std::vector<std::string> lines(1);
  std::string word;
  const auto flush = [&] {
    if (!lines.back().empty() && lines.back().size() + word.size() > longest_line) lines.emplace_back();
    lines.back() += word;
    word.clear();
  };
  for (const char c : label) {
    if (c == '+') flush();
    word += c;
    if (c == ',' || c == ':') flush();
  }
  flush();
  return lines;
}

// Whether a point can be shown on the y axis; and on both.
bool has_value(const std::pair<double, double>& p, const FigurePanel& panel) {
  return std::isfinite(p.first) && std::isfinite(p.second) && (!panel.log_y || p.second > 0);
}
bool is_drawn(const std::pair<double, double>& p, const FigurePanel& panel) {
  return has_value(p, panel) && (!panel.log_x || p.first > 0);
}

Axis x_axis(const FigurePanel& panel) {
  Axis axis{panel.log_x};
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const FigureCurve& curve : panel.curves) {
    for (const auto& p : curve.points) {
      if (!is_drawn(p, panel)) continue;
      low = std::min(low, axis.scaled(p.first));
      high = std::max(high, axis.scaled(p.first));
    }
  }
  if (!(low <= high)) return {panel.log_x, 0, 1};
  if (panel.log_x) {
    const double margin = 0.04 * std::max(high - low, 0.5);
    low -= margin;
    high += margin;
    // At least half a decade, which contains a tick or two.
    const double widen = std::max(0.0, 0.5 - (high - low)) / 2;
    low -= widen;
    high += widen;
  } else if (!(low < high)) {
    high = low + 1;
  }
  return {panel.log_x, low, high};
}

// The median; the lower of two.
double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The level of a panel's curves; only diverged curves lie far above it.
//
// For curves with a common start it is that value. It may be only round-off, like a residual at rest: then curves leave
// it at once, and those that settle elsewhere have not diverged. On a linear axis, where one such curve would flatten
// the others, the median curve decides.
//
// A start at 0 counts even if a logarithmic axis does not show it, so that panels of one measure are cut off alike.
//
// For curves with different starts it is the median of their median values.
double level_of(const FigurePanel& panel) {
  double first = 0, settled = 0;
  std::vector<double> medians;
  for (const FigureCurve& curve : panel.curves) {
    std::vector<double> values;
    for (const auto& p : curve.points)
      if (has_value(p, panel)) values.push_back(std::abs(p.second));
    if (values.empty()) continue;
    first = std::max(first, values.front());
    medians.push_back(median_of(values));
    if (*std::max_element(values.begin(), values.end()) <= divergence_room * medians.back())
      settled = std::max(settled, medians.back());
  }
  if (medians.empty()) return 0;
  if (!panel.common_start) {
    const auto middle = medians.begin() + static_cast<std::ptrdiff_t>(medians.size() / 2);
    std::nth_element(medians.begin(), middle, medians.end());
    return *middle;
  }
  if (!panel.log_y) return std::max(first, median_of(medians));
  // The start must stay on the axis.
  return std::max(first, std::min(settled, first * std::pow(10.0, most_decades) / divergence_room));
}

// With a margin, and from 0 if that is near. Values far beyond the level have diverged.
Axis linear_axis(const FigurePanel& panel) {
  const double beyond = linear_room * level_of(panel);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const FigureCurve& curve : panel.curves) {
    for (const auto& p : curve.points) {
      if (!is_drawn(p, panel) || std::abs(p.second) > beyond) continue;
      low = std::min(low, p.second);
      high = std::max(high, p.second);
    }
  }
  if (!(low <= high)) return {false, 0, 1};
  const double largest = std::max(std::abs(low), std::abs(high));
  if (largest == 0) return {false, -1, 1};
  // Round-off must not fill a panel.
  const double margin = high - low > constant * largest ? 0.06 * (high - low) : 0.1 * largest;
  return {false, low - margin, high + margin};
}

// Whole decades.
Axis y_axis(const FigurePanel& panel) {
  if (!panel.log_y) return linear_axis(panel);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const FigureCurve& curve : panel.curves) {
    for (const auto& p : curve.points) {
      if (!is_drawn(p, panel)) continue;
      low = std::min(low, std::log10(p.second));
      high = std::max(high, std::log10(p.second));
    }
  }
  if (!(low <= high)) return {true, -1, 0};
  high = std::ceil(std::min(high, std::log10(level_of(panel) * divergence_room)) - 1e-9);
  low = std::max(std::floor(low + 1e-9), high - most_decades);
  return {true, std::min(low, high - 1), high};
}

// Ticks at 1, 2, 5 on a short logarithmic axis, at decades on a long one.
std::string log_ticks(const Axis& axis) {
  std::string ticks;
  const double span = axis.high - axis.low;
  const int every = std::max(1, static_cast<int>(std::ceil(span / 7)));
  for (int decade = static_cast<int>(std::floor(axis.low)); decade <= std::ceil(axis.high); ++decade) {
    for (const int digit : {1, 2, 5}) {
      const double at = decade + std::log10(digit);
      if (at < axis.low - 1e-9 || at > axis.high + 1e-9) continue;
      const bool is_short = span <= 2.2;
      if (digit > 1 && !is_short) continue;
      const bool is_named = is_short || decade % every == 0;
      const double value = digit * std::pow(10.0, decade);
      const std::string name = !is_named                           ? ""
                               : is_short && std::abs(decade) <= 3 ? format("%.4g", value)
                               : digit > 1                         ? format("%d·10^{%d}", digit, decade)
                                                                   : format("10^{%d}", decade);
      ticks += format("%s'%s' %.9g%s", ticks.empty() ? "" : ", ", name.c_str(), value, is_named ? "" : " 1");
    }
  }
  return "(" + ticks + ")";
}

// The number of visible characters of a tick label.
size_t length_of(std::string_view name) {
  return static_cast<size_t>(std::count_if(name.begin(), name.end(), [](char c) {
    return std::string_view("^{}").find(c) == std::string_view::npos && (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

// At multiples of 1, 2 or 5 x a power of ten, with enough digits to distinguish them.
std::vector<std::pair<double, std::string>> ticks_every(double step, const Axis& axis) {
  std::vector<std::pair<double, std::string>> ticks;
  const double largest = std::max(std::abs(axis.low), std::abs(axis.high));
  const int digits = std::max(6, static_cast<int>(std::floor(std::log10(largest)) - std::floor(std::log10(step))) + 2);
  // Not from -0, which would be printed as such.
  for (double k = std::ceil(axis.low / step - 1e-9) + 0.0; k <= std::floor(axis.high / step + 1e-9); ++k) {
    std::string name = format("%.*g", std::min(digits, 15), k * step);
    if (const size_t e = name.find('e'); e != std::string::npos)
      name = name.substr(0, e) + format("·10^{%d}", std::atoi(name.c_str() + e + 1));
    ticks.emplace_back(k * step, name);
  }
  return ticks;
}

// At most `most`, and no more than fit side by side below an axis of `width` characters.
std::vector<std::pair<double, std::string>> linear_ticks(const Axis& axis, int most, double width) {
  for (;; --most) {
    const double least = (axis.high - axis.low) / most, power = std::pow(10.0, std::floor(std::log10(least)));
    double step = 10 * power;
    for (const double digit : {5, 2, 1})
      if (digit * power >= least) step = digit * power;
    auto ticks = ticks_every(step, axis);
    double needed = 0;
    for (const auto& [at, name] : ticks) needed += static_cast<double>(length_of(name)) + 2;
    if (needed <= width || most <= 2) return ticks;
  }
}

std::string ticks(const char* name, const Axis& axis, double width = std::numeric_limits<double>::infinity()) {
  if (axis.log) return format("set logscale %s 10\nset %stics ", name, name) + log_ticks(axis) + "\n";
  std::string list;
  for (const auto& [at, text] : linear_ticks(axis, most_ticks, width))
    list += format("%s'%s' %.15g", list.empty() ? "" : ", ", text.c_str(), at);
  return format("unset logscale %s\nset %stics (", name, name) + list + ")\n";
}

// [pixels] The room for tick labels and title left of a panel.
double left_room_of(const Axis& axis) {
  size_t longest = 0;
  if (!axis.log)
    for (const auto& [at, name] : linear_ticks(axis, most_ticks, std::numeric_limits<double>::infinity()))
      longest = std::max(longest, length_of(name));
  return std::max(least_left_room, character * static_cast<double>(longest) + 40);
}

// Draws values that differ little relative to a round value among them, stated in the title: otherwise tick labels
// would be long and differ only in their last digits. `y` is the panel's axis.
void make_relative_where_short(FigurePanel& panel, Axis& y) {
  const double range = y.high - y.low, largest = std::max(std::abs(y.low), std::abs(y.high));
  if (y.log || range >= short_axis * largest) return;
  const double unit = std::pow(10.0, std::ceil(std::log10(range)));
  const std::string written = format("%.12g", std::abs(std::round((y.low + y.high) / 2 / unit) * unit));
  const double base = std::copysign(std::strtod(written.c_str(), nullptr), y.low);
  for (FigureCurve& curve : panel.curves)
    for (auto& p : curve.points) p.second -= base;
  y.low -= base;
  y.high -= base;
  const size_t bracket = std::min(panel.y_title.rfind(" ["), panel.y_title.size());
  panel.y_title.insert(bracket, (base < 0 ? " + " : " - ") + written);
}

// Places the labels: right of the ends of their curves if there is room, else near by.
class Labels {
 public:
  Labels(const FigurePanel& panel, const Axis& x, const Axis& y, const Box& frame, double label_room)
      : panel_(panel), x_(x), y_(y), frame_(frame), right_(frame.right + label_room) {
    for (size_t k = 0; k < panel.curves.size(); ++k) trace(k);
    // From the top, so that labels keep the order of their curves.
    std::vector<size_t> order;
    for (size_t k = 0; k < panel.curves.size(); ++k)
      if (!traces_[k].empty()) order.push_back(k);
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return traces_[a].back()[1] < traces_[b].back()[1]; });
    for (const size_t k : order) place(k);
  }

  // In pixels from the top left corner, as gnuplot commands.
  std::string commands(double width, double height) const {
    std::string text;
    for (const Placed& p : placed_) {
      const FigureCurve& curve = panel_.curves[p.curve];
      const auto end = traces_[p.curve].back();
      text += format("set object circle at screen %.5f,%.5f size screen %.5f fc rgb '%s' fs solid noborder front\n",
                     end[0] / width, 1 - end[1] / height, 2.6 / width, curve.color.c_str());
      if (p.distance > 16) {
        text += format("set arrow from screen %.5f,%.5f to screen %.5f,%.5f nohead lw 0.6 lc rgb '%s' front\n",
                       end[0] / width, 1 - end[1] / height, (p.box.left - 1) / width,
                       1 - (p.box.top + p.box.bottom) / 2 / height, curve.color.c_str());
      }
      double at = p.box.top + line_height / 2;
      for (const std::string& line : wrapped(curve.label)) {
        text += format("set label %s at screen %.5f,%.5f left noenhanced front tc rgb '%s'\n",
                       gnuplot_quoted(line).c_str(), p.box.left / width, 1 - at / height, curve.color.c_str());
        at += line_height;
      }
    }
    return text;
  }

  static double width_of(const std::string& label) {
    size_t longest = 0;
    for (const std::string& line : wrapped(label)) longest = std::max(longest, line.size());
    return character * static_cast<double>(longest);
  }

 private:
  struct Placed {
    size_t curve;
    Box box;
    double distance;
  };

  // The curve in pixels, a point every few of them.
  void trace(size_t curve) {
    std::vector<std::array<double, 2>>& trace = traces_.emplace_back();
    for (const auto& p : panel_.curves[curve].points) {
      if (!is_drawn(p, panel_)) continue;
      const double x = frame_.left + x_.share(p.first) * (frame_.right - frame_.left);
      const double y = frame_.bottom - std::clamp(y_.share(p.second), 0.0, 1.0) * (frame_.bottom - frame_.top);
      if (!trace.empty()) {
        const auto from = trace.back();
        const int pieces = static_cast<int>(std::hypot(x - from[0], y - from[1]) / 4);
        for (int k = 1; k < pieces; ++k) {
          const double s = static_cast<double>(k) / pieces;
          trace.push_back({from[0] + s * (x - from[0]), from[1] + s * (y - from[1])});
        }
      }
      trace.push_back({x, y});
    }
  }

  void place(size_t curve) {
    const auto end = traces_[curve].back();
    const std::string& label = panel_.curves[curve].label;
    const double width = width_of(label), height = line_height * static_cast<double>(wrapped(label).size());
    Placed best{curve, {}, 0};
    double least = std::numeric_limits<double>::infinity();
    // Across the whole panel, since many curves may end at one place; finally beside the panel, where there are no
    // curves.
    const int steps = static_cast<int>(2 * (frame_.bottom - frame_.top) / 4);
    for (int step = 0; step <= steps; ++step) {
      const double dy = (step + 1) / 2 * (step % 2 ? 4.0 : -4.0);
      for (const double dx : {8.0, 20.0, -8.0 - width, frame_.right + 8 - end[0]}) {
        const double left = std::min(end[0] + dx, right_ - width), top = end[1] + dy - height / 2;
        const Box box{left, top, left + width, top + height};
        double cost = 0.15 * std::abs(dy) + (dx < 0 ? 6 : dx > 8 ? 2 : 0);
        if (top < frame_.top - line_height || box.bottom > frame_.bottom - 2 || left < frame_.left) cost += 1000;
        if (left > end[0] + 8) cost += 0.05 * (left - end[0]);
        for (const Placed& p : placed_) cost += p.box.meets(box) ? 1000 : 0;
        for (const auto& trace : traces_)
          for (const auto& point : trace) cost += box.contains(point[0], point[1]) ? 4 : 0;
        if (cost < least) {
          least = cost;
          best.box = box;
          best.distance = std::hypot(dy, std::max(0.0, left - end[0] - 8));
        }
      }
    }
    placed_.push_back(best);
  }

  const FigurePanel& panel_;
  const Axis x_, y_;
  const Box frame_;
  const double right_;
  std::vector<std::vector<std::array<double, 2>>> traces_;
  std::vector<Placed> placed_;
};

// In bold type, with gnuplot's markup characters escaped.
std::string bold(const std::string& text) {
  std::string marked = "{/:Bold ";
  for (const char c : text) {
    if (std::string_view("{}^_@&~\\").find(c) != std::string_view::npos) marked += '\\';
    marked += c;
  }
  return marked + "}";
}

// Each iteration is marked if there are few.
bool has_marks(const FigureCurve& curve) {
  return curve.points.size() <= 25;
}

// Lines without marks keep only visible points: thousands of others make an SVG large.
std::string data_of(const FigurePanel& panel, size_t number, const Axis& x, const Axis& y) {
  std::string text;
  for (size_t k = 0; k < panel.curves.size(); ++k) {
    const FigureCurve& curve = panel.curves[k];
    text += format("$curve_%zu_%zu << END\n", number, k);
    std::vector<std::pair<double, double>> points;
    std::copy_if(curve.points.begin(), curve.points.end(), std::back_inserter(points),
                 [&](const auto& p) { return is_drawn(p, panel); });
    if (!has_marks(curve)) {
      std::vector<std::array<double, 2>> line;
      for (const auto& p : points) line.push_back({panel_width * x.share(p.first), panel_height * y.share(p.second)});
      std::vector<std::pair<double, double>> seen;
      for (const size_t n : simplified(line, invisible)) seen.push_back(points[n]);
      points = std::move(seen);
    }
    for (const auto& p : points) text += format("%.9g %.9g\n", p.first, p.second);
    if (points.empty()) text += "NaN NaN\n";  // gnuplot rejects an empty block
    text += "END\n";
  }
  return text;
}

std::string plot_command(const FigurePanel& panel, size_t number) {
  std::string text = "plot ";
  for (size_t k = 0; k < panel.curves.size(); ++k) {
    const FigureCurve& curve = panel.curves[k];
    const char* dash = dashes[static_cast<size_t>(curve.dash) % std::size(dashes)];
    const bool few = has_marks(curve);
    text += format("%s$curve_%zu_%zu using 1:2 with %s lw 1.8 dt %s %s lc rgb '%s'", k == 0 ? "" : ", \\\n  ", number,
                   k, few ? "linespoints" : "lines", dash, few ? "pt 7 ps 0.35" : "", curve.color.c_str());
  }
  return panel.curves.empty() ? "plot NaN\n" : text + "\n";
}

}  // namespace

std::string figure_script(const LineFigure& described, FigureFormat form) {
  LineFigure figure = described;
  figure.title = drawable(figure.title);
  for (std::string& line : figure.lines) line = drawable(line);
  double left_room = least_left_room;
  std::vector<Axis> y_axes;
  for (FigurePanel& panel : figure.panels) {
    y_axes.push_back(y_axis(panel));
    make_relative_where_short(panel, y_axes.back());
    for (std::string* title : {&panel.x_title, &panel.y_title}) *title = drawable(*title);
    for (FigureCurve& curve : panel.curves) curve.label = drawable(curve.label);
    left_room = std::max(left_room, left_room_of(y_axes.back()));
  }
  double label_room = 40;
  for (const FigurePanel& panel : figure.panels) {
    for (const FigureCurve& curve : panel.curves) label_room = std::max(label_room, Labels::width_of(curve.label) + 12);
  }
  const double title_room = 44 + 17 * static_cast<double>(figure.lines.size());
  const int columns = figure.columns, rows = (static_cast<int>(figure.panels.size()) + columns - 1) / columns;
  const double cell_width = left_room + panel_width + label_room;
  const double cell_height = panel_height + bottom_room + panel_gap;
  const double width = std::round(columns * cell_width + 8), height = std::round(title_room + rows * cell_height);

  const double scale = form == FigureFormat::png ? 2 : 1;
  std::string script = "set encoding utf8\n";
  script += format("set terminal %s size %.0f,%.0f font 'Helvetica,%.0f' enhanced background rgb 'white'%s\n",
                   form == FigureFormat::png ? "pngcairo" : "svg", scale * width, scale * height, font_size,
                   form == FigureFormat::png ? " fontscale 1.5 linewidth 2 pointscale 2" : "");
  script +=
      "set multiplot\n"
      "unset key\n"
      "set border 3 lw 0.8 lc rgb '#444444'\n"
      "set tics nomirror out scale 0.5,0.25\n"
      "set grid xtics ytics lt 1 lw 0.5 lc rgb '#e4e4e4'\n"
      "set xtics textcolor rgb '#222222'\nset ytics textcolor rgb '#222222'\n";

  for (size_t k = 0; k < figure.panels.size(); ++k) {
    const FigurePanel& panel = figure.panels[k];
    const double left = static_cast<double>(static_cast<int>(k) % columns) * cell_width + left_room;
    const double top = title_room + static_cast<double>(static_cast<int>(k) / columns) * cell_height;
    const Box frame{left, top, left + panel_width, top + panel_height};
    const Axis x = x_axis(panel), y = y_axes[k];

    script += data_of(panel, k, x, y);
    script += "unset label\nunset arrow\nunset object\n";
    if (k == 0) {
      script += format("set label %s at screen %.5f,%.5f left font ',%.0f'\n",
                       gnuplot_quoted(bold(figure.title)).c_str(), 14 / width, 1 - 18 / height, font_size + 2);
      for (size_t line = 0; line < figure.lines.size(); ++line) {
        script += format("set label %s at screen %.5f,%.5f left noenhanced tc rgb '#444444'\n",
                         gnuplot_quoted(figure.lines[line]).c_str(), 14 / width,
                         1 - (38 + 17 * static_cast<double>(line)) / height);
      }
    }
    script +=
        format("set lmargin at screen %.5f\nset rmargin at screen %.5f\n", frame.left / width, frame.right / width);
    script += format("set tmargin at screen %.5f\nset bmargin at screen %.5f\n", 1 - frame.top / height,
                     1 - frame.bottom / height);
    script += format("set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n", x.end(x.low, -1), x.end(x.high, 1),
                     y.end(y.low, -1), y.end(y.high, 1));
    script += ticks("x", x, panel_width / character) + ticks("y", y);
    script += "set xlabel " + gnuplot_quoted(panel.x_title) + " offset 0,0.3 noenhanced\n";
    script += "set ylabel " + gnuplot_quoted(panel.y_title) + " noenhanced\n";
    script += Labels(panel, x, y, frame, label_room).commands(width, height);
    script += plot_command(panel, k);
  }
  return script + "unset multiplot\n";
}

}  // namespace sinew
