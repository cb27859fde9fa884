#include "linear/one_thread.h"

#include <mutex>

#if defined(__unix__) || defined(__APPLE__)
#include <dlfcn.h>
#endif

namespace sinew {
namespace {

// Functions that read and set a number of threads, looked up at run time: the BLAS is chosen by the system, not by the
// build. Without them the number is unchanged.
struct Setting {
  int (*get)() = nullptr;
  void (*set)(int) = nullptr;

  Setting(const char* getter, const char* setter) {
#if defined(__unix__) || defined(__APPLE__)
    get = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, getter));
    set = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, setter));
#else
    (void)getter;
    (void)setter;
#endif
    if (!get || !set) {
      get = [] { return 0; };
      set = [](int) {};
    }
  }
};

const Setting& blas_threads() {
  static const Setting setting("openblas_get_num_threads", "openblas_set_num_threads");
  return setting;
}
// With no level of parallel regions allowed, every region runs on the thread that enters it.
const Setting& openmp_levels() {
  static const Setting setting("omp_get_max_active_levels", "omp_set_max_active_levels");
  return setting;
}

// OpenBLAS has one number for all threads of the process: the first that needs it sets it, and the last restores it.
struct BlasUse {
  std::mutex mutex;
  int users = 0, before = 0;
};
BlasUse& blas_use() {
  static BlasUse use;
  return use;
}

}  // namespace

OneThread::OneThread() : openmp_levels_(openmp_levels().get()) {
  {
    BlasUse& use = blas_use();
    const std::lock_guard lock(use.mutex);
    if (use.users++ == 0) {
      use.before = blas_threads().get();
      if (use.before > 1) blas_threads().set(1);
    }
  }
  openmp_levels().set(0);
}

OneThread::~OneThread() {
  openmp_levels().set(openmp_levels_);
  BlasUse& use = blas_use();
  const std::lock_guard lock(use.mutex);
  if (--use.users == 0 && use.before > 1) blas_threads().set(use.before);
}

}  // namespace sinew
