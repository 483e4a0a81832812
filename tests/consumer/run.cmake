# Installs the build in BUILD_DIR to a folder of its own, builds the consumer against it, and runs it there.
foreach(step IN ITEMS
    "${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix"
    "${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE_DIR} -B ${WORK_DIR}/build -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix -DCMAKE_CXX_COMPILER=${CXX}"
    "${CMAKE_COMMAND} --build ${WORK_DIR}/build"
    "${WORK_DIR}/build/consumer"
    "${WORK_DIR}/prefix/bin/dtf --version")
  separate_arguments(command UNIX_COMMAND "${step}")
  execute_process(COMMAND ${command} WORKING_DIRECTORY ${WORK_DIR} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
