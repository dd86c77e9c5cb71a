/* SPDX-License-Identifier: BSD-3-Clause */
/* sources: see sources.h. */
#include "replay/sources/sources.h"

#include <mpi.h>

#include <stdlib.h>
#include <string.h>

struct replay_sources {
    struct replay_tape *tape;
    struct replay_cursor cursor;
};

struct replay_sources *replay_sources_create(struct replay_tape *t, uint32_t rank)
{
    if (!replay_tape_sources(t))
        return NULL;
    struct replay_sources *s = base_zalloc(sizeof *s, "sources of a trace");
    s->tape = t;
    replay_cursor_begin(t, rank, &s->cursor);
    s->cursor.sources = true;
    return s;
}

void replay_sources_destroy(struct replay_sources *s)
{
    if (s)
        replay_cursor_end(&s->cursor);
    free(s);
}

enum replay_source replay_sources_next(struct replay_sources *s, int64_t *source, int64_t *tag)
{
    struct replay_action a = {0};
    do
        if (!replay_cursor_next(s->tape, &s->cursor, &a))
            return REPLAY_SOURCE_MISSING;
    while (a.kind != REPLAY_SOURCE);
    *source = a.peer;
    *tag = a.tag;
    return a.peer != REPLAY_ANY      ? REPLAY_SOURCE_KNOWN
           : a.tag == REPLAY_ANY_TAG ? REPLAY_SOURCE_UNKNOWN
                                     : REPLAY_SOURCE_NOBODY;
}

static bool takes_one(uint32_t function)
{
    static const uint32_t takes[] = {
        RECORD_MPI_RECV,      RECORD_MPI_IRECV,
        RECORD_MPI_SENDRECV,  RECORD_MPI_PROBE,
        RECORD_MPI_IPROBE,    RECORD_MPI_SENDRECV_REPLACE,
        RECORD_MPI_MPROBE,    RECORD_MPI_IMPROBE,
        RECORD_MPI_ISENDRECV, RECORD_MPI_ISENDRECV_REPLACE,
    };
    for (size_t k = 0; k < BASE_LENGTH(takes); k++)
        if (takes[k] == function)
            return true;
    return false;
}

/* Where a parameter's word is; NULL: there is none. */
static int64_t *word_of(const struct replay_words *w, int64_t *words, const char *name)
{
    const struct record_part *p = replay_words_part(w, name);
    return p ? words + (p->at - words) : NULL;
}

int replay_sources_resolve(struct replay_sources *s, uint32_t function, int64_t *words, size_t n,
                           int64_t nobody)
{
    struct replay_words w;
    int64_t from, with;
    if (!takes_one(function))
        return 0;
    replay_words_of(&w, &(struct replay_action){.number = function, .counts = words, .n = (uint32_t)n});
    int64_t *source = word_of(&w, words, "source"), *tag = word_of(&w, words, "tag"),
            *flag = word_of(&w, words, "flag");
    tag = tag ? tag : word_of(&w, words, "recvtag");
    if (!source || !tag || (*source != MPI_ANY_SOURCE && *tag != MPI_ANY_TAG) || *source == MPI_PROC_NULL ||
        (flag && !*flag))
        return 0;
    enum replay_source found = replay_sources_next(s, &from, &with);
    if (found != REPLAY_SOURCE_KNOWN) {
        if (found == REPLAY_SOURCE_NOBODY && nobody == MPI_ANY_SOURCE)
            *tag = INT32_MAX; /* which nobody uses */
        else if (found == REPLAY_SOURCE_NOBODY)
            *source = nobody;
        return found == REPLAY_SOURCE_MISSING ? -1 : 0;
    }
    *source = *source == MPI_ANY_SOURCE ? from : *source;
    *tag = *tag == MPI_ANY_TAG ? with : *tag;
    return 1;
}
