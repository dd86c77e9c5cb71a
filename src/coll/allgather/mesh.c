/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mesh: the members as a grid of two or three dimensions; along one dimension after the other each member
 * sends what it has to all others of its line (STAR-MPI: Faraj, Yuan, Lowenthal, ICS 2006). a is the time
 * of one small message, o the overhead to issue one, B the bandwidth, m the bytes of a part, n members.
 */
#include "coll/allgather/allgather.h"
#include "coll/allgather/runs.h"

struct mesh {
    uint32_t dims, width[3]; /* the first one's members are neighbours */
    bool turned; /* in the last dimension each sends to the next one first; else all to the first one first */
};

static uint32_t root_of(uint32_t n, unsigned power)
{
    uint32_t x = 1;
    for (; power == 2 ? (uint64_t)(x + 1) * (x + 1) <= n : (uint64_t)(x + 1) * (x + 1) * (x + 1) <= n; x++)
        ;
    return x;
}

/* The factors of n nearest to each other, the larger one first; a prime is a line. */
static void split(uint32_t n, uint32_t *large, uint32_t *small)
{
    uint32_t x = root_of(n, 2);
    while (n % x)
        x--;
    *small = x;
    *large = n / x;
}

/* Two equal sides where there are, as in SMPI. */
static struct mesh cube(uint32_t n)
{
    uint32_t from = root_of(n, 3);
    struct mesh g = {3, {1, 1, n}, true};
    for (uint32_t x = from; x <= n / 3; x++)
        if ((uint64_t)x * x <= n && n % (x * x) == 0) {
            g.width[0] = g.width[1] = x;
            g.width[2] = n / (x * x);
            return g;
        }
    while (n % from)
        from--;
    g.width[0] = from;
    split(n / from, &g.width[2], &g.width[1]);
    return g;
}

/* Sends are waited for one after the other, with all receives posted. */
static void line(struct coll_schedule *s, const struct mesh *g, uint32_t dim, uint32_t tag)
{
    uint32_t stride = 1, width = g->width[dim];
    bool turned = g->turned && dim + 1 == g->dims;
    struct coll_program p;
    for (uint32_t d = 0; d < dim; d++)
        stride *= g->width[d];
    uint32_t mine = s->me / stride % width, low = s->me - mine * stride;
    coll_program_begin(&p, s);
    for (int sends = 0; sends < 2; sends++)
        for (uint32_t k = 0; k < width; k++) {
            uint32_t other = turned ? (mine + k) % width : k, peer = low + other * stride;
            uint32_t from = (sends ? s->me : peer) / stride * stride;
            coll_place at = coll_run_at(s, from);
            uint64_t bytes = coll_run_bytes(s, from, from + stride);
            if (other != mine && sends)
                coll_program_send_wait(&p, peer, tag, at, bytes);
            else if (other != mine)
                coll_program_receive(&p, peer, tag, at, bytes);
        }
    coll_program_end(&p);
}

static bool mesh(struct coll_schedule *s, uint32_t round, const struct mesh *g)
{
    if (round == 0)
        coll_add_run_begin(s);
    if (round && round <= g->dims)
        line(s, g, round - 1, round);
    if (round == g->dims + 1)
        coll_add_run_end(s);
    return round <= g->dims + 1;
}

/* n = x y with sides as equal as possible. 2 a + (x + y - 2) o + (n - 1) m/B; n (x + y - 2) messages. */
bool coll_allgather_mesh2(struct coll_schedule *s, uint32_t round)
{
    struct mesh g = {.dims = 2};
    split(s->size, &g.width[0], &g.width[1]);
    return mesh(s, round, &g);
}

/* n = x y z. 3 a + (x + y + z - 3) o + (n - 1) m/B; n (x + y + z - 3) messages. */
bool coll_allgather_mesh3(struct coll_schedule *s, uint32_t round)
{
    struct mesh g = cube(s->size);
    return mesh(s, round, &g);
}
