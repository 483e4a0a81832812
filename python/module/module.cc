// dtf._core: the library's functions on tables that Python has dictionary-encoded. The package around it speaks to
// users; here nothing is checked that it checks, and all calls that compute release the interpreter's lock.
#include "module.h"

#include "dtf/version.h"

NB_MODULE(_core, module) {
  module.doc() = "The C++ core of dtf. Not for use by others: its functions may change.";
  module.attr("version") = DTF_VERSION;
  dtf::python::AddErrors(module);
  dtf::python::AddTexts(module);
  dtf::python::AddTable(module);
  dtf::python::AddDistinct(module);
  dtf::python::AddModel(module);
  dtf::python::AddFit(module);
}
