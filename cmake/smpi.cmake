# SPDX-License-Identifier: BSD-3-Clause
# SMPI, which tests compare with. PGASIM_SMPI: smpicc and smpirun are here, and this build's figures can be compared.
find_program(PGASIM_SMPICC smpicc)
find_program(PGASIM_SMPIRUN smpirun)
set(PGASIM_SMPI OFF)
if(PGASIM_SMPICC AND PGASIM_SMPIRUN AND NOT PGASIM_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  set(PGASIM_SMPI ON)
endif()

# Compiles tests/oracle/ sources by smpicc into bin/oracle_NAME_smpi, whose path is put into OUT.
#   pgasim_smpi_program(OUT NAME SOURCE... [DEPENDS HEADER...] [OPTIONS WORD...])
function(pgasim_smpi_program out name)
  cmake_parse_arguments(PARSE_ARGV 2 its "" "" "DEPENDS;OPTIONS")
  set(program ${CMAKE_BINARY_DIR}/bin/oracle_${name}_smpi)
  list(TRANSFORM its_UNPARSED_ARGUMENTS PREPEND ${CMAKE_SOURCE_DIR}/tests/oracle/)
  list(TRANSFORM its_DEPENDS PREPEND ${CMAKE_SOURCE_DIR}/tests/oracle/)
  add_custom_command(OUTPUT ${program} DEPENDS ${its_UNPARSED_ARGUMENTS} ${its_DEPENDS}
                     COMMAND ${PGASIM_SMPICC} -O1 ${its_OPTIONS} -o ${program} ${its_UNPARSED_ARGUMENTS} VERBATIM)
  add_custom_target(oracle_${name}_smpi ALL DEPENDS ${program})
  set(${out} ${program} PARENT_SCOPE)
endfunction()
