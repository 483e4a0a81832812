#include "format/payload_reader.h"

#include <cstring>

namespace dtf {

void PayloadReader::Spend(std::size_t bytes) {
  if (bytes > unread_) RefuseModel("its parts overlap");
  unread_ -= bytes;
}

std::span<const std::uint8_t> PayloadReader::ReadBytes(const flatbuffers::Vector<std::uint8_t>* bytes) {
  if (bytes == nullptr) return {};
  Spend(sizeof(flatbuffers::uoffset_t) + bytes->size());
  return {bytes->data(), bytes->size()};
}

std::string PayloadReader::ReadString(const flatbuffers::String* text) {
  if (text == nullptr) return {};
  Spend(sizeof(flatbuffers::uoffset_t) + text->size());
  return text->str();
}

// The verifier does not see to it that the numbers are aligned.
std::vector<double> PayloadReader::ReadDoubles(const flatbuffers::Vector<double>* doubles) {
  if (doubles == nullptr) return {};
  Spend(sizeof(flatbuffers::uoffset_t) + sizeof(double) * doubles->size());
  std::vector<double> numbers(doubles->size());
  if (!numbers.empty()) std::memcpy(numbers.data(), doubles->Data(), sizeof(double) * numbers.size());
  for (double& number : numbers) number = flatbuffers::EndianScalar(number);
  return numbers;
}

}  // namespace dtf
