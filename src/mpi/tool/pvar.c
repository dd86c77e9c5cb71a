/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pvar: performance variables, sessions and handles (MPI-5.0 section 15.3.7). A counter's handle counts while
 * it is started, and its value is its own: it can be written and reset. The other variables are continuous.
 */
#include "mpi/calls.h"
#include "mpi/tool/tool.h"

#include <string.h>

enum variable { SENT, SENT_BYTES, RECEIVED, RECEIVED_BYTES, UNEXPECTED, POSTED, WAITING, CLOCK, VARIABLES };
static const struct {
    const char *name, *text;
    int class;
} variables[VARIABLES] = {
    [SENT] = {"messages_sent", "messages that the rank has sent, without those of collectives",
              MPI_T_PVAR_CLASS_COUNTER},
    [SENT_BYTES] = {"bytes_sent", "bytes of data in these messages", MPI_T_PVAR_CLASS_COUNTER},
    [RECEIVED] = {"messages_received", "messages that the rank has received, without those of collectives",
                  MPI_T_PVAR_CLASS_COUNTER},
    [RECEIVED_BYTES] = {"bytes_received", "bytes of data in these messages", MPI_T_PVAR_CLASS_COUNTER},
    [UNEXPECTED] = {"unexpected_messages", "messages to the rank for which no receive was posted",
                    MPI_T_PVAR_CLASS_COUNTER},
    [POSTED] = {"posted_recvq_length", "posted receives that wait for a message", MPI_T_PVAR_CLASS_LEVEL},
    [WAITING] = {"unexpected_recvq_length", "messages that wait for a receive", MPI_T_PVAR_CLASS_LEVEL},
    [CLOCK] = {"simulated_time", "seconds of simulated time since the job's start", MPI_T_PVAR_CLASS_TIMER},
};

int mpi_tool_pvars(void)
{
    return VARIABLES;
}

static bool is_counter(int v)
{
    return variables[v].class == MPI_T_PVAR_CLASS_COUNTER;
}

static MPI_Datatype type_of(int v)
{
    return v == CLOCK ? MPI_DOUBLE : is_counter(v) ? MPI_UNSIGNED_LONG_LONG : MPI_UNSIGNED;
}

static uint64_t value_of(const struct mpi_call *c, int v)
{
    struct p2p_traffic t = p2p_traffic(c->rank);
    struct p2p_queued q = p2p_queued(c->rank);
    const uint64_t values[VARIABLES] = {t.sent,       t.sent_bytes, t.received, t.received_bytes,
                                        t.unexpected, q.receives,   q.messages};
    return values[v];
}

int mpi_t_pvar_get_num(struct mpi_call *c, int *num_pvar)
{
    if (!mpi_tool_open(c))
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!num_pvar)
        return MPI_T_ERR_INVALID;
    *num_pvar = VARIABLES;
    return MPI_SUCCESS;
}

int mpi_t_pvar_get_info(struct mpi_call *c, int pvar_index, char *name, int *name_len, int *verbosity,
                        int *var_class, MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc,
                        int *desc_len, int *bind, int *readonly, int *continuous, int *atomic)
{
    if (!mpi_tool_open(c))
        return MPI_T_ERR_NOT_INITIALIZED;
    if (pvar_index < 0 || pvar_index >= VARIABLES)
        return MPI_T_ERR_INVALID_INDEX;
    mpi_tool_text(variables[pvar_index].name, name, name_len);
    mpi_tool_text(variables[pvar_index].text, desc, desc_len);
    mpi_tool_put(verbosity, MPI_T_VERBOSITY_USER_BASIC);
    mpi_tool_put(var_class, variables[pvar_index].class);
    mpi_tool_put(bind, MPI_T_BIND_NO_OBJECT);
    mpi_tool_put(readonly, !is_counter(pvar_index));
    mpi_tool_put(continuous, !is_counter(pvar_index));
    mpi_tool_put(atomic, is_counter(pvar_index));
    if (datatype)
        *datatype = type_of(pvar_index);
    if (enumtype)
        *enumtype = MPI_T_ENUM_NULL;
    return MPI_SUCCESS;
}

