# SPDX-License-Identifier: BSD-3-Clause
# The test of archives in OTF2's form writes one itself, where the library is there.
if(TARGET test_replay_otf2 AND PGASIM_OTF2_DEFINITIONS)
  target_compile_definitions(test_replay_otf2 PRIVATE ${PGASIM_OTF2_DEFINITIONS})
  target_link_libraries(test_replay_otf2 PRIVATE ${PGASIM_OTF2_LIBRARY})
endif()
