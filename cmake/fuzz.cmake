# SPDX-License-Identifier: BSD-3-Clause
# Each fuzz/<name>.c is a target with a test fuzz.<name>, linked with the module whose header it includes
# first, and its inputs are fuzz/corpus/<name>/. With PGASIM_FUZZ and clang it is a libFuzzer program (ninja
# fuzz builds them all) that the test runs for a few seconds; else the test replays the inputs and some
# damaged copies of them.

# The player of traces (runtime/calibrate/play) without its MPI: what reads.
add_library(play_parts STATIC EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/runtime/calibrate/play/trace.c
            ${CMAKE_SOURCE_DIR}/runtime/calibrate/play/actions.c
            ${CMAKE_SOURCE_DIR}/runtime/calibrate/play/group_actions.c ${CMAKE_SOURCE_DIR}/runtime/calibrate/play/numbers.c)
target_include_directories(play_parts PUBLIC ${CMAKE_SOURCE_DIR}/runtime/calibrate)
target_compile_definitions(play_parts PRIVATE _GNU_SOURCE PGASIM_LAYER="play")
target_link_libraries(play_parts PUBLIC m_record)

set(PGASIM_FUZZ_SECONDS 5 CACHE STRING "How long a fuzz test runs")
set(fuzzing OFF)
if(PGASIM_FUZZ AND CMAKE_C_COMPILER_ID MATCHES Clang)
  set(fuzzing ON)
  set(fuzz_options -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  foreach(m ${PGASIM_MODULES} sat_alone cluster_parts play_parts)
    target_compile_options(${m} PRIVATE -fsanitize=fuzzer-no-link ${fuzz_options})
  endforeach()
  # Jumps from each operation to each other one: with sanitizers, clang's optimizer takes a quarter of an hour
  # for the four interpreters in this file.
  set_source_files_properties(${CMAKE_SOURCE_DIR}/src/riscv/core/run.c PROPERTIES COMPILE_OPTIONS -O0)
  add_custom_target(fuzz)
elseif(PGASIM_FUZZ)
  message(STATUS "PGASIM_FUZZ needs clang: the inputs are only replayed")
endif()

file(GLOB fuzz_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/fuzz/*.c)
foreach(source ${fuzz_sources})
  get_filename_component(n ${source} NAME_WE)
  file(STRINGS ${source} include REGEX "^#include \"[a-z]+/" LIMIT_COUNT 1)
  string(REGEX REPLACE "^#include \"([a-z]+)/.*" "\\1" m "${include}")
  set(library m_${m})
  if(m STREQUAL "sdsm") # plain MPI code, compiled for tests without MPI
    set(library sat_alone)
  elseif(m STREQUAL "cluster") # tools/cluster
    set(library cluster_parts)
  elseif(m STREQUAL "play") # runtime/calibrate/play
    set(library play_parts)
  endif()
  if(NOT TARGET ${library})
    continue()
  endif()
  set(corpus ${CMAKE_SOURCE_DIR}/fuzz/corpus/${n})
  file(GLOB inputs CONFIGURE_DEPENDS ${corpus}/*)
  if(fuzzing)
    add_executable(fuzz_${n} ${source})
    target_compile_options(fuzz_${n} PRIVATE -fsanitize=fuzzer ${fuzz_options})
    target_link_options(fuzz_${n} PRIVATE -fsanitize=fuzzer ${fuzz_options})
    add_dependencies(fuzz fuzz_${n})
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/fuzz/${n})
    add_test(NAME fuzz.${n} COMMAND fuzz_${n} -max_total_time=${PGASIM_FUZZ_SECONDS} -timeout=10 -max_len=4096
             -artifact_prefix=${CMAKE_BINARY_DIR}/fuzz/ ${CMAKE_BINARY_DIR}/fuzz/${n} ${corpus})
  else()
    add_executable(fuzz_${n} ${source} ${CMAKE_SOURCE_DIR}/fuzz/replay/main.c)
    add_test(NAME fuzz.${n} COMMAND ${PGASIM_EMULATOR} $<TARGET_FILE:fuzz_${n}> 200 ${inputs})
  endif()
  target_include_directories(fuzz_${n} PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
  target_link_libraries(fuzz_${n} PRIVATE ${library} m_base)
endforeach()

# Hostile inputs for the whole command, a few of them; fuzz/campaign --help tells how to run many. A build for
# libFuzzer has no command.
if(TARGET pgasim_command AND NOT PGASIM_SANITIZE AND NOT fuzzing AND NOT CMAKE_CROSSCOMPILING)
  find_program(PGASIM_PYTHON python3 REQUIRED)
  add_test(NAME fuzz.campaign COMMAND ${PGASIM_PYTHON} ${CMAKE_SOURCE_DIR}/fuzz/campaign ${CMAKE_BINARY_DIR}
           --inputs 172 --seed 1)
  set_tests_properties(fuzz.campaign PROPERTIES TIMEOUT 300 ENVIRONMENT "CC=${CMAKE_C_COMPILER}")
endif()
