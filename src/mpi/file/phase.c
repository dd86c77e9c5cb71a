/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phase: the time of two-phase accesses. Members tell each other where they access the file (an allgather), and then go
 * through the rounds of the plan: in a write, aggregators receive what the members have in their window and write it; in a
 * read, they read their window and send it. The bytes are in the file, or in the members' memory, before (data.c), so the
 * messages carry none, but take their time. A write ends with an allreduce that tells all of errors.
 *
 *   step of a member         left when
 *   telling                  all have told
 *   fetch (read)             an aggregator has read its window
 *   exchange                 its messages of the round are complete
 *   store (write)            an aggregator has written its window: the next round, or the end
 *   agreeing (write)         all have come to their ends
 */
#include "mpi/file/parts.h"

#include <stdlib.h>

struct mpi_phases {
    struct mpi_io *io;
    struct mpi_turn *turn;
    uint32_t aggregator; /* which one the member is; COLL_NOBODY: none */
    uint32_t round, step;
    bool starting, ready;        /* a step is being started, and is over already */
    uint32_t pending;            /* messages of the round under way, and one while they are started */
    uint64_t bytes;              /* of them */
    const struct mpi_step *told; /* that traces know to be under way; NULL: none */
    uint64_t agreed[2];
};

static struct mpi_cell *cell_of(const struct mpi_phases *s, uint32_t aggregator)
{
    const struct mpi_plan *p = s->turn->plan;
    return &p->cell[(size_t)aggregator * p->rounds + s->round];
}

/* What the member handles in this round as an aggregator; NULL: nothing. */
static struct mpi_cell *own_cell(const struct mpi_phases *s)
{
    struct mpi_cell *c = s->aggregator == COLL_NOBODY ? NULL : cell_of(s, s->aggregator);
    return c && c->bytes ? c : NULL;
}

/* --- what traces are told ------------------------------------------------------------------------------- */

static const struct mpi_step telling = {"telling where", TRACE_KIND_ALLGATHER},
                             reading = {"aggregator reads", TRACE_KIND_READ},
                             exchanging = {"exchange", TRACE_KIND_EXCHANGE},
                             writing = {"aggregator writes", TRACE_KIND_WRITE},
                             agreeing = {"agreeing", TRACE_KIND_ALLREDUCE};

static void step_begins(struct mpi_phases *s, const struct mpi_step *step, uint64_t bytes)
{
    s->told = step;
    mpi_step_tell(s->io, true, step, s->round, bytes);
}

static void step_ends(struct mpi_phases *s)
{
    if (s->told)
        mpi_step_tell(s->io, false, s->told, s->round, 0);
    s->told = NULL;
}

/* --- collectives ---------------------------------------------------------------------------------------- */

/* `id`: the number of the members' group. */
static void collective(struct mpi_phases *s, enum coll_op op, uint32_t id, void *to, void *from, size_t bytes,
                       coll_done_fn done)
{
    const struct mpi_file *f = s->io->file;
    struct coll_call call = {.name = s->io->call,
                             .op = op,
                             .me = f->comm->me,
                             .dest = to,
                             .source = from,
                             .bytes = bytes,
                             .element = 8,
                             .operator= {.op = TYPES_MAX, .element = TYPES_UINT64},
                             .group = *f->comm->group,
                             .transport = f->owner->job->transport,
                             .folded = op == COLL_FCOLLECT,
                             .nonblocking = s->io->request != NULL,
                             .inner_source = true,
                             .inner_dest = true};
    call.group.id = id;
    coll_start(f->owner->rank, &call, done, s);
}

/* --- steps of a round ----------------------------------------------------------------------------------- */

static void run(struct mpi_phases *s);

static void step_over(void *arg)
{
    struct mpi_phases *s = arg;
    step_ends(s);
    if (s->starting)
        s->ready = true;
    else
        run(s);
}

/* What an aggregator does with its window. Gaps are read before it is written, if the file can be read. */
static void spend(struct mpi_phases *s, bool write)
{
    struct mpi_spending *d = &s->io->spending;
    const struct mpi_cell *c = own_cell(s);
    if (c && s->io->access.write == write) {
        uint64_t span = (uint64_t)(c->high - c->low);
        bool gaps = write && c->bytes < span && !(s->io->file->opened->amode & MPI_MODE_WRONLY);
        if (gaps)
            mpi_spend_add(d, false, (uint64_t)c->low, span);
        mpi_spend_add(d, write, (uint64_t)c->low, span);
        step_begins(s, write ? &writing : &reading, gaps ? 2 * span : span);
    }
    mpi_spend_start(d);
}

static void fetch(struct mpi_phases *s)
{
    spend(s, false);
}

static void store(struct mpi_phases *s)
{
    spend(s, true);
}

static void exchanged(struct mpi_phases *s)
{
    if (--s->pending == 0)
        step_over(s);
}

static void message_done(struct p2p_request *q, void *arg)
{
    struct mpi_phases *s = arg;
    const struct p2p_status st = *p2p_status(q);
    p2p_request_destroy(q);
    if (BASE_UNLIKELY(st.outcome == P2P_FAILED))
        rank_operation_failed(s->io->file->owner->rank, "a message of a collective access to a file",
                              &st.failure);
    exchanged(s);
}

/* Starts a message between this member and another one. Contexts of files' communicators lie above those of
 * collectives. */
