# SPDX-License-Identifier: BSD-3-Clause
# find_package(pgasim): the imported target pgasim::pgasim. What links with it can be run by pgasim:
# programs, and libraries that are part of programs, in C and C++. The flags are those that `pgasim cc`
# adds; if the compiler is oshcc, which adds them itself, there is nothing left to add.
#   pgasim_COMMAND           pgasim itself: ${pgasim_COMMAND} run -np 4 $<TARGET_FILE:program>
#   pgasim_CC, pgasim_CXX, pgasim_RUN   the wrappers
#   pgasim_INCLUDE_DIR       the folder of shmem.h
get_filename_component(_pgasim_lib "${CMAKE_CURRENT_LIST_DIR}/../.." REALPATH)
get_filename_component(_pgasim_prefix "${_pgasim_lib}/.." REALPATH)
set(pgasim_COMMAND "${_pgasim_prefix}/bin/pgasim")
set(pgasim_CC "${_pgasim_lib}/pgasim/shmem/bin/oshcc")
set(pgasim_CXX "${_pgasim_lib}/pgasim/shmem/bin/oshc++")
set(pgasim_RUN "${_pgasim_lib}/pgasim/shmem/bin/oshrun")
set(pgasim_INCLUDE_DIR "${_pgasim_prefix}/include")

# _pgasim_flags(OUT PART VARIABLE COMMAND COMPILER): what the wrapper says that it adds for this compiler;
# nothing if the compiler is a wrapper.
function(_pgasim_flags out part variable command compiler)
  set(${out} "" PARENT_SCOPE)
  execute_process(COMMAND "${compiler}" --showme:version
                  OUTPUT_VARIABLE said ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed AND said MATCHES "^pgasim ")
    return()
  endif()
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env "${variable}=${compiler}"
                          "${pgasim_COMMAND}" ${command} "--showme:${part}"
                  OUTPUT_VARIABLE said OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
  if(failed)
    set(pgasim_FOUND FALSE PARENT_SCOPE)
    set(pgasim_NOT_FOUND_MESSAGE "${pgasim_COMMAND} ${command} --showme:${part} failed" PARENT_SCOPE)
  endif()
  set(${out} "${said}" PARENT_SCOPE)
endfunction()

if(NOT TARGET pgasim::pgasim)
  add_library(pgasim::pgasim INTERFACE IMPORTED)
  set_target_properties(pgasim::pgasim PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${pgasim_INCLUDE_DIR}")
  set(_pgasim_link "")
  foreach(_pgasim_language C CXX)
    if(NOT CMAKE_${_pgasim_language}_COMPILER)
      continue()
    endif()
    set(_pgasim_command cc)
    set(_pgasim_short CC)
    if(_pgasim_language STREQUAL CXX)
      set(_pgasim_command c++)
      set(_pgasim_short CXX)
    endif()
    set(_pgasim_wrapped PGASIM_${_pgasim_short} ${_pgasim_command} "${CMAKE_${_pgasim_language}_COMPILER}")
    _pgasim_flags(_pgasim_compile compile ${_pgasim_wrapped})
    _pgasim_flags(_pgasim_link link ${_pgasim_wrapped})
    if(_pgasim_compile)
      set_property(TARGET pgasim::pgasim APPEND PROPERTY INTERFACE_COMPILE_OPTIONS
                   "$<$<COMPILE_LANGUAGE:${_pgasim_language}>:SHELL:${_pgasim_compile}>")
    endif()
  endforeach()
  if(_pgasim_link) # one way to link a program; a library needs libpgasim alone
    set_property(TARGET pgasim::pgasim PROPERTY INTERFACE_LINK_OPTIONS
                 "$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:SHELL:${_pgasim_link}>")
    set_property(TARGET pgasim::pgasim PROPERTY INTERFACE_LINK_LIBRARIES
                 "$<$<NOT:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>>:${_pgasim_lib}/libpgasim.so>")
  endif()
endif()
