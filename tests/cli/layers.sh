#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# check_layers.py finds each kind of wrong include, and nothing in a tree without any.
. "$(dirname "$0")/lib.sh"

write() { # FILE INCLUDE...
    mkdir -p "$(dirname "tree/src/$1")"
    local file=tree/src/$1
    shift
    for i in "$@"; do echo "#include $i"; done >"$file"
}
check() { python3 "$top/tools/check_layers.py" tree; }

write base/base.h '<stdio.h>'
write engine/engine.h '"base/base.h"'
write engine/inside.h '"engine/engine.h"'
write fluid/fluid.c '"engine/engine.h"' '"fluid/fluid.h"' '<string.h>'
write fold/job.c '"crt/program.h"' '<pgasim.h>'
write cli/run.c '"shmem/shmem_front.h"' '"engine/engine.h"'
expect 0 '^layers: 6 files, 0 wrong$' check

write engine/up.c '"fluid/fluid.h"'
expect 1 '^src/engine/up.c:1: engine/ is not above fluid/$' check
write engine/up.c '"base/base.h"' '"cli/cli.h"'
expect 1 '^src/engine/up.c:2: engine/ is not above cli/$' check
rm tree/src/engine/up.c
write fluid/private.c '"engine/inside.h"'
expect 1 '^src/fluid/private.c:1: engine/inside.h is private to engine/$' check
write fluid/private.c '"inside.h"'
expect 1 'is included as "module/name"' check
rm tree/src/fluid/private.c
write rma/public.c '<shmem.h>'
expect 1 '^src/rma/public.c:1: shmem.h is for applications' check
rm tree/src/rma/public.c
write mpi/sibling.c '"shmem/shmem_front.h"'
expect 1 'mpi/ is not above shmem/' check
rm -r tree/src/mpi
write stray/stray.c
expect 1 'src/stray: no module of this name' check
finish
