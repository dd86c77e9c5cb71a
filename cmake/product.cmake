# SPDX-License-Identifier: BSD-3-Clause
# What is installed: libpgasim.so (every module in one), the pgasim command, the start-up object that programs
# are linked with, the compiler wrappers. The build folder has the layout of an installation: bin/, lib/,
# include/.
add_custom_target(product ALL)

add_library(pgasim_crt OBJECT ${CMAKE_SOURCE_DIR}/src/crt/pgasim_crt.c)
target_include_directories(pgasim_crt PRIVATE ${CMAKE_SOURCE_DIR}/src)
target_compile_options(pgasim_crt PRIVATE -fno-lto -fno-sanitize=all)
set(PGASIM_CRT ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/pgasim/pgasim_crt.o)
add_custom_command(OUTPUT ${PGASIM_CRT} DEPENDS pgasim_crt $<TARGET_OBJECTS:pgasim_crt>
                   COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_OBJECTS:pgasim_crt> ${PGASIM_CRT} VERBATIM)
add_custom_target(pgasim_crt_file DEPENDS ${PGASIM_CRT})
add_dependencies(product pgasim_crt_file)

set(PGASIM_WRAPPERS oshcc oshc++ oshcxx oshCC oshfort oshrun mpicc mpicc_abi mpicxx mpic++ mpiCC mpifort mpif77 mpif90 mpiexec mpirun xbgas-cc)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/bin/wrappers)
foreach(w ${PGASIM_WRAPPERS})
  file(CREATE_LINK ../pgasim ${CMAKE_BINARY_DIR}/bin/wrappers/${w} SYMBOLIC)
endforeach()
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/lib/pgasim)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/src/debugger ${CMAKE_BINARY_DIR}/lib/pgasim/debugger SYMBOLIC)
file(CREATE_LINK pgasim/debugger/libpgasim.so-gdb.py ${CMAKE_BINARY_DIR}/lib/libpgasim.so-gdb.py SYMBOLIC)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/include ${CMAKE_BINARY_DIR}/include SYMBOLIC)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/pgasim)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/runtime/riscv ${CMAKE_BINARY_DIR}/share/pgasim/riscv SYMBOLIC)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/runtime/record ${CMAKE_BINARY_DIR}/share/pgasim/record SYMBOLIC)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/runtime/calibrate ${CMAKE_BINARY_DIR}/share/pgasim/calibrate SYMBOLIC)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/platforms ${CMAKE_BINARY_DIR}/share/pgasim/platforms SYMBOLIC)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/examples/rae ${CMAKE_BINARY_DIR}/share/pgasim/rae SYMBOLIC)
include(cmake/packages.cmake)

# libpgasim is complete only when every module is there; the tests of single modules need no more than theirs.
foreach(m ${PGASIM_LAYERS})
  if(NOT TARGET m_${m})
    message(STATUS "no sources in src/${m}: libpgasim is not built")
    return()
  endif()
endforeach()
include(cmake/layers.cmake)

add_library(pgasim SHARED ${pgasim_objects})
set_target_properties(pgasim PROPERTIES LINKER_LANGUAGE C)
target_link_libraries(pgasim PRIVATE ${PGASIM_LIBRARIES} m ${CMAKE_DL_LIBS})
# These give every function of OpenSHMEM and MPI its second name, for profiling (section 10; MPI-5.0 section 15.2).
target_link_options(pgasim PRIVATE ${CMAKE_SOURCE_DIR}/src/shmem/pshmem.ld ${CMAKE_SOURCE_DIR}/src/mpi/pmpi.ld ${CMAKE_SOURCE_DIR}/src/mpi/fortran/names.ld -Wl,--wrap=free -Wl,-Bsymbolic -Wl,-z,now -Wl,-z,relro -Wl,--as-needed)
if(NOT PGASIM_SANITIZE)
  target_link_options(pgasim PRIVATE -Wl,-z,defs)
  # free and its relatives for blocks of ranks' heaps; a sanitizer's library has its own
  target_link_options(pgasim PRIVATE ${CMAKE_SOURCE_DIR}/src/fold/heap/heap.ld)
endif()
include(cmake/abi.cmake)

add_executable(pgasim_command ${CMAKE_SOURCE_DIR}/src/cli/main.c)
target_include_directories(pgasim_command PRIVATE ${CMAKE_SOURCE_DIR}/src)
set_target_properties(pgasim_command PROPERTIES OUTPUT_NAME pgasim BUILD_RPATH "$ORIGIN/../lib"
                      BUILD_RPATH_USE_ORIGIN ON INSTALL_RPATH "$ORIGIN/../lib")
target_link_libraries(pgasim_command PRIVATE pgasim)
add_dependencies(product pgasim_command)

include(cmake/sdsm.cmake)
include(cmake/fortran.cmake)
include(cmake/install.cmake)
