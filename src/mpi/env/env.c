/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * env: start and end of the library in the world model (MPI-5.0 section 11.2), thread levels, abort. Start
 * and end cost no simulated time but that of smpi/init: a launcher's work is not modelled.
 */
#include "mpi/calls.h"
#include "mpi/collective/collective.h"
#include "mpi/comm/comm.h"
#include "mpi/env/parts.h"
#include "mpi/file/file.h"
#include "mpi/info/info.h"
#include "mpi/message/message.h"
#include "mpi/process/process.h"
#include "mpi/tool/tool.h"
#include "mpi/type/type.h"
#include "mpi/win/win.h"

#include <stdlib.h>

const struct base_setting mpi_settings[] = {
    {"mpi/buffering", BASE_TEXT, "eager", "eager or none",
     "none: a standard send always waits for its receive, so that programs which need buffering deadlock",
     "MPI-5.0 section 3.4 allows both"},
    {"mpi/check-buffers", BASE_BOOL, "no", NULL,
     "whether buffers of requests that are not complete are watched: overlaps, and sends whose data change "
     "(by default, with --check)",
     "costs time; MPI-5.0 section 3.7.2"},
    {"mpi/check-types", BASE_BOOL, "no", NULL,
     "whether the datatypes of messages are compared with those of their receives (by default, with --check)",
     "costs time; MPI-5.0 section 3.3.1"},
    {"mpi/connect-timeout", BASE_TIME, "180s", BASE_TIMES,
     "how long MPI_Comm_connect waits for MPI_Comm_accept, unless its info key `timeout` says otherwise; "
     "then it fails",
     "MPI-5.0 section 11.9.3 allows it; MPICH's default"},
    {"mpi/shared-pointer", BASE_TIME, "1us", BASE_TIMES,
     "how long the keeper of a file's shared pointer, its first member, serves one access that uses it",
     "docs/mpi-io.md"},
    {"mpi/win-model", BASE_TEXT, "unified", "unified or separate",
     "the memory model of windows: separate keeps a public copy of each, so that a missing synchronization "
     "shows",
     "MPI-5.0 section 12.4"},
};
const size_t mpi_settings_count = BASE_LENGTH(mpi_settings);

/* --- start --------------------------------------------------------------------------------------------- */

void mpi_open_update(struct mpi_rank *self)
{
    bool open = self->state == MPI_STATE_OPEN || self->sessions > 0;
    if (open && !self->open)
        rank_api_opened(self->rank);
    else if (!open && self->open) {
        mpi_leaks_note(self);
        rank_api_closed(self->rank);
    }
    self->open = open;
}

static int level_of(int required)
{
    static const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED};
    for (size_t k = 0; k < BASE_LENGTH(levels); k++)
        if (required <= levels[k])
            return levels[k];
    return MPI_THREAD_MULTIPLE;
}

static int initialize(struct mpi_call *c, int required)
{
    struct mpi_rank *self = c->self;
    if (self->state != MPI_STATE_NONE)
        return mpi_fail(c, NULL, MPI_ERR_OTHER, "MPI %s",
                        self->state == MPI_STATE_OPEN ? "is initialized already"
                                                      : "was finalized: it cannot be initialized again");
    self->state = MPI_STATE_OPEN;
    self->begun = c->rank->caller;
    self->world_level = level_of(required);
    if (self->world_level > self->level)
        self->level = self->world_level;
    self->main = engine_current(c->rank->engine);
    mpi_open_update(self);
    p2p_init_pay(c->rank);
    return MPI_SUCCESS;
}

int mpi_init(struct mpi_call *c, int *argc, char ***argv)
{
    (void)argc;
    if (argv)
        c->self->argv = *argv;
    return initialize(c, MPI_THREAD_SINGLE);
}

int mpi_init_thread(struct mpi_call *c, int *argc, char ***argv, int required, int *provided)
{
    (void)argc;
    if (argv)
        c->self->argv = *argv;
    if (!provided)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address for the level is NULL");
    int rc = initialize(c, required);
    if (!rc)
        *provided = c->self->world_level;
    return rc;
}

/* --- questions ----------------------------------------------------------------------------------------- */

static int tell(struct mpi_call *c, int *to, int value)
{
    if (!to)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address for the result is NULL");
    *to = value;
    return MPI_SUCCESS;
}

int mpi_initialized(struct mpi_call *c, int *flag)
{
    return tell(c, flag, c->self->state != MPI_STATE_NONE);
}

