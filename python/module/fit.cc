// Fitting, and its options as data.
#include "dtf/fit.h"

#include <cstdint>
#include <exception>
#include <optional>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "dtf/error.h"
#include "dtf/fit_option.h"
#include "module.h"

namespace dtf::python {
namespace nb = nanobind;
namespace {

using Weights = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// ---------------------------------------------------------------- Options

template <typename T>
struct FieldType;
template <typename T>
struct FieldType<T FitOptions::*> {
  using type = T;
};

template <typename T>
const char* TypeName() {
  if constexpr (std::is_same_v<T, bool>) return "bool";
  if constexpr (std::is_same_v<T, int> || std::is_same_v<T, std::uint64_t>) return "int";
  if constexpr (std::is_same_v<T, std::string>) return "str";
  if constexpr (std::is_same_v<T, std::vector<std::string>>) return "list";
  if constexpr (std::is_same_v<T, std::optional<double>>) return "float | None";
  if constexpr (std::is_same_v<T, std::optional<std::string>>) return "str | None";
  return "int | None";
}

nb::dict Describe(const FitOption& option) {
  nb::dict entry;
  entry["name"] = option.name;
  entry["group"] = option.group;
  entry["value"] = option.value;
  entry["help"] = option.help;
  entry["fallback"] = option.fallback;
  entry["choices"] = option.choices;
  entry["range"] = option.range ? nb::make_tuple(option.range->least, option.range->most) : nb::object(nb::none());
  std::visit(
      [&]<typename Field>(Field field) {
        using T = typename FieldType<Field>::type;
        entry["type"] = TypeName<T>();
        entry["default"] = nb::cast(FitOptions().*field);
      },
      option.field);
  return entry;
}

nb::list DescribeOptions() {
  nb::list options;
  for (const FitOption& option : FitOptionTable()) options.append(Describe(option));
  return options;
}

// Options that `values` does not name keep their defaults.
FitOptions ToOptions(const nb::dict& values) {
  FitOptions options;
  for (const FitOption& option : FitOptionTable()) {
    if (!values.contains(option.name.c_str())) continue;
    const nb::object value = values[option.name.c_str()];
    std::visit(
        [&]<typename Field>(Field field) {
          using T = typename FieldType<Field>::type;
          if (!nb::try_cast(value, options.*field)) {
            throw Error(ErrorKind::kUsage, "--" + option.name + " " + nb::repr(value).c_str() +
                                               ": this is no value for an option of type " + TypeName<T>());
          }
        },
        option.field);
  }
  return options;
}

// ---------------------------------------------------------------- Fitting

const char* NameOf(FitStep step) {
  switch (step) {
    case FitStep::kLayer:
      return "layer";
    case FitStep::kMember:
      return "member";
    case FitStep::kPhase:
    case FitStep::kWarning:
      break;
  }
  return "phase";
}

// Calls the Python function for each step; what it raises ends the fit, and is raised to whoever called that.
class PythonListener {
 public:
  explicit PythonListener(nb::object function) : function_(std::move(function)) {}

  bool operator()(const FitProgress& step) {
    if (step.step == FitStep::kWarning) return true;  // the result has them
    const nb::gil_scoped_acquire acquire;
    try {
      function_(step.refit, NameOf(step.step), step.point.layers, step.point.train_nll, step.point.valid_nll,
                step.layers, step.note, step.seconds);
      return true;
    } catch (...) {
      failure_ = std::current_exception();
      return false;
    }
  }

  void RethrowFailure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  nb::object function_;
  std::exception_ptr failure_;
};

FitResult Fit(const FitInputs& inputs, const FitOptions& options, const nb::object& listener,
              const std::stop_source& stop) {
  PythonListener listen(listener);
  try {
    const nb::gil_scoped_release release;
    return dtf::Fit(
        inputs, options, [&](const FitProgress& step) { return listen(step); }, stop.get_token());
  } catch (const Error&) {
    listen.RethrowFailure();
    throw;
  }
}

nb::tuple FitTable(const NamedTable& train, const NamedTable* valid, const NamedTable* domain,
                   const std::optional<Weights>& weights,
                   const std::vector<std::pair<std::string, std::string>>& missing, const nb::dict& options,
                   const nb::object& listener, const std::stop_source& stop) {
  std::vector<MissingMarker> markers;
  for (const auto& [column, text] : missing) markers.push_back({column, text});
  const FitInputs inputs = {
      .train = train,
      .valid = valid,
      .domain = domain,
      .row_weights = weights ? std::span(weights->data(), weights->size()) : std::span<const double>(),
      .missing = markers};
  FitResult result = Fit(inputs, ToOptions(options), listener, stop);
  nb::dict told;
  told["train_nll"] = result.train_nll;
  told["valid_nll"] = result.valid_nll;
  told["warnings"] = result.warnings;
  told["choices"] = result.choices;
  return nb::make_tuple(std::move(result.model), told);
}

}  // namespace

void AddFit(nb::module_& module) {
  nb::class_<std::stop_source>(module, "StopSource", "By which another thread ends a fit.")
      .def(nb::init<>())
      .def("request_stop", &std::stop_source::request_stop);
  module.def("fit_options", &DescribeOptions, "All options of a fit, in the order in which they are told.");
  module.def("fit", &FitTable, nb::arg("train"), nb::arg("valid").none(), nb::arg("domain").none(),
             nb::arg("weights").none(), nb::arg("missing"), nb::arg("options"), nb::arg("listener"), nb::arg("stop"),
             "A model of `train`, and what the fit tells. `missing`: columns, and texts that mean missing there. The "
             "listener hears each step: refit, kind, layers, "
             "train_nll, valid_nll, of, note, seconds.");
}

}  // namespace dtf::python
