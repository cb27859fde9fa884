// While one of these lives, OpenBLAS runs on the calling thread alone. With more threads it splits its products
// differently for different counts, and the last bits of a factor would depend on the machine. Where another BLAS is
// loaded nothing is changed: the reference BLAS has one thread anyway; for others set their own variable
// (MKL_NUM_THREADS=1, BLIS_NUM_THREADS=1) where equal bits matter.
#pragma once

namespace sinew {

class SingleThreadedBlas {
 public:
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;

 private:
  int threads_before_ = 0;
};

}  // namespace sinew
