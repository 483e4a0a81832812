#include "flow/compiled_conditioner.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <utility>

#include "count/answers.h"
#include "count/plane_rows.h"

namespace dtf {
namespace {

// Numbers for each question and row that are kept at a time: 16 MB.
constexpr std::size_t kMostNats = std::size_t{1} << 21;

// If a column has at most so many categories, rows are matched with each of them in turn: that takes less time than
// following each row through the questions.
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

CompiledConditioner::CompiledConditioner(Conditioner conditioner, Code size) {
  for (const Question& question : conditioner.questions) biases_.push_back(question.bias);
  shape_ = std::make_shared<const ConditionerShape>(MakeShape(std::move(conditioner), size));
  FillGroups();
}

CompiledConditioner::CompiledConditioner(const CompiledConditioner& sibling, std::vector<Logit> biases)
    : shape_(sibling.shape_), biases_(std::move(biases)) {
  FillGroups();
}

Conditioner CompiledConditioner::conditioner() const {
  Conditioner conditioner{shape_->questions};
  for (std::size_t q = 0; q < biases_.size(); ++q) conditioner.questions[q].bias = biases_[q];
  return conditioner;
}

// Each category's probability given that a row gets to its group's uppermost question.
void CompiledConditioner::FillGroups() {
  within_.assign(shape_->size, 0);
  sorted_.reserve(shape_->size);
  if (std::ranges::find(shape_->is_fixed, true) != shape_->is_fixed.end()) fixed_yes_.resize(biases_.size());
  std::vector<std::pair<std::int32_t, double>> open;
  for (const ConditionerShape::Group& group : shape_->groups) {
    open.assign(1, {group.top, 0.0});
    while (!open.empty()) {
      const auto [at, nats] = open.back();
      open.pop_back();
      if (at < 0) {
        within_[-1 - at] = nats;
        sorted_.push_back({nats, static_cast<Code>(-1 - at)});
        continue;
      }
      const Question& question = shape_->questions[at];
      fixed_yes_[at] = AnswerProbability(biases_[at]);
      open.emplace_back(question.yes, nats + AnswerNats(biases_[at]));
      open.emplace_back(question.no, nats + AnswerNats(-biases_[at]));
    }
    std::sort(sorted_.begin() + group.begin, sorted_.end(),
              [](const Member& a, const Member& b) { return ComesBefore(a.nats, a.code, b.nats, b.code); });
  }
}

// ---------------------------------------------------------------- Probabilities

// A group's rows are those of its categories, a question's are those of its children.
void CompiledConditioner::RouteCategories(std::span<const Code> codes, std::size_t words,
                                          ConditionerScratch& scratch) const {
  scratch.node_planes.assign((shape_->asked.size() + shape_->groups.size()) * words, 0);
  scratch.mask.assign(words, 0);
  const auto plane = [&](std::size_t node) { return scratch.node_planes.data() + node * words; };
  for (std::size_t g = 0; g < shape_->groups.size(); ++g) {
    std::uint64_t* rows = plane(shape_->asked.size() + g);
    for (std::uint32_t member = shape_->groups[g].begin; member < shape_->groups[g].end; ++member) {
      MatchCodes(codes, sorted_[member].code, scratch.mask.data());
      std::transform(rows, rows + words, scratch.mask.begin(), rows, std::bit_or<>());
    }
  }
  for (std::size_t asked = shape_->asked.size(); asked-- > 0;) {
    const std::uint64_t* no = plane(shape_->asked[asked].no);
    std::transform(no, no + words, plane(shape_->asked[asked].yes), plane(asked), std::bit_or<>());
  }
}

// Notes for each question on a row's path that the row gets there, and its answer.
void CompiledConditioner::RouteRows(std::span<const Code> codes, std::size_t words, ConditionerScratch& scratch) const {
  if (scratch.slot_of.size() < shape_->asked.size()) scratch.slot_of.resize(shape_->asked.size(), -1);
  scratch.reached.clear();
  scratch.reached_planes.clear();
  for (std::size_t row = 0; row < codes.size(); ++row) {
    if (codes[row] >= shape_->size) continue;
    const std::uint64_t bit = std::uint64_t{1} << (row % 64);
    for (std::int32_t link = shape_->category_link[codes[row]]; link >= 0; link = shape_->asked_link[link / 2]) {
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

void CompiledConditioner::Sum(std::size_t asked, PlaneMatrix tests, std::span<const std::uint64_t> rows,
                              ConditionerScratch& scratch) const {
  shape_->asked[asked].logit.Sum(bias(asked), tests, rows, scratch.sums, scratch.logits);
}

bool CompiledConditioner::IsSibling(const CompiledConditioner& other) const {
  return shape_ == other.shape_ ||
         std::ranges::equal(shape_->questions, other.shape_->questions, [](const Question& a, const Question& b) {
           return a.yes == b.yes && a.no == b.no && a.terms == b.terms && a.trees == b.trees;
         });
}

void CompiledConditioner::VisitAnswers(std::span<const Code> codes, PlaneMatrix tests, ConditionerScratch& scratch,
                                       const AnswerVisitor& f) const {
  const std::size_t words = tests.words;
  scratch.logits.resize(64 * words);
  const auto ask = [&](std::size_t asked, const std::uint64_t* rows, const std::uint64_t* yes) {
    Sum(asked, tests, {rows, words}, scratch);
    f(asked, rows, yes);
  };
  if (shape_->size <= kFewCategories) {
    RouteCategories(codes, words, scratch);
    const auto plane = [&](std::size_t node) { return scratch.node_planes.data() + node * words; };
    for (std::size_t asked = 0; asked < shape_->asked.size(); ++asked)
      ask(asked, plane(asked), plane(shape_->asked[asked].yes));
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
    if (codes[i] < shape_->size) nats[i] += within_[codes[i]];
  }
}

// ---------------------------------------------------------------- Sampling

Code CompiledConditioner::DrawWithin(const ConditionerShape::Group& group, std::size_t row, AnswerDraws& draws) const {
  std::int32_t at = group.top;
  while (at >= 0) {
    const bool yes = static_cast<double>(draws.Next(row)) * 0x1p-53 < fixed_yes_[at];
    at = yes ? shape_->questions[at].yes : shape_->questions[at].no;
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
    if (at >= shape_->asked.size()) {
      const ConditionerShape::Group& group = shape_->groups[at - shape_->asked.size()];
      for (const std::size_t row : PlaneRows(here)) codes[row] = DrawWithin(group, row, draws);
      continue;
    }
    Sum(at, tests, here, scratch);
    for (const std::size_t row : PlaneRows(here)) drawn[row] = draws.Next(row);
    DrawAnswers(scratch.logits, here.data(), drawn, yes.data());
    open.push_back(shape_->asked[at].yes);
    planes.insert(planes.end(), yes.begin(), yes.end());
    open.push_back(shape_->asked[at].no);
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
  if (shape_->asked.empty()) {
    for (Code& code : codes) code = code < shape_->size ? sorted_[code].code : code;
    return;
  }
  ForEachRange(tests, codes.size(), scratch, [&](const Range& range) {
    const double* until = scratch.nats_until.data() + shape_->asked.size() * range.stride;
    for (std::size_t i = 0; i < range.rows; ++i) {
      Code& code = codes[range.first_row + i];
      if (code >= shape_->size) continue;
      code = shape_->groups.size() == shape_->size ? SelectSingle(code, until + i, range.stride, scratch.members)
                                                   : Select(code, until + i, range.stride);
    }
  });
}

// Of two categories the ranks are the codes or, where code 0 is the likelier one, the other way round.
void CompiledConditioner::SwapLessLikely(PlaneMatrix tests, ConditionerScratch& scratch, std::span<Code> codes) const {
  scratch.logits.resize(64 * tests.words);
  SetRows(0, codes.size(), tests.words, scratch.mask);
  Sum(0, tests, scratch.mask, scratch);
  const Logit sign = YesOfBinary() == 1 ? 1 : -1;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const Code zero_is_likelier = sign * scratch.logits[i] < 0 ? 1 : 0;
    codes[i] = codes[i] < 2 ? codes[i] ^ zero_is_likelier : codes[i];
  }
}

template <typename F>
void CompiledConditioner::ForEachRange(PlaneMatrix tests, std::size_t rows, ConditionerScratch& scratch,
                                       const F& f) const {
  const std::size_t nodes = shape_->asked.size() + shape_->groups.size();
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
  scratch.nats_until.resize((shape_->asked.size() + shape_->groups.size()) * range.stride);
  scratch.logits.resize(64 * tests.words);
  SetRows(range.first_row, range.rows, tests.words, scratch.mask);
  const auto until = [&](std::uint32_t node) {
    return std::span(scratch.nats_until).subspan(node * range.stride, range.stride);
  };
  std::ranges::fill(until(0), 0.0);
  for (std::uint32_t asked = 0; asked < shape_->asked.size(); ++asked) {
    Sum(asked, tests, scratch.mask, scratch);
    AddBothAnswers(std::span(scratch.logits).subspan(range.first_row, range.stride), until(asked),
                   until(shape_->asked[asked].yes), until(shape_->asked[asked].no));
  }
}

void CompiledConditioner::RankRange(const Range& range, ConditionerScratch& scratch, std::span<Code> all_codes) const {
  const std::span<Code> codes = all_codes.subspan(range.first_row, range.rows);
  const double* until = scratch.nats_until.data() + shape_->asked.size() * range.stride;
  scratch.nats.resize(range.rows);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (codes[i] >= shape_->size) continue;
    scratch.nats[i] = until[shape_->group_of[codes[i]] * range.stride + i] + within_[codes[i]];
  }
  scratch.ranks.assign(range.rows, 0);
  for (const ConditionerShape::Group& group : shape_->groups) {
    const double* here = until + static_cast<std::size_t>(&group - shape_->groups.data()) * range.stride;
    if (group.end - group.begin == 1) {
      const Code code = sorted_[group.begin].code;
      for (std::size_t i = 0; i < codes.size(); ++i) {
        scratch.ranks[i] += ComesBefore(here[i], code, scratch.nats[i], codes[i]) ? 1 : 0;
      }
      continue;
    }
    for (std::size_t i = 0; i < codes.size(); ++i) {
      if (codes[i] >= shape_->size) continue;
      scratch.ranks[i] += static_cast<Code>(CountBefore(group, here[i], {scratch.nats[i], codes[i]}));
    }
  }
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = codes[i] < shape_->size ? scratch.ranks[i] : codes[i];
}

std::size_t CompiledConditioner::CountBefore(const ConditionerShape::Group& group, double until,
                                             const Member& bound) const {
  const auto begin = sorted_.begin() + group.begin;
  const auto end = sorted_.begin() + group.end;
  // Sums are rounded, so members of different probability within the group may have the same one here. These are then
  // ordered by code, as members of the same probability within the group are.
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
  for (const ConditionerShape::Group& group : shape_->groups)
    parts.push_back({sorted_.begin() + group.begin, sorted_.begin() + group.end});
  for (;;) {
    const double guess = GuessNats(rank, parts, until, stride);
    std::size_t before = 0;
    std::size_t tied = 0;
    for (std::size_t g = 0; g < parts.size(); ++g) {
      Part& part = parts[g];
      const auto nats = [&](const Member& member) { return until[g * stride] + member.nats; };
      const auto end = sorted_.begin() + shape_->groups[g].end;
      const auto first = sorted_.begin() + shape_->groups[g].begin;
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

// The weighted median of the parts' middle members: ordered by probability, the one at which the parts' sizes, summed,
// pass the rank.
double CompiledConditioner::GuessNats(Code rank, const std::vector<Part>& parts, const double* until,
                                      std::size_t stride) const {
  std::vector<std::pair<double, std::size_t>> middles;  // nats, size of its part
  std::size_t passed = 0;
  for (std::size_t g = 0; g < parts.size(); ++g) {
    const auto size = static_cast<std::size_t>(std::max<std::ptrdiff_t>(parts[g].end - parts[g].begin, 0));
    passed += static_cast<std::size_t>(parts[g].begin - (sorted_.begin() + shape_->groups[g].begin));
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
