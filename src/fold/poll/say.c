/* SPDX-License-Identifier: BSD-3-Clause */
/* say: what the deadlock report and the warnings say of a rank that polls. */
#include "fold/poll/waiter.h"

enum { OBJECT = 400 };

static const char *place_of(const struct poll_waiter *w, char *buf, size_t size)
{
    struct rank_code at = rank_code_of(w->rank, (const void *)w->found.pc);
    at.offset++; /* names are looked up for return addresses */
    snprintf(buf, size, "code of a library");
    return at.object ? rank_code_name(w->rank, at, buf, size) : buf;
}

/* A static object, or what a module knows of the address: a block of a heap, and who made it. */
static const char *object_of(const struct poll_waiter *w, char *buf, size_t size)
{
    if (w->found.sampled)
        return "memory";
    if (!w->object)
        return "its registers";
    if (!rank_static_name(w->rank, w->object, buf, size) &&
        !rank_address_explain(w->rank, w->object, buf, size))
        snprintf(buf, size, "memory at %p", (void *)w->object);
    return buf;
}

void poll_describe(const void *waiter, char *buf, size_t size)
{
    const struct poll_waiter *w = waiter;
    char place[RANK_WHERE_SIZE], object[OBJECT];
    snprintf(buf, size, "looks at %s in %s", object_of(w, object, sizeof object),
             place_of(w, place, sizeof place));
}

void poll_warn(const struct poll_waiter *w)
{
    const char *key = w->found.verdict == POLL_PROVEN ? "stall" : "poll";
    char where[RANK_WHERE_SIZE], place[RANK_WHERE_SIZE];
    if (base_warn_again(key))
        return;
    rank_where(where, w->rank);
    place_of(w, place, sizeof place);
    if (w->found.verdict == POLL_PROVEN)
        base_warn("stall", "%s loops for ever in %s: nothing that it looks at can end the loop", where,
                  place);
    else
        base_warn(
            "poll",
            "%s polls memory without a call in %s, in a loop that also counts, stores, or calls functions: "
            "simulated times may depend on this machine",
            where, place);
}
