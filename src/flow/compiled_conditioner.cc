#include "flow/compiled_conditioner.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "count/answers.h"
#include "count/plane_rows.h"

namespace dtf {
namespace {

// Numbers for each question and row that are kept at a time: 16 MB.
constexpr std::size_t kMostNats = std::size_t{1} << 21;

// Of a column's categories, up to so many are looked for one by one in all rows at once: that takes less time than
// following each row.
constexpr Code kFewCategories = 64;

bool IsEmpty(const std::uint64_t* plane, std::size_t words) {
  return std::all_of(plane, plane + words, [](std::uint64_t word) { return word == 0; });
}

// The plane of the rows [first, first + rows). REQUIRES: `first` is a multiple of 64.
void SetRows(std::size_t first, std::size_t rows, std::size_t words, std::vector<std::uint64_t>& plane) {
  plane.assign(words, 0);
  for (std::size_t at = first; at < first + rows; at += 64) {
    const std::size_t left = first + rows - at;
    plane[at / 64] = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
  }
}

// Ascending by (probability, code).
bool ComesBefore(double nats, Code code, double other_nats, Code other_code) {
  return nats > other_nats || (nats == other_nats && code < other_code);
}

}  // namespace

// ---------------------------------------------------------------- Making it ready

class CompiledConditioner::Compiler {
 public:
  explicit Compiler(CompiledConditioner& out) : out_(out), questions_(out.conditioner_.questions) {}

  void Compile() {
    FindFixed();
    out_.category_link_.assign(out_.size_, -1);
    out_.group_of_.assign(out_.size_, 0);
    out_.within_.assign(out_.size_, 0);
    NumberNodes();
    for (std::size_t i = 0; i < out_.asked_.size(); ++i) LinkChildren(static_cast<std::uint32_t>(i));
    if (out_.asked_.empty()) AddGroup(questions_.empty() ? -1 : 0, -1);
  }

 private:
  bool IsFixed(std::int32_t child) const { return child < 0 || is_fixed_[child]; }

  // A question is fixed when neither it nor any below it looks at the row.
  void FindFixed() {
    is_fixed_.resize(questions_.size());
    bool any = false;
    for (std::size_t q = questions_.size(); q-- > 0;) {
      const Question& question = questions_[q];
      is_fixed_[q] = question.terms.empty() && question.trees.empty() && IsFixed(question.yes) && IsFixed(question.no);
      any = any || is_fixed_[q];
    }
    if (!any) return;
    out_.fixed_yes_.resize(questions_.size());
    for (std::size_t q = 0; q < questions_.size(); ++q) {
      if (is_fixed_[q]) out_.fixed_yes_[q] = AnswerProbability(questions_[q].bias);
    }
  }

  // Questions come after their parents, and so do the asked ones.
  void NumberNodes() {
    asked_of_.resize(questions_.size());
    for (std::size_t q = 0; q < questions_.size(); ++q) {
      if (is_fixed_[q]) continue;
      const Question& question = questions_[q];
      asked_of_[q] = static_cast<std::uint32_t>(question_of_.size());
      question_of_.push_back(static_cast<std::uint32_t>(q));
      out_.asked_.push_back(
          {.logit = PackedTrees(question.bias, question.terms, question.trees), .bias = question.bias});
    }
    out_.asked_link_.assign(out_.asked_.size(), -1);
  }

  void LinkChildren(std::uint32_t asked) {
    const Question& question = questions_[question_of_[asked]];
    out_.asked_[asked].yes = LinkChild(question.yes, static_cast<std::int32_t>(2 * asked + 1));
    out_.asked_[asked].no = LinkChild(question.no, static_cast<std::int32_t>(2 * asked));
  }

  std::uint32_t LinkChild(std::int32_t child, std::int32_t link) {
    if (IsFixed(child)) return AddGroup(child, link);
    out_.asked_link_[asked_of_[child]] = link;
    return asked_of_[child];
  }

