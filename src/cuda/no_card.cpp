// In programs built without CUDA.
#include "cuda/device.h"

namespace sinew {

Result<std::shared_ptr<Device>> open_card() {
  return Error{"solver.device", "= \"cuda\": this program was built without CUDA",
               "build it where CMake finds nvcc, or use device \"cpu\""};
}

}  // namespace sinew
