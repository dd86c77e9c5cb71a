# SPDX-License-Identifier: BSD-3-Clause
# libpgasim has every function of the list under both names, and no others of their kind.
if(TARGET pgasim)
  add_test(NAME shmem.exported
           COMMAND python3 ${CMAKE_SOURCE_DIR}/tools/gen_api.py --exported $<TARGET_FILE:pgasim>)
endif()
