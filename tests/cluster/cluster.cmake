# SPDX-License-Identifier: BSD-3-Clause
# tools/cluster: its parts without a network, and small clusters where the kernel permits.
foreach(t wire parts)
  add_executable(test_cluster_${t} ${CMAKE_CURRENT_LIST_DIR}/test_${t}.c)
  target_link_libraries(test_cluster_${t} PRIVATE cluster_parts ${PGASIM_CMOCKA})
  add_test(NAME unit.cluster.${t} COMMAND ${PGASIM_EMULATOR} $<TARGET_FILE:test_cluster_${t}>)
endforeach()
# The agent is the tool itself, with a library preloaded that a sanitizer's run time does not want before itself.
if(NOT CMAKE_CROSSCOMPILING AND NOT PGASIM_SANITIZE)
  add_test(NAME cluster.run COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/run.sh ${CMAKE_BINARY_DIR})
  set_tests_properties(cluster.run PROPERTIES TIMEOUT 500 SKIP_RETURN_CODE 77)
endif()