  // The categories below `top`, each with its probability given that a row gets to `top`.
  std::uint32_t AddGroup(std::int32_t top, std::int32_t link) {
    const auto begin = static_cast<std::uint32_t>(out_.sorted_.size());
    const auto group = static_cast<std::uint32_t>(out_.groups_.size());
    std::vector<std::pair<std::int32_t, double>> open = {{top, 0.0}};
    while (!open.empty()) {
      const auto [at, nats] = open.back();
      open.pop_back();
      if (at < 0) {
        AddMember(group, link, {nats, static_cast<Code>(-1 - at)});
        continue;
      }
      const Question& question = questions_[at];
      open.emplace_back(question.yes, nats + AnswerNats(question.bias));
      open.emplace_back(question.no, nats + AnswerNats(-question.bias));
    }
    std::sort(out_.sorted_.begin() + begin, out_.sorted_.end(),
              [](const Member& a, const Member& b) { return ComesBefore(a.nats, a.code, b.nats, b.code); });
    out_.groups_.push_back({top, begin, static_cast<std::uint32_t>(out_.sorted_.size())});
    return static_cast<std::uint32_t>(out_.asked_.size()) + group;
  }

  void AddMember(std::uint32_t group, std::int32_t link, const Member& member) {
    out_.category_link_[member.code] = link;
    out_.group_of_[member.code] = group;
    out_.within_[member.code] = member.nats;
    out_.sorted_.push_back(member);
  }

  CompiledConditioner& out_;
  const std::vector<Question>& questions_;
  std::vector<bool> is_fixed_;
  std::vector<std::uint32_t> asked_of_;     // by question
  std::vector<std::uint32_t> question_of_;  // by asked question
};

CompiledConditioner::CompiledConditioner(Conditioner conditioner, Code size)
    : conditioner_(std::move(conditioner)), size_(size) {
  Compiler(*this).Compile();
}

// ---------------------------------------------------------------- Probabilities

// A group's rows are those of its categories, a question's are those of its children.
void CompiledConditioner::RouteCategories(std::span<const Code> codes, std::size_t words,
                                          ConditionerScratch& scratch) const {
  scratch.node_planes.assign((asked_.size() + groups_.size()) * words, 0);
  scratch.mask.assign(words, 0);
  const auto plane = [&](std::size_t node) { return scratch.node_planes.data() + node * words; };
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    std::uint64_t* rows = plane(asked_.size() + g);
    for (std::uint32_t member = groups_[g].begin; member < groups_[g].end; ++member) {
      MatchCodes(codes, sorted_[member].code, scratch.mask.data());
      std::transform(rows, rows + words, scratch.mask.begin(), rows, std::bit_or<>());
    }
  }
  for (std::size_t asked = asked_.size(); asked-- > 0;) {
    const std::uint64_t* no = plane(asked_[asked].no);
    std::transform(no, no + words, plane(asked_[asked].yes), plane(asked), std::bit_or<>());
  }
}

// Notes for each question on a row's path that the row gets there, and its answer.
void CompiledConditioner::RouteRows(std::span<const Code> codes, std::size_t words, ConditionerScratch& scratch) const {
  if (scratch.slot_of.size() < asked_.size()) scratch.slot_of.resize(asked_.size(), -1);
  scratch.reached.clear();
  scratch.reached_planes.clear();
  for (std::size_t row = 0; row < codes.size(); ++row) {
    if (codes[row] >= size_) continue;
    const std::uint64_t bit = std::uint64_t{1} << (row % 64);
    for (std::int32_t link = category_link_[codes[row]]; link >= 0; link = asked_link_[link / 2]) {
      std::int32_t& slot = scratch.slot_of[link / 2];
      if (slot < 0) {
        slot = static_cast<std::int32_t>(scratch.reached.size());
        scratch.reached.push_back(static_cast<std::uint32_t>(link / 2));
        scratch.reached_planes.resize(scratch.reached_planes.size() + 2 * words, 0);
      }
      std::uint64_t* planes = scratch.reached_planes.data() + 2 * words * slot;
      planes[row / 64] |= bit;
      if (link % 2 != 0) planes[words + row / 64] |= bit;
    }
  }
}

bool CompiledConditioner::IsSibling(const CompiledConditioner& other) const {
  return std::ranges::equal(conditioner_.questions, other.conditioner_.questions,
                            [](const Question& a, const Question& b) {
                              return a.yes == b.yes && a.no == b.no && a.terms == b.terms && a.trees == b.trees;
                            });
}

