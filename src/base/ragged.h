// A list of lists in two flat arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace dtf {

template <typename T>
class Ragged {
 public:
  Ragged() = default;
  // ends: where each list ends among the values, ascending.
  Ragged(std::vector<T> values, std::vector<std::size_t> ends) : values_(std::move(values)), ends_(std::move(ends)) {}

  std::size_t size() const { return ends_.size(); }
  std::span<const T> operator[](std::size_t i) const {
    return std::span(values_).subspan(Begin(i), ends_[i] - Begin(i));
  }

  // Position of list i's first value among all values.
  std::size_t Begin(std::size_t i) const { return i == 0 ? 0 : ends_[i - 1]; }
  const std::vector<T>& values() const { return values_; }

  void Append(std::span<const T> list) {
    values_.insert(values_.end(), list.begin(), list.end());
    ends_.push_back(values_.size());
  }

 private:
  std::vector<T> values_;
  std::vector<std::size_t> ends_;
};

}  // namespace dtf
