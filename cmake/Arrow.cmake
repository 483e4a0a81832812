# Target dtf_arrow: Apache Arrow and Parquet, of the system when it has them, else out of the pyarrow wheel that
# tools/setup puts into build/venv. DTF_ARROW_LIBRARIES lists the shared libraries an installation has to carry along.
add_library(dtf_arrow INTERFACE)
find_package(Arrow CONFIG QUIET)
find_package(Parquet CONFIG QUIET)
if(Arrow_FOUND AND Parquet_FOUND)
  target_link_libraries(dtf_arrow INTERFACE Arrow::arrow_shared Parquet::parquet_shared)
  set(DTF_ARROW_LIBRARIES "")
  return()
endif()

set(DTF_PYTHON "${PROJECT_SOURCE_DIR}/build/venv/bin/python" CACHE FILEPATH "A Python that has pyarrow")
execute_process(
  COMMAND ${DTF_PYTHON} -c "import pyarrow; print(pyarrow.get_include(), pyarrow.get_library_dirs()[0], sep=';')"
  OUTPUT_VARIABLE pyarrow_dirs OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE pyarrow_status ERROR_QUIET)
if(NOT pyarrow_status EQUAL 0)
  message(FATAL_ERROR "no Apache Arrow: run tools/setup, or set DTF_PYTHON to a Python that has pyarrow")
endif()
list(GET pyarrow_dirs 0 pyarrow_include)
list(GET pyarrow_dirs 1 pyarrow_libs)
file(GLOB DTF_ARROW_LIBRARIES "${pyarrow_libs}/libarrow.so.*00" "${pyarrow_libs}/libparquet.so.*00")
target_include_directories(dtf_arrow SYSTEM INTERFACE ${pyarrow_include})
target_link_libraries(dtf_arrow INTERFACE ${DTF_ARROW_LIBRARIES})
target_link_options(dtf_arrow INTERFACE "-Wl,-rpath,${pyarrow_libs}")
