#include "dataset/sampling.h"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <boost/random/sobol.hpp>
#include <cmath>
#include <numeric>
#include <utility>

namespace sinew {
namespace {

// Steele, Lea, Flood (2014), SplitMix64: numbers by their place in a sequence.
uint64_t mixed(uint64_t z) {
  z += 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}
uint64_t random_bits(uint64_t seed, uint64_t stream, uint64_t number) {
  return mixed(mixed(mixed(seed) ^ stream) ^ number);
}
// In (0, 1): never an end.
double share_of(uint64_t bits) {
  return (static_cast<double>(bits >> 11) + 0.5) * 0x1p-53;
}

// One number in (0, 1) for each sample and parameter, row by row.
std::vector<double> uniform(const DatasetPlan& plan) {
  const size_t columns = plan.parameters.size(), rows = static_cast<size_t>(plan.samples);
  std::vector<double> u(rows * columns);
  for (size_t k = 0; k < rows; ++k)
    for (size_t p = 0; p < columns; ++p) u[k * columns + p] = share_of(random_bits(plan.seed, p, k));
  return u;
}

std::vector<double> latin_hypercube(const DatasetPlan& plan) {
  const size_t columns = plan.parameters.size(), rows = static_cast<size_t>(plan.samples);
  std::vector<double> u = uniform(plan);
  std::vector<size_t> part(rows);
  for (size_t p = 0; p < columns; ++p) {
    std::iota(part.begin(), part.end(), size_t{0});
    for (size_t k = rows; k > 1; --k) std::swap(part[k - 1], part[random_bits(~plan.seed, p, k) % k]);
    for (size_t k = 0; k < rows; ++k) {
      double& value = u[k * columns + p];
      value = (static_cast<double>(part[k]) + value) / static_cast<double>(rows);
    }
  }
  return u;
}

std::vector<double> sobol(const DatasetPlan& plan) {
  const size_t columns = plan.parameters.size(), rows = static_cast<size_t>(plan.samples);
  std::vector<double> u(rows * columns);
  boost::random::sobol sequence(columns);  // leaves out the first point, 0, without which 2^m points are no net
  for (size_t k = 0; k < rows; ++k)
    for (size_t p = 0; p < columns; ++p)
      u[k * columns + p] = share_of((k == 0 ? 0 : sequence()) ^ random_bits(plan.seed, p, ~uint64_t{0}));
  return u;
}

double within(const DatasetRange& range, double u) {
  if (!range.logarithmic) return std::clamp(range.low + u * (range.high - range.low), range.low, range.high);
  const double low = std::log(range.low), high = std::log(range.high);
  return std::clamp(std::exp(low + u * (high - low)), range.low, range.high);
}

// The share of a normal distribution below its bounds, 0 and 1 where there are none.
struct NormalShares {
  double first = 0, last = 1;
};
NormalShares shares_of(const DatasetNormal& normal) {
  const auto below = [&](double x) { return 0.5 * std::erfc((normal.mean - x) / (normal.deviation * std::sqrt(2.0))); };
  return {normal.low ? below(*normal.low) : 0, normal.high ? below(*normal.high) : 1};
}
// The upper tail is taken as the lower one, where shares near 0 have all their digits.
DatasetNormal mirrored(const DatasetNormal& normal) {
  DatasetNormal mirror{-normal.mean, normal.deviation, {}, {}};
  if (normal.high) mirror.low = -*normal.high;
  if (normal.low) mirror.high = -*normal.low;
  return mirror;
}

double within(const DatasetNormal& normal, double u) {
  if (normal.low && *normal.low > normal.mean) return -within(mirrored(normal), 1 - u);
  const NormalShares shares = shares_of(normal);
  const double p = std::min(shares.first + u * (shares.last - shares.first), 1 - 0x1p-53);
  double x = normal.mean - normal.deviation * std::sqrt(2.0) * boost::math::erfc_inv(2 * p);
  if (normal.low) x = std::max(x, *normal.low);
  if (normal.high) x = std::min(x, *normal.high);
  return x;
}

double within(const DatasetValues& values, double u) {
  const auto count = static_cast<double>(values.values.size());
  return values.values[std::min(static_cast<size_t>(u * count), values.values.size() - 1)];
}

int64_t count_of(const DatasetParameter& parameter) {
  const auto* values = std::get_if<DatasetValues>(&parameter.spread);
  return values ? static_cast<int64_t>(values->values.size()) : parameter.count;
}

std::vector<double> grid(const DatasetPlan& plan) {
  const size_t columns = plan.parameters.size();
  std::vector<double> table(static_cast<size_t>(plan.samples) * columns);
  for (int64_t k = 0; k < plan.samples; ++k) {
    int64_t rest = k;
    for (size_t p = columns; p-- > 0;) {
      const DatasetParameter& parameter = plan.parameters[p];
      const int64_t count = count_of(parameter), at = rest % count;
      rest /= count;
      double& value = table[static_cast<size_t>(k) * columns + p];
      if (const auto* values = std::get_if<DatasetValues>(&parameter.spread))
        value = values->values[static_cast<size_t>(at)];
      else
        value = within(std::get<DatasetRange>(parameter.spread),
                       count > 1 ? static_cast<double>(at) / static_cast<double>(count - 1) : 0.5);
    }
  }
  return table;
}

size_t column_of(const DatasetPlan& plan, const DatasetColumn& column) {
  const auto at = std::find(plan.table_columns.begin(), plan.table_columns.end(), column.column);
  return static_cast<size_t>(at - plan.table_columns.begin());
}

}  // namespace

Result<int64_t> grid_size(const std::vector<DatasetParameter>& parameters) {
  int64_t size = 1;
  for (const DatasetParameter& parameter : parameters) {
    size *= std::max<int64_t>(count_of(parameter), 1);
    if (size > 1'000'000'000) return Error{"parameters", "make a grid of more than 1e9 samples", "use smaller counts"};
  }
  return size;
}

bool has_tail(const DatasetNormal& normal) {
  const bool is_upper = normal.low && *normal.low > normal.mean;
  const NormalShares shares = shares_of(is_upper ? mirrored(normal) : normal);
  return shares.last - shares.first > 1e-300;
}

int most_sobol_parameters() {
  return static_cast<int>(boost::random::default_sobol_table::max_dimension);
}

std::vector<double> dataset_parameters(const DatasetPlan& plan) {
  if (plan.parameters.empty()) return {};
  if (plan.sampling == DatasetSampling::grid) return grid(plan);
  std::vector<double> u = plan.sampling == DatasetSampling::sobol             ? sobol(plan)
                          : plan.sampling == DatasetSampling::latin_hypercube ? latin_hypercube(plan)
                                                                              : uniform(plan);
  const size_t columns = plan.parameters.size(), of_table = plan.table_columns.size();
  for (size_t p = 0; p < columns; ++p) {
    for (size_t k = 0; k < static_cast<size_t>(plan.samples); ++k) {
      double& value = u[k * columns + p];
      const auto& spread = plan.parameters[p].spread;
      if (const auto* range = std::get_if<DatasetRange>(&spread)) value = within(*range, value);
      if (const auto* normal = std::get_if<DatasetNormal>(&spread)) value = within(*normal, value);
      if (const auto* values = std::get_if<DatasetValues>(&spread)) value = within(*values, value);
      if (const auto* column = std::get_if<DatasetColumn>(&spread))
        value = plan.table[k * of_table + column_of(plan, *column)];
    }
  }
  return u;
}

}  // namespace sinew
