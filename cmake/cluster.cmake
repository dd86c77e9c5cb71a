# SPDX-License-Identifier: BSD-3-Clause
# tools/cluster: a real network on one machine, for tests of the models. Not installed. The library without a main
# is for its unit tests.
set(folder ${CMAKE_SOURCE_DIR}/tools/cluster)
file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.c)
list(FILTER sources EXCLUDE REGEX "/(cluster|idle|finish)\\.c$")
add_library(cluster_parts STATIC EXCLUDE_FROM_ALL ${sources})
target_include_directories(cluster_parts PUBLIC ${CMAKE_SOURCE_DIR}/tools)
target_compile_definitions(cluster_parts PRIVATE PGASIM_LAYER="cluster")
target_link_libraries(cluster_parts PUBLIC m_platform)
add_executable(cluster ${folder}/cluster.c)
target_compile_definitions(cluster PRIVATE PGASIM_LAYER="cluster")
target_link_libraries(cluster PRIVATE cluster_parts)
add_library(cluster-idle SHARED ${folder}/idle.c ${folder}/finish.c) # preloaded into programs that know no sanitizer
target_compile_options(cluster-idle PRIVATE -fno-sanitize=all)
set_target_properties(cluster-idle PROPERTIES LINK_OPTIONS "")
target_compile_definitions(cluster-idle PRIVATE _GNU_SOURCE)
target_link_libraries(cluster-idle PRIVATE ${CMAKE_DL_LIBS})
set_target_properties(cluster cluster-idle PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tools
                      LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tools)
add_dependencies(cluster cluster-idle)
