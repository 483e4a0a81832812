// What each file of the module adds to it.
#pragma once

#include <nanobind/nanobind.h>

namespace dtf::python {

void AddErrors(nanobind::module_& module);
void AddTexts(nanobind::module_& module);
void AddTable(nanobind::module_& module);
void AddDistinct(nanobind::module_& module);
void AddModel(nanobind::module_& module);
void AddFit(nanobind::module_& module);

}  // namespace dtf::python
