// Sorts pairs of numbers, each pair once, by the first and then the second: coarsely into buckets that fit into a
// cache, then within these. The result does not depend on the number of threads, nor on the order of the pairs.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "exec/buffer.h"
#include "exec/thread_pool.h"

namespace sinew {

class PairSort {
 public:
  struct List {
    const int32_t *first, *second;
    size_t count;
  };
  // All firsts are in [0, firsts). `out` consists of Pair{first, second}.
  template <class Pair>
  void operator()(std::span<const List> lists, int64_t firsts, ThreadPool& pool, std::vector<Pair>& out) {
    size_t total = 0;
    for (const List& list : lists) total += list.count;
    out.resize(total);
    if (total == 0) return;
    scatter(lists, total, firsts, pool);
    pool.parallel_for(static_cast<int64_t>(buckets_), 1, [&](int64_t first, int64_t last) {
      for (auto b = static_cast<size_t>(first); b < static_cast<size_t>(last); ++b) {
        const size_t begin = begin_[b], count = begin_[b + 1] - begin;
        sort_bucket<Pair>({coarse_.data() + begin, count}, {out.data() + begin, count});
      }
    });
  }

  size_t memory_bytes() const {
    return coarse_.capacity() * sizeof(uint64_t) + (begin_.capacity() + next_.capacity()) * sizeof(size_t);
  }

 private:
  static constexpr int most_shift = 11;  // firsts in a bucket that is sorted by counting
  static constexpr size_t most_buckets = 4096;

  // Pairs to coarse_, by bucket: those of bucket b are in [begin_[b], begin_[b + 1]).
  void scatter(std::span<const List> lists, size_t total, int64_t firsts, ThreadPool& pool) {
    constexpr size_t wanted = 1024;  // pairs in a bucket
    const size_t most = std::clamp<size_t>(total / wanted, 1, most_buckets);
    shift_ = 0;
    while ((static_cast<size_t>(firsts - 1) >> shift_) >= most) ++shift_;
    buckets_ = (static_cast<size_t>(firsts - 1) >> shift_) + 1;
    if (coarse_.size() < total) coarse_.resize(total);
    next_.assign(lists.size() * buckets_, 0);
    const auto for_each_list = [&](const auto& visit) {
      pool.parallel_for(static_cast<int64_t>(lists.size()), 1, [&](int64_t first, int64_t last) {
        for (auto l = static_cast<size_t>(first); l < static_cast<size_t>(last); ++l) {
          size_t* const own = next_.data() + l * buckets_;
          for (size_t k = 0; k < lists[l].count; ++k) visit(lists[l], k, own[lists[l].first[k] >> shift_]);
        }
      });
    };
    for_each_list([](const List&, size_t, size_t& count) { ++count; });
    begin_.resize(buckets_ + 1);
    size_t before = 0;
    for (size_t b = 0; b < buckets_; ++b) {
      begin_[b] = before;
      for (size_t l = 0; l < lists.size(); ++l) {
        size_t& here = next_[l * buckets_ + b];
        const size_t count = here;
        here = before;
        before += count;
      }
    }
    begin_[buckets_] = before;
    for_each_list([&](const List& list, size_t k, size_t& next) {
      coarse_[next++] = static_cast<uint64_t>(list.first[k]) << 32 | static_cast<uint32_t>(list.second[k]);
    });
  }

  template <class Pair>
  void sort_bucket(std::span<uint64_t> pairs, std::span<Pair> out) const {
    const auto pair_of = [](uint64_t p) { return Pair{static_cast<int32_t>(p >> 32), static_cast<int32_t>(p)}; };
    const size_t firsts = size_t{1} << shift_;
    if (shift_ > most_shift || firsts > 8 * pairs.size()) {
      std::sort(pairs.begin(), pairs.end());
      std::transform(pairs.begin(), pairs.end(), out.begin(), pair_of);
      return;
    }
    std::array<size_t, (size_t{1} << most_shift) + 1> next;
    std::fill_n(next.begin(), firsts + 1, size_t{0});
    const auto first_of = [&](uint64_t p) { return static_cast<size_t>(p >> 32) & (firsts - 1); };
    for (const uint64_t p : pairs) ++next[first_of(p) + 1];
    for (size_t f = 0; f < firsts; ++f) next[f + 1] += next[f];
    for (const uint64_t p : pairs) out[next[first_of(p)]++] = pair_of(p);
    // next[f] is now where the pairs of f end.
    const auto second = [](const Pair& p) { return bits(p) & 0xffffffff; };
    size_t begin = 0;
    for (size_t f = 0; f < firsts; ++f) {
      const size_t end = next[f];
      constexpr size_t few = 24;
      if (end - begin > few) {
        std::sort(out.begin() + static_cast<long>(begin), out.begin() + static_cast<long>(end),
                  [&](const Pair& a, const Pair& b) { return second(a) < second(b); });
      } else {
        for (size_t k = begin + 1; k < end; ++k) {
          const Pair moved = out[k];
          size_t to = k;
          for (; to > begin && second(moved) < second(out[to - 1]); --to) out[to] = out[to - 1];
          out[to] = moved;
        }
      }
      begin = end;
    }
  }
  template <class Pair>
  static uint64_t bits(const Pair& p) {
    const auto [first, second] = p;
    return static_cast<uint64_t>(static_cast<uint32_t>(first)) << 32 | static_cast<uint32_t>(second);
  }

  int shift_ = 0;  // a bucket has the firsts with the same first >> shift_
  size_t buckets_ = 0;
  Buffer<uint64_t> coarse_;           // (first << 32 | second)
  std::vector<size_t> begin_, next_;  // next_: by list and bucket
};

}  // namespace sinew
