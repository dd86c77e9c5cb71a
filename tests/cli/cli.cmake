# SPDX-License-Identifier: BSD-3-Clause
# Tests of the command as its user meets it: each script gets the build folder, and prints what went wrong.
if(TARGET pgasim_command)
  set(cli_tests help completion terminal info flows platform self_profile profile ranges outputs explore selectors tune replay replay_goal replay_jobs replay_extrapolate replay_formats replay_dumpi replay_loops replay_measured convert convert_comms convert_onesided sweep sweep_slurm validate validate_real riscv_cc)
  list(APPEND cli_tests replay_threads energy noise)
  list(APPEND cli_tests convert_actions convert_allprof convert_blocks convert_dumpi convert_pairs convert_share replay_files replay_larger replay_names replay_sources replay_spawn)
  if(NOT PGASIM_SANITIZE) # programs that start by themselves would begin the sanitizer's runtime too late
    list(APPEND cli_tests convert_otf2 replay_otf2 compilers build_systems mpi_wrappers mpi_launchers mpi_abi)
  endif()
  foreach(t IN LISTS cli_tests)
    add_test(NAME cli.${t} COMMAND bash ${CMAKE_SOURCE_DIR}/tests/cli/${t}.sh ${CMAKE_BINARY_DIR})
    set_tests_properties(cli.${t} PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
  endforeach()
endif()
add_test(NAME tools.layers COMMAND python3 ${CMAKE_SOURCE_DIR}/tools/check_layers.py ${CMAKE_BINARY_DIR})
add_test(NAME tools.check_layers COMMAND bash ${CMAKE_SOURCE_DIR}/tests/cli/layers.sh)
add_test(NAME tools.invariants COMMAND python3 ${CMAKE_SOURCE_DIR}/tools/check_invariants.py
         ${CMAKE_SOURCE_DIR})
add_test(NAME tools.check_invariants COMMAND bash ${CMAKE_SOURCE_DIR}/tests/cli/invariants.sh)
add_test(NAME tools.soak COMMAND bash ${CMAKE_SOURCE_DIR}/tests/cli/soak.sh)
set_tests_properties(tools.soak PROPERTIES TIMEOUT 120)
if(NOT PGASIM_SANITIZE AND NOT CMAKE_CROSSCOMPILING) # builds on its own
  add_test(NAME tools.mutants COMMAND bash ${CMAKE_SOURCE_DIR}/tests/cli/mutants.sh ${CMAKE_BINARY_DIR})
  set_tests_properties(tools.mutants PROPERTIES TIMEOUT 300)
endif()
