#include "cuda/device_lattice.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "cuda/lattice_matrix_kernels.h"
#include "cuda/lattice_member_kernels.h"

namespace sinew {
namespace {

// Levels with more places are worth launches of their own.
constexpr int32_t large_places = 2048;

// Threads that share an item of what adds up over some thirty: as many as keep one group of threads, or the card, busy.
int32_t team_bits_for(int32_t items, bool large) {
  const int32_t threads = large ? 32768 : LatticeProgram::threads;
  constexpr int32_t least = 2, most = 3;
  int32_t bits = least;
  while (bits < most && int64_t{items} << (bits + 1) <= threads) ++bits;
  return bits;
}

template <class T>
void clear(Device& device, DeviceArray<T>& array, size_t count) {
  array.resize(device, count);
  array.fill_zero();
}

// The entries of a level, the lower and the upper ones of each group filled up to whole packs by entries without
// sources that refer to the node itself.
struct PackedEntries {
  std::vector<int32_t> entry_begin{0}, upper_begin, column, sources;
  std::vector<int32_t> of_level;         // for each entry, that of the level; -1: none
  std::vector<int64_t> source_begin{0};  // of each lane of each entry, then of each diagonal

  explicit PackedEntries(const LatticeCycle::Level& level) {
    const size_t groups = level.entry_begin.size() - 1;
    for (size_t g = 0; g < groups; ++g) {
      add(level, g, level.entry_begin[g], level.upper_begin[g]);
      upper_begin.push_back(count());
      add(level, g, level.upper_begin[g], level.entry_begin[g + 1]);
      entry_begin.push_back(count());
    }
    for (size_t i = level.column.size(); i + 1 < level.source_begin.size(); ++i) add_sources(level, i);
  }

