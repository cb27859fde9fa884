#include "linear/single_threaded_blas.h"

#if defined(__unix__) || defined(__APPLE__)
#include <dlfcn.h>
#endif

namespace sinew {
namespace {

// Found at run time: which BLAS serves a program is chosen by the system, not by the build.
struct OpenBlas {
  int (*get_threads)() = nullptr;
  void (*set_threads)(int) = nullptr;

  OpenBlas() {
#if defined(__unix__) || defined(__APPLE__)
    get_threads = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_num_threads"));
    set_threads = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
#endif
  }
  bool found() const {
    return get_threads && set_threads;
  }
};

const OpenBlas& open_blas() {
  static const OpenBlas instance;
  return instance;
}

}  // namespace

SingleThreadedBlas::SingleThreadedBlas() {
  if (!open_blas().found()) return;
  threads_before_ = open_blas().get_threads();
  if (threads_before_ > 1) open_blas().set_threads(1);
}

SingleThreadedBlas::~SingleThreadedBlas() {
  if (threads_before_ > 1) open_blas().set_threads(threads_before_);
}

}  // namespace sinew
