# `cmake --install`: the tool, the library with its public headers, and a package for find_package(dtf).
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/dtf)

set_target_properties(dtf PROPERTIES INSTALL_RPATH "$ORIGIN/dtf")
set_target_properties(dtf_cli PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}:$ORIGIN/../${CMAKE_INSTALL_LIBDIR}/dtf")
install(TARGETS dtf EXPORT dtf-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS dtf_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/dtf DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_BINARY_DIR}/include/dtf/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/dtf)
install(FILES ${DTF_ARROW_LIBRARIES} DESTINATION ${CMAKE_INSTALL_LIBDIR}/dtf)
install(EXPORT dtf-targets NAMESPACE dtf:: DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/dtf-config-version.cmake COMPATIBILITY SameMinorVersion)
file(WRITE ${PROJECT_BINARY_DIR}/dtf-config.cmake "include(\${CMAKE_CURRENT_LIST_DIR}/dtf-targets.cmake)\n")
install(FILES ${PROJECT_BINARY_DIR}/dtf-config.cmake ${PROJECT_BINARY_DIR}/dtf-config-version.cmake
        DESTINATION ${package_dir})
