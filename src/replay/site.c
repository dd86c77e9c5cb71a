/* SPDX-License-Identifier: BSD-3-Clause */
/* site: where in a trace a rank computes. */
#include "replay/site.h"

#include "base/table.h"
#include "record/record.h"

#include <string.h>

bool replay_site_computes(const struct replay_action *a)
{
    return (a->kind == REPLAY_SECONDS || a->kind == REPLAY_COMPUTE) && a->amount > 0;
}

bool replay_site_is_call(const struct replay_action *a)
{
    return a->kind != REPLAY_SECONDS && a->kind != REPLAY_COMPUTE && a->kind != REPLAY_SLEEP &&
           a->kind != REPLAY_LOCATION && a->kind != REPLAY_TIMES && a->kind != REPLAY_SOURCE &&
           a->kind != REPLAY_MOVES;
}

/* Whether the parameter says how much a call moves. */
static bool is_size(const struct record_param *p)
{
    return (p->kind == RECORD_NUMBER && strstr(p->name, "count")) ||
           (p->kind == RECORD_HANDLE && p->object == RECORD_TYPE);
}

uint64_t replay_site_call(const struct replay_action *a)
{
    uint64_t hash = base_fnv(BASE_FNV, &a->kind, sizeof a->kind);
    unsigned has = replay_kind_fields(a->kind);
    struct record_part part[RECORD_PARAMS];
    if (has & REPLAY_NUMBER)
        hash = base_fnv(hash, &a->number, sizeof a->number);
    if (has & REPLAY_BYTES)
        hash = base_fnv(hash, &a->bytes, sizeof a->bytes);
    if (a->kind != REPLAY_CALL)
        return hash;
    const struct record_function *f = record_function_of(a->number);
    if (!record_parts(f, a->counts, a->n, part))
        return hash;
    for (uint32_t k = 0; k < f->n; k++)
        if (part[k].param && is_size(part[k].param))
            hash = base_fnv(hash, part[k].at, sizeof *part[k].at);
    return hash;
}

uint64_t replay_site_of(const struct replay_site *s, enum replay_kind kind, uint64_t next)
{
    uint64_t hash = base_fnv(BASE_FNV, s->call, sizeof s->call);
    hash = base_fnv(hash, &kind, sizeof kind);
    return base_fnv(hash, &next, sizeof next);
}

void replay_site_pass(struct replay_site *s, uint64_t next)
{
    memmove(s->call, s->call + 1, sizeof s->call - sizeof *s->call);
    s->call[REPLAY_SITE_CALLS - 1] = next;
}
