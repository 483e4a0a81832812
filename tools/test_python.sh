#!/usr/bin/env bash
# The Python package as its users have it. CTest runs the steps:
#   test_python.sh wheel BUILD_DIR LIBDTF_CORE       builds the wheel (of a core that is built already)
#   test_python.sh newest|oldest BUILD_DIR PROGRAM   installs it with these libraries, and tests it against the tool;
#                                                    with the newest its types as well
#   test_python.sh docs BUILD_DIR PAGES              builds its documentation; a warning is an error
set -euo pipefail
step=$1 build=$2 product=$3
cd "$(dirname "$0")/.."
export PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1 HYPOTHESIS_STORAGE_DIRECTORY="$build/hypothesis"

if [ "$step" = wheel ]; then
  rm -rf "$build/wheel"
  build/venv/bin/pip wheel . --quiet --no-deps --wheel-dir "$build/wheel" \
    --config-settings=cmake.define.DTF_PREBUILT_CORE="$product" --config-settings=cmake.define.DTF_WERROR=true
  exit
fi

venv=$build/python-$step
[ -x "$venv/bin/python" ] || build/venv/bin/python -m venv "$venv"
case $step in
  newest) "$venv/bin/pip" install --quiet --upgrade --upgrade-strategy eager "$(echo "$build"/wheel/*.whl)[test]" ;;
  oldest) "$venv/bin/pip" install --quiet --requirement python/tests/oldest.txt ;;
  docs) "$venv/bin/pip" install --quiet "$(echo "$build"/wheel/*.whl)[docs]" ;;
esac
"$venv/bin/pip" install --quiet --force-reinstall --no-deps "$build"/wheel/*.whl
if [ "$step" = docs ]; then
  exec "$venv/bin/python" -m sphinx --fail-on-warning --keep-going --quiet --fresh-env docs/site "$product"
fi
if [ "$step" = newest ]; then
  "$venv/bin/python" -m mypy --cache-dir "$build/mypy" --package dtf
fi
DTF=$product "$venv/bin/python" -m pytest -q -p no:cacheprovider -rs python/tests
