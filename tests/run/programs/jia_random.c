// SPDX-License-Identifier: BSD-3-Clause
// Random programs for JIAJIA's shared memory, compared with a sequential model. Bytes of one page belong to
// many hosts, to locks, or to nobody; who owns what changes at each barrier.
//     jia_random PROGRAMS FIRST-SEED
// build: $MPICC -g -O2 -Wall -Wextra -Werror "$SRC" -o $EXE -lsat
// run: --compute=off -np 5 -- 4 1
// stdout: 4 random programs of 4 hosts agree with the model
// stderr-not: .
// run: --compute=off -np 9 -- 2 1000
// stdout: 2 random programs of 8 hosts agree with the model
// shell: SAT_OPTIONS="--sat-servers=3 --sat-jia-prefetch=4" $RUN --quiet --compute=off -np 7 $EXE 2 2000
// stdout: 2 random programs of 4 hosts agree with the model
// run: --compute=off --check=nasty --seed 3 -np 4 -- 2 3000
// stdout: 2 random programs of 3 hosts agree with the model
// shell: SAT_OPTIONS=--sat-servers=3 $RUN --quiet --compute=off --check=nasty --seed 7 -np 7 $EXE 2 2000
// stdout: 2 random programs of 4 hosts agree with the model
#include <jia.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, PAGES = 12, BYTES = PAGES * PAGE, LOCKS = 5, COUNTERS = 8, PHASES = 6 };

/* Counters of a lock, scattered over the pages, in the order of the model's. */
struct model {
    unsigned char bytes[BYTES];
    unsigned char owner[BYTES];   /* a host, NOBODY, or OF_LOCK: part of a counter */
    int counter[LOCKS][COUNTERS]; /* offsets */
    long value[LOCKS][COUNTERS];
};
enum { NOBODY = 255, OF_LOCK = 254 };

static struct model model;
static unsigned char *shared;
static unsigned long program;
static long found;

/* --- numbers that all hosts draw alike, and those of one host
 * ------------------------------------------------ */

static uint64_t common;
static unsigned draw_from(uint64_t *state, unsigned below)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (unsigned)(*state >> 33) % below;
}

static unsigned draw(unsigned below)
{
    return draw_from(&common, below);
}

static void differs(const char *what, long where, long got, long want)
{
    if (found++ < 3)
        printf("program %lu, host %d: %s %ld is %ld, expected %ld\n", program, jiapid, what, where, got,
               want);
}

/* --- the layout -------------------------------------------------------------------------------------------
 * */

/* In stretches of some bytes, which are often shorter than a word. */
static void deal_bytes(void)
{
    unsigned longest = 1 + draw(draw(2) ? 6 : 3000);
    for (int k = 0; k < BYTES;) {
        unsigned owner = draw((unsigned)jiahosts + 1);
        for (unsigned n = 1 + draw(longest); n && k < BYTES; n--, k++)
            if (model.owner[k] != OF_LOCK)
                model.owner[k] = owner == (unsigned)jiahosts ? NOBODY : (unsigned char)owner;
    }
}

static void place_counters(void)
{
    for (int lock = 0; lock < LOCKS; lock++)
        for (int k = 0; k < COUNTERS; k++) {
            int at = (int)draw(BYTES / 8) * 8;
            while (model.owner[at] == OF_LOCK)
                at = (at + 8) % BYTES;
            memset(model.owner + at, OF_LOCK, 8);
            model.counter[lock][k] = at;
        }
}

static long *counter(int lock, int k)
{
    return (long *)(void *)(shared + model.counter[lock][k]);
}

/* --- what hosts do in a phase
 * ------------------------------------------------------------------------------- */

