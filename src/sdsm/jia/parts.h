/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts: what the files of jia/ share. jia/ is JIAJIA's interface (W. Hu, W. Shi, Z. Tang, HPCN 1999) over
 * the S-DSM's records and servers: shared memory behind plain pointers, scope consistency, any number of
 * writers of a page.
 *
 * A page has a home, a server, which has the bytes of all who have released them. A client's copy is
 *
 *   state    the client has                               left by
 *   INVALID  no copy; any access faults                   a load or store: the home's bytes are fetched
 *   CLEAN    a copy; a store faults                       a store: WRITTEN; a notice: INVALID
 *   WRITTEN  a copy, and a twin of what it was before     a release: the difference goes to the home. CLEAN,
 *                                                         or WRITTEN again, if it was the interval before
 *
 * A release (unlock, barrier) sends the differences to the homes, then the numbers of the pages, the notices,
 * with the lock or the barrier. Who acquires the lock next, or leaves the barrier, gets the notices of what
 * others have written and drops its copies.
 *
 * Invariants
 *  J1  A page is WRITTEN if and only if it has a twin. It is in `written` then, perhaps with others that no
 *      longer are.
 *  J2  Notices reach the next holder of a lock only behind the differences: they go to the same server behind
 *      them, or not before their home has answered.
 *  J3  Every page whose difference was sent since the last barrier is in `told`, behind the place where each
 *      lock that was held then was acquired.
 */
#ifndef SAT_JIA_PARTS_H
#define SAT_JIA_PARTS_H

#include "jia.h"
#include "sdsm/internal.h"
#include "sdsm/jia/runs.h"

enum jia_state { JIA_INVALID, JIA_CLEAN, JIA_WRITTEN };

struct jia_page {
    char *twin;
    uint32_t told; /* 1 + the index of its last entry in `told`; 0: none since the last barrier */
    int16_t home;  /* number of the server in the list; -1: not allocated; -2: freed */
    uint8_t state;
    uint8_t faults; /* intervals that began to write it, since it was last fetched or long idle */
    uint8_t idle;   /* releases that found nothing written in it */
};
enum { JIA_NOT_ALLOCATED = -1, JIA_FREED = -2 };

struct jia_pages {
    uint32_t *at;
    size_t n, cap;
};
void jia_pages_push(struct jia_pages *p, uint32_t page);

struct jia_held {
    int lock;
    size_t told; /* entries when it was acquired */
};

struct jia_block {
    uint32_t first, pages;
    bool freed;
};

/* A client's. */
struct jia_client {
    bool open;    /* between jia_init and jia_exit */
    char *at;     /* the shared memory, the same address at all */
    char *inside; /* the same bytes, always accessible */
    size_t page_bytes, bytes;
    uint32_t pages, allocated; /* in the memory; from its start on */
    struct jia_page *page;
    struct jia_pages written, told;
    struct jia_held *held;
    size_t n_held;
    uint32_t barriers; /* passed */
    uint64_t calls;    /* hash of the allocations so far */
    int next_host;     /* of jia_alloc */
    uint64_t random;   /* of jia_alloc_random */
    uint64_t awaited;  /* the page that a fault waits for */
    bool *sent;        /* of each server: it was sent differences that it has not confirmed */
    bool stay;         /* pages that are written again and again stay WRITTEN */
    int flushing;      /* confirmations that are awaited */
    char *answer;      /* notices or a message that came with the last answer */
    uint64_t answer_bytes;
    char *twins;              /* unused ones, each with a pointer to the next */
    struct jia_block *blocks; /* allocations, in the order of their addresses */
    size_t n_blocks;
};
extern struct jia_client jia;

/* --- memory.c: mappings and their protection ------------------------------------------------------- */

enum { JIA_NO_ACCESS, JIA_READ, JIA_READ_WRITE }; /* pgasim.h's numbers */
/* Fills in at, inside, bytes. `fault`: as pgasim_view_make's. */
void jia_memory_open(size_t bytes, int (*fault)(void *address, int store));
void jia_memory_protect(uint32_t page, uint32_t n, int access);
void jia_memory_close(void);
static inline char *jia_bytes(uint32_t page)
{
    return jia.inside + (size_t)page * jia.page_bytes;
}

/* --- page.c: copies of pages ----------------------------------------------------------------------- */

int jia_fault(void *address, int store);
/* Sends all differences; when it returns, the homes other than `manager` have them. */
void jia_release_pages(int manager);
void jia_invalidate(const struct jia_notice *notices, size_t n);
void jia_page_arrived(const struct sat_record *r, const char *data);
void jia_drop_freed(uint32_t page, uint32_t n);
void jia_pages_end(void);

/* --- events.c: statistics; only while sat_stats_on ------------------------------------------------ */

void jia_tell_allocated(uint32_t page);
void jia_tell_fetch(uint32_t page);
void jia_tell_fetched(uint32_t page);
void jia_tell_written(uint32_t page);
void jia_tell_released(uint32_t page); /* before its twin goes */

/* --- client.c: the client's side of all calls ------------------------------------------------------ */

/* A request to the server that is number `home` of the list; nothing is awaited. */
void jia_ask(enum sat_request request, uint64_t id, int home, uint64_t argument, const void *data,
             uint64_t bytes);
/* The program is in a call: time is the S-DSM's. A call outside of jia_init ... jia_exit is an error. */
enum sat_class jia_enter(const char *call);
void jia_handle(const struct sat_record *r, const char *data);
_Noreturn void jia_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* --- server.c, manager.c: the server's side ------------------------------------------------------- */

void jia_serve(int from, const struct sat_record *r, const char *data);
void jia_manage(const struct sat_record *r, const char *data);
void jia_server_release(void);
void jia_manager_release(void);
void jia_manager_tell(struct sat_text *t);

#endif
