/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sat.h: SAT (Share Among Things), the software distributed shared memory of L. Cudennec,
 * "Software-Distributed Shared Memory for Heterogeneous Machines" (2022), "the paper" below. Link with -lsat;
 * docs/sdsm.md is the manual.
 *
 * The first part has clean names, the second the names of the paper's listings, which stand for them. A
 * program that wants the clean names only defines SAT_NO_SHORT_NAMES.
 *
 * Errors: a call that is wrong ends the run with one message that names the process, the source line and what
 * was expected, and exit status 5. No call returns an error. Threads: the calls of one process must not
 * overlap.
 */
#ifndef SAT_H
#define SAT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- data ----------------------------------------------------------------------------------------- */

/* An instance of a chunk in this process (section 2.2): one of a circular chain whose data are contiguous.
 * `data`: the chunk's bytes within a scope; outside of one, possibly NULL or old, unless they are mapped. */
typedef struct Chunk_t Chunk_t;
struct Chunk_t {
    char *data;
    Chunk_t *next, *prev;        /* in the chain, in the order of its data */
    struct sat_entry *sat_entry; /* the S-DSM's own, from here on */
    struct sat_chain *sat_chain;
    Chunk_t *sat_instance;
    char *sat_memory;
};
/* The chunk's bytes as an array of `type`. */
#define SAT_DATA(chunk, type) ((type *)(void *)(chunk)->data)

/* A consistency protocol and where chunks have their homes. */
typedef struct Consistency_t Consistency_t;

/* The protocols (docs/sdsm.md). The objects live as long as the program. */
Consistency_t *newHomeBaseMESI(void); /* home-mesi: copies stay valid until the home invalidates them */
Consistency_t *newHomeBaseLazy(void); /* home-lazy: every scope asks the home; versions save transfers */
Consistency_t *newUpdate(void);    /* update: as home-lazy, and the home sends new versions to all copies */
Consistency_t *newMigratory(void); /* migratory: one copy, which goes to whoever opens a scope */
Consistency_t *newWriteOnce(void); /* write-once: read-only after its first release */
Consistency_t *newPrivate(void);   /* private: used by one client, without messages */
Consistency_t *newEntry(void);     /* entry: guarded by the lock to which the chunk is bound (Midway) */
Consistency_t *
newMultipleWriter(void); /* multiple-writer: concurrent writers; differences are merged at the home */
/* By name, as --sat-protocol has it; NULL: no such protocol. */
Consistency_t *sat_protocol(const char *name);

/* Which server is the home of chunk `id`, of the list of servers in ascending order. */
enum sat_home {
    SAT_HOME_MODULO,      /* number id mod servers (the paper's) */
    SAT_HOME_CYCLIC,      /* number (id / argument) mod servers: blocks of `argument` chunks */
    SAT_HOME_FIRST_TOUCH, /* the server of the client that is the first to open a scope */
    SAT_HOME_NAMED,       /* number `argument` of the list */
};
/* The same protocol with another choice of homes. All processes must choose alike. */
Consistency_t *sat_with_home(Consistency_t *consistency, enum sat_home home, unsigned long argument);

/* Numbers for sat_malloc_list: kept until the end of sat_bootstrap. */
typedef struct UnsignedLongList_t {
    size_t size;
    unsigned long *data;
} UnsignedLongList_t;
UnsignedLongList_t *sat_list(size_t n, const unsigned long *numbers);

/* --- processes ------------------------------------------------------------------------------------ */

typedef struct Sdsm_t Sdsm_t;
/* This process's S-DSM, as the symbol table's calls take it; NULL outside of sat_bootstrap. */
extern Sdsm_t *sdsm;

typedef struct _SAT_Bootstrap_t {
    int id, role, np; /* rank, role, number of processes */
    int argc;         /* the program's arguments without the S-DSM's; argv[argc] is NULL */
    char **argv;
    int server;             /* rank of this client's server */
    int nclients, nservers; /* in this run */
    Sdsm_t *sdsm;
    void *user; /* the second argument of _SAT_BOOTSTRAP */
} _SAT_Bootstrap_t;
typedef void (*_SAT_Roles_t)(_SAT_Bootstrap_t *bootstrap);

