/* SPDX-License-Identifier: BSD-3-Clause */
/* core_call: what RISC-V cores did, played by riscv/ without their programs. */
#include "replay/player.h"
#include "riscv/riscv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Words of a call: on the heap, as others look at them while the rank waits. */
static __attribute__((noinline)) int64_t *words_of(const struct replay_action *a)
{
    int64_t *words = base_alloc((a->n + 1) * sizeof *words, "a call of a trace");
    if (a->n)
        memcpy(words, a->counts, a->n * sizeof *words);
    return words;
}

void replay_core_call(struct replay_job *j, struct rank *r)
{
    struct record_part part[RECORD_PARAMS];
    uint32_t function = j->action.number;
    const struct record_function *f = record_function_of(function);
    int64_t *words = words_of(&j->action);
    struct replay_world *w = replay_world_of(j, r);
    bool waited;
    if (!riscv_plays(r) || rank_thread_number(r))
        base_fatal(BASE_EXIT_INPUT, "%s: rank %" PRIu32 ", line %" PRIu32 ": %s: a core has one thread",
                   w->path, replay_world_place(w, r->id), replay_player_of(j, r)->line, f->name);
    if (!record_parts(f, words, j->action.n, part))
        base_fatal(BASE_EXIT_BUG, "words of %s", f->name);
    for (uint32_t k = 0; k < f->n; k++)
        if (!strcmp(f->param[k].name, "causes"))
            replay_world_causes(j, w, words + (part[k].at - words), part[k].n);
    if (function == RECORD_RISCV_CYCLES)
        j->counts.computations++;
    else
        j->counts.calls++;
    if (!riscv_play(r, function, part, &waited))
        base_fatal(BASE_EXIT_INPUT,
                   "%s: rank %" PRIu32 ", line %" PRIu32 ": %s, core: expected one from 0 to %" PRIu32,
                   w->path, replay_world_place(w, r->id), replay_player_of(j, r)->line, f->name,
                   w->ranks - 1);
    j->counts.caused += waited;
    free(words);
}
