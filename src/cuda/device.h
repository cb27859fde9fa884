// A device on which kernels run: a CUDA card; or, emulated, this processor in its place, one thread after the other, so
// that everything but the card can be tried without one.
//
// A kernel is a small struct whose operator()(i) is the work of thread i. It is written once, as a header, and compiled
// by the C++ compiler for the emulated device and by nvcc for cards (kernels/*.cu). Threads of one launch share nothing
// that any of them writes, so results do not depend on how they are scheduled. Launches follow each other in one queue.
//
// A fault, such as exhausted memory, is kept, and everything after it does nothing: callers ask `status` where they
// read results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "math/inline.h"

namespace sinew {

// Launches on a card, for each kernel instantiated by kernels/*.cu.
template <class Kernel>
void launch_on_card(void* queue, int64_t count, const Kernel& kernel);
template <class Kernel>
void launch_teams_on_card(void* queue, int64_t count, int team_bits, const Kernel& kernel);
template <class Kernel>
void launch_phases_on_card(void* queue, const Kernel& kernel);

// Recorded launches and copies on the device, to be played many times at the cost of one launch.
class DeviceGraph {
 public:
  virtual ~DeviceGraph() = default;
};

class Device {
 public:
  virtual ~Device() = default;

  virtual std::string name() const = 0;
  virtual bool emulated() const = 0;
  virtual size_t free_bytes() const = 0;
  virtual size_t total_bytes() const = 0;
  // The first fault since the device was opened.
  virtual Status status() const { return failed_ ? Status(fault_) : Status{}; }

  // Null, and a fault, if there is not enough memory.
  virtual void* allocate(size_t bytes) = 0;
  virtual void release(void* memory) = 0;
  // Memory of the CPU from which and to which copies are fast: a card reads it by itself. Null, and a fault, if there
  // is not enough.
  virtual void* allocate_stage(size_t bytes) = 0;
  virtual void release_stage(void* memory) = 0;
  virtual void upload(void* to, const void* from, size_t bytes) = 0;
  // Waits for what came before.
  virtual void download(void* to, const void* from, size_t bytes) = 0;
  virtual void copy(void* to, const void* from, size_t bytes) = 0;
  virtual void fill_zero(void* to, size_t bytes) = 0;
  virtual void wait() = 0;

  // At least that much memory for what is wanted until someone asks again. Null if there is not enough.
  void* scratch(size_t bytes) {
    if (bytes > scratch_bytes_) {
      free_scratch();
      scratch_ = allocate(bytes);
      scratch_bytes_ = scratch_ ? bytes : 0;
    }
    return scratch_;
  }

  // What follows, until end_graph, is recorded and not done: launches, copies on the device and clearing. Recordings
  // are not played within others.
  virtual void begin_graph() = 0;
  virtual std::unique_ptr<DeviceGraph> end_graph() = 0;
  virtual bool recording() const = 0;
  virtual void play(const DeviceGraph& graph) = 0;

  // kernel(i) for i in [0, count).
  template <class Kernel>
  void run(int64_t count, const Kernel& kernel) {
    if (count <= 0 || failed_) return;
    if (!emulated()) return on_card([&](auto& queue) { launch_on_card(queue, count, kernel); });
    emulate([=] {
      for (int64_t i = 0; i < count; ++i) kernel(i);
    });
  }

  // kernel.finish(i, found, sum) for i in [0, count), with the sum of kernel.part(i, j, ahead, found) for j in
  // [0, 2^team_bits), added by pairs. Threads side by side form a team. Before, each gets `found` from kernel.find(i),
  // and still before, while the kernel before this one may run, `ahead` from kernel.ahead(i, j), which reads what
  // no kernel writes.
  static constexpr int most_team_bits = 4;
  template <class Kernel>
  void run_teams(int64_t count, int team_bits, const Kernel& kernel) {
    if (count <= 0 || failed_) return;
    if (!emulated()) return on_card([&](auto& queue) { launch_teams_on_card(queue, count, team_bits, kernel); });
    emulate([=] {
      for (int64_t i = 0; i < count; ++i) {
        const auto found = kernel.find(i);
        kernel.finish(i, found, sum_of_team<typename Kernel::Part>(team_bits, [&](int j) {
                        return kernel.part(i, j, kernel.ahead(i, j), found);
                      }));
      }
    });
  }

  // kernel(p, i) for i in [0, kernel.count(p)), for p in [0, kernel.phases()) one after the other, all in one group of
  // threads: for much work of few threads, where a launch would cost more than it does. A kernel that has a type Part
  // may have teams in a phase: kernel.finish(p, i, sum) with the sum of kernel.part(p, i, j) for j in
  // [0, 2^team_bits(p)), added by pairs; team_bits(p) < 0: none. One that has a type Tables gets it filled, in fast
  // memory, with what no kernel writes: the phases are then those of kernel.with(tables).
  template <class Kernel>
  void run_phases(const Kernel& kernel) {
    if (failed_) return;
    if (!emulated()) return on_card([&](auto& queue) { launch_phases_on_card(queue, kernel); });
    emulate([=] {
      if constexpr (requires { typename Kernel::Tables; }) {
        typename Kernel::Tables tables;
        kernel.fill(tables, 0, 1);
        emulate_phases(kernel.with(tables));
      } else {
        emulate_phases(kernel);
      }
    });
  }

