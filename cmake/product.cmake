# SPDX-License-Identifier: BSD-3-Clause
# libpgasim.so (every module in one), the pgasim command, the start-up object that programs are linked with.
if(TARGET m_cli)
  add_library(pgasim SHARED ${CMAKE_SOURCE_DIR}/src/base/version.c)
  target_link_libraries(pgasim PRIVATE m_base)
  foreach(m ${PGASIM_MODULES})
    target_link_libraries(pgasim PRIVATE -Wl,--whole-archive $<TARGET_FILE:${m}> -Wl,--no-whole-archive)
    add_dependencies(pgasim ${m})
  endforeach()
  target_link_libraries(pgasim PRIVATE ${PGASIM_BOOST_CONTEXT} EXPAT::EXPAT m ${CMAKE_DL_LIBS})
  add_executable(pgasim_command ${CMAKE_SOURCE_DIR}/src/cli/main.c)
  set_target_properties(pgasim_command PROPERTIES OUTPUT_NAME pgasim BUILD_RPATH "$ORIGIN/../lib"
                        BUILD_RPATH_USE_ORIGIN ON INSTALL_RPATH "$ORIGIN/../lib")
  target_link_libraries(pgasim_command PRIVATE pgasim)
endif()
