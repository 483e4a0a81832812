#pragma once

#include "dtf/model.h"
#include "format/model_file.h"

namespace dtf {

class Model::Impl {
 public:
  explicit Impl(ModelContent model_content) : content(std::move(model_content)) {}

  const ModelContent content;
};

}  // namespace dtf
