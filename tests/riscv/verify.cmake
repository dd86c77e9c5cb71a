# SPDX-License-Identifier: BSD-3-Clause
# RISC-V cores beside qemu: random instruction sequences. Skipped where qemu-riscv64 is not installed.
if(TARGET m_riscv AND NOT CMAKE_CROSSCOMPILING)
  add_executable(riscv_alone ${CMAKE_CURRENT_LIST_DIR}/suites/alone.c)
  target_include_directories(riscv_alone PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(riscv_alone PRIVATE m_riscv)
  find_program(PGASIM_PYTHON python3 REQUIRED)
  add_test(NAME riscv.differential COMMAND ${PGASIM_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/differential/run.py
           --ours $<TARGET_FILE:riscv_alone> --programs 6)
  set_tests_properties(riscv.differential PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
endif()
