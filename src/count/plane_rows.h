// The rows of a plane (planes.h), ascending: for (const std::size_t row : PlaneRows(plane)) …
// The plane must live as long: it is not copied.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace dtf {

class PlaneRows {
 public:
  struct End {};

  class Iterator {
   public:
    explicit Iterator(std::span<const std::uint64_t> plane) : plane_(plane), left_(plane.empty() ? 0 : plane[0]) {
      FindWord();
    }

    std::size_t operator*() const { return 64 * word_ + static_cast<std::size_t>(std::countr_zero(left_)); }

    Iterator& operator++() {
      left_ &= left_ - 1;
      FindWord();
      return *this;
    }

    bool operator==(End) const { return left_ == 0; }

   private:
    void FindWord() {
      while (left_ == 0 && word_ + 1 < plane_.size()) left_ = plane_[++word_];
    }

    std::span<const std::uint64_t> plane_;
    std::size_t word_ = 0;
    std::uint64_t left_;  // of the word
  };

  explicit PlaneRows(std::span<const std::uint64_t> plane) : plane_(plane) {}

  Iterator begin() const { return Iterator(plane_); }
  End end() const { return {}; }

 private:
  std::span<const std::uint64_t> plane_;
};

}  // namespace dtf