int mpi_finalized(struct mpi_call *c, int *flag)
{
    return tell(c, flag, c->self->state == MPI_STATE_FINALIZED);
}

int mpi_query_thread(struct mpi_call *c, int *provided)
{
    if (!c->self->open)
        mpi_not_open(c->self, c->name);
    return tell(c, provided, c->self->state == MPI_STATE_NONE ? c->self->level : c->self->world_level);
}

int mpi_is_thread_main(struct mpi_call *c, int *flag)
{
    if (!c->self->open)
        mpi_not_open(c->self, c->name);
    return tell(c, flag, engine_current(c->rank->engine) == c->self->main);
}

/* For tools that put themselves before it (section 15.2.4). In a trace it is a mark. */
int mpi_pcontrol(struct mpi_call *c, const int level)
{
    struct trace *t = rank_trace(c->rank->job);
    char text[40];
    snprintf(text, sizeof text, "MPI_Pcontrol(%d)", level);
    if (t->on)
        rank_trace_emit(c->rank, &(struct trace_event){.type = TRACE_MARK, .call = trace_keep(t, text)});
    return MPI_SUCCESS;
}

/* --- end ----------------------------------------------------------------------------------------------- */

int mpi_finalize(struct mpi_call *c)
{
    struct mpi_rank *self = c->self;
    if (self->state != MPI_STATE_OPEN)
        return mpi_fail(c, NULL, MPI_ERR_OTHER, "MPI is not initialized, or was finalized before");
    mpi_comm_finalize(c);
    mpi_message_leftovers(c);
    self->state = MPI_STATE_FINALIZED;
    mpi_open_update(self);
    return MPI_SUCCESS;
}

int mpi_abort(struct mpi_call *c, MPI_Comm comm, int errorcode)
{
    char where[RANK_WHERE_SIZE], name[200] = "no communicator";
    const struct mpi_comm *of = mpi_comm_find(c->self, comm);
    if (of)
        mpi_comm_text(of, name, sizeof name);
    base_error("%s called MPI_Abort(%s, %d)", rank_where(where, c->rank), name, errorcode);
    rank_abort(c->rank, errorcode & 0xff);
}

/* A rank that ends with status 0, but without its finalize: what it sent still arrives. */
static void leave_early(struct rank *r, int code)
{
    struct mpi_rank *self = rank_kept(r, &mpi_slot);
    char place[200] = "";
    if (!self || !self->open || code != 0)
        return;
    bool world = self->state == MPI_STATE_OPEN;
    if (world)
        rank_code_name(r, rank_code_of_low(r, self->begun), place, sizeof place);
    base_warn("misuse/no-finalize", "the rank ended without %s%s%s",
              world ? "MPI_Finalize" : "MPI_Session_finalize", *place ? " after MPI_Init in " : "", place);
    self->state = MPI_STATE_FINALIZED;
    self->sessions = 0;
    mpi_open_update(self);
}

/* Nothing else refers to it: the objects went before. */
static void drop_handler(void *arg, void *object)
{
    (void)arg;
    free(object);
}

static void leave(struct mpi_rank *self)
{
    mpi_blocks_release(self);
    mpi_sessions_release(self);
    mpi_handle_each(self, MPI_KIND_ERRHANDLER, drop_handler, NULL);
    if (self->file)
        mpi_errhandler_release(self->file->errhandler);
    free(self->file);
    mpi_codes_release(self);
}

/* Messages that came after their receivers' ends are lost, too. */
static void job_end(struct rank_job *job)
{
    for (uint32_t k = 0; engine_all_ended(rank_engine(job)) && k < rank_count(job); k++) {
        struct mpi_rank *self = rank_kept(rank_at(job, k), &mpi_slot);
        if (self)
            mpi_message_lost(self);
    }
}

void mpi_register(void)
{
    static const struct mpi_keeper keeper = {.leave = leave};
    static const struct rank_front front = {
        .name = "mpi's end", .job_end = job_end, .rank_exit = leave_early};
    p2p_register(); /* its end is after ours */
    mpi_core_register();
    rank_front_register(&front);
    mpi_keeper_register(&keeper);
    mpi_info_register();
    mpi_type_register();
    mpi_comm_register();
    mpi_coll_register();
    mpi_file_register(); /* its accesses end after their requests */
    mpi_message_register();
    mpi_tool_register();
    mpi_win_register();
    mpi_process_register();
}
