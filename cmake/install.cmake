# SPDX-License-Identifier: BSD-3-Clause
# `make install PREFIX=`. The library folder is always lib/: the command and the programs find it relative to
# themselves, wherever the tree is moved. The wrappers stay out of bin/, where another OpenSHMEM's may be.
install(TARGETS pgasim_command RUNTIME DESTINATION bin)
install(TARGETS pgasim mpi_abi LIBRARY DESTINATION lib)
install(TARGETS sat ARCHIVE DESTINATION lib)
# gdb looks for the extension beside the library, if its folder is in the auto-load safe-path.
install(FILES ${CMAKE_SOURCE_DIR}/src/debugger/libpgasim.so-gdb.py DESTINATION lib)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/src/debugger/pgasim_debugger DESTINATION lib/pgasim/debugger
        FILES_MATCHING PATTERN "*.py")
install(FILES ${PGASIM_CRT} DESTINATION lib/pgasim)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/ DESTINATION include FILES_MATCHING PATTERN "*.h")
install(CODE "
  set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/pgasim/wrappers\")
  file(MAKE_DIRECTORY \"\${folder}\")
  foreach(w ${PGASIM_WRAPPERS})
    message(STATUS \"Installing: \${folder}/\${w}\")
    file(CREATE_LINK ../../../bin/pgasim \"\${folder}/\${w}\" SYMBOLIC)
  endforeach()")
foreach(folder cmake pkgconfig pgasim/pkgconfig)
  install(DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${folder} DESTINATION lib/${folder}/..)
endforeach()
foreach(other shmem mpi)
  install(CODE "
    set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/pgasim/${other}\")
    message(STATUS \"Installing: \${folder}\")
    file(MAKE_DIRECTORY \"\${folder}/lib\")
    file(CREATE_LINK ../wrappers \"\${folder}/bin\" SYMBOLIC)
    file(CREATE_LINK ../../../include \"\${folder}/include\" SYMBOLIC)
    foreach(name ${PGASIM_OTHER_NAMES_${other}})
      file(CREATE_LINK ../../../libpgasim.so \"\${folder}/lib/lib\${name}.so\" SYMBOLIC)
    endforeach()")
endforeach()
# Code for RISC-V, which `pgasim riscv-cc` compiles or assembles with each program.
file(GLOB PGASIM_RISCV CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/runtime/riscv/*.s ${CMAKE_SOURCE_DIR}/runtime/riscv/*.c
     ${CMAKE_SOURCE_DIR}/runtime/riscv/*.cpp)
install(FILES ${PGASIM_RISCV} DESTINATION share/pgasim/riscv)
# The recorder, which the user's mpicc or oshcc compiles, with what it needs of pgasim's own sources.
file(GLOB PGASIM_RECORD CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/runtime/record/*.[ch])
file(GLOB PGASIM_RECORD_WORDS CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/record/*.[ch] ${CMAKE_SOURCE_DIR}/src/record/*.def)
install(FILES ${PGASIM_RECORD} DESTINATION share/pgasim/record)
foreach(api mpi shmem)
  file(GLOB PGASIM_RECORD_API CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/runtime/record/${api}/*.[ch])
  install(FILES ${PGASIM_RECORD_API} DESTINATION share/pgasim/record/${api})
endforeach()
install(PROGRAMS ${CMAKE_SOURCE_DIR}/runtime/record/record.sh DESTINATION share/pgasim/record)
install(FILES ${PGASIM_RECORD_WORDS} DESTINATION share/pgasim/record/record)
install(FILES ${CMAKE_SOURCE_DIR}/src/base/base.h DESTINATION share/pgasim/record/base)
# The benchmark of an MPI, which the user's mpicc compiles.
file(GLOB PGASIM_CALIBRATE CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/runtime/calibrate/*.[ch])
install(FILES ${PGASIM_CALIBRATE} DESTINATION share/pgasim/calibrate)
file(GLOB PGASIM_PLAY CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/runtime/calibrate/play/*.[ch])
install(FILES ${PGASIM_PLAY} DESTINATION share/pgasim/calibrate/play)
install(PROGRAMS ${CMAKE_SOURCE_DIR}/runtime/calibrate/build.sh DESTINATION share/pgasim/calibrate)
# The kernels that `pgasim riscv figures` compiles and runs, and the program that draws.
install(DIRECTORY ${CMAKE_SOURCE_DIR}/examples/rae DESTINATION share/pgasim PATTERN __pycache__ EXCLUDE)
# Platforms that --platform knows by their names.
install(DIRECTORY ${CMAKE_SOURCE_DIR}/platforms DESTINATION share/pgasim)
file(GLOB PGASIM_MAN CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/man/*.1)
install(FILES ${PGASIM_MAN} DESTINATION share/man/man1)
install(FILES ${CMAKE_SOURCE_DIR}/docs/man/sat.7 DESTINATION share/man/man7)
install(FILES ${CMAKE_SOURCE_DIR}/tools/completion/pgasim.bash DESTINATION share/bash-completion/completions
        RENAME pgasim)
install(FILES ${CMAKE_SOURCE_DIR}/tools/completion/_pgasim DESTINATION share/zsh/site-functions)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION share/doc/pgasim)
