# SPDX-License-Identifier: BSD-3-Clause
# OTF2's headers make the writer and the reader of OTF2 traces; the library itself is loaded by the first trace that wants
# it, under the name that it has for programs (docs/decisions/0002-dependencies.md). Without them --trace
# FILE.otf2 says what is missing.
find_path(PGASIM_OTF2_HEADER otf2/otf2.h)
find_library(PGASIM_OTF2_LIBRARY NAMES open-trace-format2 otf2)
set(PGASIM_OTF2_DEFINITIONS "")
if(PGASIM_OTF2_HEADER AND PGASIM_OTF2_LIBRARY MATCHES "\\.so$")
  get_filename_component(otf2 ${PGASIM_OTF2_LIBRARY} REALPATH)
  get_filename_component(otf2 ${otf2} NAME)
  string(REGEX REPLACE "(\\.so\\.[0-9]+).*" "\\1" otf2 ${otf2})
  set(PGASIM_OTF2_LEFT_OUT "/otf2_absent\\.c$|/otf2/absent\\.c$")
  set(PGASIM_OTF2_DEFINITIONS PGASIM_OTF2="${otf2}")
else()
  message(STATUS "OTF2 was not found: no OTF2 traces")
  set(PGASIM_OTF2_LEFT_OUT "/otf2(_archive|_definitions)?\\.c$|/otf2/(archive|library|definitions|events|queue|collectives|write|write_definitions)\\.c$")
endif()