void CompiledConditioner::VisitAnswers(std::span<const Code> codes, PlaneMatrix tests, ConditionerScratch& scratch,
                                       const AnswerVisitor& f) const {
  const std::size_t words = tests.words;
  scratch.logits.resize(64 * words);
  const auto ask = [&](std::size_t asked, const std::uint64_t* rows, const std::uint64_t* yes) {
    asked_[asked].logit.Sum(tests, {rows, words}, scratch.sums, scratch.logits);
    f(asked, rows, yes);
  };
  if (size_ <= kFewCategories) {
    RouteCategories(codes, words, scratch);
    const auto plane = [&](std::size_t node) { return scratch.node_planes.data() + node * words; };
    for (std::size_t asked = 0; asked < asked_.size(); ++asked) ask(asked, plane(asked), plane(asked_[asked].yes));
  } else {
    RouteRows(codes, words, scratch);
    std::ranges::sort(scratch.reached);
    for (const std::uint32_t asked : scratch.reached) {
      const std::uint64_t* planes = scratch.reached_planes.data() + 2 * words * scratch.slot_of[asked];
      scratch.slot_of[asked] = -1;
      ask(asked, planes, planes + words);
    }
  }
}

// Each row's sum goes from the first question down, whatever the other rows are.
void CompiledConditioner::FindNats(std::span<const Code> codes, PlaneMatrix tests, ConditionerScratch& scratch,
                                   std::span<double> nats) const {
  std::ranges::fill(nats, 0.0);
  VisitAnswers(codes, tests, scratch, [&](std::size_t, const std::uint64_t* rows, const std::uint64_t* yes) {
    AddAnswerNats(scratch.logits, rows, yes, nats);
  });
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (codes[i] < size_) nats[i] += within_[codes[i]];
  }
}

// ---------------------------------------------------------------- Sampling

Code CompiledConditioner::DrawWithin(const Group& group, std::size_t row, AnswerDraws& draws) const {
  std::int32_t at = group.top;
  while (at >= 0) {
    const bool yes = static_cast<double>(draws.Next(row)) * 0x1p-53 < fixed_yes_[at];
    at = yes ? conditioner_.questions[at].yes : conditioner_.questions[at].no;
  }
  return static_cast<Code>(-1 - at);
}

void CompiledConditioner::Draw(PlaneMatrix tests, AnswerDraws& draws, ConditionerScratch& scratch,
                               std::span<Code> codes) const {
  const std::size_t words = tests.words;
  scratch.logits.resize(64 * words);
  std::vector<std::uint64_t> drawn(64 * words);
  std::vector<std::uint64_t> yes(words);
  // Questions and groups still to come, and for each the plane of the rows that got there.
  std::vector<std::uint32_t> open = {0};
  std::vector<std::uint64_t>& planes = scratch.mask;
  SetRows(0, codes.size(), words, planes);
  std::vector<std::uint64_t> here(words);
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    std::copy(planes.end() - static_cast<std::ptrdiff_t>(words), planes.end(), here.begin());
    planes.resize(planes.size() - words);
    if (IsEmpty(here.data(), words)) continue;
    if (at >= asked_.size()) {
      const Group& group = groups_[at - asked_.size()];
      for (const std::size_t row : PlaneRows(here)) codes[row] = DrawWithin(group, row, draws);
      continue;
    }
    asked_[at].logit.Sum(tests, here, scratch.sums, scratch.logits);
    for (const std::size_t row : PlaneRows(here)) drawn[row] = draws.Next(row);
    DrawAnswers(scratch.logits, here.data(), drawn, yes.data());
    open.push_back(asked_[at].yes);
    planes.insert(planes.end(), yes.begin(), yes.end());
    open.push_back(asked_[at].no);
    for (std::size_t w = 0; w < words; ++w) planes.push_back(here[w] & ~yes[w]);
  }
}

// ---------------------------------------------------------------- Ranks

void CompiledConditioner::ToRanks(PlaneMatrix tests, ConditionerScratch& scratch, std::span<Code> codes) const {
  if (IsBinary()) {
    SwapLessLikely(tests, scratch, codes);
    return;
  }
  ForEachRange(tests, codes.size(), scratch, [&](const Range& range) { RankRange(range, scratch, codes); });
}

void CompiledConditioner::FromRanks(PlaneMatrix tests, ConditionerScratch& scratch, std::span<Code> codes) const {
  if (IsBinary()) {
    SwapLessLikely(tests, scratch, codes);
    return;
  }
  if (asked_.empty()) {
    for (Code& code : codes) code = code < size_ ? sorted_[code].code : code;
    return;
  }
  ForEachRange(tests, codes.size(), scratch, [&](const Range& range) {
    const double* until = scratch.nats_until.data() + asked_.size() * range.stride;
    for (std::size_t i = 0; i < range.rows; ++i) {
      Code& code = codes[range.first_row + i];
      if (code >= size_) continue;
      code = groups_.size() == size_ ? SelectSingle(code, until + i, range.stride, scratch.members)
                                     : Select(code, until + i, range.stride);
    }
  });
}

