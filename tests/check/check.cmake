# SPDX-License-Identifier: BSD-3-Clause
# Some of the programs that a race detector must and must not complain of; tests/check/README.md says how to run
# all.
if(TARGET pgasim_command AND NOT PGASIM_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  set(corpus ${PGASIM_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/corpus/run.py --build ${CMAKE_BINARY_DIR})
  set(random ${PGASIM_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/random/run.py --build ${CMAKE_BINARY_DIR})
  add_test(NAME check.corpus COMMAND ${corpus} --compilers gcc --opt O0,O2 --sample 60 --seed 1 --jobs 1)
  add_test(NAME check.random COMMAND ${random} --programs 20 --jobs 1)
  add_test(NAME check.spoiled COMMAND ${random} --programs 20 --spoil --jobs 1)
  set_tests_properties(check.corpus check.random check.spoiled PROPERTIES TIMEOUT 600)
endif()
