// How --help looks, and the messages about arguments that cannot be parsed.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

namespace dtf::cli {

std::shared_ptr<CLI::FormatterBase> MakeHelpFormatter();

// One line for a user: what is wrong, the nearest name there is, and where help is.
std::string DescribeUsageError(const CLI::App& root, const CLI::ParseError& error);

}  // namespace dtf::cli