static void message(struct mpi_phases *s, bool send, uint32_t other, uint64_t bytes)
{
    const struct mpi_file *f = s->io->file;
    struct rank *r = f->owner->rank;
    uint32_t peer = coll_group_rank(f->comm->group, other);
    uint32_t context = P2P_INNER_CONTEXTS | f->comm->space->context;
    int32_t tag = (int32_t)(s->turn->number & INT32_MAX);
    const struct p2p_buffer b = {.count = bytes, .layout = types_layout_of(TYPES_BYTE)};
    struct p2p_request *q =
        send ? p2p_send_create(r, peer, context, tag, &b, P2P_STANDARD, s->io->call)
             : p2p_receive_create(r, &(struct p2p_envelope){context, peer, tag}, &b, s->io->call);
    p2p_request_unmoved(q);
    p2p_request_uses_apart(q);
    p2p_request_tell(q, message_done, s);
    s->pending++;
    s->bytes += bytes;
    p2p_start(q, engine_now(r->engine));
}

/* What others have in this member's window, and it in theirs. What it has in its own needs no message. */
static void exchange(struct mpi_phases *s)
{
    const struct mpi_plan *p = s->turn->plan;
    const struct mpi_cell *own = own_cell(s);
    uint32_t me = s->io->file->comm->me;
    bool write = s->io->access.write;
    s->pending = 1;
    s->bytes = 0;
    for (size_t k = 0; own && k < own->shares.n; k++)
        if (own->shares.at[k].member != me)
            message(s, !write, own->shares.at[k].member, own->shares.at[k].bytes);
    for (uint32_t a = 0; a < p->aggregators; a++) {
        uint64_t bytes = p->member[a] == me ? 0 : mpi_plan_bytes(cell_of(s, a), me);
        if (bytes)
            message(s, write, p->member[a], bytes);
    }
    if (s->bytes)
        step_begins(s, &exchanging, s->bytes);
    exchanged(s);
}

/* --- the end -------------------------------------------------------------------------------------------- */

static void end(struct mpi_phases *s)
{
    struct mpi_io *io = s->io;
    mpi_turn_leave(io->file, s->turn);
    free(s);
    io->phases = NULL;
    mpi_io_done(io);
}

static void agreed(void *arg)
{
    struct mpi_phases *s = arg;
    step_ends(s);
    s->io->error = (int)s->agreed[1];
    end(s);
}

static void rounds_over(struct mpi_phases *s)
{
    s->io->error = s->io->spending.error;
    s->agreed[0] = (uint64_t)s->io->error;
    if (!s->io->access.write) {
        end(s);
        return;
    }
    step_begins(s, &agreeing, 0);
    collective(s, COLL_REDUCE, s->turn->apart, &s->agreed[1], &s->agreed[0], 8, agreed);
}

/* Not recursive: most steps of most members are over at once. */
static void run(struct mpi_phases *s)
{
    static void (*const steps[])(struct mpi_phases *) = {fetch, exchange, store};
    do {
        if (s->step == BASE_LENGTH(steps)) {
            s->step = 0;
            s->round++;
        }
        if (s->round == s->turn->plan->rounds) {
            rounds_over(s);
            return;
        }
        s->starting = true;
        s->ready = false;
        steps[s->step++](s);
        s->starting = false;
    } while (s->ready);
}

/* --- the beginning -------------------------------------------------------------------------------------- */

static uint32_t aggregator_of(const struct mpi_plan *p, uint32_t member)
{
    for (uint32_t k = 0; k < p->aggregators && p->member[k] <= member; k++)
        if (p->member[k] == member)
            return k;
    return COLL_NOBODY;
}

static void plan(const struct mpi_io *io, struct mpi_turn *t)
{
    struct mpi_opened *o = io->file->opened;
    t->plan = mpi_plan_make(o, t);
    if (t->plan && io->access.write)
        t->apart = o->apart.n ? o->apart.at[--o->apart.n] : mpi_context_make(o->job);
}

/* All have told where they access the file; the first to learn of it plans. */
static void told(void *arg)
{
    struct mpi_phases *s = arg;
    struct mpi_io *io = s->io;
    struct mpi_turn *t = s->turn;
    step_ends(s);
    if (!t->solved)
        plan(io, t);
    t->solved = true;
    if (!t->plan) {
        mpi_turn_leave(io->file, t);
        free(s);
        io->phases = NULL;
        mpi_spend_alone(io);
        return;
    }
    io->spending = (struct mpi_spending){.store = io->file->store, .done = step_over, .arg = s};
    s->aggregator = aggregator_of(t->plan, io->file->comm->me);
    run(s);
}

void mpi_spend_together(struct mpi_io *io)
{
    struct mpi_file *f = io->file;
    uint32_t n = f->opened->n;
    if (n == 1 || f->hints.collective[io->access.write] == MPI_CHOICE_DISABLE) {
        mpi_spend_alone(io);
        return;
    }
    struct mpi_phases *s = io->phases = base_zalloc(sizeof *s, "collective accesses to files");
    struct mpi_turn *t = mpi_turn_enter(f);
    struct mpi_seat_of_file *seat = &t->seat[f->comm->me];
    s->io = io;
    s->turn = t;
    seat->io = io;
    seat->low = io->low;
    seat->high = io->high;
    if (!t->scratch)
        t->scratch = base_zalloc((size_t)(n + 1) * 16, "collective accesses to files");
    step_begins(s, &telling, 0);
    collective(s, COLL_FCOLLECT, f->comm->group->id, t->scratch, t->scratch + 2 * (size_t)n, 16, told);
}
