# SPDX-License-Identifier: BSD-3-Clause
# Which module's code lies where in libpgasim, for --self-profile. The linker puts the objects' sections in
# the order in which it is given the objects. So an object with marks, one in each section that the compiler
# puts code into, stands before the first module's objects and behind each module's, and the code of module k
# is what lies between mark k and mark k + 1. Sets pgasim_objects.
set(sections text text.unlikely text.startup text.exit text.hot)
set(folder ${CMAKE_BINARY_DIR}/layers)

function(pgasim_mark k)
  set(marks "")
  foreach(s ${sections})
    string(REPLACE "." "_" name ${s})
    string(APPEND marks "__asm__(\".pushsection .${s},\\\"ax\\\",%progbits\\n.balign 16\\n.globl pgasim_mark_${k}_${name}\\n\"\n"
           "        \".hidden pgasim_mark_${k}_${name}\\npgasim_mark_${k}_${name}:\\n.balign 16, 0xcc\\n.long 0\\n.popsection\\n\");\n")
  endforeach()
  file(CONFIGURE OUTPUT ${folder}/mark_${k}.c CONTENT "${marks}" @ONLY)
  add_library(mark_${k} OBJECT ${folder}/mark_${k}.c)
  target_compile_options(mark_${k} PRIVATE -fno-lto -fno-sanitize=all)
endfunction()

set(declared "")
set(ranges "")
set(k 0)
pgasim_mark(0)
set(pgasim_objects $<TARGET_OBJECTS:mark_0>)
foreach(m ${PGASIM_LAYERS})
  math(EXPR next "${k} + 1")
  pgasim_mark(${next})
  list(APPEND pgasim_objects $<TARGET_OBJECTS:m_${m}> $<TARGET_OBJECTS:mark_${next}>)
  foreach(s ${sections})
    string(REPLACE "." "_" name ${s})
    string(APPEND declared "MARK pgasim_mark_${k}_${name}[];\n")
    string(APPEND ranges "    {\"${m}\", pgasim_mark_${k}_${name}, pgasim_mark_${next}_${name}},\n")
  endforeach()
  set(k ${next})
endforeach()
foreach(s ${sections})
  string(REPLACE "." "_" name ${s})
  string(APPEND declared "MARK pgasim_mark_${k}_${name}[];\n")
endforeach()
file(CONFIGURE OUTPUT ${folder}/ranges.c @ONLY CONTENT "#include \"base/layer.h\"
#define MARK extern const char __attribute__((visibility(\"hidden\")))
@declared@extern const struct base_layer_range base_layer_ranges[] __attribute__((visibility(\"hidden\")));
const struct base_layer_range base_layer_ranges[] = {
@ranges@    {0, 0, 0}};
")
add_library(layer_ranges OBJECT ${folder}/ranges.c)
target_include_directories(layer_ranges PRIVATE ${CMAKE_SOURCE_DIR}/src)
list(APPEND pgasim_objects $<TARGET_OBJECTS:layer_ranges>)
