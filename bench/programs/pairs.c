/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pairs PLATFORM pairs-N: N pairs of actors on hosts 2i and 2i + 1, of which one sends 1 KiB to the other
 * again and again by rendez-vous, as actors of SimGrid's kernel do through a mailbox: both wait until the
 * bytes are there. SimGrid's model LV08. Prints `name count cpu_seconds`.
 */
#include "fabric/fabric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MESSAGES = 400000, BYTES = 1024, STACK = 16 << 10 };

/* Where two actors meet. The one that comes second starts the transfer. */
struct mailbox {
    struct engine *engine;
    struct fabric *fabric;
    uint32_t from, to; /* hosts */
    long left[2];      /* messages that the sender and the receiver have yet to see */
    struct engine_actor *there;
    struct engine_actor *side[2];
};

static void arrived(struct fabric *f, void *arg, enum fabric_outcome how)
{
    struct mailbox *m = arg;
    (void)f;
    if (how != FABRIC_DONE)
        abort();
    engine_wake(m->engine, m->side[0]);
    engine_wake(m->engine, m->side[1]);
}

static void meet(struct mailbox *m, int side)
{
    static const struct engine_reason why = {.what = "its partner"};
    struct base_status st;
    m->side[side] = engine_current(m->engine);
    if (!m->there) {
        m->there = m->side[side];
    } else {
        m->there = NULL;
        if (!fabric_transfer_start(m->fabric, m->from, m->to, BYTES, INFINITY, arrived, m, &st))
            base_fatal(BASE_EXIT_INPUT, "%s", st.text);
    }
    engine_block(m->engine, &why);
}

static void sender(void *arg)
{
    struct mailbox *m = arg;
    while (m->left[0]-- > 0)
        meet(m, 0);
}

static void receiver(void *arg)
{
    struct mailbox *m = arg;
    while (m->left[1]-- > 0)
        meet(m, 1);
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct fabric *fabric_on(const char *path, uint32_t actors)
{
    struct base_status st;
    struct platform *p;
    struct base_settings *s = base_settings_create();
    base_settings_declare(s, fabric_settings, fabric_settings_count);
    if (base_settings_set(s, "network/model", "LV08", BASE_FROM_COMMAND, &st) ||
        platform_load(&p, path, s, &st))
        base_fatal(BASE_EXIT_INPUT, "%s", st.text);
    struct engine *e = engine_create(&(struct engine_config){.max_actors = actors, .stack_size = STACK});
    return fabric_create(e, fluid_create(e), p, s);
}

int main(int argc, char **argv)
{
    const uint32_t n = argc == 3 ? (uint32_t)atoi(argv[2] + strlen("pairs-")) : 0;
    if (!n)
        return 2;
    struct fabric *f = fabric_on(argv[1], 2 * n);
    struct engine *e = fabric_engine(f);
    struct mailbox *boxes = base_zalloc(n * sizeof *boxes, "mailboxes");
    for (uint32_t i = 0; i < n; i++) {
        boxes[i] = (struct mailbox){
            .engine = e, .fabric = f, .from = 2 * i, .to = 2 * i + 1, .left = {MESSAGES / n, MESSAGES / n}};
        engine_actor_spawn(e, sender, &boxes[i], NULL);
        engine_actor_spawn(e, receiver, &boxes[i], NULL);
    }
    double start = cpu_seconds();
    if (engine_run(e) != ENGINE_ALL_DONE)
        return 1;
    printf("%s %u %.6f\n", argv[2], MESSAGES / n * n, cpu_seconds() - start);
    return 0;
}
