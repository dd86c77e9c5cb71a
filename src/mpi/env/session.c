/* SPDX-License-Identifier: BSD-3-Clause */
/* session: sessions and their process sets (MPI-5.0 section 11.3). */
#include "mpi/calls.h"
#include "mpi/env/parts.h"
#include "mpi/info/info.h"

#include <stdlib.h>
#include <string.h>

struct mpi_session {
    struct mpi_guarded guarded; /* first */
    int level;
};

/* What Group_from_session_pset knows. */
static const char *const psets[] = {"mpi://WORLD", "mpi://SELF"};

static struct mpi_session *session_of(struct mpi_call *c, MPI_Session session, int *rc)
{
    struct mpi_session *s = mpi_find(c->self, MPI_KIND_SESSION, session);
    if (!s)
        *rc = mpi_fail(c, NULL, MPI_ERR_SESSION, "%#lx is no session%s", (unsigned long)(uintptr_t)session,
                       session == MPI_SESSION_NULL ? " (MPI_SESSION_NULL)" : "");
    return s;
}

static void drop(void *arg, void *object)
{
    struct mpi_session *s = object;
    (void)arg;
    mpi_errhandler_release(s->guarded.errhandler);
    free(s);
}

int mpi_session_init(struct mpi_call *c, MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session)
{
    static const struct {
        const char *name;
        int level;
    } levels[] = {{"MPI_THREAD_SINGLE", MPI_THREAD_SINGLE},
                  {"MPI_THREAD_FUNNELED", MPI_THREAD_FUNNELED},
                  {"MPI_THREAD_SERIALIZED", MPI_THREAD_SERIALIZED},
                  {"MPI_THREAD_MULTIPLE", MPI_THREAD_MULTIPLE}};
    struct mpi_rank *self = c->self;
    if (!session)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address for the handle is NULL");
    const struct mpi_info *hints = mpi_info_find(self, info);
    if (!hints && info != MPI_INFO_NULL)
        return mpi_fail(c, NULL, MPI_ERR_INFO, "%#lx is no info object", (unsigned long)(uintptr_t)info);
    struct mpi_errhandler *handler = mpi_errhandler_find(self, errhandler);
    if (!handler || (handler->reaction == MPI_REACT_CALL && handler->about != MPI_ABOUT_SESSION))
        return mpi_fail(c, NULL, MPI_ERR_ERRHANDLER, "%#lx is no error handler for sessions",
                        (unsigned long)(uintptr_t)errhandler);
    struct mpi_session *s = base_zalloc(sizeof *s, "sessions");
    s->guarded.errhandler = mpi_errhandler_retain(handler);
    s->guarded.about = MPI_ABOUT_SESSION;
    s->level = MPI_THREAD_MULTIPLE;
    const char *wanted = mpi_info_value(hints, "thread_level");
    size_t k = 0;
    while (wanted && k < BASE_LENGTH(levels) && strcmp(wanted, levels[k].name))
        k++;
    if (k == BASE_LENGTH(levels)) {
        int rc = mpi_fail(c, &s->guarded, MPI_ERR_INFO_VALUE,
                          "thread_level is \"%s\": expected MPI_THREAD_SINGLE or another level", wanted);
        drop(NULL, s);
        return rc;
    }
    if (wanted)
        s->level = levels[k].level;
    *session = MPI_HANDLE(MPI_Session, mpi_handle_make(self, MPI_KIND_SESSION, &s->guarded.object));
    self->sessions++;
    if (s->level > self->level)
        self->level = s->level;
    if (!self->main)
        self->main = engine_current(c->rank->engine);
    mpi_open_update(self);
    return MPI_SUCCESS;
}

int mpi_session_finalize(struct mpi_call *c, MPI_Session *session)
{
    int rc = MPI_SUCCESS;
    if (!session)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the handle's address is NULL");
    struct mpi_session *s = session_of(c, *session, &rc);
    if (!s)
        return rc;
    mpi_handle_drop(c->self, &s->guarded.object);
    mpi_errhandler_release(s->guarded.errhandler);
    free(s);
    *session = MPI_SESSION_NULL;
    c->self->sessions--;
    mpi_open_update(c->self);
    return MPI_SUCCESS;
}

int mpi_session_get_info(struct mpi_call *c, MPI_Session session, MPI_Info *info_used)
{
    int rc = MPI_SUCCESS;
    struct mpi_info *info = NULL;
    const struct mpi_session *s = session_of(c, session, &rc);
    if (!s)
        return rc;
    if (!info_used)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address for the info object is NULL");
    mpi_info_put(&info, "thread_level", mpi_info_level(s->level));
    *info_used = mpi_info_handle(c->self, info);
    return MPI_SUCCESS;
}

/* --- process sets -------------------------------------------------------------------------------------- */

int mpi_session_get_num_psets(struct mpi_call *c, MPI_Session session, MPI_Info info, int *npset_names)
{
    int rc = MPI_SUCCESS;
    (void)info;
    struct mpi_session *s = session_of(c, session, &rc);
    if (s && !npset_names)
        return mpi_fail(c, &s->guarded, MPI_ERR_ARG, "the address for the number is NULL");
    if (s)
        *npset_names = (int)BASE_LENGTH(psets);
    return rc;
}

int mpi_session_get_nth_pset(struct mpi_call *c, MPI_Session session, MPI_Info info, int n, int *pset_len,
                             char *pset_name)
{
    int rc = MPI_SUCCESS;
    (void)info;
    struct mpi_session *s = session_of(c, session, &rc);
    if (!s)
        return rc;
    if (n < 0 || n >= (int)BASE_LENGTH(psets) || !pset_len || (*pset_len > 0 && !pset_name))
        return mpi_fail(c, &s->guarded, MPI_ERR_ARG, "process set %d: there are 0 to %zu", n,
                        BASE_LENGTH(psets) - 1);
    if (*pset_len > 0)
        snprintf(pset_name, (size_t)*pset_len, "%s", psets[n]);
    *pset_len = (int)strlen(psets[n]) + 1;
    return MPI_SUCCESS;
}

int mpi_session_get_pset_info(struct mpi_call *c, MPI_Session session, const char *pset_name, MPI_Info *info)
{
    int rc = MPI_SUCCESS;
    MPI_Group group;
    char text[16];
    struct mpi_info *out = NULL;
    int size;
    struct mpi_session *s = session_of(c, session, &rc);
    if (!s || (rc = mpi_group_from_session_pset(c, session, pset_name, &group)))
        return rc;
    if (group == MPI_GROUP_NULL || !info)
        return mpi_fail(c, &s->guarded, MPI_ERR_ARG,
                        "there is no process set '%s', or no address for the result", pset_name);
    mpi_group_size(c, group, &size);
    mpi_group_free(c, &group);
    snprintf(text, sizeof text, "%d", size);
    mpi_info_put(&out, "mpi_size", text);
    *info = mpi_info_handle(c->self, out);
    return MPI_SUCCESS;
}

void mpi_sessions_release(struct mpi_rank *self)
{
    mpi_handle_each(self, MPI_KIND_SESSION, drop, NULL);
}
