# SPDX-License-Identifier: BSD-3-Clause
# RISC-V cores beside qemu: random instruction sequences and real programs. Skipped where qemu or the cross compilers
# are not installed.
if(TARGET m_riscv AND NOT CMAKE_CROSSCOMPILING)
  add_executable(riscv_alone ${CMAKE_CURRENT_LIST_DIR}/suites/alone.c)
  target_include_directories(riscv_alone PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(riscv_alone PRIVATE m_riscv)
  find_program(PGASIM_PYTHON python3 REQUIRED)
  set(sequences ${PGASIM_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/differential/run.py)
  add_test(NAME riscv.differential COMMAND ${sequences} --ours $<TARGET_FILE:riscv_alone> --programs 6)
  set(beside riscv.differential)
  if(TARGET pgasim_command)
    set(ours "$<TARGET_FILE:pgasim_command> riscv -q -np 1")
    add_test(NAME riscv.differential_command COMMAND ${sequences} --ours ${ours} --programs 2 --seed 100)
    add_test(NAME riscv.real COMMAND ${PGASIM_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/real/run.py --ours ${ours})
    list(APPEND beside riscv.differential_command riscv.real)
  endif()
  set_tests_properties(${beside} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
endif()
