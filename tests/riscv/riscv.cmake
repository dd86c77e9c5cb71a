# SPDX-License-Identifier: BSD-3-Clause
# Whole programs on simulated cores; skipped without the cross compilers.
if(TARGET pgasim_command)
  add_test(NAME riscv.run COMMAND bash ${CMAKE_SOURCE_DIR}/tests/riscv/run/run.sh ${CMAKE_BINARY_DIR})
  set_tests_properties(riscv.run PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
endif()
