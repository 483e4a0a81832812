// dtf::Error becomes the class of dtf._errors that its kind stands for.
#include <exception>

#include "dtf/error.h"
#include "module.h"

namespace dtf::python {
namespace {

const char* ClassOf(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return "UsageError";
    case ErrorKind::kInput:
      return "InputError";
    case ErrorKind::kModelFile:
      return "ModelFileError";
    case ErrorKind::kOutOfMemory:
      return "OutOfMemoryError";
    case ErrorKind::kInterrupted:
      return "Interrupted";
    case ErrorKind::kOther:
      break;
  }
  return "OutputError";
}

void Translate(const std::exception_ptr& failure, void*) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    const nanobind::object type = nanobind::module_::import_("dtf._errors").attr(ClassOf(error.kind()));
    PyErr_SetString(type.ptr(), error.what());
  }
}

}  // namespace

void AddErrors(nanobind::module_&) { nanobind::register_exception_translator(Translate); }

}  // namespace dtf::python
