# SPDX-License-Identifier: BSD-3-Clause
# `make install PREFIX=`. The library folder is always lib/: the command and the programs find it relative to
# themselves, wherever the tree is moved. The wrappers stay out of bin/, where another OpenSHMEM's may be.
install(TARGETS pgasim_command RUNTIME DESTINATION bin)
install(TARGETS pgasim LIBRARY DESTINATION lib)
install(FILES ${PGASIM_CRT} DESTINATION lib/pgasim)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/ DESTINATION include FILES_MATCHING PATTERN "*.h")
install(CODE "
  set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/pgasim/wrappers\")
  file(MAKE_DIRECTORY \"\${folder}\")
  foreach(w oshcc oshc++ oshcxx oshCC oshrun)
    message(STATUS \"Installing: \${folder}/\${w}\")
    file(CREATE_LINK ../../../bin/pgasim \"\${folder}/\${w}\" SYMBOLIC)
  endforeach()")
file(GLOB PGASIM_MAN CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/man/*.1)
install(FILES ${PGASIM_MAN} DESTINATION share/man/man1)
install(FILES ${CMAKE_SOURCE_DIR}/tools/completion/pgasim.bash DESTINATION share/bash-completion/completions
        RENAME pgasim)
install(FILES ${CMAKE_SOURCE_DIR}/tools/completion/_pgasim DESTINATION share/zsh/site-functions)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION share/doc/pgasim)
