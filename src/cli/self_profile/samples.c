/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * samples: samples of where the process's CPU time goes, and its memory when the job ends.
 *
 * A timer of the process's CPU clock sends a signal, as often as the kernel's tick lets it (250 to 1000 times
 * a second). The handler reads how much time has passed in the program and in the kernel since the last
 * sample, and assigns it to the interrupted instruction. So the sum is the CPU time, whatever the rate. The
 * handler runs on the alternate signal stack, because the interrupted stack may be a rank's, small or shared.
 * It touches only its own table.
 *
 * The signal is a real-time one that programs hardly use. If a program uses or blocks it, samples are lost,
 * and their time goes to the next one.
 */
#include "cli/self_profile/self_profile.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <ucontext.h>

enum { PLACES_MOST = 1 << 17, PERIOD_NS = 1000000 };

struct profile profile;
static struct {
    bool on;
    timer_t timer;
    volatile sig_atomic_t phase;
    struct base_table places; /* has room for PLACES_MOST: the handler allocates nothing */
    uint64_t user, system;    /* at the last sample, microseconds */
} sampler;

static uint64_t micros(struct timeval t)
{
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_usec;
}

/* NULL when there is no room any more. */
static struct profile_sample *place_of(uint64_t key)
{
    struct profile_sample *s = base_table_find(&sampler.places, key);
    return s || sampler.places.n == PLACES_MOST ? s : base_table_add(&sampler.places, key, NULL);
}

/* The time since the last sample. */
static void read_time(uint64_t *user, uint64_t *system)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    uint64_t u = micros(used.ru_utime), s = micros(used.ru_stime);
    *user = u > sampler.user ? u - sampler.user : 0;
    *system = s > sampler.system ? s - sampler.system : 0;
    sampler.user += *user;
    sampler.system += *system;
}

static void add(uint64_t pc, uint64_t user, uint64_t system)
{
    unsigned phase = (unsigned)sampler.phase;
    struct profile_sample *s = pc ? place_of(pc * 4 + phase) : NULL;
    profile.all.user[phase] += user;
    profile.all.system[phase] += system;
    if (s) {
        s->user += user;
        s->system += system;
    } else {
        profile.lost++;
    }
}

static void on_sample(int sig, siginfo_t *info, void *context)
{
    uint64_t user, system;
    int kept = errno;
    (void)sig, (void)info;
    read_time(&user, &system);
    add(rank_program_counter(context), user, system);
    profile.samples++;
    errno = kept;
}

/* --- life ---------------------------------------------------------------------------------------- */

/* Below that of rank's timer (stall.c): if both are due at one tick, this comes first and interrupts the
 * program. */
static int signal_used(void)
{
    return SIGRTMAX - 4;
}

static void start_timer(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = signal_used()};
    struct itimerspec each = {.it_value.tv_nsec = PERIOD_NS, .it_interval.tv_nsec = PERIOD_NS};
    struct sigaction sa = {.sa_sigaction = on_sample, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    sigfillset(&sa.sa_mask);
    sigaction(signal_used(), &sa, NULL);
    if (timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &sampler.timer) ||
        timer_settime(sampler.timer, 0, &each, NULL))
        base_fatal(BASE_EXIT_HOST, "--self-profile: cannot set a timer on the CPU time of the process: %s",
                   strerror(errno));
}

void profile_begin(void)
{
    uint64_t user, system;
    base_table_init_for(&sampler.places, BASE_NUMBERS, sizeof(struct profile_sample), "--self-profile", NULL);
    base_table_reserve(&sampler.places, PLACES_MOST);
    sampler.on = true;
    read_time(&user, &system); /* exec, the dynamic linker, the command line */
    add(0, user, system);
    profile.lost = 0;
    sampler.phase = PROFILE_SETUP;
    base_accounts_begin();
    start_timer();
}

void profile_enter(enum profile_phase phase)
{
    sampler.phase = phase;
}

static void stop_samples(void)
{
    uint64_t user, system;
    timer_delete(sampler.timer);
    signal(signal_used(), SIG_IGN); /* one may be on its way */
    read_time(&user, &system);
    add(0, user, system);
    profile.lost--;
}

/* --- memory -------------------------------------------------------------------------------------- */

uint64_t profile_account_bytes(const struct base_account *a)
{
    return a->blocks + a->pools + a->resident;
}

static void keep(void *arg, const struct base_account *a)
{
    (void)arg;
    BASE_ARRAY_PUSH(&profile.accounts, *a);
}

static int by_bytes(const void *a, const void *b)
{
    uint64_t x = profile_account_bytes(a), y = profile_account_bytes(b);
    return (x < y) - (x > y);
}

static uint64_t page_tables(void)
{
    char line[256];
    unsigned long kib = 0;
    FILE *f = fopen("/proc/self/status", "re");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "VmPTE: %lu kB", &kib) == 1)
            break;
    if (f)
        fclose(f);
    return (uint64_t)kib * 1024;
}

static void take_memory(void)
{
    uint64_t ours = 0;
    profile.peak = base_peak_rss();
    profile.resident = base_accounts_read();
    profile.page_tables = page_tables();
    struct mallinfo2 heap = mallinfo2();
    base_accounts_each(keep, NULL);
    for (size_t k = 0; k < profile.accounts.n; k++)
        ours += profile.accounts.at[k].blocks;
    if (profile.accounts.n)
        qsort(profile.accounts.at, profile.accounts.n, sizeof *profile.accounts.at, by_bytes);
    uint64_t all = heap.uordblks + heap.hblkhd;
    profile.program_heap = all > ours ? all - ours : 0;
    profile.heap_free = heap.fordblks;
}

void profile_take(const struct rank_job *job)
{
    if (!sampler.on)
        return;
    stop_samples();
    take_memory();
    profile_place(job, &sampler.places);
    profile.taken = true;
}

void profile_end(void)
{
    if (!sampler.on)
        return;
    base_table_release(&sampler.places);
    base_accounts_end();
    for (size_t k = 0; k < profile.layers.n; k++)
        free(profile.layers.at[k].functions.at);
    free(profile.layers.at);
    free(profile.accounts.at);
    sampler.on = false;
}
