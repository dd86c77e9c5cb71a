/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * random: rand, random and the drand48 family per rank, by libc's own reentrant functions, so that each rank
 * sees the sequence it would see in a process of its own. Entropy is a stream of the rank's, so that runs can
 * be repeated.
 */
#include "fold/libc/libc.h"

#include <stdlib.h>
#include <string.h>

/* rand and random are one generator; its first state has 128 bytes and seed 1 (random(3)). */
struct libc_random {
    struct random_data random;
    struct drand48_data drand48;
    struct base_random entropy;
    char state[128] __attribute__((aligned(8)));
};

static struct libc_random *mine(struct rank *r)
{
    struct fold_libc *l = libc_of(r);
    if (!l->random) {
        l->random = base_zalloc(sizeof *l->random, "random generators of a rank");
        base_random_seed(&l->random->entropy, r->id, 0);
        initstate_r(1, l->random->state, sizeof l->random->state, &l->random->random);
    }
    return l->random;
}

void libc_random_forget(struct fold_libc *l)
{
    free(l->random);
}

long in_rank_random(void)
{
    int32_t x;
    if (!libc_self())
        return random();
    random_r(&mine(libc_self())->random, &x);
    return x;
}

int in_rank_rand(void)
{
    return (int)in_rank_random();
}

void in_rank_srandom(unsigned seed)
{
    if (libc_self())
        srandom_r(seed, &mine(libc_self())->random);
    else
        srandom(seed);
}

void in_rank_srand(unsigned seed)
{
    in_rank_srandom(seed);
}

/* The word before the state proper is where the application's buffer begins. */
static char *buffer_of(const struct random_data *d)
{
    return (char *)(d->state - 1);
}

char *in_rank_initstate(unsigned seed, char *state, size_t size)
{
    if (!libc_self())
        return initstate(seed, state, size);
    struct random_data *d = &mine(libc_self())->random;
    char *old = buffer_of(d);
    return initstate_r(seed, state, size, d) ? NULL : old;
}

char *in_rank_setstate(char *state)
{
    if (!libc_self())
        return setstate(state);
    struct random_data *d = &mine(libc_self())->random;
    char *old = buffer_of(d);
    return setstate_r(state, d) ? NULL : old;
}

/* --- drand48 and its kin ------------------------------------------------------------------------ */

double in_rank_drand48(void)
{
    double x;
    if (!libc_self())
        return drand48();
    drand48_r(&mine(libc_self())->drand48, &x);
    return x;
}

double in_rank_erand48(unsigned short s[3])
{
    double x;
    if (!libc_self())
        return erand48(s);
    erand48_r(s, &mine(libc_self())->drand48, &x);
    return x;
}

long in_rank_lrand48(void)
{
    long x;
    if (!libc_self())
        return lrand48();
    lrand48_r(&mine(libc_self())->drand48, &x);
    return x;
}

long in_rank_nrand48(unsigned short s[3])
{
    long x;
    if (!libc_self())
        return nrand48(s);
    nrand48_r(s, &mine(libc_self())->drand48, &x);
    return x;
}

long in_rank_mrand48(void)
{
    long x;
    if (!libc_self())
        return mrand48();
    mrand48_r(&mine(libc_self())->drand48, &x);
    return x;
}

long in_rank_jrand48(unsigned short s[3])
{
    long x;
    if (!libc_self())
        return jrand48(s);
    jrand48_r(s, &mine(libc_self())->drand48, &x);
    return x;
}

void in_rank_srand48(long seed)
{
    if (libc_self())
        srand48_r(seed, &mine(libc_self())->drand48);
    else
        srand48(seed);
}

unsigned short *in_rank_seed48(unsigned short seed[3])
{
    if (!libc_self())
        return seed48(seed);
    struct drand48_data *d = &mine(libc_self())->drand48;
    seed48_r(seed, d);
    return d->__old_x;
}

void in_rank_lcong48(unsigned short param[7])
{
    if (libc_self())
        lcong48_r(param, &mine(libc_self())->drand48);
    else
        lcong48(param);
}

/* --- entropy ----------------------------------------------------------------------------------------- */

/* Fortran's random_number begins with it. The same in each run, and another for each rank. */
int in_rank_getentropy(void *buffer, size_t length)
{
    if (!libc_self() || length > 256)
        return getentropy(buffer, length);
    for (size_t done = 0; done < length;) {
        uint64_t x = base_random_u64(&mine(libc_self())->entropy);
        size_t n = length - done < sizeof x ? length - done : sizeof x;
        memcpy((char *)buffer + done, &x, n);
        done += n;
    }
    return 0;
}
