// Aligned arrays for the sweeps: 64-byte alignment for lanes, huge pages if they are large.
#pragma once

#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace sinew {

template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}

  T* allocate(size_t count) {
    constexpr size_t huge = size_t{2} << 20;
    size_t bytes = count * sizeof(T);
    const size_t alignment = bytes >= 2 * huge ? huge : 64;
    bytes = (bytes + alignment - 1) / alignment * alignment;
    void* p = std::aligned_alloc(alignment, bytes);
    if (!p) throw std::bad_alloc();
#if defined(__linux__)
    if (alignment == huge) madvise(p, bytes, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(p);
  }
  void deallocate(T* p, size_t) {
    std::free(p);
  }

  template <class U>
  bool operator==(const AlignedAllocator<U>&) const {
    return true;
  }
};

template <class T>
using Buffer = std::vector<T, AlignedAllocator<T>>;

}  // namespace sinew