/* Called by all processes (section 3): starts MPI unless the program has, reads the topology, and runs the
 * function of this process's role. Role 0 is the server's and may be NULL; `n`: number of roles, 0: unknown.
 * Returns when the S-DSM has ended: 0. MPI is finalized if it was started here. */
int sat_bootstrap(_SAT_Roles_t *roles, size_t n, void *user, int argc, char **argv);

int sat_client_count(void);
int sat_server_count(void);
int sat_role_count(int role); /* processes that have it */

/* --- the calls; `place`, a string literal, is named in reports (NULL: none) ----------------------- */

/* Chunks id, id + 1, ... of the default size for `size` bytes; the last one is shorter (section 2.2). */
Chunk_t *sat_malloc_at(Consistency_t *consistency, unsigned long id, size_t size, const char *place);
/* A chunk per id; sizes are taken in turn and again from the first. */
Chunk_t *sat_malloc_list_at(Consistency_t *consistency, const UnsignedLongList_t *ids,
                            const UnsignedLongList_t *sizes, const char *place);
/* Chunks that some process allocates; their sizes are learnt when a scope is opened. */
Chunk_t *sat_lookup_at(Consistency_t *consistency, unsigned long id, unsigned n, const char *place);
Chunk_t *sat_lookup_list_at(Consistency_t *consistency, const UnsignedLongList_t *ids, const char *place);
/* As sat_malloc, with the caller's memory, which stays the chunks' data outside of scopes, too. */
Chunk_t *sat_map_at(Consistency_t *consistency, unsigned long id, size_t size, void *data, const char *place);
/* The chunk's size in bytes; asks its home if this process does not know it, and waits until it has one. */
size_t sat_size_at(Chunk_t *chunk, const char *place);
/* Frees the data of the chunk's chain in this process. Other processes and the handle are not affected. */
void sat_free_at(Chunk_t *chunk, const char *place);

/* Scopes (section 2.3). Of the first chunk of a chain, they are of the whole chain; of another, its own. */
void sat_read_at(Chunk_t *chunk, const char *place);
void sat_write_at(Chunk_t *chunk, const char *place);     /* data may be uninitialised */
void sat_readwrite_at(Chunk_t *chunk, const char *place); /* data are up to date */
void sat_release_at(Chunk_t *chunk, const char *place);
void sat_put_at(Chunk_t *chunk, const char *place); /* write and release */
void sat_get_at(Chunk_t *chunk, const char *place); /* read and release */

/* Synchronization (section 2.4). Each kind has a space of ids of its own. */
void sat_rendezvous_at(unsigned id, const char *place); /* until somebody calls sat_wakeup */
void sat_wakeup_at(unsigned id, const char *place);
void sat_barrier_at(unsigned id, unsigned n, const char *place); /* until n processes have called it */
/* Locks. Holding one opens the chunks that are bound to it (entry consistency). */
void sat_lock_at(unsigned id, const char *place);
void sat_lock_shared_at(unsigned id, const char *place); /* for reading */
void sat_unlock_at(unsigned id, const char *place);
void sat_bind_at(unsigned lock, Chunk_t *chunk, const char *place); /* the chunk's chain, in this process */

/* Publish-subscribe (section 2.5): after each writing scope of a chunk, from anywhere, the handlers of all
 * its subscribers are called, in their loop after their role's function has returned. */
typedef void (*sat_handler_fn)(Chunk_t *chunk, void *params);
void sat_subscribe_at(Chunk_t *chunk, sat_handler_fn handler, void *params, const char *place);
void sat_unsubscribe_at(Chunk_t *chunk, const char *place);
typedef void (*sat_signal_fn)(unsigned id, void *params);
void sat_signal_at(unsigned id, const char *place);
void sat_subscribe_signal_at(unsigned id, sat_signal_fn handler, void *params, const char *place);
void sat_unsubscribe_signal_at(unsigned id, const char *place);