// Of two categories the ranks are the codes or, where code 0 is the likelier one, the other way round.
void CompiledConditioner::SwapLessLikely(PlaneMatrix tests, ConditionerScratch& scratch, std::span<Code> codes) const {
  scratch.logits.resize(64 * tests.words);
  SetRows(0, codes.size(), tests.words, scratch.mask);
  asked_[0].logit.Sum(tests, scratch.mask, scratch.sums, scratch.logits);
  const Logit sign = YesOfBinary() == 1 ? 1 : -1;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const Code zero_is_likelier = sign * scratch.logits[i] < 0 ? 1 : 0;
    codes[i] = codes[i] < 2 ? codes[i] ^ zero_is_likelier : codes[i];
  }
}

template <typename F>
void CompiledConditioner::ForEachRange(PlaneMatrix tests, std::size_t rows, ConditionerScratch& scratch,
                                       const F& f) const {
  const std::size_t nodes = asked_.size() + groups_.size();
  const std::size_t most_rows =
      64 * std::clamp<std::size_t>(kMostNats / (64 * nodes), 1, std::max(tests.words, std::size_t{1}));
  for (std::size_t first = 0; first < rows; first += most_rows) {
    const std::size_t count = std::min(most_rows, rows - first);
    const Range range{first, count, 64 * PlaneWords(count)};
    FindNatsUntil(tests, range, scratch);
    f(range);
  }
}

void CompiledConditioner::FindNatsUntil(PlaneMatrix tests, const Range& range, ConditionerScratch& scratch) const {
  scratch.nats_until.resize((asked_.size() + groups_.size()) * range.stride);
  scratch.logits.resize(64 * tests.words);
  SetRows(range.first_row, range.rows, tests.words, scratch.mask);
  const auto until = [&](std::uint32_t node) {
    return std::span(scratch.nats_until).subspan(node * range.stride, range.stride);
  };
  std::ranges::fill(until(0), 0.0);
  for (std::uint32_t asked = 0; asked < asked_.size(); ++asked) {
    asked_[asked].logit.Sum(tests, scratch.mask, scratch.sums, scratch.logits);
    AddBothAnswers(std::span(scratch.logits).subspan(range.first_row, range.stride), until(asked),
                   until(asked_[asked].yes), until(asked_[asked].no));
  }
}

void CompiledConditioner::RankRange(const Range& range, ConditionerScratch& scratch, std::span<Code> all_codes) const {
  const std::span<Code> codes = all_codes.subspan(range.first_row, range.rows);
  const double* until = scratch.nats_until.data() + asked_.size() * range.stride;
  scratch.nats.resize(range.rows);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (codes[i] >= size_) continue;
    scratch.nats[i] = until[group_of_[codes[i]] * range.stride + i] + within_[codes[i]];
  }
  scratch.ranks.assign(range.rows, 0);
  for (const Group& group : groups_) {
    const double* here = until + static_cast<std::size_t>(&group - groups_.data()) * range.stride;
    if (group.end - group.begin == 1) {
      const Code code = sorted_[group.begin].code;
      for (std::size_t i = 0; i < codes.size(); ++i) {
        scratch.ranks[i] += ComesBefore(here[i], code, scratch.nats[i], codes[i]) ? 1 : 0;
      }
      continue;
    }
    for (std::size_t i = 0; i < codes.size(); ++i) {
      if (codes[i] >= size_) continue;
      scratch.ranks[i] += static_cast<Code>(CountBefore(group, here[i], {scratch.nats[i], codes[i]}));
    }
  }
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = codes[i] < size_ ? scratch.ranks[i] : codes[i];
}

std::size_t CompiledConditioner::CountBefore(const Group& group, double until, const Member& bound) const {
  const auto begin = sorted_.begin() + group.begin;
  const auto end = sorted_.begin() + group.end;
  // Sums round: members that differ within the group can have the same probability here. Their order is by code then,
  // and it is by code among those that have the same probability within the group, too.
  auto at = std::partition_point(begin, end, [&](const Member& member) { return until + member.nats > bound.nats; });
  std::size_t before = static_cast<std::size_t>(at - begin);
  while (at != end && until + at->nats == bound.nats) {
    const auto next = std::partition_point(at, end, [&](const Member& member) { return member.nats == at->nats; });
    before += static_cast<std::size_t>(
        std::partition_point(at, next, [&](const Member& member) { return member.code < bound.code; }) - at);
    at = next;
  }
  return before;
}

