#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Sanitizers that cannot be used, or not in that way, are refused with what to do. --jobs has no effect.
. "$(dirname "$0")/lib.sh"
needs -fsanitize=address
needs -fsanitize=thread
pgasim cc -g -O1 -fsanitize=address -o plain "$folder/plain.c" || fail "plain.c does not compile"
pgasim cc -g -O1 -o threads "$folder/plain.c" -Wl,--no-as-needed -ltsan || fail "plain.c does not compile"
expect 2 "threads: linked with ThreadSanitizer's run time, .*: link with .pgasim cc" pgasim run -np 2 ./threads
expect 5 "linked with ThreadSanitizer's run time" pgasim info ./threads
{ echo 'void __asan_init(void) {}' && cat "$folder/plain.c"; } >inside.c
pgasim cc -g -o inside inside.c || fail "inside.c does not compile"
expect 2 "inside: contains AddressSanitizer's run time, .*-shared-libasan" pgasim run -np 2 ./inside
expect 0 '--jobs has no effect, .*: its memory is checked' pgasim run -np 2 --jobs 2 ./plain
expect 0 'each rank gets a stack of its own' pgasim run -np 2 --set fold/stacks=shared ./plain
pgasim cc -g -O1 -fsanitize=address -o views "$folder/../run/programs/views.c" || fail "views.c does not compile"
expect 2 'pgasim_view_make of rank 0: views need a program and a pgasim without sanitizers' pgasim run -np 1 ./views all
if command -v valgrind >/dev/null; then
    expect 2 'built with AddressSanitizer, which does not work under Valgrind' \
        pgasim run --wrapper 'valgrind -q' -np 2 ./plain
fi
finish
