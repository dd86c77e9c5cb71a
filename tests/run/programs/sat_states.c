// SPDX-License-Identifier: BSD-3-Clause
// sat_states: the states that a client's copy goes through by each protocol, as the debug stream tells them where the
// home is asked and where a scope ends: of a first write, a read, a read after FREE, and a readwrite.
//
// build: $MPICC -O2 -g -Wall -Werror $SRC -o $EXE -lsat
// shell: $RUN --compute=off -np 2 $EXE --sat-debug | grep "^1 .*local state" | sed "s/^1 //; s/@0//"
// stdout: [Home-Based MESI] write chunk 1 local state 3 (invalid)
// stdout: [Home-Based MESI] release chunk 1 version 0 local state 1 (exclusive)
// stdout: [Home-Based MESI] release chunk 1 version 1 local state 2 (shared)
// stdout: [Home-Based MESI] read chunk 1 local state 3 (invalid)
// stdout: [Home-Based MESI] release chunk 1 version 1 local state 2 (shared)
// stdout: [Home-Based MESI] readwrite chunk 1 local state 2 (shared)
// stdout: [Home-Based MESI] release chunk 1 version 1 local state 1 (exclusive)
// stdout: [Home-Based Lazy MESI] write chunk 2 local state 3 (invalid)
// stdout: [Home-Based Lazy MESI] release chunk 2 version 0 local state 1 (exclusive)
// stdout: [Home-Based Lazy MESI] read chunk 2 local state 2 (shared)
// stdout: [Home-Based Lazy MESI] release chunk 2 version 1 local state 2 (shared)
// stdout: [Home-Based Lazy MESI] read chunk 2 local state 3 (invalid)
// stdout: [Home-Based Lazy MESI] release chunk 2 version 1 local state 2 (shared)
// stdout: [Home-Based Lazy MESI] readwrite chunk 2 local state 2 (shared)
// stdout: [Home-Based Lazy MESI] release chunk 2 version 1 local state 1 (exclusive)
// stdout: [Update] write chunk 3 local state 3 (invalid)
// stdout: [Update] release chunk 3 version 0 local state 1 (exclusive)
// stdout: [Update] read chunk 3 local state 2 (shared)
// stdout: [Update] release chunk 3 version 1 local state 2 (shared)
// stdout: [Update] read chunk 3 local state 3 (invalid)
// stdout: [Update] release chunk 3 version 1 local state 2 (shared)
// stdout: [Update] readwrite chunk 3 local state 2 (shared)
// stdout: [Update] release chunk 3 version 1 local state 1 (exclusive)
// stdout: [Migratory] write chunk 4 local state 3 (invalid)
// stdout: [Migratory] release chunk 4 version 0 local state 0 (modified)
// stdout: [Migratory] release chunk 4 version 1 local state 0 (modified)
// stdout: [Migratory] read chunk 4 local state 3 (invalid)
// stdout: [Migratory] release chunk 4 version 1 local state 0 (modified)
// stdout: [Migratory] release chunk 4 version 1 local state 0 (modified)
// stdout: [Write-Once] write chunk 5 local state 3 (invalid)
// stdout: [Write-Once] release chunk 5 version 0 local state 1 (exclusive)
// stdout: [Write-Once] release chunk 5 version 1 local state 2 (shared)
// stdout: [Write-Once] read chunk 5 local state 3 (invalid)
// stdout: [Write-Once] release chunk 5 version 1 local state 2 (shared)
// stdout: [Multiple-Writer] write chunk 8 local state 3 (invalid)
// stdout: [Multiple-Writer] release chunk 8 version 0 local state 1 (exclusive)
// stdout: [Multiple-Writer] read chunk 8 local state 2 (shared)
// stdout: [Multiple-Writer] release chunk 8 version 1 local state 2 (shared)
// stdout: [Multiple-Writer] read chunk 8 local state 3 (invalid)
// stdout: [Multiple-Writer] release chunk 8 version 1 local state 2 (shared)
// stdout: [Multiple-Writer] readwrite chunk 8 local state 2 (shared)
// stdout: [Multiple-Writer] release chunk 8 version 1 local state 1 (exclusive)
#include <sat.h>

static void client(_SAT_Bootstrap_t *b)
{
    (void)b;
    static const char *const names[] = {"home-mesi",  "home-lazy", "update", "migratory",
                                        "write-once", "private",   "entry",  "multiple-writer"};
    for (unsigned long k = 0; k < sizeof names / sizeof *names; k++) {
        Chunk_t *c = MALLOC(sat_protocol(names[k]), 1 + k, 8);
        int entry = k == 6, once = k == 4;
        if (entry) {
            sat_bind(1, c);
            sat_lock(1);
        }
        WRITE(c);
        c->data[0] = 1;
        RELEASE(c);
        READ(c);
        RELEASE(c);
        if (!entry) {
            FREE(c);
        }
        READ(c);
        RELEASE(c);
        if (!once) {
            READWRITE(c);
            c->data[0]++;
            RELEASE(c);
        }
        if (entry) {
            sat_unlock(1);
        }
    }
}

int main(int argc, char **argv)
{
    _SAT_Roles_t roles[] = {NULL, client};
    _SAT_BOOTSTRAP(roles, NULL, argc, argv);
    return 0;
}
