# SPDX-License-Identifier: BSD-3-Clause
# The report's page in a browser: Debian's chromium, driven by playwright-core, which npm fetches into the
# build folder.
if(TARGET pgasim_command AND PGASIM_REPORT AND PGASIM_NODE AND NOT CMAKE_CROSSCOMPILING)
  set(into ${CMAKE_BINARY_DIR}/report-test)
  pgasim_npm(fetched ${CMAKE_SOURCE_DIR}/tests/report ${into})
  add_custom_command(
    OUTPUT ${into}/page.mjs
    DEPENDS ${fetched} ${CMAKE_SOURCE_DIR}/tests/report/page.mjs ${CMAKE_SOURCE_DIR}/tests/report/sample.mjs
    COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/tests/report/page.mjs
            ${CMAKE_SOURCE_DIR}/tests/report/sample.mjs ${into}
    VERBATIM)
  add_custom_target(report_test ALL DEPENDS ${into}/page.mjs)
  add_test(NAME report.page COMMAND bash ${CMAKE_SOURCE_DIR}/tests/report/page.sh ${CMAKE_BINARY_DIR} ${PGASIM_NODE})
  set_tests_properties(report.page PROPERTIES TIMEOUT 300)
endif()
