# SPDX-License-Identifier: BSD-3-Clause
# The kernels of examples/rae against sequential programs.
set(rae_kernels python3 ${CMAKE_CURRENT_LIST_DIR}/kernels.py)
add_test(NAME rae.graph COMMAND ${rae_kernels} graph)
if(NOT CMAKE_CROSSCOMPILING)
  add_test(NAME rae.local COMMAND ${rae_kernels} local ${CMAKE_C_COMPILER})
endif()
if(TARGET pgasim_command AND NOT CMAKE_CROSSCOMPILING)
  add_test(NAME rae.shmem COMMAND ${rae_kernels} shmem $<TARGET_FILE:pgasim_command>)
  add_test(NAME rae.cores COMMAND ${rae_kernels} cores $<TARGET_FILE:pgasim_command>)
  add_test(NAME rae.figures_run
    COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/drawing.py $<TARGET_FILE:pgasim_command>)
  set_tests_properties(rae.cores rae.figures_run PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
endif()
add_test(NAME rae.figures COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/drawing.py)