/* Symbols (section 2.3, Figure 7): data under a name. */
void sat_symbols_init_at(Sdsm_t *s, const char *place);
void sat_symbol_write_at(Sdsm_t *s, const char *name, const void *data, size_t size, const char *place);
/* Waits until there is such a symbol. *data NULL: allocated, for free(); else at most *size bytes are stored
 * there. *size: the symbol's. */
void sat_symbol_read_at(Sdsm_t *s, const char *name, void **data, size_t *size, const char *place);

#define SAT_TEXT_(line) #line
#define SAT_LINE_(line) SAT_TEXT_(line)
#define SAT_HERE        __FILE__ ":" SAT_LINE_(__LINE__)

#define sat_malloc(consistency, id, size)         sat_malloc_at(consistency, id, size, SAT_HERE)
#define sat_malloc_list(consistency, ids, sizes)  sat_malloc_list_at(consistency, ids, sizes, SAT_HERE)
#define sat_lookup(consistency, id, n)            sat_lookup_at(consistency, id, n, SAT_HERE)
#define sat_lookup_list(consistency, ids)         sat_lookup_list_at(consistency, ids, SAT_HERE)
#define sat_map(consistency, id, size, data)      sat_map_at(consistency, id, size, data, SAT_HERE)
#define sat_size(chunk)                           sat_size_at(chunk, SAT_HERE)
#define sat_free(chunk)                           sat_free_at(chunk, SAT_HERE)
#define sat_read(chunk)                           sat_read_at(chunk, SAT_HERE)
#define sat_write(chunk)                          sat_write_at(chunk, SAT_HERE)
#define sat_readwrite(chunk)                      sat_readwrite_at(chunk, SAT_HERE)
#define sat_release(chunk)                        sat_release_at(chunk, SAT_HERE)
#define sat_put(chunk)                            sat_put_at(chunk, SAT_HERE)
#define sat_get(chunk)                            sat_get_at(chunk, SAT_HERE)
#define sat_rendezvous(id)                        sat_rendezvous_at(id, SAT_HERE)
#define sat_wakeup(id)                            sat_wakeup_at(id, SAT_HERE)
#define sat_barrier(id, n)                        sat_barrier_at(id, n, SAT_HERE)
#define sat_lock(id)                              sat_lock_at(id, SAT_HERE)
#define sat_lock_shared(id)                       sat_lock_shared_at(id, SAT_HERE)
#define sat_unlock(id)                            sat_unlock_at(id, SAT_HERE)
#define sat_bind(lock, chunk)                     sat_bind_at(lock, chunk, SAT_HERE)
#define sat_subscribe(chunk, handler, params)     sat_subscribe_at(chunk, handler, params, SAT_HERE)
#define sat_unsubscribe(chunk)                    sat_unsubscribe_at(chunk, SAT_HERE)
#define sat_signal(id)                            sat_signal_at(id, SAT_HERE)
#define sat_subscribe_signal(id, handler, params) sat_subscribe_signal_at(id, handler, params, SAT_HERE)
#define sat_unsubscribe_signal(id)                sat_unsubscribe_signal_at(id, SAT_HERE)
#define sat_symbols_init(s)                       sat_symbols_init_at(s, SAT_HERE)
#define sat_symbol_write(s, name, data, size)     sat_symbol_write_at(s, name, data, size, SAT_HERE)
#define sat_symbol_read(s, name, data, size)      sat_symbol_read_at(s, name, data, size, SAT_HERE)

#ifdef __cplusplus
}
#endif

/* --- the names of the paper's listings ------------------------------------------------------------ */

#ifndef SAT_NO_SHORT_NAMES

/* MALLOC(consistency, id, size) or, as in Figure 9, MALLOC(id, size) with the default protocol. */
#define MALLOC(...)                    SAT_PICK3_(__VA_ARGS__, SAT_MALLOC3_, SAT_MALLOC2_, )(__VA_ARGS__)
#define SAT_PICK3_(a, b, c, name, ...) name
#define SAT_MALLOC2_(id, size)         sat_malloc(NULL, id, size)
#define SAT_MALLOC3_(which, id, size)  sat_malloc(which, id, size)
#define MALLOC_LST(which, ids, sizes)  sat_malloc_list(which, ids, sizes)
/* LOOKUP(consistency, id, n), LOOKUP(consistency, id) or LOOKUP(id). */
#define LOOKUP(...)                                                                                          \
    SAT_PICK4_(__VA_ARGS__, SAT_LOOKUP3_, SAT_LOOKUP2_, SAT_LOOKUP1_, )                                      \
    (__VA_ARGS__)
