# SPDX-License-Identifier: BSD-3-Clause
# End-to-end tests: each file of programs/ and cases/ is one test, built and run by driver.py.
if(TARGET pgasim_command)
  find_program(PGASIM_PYTHON python3 REQUIRED)
  set(PGASIM_REFERENCE "" CACHE PATH "Build tree whose results the end-to-end tests must reproduce")
  set(reference "")
  if(PGASIM_REFERENCE)
    set(reference --reference ${PGASIM_REFERENCE})
  endif()
  set(fortran_specs "")
  if(PGASIM_FORTRAN)
    set(fortran_specs ${CMAKE_CURRENT_LIST_DIR}/programs/*.f ${CMAKE_CURRENT_LIST_DIR}/programs/*.f90)
  endif()
  file(GLOB run_specs CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/programs/*.c
       ${CMAKE_CURRENT_LIST_DIR}/programs/*.cpp
       ${CMAKE_CURRENT_LIST_DIR}/programs/*/main.c ${fortran_specs} ${CMAKE_CURRENT_LIST_DIR}/cases/*.run)
  if(NOT PGASIM_FORTRAN)
    list(FILTER run_specs EXCLUDE REGEX "/example_heat_fortran\\.run$")
  endif()
  if(PGASIM_SANITIZE) # limits the address space, of which the sanitizer reserves terabytes
    list(FILTER run_specs EXCLUDE REGEX "/(memory_exhausted|shmem_heap_large)\\.c$")
    # it watches libc's blocks itself: ranks have no heaps of their own
    list(FILTER run_specs EXCLUDE REGEX "/heap_[a-z]+\\.(c|cpp)$|/mpi_check_mistakes\\.c$")
    foreach(spec ${run_specs}) # it has no callbacks for instrumented code
      file(STRINGS ${spec} instrumented REGEX "(CC|CXX|FORT) [^;]*--check")
      if(instrumented)
        list(REMOVE_ITEM run_specs ${spec})
      endif()
    endforeach()
    # it handles faults itself
    list(FILTER run_specs EXCLUDE REGEX "/(views|jia_[a-z]+)\\.c$")
    # it sees that libgfortran keeps the state of random_number
    list(FILTER run_specs EXCLUDE REGEX "/mpi_f_library\\.f90$")
    # it reports wild addresses itself, in its own memcpy
    list(FILTER run_specs EXCLUDE REGEX "/(crash_stack|local_buffers)\\.c$|/nasty_stack\\.run$")
  endif()
  set(shared --shared-stacks)
  if(PGASIM_SANITIZE) # knows no frames that are moved; each rank gets a stack of its own
    set(shared "")
  endif()
  foreach(spec ${run_specs})
    file(RELATIVE_PATH n ${CMAKE_CURRENT_LIST_DIR} ${spec})
    string(REGEX REPLACE "^(programs|cases)/|/main\\.c$|\\.(c|cpp|f|f90|run)$" "" n ${n})
    add_test(NAME run.${n} COMMAND ${PGASIM_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/driver.py --build
             ${CMAKE_BINARY_DIR}
             ${shared} ${reference} ${spec})
    set_tests_properties(run.${n} PROPERTIES TIMEOUT 300
                         ENVIRONMENT
                         "CC=${CMAKE_C_COMPILER};ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0")
  endforeach()
  if(NOT PGASIM_SANITIZE)
    add_test(NAME run.file_killed COMMAND ${PGASIM_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/file_killed.py ${CMAKE_BINARY_DIR})
    set_tests_properties(run.file_killed PROPERTIES TIMEOUT 200)
    add_test(NAME run.compare COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/compare.sh ${CMAKE_BINARY_DIR})
    add_test(NAME run.replayed COMMAND ${PGASIM_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/replayed.py --build
             ${CMAKE_BINARY_DIR} --at-least 600 ${run_specs})
    set_tests_properties(run.replayed PROPERTIES TIMEOUT 600)
    foreach(mpi openmpi mpich) # the S-DSM's programs on these libraries, where they are installed
      find_program(PGASIM_MPICC_${mpi} mpicc.${mpi})
      if(PGASIM_MPICC_${mpi})
        add_test(NAME run.real_${mpi} COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/real_mpi.sh ${mpi})
        set_tests_properties(run.real_${mpi} PROPERTIES TIMEOUT 300)
      endif()
    endforeach()
  endif()
endif()
