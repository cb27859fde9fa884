#include <cstdlib>
#include <cstring>
#include <limits>

#include "cuda/device.h"

namespace sinew {
namespace {

class EmulatedGraph final : public DeviceGraph {
 public:
  std::vector<std::function<void()>> work;
};

class EmulatedDevice final : public Device {
 public:
  ~EmulatedDevice() override { free_scratch(); }
  std::string name() const override { return "emulated"; }
  bool emulated() const override { return true; }
  size_t free_bytes() const override { return std::numeric_limits<size_t>::max(); }
  size_t total_bytes() const override { return std::numeric_limits<size_t>::max(); }
  Status status() const override { return {}; }

  void* allocate(size_t bytes) override {
    return std::aligned_alloc(alignment, (bytes + alignment - 1) & ~(alignment - 1));
  }
  void release(void* memory) override { std::free(memory); }
  void upload(void* to, const void* from, size_t bytes) override { std::memcpy(to, from, bytes); }
  void download(void* to, const void* from, size_t bytes) override { std::memcpy(to, from, bytes); }
  void copy(void* to, const void* from, size_t bytes) override {
    emulate([=] { std::memmove(to, from, bytes); });
  }
  void fill_zero(void* to, size_t bytes) override {
    emulate([=] { std::memset(to, 0, bytes); });
  }
  void wait() override {}

  void begin_graph() override { recording_ = std::make_unique<EmulatedGraph>(); }
  std::unique_ptr<DeviceGraph> end_graph() override { return std::move(recording_); }
  void play(const DeviceGraph& graph) override {
    for (const auto& work : static_cast<const EmulatedGraph&>(graph).work) work();
  }

 protected:
  void emulate(std::function<void()> work) override {
    if (recording_) {
      recording_->work.push_back(std::move(work));
    } else {
      work();
    }
  }

 private:
  static constexpr size_t alignment = 256;
  std::unique_ptr<EmulatedGraph> recording_;
};

}  // namespace

std::shared_ptr<Device> emulated_device() {
  return std::make_shared<EmulatedDevice>();
}

}  // namespace sinew
