# SPDX-License-Identifier: BSD-3-Clause
# libsat.a: the software distributed shared memory, an MPI library like any other. Programs link with -lsat. It
# is compiled as the wrappers compile programs; `make sat MPICC=...` (tools/sat) builds it for another MPI.
file(GLOB PGASIM_SAT_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/sdsm/*.c ${CMAKE_SOURCE_DIR}/src/sdsm/*/*.c)
add_library(sat STATIC ${PGASIM_SAT_SOURCES})
target_include_directories(sat PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
target_compile_definitions(sat PRIVATE _GNU_SOURCE)
target_compile_options(sat PRIVATE -fvisibility=default -fno-sanitize=all)
set_source_files_properties(${CMAKE_SOURCE_DIR}/src/sdsm/twin.c PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:Release>:-O3>")
set_target_properties(sat PROPERTIES ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
add_dependencies(product sat)

# The same for tests/sdsm and fuzz/, as the project's own code is compiled: with sanitizers, if it is. A test
# links the objects that it needs, and stands in for MPI.
add_library(sat_alone STATIC EXCLUDE_FROM_ALL ${PGASIM_SAT_SOURCES})
target_include_directories(sat_alone PUBLIC ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
target_compile_definitions(sat_alone PUBLIC _GNU_SOURCE)
target_link_libraries(sat_alone PUBLIC ${CMAKE_DL_LIBS})
