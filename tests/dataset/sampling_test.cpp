// Sources: McKay, Beckman, Conover (1979) for Latin hypercubes; Sobol (1967) and Joe, Kuo (2008) for equidistribution;
// the moments of a normal distribution.
#include "dataset/sampling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace sinew {
namespace {

DatasetPlan plan_of(DatasetSampling sampling, int64_t samples, int parameters, uint64_t seed = 0) {
  DatasetPlan plan;
  plan.sampling = sampling;
  plan.samples = samples;
  plan.seed = seed;
  for (int p = 0; p < parameters; ++p) {
    plan.parameters.emplace_back().name = std::to_string(p);
    plan.parameters.back().spread = DatasetRange{0, 1};
  }
  return plan;
}

// How many of the values fall into each of `parts` equal parts of [0, 1].
std::vector<int> counts(const std::vector<double>& table, size_t columns, size_t column, size_t parts) {
  std::vector<int> count(parts);
  for (size_t k = column; k < table.size(); k += columns) {
    EXPECT_GE(table[k], 0);
    EXPECT_LT(table[k], 1);
    ++count[static_cast<size_t>(table[k] * static_cast<double>(parts))];
  }
  return count;
}

TEST(Sampling, LatinHypercubesTakeEachPartOnce) {
  for (const int64_t samples : {1, 7, 100}) {
    const std::vector<double> table = dataset_parameters(plan_of(DatasetSampling::latin_hypercube, samples, 3));
    ASSERT_EQ(table.size(), static_cast<size_t>(3 * samples));
    for (size_t p = 0; p < 3; ++p)
      EXPECT_EQ(counts(table, 3, p, static_cast<size_t>(samples)), std::vector<int>(static_cast<size_t>(samples), 1));
  }
}

// Whatever the shift, each of 2^m boxes of a net in base 2 has its share: intervals in every dimension, and 16 x 16
// squares of the first two.
TEST(Sampling, SobolPointsAreEquidistributed) {
  for (const uint64_t seed : {0, 1, 99}) {
    const std::vector<double> table = dataset_parameters(plan_of(DatasetSampling::sobol, 256, 40, seed));
    for (size_t p = 0; p < 40; ++p) EXPECT_EQ(counts(table, 40, p, 256), std::vector<int>(256, 1)) << p;
    std::set<std::pair<int, int>> squares;
    for (size_t k = 0; k < 256; ++k)
      squares.insert({static_cast<int>(16 * table[40 * k]), static_cast<int>(16 * table[40 * k + 1])});
    EXPECT_EQ(squares.size(), 256u);
  }
}

TEST(Sampling, DependsOnTheSeedAndNotOnHowManyThereAre) {
  for (const DatasetSampling sampling : {DatasetSampling::uniform, DatasetSampling::sobol}) {
    const std::vector<double> few = dataset_parameters(plan_of(sampling, 10, 2)),
                              many = dataset_parameters(plan_of(sampling, 50, 2)),
                              other = dataset_parameters(plan_of(sampling, 10, 2, 1));
    EXPECT_EQ(few, std::vector<double>(many.begin(), many.begin() + 20));
    for (size_t k = 0; k < few.size(); ++k) EXPECT_NE(few[k], other[k]);
  }
}

TEST(Sampling, UniformNumbersFillTheirRange) {
  const std::vector<double> table = dataset_parameters(plan_of(DatasetSampling::uniform, 10000, 2));
  for (size_t p = 0; p < 2; ++p)
    for (const int count : counts(table, 2, p, 10)) EXPECT_NEAR(count, 1000, 5 * std::sqrt(900.0));
}

TEST(Sampling, LogarithmicRangesAreEvenInTheLogarithm) {
  DatasetPlan plan = plan_of(DatasetSampling::sobol, 1024, 1);
  plan.parameters[0].spread = DatasetRange{1e2, 1e6, true};
  std::vector<double> table = dataset_parameters(plan);
  for (double& value : table) value = (std::log10(value) - 2) / 4;
  EXPECT_EQ(counts(table, 1, 0, 4), std::vector<int>(4, 256));
}

TEST(Sampling, NormalNumbersHaveTheirMoments) {
  DatasetPlan plan = plan_of(DatasetSampling::sobol, 1 << 14, 1);
  plan.parameters[0].spread = DatasetNormal{3, 2, {}, {}};
  double mean = 0, square = 0;
  for (const double x : dataset_parameters(plan)) {
    mean += x / (1 << 14);
    square += (x - 3) * (x - 3) / (1 << 14);
  }
  EXPECT_NEAR(mean, 3, 1e-3);
  EXPECT_NEAR(square, 4, 1e-2);

  // Cut off at one deviation on both sides the variance is 1 - 2 phi(1) / (2 Phi(1) - 1) = 0.291125.
  plan.parameters[0].spread = DatasetNormal{0, 1, -1, 1};
  square = 0;
  for (const double x : dataset_parameters(plan)) {
    EXPECT_LE(std::abs(x), 1);
    square += x * x / (1 << 14);
  }
  EXPECT_NEAR(square, 0.291125, 1e-4);
}

// Far out the distribution falls off as exp(-a x), a the distance from the mean: the mean excess is nearly 1/a
// (Mills' ratio: 1/a - 2/a^3 + ...).
TEST(Sampling, NormalTailsAreFilledToo) {
  DatasetPlan plan = plan_of(DatasetSampling::sobol, 4096, 1);
  for (const double sign : {1.0, -1.0}) {
    plan.parameters[0].spread = sign > 0 ? DatasetNormal{0, 1, 9, 20} : DatasetNormal{0, 1, -20, -9};
    double excess = 0;
    for (const double x : dataset_parameters(plan)) {
      EXPECT_GE(sign * x, 9);
      excess += (sign * x - 9) / 4096;
    }
    EXPECT_NEAR(excess, 1.0 / 9 - 2.0 / 729 + 10.0 / 59049, 1e-3);
  }
  // As far out as doubles tell shares from 0, no two samples are the same.
  for (const double begin : {8.0, 8.5, 20.0, 37.0})
    for (const double sign : {1.0, -1.0}) {
      plan.parameters[0].spread = sign > 0 ? DatasetNormal{0, 1, begin, 40} : DatasetNormal{0, 1, -40, -begin};
      const std::vector<double> values = dataset_parameters(plan);
      EXPECT_EQ(std::set<double>(values.begin(), values.end()).size(), 4096u) << sign * begin;
    }
}

TEST(Sampling, GridsHaveAllCombinationsTheLastParameterFirst) {
  DatasetPlan plan = plan_of(DatasetSampling::grid, 6, 2);
  plan.parameters[0].spread = DatasetValues{{10, 20}};
  plan.parameters[1].count = 3;
  EXPECT_EQ(grid_size(plan.parameters).value(), 6);
  EXPECT_EQ(dataset_parameters(plan), (std::vector<double>{10, 0, 10, 0.5, 10, 1, 20, 0, 20, 0.5, 20, 1}));
  plan.parameters[1].count = 1'000'000'000;
  EXPECT_FALSE(grid_size(plan.parameters));
}

TEST(Sampling, ListsAreDrawnFromEvenly) {
  DatasetPlan plan = plan_of(DatasetSampling::latin_hypercube, 90, 1);
  plan.parameters[0].spread = DatasetValues{{5, 6, 7}};
  std::map<double, int> count;
  for (const double x : dataset_parameters(plan)) ++count[x];
  EXPECT_EQ(count, (std::map<double, int>{{5, 30}, {6, 30}, {7, 30}}));
}

}  // namespace
}  // namespace sinew
