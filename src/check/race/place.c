/* SPDX-License-Identifier: BSD-3-Clause */
/* place: where the program does something, by number, and the calls that led there. */
#include "check/race/strands.h"

#include <string.h>

uint32_t race_place(struct race *d, const struct race_place *p)
{
    struct {
        const char *call;
        uint64_t code;
        uint32_t stack, low;
    } key = {p->call, p->code, p->stack, p->low};
    /* The key must outlive the table's entry, so it is hashed to a number; 0 is no place. */
    uint64_t hash = base_hash_fold((uintptr_t)key.call ^ base_hash_fold(key.code)) ^
                    base_hash_fold((uint64_t)key.stack << 1 | key.low);
    const uint32_t *known = base_table_find(&d->place_numbers, hash);
    if (BASE_LIKELY(known != NULL))
        return *known;
    if (!d->places.n)
        BASE_ARRAY_PUSH(&d->places, (struct race_place){0});
    uint32_t number = (uint32_t)d->places.n;
    *(uint32_t *)base_table_add(&d->place_numbers, hash, NULL) = number;
    BASE_ARRAY_PUSH(&d->places, *p);
    return number;
}

static struct rank_code code_of(const struct race_place *p)
{
    return p->low ? rank_code_of_low(p->rank, (uint32_t)p->code)
                  : rank_code_of(p->rank, (const void *)(uintptr_t)p->code);
}

/* A function of the library's that its API function calls does not know who called that. */
static bool is_ours(struct race *d, uint32_t place)
{
    struct race_place *p = &d->places.at[place];
    if (!p->asked)
        p->ours = !code_of(p).object;
    p->asked = true;
    return p->ours;
}

uint32_t race_place_of_call(struct race *d, struct rank *r, const char *call)
{
    const struct race_strand *s = rank_current == r ? race_strand_now(d) : NULL;
    struct race_place p = {
        .call = call, .rank = r, .code = r->caller, .low = true, .stack = s ? s->stack : 0};
    uint32_t place = race_place(d, &p);
    if (BASE_LIKELY(!is_ours(d, place)) || !s)
        return place;
    p.found = rank_code_caller(r);
    p.code = (uint64_t)p.found.object << 32 | p.found.offset;
    p.low = false;
    return p.found.object ? race_place(d, &p) : place;
}

uint32_t race_stack_enter(struct race *d, uint32_t above, const void *pc)
{
    bool fresh;
    uint32_t *number = base_table_add(
        &d->stacks, base_hash_fold((uintptr_t)pc) ^ base_hash_fold((uint64_t)above + 1), &fresh);
    if (fresh) {
        if (!d->stack_of.n) {
            BASE_ARRAY_PUSH(&d->stack_of, 0);
            BASE_ARRAY_PUSH(&d->stack_of, 0);
        }
        *number = (uint32_t)(d->stack_of.n / 2);
        BASE_ARRAY_PUSH(&d->stack_of, above);
        BASE_ARRAY_PUSH(&d->stack_of, (uintptr_t)pc);
    }
    return *number;
}

uint32_t race_stack_above(const struct race *d, uint32_t stack)
{
    return stack ? (uint32_t)d->stack_of.at[2 * (size_t)stack] : 0;
}

void race_place_source(const struct race *d, uint32_t place, struct rank_source *out)
{
    const struct race_place *p = &d->places.at[place];
    *out = (struct rank_source){.line = 0};
    if (place && p->code)
        rank_code_source(p->rank, p->found.object ? p->found : code_of(p), out);
}
