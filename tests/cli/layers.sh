#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# check_layers.py finds each kind of wrong include and use of a symbol, and knots, and nothing else.
. "$(dirname "$0")/lib.sh"

write() { # FILE INCLUDE...
    mkdir -p "$(dirname "tree/src/$1")"
    local file=tree/src/$1
    shift
    for i in "$@"; do echo "#include $i"; done >"$file"
}
check() { python3 "$top/tools/check_layers.py" --root tree; }

write base/base.h '<stdio.h>'
write engine/engine.h '"base/base.h"'
write engine/internal.h '"engine/engine.h"'
write fluid/fluid.c '"engine/engine.h"' '"fluid/fluid.h"' '<string.h>'
write fold/job.c '"crt/program.h"' '<pgasim.h>'
write cli/run.c '"shmem/shmem_front.h"' '"engine/engine.h"'
expect 0 '^layers: 6 files, 0 wrong$' check

write engine/up.c '"fluid/fluid.h"'
expect 1 '^src/engine/up.c:1: engine/ is not above fluid/$' check
write engine/up.c '"base/base.h"' '"cli/cli.h"'
expect 1 '^src/engine/up.c:2: engine/ is not above cli/$' check
rm tree/src/engine/up.c
write report/far.c '"trace/trace.h"' '"engine/engine.h"'
expect 1 '^src/report/far.c:2: engine/ is not among the modules that report/ sees$' check
rm tree/src/report/far.c
write fluid/private.c '"engine/internal.h"'
expect 1 '^src/fluid/private.c:1: engine/internal.h is private to engine/$' check
write fluid/private.c '"internal.h"'
expect 1 'is included as "module/name"' check
rm tree/src/fluid/private.c
write rma/public.c '<shmem.h>'
expect 1 '^src/rma/public.c:1: shmem.h is for applications' check
rm tree/src/rma/public.c
write mpi/sibling.c '"shmem/shmem_front.h"'
expect 1 'shmem/ is not among the modules that mpi/ sees' check
rm -r tree/src/mpi
write stray/stray.c
expect 1 'src/stray: no module of this name' check
rm -r tree/src/stray

# Rooms, on those of platform/.
write platform/platform.c '"platform/platform.h"' '"platform/internal.h"' '"platform/xml/xml.h"' \
    '"platform/names.h"'
write platform/xml/xml.c '"platform/xml/xml.h"' '"platform/xml/reader.h"' '"platform/model/model.h"' \
    '"platform/platform.h"' '"platform/internal.h"'
expect 0 '^layers: 8 files, 0 wrong$' check
write platform/xml/wrong.c '"platform/draw/draw.h"'
expect 1 '^src/platform/xml/wrong.c:1: platform/draw/ is not among the rooms that platform/xml/ sees$' check
write platform/xml/wrong.c '"platform/zone/star.h"'
expect 1 '^src/platform/xml/wrong.c:1: platform/zone/star.h is private to platform/zone/$' check
write platform/xml/wrong.c '"platform/names.h"'
expect 1 '^src/platform/xml/wrong.c:1: platform/names.h is private to the files beside it' check
rm tree/src/platform/xml/wrong.c
write platform/wrong.c '"platform/xml/reader.h"'
expect 1 '^src/platform/wrong.c:1: platform/xml/reader.h is private to platform/xml/$' check
rm tree/src/platform/wrong.c
write fabric/room.c '"platform/xml/xml.h"'
expect 1 '^src/fabric/room.c:1: platform/xml/xml.h is private to platform/$' check
rm tree/src/fabric/room.c
write platform/attic/attic.c
expect 1 '^src/platform/attic: no room of this name' check
rm -r tree/src tree

