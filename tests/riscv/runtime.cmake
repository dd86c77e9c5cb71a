# SPDX-License-Identifier: BSD-3-Clause
# Programs with the runtime of <xbgas_rt.h>, where the cross compiler and picolibc are installed.
find_program(PGASIM_RISCV_GCC riscv64-unknown-elf-gcc)
if(TARGET pgasim_command AND PGASIM_RISCV_GCC)
  add_test(NAME riscv.runtime COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/runtime.sh ${CMAKE_BINARY_DIR})
  set_tests_properties(riscv.runtime PROPERTIES TIMEOUT 300)
  add_test(NAME riscv.host COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/host.sh ${CMAKE_BINARY_DIR})
  set_tests_properties(riscv.host PROPERTIES TIMEOUT 100 SKIP_RETURN_CODE 77)
  add_test(NAME riscv.replay COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/replay.sh ${CMAKE_BINARY_DIR})
  set_tests_properties(riscv.replay PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
endif()