#define SAT_PICK4_(a, b, c, name, ...)    name
#define SAT_LOOKUP1_(id)                  sat_lookup(NULL, id, 1)
#define SAT_LOOKUP2_(which, id)           sat_lookup(which, id, 1)
#define SAT_LOOKUP3_(which, id, n)        sat_lookup(which, id, n)
#define LOOKUP_LST(which, ids)            sat_lookup_list(which, ids)
#define FREE(chunk)                       sat_free(chunk)
#define MAP(chunk, which, id, size, data) ((chunk) = sat_map(which, id, size, data))
#define PUT(chunk)                        sat_put(chunk)
#define GET(chunk)                        sat_get(chunk)

/* Figure 5 has these with and without a semicolon: they bring their own, so put braces around them after
 * `if` and `else`. */
#define READ(chunk)      sat_read(chunk);
#define WRITE(chunk)     sat_write(chunk);
#define READWRITE(chunk) sat_readwrite(chunk);
#define RELEASE(chunk)   sat_release(chunk);

#define initSymbolicTable(s)             sat_symbols_init(s)
#define writeSymbol(s, name, data, size) sat_symbol_write(s, name, data, size)
#define readSymbol(s, name, data, size)  sat_symbol_read(s, name, data, size)
#define rendezvous(id)                   sat_rendezvous(id)
#define wakeup(id)                       sat_wakeup(id)
#define barrier(id, n)                   sat_barrier(id, n)
#define clientGetClientNr()              ((unsigned)sat_client_count())

#define SUBSCRIBE(chunk, handler, params)     sat_subscribe(chunk, handler, params)
#define UNSUBSCRIBE(chunk)                    sat_unsubscribe(chunk)
#define SIGNAL(id)                            sat_signal(id)
#define SUBSCRIBE_SIGNAL(id, handler, params) sat_subscribe_signal(id, handler, params)
#define UNSUBSCRIBE_SIGNAL(id)                sat_unsubscribe_signal(id)

/* UL_LIST(16, 81, 56878): a list of numbers. The initializer in Figure 4 keeps only the first one. */
#ifdef __cplusplus
#include <initializer_list>
static inline UnsignedLongList_t *sat_list_of_(std::initializer_list<unsigned long> numbers)
{
    return sat_list(numbers.size(), numbers.begin());
}
#define UL_LIST(...) sat_list_of_({__VA_ARGS__})

template <size_t N>
static inline int sat_bootstrap_(_SAT_Roles_t (&roles)[N], void *user, int argc, char **argv)
{
    return sat_bootstrap(roles, N, user, argc, argv);
}
static inline int sat_bootstrap_(_SAT_Roles_t *const &roles, void *user, int argc, char **argv)
{
    return sat_bootstrap(roles, 0, user, argc, argv);
}
#define _SAT_BOOTSTRAP(roles, user, argc, argv) sat_bootstrap_(roles, user, argc, argv)
#else
#define UL_LIST(...)                                                                                         \
    sat_list(sizeof((unsigned long[]){__VA_ARGS__}) / sizeof(unsigned long), (unsigned long[]){__VA_ARGS__})

/* The number of roles, 0 where a pointer is given instead of the array. */
#define SAT_ROLES_(roles)                                                                                    \
    (__builtin_types_compatible_p(__typeof__(roles), __typeof__(&(roles)[0]))                                \
         ? 0                                                                                                 \
         : sizeof(roles) / sizeof((roles)[0]))
#define _SAT_BOOTSTRAP(roles, user, argc, argv) sat_bootstrap(roles, SAT_ROLES_(roles), user, argc, argv)
#endif

#endif /* SAT_NO_SHORT_NAMES */

#endif
