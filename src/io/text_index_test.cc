#include "io/text_index.h"

#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>

namespace dtf {
namespace {

TEST(TextIndex, NumbersTextsInOrderOfAppearance) {
  // Few letters and all short lengths: many texts differ in one byte or in their length only.
  std::mt19937 random(3);
  TextIndex index;
  std::vector<std::string> texts;
  std::unordered_map<std::string, Code> expected;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 50'000; ++i) {
      std::string text(random() % 12, '\0');
      for (char& c : text) c = static_cast<char>(random() % 3 == 0 ? 0 : random() % 256);
      const auto known = expected.emplace(text, static_cast<Code>(expected.size())).first;
      ASSERT_EQ(index.FindOrAdd(text, texts), known->second);
      ASSERT_EQ(texts[known->second], text);
    }
    EXPECT_EQ(texts.size(), expected.size());
    index.Clear();
    texts.clear();
    expected.clear();
  }
}

TEST(TextIndex, FindsMarkedTextsAsMissing) {
  TextIndex index;
  index.Mark("");
  index.Mark("NA");
  index.Mark("not answered");
  index.Mark("NA");
  std::vector<std::string> texts;
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(index.FindOrAdd("NA", texts), kMissingCell);
    EXPECT_EQ(index.FindOrAdd("", texts), kMissingCell);
    EXPECT_EQ(index.FindOrAdd("not answered", texts), kMissingCell);
    EXPECT_EQ(index.FindOrAdd("not answered!", texts), 0u);
    EXPECT_EQ(index.FindOrAdd("na", texts), 1u);
    EXPECT_EQ(texts, (std::vector<std::string>{"not answered!", "na"}));
    index.Clear();
    texts.clear();
  }
}

TEST(TextIndex, KnowsWhichMarksItMet) {
  TextIndex index;
  index.Mark("NA");
  index.Mark("not answered");
  std::vector<std::string> texts;
  index.FindOrAdd("not answered!", texts);
  index.FindOrAdd("N", texts);
  EXPECT_FALSE(index.HasMet("NA") || index.HasMet("not answered"));
  index.FindOrAdd("not answered", texts);
  index.Clear();
  EXPECT_TRUE(index.HasMet("not answered"));
  EXPECT_FALSE(index.HasMet("NA"));
}

}  // namespace
}  // namespace dtf
