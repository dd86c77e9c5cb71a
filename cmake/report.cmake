# SPDX-License-Identifier: BSD-3-Clause
# The page of `pgasim report`: npm fetches the packages that src/report/page/package-lock.json names into the
# build folder, and node bundles the page there, before it becomes a part of libpgasim. Packages are fetched
# again only when the lock file changed, so that a build without network works once it has them.
option(PGASIM_REPORT "The page of `pgasim report`; needs node and npm while building" ON)

# Where nothing else is said: the folder of a test's packages. Sets ${out} to a file that stands for them.
function(pgasim_npm out folder into)
  set(${out} ${into}/node_modules/.fetched PARENT_SCOPE)
  add_custom_command(
    OUTPUT ${into}/node_modules/.fetched
    DEPENDS ${folder}/package.json ${folder}/package-lock.json
    COMMAND ${CMAKE_COMMAND} -E make_directory ${into}
    COMMAND ${CMAKE_COMMAND} -E copy ${folder}/package.json ${folder}/package-lock.json ${into}
    COMMAND ${CMAKE_COMMAND} -E chdir ${into} ${PGASIM_NPM} ci --ignore-scripts --no-audit --no-fund --prefer-offline
            --loglevel=error
    COMMAND ${CMAKE_COMMAND} -E touch ${into}/node_modules/.fetched
    COMMENT "npm: packages of ${folder}" VERBATIM)
endfunction()

if(NOT PGASIM_REPORT OR NOT TARGET m_report)
  return()
endif()
find_program(PGASIM_NODE NAMES node nodejs)
find_program(PGASIM_NPM npm)
if(NOT PGASIM_NODE OR NOT PGASIM_NPM)
  message(FATAL_ERROR "node and npm were not found: the page of `pgasim report` is made with them. Install them (make "
                      "setup), or configure with -DPGASIM_REPORT=OFF.")
endif()
execute_process(COMMAND ${PGASIM_NODE} --version OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
string(REGEX REPLACE "^v" "" version "${version}")
if(version VERSION_LESS 18)
  message(FATAL_ERROR "${PGASIM_NODE} is version ${version}; the page of `pgasim report` needs 18 or later, or configure "
                      "with -DPGASIM_REPORT=OFF.")
endif()

set(from ${CMAKE_SOURCE_DIR}/src/report/page)
set(into ${CMAKE_BINARY_DIR}/report-page)
set(PGASIM_REPORT_PAGE ${into}/page.html)
pgasim_npm(fetched ${from} ${into})
file(GLOB sources CONFIGURE_DEPENDS ${from}/*.js ${from}/*.mjs ${from}/*.css ${from}/*.html)
add_custom_command(
  OUTPUT ${PGASIM_REPORT_PAGE}
  DEPENDS ${fetched} ${sources}
  COMMAND ${CMAKE_COMMAND} -E copy ${sources} ${into}
  COMMAND ${CMAKE_COMMAND} -E chdir ${into} ${PGASIM_NODE} build.mjs page.html
  COMMENT "The page of pgasim report" VERBATIM)
set_source_files_properties(
  ${CMAKE_SOURCE_DIR}/src/report/page_template.c
  PROPERTIES OBJECT_DEPENDS ${PGASIM_REPORT_PAGE} COMPILE_DEFINITIONS "PGASIM_REPORT_PAGE=\"${PGASIM_REPORT_PAGE}\"")