/* The model does all hosts' stores, this host its own. */
static void store_bytes(int host, uint64_t *state)
{
    for (unsigned n = draw_from(state, 400); n; n--) {
        unsigned at = draw_from(state, BYTES), length = 1 + draw_from(state, 40);
        for (; length && at < BYTES; length--, at++) {
            unsigned char value = (unsigned char)draw_from(state, 256);
            if (model.owner[at] != host)
                continue;
            model.bytes[at] = value;
            if (host == jiapid)
                shared[at] = value;
        }
    }
}

/* Counters of a lock change together: whoever holds it finds them in step. */
static void in_section(int lock, long by)
{
    long first = *counter(lock, 0);
    for (int k = 0; k < COUNTERS; k++) {
        if (*counter(lock, k) != first * (k + 1))
            differs("within its lock, a counter of lock", lock, *counter(lock, k), first * (k + 1));
        *counter(lock, k) += by * (k + 1);
    }
}

static void lock_and_count(int host, uint64_t *state)
{
    for (unsigned n = draw_from(state, 12); n; n--) {
        int lock = (int)draw_from(state, LOCKS), inner = (int)draw_from(state, LOCKS);
        long by = 1 + (long)draw_from(state, 9);
        bool nests = inner > lock && draw_from(state, 3) == 0;
        for (int k = 0; k < COUNTERS; k++) {
            model.value[lock][k] += by * (k + 1);
            model.value[inner][k] += nests ? by * (k + 1) : 0;
        }
        if (host != jiapid)
            continue;
        jia_lock(lock);
        in_section(lock, by);
        if (nests) {
            jia_lock(inner);
            in_section(inner, by);
            jia_unlock(inner);
        }
        jia_unlock(lock);
    }
}

static void act(int host, uint64_t seed)
{
    for (unsigned n = 1 + draw_from(&seed, 4); n; n--) {
        store_bytes(host, &seed);
        lock_and_count(host, &seed);
    }
}

/* Some hosts look at much, some at little: pages stay valid over several phases. */
static void compare(bool all)
{
    uint64_t own = common + (uint64_t)jiapid;
    for (unsigned n = draw_from(&own, 60); n; n--) {
        unsigned at = draw_from(&own, BYTES);
        if (model.owner[at] != OF_LOCK && shared[at] != model.bytes[at])
            differs("byte", at, shared[at], model.bytes[at]);
    }
    for (int k = 0; all && k < BYTES; k++)
        if (model.owner[k] != OF_LOCK && shared[k] != model.bytes[k])
            differs("at the end, byte", k, shared[k], model.bytes[k]);
    for (int lock = 0; all && lock < LOCKS; lock++)
        for (int k = 0; k < COUNTERS; k++)
            if (*counter(lock, k) != model.value[lock][k])
                differs("at the end, a counter of lock", lock, *counter(lock, k), model.value[lock][k]);
}

static void run_program(void)
{
    int piece = PAGE * (1 + (int)draw(PAGES));
    memset(&model, 0, sizeof model);
    shared = (unsigned char *)jia_alloc3(BYTES, piece, (int)draw((unsigned)jiahosts));
    place_counters();
    jia_barrier();
    for (int phase = 0; phase < PHASES; phase++) {
        deal_bytes();
        for (int host = 0; host < jiahosts; host++)
            act(host, common + 7919 * (uint64_t)host);
        jia_barrier();
        compare(phase + 1 == PHASES);
        draw(2);
        jia_barrier();
    }
}

int main(int argc, char **argv)
{
    unsigned long programs = argc > 1 ? strtoul(argv[1], NULL, 10) : 10, first = 1;
    first = argc > 2 ? strtoul(argv[2], NULL, 10) : first;
    jia_init(argc, argv);
    for (program = first; program < first + programs; program++) {
        common = program;
        run_program();
        jia_free(shared);
    }
    long *all = (long *)jia_alloc(sizeof *all);
    jia_lock(0);
    *all += found;
    jia_unlock(0);
    jia_barrier();
    if (jiapid == 0 && !*all)
        printf("%lu random programs of %d hosts agree with the model\n", programs, jiahosts);
    jia_exit();
    return found != 0;
}
