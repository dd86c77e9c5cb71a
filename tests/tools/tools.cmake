# SPDX-License-Identifier: BSD-3-Clause
# The generator of API files, on a sample of MPI that is compiled and run, and on lists with mistakes; what the end of
# .ci/run shows; the meter of benchmarks.
if(NOT CMAKE_CROSSCOMPILING)
  add_test(NAME tools.gen_api COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/gen_api.py ${CMAKE_C_COMPILER})
  set_tests_properties(tools.gen_api PROPERTIES TIMEOUT 120)
  add_test(NAME tools.failed COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/failed.sh)
  add_test(NAME tools.meter COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/meter.sh ${CMAKE_C_COMPILER})
  set_tests_properties(tools.meter PROPERTIES TIMEOUT 120)
endif()
if(TARGET pgasim_command AND NOT PGASIM_SANITIZE)
  add_test(NAME tools.packaging COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/packaging.sh ${CMAKE_BINARY_DIR})
endif()
