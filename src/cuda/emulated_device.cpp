#include <cstdlib>
#include <cstring>
#include <map>

#include "base/format.h"
#include "base/nearest.h"
#include "cuda/device.h"

namespace sinew {
namespace {

class EmulatedGraph final : public DeviceGraph {
 public:
  std::vector<std::function<void()>> work;
};

class EmulatedDevice final : public Device {
 public:
  explicit EmulatedDevice(size_t memory) : memory_(memory) {}
  ~EmulatedDevice() override { free_scratch(); }
  std::string name() const override { return "emulated"; }
  bool emulated() const override { return true; }
  size_t free_bytes() const override { return memory_ - used_; }
  size_t total_bytes() const override { return memory_; }

  void* allocate(size_t bytes) override {
    const size_t size = (bytes + alignment - 1) & ~(alignment - 1);
    void* const memory = size <= free_bytes() && !failed() ? std::aligned_alloc(alignment, size) : nullptr;
    if (!memory) {
      keep_lack_of_memory(bytes);
      return nullptr;
    }
    sizes_[memory] = size;
    used_ += size;
    return memory;
  }
  void release(void* memory) override {
    const auto found = sizes_.find(memory);
    used_ -= found->second;
    sizes_.erase(found);
    std::free(memory);
  }
  void* allocate_stage(size_t bytes) override {
    void* const memory = failed() ? nullptr : std::malloc(bytes);
    if (!memory && !failed()) keep_lack_of_stages(bytes);
    return memory;
  }
  void release_stage(void* memory) override { std::free(memory); }
  void upload(void* to, const void* from, size_t bytes) override {
    if (!failed()) std::memcpy(to, from, bytes);
  }
  void download(void* to, const void* from, size_t bytes) override {
    if (!failed()) std::memcpy(to, from, bytes);
  }
  void copy(void* to, const void* from, size_t bytes) override {
    emulate([=] { std::memmove(to, from, bytes); });
  }
  void fill_zero(void* to, size_t bytes) override {
    emulate([=] { std::memset(to, 0, bytes); });
  }
  void wait() override {}

  void begin_graph() override { recording_ = std::make_unique<EmulatedGraph>(); }
  std::unique_ptr<DeviceGraph> end_graph() override { return std::move(recording_); }
  bool recording() const override { return recording_ != nullptr; }
  void play(const DeviceGraph& graph) override {
    if (failed()) return;
    for (const auto& work : static_cast<const EmulatedGraph&>(graph).work) work();
  }

 protected:
  void emulate(std::function<void()> work) override {
    if (failed()) return;
    if (recording_) {
      recording_->work.push_back(std::move(work));
    } else {
      work();
    }
  }

 private:
  static constexpr size_t alignment = 256;
  size_t memory_, used_ = 0;
  std::map<void*, size_t> sizes_;
  std::unique_ptr<EmulatedGraph> recording_;
};

std::string size_text(size_t bytes) {
  const auto size = static_cast<double>(bytes);
  return size < 1e8 ? format("%.2f MB", 1e-6 * size) : format("%.2f GB", 1e-9 * size);
}

}  // namespace

void Device::keep_lack_of_memory(size_t bytes) {
  keep(Error{
      "solver.device",
      joined({name(), " has ", size_text(free_bytes()), " of memory free, and ", size_text(bytes), " more are needed"}),
      "use a smaller mesh, a card with more memory, or device \"cpu\""});
}

void Device::keep_lack_of_stages(size_t bytes) {
  keep(Error{"solver.device",
             joined({"the computer lacks ", size_text(bytes), " of memory for copies to and from the device"}),
             "use a smaller mesh, or end other programs"});
}

std::shared_ptr<Device> emulated_device(size_t memory) {
  return std::make_shared<EmulatedDevice>(memory);
}

}  // namespace sinew
