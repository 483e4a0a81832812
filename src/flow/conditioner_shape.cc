#include "flow/conditioner_shape.h"

#include <utility>

namespace dtf {
namespace {

class ShapeMaker {
 public:
  explicit ShapeMaker(ConditionerShape& out) : out_(out) {}

  void Make() {
    FindFixed();
    out_.category_link.assign(out_.size, -1);
    out_.group_of.assign(out_.size, 0);
    NumberAsked();
    for (std::size_t i = 0; i < out_.asked.size(); ++i) LinkChildren(static_cast<std::uint32_t>(i));
    if (out_.asked.empty()) AddGroup(out_.questions.empty() ? -1 : 0, -1);
  }

 private:
  bool IsFixed(std::int32_t child) const { return child < 0 || out_.is_fixed[child]; }

  void FindFixed() {
    out_.is_fixed.resize(out_.questions.size());
    for (std::size_t q = out_.questions.size(); q-- > 0;) {
      const Question& question = out_.questions[q];
      out_.is_fixed[q] =
          question.terms.empty() && question.trees.empty() && IsFixed(question.yes) && IsFixed(question.no);
    }
  }

  // Questions come after their parents, and so do the asked ones.
  void NumberAsked() {
    asked_of_.resize(out_.questions.size());
    for (std::size_t q = 0; q < out_.questions.size(); ++q) {
      if (out_.is_fixed[q]) continue;
      const Question& question = out_.questions[q];
      asked_of_[q] = static_cast<std::uint32_t>(out_.asked.size());
      out_.asked.push_back(
          {.logit = PackedTrees(question.terms, question.trees), .question = static_cast<std::uint32_t>(q)});
    }
    out_.asked_link.assign(out_.asked.size(), -1);
  }

  void LinkChildren(std::uint32_t asked) {
    const Question& question = out_.questions[out_.asked[asked].question];
    out_.asked[asked].yes = LinkChild(question.yes, static_cast<std::int32_t>(2 * asked + 1));
    out_.asked[asked].no = LinkChild(question.no, static_cast<std::int32_t>(2 * asked));
  }

  std::uint32_t LinkChild(std::int32_t child, std::int32_t link) {
    if (IsFixed(child)) return AddGroup(child, link);
    out_.asked_link[asked_of_[child]] = link;
    return asked_of_[child];
  }

  std::uint32_t AddGroup(std::int32_t top, std::int32_t link) {
    const auto group = static_cast<std::uint32_t>(out_.groups.size());
    const std::uint32_t begin = grouped_;
    std::vector<std::int32_t> open = {top};
    while (!open.empty()) {
      const std::int32_t at = open.back();
      open.pop_back();
      if (at >= 0) {
        open.insert(open.end(), {out_.questions[at].yes, out_.questions[at].no});
        continue;
      }
      out_.category_link[-1 - at] = link;
      out_.group_of[-1 - at] = group;
      ++grouped_;
    }
    out_.groups.push_back({top, begin, grouped_});
    return static_cast<std::uint32_t>(out_.asked.size()) + group;
  }

  ConditionerShape& out_;
  std::vector<std::uint32_t> asked_of_;  // by question
  std::uint32_t grouped_ = 0;            // categories in groups so far
};

}  // namespace

ConditionerShape MakeShape(Conditioner conditioner, Code size) {
  ConditionerShape shape{.questions = std::move(conditioner.questions),
                         .size = size,
                         .asked = {},
                         .groups = {},
                         .asked_link = {},
                         .category_link = {},
                         .group_of = {},
                         .is_fixed = {}};
  ShapeMaker(shape).Make();
  return shape;
}

}  // namespace dtf
