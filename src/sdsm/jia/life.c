/* SPDX-License-Identifier: BSD-3-Clause */
/* life: the beginning and the end of a program, its clock, and what JIAJIA's programs tell that has no effect
 * here. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sdsm/jia/parts.h"

int jiapid, jiahosts, jia_lock_index;
struct jia_client jia;
static bool own_mpi; /* jia_init has started it */

/* --- reports -------------------------------------------------------------------------------------- */

enum { TEXT = 512 };

void jia_wrong(const char *format, ...)
{
    char text[TEXT];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    sat_fail(SAT_STATUS_WRONG, NULL, "%s", text);
}

void jia_error(const char *format, ...)
{
    char text[TEXT];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    sat_fail(1, NULL, "%s", text);
}

enum sat_class jia_enter(const char *call)
{
    if (!jia.open)
        jia_wrong("%s is called %s", call, jia.at ? "after jia_exit" : "before jia_init");
    return sat_enter(SAT_SDSM);
}

/* --- beginning and end ---------------------------------------------------------------------------- */

static void handle(int from, const struct sat_record *r, const char *data)
{
    if (sdsm->role)
        jia_handle(r, data);
    else
        jia_serve(from, r, data);
}

static const struct sat_extension extension = {handle, jia_manager_tell};

/* Clients are hosts 0, 1, ... in the order of their ranks. */
static int host_number(void)
{
    int before = 0;
    for (int k = 0; k < sdsm->n_servers; k++)
        before += sdsm->servers[k] < sdsm->id;
    return sdsm->id - before;
}

static void begin_client(void)
{
    enum { MIB = 1 << 20 };
    jia.page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    if (sdsm->options.jia_memory > UINT32_MAX / MIB * jia.page_bytes)
        sat_fail(SAT_STATUS_INPUT, NULL, "--sat-jia-memory: %lu MiB; expected at most %zu",
                 sdsm->options.jia_memory, UINT32_MAX / MIB * jia.page_bytes);
    jia_memory_open(sdsm->options.jia_memory * MIB, jia_fault);
    jia.pages = (uint32_t)(jia.bytes / jia.page_bytes);
    jia.page = sat_alloc(jia.pages * sizeof *jia.page);
    jia.sent = sat_alloc((size_t)sdsm->n_servers * sizeof *jia.sent);
    for (uint32_t k = 0; k < jia.pages; k++)
        jia.page[k].home = JIA_NOT_ALLOCATED;
    jiapid = host_number();
    jiahosts = sdsm->n_clients;
    jia.stay = true;
    jia.open = true;
}

static void end(void)
{
    sat_end();
    if (own_mpi)
        MPI_Finalize();
}

void jia_init(int argc, char **argv)
{
    int started = 0;
    if (jia.at)
        jia_wrong("jia_init is called a second time");
    (void)jia_clock();
    MPI_Initialized(&started);
    own_mpi = !started;
    if (own_mpi)
        MPI_Init(NULL, NULL);
    sat_extension = &extension;
    sat_start(NULL, argc, argv);
    if (!sdsm->role) {
        sat_server_loop();
        jia_server_release();
        end();
        exit(0);
    }
    begin_client();
    sat_enter(SAT_USER);
}

void jia_exit(void)
{
    (void)jia_enter("jia_exit");
    if (jia.n_held)
        jia_wrong("jia_exit: lock %d is held by this process; expected none", jia.held[0].lock);
    jia.open = false;
    jia_memory_close();
    jia_pages_end();
    end();
}

/* --- time ----------------------------------------------------------------------------------------- */

/* Seconds since the first call, which is jia_init's or comes before. */
double jia_clock(void)
{
    static struct timespec first;
    static bool known;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!known)
        first = now;
    known = true;
    return (double)(now.tv_sec - first.tv_sec) + 1e-9 * (double)(now.tv_nsec - first.tv_nsec);
}

static unsigned microseconds(void)
{
    return (unsigned)(unsigned long long)(1e6 * jia_clock());
}

/* The statistics are --sat-stats. */
unsigned jia_startstat(void)
{
    return microseconds();
}

unsigned jia_stopstat(void)
{
    return microseconds();
}

/* --- hints ---------------------------------------------------------------------------------------- */

/* Adaptive write detection is on at first. The others are choices among mechanisms that this implementation
 * does not have, such as the migration of homes. */
void jia_config(int which, int value)
{
    if (which < HMIG || which > WVEC)
        jia_wrong("jia_config: %d, %d: expected HMIG, ADWD, BROADCAST, LOADBAL or WVEC", which, value);
    if (which == ADWD)
        jia.stay = value != OFF;
}

/* [*begin, *end] in equal parts, of which the first ones may be longer by one. */
void jia_divtask(int *begin, int *end)
{
    (void)sat_enter(jia_enter("jia_divtask"));
    int n = *end - *begin + 1, part = n / jiahosts, longer = n % jiahosts;
    *begin += jiapid * part + (jiapid < longer ? jiapid : longer);
    *end = *begin + part + (jiapid < longer) - 1;
}

void jia_loadcheck(void)
{
    (void)sat_enter(jia_enter("jia_loadcheck"));
}
