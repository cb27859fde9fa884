// HDF5's identifiers, closed at the end of their scope.
#pragma once

#include <hdf5.h>

#include <utility>

namespace sinew {

template <herr_t (*close)(hid_t)>
class Hdf5Handle {
 public:
  Hdf5Handle() = default;
  explicit Hdf5Handle(hid_t id) : id_(id) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  ~Hdf5Handle() { (void)finish(); }

  bool good() const { return id_ >= 0; }
  operator hid_t() const { return id_; }
  // Closes it now; returns whether that went well.
  bool finish() {
    const hid_t id = std::exchange(id_, -1);
    return id < 0 || close(id) >= 0;
  }

 private:
  hid_t id_ = -1;
};

using Hdf5File = Hdf5Handle<H5Fclose>;
using Hdf5Set = Hdf5Handle<H5Dclose>;
using Hdf5Space = Hdf5Handle<H5Sclose>;
using Hdf5Type = Hdf5Handle<H5Tclose>;
using Hdf5Properties = Hdf5Handle<H5Pclose>;
using Hdf5Attribute = Hdf5Handle<H5Aclose>;

}  // namespace sinew
