// While one of these lives, libraries called from this thread stay on it.
//   OpenBLAS  splits its products differently for different numbers of threads, and the last bits of a factor would
//             depend on the machine.
//   OpenMP    CHOLMOD copies small arrays in parallel; its threads then spin while they wait, and take the cores from
//             whoever needs them (a third of the processor time on meshes of a thousand vertices).
// Where another BLAS is loaded it is left as it is: the reference BLAS has one thread anyway; for others set their own
// variable (MKL_NUM_THREADS=1, BLIS_NUM_THREADS=1) where equal bits matter.
#pragma once

namespace sinew {

class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int blas_threads_ = 0, openmp_levels_ = 0;  // to go back to
};

}  // namespace sinew
