# SPDX-License-Identifier: BSD-3-Clause
# The benchmark of runtime/calibrate: its numbers without an MPI, and on a platform whose constants are known.
add_executable(test_calibrate_measure ${CMAKE_CURRENT_LIST_DIR}/measure.c ${CMAKE_SOURCE_DIR}/runtime/calibrate/measure.c)
target_include_directories(test_calibrate_measure PRIVATE ${CMAKE_SOURCE_DIR}/runtime)
target_link_libraries(test_calibrate_measure PRIVATE ${PGASIM_CMOCKA} m)
add_test(NAME unit.calibrate.measure COMMAND ${PGASIM_EMULATOR} $<TARGET_FILE:test_calibrate_measure>)
if(TARGET pgasim_command AND NOT CMAKE_CROSSCOMPILING AND NOT PGASIM_SANITIZE)
  add_test(NAME calibrate.known COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/known.py ${CMAKE_BINARY_DIR})
  add_test(NAME calibrate.real COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/real.sh ${CMAKE_BINARY_DIR})
  set_tests_properties(calibrate.known calibrate.real PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77)
endif()
