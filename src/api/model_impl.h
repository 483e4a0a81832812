#pragma once

#include <mutex>
#include <optional>
#include <utility>

#include "dtf/model.h"
#include "format/model_file.h"
#include "table/encoder.h"

namespace dtf {

class Model::Impl {
 public:
  explicit Impl(ModelContent model_content) : content(std::move(model_content)) {}

  const CategoryIndex& categories() const {
    std::call_once(is_indexed_, [this] { categories_.emplace(content.schema); });
    return *categories_;
  }

  const ModelContent content;

 private:
  // Made when first needed: not every use of a model reads texts.
  mutable std::once_flag is_indexed_;
  mutable std::optional<CategoryIndex> categories_;
};

}  // namespace dtf