int mpi_t_pvar_get_index(struct mpi_call *c, const char *name, int var_class, int *pvar_index)
{
    if (!mpi_tool_open(c))
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!name || !pvar_index)
        return MPI_T_ERR_INVALID;
    for (int v = 0; v < VARIABLES; v++)
        if (!strcmp(variables[v].name, name) && variables[v].class == var_class) {
            *pvar_index = v;
            return MPI_SUCCESS;
        }
    return MPI_T_ERR_INVALID_NAME;
}

/* --- sessions and handles ------------------------------------------------------------------------------ */

int mpi_t_pvar_session_create(struct mpi_call *c, MPI_T_pvar_session *session)
{
    if (!mpi_tool_open(c))
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!session)
        return MPI_T_ERR_INVALID;
    *session = MPI_HANDLE(MPI_T_pvar_session, mpi_tool_create(c->self, MPI_TOOL_SESSION, 0)->object.handle);
    return MPI_SUCCESS;
}

/* What is done to each handle of a session. */
struct all {
    const struct mpi_call *c;
    uint32_t session;
    int (*fn)(const struct mpi_call *c, struct mpi_tool *t);
};

static void one_of_all(void *arg, void *object)
{
    const struct all *a = arg;
    struct mpi_tool *t = object;
    if (t->what == MPI_TOOL_PVAR && t->owner == a->session)
        a->fn(a->c, t);
}

static int destroy(const struct mpi_call *c, struct mpi_tool *t)
{
    mpi_tool_destroy(c->self, t);
    return MPI_SUCCESS;
}

/* Does it to one handle, or to all of the session. */
static int apply(const struct mpi_call *c, MPI_T_pvar_session session, MPI_T_pvar_handle handle, bool all,
                 int (*fn)(const struct mpi_call *c, struct mpi_tool *t))
{
    if (!mpi_tool_open(c))
        return MPI_T_ERR_NOT_INITIALIZED;
    const struct mpi_tool *s = mpi_tool_find(c, MPI_TOOL_SESSION, session);
    if (!s)
        return MPI_T_ERR_INVALID_SESSION;
    if (all && handle == MPI_T_PVAR_ALL_HANDLES) {
        mpi_handle_each(c->self, MPI_KIND_TOOL, one_of_all, &(struct all){c, s->object.handle, fn});
        return MPI_SUCCESS;
    }
    struct mpi_tool *t = mpi_tool_find(c, MPI_TOOL_PVAR, handle);
    return t && t->owner == s->object.handle ? fn(c, t) : MPI_T_ERR_INVALID_HANDLE;
}

int mpi_t_pvar_session_free(struct mpi_call *c, MPI_T_pvar_session *session)
{
    int rc = apply(c, session ? *session : NULL, MPI_T_PVAR_ALL_HANDLES, true, destroy);
    if (rc != MPI_SUCCESS || !session)
        return rc;
    mpi_tool_destroy(c->self, mpi_tool_find(c, MPI_TOOL_SESSION, *session));
    *session = MPI_T_PVAR_SESSION_NULL;
    return MPI_SUCCESS;
}

int mpi_t_pvar_handle_alloc(struct mpi_call *c, MPI_T_pvar_session session, int pvar_index, void *obj_handle,
                            MPI_T_pvar_handle *handle, int *count)
{
    (void)obj_handle;
    if (!mpi_tool_open(c))
        return MPI_T_ERR_NOT_INITIALIZED;
    const struct mpi_tool *s = mpi_tool_find(c, MPI_TOOL_SESSION, session);
    if (!s)
        return MPI_T_ERR_INVALID_SESSION;
    if (pvar_index < 0 || pvar_index >= VARIABLES)
        return MPI_T_ERR_INVALID_INDEX;
    if (!handle || !count)
        return MPI_T_ERR_INVALID;
    struct mpi_tool *t = mpi_tool_create(c->self, MPI_TOOL_PVAR, pvar_index);
    t->owner = s->object.handle;
    t->started = !is_counter(pvar_index);
    *handle = MPI_HANDLE(MPI_T_pvar_handle, t->object.handle);
    *count = 1;
    return MPI_SUCCESS;
}

