// Scratch memory for vector code: aligned to a cache line, uninitialised, only ever grows.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

namespace dtf {

template <typename T>
class AlignedBuffer {
  static_assert(std::is_trivial_v<T>);

 public:
  static constexpr std::size_t kAlignment = 64;

  // Room for `size` values, which hold garbage. Allocates only when it has not been this large before.
  T* Resize(std::size_t size) {
    if (size > capacity_) {
      data_.reset();
      capacity_ = 0;
      data_.reset(static_cast<T*>(::operator new (size * sizeof(T), std::align_val_t{kAlignment})));
      capacity_ = size;
    }
    return data_.get();
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }

 private:
  struct Free {
    void operator()(T* data) const { ::operator delete (data, std::align_val_t{kAlignment}); }
  };

  std::unique_ptr<T, Free> data_;
  std::size_t capacity_ = 0;
};

}  // namespace dtf
