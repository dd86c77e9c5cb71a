/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that makes the S-DSM's events without having it: rank 0 is a server, the others are its clients. */
#include <pgasim.h>
#include <shmem.h>
#include <stdlib.h>

#define SAT(type, ...) pgasim_event(type, (const long long[]){__VA_ARGS__})

enum { PROCESS, ALLOC, ACQUIRE, GRANTED, RELEASE, SENT, TIME, ENERGY, TYPES };
static int type[TYPES];

static void make_types(void)
{
    static const char *const rows[TYPES][2] = {{"sat.process", "role server"},
                                               {"sat.alloc", "chunk bytes kind chunks footprint"},
                                               {"sat.acquire", "chunk mode protocol"},
                                               {"sat.granted", "chunk mode hit bytes"},
                                               {"sat.release", "chunk mode first end changed size"},
                                               {"sat.sent", "peer type messages bytes"},
                                               {"sat.time", "user sdsm sync sleep"},
                                               {"sat.energy", "microjoules"}};
    for (int k = 0; k < TYPES; k++)
        type[k] = pgasim_event_type(rows[k][0], rows[k][1]);
}

/* Chunk 7 is falsely shared. Every tenth id is one of the last. */
static void scope(int me, int k)
{
    long long chunk = k % 10 ? 3 + k % 10 : -k, mode = k % 3, hit = k % 4 == 1;
    SAT(type[ALLOC], chunk, 4096, k % 5 ? 0 : 3, k / 2 + 1, k % 7);
    SAT(type[ACQUIRE], chunk, mode, 0);
    pgasim_compute_seconds(hit ? 1e-7 : 3e-6 * me);
    SAT(type[GRANTED], chunk, mode, hit, hit ? 0 : 4096);
    pgasim_compute_seconds(1e-5);
    if (chunk == 7)
        SAT(type[RELEASE], chunk, mode, 64 * me, 64 * me + 64, 60, 4096);
    else
        SAT(type[RELEASE], chunk, mode, 0, 4096, 1000, 4096);
}

int main(int argc, char **argv)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), scopes = argc > 1 ? atoi(argv[1]) : 100;
    make_types();
    SAT(type[PROCESS], me > 0, me > 0 ? 0 : -1);
    for (int k = 0; me > 0 && k < scopes; k++)
        scope(me, k);
    shmem_barrier_all();
    for (int k = 0; k < n; k++)
        if (k != me && (k == 0 || me == 0))
            SAT(type[SENT], k, 3 + (me > 0), 10 * me + 1, 1000000 * (me + 1));
    SAT(type[TIME], 1000000 * me, 200000, 300000, 400000);
    SAT(type[ENERGY], 1500);
    shmem_finalize();
    return 0;
}