int mpi_t_pvar_handle_free(struct mpi_call *c, MPI_T_pvar_session session, MPI_T_pvar_handle *handle)
{
    int rc = apply(c, session, handle ? *handle : NULL, false, destroy);
    if (rc == MPI_SUCCESS && handle)
        *handle = MPI_T_PVAR_HANDLE_NULL;
    return rc;
}

/* --- values -------------------------------------------------------------------------------------------- */

static int start(const struct mpi_call *c, struct mpi_tool *t)
{
    if (!is_counter(t->index))
        return MPI_T_ERR_PVAR_NO_STARTSTOP;
    if (!t->started)
        t->from = value_of(c, t->index);
    t->started = true;
    return MPI_SUCCESS;
}

static uint64_t counted(const struct mpi_call *c, const struct mpi_tool *t)
{
    return t->before + (t->started ? value_of(c, t->index) - t->from : 0);
}

static int stop(const struct mpi_call *c, struct mpi_tool *t)
{
    if (!is_counter(t->index))
        return MPI_T_ERR_PVAR_NO_STARTSTOP;
    t->before = counted(c, t);
    t->started = false;
    return MPI_SUCCESS;
}

static int set(const struct mpi_call *c, struct mpi_tool *t, uint64_t value)
{
    if (!is_counter(t->index))
        return MPI_T_ERR_PVAR_NO_WRITE;
    t->before = value;
    t->from = value_of(c, t->index);
    return MPI_SUCCESS;
}

static int reset(const struct mpi_call *c, struct mpi_tool *t)
{
    return set(c, t, 0);
}

int mpi_t_pvar_start(struct mpi_call *c, MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    return apply(c, session, handle, true, start);
}

int mpi_t_pvar_stop(struct mpi_call *c, MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    return apply(c, session, handle, true, stop);
}

int mpi_t_pvar_reset(struct mpi_call *c, MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    return apply(c, session, handle, true, reset);
}

static int exists(const struct mpi_call *c, struct mpi_tool *t)
{
    (void)c;
    (void)t;
    return MPI_SUCCESS;
}

int mpi_t_pvar_read(struct mpi_call *c, MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf)
{
    int rc = apply(c, session, handle, false, exists);
    if (rc != MPI_SUCCESS || !buf)
        return rc != MPI_SUCCESS ? rc : MPI_T_ERR_INVALID;
    const struct mpi_tool *t = mpi_tool_find(c, MPI_TOOL_PVAR, handle);
    if (t->index == CLOCK)
        *(double *)buf = engine_now(c->rank->engine);
    else if (is_counter(t->index))
        *(unsigned long long *)buf = counted(c, t);
    else
        *(unsigned *)buf = (unsigned)value_of(c, t->index);
    return MPI_SUCCESS;
}

int mpi_t_pvar_readreset(struct mpi_call *c, MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf)
{
    int rc = apply(c, session, handle, false, exists);
    if (rc != MPI_SUCCESS || !buf)
        return rc != MPI_SUCCESS ? rc : MPI_T_ERR_INVALID;
    struct mpi_tool *t = mpi_tool_find(c, MPI_TOOL_PVAR, handle);
    if (!is_counter(t->index))
        return MPI_T_ERR_PVAR_NO_ATOMIC;
    *(unsigned long long *)buf = counted(c, t);
    return reset(c, t);
}

int mpi_t_pvar_write(struct mpi_call *c, MPI_T_pvar_session session, MPI_T_pvar_handle handle,
                     const void *buf)
{
    int rc = apply(c, session, handle, false, exists);
    if (rc != MPI_SUCCESS || !buf)
        return rc != MPI_SUCCESS ? rc : MPI_T_ERR_INVALID;
    struct mpi_tool *t = mpi_tool_find(c, MPI_TOOL_PVAR, handle);
    return is_counter(t->index) ? set(c, t, *(const unsigned long long *)buf) : MPI_T_ERR_PVAR_NO_WRITE;
}