# Symbols: what objects use, though no include says so. `code` also compiles.
code() { # FILE TEXT
    mkdir -p "$(dirname "tree/src/$1")"
    printf '%s\n' "$2" >"tree/src/$1"
    compiled "$1"
}
compiled() { # FILE
    local object=tree/build/CMakeFiles/m_${1%%/*}.dir/src/$1.o
    [[ $1 == *.c ]] || return 0
    mkdir -p "$(dirname "$object")"
    ${CC:-cc} -O2 -Itree/src -c "tree/src/$1" -o "$object" || fail "cc $1"
}
symbols() { python3 "$top/tools/check_layers.py" --root tree tree/build "$@"; }

mkdir -p tree/src tree/build
expect 2 'has no objects of src/' symbols
code engine/engine.h 'int engine_now(void);'
code engine/engine.c 'int engine_now(void) { return 1; } int engine_private(void) { return 2; }'
code fluid/fluid.c '#include "engine/engine.h"
int fluid_settle(void) { return engine_now(); }'
expect 0 '^layers: 3 files, 2 objects, 0 wrong$' symbols
code engine/up.c 'extern int fluid_settle(void); int engine_up(void) { return fluid_settle(); }'
expect 1 '^src/engine/up.c: uses fluid_settle of src/fluid/fluid.c: engine/ is not above fluid/$' symbols
rm tree/src/engine/up.c # its object stays, and counts no more
expect 0 '^layers: 3 files, 2 objects, 0 wrong$' symbols
code report/far.c 'extern int engine_now(void); int report_far(void) { return engine_now(); }'
expect 1 'src/engine/engine.c: engine/ is not among the modules that report/ sees$' symbols
rm tree/src/report/far.c
code fluid/private.c 'extern int engine_private(void); int fluid_private(void) { return engine_private(); }'
expect 1 '^src/fluid/private.c: uses engine_private of src/engine/engine.c: private to engine/$' symbols
rm tree/src/fluid/private.c

code platform/zone/zone.h 'int zone_seal(void);'
code platform/zone/full.c 'int zone_seal(void) { return 1; } int zone_inner(void) { return 2; }'
code platform/xml/xml.c '#include "platform/zone/zone.h"
int xml_read(void) { return zone_seal(); }'
expect 0 '^layers: 6 files, 4 objects, 0 wrong$' symbols
code platform/zone/up.c 'extern int xml_read(void); int zone_up(void) { return xml_read(); }'
expect 1 'uses xml_read of .*: platform/xml/ is not among the rooms that platform/zone/ sees$' symbols
rm tree/src/platform/zone/up.c
code platform/xml/inner.c 'extern int zone_inner(void); int xml_inner(void) { return zone_inner(); }'
expect 1 '^src/platform/xml/inner.c: uses zone_inner of .*: private to platform/zone/$' symbols
rm -r tree/src/platform

# Knots: a ring of 8 objects is allowed, one of 9 is not; it is cut where one symbol holds it.
ring() { # OBJECTS: each uses two functions of the next, the last one only one of the first
    local k next
    rm -f tree/src/fluid/ring*
    for ((k = 0; k < $1; k++)); do
        next=$(((k + 1) % $1))
        code "fluid/ring$k.c" "int a$next(void); int b$next(void);
            int a$k(void) { return a$next(); } int b$k(void) { return $((k + 1 < $1)) ? b$next() : 0; }"
    done
}
ring 8
expect 0 '^layers: 11 files, 10 objects, 0 wrong$' symbols
ring 9
expect 1 '^src/fluid: a knot of 9 objects, more than 8: fluid/ring0.c .* fluid/ring8.c$' symbols
grep -qx '    cut src/fluid/ring8.c -> src/fluid/ring0.c: a0' out || fail "no cheapest cut: $(cat out)"
[ "$(grep -c '    cut ' out)" -eq 1 ] || fail "one cut is enough: $(cat out)"
# What needs the knot is not in it.
code fluid/chord.c 'int a4(void); int a0(void); int chord(void) { return a4() + a0(); }'
expect 1 'a knot of 9 objects' symbols
expect 0 '^| fluid | 11 | 9 | 11 |' symbols --report
expect 0 '^| engine | 1 | 1 | 2 |' symbols --report

# A module may have a larger knot where the table says so.
patched() { # PYTHON: a change of the tables
    python3 -c "import sys; sys.path.insert(0, '$top/tools'); sys.argv[1:] = ['--root', 'tree', 'tree/build']
from layers import house
import check_layers
$1
sys.exit(check_layers.main())"
}
expect 0 '^layers: 13 files, 12 objects, 0 wrong$' patched 'house.KNOTS["fluid"] = 9'
expect 1 'a knot of 9 objects, more than 8' patched 'house.KNOTS["fluid"] = 8'

# The tables themselves: nobody sees what stands behind it.
expect 1 '^tools/layers/house.py: engine/ is to see cli/, which does not stand before it$' \
    patched 'house.KNOTS["fluid"] = 9; house.SEES["engine"] += " cli"'
expect 1 '^tools/layers/house.py: platform/model/ is to see draw/, which does not stand before it$' \
    patched 'house.KNOTS["fluid"] = 9; house.ROOMS["platform"]["model"] = "draw"'

# The report's functions: two, of 3 and 5 lines.
rm -r tree/src/fluid
code fluid/two.c 'int two(int a);
struct two {
    int a;
};
int two(int a)
{
    return a;
}
int three(int a);
int three(int a)
{
    if (a)
        return 1;
    return 2;
}'
expect 0 '^| fluid | 1 | 1 | 1 | 15 | 15 | 15 | 2 | 5 | 5 | 5 | 0 |$' symbols --report
finish
