/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * buffers: memory of calls. What is sent are zeros of one piece of memory, which several sends may read at once. What is
 * written to, and arrays, are blocks of their own that are used again when the call or its request is over.
 */
#include <stdlib.h>
#include <string.h>

#include "play/play.h"

struct play_block {
    struct play_block *next;
    unsigned size; /* class: a power of two */
    _Alignas(64) char bytes[];
};

void *play_keep(struct play_call *c, size_t bytes)
{
    struct play *p = c->play;
    unsigned size = 6;
    while (size < 63 && ((size_t)1 << size) < bytes)
        size++;
    struct play_block *b = p->spare[size], **owner = c->later ? &c->later->blocks : &p->blocks;
    if (b)
        p->spare[size] = b->next;
    else if (size > 46 || posix_memalign((void **)&b, 64, sizeof *b + ((size_t)1 << size)))
        play_stop(p, c->f->name, "as much memory");
    b->next = *owner;
    b->size = size;
    *owner = b;
    return b->bytes;
}

void play_give_back(struct play *p, struct play_block **blocks)
{
    while (*blocks) {
        struct play_block *b = *blocks;
        *blocks = b->next;
        b->next = p->spare[b->size];
        p->spare[b->size] = b;
    }
}

void play_memory_release(struct play *p)
{
    for (size_t k = 0; k < p->n_requests; k++) {
        if (p->requests[k] && p->requests[k]->request == MPI_REQUEST_NULL)
            play_give_back(p, &p->requests[k]->blocks);
        free(p->requests[k]);
    }
    free(p->requests);
    play_give_back(p, &p->blocks);
    for (size_t k = 0; k < sizeof p->spare / sizeof *p->spare; k++)
        while (p->spare[k]) {
            struct play_block *b = p->spare[k];
            p->spare[k] = b->next;
            free(b);
        }
    for (int o = 0; o < RECORD_OBJECTS; o++) {
        free(p->objects[o].at);
        free(p->objects[o].made);
    }
    free(p->attached);
    free(p->sends);
    for (int k = 0; k < 64; k++)
        free(p->outgrown[k]);
    play_trace_release(&p->trace);
}

/* Bytes that elements take, and how far before the buffer's address the first one begins. */
static size_t span(MPI_Aint count, MPI_Datatype type, MPI_Aint *before)
{
    MPI_Aint lower, extent, true_lower, true_extent;
    *before = 0;
    if (count <= 0 || type == MPI_DATATYPE_NULL)
        return 0;
    MPI_Type_get_extent(type, &lower, &extent);
    MPI_Type_get_true_extent(type, &true_lower, &true_extent);
    MPI_Aint last = (count - 1) * extent, least = last < 0 ? last : 0, most = last < 0 ? 0 : last;
    *before = -(true_lower + least);
    return (size_t)(most - least + true_extent);
}

/* Sends may still read the old memory when more is needed: it stays, and is at most as much as the new one. */
static char *zeros(struct play_call *c, size_t bytes)
{
    struct play *p = c->play;
    if (bytes > p->sends_size) {
        size_t size = bytes < 4096 ? 4096 : 2 * bytes;
        for (int k = 0; p->sends && k < 64; k++)
            if (!p->outgrown[k]) {
                p->outgrown[k] = p->sends;
                break;
            }
        p->sends = calloc(1, size);
        p->sends_size = size;
        if (!p->sends)
            play_stop(p, c->f->name, "as much memory");
    }
    return p->sends;
}

static void *placed(char *at, MPI_Aint before)
{
    return (void *)((uintptr_t)at + (uintptr_t)before);
}

void *play_from(struct play_call *c, uint32_t k, MPI_Aint count, MPI_Datatype type)
{
    MPI_Aint before;
    if (c->part[k].at[0] == RECORD_IN_PLACE)
        return MPI_IN_PLACE;
    size_t bytes = span(count, type, &before);
    return placed(zeros(c, bytes + 1), before);
}

void *play_into(struct play_call *c, uint32_t k, MPI_Aint count, MPI_Datatype type)
{
    MPI_Aint before;
    if (c->part[k].at[0] == RECORD_IN_PLACE)
        return MPI_IN_PLACE;
    size_t bytes = span(count, type, &before);
    return placed(play_keep(c, bytes + 1), before);
}

MPI_Aint play_reach(const int *counts, const int *displs, int n)
{
    MPI_Aint most = 0, end;
    for (int k = 0; counts && k < n; k++) {
        end = (MPI_Aint)(displs ? displs[k] : 0) + counts[k];
        if (counts[k] > 0 && end > most)
            most = end;
    }
    return most;
}
