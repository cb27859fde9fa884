// While an object of this class exists, libraries called from this thread run on it alone.
//   OpenBLAS  splits its products differently for different numbers of threads, and the last bits of a factor would
//             depend on the machine.
//   OpenMP    CHOLMOD copies small arrays in parallel; its threads then spin while they wait, and take the cores from
//   other threads (a third of the processor time on meshes of a thousand vertices).
// Other BLAS libraries are not changed: the reference BLAS has one thread anyway; for others set their variable
// (MKL_NUM_THREADS=1, BLIS_NUM_THREADS=1) if bit-identical results matter.
#pragma once

namespace sinew {

class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int openmp_levels_ = 0;  // restored at the end
};

}  // namespace sinew
