# Options every target of this project is compiled with; none of them reaches a program that uses the library.
set(DTF_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize takes them")
option(DTF_WERROR "Warnings are errors" ON)

add_library(dtf_options INTERFACE)
target_compile_options(dtf_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  # Scores must have the same bits on every machine: a*b+c is two roundings everywhere.
  -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 warns of std::string's own operator+ (GCC bug 105651).
  target_compile_options(dtf_options INTERFACE -Wno-restrict)
endif()
if(DTF_WERROR)
  target_compile_options(dtf_options INTERFACE -Werror)
endif()
# Stack traces need lines only; tracking variables would double the time of the largest files.
set(CMAKE_CXX_FLAGS_SANITIZE "-O2 -g1 -DNDEBUG")
if(DTF_SANITIZE)
  add_compile_definitions(DTF_IS_SANITIZED=1)  # Clang 14 has no macro of its own that tells
  add_compile_options(-fsanitize=${DTF_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${DTF_SANITIZE})
else()
  add_compile_definitions(DTF_IS_SANITIZED=0)
endif()