// Where each group is one category.
Code CompiledConditioner::SelectSingle(Code rank, const double* until, std::size_t stride,
                                       std::vector<Member>& members) const {
  members.assign(sorted_.begin(), sorted_.end());
  for (std::size_t g = 0; g < members.size(); ++g) members[g].nats = until[g * stride];
  const auto found = members.begin() + rank;
  std::nth_element(members.begin(), found, members.end(),
                   [](const Member& a, const Member& b) { return ComesBefore(a.nats, a.code, b.nats, b.code); });
  return found->code;
}

// Finds the probability of the category, then the category: each step guesses the probability of some member, counts
// the members of higher and lower ones, and leaves these out. Where each group is one category the first guess is
// right.
Code CompiledConditioner::Select(Code rank, const double* until, std::size_t stride) const {
  std::vector<Part> parts;
  for (const Group& group : groups_) parts.push_back({sorted_.begin() + group.begin, sorted_.begin() + group.end});
  for (;;) {
    const double guess = GuessNats(rank, parts, until, stride);
    std::size_t before = 0;
    std::size_t tied = 0;
    for (std::size_t g = 0; g < parts.size(); ++g) {
      Part& part = parts[g];
      const auto nats = [&](const Member& member) { return until[g * stride] + member.nats; };
      const auto end = sorted_.begin() + groups_[g].end;
      const auto first = sorted_.begin() + groups_[g].begin;
      part.first_tied = std::partition_point(first, end, [&](const Member& member) { return nats(member) > guess; });
      part.last_tied =
          std::partition_point(part.first_tied, end, [&](const Member& member) { return nats(member) == guess; });
      before += static_cast<std::size_t>(part.first_tied - first);
      tied += static_cast<std::size_t>(part.last_tied - part.first_tied);
    }
    if (rank >= before && rank < before + tied) return SelectTied(rank - before, parts);
    for (Part& part : parts) {
      if (rank < before) {
        part.end = std::min(part.end, part.first_tied);
      } else {
        part.begin = std::max(part.begin, part.last_tied);
      }
    }
  }
}

// Of the members in the middle of the parts the one at which the sizes of the parts, in order of their middles, pass
// the rank.
double CompiledConditioner::GuessNats(Code rank, const std::vector<Part>& parts, const double* until,
                                      std::size_t stride) const {
  std::vector<std::pair<double, std::size_t>> middles;  // nats, size of its part
  std::size_t passed = 0;
  for (std::size_t g = 0; g < parts.size(); ++g) {
    const auto size = static_cast<std::size_t>(std::max<std::ptrdiff_t>(parts[g].end - parts[g].begin, 0));
    passed += static_cast<std::size_t>(parts[g].begin - (sorted_.begin() + groups_[g].begin));
    if (size == 0) continue;
    middles.emplace_back(until[g * stride] + parts[g].begin[static_cast<std::ptrdiff_t>(size / 2)].nats, size);
  }
  std::ranges::sort(middles, std::greater<>());
  for (const auto& [nats, size] : middles) {
    passed += size;
    if (passed > rank) return nats;
  }
  return middles.back().first;
}

// Of members of the same probability the one at `position` when they are sorted by code.
Code CompiledConditioner::SelectTied(std::size_t position, const std::vector<Part>& parts) const {
  std::vector<Code> codes;
  std::size_t runs = 0;
  for (const Part& part : parts) {
    if (part.first_tied == part.last_tied) continue;
    const bool sorted = part.first_tied->nats == std::prev(part.last_tied)->nats;
    runs += sorted ? 1 : 2;
  }
  for (const Part& part : parts) {
    if (runs == 1 && part.first_tied != part.last_tied) {
      return part.first_tied[static_cast<std::ptrdiff_t>(position)].code;
    }
    for (auto member = part.first_tied; member != part.last_tied; ++member) codes.push_back(member->code);
  }
  std::ranges::nth_element(codes, codes.begin() + static_cast<std::ptrdiff_t>(position));
  return codes[position];
}

}  // namespace dtf