 private:
  int32_t count() const { return static_cast<int32_t>(column.size()) / node_group; }
  void add(const LatticeCycle::Level& level, size_t group, int32_t first, int32_t last) {
    for (int32_t e = first; e < last; ++e) {
      of_level.push_back(e);
      for (auto i = static_cast<size_t>(e) * node_group; i < (static_cast<size_t>(e) + 1) * node_group; ++i) {
        column.push_back(level.column[i]);
        add_sources(level, i);
      }
    }
    while (count() % pack_entries != 0) {
      of_level.push_back(-1);
      for (int lane = 0; lane < node_group; ++lane) {
        column.push_back(static_cast<int32_t>(group) * node_group + lane);
        source_begin.push_back(source_begin.back());
      }
    }
  }
  void add_sources(const LatticeCycle::Level& level, size_t i) {
    sources.insert(sources.end(), level.sources.begin() + level.source_begin[i],
                   level.sources.begin() + level.source_begin[i + 1]);
    source_begin.push_back(static_cast<int64_t>(sources.size()));
  }
};

}  // namespace

template <class Real>
void DeviceLattice<Real>::prepare(Device& device, const Lattice& lattice, int cycles) {
  device_ = &device;
  const Lattice::Arrays a = lattice.arrays();
  cells_.upload(device, a.cells);
  slots_.upload(device, a.slots);
  places_.upload(device, a.places);
  rim_begin_.upload(device, a.rim_begin);
  rim_slots_.upload(device, a.rim_slots);
  rim_.upload(device, a.rim);
  plane_.upload(device, a.plane);
  share_begin_.upload(device, a.share_begin);
  shares_of_.upload(device, a.shares);
  std::vector<int32_t> cell_of_group(static_cast<size_t>(lattice.group_count()));
  for (size_t c = 0; c < a.cells.size(); ++c) {
    const int64_t end = c + 1 < a.cells.size() ? a.cells[c + 1].first_group : lattice.group_count();
    for (int64_t g = a.cells[c].first_group; g < end; ++g)
      cell_of_group[static_cast<size_t>(g)] = static_cast<int32_t>(c);
  }
  cell_of_group_.upload(device, cell_of_group);
  lattice_cells_ = lattice.cells().count();
  revision_ = -1;
  structure_ = lattice.cycle().revision();

  const LatticeCycle& cycle = lattice.cycle();
  levels_.clear();
  levels_.resize(cycle.levels().size());
  views_.assign(levels_.size(), {});
  for (size_t l = 0; l < levels_.size(); ++l) upload_level(cycle.levels()[l], cycle.levels(), l);
  views_there_.upload(device, views_);
  device.wait();

  const auto cells = static_cast<size_t>(lattice_cells_);
  const size_t rounded = (cells + cell_group - 1) / cell_group * cell_group;
  lanes_.resize(device, cells * 3 * cell_corners * member_group);
  frames_.resize(device, rounded * frame_numbers);
  clear(device, matrices_, cells * cell_pairs * 3);
  clear(device, shares_, cells * cell_corners);
  const auto places = static_cast<size_t>(cycle.place_count());
  for (auto* v : {&right_, &left_, &direction_, &image_}) clear(device, *v, places);
  sums_.resize(device, 2 * place_parts);
  clear(device, squares_, parts_of_sum);
  clear(device, state_, 1);

  operations_ = {};
  upload_parts(cycle);
  operations_.levels = views_there_.data();
  operations_.level_count = static_cast<int32_t>(views_.size());
  operations_.share_begin = share_begin_.data();
  operations_.shares_of = shares_of_.data();
  operations_.shares = shares_.data();
  operations_.right = right_.data();
  operations_.left = left_.data();
  operations_.direction = direction_.data();
  operations_.image = image_.data();
  operations_.sums = sums_.data();
  operations_.squares = squares_.data();
  operations_.state = state_.data();
  write_programs(cycle, cycles);
  device.wait();
}

template <class Real>
void DeviceLattice<Real>::upload_level(const LatticeCycle::Level& from, std::span<const LatticeCycle::Level> all,
                                       size_t l) {
  Device& device = *device_;
  Level& to = levels_[l];
  const PackedEntries packed(from);
  to.packed = packed.of_level;
  to.entries = static_cast<int64_t>(packed.column.size());
  to.cubes = static_cast<int64_t>(from.cubes.size());
  to.entry_begin.upload(device, packed.entry_begin);
  to.upper_begin.upload(device, packed.upper_begin);
  to.column.upload(device, packed.column);
  to.up_begin.upload(device, from.up.begin);
  to.down_begin.upload(device, from.down.begin);
  to.up.upload(device, from.up.entries);
  to.down.upload(device, from.down.entries);
  to.source_begin.upload(device, packed.source_begin);
  to.sources.upload(device, packed.sources);
  device.wait();  // until then what is here is read
  if (l > 0) {
    to.child_begin.upload(device, from.child_begin);
    to.children.upload(device, from.children);
    std::vector<uint8_t> octants;
    for (const int32_t child : from.children)
      octants.push_back(static_cast<uint8_t>(octant(all[l - 1].cubes[static_cast<size_t>(child)])));
    to.octants.upload(device, octants);
    clear(device, to.cube_matrices, from.cube_matrices.size());
    device.wait();
  }
  to.block.resize(device, packed.column.size() * 9);
  to.diagonal.resize(device, from.diagonal.size());
  to.inverse.resize(device, from.inverse.size());
  for (auto* v : {&to.b, &to.x, &to.r}) clear(device, *v, static_cast<size_t>(from.places));

  LatticeLevel& view = views_[l];
  view.rows.entry_begin = to.entry_begin.data();
  view.rows.upper_begin = to.upper_begin.data();
  view.rows.column = to.column.data();
  view.rows.block = to.block.data();
  view.rows.diagonal = to.diagonal.data();
  view.rows.inverse = to.inverse.data();
  view.rows.b = view.b = to.b.data();
  view.rows.x = to.x.data();
  view.rows.r = to.r.data();
  view.places = from.places;
  view.up_begin = to.up_begin.data();
  view.down_begin = to.down_begin.data();
  view.up = to.up.data();
  view.down = to.down.data();
}

template <class Real>
void DeviceLattice<Real>::upload_parts(const LatticeCycle& cycle) {
  std::vector<DensePart> parts;
  std::vector<DenseNode> nodes;
  std::vector<int32_t> local(static_cast<size_t>(cycle.levels().back().places), -1);
  int64_t numbers = 0;
  int32_t largest_level = 0;
  for (const LatticeCycle::Part& part : cycle.parts()) {
    if (part.factor.empty()) continue;
    const auto count = static_cast<int32_t>(part.places.size());
    for (int32_t k = 0; k < count; ++k) {
      const int32_t place = part.places[static_cast<size_t>(k)];
      local[static_cast<size_t>(place)] = k;
      nodes.push_back({place, static_cast<int32_t>(parts.size())});
    }
    parts.push_back({static_cast<int32_t>(nodes.size()) - count, count, numbers});
    numbers += int64_t{9} * count * count;
    largest_level = std::max(largest_level, count);
  }
  part_.upload(*device_, parts);
  node_.upload(*device_, nodes);
  local_.upload(*device_, local);
  inverse_.resize(*device_, static_cast<size_t>(numbers));
  least_.resize(*device_, parts.size());
  pivot_.resize(*device_, 2 * 9 * parts.size());
  device_->wait();
  DenseParts& dense = operations_.dense;
  dense.nodes = static_cast<int32_t>(nodes.size());
  dense.parts = static_cast<int32_t>(parts.size());
  dense.most_nodes = largest_level;
  dense.part = part_.data();
  dense.node = node_.data();
  dense.local = local_.data();
  dense.inverse = inverse_.data();
  dense.least = least_.data();
  dense.pivot = pivot_.data();
}

template <class Real>
void DeviceLattice<Real>::write_programs(const LatticeCycle& cycle, int cycles) {
  const std::span<const LatticeCycle::Level> levels = cycle.levels();
  const int32_t places = levels.front().places;
  std::vector<LatticeOperation>* list = &solve_.list;
  const auto add = [&](LatticeStep step, int32_t count, size_t level = 0) -> LatticeOperation& {
    return list->emplace_back(LatticeOperation{.step = step, .count = count, .level = static_cast<int32_t>(level)});
  };
  const auto add_sums = [&](LatticeStep step, int32_t count, size_t level = 0) -> LatticeOperation& {
    LatticeOperation& o = add(step, count, level);
    o.team_bits = team_bits_for(count, count > place_parts && is_large(o.level));
    return o;
  };
  const auto sweep = [&](size_t l, RowPass pass) {
    const std::vector<int32_t>& begin = levels[l].color_begin;
    for (size_t k = 0; k + 1 < begin.size(); ++k) {
      const size_t c = pass == RowPass::backward ? begin.size() - 2 - k : k;
      LatticeOperation& o = add_sums(LatticeStep::rows, (begin[c + 1] - begin[c]) * node_group, l);
      o.first = begin[c] * node_group;
      o.pass = pass;
    }
  };
  const auto write_cycle = [&] {
    const size_t last = levels.size() - 1;
    for (size_t l = 0; l < last; ++l) {
      sweep(l, RowPass::forward_from_zero);
      add_sums(LatticeStep::rows, levels[l].places, l).pass = RowPass::residual_from_zero;
      add_sums(LatticeStep::restrict, levels[l + 1].places, l);
    }
    if (cycle.sweeps_coarsest()) {
      sweep(last, RowPass::forward_from_zero);
      for (int k = 1; k < LatticeCycle::coarsest_sweeps; ++k) {
        sweep(last, RowPass::backward);
        sweep(last, RowPass::forward);
      }
      sweep(last, RowPass::backward);
    }
    if (operations_.dense.nodes > 0) add_sums(LatticeStep::dense, 3 * operations_.dense.nodes, last);
    for (size_t l = last; l-- > 0;) {
      add_sums(LatticeStep::prolong, levels[l].places, l);
      sweep(l, RowPass::backward);
    }
  };
  const auto write_promise = [&] {
    add_sums(LatticeStep::promise_sums, place_parts).always = true;
    add_sums(LatticeStep::promise, 1).always = true;
  };

  solve_.list.clear();
  add(LatticeStep::gather, places).always = true;
  add(LatticeStep::begin, places).always = true;
  add(LatticeStep::start, 1).always = true;
  for (int k = 0; k < cycles; ++k) {
    write_cycle();
    add_sums(LatticeStep::slope_sums, place_parts);
    add_sums(LatticeStep::slope, 1);
    add(LatticeStep::direct, places);
    add_sums(LatticeStep::product, places);
    add_sums(LatticeStep::curvature_sums, place_parts);
    add_sums(LatticeStep::curvature, 1);
    add(LatticeStep::advance, places);
  }
  write_promise();
  upload(solve_);

  slope_.list.clear();
  list = &slope_.list;
  add(LatticeStep::gather, places).always = true;
  write_promise();
  upload(slope_);
}

template <class Real>
bool DeviceLattice<Real>::is_large(int32_t level) const {
  return views_[static_cast<size_t>(level)].places > large_places;
}

template <class Real>
void DeviceLattice<Real>::upload(Program& program) {
  program.there.upload(*device_, program.list);
  device_->wait();
  program.segments.clear();
  for (int32_t k = 0; k < static_cast<int32_t>(program.list.size()); ++k) {
    const LatticeOperation& o = program.list[static_cast<size_t>(k)];
    const bool large = (o.count > place_parts && is_large(o.level)) || levels_.size() > most_levels;
    if (large || program.segments.empty() || program.segments.back().large ||
        k - program.segments.back().first == most_operations) {
      program.segments.push_back({k, k + 1, large});
    } else {
      program.segments.back().last = k + 1;
    }
  }
}

template <class Real>
void DeviceLattice<Real>::run(const Program& program) {
  LatticeOperations operations = operations_;
  operations.list = program.there.data();
  for (const Segment& segment : program.segments) {
    operations.first = segment.first;
    operations.last = segment.last;
    const LatticeOperation& one = program.list[static_cast<size_t>(segment.first)];
    if (!segment.large) {
      device_->run_phases(operations);
    } else if (one.team_bits < 0) {
      device_->run(one.count, OneLatticeOperation{operations});
    } else {
      device_->run_teams(one.count, one.team_bits, OneLatticeSum{operations});
    }
  }
}

template <class Real>
void DeviceLattice<Real>::begin_step(const Lattice& lattice) {
  operations_.small_gain = lattice.small_gain();
  const LatticeMoments& moments = lattice.moments();
  if (revision_ != moments.revision()) {
    revision_ = moments.revision();
    moments_.upload(*device_, std::span(moments.data(), moments.size()));
    ratios_.upload(*device_, std::span(moments.ratios(), frames_.size() / frame_numbers));
    damping_.upload(*device_, std::span(moments.damping(), moments.damping() ? moments.size() : 0));
  }
  before_.upload(*device_, lattice.arrays().before);
  glides_.upload(*device_, lattice.arrays().glides);
  gliding_.resize(*device_, glides_.size());
  device_->wait();
}

template <class Real>
void DeviceLattice<Real>::take_matrix(const Lattice& lattice) {
  const std::span<const LatticeCycle::Level> levels = lattice.cycle().levels();
  std::vector<float> blocks;
  for (size_t l = 0; l < levels.size(); ++l) {
    const LatticeCycle::Level& from = levels[l];
    Level& to = levels_[l];
    blocks.assign(to.block.size(), 0.0f);
    for (size_t e = 0; e < to.packed.size(); ++e) {
      if (to.packed[e] < 0) continue;
      const float* const block = from.block.data() + static_cast<size_t>(to.packed[e]) * 9 * node_group;
      float* const out = blocks.data() + block_of_entry(static_cast<int64_t>(e), 0);
      for (int n = 0; n < 9; ++n) std::copy_n(block + n * node_group, node_group, out + n * pack_lanes);
    }
    to.block.upload(*device_, blocks);
    to.diagonal.upload(*device_, from.diagonal);
    to.inverse.upload(*device_, from.inverse);
    device_->wait();  // until then what is here is read
  }
  invert_parts();
}

template <class Real>
void DeviceLattice<Real>::invert_parts() {
  device_->run_phases(InvertParts{views_.back().rows, operations_.dense, state_.data()});
}

template <class Real>
void DeviceLattice<Real>::refresh(const DeviceArray<Vec4<Real>>& x) {
  DeformationSweep<Real> deformation;
  deformation.rim_begin = rim_begin_.data();
  deformation.slot = rim_slots_.data();
  deformation.b = rim_.data();
  deformation.x = x.data();
  deformation.plane = plane_.data();
  device_->run(lattice_cells_ * member_group, DeformLanes<Real>{deformation, lanes_.data()});
  const int64_t rounded = (lattice_cells_ + cell_group - 1) / cell_group * cell_group;
  device_->run(lattice_cells_,
               FrameCells{rim_begin_.data(), plane_.data(), lanes_.data(), ratios_.data(), frames_.data(), rounded});
  const bool damped = damping_.size() > 0;
  device_->run(rounded * cell_pairs, MatrixPairs{frames_.data(), rounded, lattice_cells_, moments_.data(),
                                                 damped ? damping_.data() : nullptr, before_.data(), matrices_.data()});
  const Vec4<float>* finer = matrices_.data();
  for (Level& level : levels_) {
    if (level.cube_matrices.size() > 0) {
      device_->run(level.cubes * cell_pairs * 3, JoinChildren{level.child_begin.data(), level.children.data(),
                                                              level.octants.data(), finer, level.cube_matrices.data()});
      finer = level.cube_matrices.data();
    }
    device_->run(static_cast<int64_t>(level.source_begin.size()) - 1,
                 FillBlocks{level.source_begin.data(), level.sources.data(), finer, level.entries, level.block.data(),
                            level.diagonal.data(), level.inverse.data()});
  }
  invert_parts();
}

template <class Real>
void DeviceLattice<Real>::measure(const DeviceArray<Vec4<Real>>& forces) {
  device_->run(parts_of_sum, SumParts<SquareOfVector<Real>>{
                                 {forces.data()}, static_cast<int64_t>(forces.size()), 1, squares_.data()});
}

template <class Real>
void DeviceLattice<Real>::restrict_forces(const DeviceArray<Vec4<Real>>& forces) {
  const RestrictSweep<Real> sweep{members(), forces.data(), shares_.data()};
  device_->run(lattice_cells_ * member_group, RestrictLanes<Real>{sweep, lanes_.data()});
  device_->run(lattice_cells_ * 3, RestrictCells{lanes_.data(), shares_.data()});
}

template <class Real>
void DeviceLattice<Real>::solve(const DeviceArray<Vec4<Real>>& forces) {
  measure(forces);
  restrict_forces(forces);
  run(solve_);
}

template <class Real>
void DeviceLattice<Real>::slope(const DeviceArray<Vec4<Real>>& forces) {
  measure(forces);
  restrict_forces(forces);
  run(slope_);
}

template <class Real>
LatticeReport DeviceLattice<Real>::report() const {
  LatticeState state;
  device_->download(&state, state_.data(), sizeof state);
  return {state.promise, std::sqrt(state.square)};
}

template <class Real>
void DeviceLattice<Real>::move(DeviceArray<Vec4<Real>>& x, double scale) {
  ProlongSweep<Real> sweep;
  sweep.members = members();
  sweep.u = left_.data();
  sweep.scale = static_cast<float>(scale);
  sweep.x = x.data();
  const auto glides = static_cast<int64_t>(glides_.size());
  device_->run(glides, KeepGlides<Real>{glides_.data(), x.data(), gliding_.data()});
  device_->run(group_count() * member_group, ProlongMembers<Real>{sweep, cell_of_group_.data()});
  device_->run(glides, FreeGlides<Real>{glides_.data(), gliding_.data(), x.data()});
}

template <class Real>
size_t DeviceLattice<Real>::Level::bytes() const {
  return entry_begin.bytes() + upper_begin.bytes() + column.bytes() + up_begin.bytes() + down_begin.bytes() +
         sources.bytes() + child_begin.bytes() + children.bytes() + source_begin.bytes() + up.bytes() + down.bytes() +
         octants.bytes() + block.bytes() + diagonal.bytes() + inverse.bytes() + b.bytes() + x.bytes() + r.bytes() +
         cube_matrices.bytes();
}

template <class Real>
size_t DeviceLattice<Real>::memory_bytes() const {
  size_t bytes = glides_.bytes() + gliding_.bytes() + cells_.bytes() + slots_.bytes() + cell_of_group_.bytes() +
                 rim_begin_.bytes() + rim_slots_.bytes() + share_begin_.bytes() + shares_of_.bytes() + places_.bytes() +
                 rim_.bytes() + plane_.bytes() + moments_.bytes() + ratios_.bytes() + damping_.bytes() +
                 before_.bytes() + inverse_.bytes() + lanes_.bytes() + frames_.bytes() + matrices_.bytes() +
                 shares_.bytes() + 4 * right_.bytes();
  for (const Level& level : levels_) bytes += level.bytes();
  return bytes;
}

template class DeviceLattice<float>;
template class DeviceLattice<double>;

}  // namespace sinew
