/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calls: Linux's system calls, by number (calls.def), and those that concern neither files nor time. A call
 * that is not there returns ENOSYS, and a warning names it.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "riscv/program/internal.h"

static const struct {
    uint16_t number;
    riscv_call_fn call;
} calls[] = {
#define CALL(number, name) {number, riscv_call_##name},
#include "riscv/program/calls.def"
#undef CALL
};

static riscv_call_fn find(uint64_t number)
{
    size_t low = 0, high = BASE_LENGTH(calls);
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (calls[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < BASE_LENGTH(calls) && calls[low].number == number ? calls[low].call : NULL;
}

/* Calls that a program makes because it was written for more than a core: a number alone would not tell what
 * to change in it. */
static const char *what_is_missing(uint64_t number)
{
    switch (number) {
    case 198: /* socket */
    case 199: /* socketpair */
        return " (sockets)";
    case 220: /* clone */
    case 435: /* clone3 */
        return " (a thread or a process: a core has one)";
    case 221: /* execve */
        return " (another program)";
    default:
        return "";
    }
}

bool riscv_process_ecall(struct riscv_core *c)
{
    struct riscv_process *x = riscv_process_of(c);
    if (x->program->system == RISCV_SYSTEM_BARE && c->csr.mtvec)
        return false; /* the program has a handler of its own */
    uint64_t number = c->x[17];
    riscv_call_fn call = find(number);
    if (!call) {
        base_warn("not-modelled/riscv-call",
                  "%s made Linux's system call %lu%s, which is not modelled: it returns ENOSYS",
                  x->program->path, number, what_is_missing(number));
        c->x[10] = (uint64_t)-ENOSYS;
        return true;
    }
    c->x[10] = (uint64_t)call(x, &c->x[10]);
    return true;
}

/* --- ends ----------------------------------------------------------------------------------------------- */

void riscv_process_end(struct riscv_process *x, int status)
{
    x->status = status & 0xff;
    x->core.ended = true;
}

int64_t riscv_call_exit(struct riscv_process *x, const uint64_t *a)
{
    /* A test of riscv-tests that fails exits with 2 n + 1: all of it is the status. */
    riscv_process_end(x, (int)a[0]);
    return (int64_t)a[0];
}

int64_t riscv_call_exit_group(struct riscv_process *x, const uint64_t *a)
{
    return riscv_call_exit(x, a);
}

/* A signal to itself ends the program unless it ignores it; handlers of the program are not called. */
static int64_t raise_signal(struct riscv_process *x, uint64_t number)
{
    enum { IGNORE = 1, SIGCHLD_THERE = 17, SIGURG_THERE = 23, SIGWINCH_THERE = 28 };
    if (number >= BASE_LENGTH(x->action))
        return -EINVAL;
    bool ignored = number == SIGCHLD_THERE || number == SIGURG_THERE || number == SIGWINCH_THERE;
    if (!number || x->action[number] == IGNORE || (ignored && !x->action[number]))
        return 0;
    if (x->action[number])
        base_warn(
            "not-modelled/riscv-handler",
            "%s sent itself signal %lu, for which it has a handler: handlers are not called, and the signal "
            "ends it",
            x->program->path, number);
    x->signal = (int)number;
    riscv_process_end(x, 128 + (int)number);
    return 0;
}

int64_t riscv_call_kill(struct riscv_process *x, const uint64_t *a)
{
    return raise_signal(x, a[1]);
}

int64_t riscv_call_tkill(struct riscv_process *x, const uint64_t *a)
{
    return raise_signal(x, a[1]);
}

int64_t riscv_call_tgkill(struct riscv_process *x, const uint64_t *a)
{
    return raise_signal(x, a[2]);
}

int64_t riscv_call_rt_sigaction(struct riscv_process *x, const uint64_t *a)
{
    if (!a[0] || a[0] >= BASE_LENGTH(x->action) || a[3] != 8)
        return -EINVAL;
    enum { ACTION = 24 }; /* handler, flags, mask */
    uint64_t old[3] = {x->action[a[0]]};
    const void *from = a[1] ? riscv_memory_at(x, a[1], ACTION, RISCV_READ) : NULL;
    void *to = a[2] ? riscv_memory_at(x, a[2], ACTION, RISCV_WRITE) : NULL;
    if ((a[1] && !from) || (a[2] && !to))
        return -EFAULT;
    if (from)
        memcpy(&x->action[a[0]], from, 8);
    if (to)
        memcpy(to, old, ACTION);
    return 0;
}

static int64_t clear_out(struct riscv_process *x, uint64_t address, uint64_t size)
{
    void *to = address ? riscv_memory_at(x, address, size, RISCV_WRITE) : NULL;
    if (address && !to)
        return -EFAULT;
    if (to)
        memset(to, 0, size);
    return 0;
}

int64_t riscv_call_rt_sigprocmask(struct riscv_process *x, const uint64_t *a)
{
    return a[3] == 8 ? clear_out(x, a[2], 8) : -EINVAL;
}

int64_t riscv_call_sigaltstack(struct riscv_process *x, const uint64_t *a)
{
    return clear_out(x, a[1], 24);
}

/* --- who it is ------------------------------------------------------------------------------------------ */

enum { FIRST_PID = 1000, USER = 1000 };

int64_t riscv_call_getpid(struct riscv_process *x, const uint64_t *a)
{
    (void)a;
    return FIRST_PID + (int64_t)x->world->rank;
}

int64_t riscv_call_gettid(struct riscv_process *x, const uint64_t *a)
{
    return riscv_call_getpid(x, a);
}

int64_t riscv_call_set_tid_address(struct riscv_process *x, const uint64_t *a)
{
    return riscv_call_getpid(x, a);
}

int64_t riscv_call_getppid(struct riscv_process *x, const uint64_t *a)
{
    (void)x, (void)a;
    return 1;
}

#define IS_USER(name)                                                                                        \
    int64_t riscv_call_##name(struct riscv_process *x, const uint64_t *a)                                    \
    {                                                                                                        \
        (void)x, (void)a;                                                                                    \
        return USER;                                                                                         \
    }
IS_USER(getuid)
IS_USER(geteuid)
IS_USER(getgid)
IS_USER(getegid)

int64_t riscv_call_uname(struct riscv_process *x, const uint64_t *a)
{
    static const char *const field[] = {"Linux", "core", "6.1.0-pgasim", "#1", "riscv64", "(none)"};
    enum { FIELD = 65 };
    const size_t bytes = BASE_LENGTH(field) * FIELD;
    char *to = riscv_memory_at(x, a[0], bytes, RISCV_WRITE);
    if (!to)
        return -EFAULT;
    memset(to, 0, bytes);
    for (size_t k = 0; k < BASE_LENGTH(field); k++)
        memcpy(to + k * FIELD, field[k], strlen(field[k]));
    return 0;
}

int64_t riscv_call_sched_getaffinity(struct riscv_process *x, const uint64_t *a)
{
    uint64_t one = 1;
    void *to = riscv_memory_at(x, a[2], 8, RISCV_WRITE);
    if (a[1] < 8 || !to)
        return a[1] < 8 ? -EINVAL : -EFAULT;
    memcpy(to, &one, 8);
    return 8;
}

int64_t riscv_call_prlimit64(struct riscv_process *x, const uint64_t *a)
{
    enum { STACK = 3, FILES = 7 };
    uint64_t most = a[1] == STACK ? x->program->stack_size : a[1] == FILES ? 1024 : UINT64_MAX;
    const uint64_t limit[2] = {most, most};
    void *to = a[3] ? riscv_memory_at(x, a[3], sizeof limit, RISCV_WRITE) : NULL;
    if (a[3] && !to)
        return -EFAULT;
    if (to)
        memcpy(to, limit, sizeof limit);
    return 0;
}

int64_t riscv_call_sysinfo(struct riscv_process *x, const uint64_t *a)
{
    /* uptime, 3 loads, total and free RAM, shared, buffers, 2 of swap, processes, 2 of high memory, unit */
    uint64_t info[14] = {
        x->world->used(x->ctx) / 1000000000, 0, 0, 0, x->program->memory_size, x->program->memory_size};
    info[10] = 1;
    info[13] = 1;
    void *to = riscv_memory_at(x, a[0], sizeof info, RISCV_WRITE);
    if (!to)
        return -EFAULT;
    memcpy(to, info, sizeof info);
    return 0;
}

/* --- memory --------------------------------------------------------------------------------------------- */

int64_t riscv_call_brk(struct riscv_process *x, const uint64_t *a)
{
    return riscv_brk(x, a[0]);
}

int64_t riscv_call_mmap(struct riscv_process *x, const uint64_t *a)
{
    int host = -1;
    if (!(a[3] & MAP_ANONYMOUS)) {
        host = riscv_file_output(x, a[4]) ? -1 : riscv_file_host(x, a[4]);
        if (host < 0)
            return -EBADF;
        if (a[3] & MAP_SHARED && a[2] & PROT_WRITE)
            base_warn("not-modelled/riscv-shared-map",
                      "%s maps a file to write to it: what it writes does not reach the file",
                      x->program->path);
    }
    return riscv_mmap(x, a[0], a[1], a[3], host, a[5]);
}

int64_t riscv_call_munmap(struct riscv_process *x, const uint64_t *a)
{
    return riscv_munmap(x, a[0], a[1]);
}

int64_t riscv_call_mremap(struct riscv_process *x, const uint64_t *a)
{
    return riscv_mremap(x, a);
}

/* --- what needs no doing -------------------------------------------------------------------------------- */

#define SUCCEEDS(name)                                                                                       \
    int64_t riscv_call_##name(struct riscv_process *x, const uint64_t *a)                                    \
    {                                                                                                        \
        (void)x, (void)a;                                                                                    \
        return 0;                                                                                            \
    }
SUCCEEDS(set_robust_list)
SUCCEEDS(mprotect) /* areas keep their rights */
SUCCEEDS(madvise)

/* The C library goes on without these. */
#define IS_MISSING(name)                                                                                     \
    int64_t riscv_call_##name(struct riscv_process *x, const uint64_t *a)                                    \
    {                                                                                                        \
        (void)x, (void)a;                                                                                    \
        return -ENOSYS;                                                                                      \
    }
IS_MISSING(rseq)
IS_MISSING(riscv_hwprobe)

int64_t riscv_call_riscv_flush_icache(struct riscv_process *x, const uint64_t *a)
{
    (void)a; /* text of Linux programs cannot be written */
    (void)x;
    return 0;
}

/* There is one thread: nobody would wake it. */
int64_t riscv_call_futex(struct riscv_process *x, const uint64_t *a)
{
    enum { WAIT = 0, WAKE = 1, WAIT_BITSET = 9, WAKE_BITSET = 10, COMMANDS = 0x7f };
    const uint32_t *word = riscv_memory_at(x, a[0], 4, RISCV_READ);
    uint64_t command = a[1] & COMMANDS;
    if (a[0] % 4)
        return -EINVAL;
    if (!word)
        return -EFAULT;
    if (command == WAKE || command == WAKE_BITSET)
        return 0;
    if (command != WAIT && command != WAIT_BITSET)
        return -ENOSYS;
    if (*word != (uint32_t)a[2])
        return -EAGAIN;
    return -EDEADLK;
}
