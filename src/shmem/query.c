/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * query: what a program may ask about PEs, addresses and the library (OpenSHMEM 1.6 section 9.1), pointers
 * into other PEs' memory, and the functions without effect.
 *
 * A store through a pointer of shmem_ptr is the program's own; the library does not see it. The storing PE
 * keeps a list of the PEs it has pointers to; each of its calls makes their waiters look again and see
 * earlier stores.
 */
#include "shmem/recorded.h"

#include <stdlib.h>

/* A rank that is ahead of the clock need not wait here. Where computation is measured, this call also charges
 * it. */
static int number(const char *call, bool mine)
{
    const struct rank *ahead = BASE_UNLIKELY(rank_ahead_on) ? rank_ahead : NULL;
    const struct shmem_pe *known = ahead && ahead->measured_from < 0 ? rank_kept(ahead, &shmem_slot) : NULL;
    if (known)
        return (int)(mine ? known->me : known->job->n);
    struct rank *r = rank_enter_issue(call);
    struct shmem_pe *self = shmem_pe_asked(r, call);
    int n = self ? (int)(mine ? self->me : self->job->n) : -1;
    shmem_leave_asked(r, self, call);
    return n;
}

BASE_PUBLIC int shmem_my_pe(void)
{
    return number("shmem_my_pe", true);
}

BASE_PUBLIC int shmem_n_pes(void)
{
    return number("shmem_n_pes", false);
}

BASE_PUBLIC int _my_pe(void)
{
    return number("_my_pe", true);
}

BASE_PUBLIC int _num_pes(void)
{
    return number("_num_pes", false);
}

BASE_PUBLIC int shmem_pe_accessible(int pe)
{
    struct rank *r = rank_enter("shmem_pe_accessible");
    struct shmem_pe *self = shmem_pe_asked(r, "shmem_pe_accessible");
    int is = self && pe >= 0 && (uint32_t)pe < self->job->n;
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_question(r, RECORD_SHMEM_PE_ACCESSIBLE);
    shmem_leave_asked(r, self, "shmem_pe_accessible");
    return is;
}

BASE_PUBLIC int shmem_addr_accessible(const void *addr, int pe)
{
    struct rank *r = rank_enter("shmem_addr_accessible");
    struct shmem_pe *self = shmem_pe_asked(r, "shmem_addr_accessible");
    int is = self && self->depth && pe >= 0 && shmem_symmetric_try(self, addr, 1, (uint32_t)pe) != 0;
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_question(r, RECORD_SHMEM_ADDR_ACCESSIBLE);
    shmem_leave_asked(r, self, "shmem_addr_accessible");
    return is;
}

/* Both may be asked at any time: a program prints them before it starts. */
BASE_PUBLIC void shmem_info_get_version(int *major, int *minor)
{
    *major = SHMEM_MAJOR_VERSION;
    *minor = SHMEM_MINOR_VERSION;
}

BASE_PUBLIC void shmem_info_get_name(char *name)
{
    snprintf(name, SHMEM_MAX_NAME_LEN, "%s", SHMEM_VENDOR_STRING);
}

/* --- pointers ----------------------------------------------------------------------------------- */

void shmem_peers_touch(const struct shmem_pe *self)
{
    if (BASE_UNLIKELY(shmem_recording)) {
        shmem_record_stores(self);
        return;
    }
    for (uint32_t i = 0; i < self->peers->n; i++)
        rma_touched(shmem_rank(self->job, self->peers->at[i]), 0, UINTPTR_MAX);
}

void shmem_peers_drop(struct shmem_pe *self)
{
    if (!self->peers)
        return;
    free(self->peers);
    self->peers = NULL;
    self->job->sharing--;
}

static void remember_peer(struct shmem_pe *self, uint32_t pe)
{
    struct shmem_peers *p = self->peers;
    for (uint32_t i = 0; p && i < p->n; i++)
        if (p->at[i] == pe)
            return;
    if (!p || p->n == p->cap) {
        uint32_t n = p ? p->n : 0, cap = p ? 2 * p->cap : 4;
        if (!p)
            self->job->sharing++;
        p = base_realloc(p, sizeof *p + cap * sizeof p->at[0], "pointers to other PEs' memory");
        p->n = n;
        p->cap = cap;
        self->peers = p;
    }
    p->at[p->n++] = pe;
}

/* Another PE's heap lies apart in this process; its static data is where fold makes it reachable. */
static void *pointer_to(struct shmem_pe *self, const void *dest, int pe, const char *call)
{
    shmem_check_pe(self, pe, call);
    struct rank *there = shmem_rank(self->job, (uint32_t)pe);
    uintptr_t address = shmem_symmetric_try(self, dest, 1, (uint32_t)pe);
    if (!address || there->host != self->rank->host)
        return NULL;
    if ((uint32_t)pe == self->me)
        return (void *)address;
    void *p = (void *)address;
    if (address - self->job->dense >= self->job->heaps)
        p = rank_share(there, address, 1);
    rank_memory_reach(self->job->job);
    remember_peer(self, (uint32_t)pe);
    return p;
}

BASE_PUBLIC void *shmem_ptr(const void *dest, int pe)
{
    struct shmem_pe *self = shmem_enter("shmem_ptr");
    void *p = pointer_to(self, dest, pe, "shmem_ptr");
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_question(self->rank, RECORD_SHMEM_PTR);
    shmem_leave(self, "shmem_ptr");
    return p;
}

BASE_PUBLIC void *shmem_team_ptr(shmem_team_t team, const void *dest, int pe)
{
    static const char call[] = "shmem_team_ptr";
    struct shmem_pe *self = shmem_enter(call);
    struct shmem_team_view v;
    void *p = NULL;
    if (team != SHMEM_TEAM_INVALID) {
        shmem_team_find(self, team, &v, call);
        if (pe < 0 || (uint32_t)pe >= v.group.size)
            rank_program_error(self->rank, call, "PE %d is not in the team: PEs are 0 to %u", pe,
                               v.group.size - 1);
        p = pointer_to(self, dest, (int)shmem_number(self->job, coll_group_rank(&v.group, (uint32_t)pe)),
                       call);
    }
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_question(self->rank, RECORD_SHMEM_TEAM_PTR);
    shmem_leave(self, call);
    return p;
}

/* --- no effect ---------------------------------------------------------------------------------- */

BASE_PUBLIC void shmem_pcontrol(int level, ...)
{
    (void)level;
}

BASE_PUBLIC void shmem_set_cache_inv(void)
{
}

BASE_PUBLIC void shmem_clear_cache_inv(void)
{
}

BASE_PUBLIC void shmem_set_cache_line_inv(void *dest)
{
    (void)dest;
}

BASE_PUBLIC void shmem_clear_cache_line_inv(void *dest)
{
    (void)dest;
}

BASE_PUBLIC void shmem_udcflush(void)
{
}

BASE_PUBLIC void shmem_udcflush_line(void *dest)
{
    (void)dest;
}
