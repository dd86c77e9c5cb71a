/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * jia.h: JIAJIA's interface, a shared memory behind plain pointers (W. Hu, W. Shi, Z. Tang: JIAJIA: A
 * Software DSM System Based on a New Cache Coherence Protocol, HPCN Europe 1999), over libsat. Link with
 * -lsat; docs/jia.md is the manual.
 *
 * A job of P + S processes has S servers, one by default, and P hosts, on which the program runs. Servers do
 * not return from jia_init. Errors end the run with a message and status 5.
 */
#ifndef JIA_H
#define JIA_H

#ifdef __cplusplus
extern "C" {
#endif

extern int jiapid;   /* this host's number, from 0 on */
extern int jiahosts; /* how many there are */

void jia_init(int argc, char **argv);
void jia_exit(void); /* waits for all hosts */

/* --- shared memory: called by all hosts alike, returns the same address everywhere ---------------- */

/* The contents are zeros at first. `totalsize` bytes are rounded up to pages. Hosts say where the pages'
 * homes are: */
unsigned long jia_alloc(int totalsize);                  /* at one host, by turns */
unsigned long jia_alloc1(int totalsize);                 /* at host 0 */
unsigned long jia_alloc2(int totalsize, int blocksize);  /* a block at each host, from 0 on, cyclic */
unsigned long jia_alloc2p(int totalsize, int starthost); /* at this host */
unsigned long jia_alloc3(int totalsize, int blocksize, int starthost); /* a block at each, from that one on */
/* A block of blocks[0] bytes at each host, then one of blocks[1] at each, ... */
unsigned long jia_alloc4(int totalsize, const int *blocks, int n, int starthost);
unsigned long jia_alloc_array(int totalsize, const int *array, int n); /* array[k] bytes at host k */
unsigned long jia_alloc_random(int totalsize);                         /* at any host */
void jia_free(void *addr);

/* --- synchronization: scope consistency ----------------------------------------------------------- */

/* What was stored before a jia_unlock is there for whoever gets the same lock later. */
void jia_lock(int lockid);
void jia_unlock(int lockid);
/* What was stored before a barrier is there for all behind it. Not while a lock is held. */
void jia_barrier(void);
/* A barrier that leaves the shared memory alone. */
void jia_wait(void);
/* jia_waitcv waits until the variable is set; what was stored before that is there then. */
void jia_setcv(int cv);
void jia_resetcv(int cv);
void jia_waitcv(int cv);

/* --- messages ------------------------------------------------------------------------------------- */

void jia_send(const char *buf, int len, int topid, int tag);
int jia_recv(char *buf, int len, int frompid, int tag); /* returns the message's length */
void jia_bcast(char *buf, int len, int root);

/* --- others --------------------------------------------------------------------------------------- */

double jia_clock(void); /* seconds since the start */
/* Ends all processes with a message. */
void jia_error(const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 1, 2), noreturn))
#endif
    ;
unsigned int jia_startstat(void); /* microseconds since the start */
unsigned int jia_stopstat(void);
void jia_divtask(int *begin, int *end); /* this host's part of the tasks *begin to *end */
/* Of JIAJIA's mechanisms one has a counterpart here: ADWD, on at first, whether pages that are written in one
 * interval after the other stay open. Others are accepted. */
void jia_config(int which, int value);
void jia_loadcheck(void); /* no effect */

#ifndef ON
#define OFF 0
#define ON  1
#endif
enum { HMIG, ADWD, BROADCAST, LOADBAL, WVEC };
#define jia_errexit jia_error
#define jia_wtnt(a, b)
#define jia_wtntw(a)
#define jia_wtntd(a)

/* --- macros of Argonne's laboratory, as SPLASH's programs use them -------------------------------- */

extern int jia_lock_index;
#define Maxlocks       64
#define LOCKDEC(x)     int x;
#define LOCKINIT(x)    (x) = jia_lock_index++ % Maxlocks;
#define LOCK(x)        jia_lock(x);
#define UNLOCK(x)      jia_unlock(x);
#define ALOCKDEC(x, n) int x[n];
#define ALOCKINIT(x, n)                                                                                      \
    for (int jia_k = 0; jia_k < (n); jia_k++)                                                                \
    LOCKINIT((x)[jia_k])
#define ALOCK(x, k)  jia_lock((x)[k]);
#define AULOCK(x, k) jia_unlock((x)[k]);
#define BARDEC(x)    int x;
#define BARINIT(x)
#define BARRIER(x, n) jia_barrier();
#define MAIN_ENV
#define EXTERN_ENV
#define MAIN_INITENV(x, y)
#define MAIN_END
#define WAIT_FOR_END(n) jia_barrier();
#define G_MALLOC(bytes) jia_alloc1(bytes);
#define CLOCK(x)        x = jia_clock();

#ifdef __cplusplus
}
#endif

#endif
