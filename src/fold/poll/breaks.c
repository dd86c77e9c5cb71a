/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * breaks: breakpoints at jumps back in loops that were proven to poll. The first time, a tick of the timer
 * finds a loop, after some milliseconds; from then on whoever takes the jump is followed at once. A jump is
 * one instruction whose effect is easily done in the handler, so the breakpoint stays in place.
 *
 * All copies of the object get it, through /proc/self/mem; without that, loops are found by the timer alone.
 */
#include "fold/poll/x86.h"

#if defined(__x86_64__)
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { BREAKS = 64, MISSES = 8 };
enum { BREAKPOINT = 0xcc };

/* A jump of the program's code, the same in all copies. */
struct place {
    const struct object_file *object;
    uint64_t offset;
    int64_t distance;  /* of its target from the next instruction */
    uint8_t first;     /* its first byte */
    uint8_t condition; /* of conditional ones, as the processor numbers them */
    uint8_t length;
    bool conditional, gone;
    uint32_t length_of_turn; /* steps, when it was found */
    unsigned missed;         /* times in a row that it led to no poll */
};

static struct {
    struct place at[BREAKS];
    _Atomic unsigned n;
} breaks;

/* --- places ------------------------------------------------------------------------------------- */

/* Where r has loaded the object; 0: nowhere. */
static uintptr_t base_in(const struct rank *r, const struct object_file *object)
{
    struct module_view v = modules_view(r);
    for (size_t k = 0; k < v.n; k++)
        if (v.objects->list.at[k] == object && v.at[k].handle)
            return v.at[k].base;
    return 0;
}

static const struct object_file *object_at(const struct rank *r, uintptr_t pc, uint64_t *offset)
{
    struct module_view v = modules_view(r);
    for (size_t k = 0; k < v.n; k++) {
        *offset = pc - v.at[k].base;
        if (v.at[k].handle && *offset < v.objects->list.at[k]->elf.image_size)
            return v.objects->list.at[k];
    }
    return NULL;
}

static struct place *place_at(const struct rank *r, uintptr_t pc)
{
    uint64_t offset;
    const struct object_file *object = breaks.n ? object_at(r, pc, &offset) : NULL;
    for (unsigned k = 0; object && k < breaks.n; k++)
        if (breaks.at[k].object == object && breaks.at[k].offset == offset)
            return &breaks.at[k];
    return NULL;
}

static void write_all(const struct place *p, unsigned char byte)
{
    int fd = open("/proc/self/mem", O_WRONLY | O_CLOEXEC);
    struct fold_job *job = poll_job.job;
    uintptr_t last = 0;
    for (uint32_t k = 0; fd >= 0 && k < job->ranks; k++) {
        const struct rank *r = fold_rank_at(job, k);
        uintptr_t base = r->ended ? 0 : base_in(r, p->object);
        if (base && base != last && pwrite(fd, &byte, 1, (off_t)(base + p->offset)) != 1)
            break;
        last = base;
    }
    if (fd >= 0)
        close(fd);
}

/* --- jumps -------------------------------------------------------------------------------------- */

static bool read_jump(struct place *p, const unsigned char *at)
{
    bool near = at[0] == 0x0f && at[1] >> 4 == 8;
    int32_t distance;
    p->first = at[0];
    p->conditional = near || at[0] >> 4 == 7;
    p->condition = (near ? at[1] : at[0]) & 15;
    if (!p->conditional && at[0] != 0xeb && at[0] != 0xe9)
        return false;
    p->length = near ? 6 : at[0] == 0xe9 ? 5 : 2;
    if (p->length > 2)
        memcpy(&distance, at + p->length - 4, sizeof distance);
    else
        distance = (at[1] ^ 0x80) - 0x80; /* one byte, with its sign */
    p->distance = distance;
    return true;
}

uintptr_t poll_break_follow(const struct rank *r, uintptr_t pc, const ucontext_t *u, bool *back,
                            struct poll_step *s)
{
    const struct place *p = *(const unsigned char *)pc == BREAKPOINT ? place_at(r, pc) : NULL;
    if (!p)
        return 0;
    bool taken = !p->conditional || x86_holds(p->condition, (uint64_t)u->uc_mcontext.gregs[REG_EFL]);
    *s = (struct poll_step){.pc = pc,
                            .flags = POLL_BRANCH | (p->conditional ? POLL_CHOICE : 0),
                            .reads = p->conditional ? POLL_BIT(POLL_FLAGS) : 0};
    *back = taken;
    return pc + p->length + (taken ? (uintptr_t)p->distance : 0);
}

/* --- adding and removing ------------------------------------------------------------------------ */

/* The jump back that the turn takes least often, and of those the longest: the outermost loop's. */
static uintptr_t best_jump(const struct rank *r, const struct poll_turn *t)
{
    uintptr_t best = 0, best_length = 0;
    unsigned best_times = UINT32_MAX;
    for (uint32_t k = 0; k < t->n; k++) {
        const struct poll_step *s = &t->step[k];
        uintptr_t next = k + 1 < t->n ? t->step[k + 1].pc : t->step[0].pc;
        struct place p;
        if (!(s->flags & POLL_BRANCH) || next > s->pc || !poll_own_code(r, s->pc) ||
            *(const unsigned char *)s->pc == BREAKPOINT || !read_jump(&p, (const unsigned char *)s->pc))
            continue;
        unsigned times = 0;
        for (uint32_t i = 0; i < t->n; i++)
            times += t->step[i].pc == s->pc;
        if (times < best_times || (times == best_times && s->pc - next > best_length)) {
            best = s->pc;
            best_length = s->pc - next;
            best_times = times;
        }
        if (t->n > 1024 && best_times == 1)
            break;
    }
    return best;
}

uintptr_t poll_break_place(const struct rank *r, const struct poll_turn *t)
{
    for (uint32_t k = 0; k < t->n; k++)
        if (*(const unsigned char *)t->step[k].pc == BREAKPOINT)
            return 0; /* it has one */
    return best_jump(r, t);
}

void poll_break_add(const struct rank *r, const struct poll_finding *f)
{
    struct place *p = place_at(r, f->jump), new = {.length_of_turn = f->length};
    if (*(const unsigned char *)f->jump == BREAKPOINT || (p && p->gone))
        return;
    if (!p) {
        if (breaks.n == BREAKS || !read_jump(&new, (const unsigned char *)f->jump) ||
            !(new.object = object_at(r, f->jump, &new.offset)))
            return;
        breaks.at[breaks.n] = new;
        p = &breaks.at[breaks.n++]; /* before the breakpoint: other threads may come to it at once */
    }
    write_all(p, BREAKPOINT);
}

uint32_t poll_break_budget(const struct rank *r, uintptr_t pc)
{
    const struct place *p = place_at(r, pc);
    return p ? 4 * p->length_of_turn + 256 : 0;
}

void poll_break_missed(const struct rank *r, uintptr_t pc)
{
    struct place *p = place_at(r, pc);
    if (!p || p->gone || ++p->missed < MISSES)
        return;
    p->gone = true;
    write_all(p, p->first);
}

void poll_break_met(const struct rank *r, uintptr_t pc)
{
    struct place *p = place_at(r, pc);
    if (p)
        p->missed = 0;
}

void poll_breaks_end(void)
{
    breaks.n = 0;
}
#endif
