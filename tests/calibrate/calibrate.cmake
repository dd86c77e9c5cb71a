# SPDX-License-Identifier: BSD-3-Clause
# The benchmark of runtime/calibrate: its numbers without an MPI, and on a platform whose constants are known.
add_executable(test_calibrate_measure ${CMAKE_CURRENT_LIST_DIR}/measure.c ${CMAKE_SOURCE_DIR}/runtime/calibrate/measure.c)
target_include_directories(test_calibrate_measure PRIVATE ${CMAKE_SOURCE_DIR}/runtime)
target_link_libraries(test_calibrate_measure PRIVATE ${PGASIM_CMOCKA} m)
add_test(NAME unit.calibrate.measure COMMAND ${PGASIM_EMULATOR} $<TARGET_FILE:test_calibrate_measure>)
if(TARGET pgasim_command AND NOT CMAKE_CROSSCOMPILING)
  add_test(NAME calibrate.command COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/command.sh ${CMAKE_BINARY_DIR})
  set_tests_properties(calibrate.command PROPERTIES TIMEOUT 120)
endif()
if(TARGET pgasim_command AND NOT CMAKE_CROSSCOMPILING AND NOT PGASIM_SANITIZE)
  add_test(NAME calibrate.known COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/known.py ${CMAKE_BINARY_DIR})
  add_test(NAME calibrate.directions COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/directions.py ${CMAKE_BINARY_DIR})
  add_test(NAME calibrate.memory COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/memory.py ${CMAKE_BINARY_DIR})
  add_test(NAME calibrate.noise COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/noise.sh ${CMAKE_BINARY_DIR})
  add_test(NAME calibrate.real COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/real.sh ${CMAKE_BINARY_DIR})
  set_tests_properties(calibrate.known calibrate.directions calibrate.memory calibrate.noise calibrate.real PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77)
endif()
if(TARGET pgasim_command AND PGASIM_SMPI)
  add_test(NAME calibrate.smpi COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/smpi.sh ${CMAKE_BINARY_DIR})
  set_tests_properties(calibrate.smpi PROPERTIES TIMEOUT 300)
endif()
# The player of traces: its time against that of replays, and with real MPIs.
if(TARGET pgasim_command AND NOT CMAKE_CROSSCOMPILING AND NOT PGASIM_SANITIZE)
  set(programs ${CMAKE_SOURCE_DIR}/tests/run/programs)
  add_test(NAME calibrate.play
           COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/play.py --build ${CMAKE_BINARY_DIR} --at-least 30
                   ${CMAKE_CURRENT_LIST_DIR}/played.c ${programs}/mpi_matching.c ${programs}/mpi_comm_random.c
                   ${programs}/mpi_inter_random.c ${programs}/mpi_topo_cart.c ${programs}/mpi_check_buffers.c
                   ${programs}/mpi_group_random.c ${programs}/mpi_comm_inter.c)
  add_test(NAME calibrate.play_real COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/play_real.sh ${CMAKE_BINARY_DIR})
  set_tests_properties(calibrate.play calibrate.play_real PROPERTIES TIMEOUT 600 SKIP_RETURN_CODE 77)
endif()
