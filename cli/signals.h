// Ctrl-C and similar signals: the tool stops at once and leaves no unfinished files.
#pragma once

namespace dtf::cli {

// From now on SIGINT, SIGTERM and SIGHUP remove unfinished outputs and end the program with 128 + the signal's number;
// a closed pipe and a file that grows too large are errors of the write concerned.
void InstallSignalHandlers();

}  // namespace dtf::cli
