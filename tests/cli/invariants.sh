#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# check_invariants.py finds numbers that are declared twice in a module and citations of undeclared ones.
. "$(dirname "$0")/lib.sh"

check() { python3 "$top/tools/check_invariants.py" tree; }
mkdir -p tree/src/base/room tree/src/engine
printf '/*\n * Invariants\n *  B1  Something.\n */\nBASE_ASSERT("B1", x);\n' >tree/src/base/base.h
printf '/*\n * Invariants\n *  B1  Another module has numbers of its own.\n */\n' >tree/src/engine/engine.h
expect 0 '^invariants: 0 wrong$' check
printf '/*\n *  B1  Something else.\n */\n' >tree/src/base/room/room.c
expect 1 '^base: B1 is declared 2 times: .*base.h:3, .*room.c:2$' check
printf 'BASE_ASSERT("B1: text", x);\n' >tree/src/base/room/room.c
expect 1 '^base: B1 is declared 2 times: .*base.h:3, .*room.c:1$' check
printf 'BASE_ASSERT("B2", x);\n' >tree/src/base/room/room.c
expect 1 '^base: B2 is cited but not declared: .*room.c:1$' check
printf 'BASE_ASSERT("B2: text", x);\n' >tree/src/base/room/room.c
expect 0 '^invariants: 0 wrong$' check
finish