 protected:
  virtual void emulate(std::function<void()> work) = 0;
  // Keeps the first fault.
  void keep(const Error& fault) {
    if (failed_) return;
    failed_ = true;
    fault_ = fault;
  }
  void keep_lack_of_memory(size_t bytes);
  void keep_lack_of_stages(size_t bytes);
  bool failed() const { return failed_; }
  // For destructors.
  void free_scratch() {
    if (scratch_) release(scratch_);
    scratch_ = nullptr;
    scratch_bytes_ = 0;
  }
  void* queue_ = nullptr;

 private:
  // As a card adds.
  template <class Part, class PartOf>
  static Part sum_of_team(int team_bits, const PartOf& part_of) {
    const int team = 1 << team_bits;
    Part parts[1 << most_team_bits];
    for (int j = 0; j < team; ++j) parts[j] = part_of(j);
    for (int apart = 1; apart < team; apart *= 2)
      for (int j = 0; j < team; j += 2 * apart) parts[j] += parts[j + apart];
    return parts[0];
  }
  template <class Kernel>
  static void emulate_phases(const Kernel& kernel) {
    for (int32_t p = 0; p < kernel.phases(); ++p)
      for (int32_t i = 0; i < kernel.count(p); ++i) emulate_phase(kernel, p, i);
  }
  template <class Kernel>
  static void emulate_phase(const Kernel& kernel, int32_t p, int32_t i) {
    if constexpr (requires { typename Kernel::Part; }) {
      const int bits = kernel.team_bits(p);
      if (bits >= 0)
        return kernel.finish(p, i,
                             sum_of_team<typename Kernel::Part>(bits, [&](int j) { return kernel.part(p, i, j); }));
    }
    kernel(p, i);
  }
  // Instantiates launches only where there are cards.
  template <class Launch>
  void on_card([[maybe_unused]] const Launch& launch) {
#if defined(SINEW_HAS_CUDA)
    launch(queue_);
#endif
  }

  bool failed_ = false;
  Error fault_;
  void* scratch_ = nullptr;
  size_t scratch_bytes_ = 0;
};

// Errors: no card, no driver or one too old, a program built without CUDA.
Result<std::shared_ptr<Device>> open_card();
// memory: [bytes] as much as it has.
std::shared_ptr<Device> emulated_device(size_t memory = std::numeric_limits<size_t>::max());

// An array in the memory of a device; or, as a stage, in that of the CPU, from which and to which a device copies.
enum class Memory { device, stage };
template <class T, Memory memory>
class ArrayIn {
 public:
  ArrayIn() = default;
  ~ArrayIn() { release(); }
  ArrayIn(const ArrayIn&) = delete;
  ArrayIn& operator=(const ArrayIn&) = delete;
  ArrayIn(ArrayIn&& other) noexcept { swap(other); }
  ArrayIn& operator=(ArrayIn&& other) noexcept {
    swap(other);
    return *this;
  }

  // What it held is lost if the size changes.
  void resize(Device& device, size_t count) {
    if (count == size_ && device_) return;
    release();
    device_ = &device;
    if (count > 0) data_ = static_cast<T*>(allocate(count * sizeof(T)));
    size_ = data_ ? count : 0;
  }
  T* data() { return data_; }
  const T* data() const { return data_; }
  size_t size() const { return size_; }
  size_t bytes() const { return size_ * sizeof(T); }
  void swap(ArrayIn& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

 protected:
  Device* device_ = nullptr;
  T* data_ = nullptr;
  size_t size_ = 0;

 private:
  void* allocate(size_t bytes) {
    return memory == Memory::device ? device_->allocate(bytes) : device_->allocate_stage(bytes);
  }
  void release() {
    if (data_) memory == Memory::device ? device_->release(data_) : device_->release_stage(data_);
    data_ = nullptr;
    size_ = 0;
  }
};

template <class T>
class DeviceArray : public ArrayIn<T, Memory::device> {
 public:
  template <class Items>
  void upload(Device& device, const Items& items) {
    this->resize(device, items.size());
    if (this->data_) device.upload(this->data_, items.data(), this->bytes());
  }
  template <class Items>
  void download(Items& items) const {
    items.resize(this->size_);
    if (this->data_) this->device_->download(items.data(), this->data_, this->bytes());
  }
  void copy(Device& device, const DeviceArray& other) {
    this->resize(device, other.size_);
    if (this->data_) device.copy(this->data_, other.data_, this->bytes());
  }
  void fill_zero() {
    if (this->data_) this->device_->fill_zero(this->data_, this->bytes());
  }
};

template <class T>
class DeviceStage : public ArrayIn<T, Memory::stage> {
 public:
  // Until the device has waited, what is copied must stay.
  void upload_to(T* there) const {
    if (this->data_ && there) this->device_->upload(there, this->data_, this->bytes());
  }
  void download_from(const T* there) {
    if (this->data_ && there) this->device_->download(this->data_, there, this->bytes());
  }
};

}  // namespace sinew
