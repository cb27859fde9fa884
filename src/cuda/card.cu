// A CUDA card, by the runtime, which is linked statically: the program starts without a driver too.
#include <cuda_runtime.h>

#include "cuda/launch.cuh"

namespace sinew {
namespace {

void forget_error() {
  [[maybe_unused]] const cudaError_t forgotten = cudaGetLastError();
}

class CardGraph final : public DeviceGraph {
 public:
  ~CardGraph() override {
    if (graph) cudaGraphExecDestroy(graph);
  }
  cudaGraphExec_t graph = nullptr;
};

class Card final : public Device {
 public:
  Card() {
    check(cudaGetDevice(&index_), "choosing the card");
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, index_), "asking the card's properties");
    name_ = properties.name;
    total_ = properties.totalGlobalMem;
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "opening a queue");
    queue_ = stream;
  }
  ~Card() override {
    free_scratch();
    if (queue_) cudaStreamDestroy(stream());
  }

  std::string name() const override { return name_; }
  bool emulated() const override { return false; }
  size_t total_bytes() const override { return total_; }
  size_t free_bytes() const override {
    size_t free = 0, total = 0;
    return cudaMemGetInfo(&free, &total) == cudaSuccess ? free : 0;
  }
  Status status() const override {
    if (failed()) return Device::status();
    const cudaError_t last = cudaPeekAtLastError();
    return last == cudaSuccess ? Status{} : error_of(last, "running a kernel");
  }

  void* allocate(size_t bytes) override {
    if (failed()) return nullptr;
    void* memory = nullptr;
    const cudaError_t result = cudaMalloc(&memory, bytes);
    if (result == cudaSuccess) return memory;
    forget_error();
    keep_lack_of_memory(bytes);
    return nullptr;
  }
  void release(void* memory) override { cudaFree(memory); }
  void* allocate_stage(size_t bytes) override {
    if (failed()) return nullptr;
    void* memory = nullptr;
    if (cudaMallocHost(&memory, bytes) == cudaSuccess) return memory;
    forget_error();
    keep_lack_of_stages(bytes);
    return nullptr;
  }
  void release_stage(void* memory) override { cudaFreeHost(memory); }
  void upload(void* to, const void* from, size_t bytes) override {
    if (!failed()) check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream()), "copying to the card");
  }
  void download(void* to, const void* from, size_t bytes) override {
    if (failed()) return;
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream()), "copying from the card");
    wait();
  }
  void copy(void* to, const void* from, size_t bytes) override {
    if (!failed()) check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream()), "copying on the card");
  }
  void fill_zero(void* to, size_t bytes) override {
    if (!failed()) check(cudaMemsetAsync(to, 0, bytes, stream()), "clearing memory of the card");
  }
  void wait() override {
    if (!failed()) check(cudaStreamSynchronize(stream()), "waiting for the card");
  }

  void begin_graph() override {
    recording_ = true;
    if (!failed()) check(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeRelaxed), "recording");
  }
  std::unique_ptr<DeviceGraph> end_graph() override {
    auto result = std::make_unique<CardGraph>();
    recording_ = false;
    if (failed()) return result;
    cudaGraph_t graph = nullptr;
    check(cudaStreamEndCapture(stream(), &graph), "recording");
    if (!failed()) check(cudaGraphInstantiate(&result->graph, graph, 0), "recording");
    if (graph) cudaGraphDestroy(graph);
    return result;
  }
  bool recording() const override { return recording_; }
  void play(const DeviceGraph& graph) override {
    if (!failed()) check(cudaGraphLaunch(static_cast<const CardGraph&>(graph).graph, stream()), "playing");
  }

 protected:
  void emulate(std::function<void()>) override {}

 private:
  cudaStream_t stream() const { return static_cast<cudaStream_t>(queue_); }
  Error error_of(cudaError_t result, const char* doing) const {
    return Error{"solver.device", std::string(name_) + ", " + doing + ": " + cudaGetErrorString(result),
                 "go on from the last checkpoint, on the card once it works again or with device \"cpu\""};
  }
  void check(cudaError_t result, const char* doing) {
    if (result != cudaSuccess) keep(error_of(result, doing));
  }

  int index_ = 0;
  bool recording_ = false;
  std::string name_ = "the card";
  size_t total_ = 0;
};

}  // namespace

namespace {

std::string version(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}
std::string why_no_card(cudaError_t found) {
  int driver = 0, needed = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&needed);
  if (driver == 0) return "there is no NVIDIA driver";
  if (found == cudaErrorInsufficientDriver)
    return "the driver offers CUDA " + version(driver) + ", and this program needs " + version(needed);
  return found == cudaSuccess || found == cudaErrorNoDevice ? "there is no card" : cudaGetErrorString(found);
}

}  // namespace

bool overlaps_launches() {
  static const bool overlaps = [] {
    int card = 0, major = 0;
    cudaGetDevice(&card);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, card);
    return major >= 9;
  }();
  return overlaps;
}

Result<std::shared_ptr<Device>> open_card() {
  int count = 0;
  const cudaError_t found = cudaGetDeviceCount(&count);
  if (found != cudaSuccess || count == 0) {
    forget_error();
    return Error{"solver.device", "= \"cuda\": " + why_no_card(found),
                 "install an NVIDIA card and its driver, or use device \"cpu\""};
  }
  auto card = std::make_shared<Card>();
  if (Status s = card->status(); !s) return s.error();
  return std::shared_ptr<Device>(std::move(card));
}

}  // namespace sinew
