/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trap: futex calls that libgomp makes by the system call instruction, which redirected references cannot
 * catch. A kernel filter (seccomp) turns the calls from libgomp's text, and no others, into a signal, whose
 * handler does what the call asks for. The handler runs on the actor's stack and changes no signal mask, so
 * it may switch to another actor and resume later. An installed filter stays for the life of the process and
 * its children; it lets all calls from other addresses pass.
 */
#include "fold/thread/thread.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OUR_ARCH AUDIT_ARCH_X86_64
#else
#define OUR_ARCH AUDIT_ARCH_AARCH64
#endif

/* A system call's arguments as passed in registers. */
struct trapped {
    long a[6];
};

static struct trapped arguments(const ucontext_t *u)
{
#if defined(__x86_64__)
    const greg_t *g = u->uc_mcontext.gregs;
    return (struct trapped){{g[REG_RDI], g[REG_RSI], g[REG_RDX], g[REG_R10], g[REG_R8], g[REG_R9]}};
#else
    const unsigned long long *x = u->uc_mcontext.regs;
    return (struct trapped){{(long)x[0], (long)x[1], (long)x[2], (long)x[3], (long)x[4], (long)x[5]}};
#endif
}

static void set_result(ucontext_t *u, long result)
{
#if defined(__x86_64__)
    u->uc_mcontext.gregs[REG_RAX] = result;
#else
    u->uc_mcontext.regs[0] = (unsigned long long)result;
#endif
}

static void on_trap(int sig, siginfo_t *info, void *context)
{
    struct trapped t = arguments(context);
    int error = errno;
    long result;
    (void)sig, (void)info;
    if (rank_current) {
        result = thread_futex(rank_current, (const int *)t.a[0], (int)t.a[1], (int)t.a[2], (uintptr_t)t.a[3],
                              (const int *)t.a[4], (uint32_t)t.a[5], false);
    } else { /* a library's constructor or destructor: no thread waits */
        result = syscall(SYS_futex, t.a[0], t.a[1], t.a[2], t.a[3], t.a[4], t.a[5]);
        result = result < 0 ? -errno : result;
    }
    set_result(context, result);
    errno = error;
}

static bool install_filter(uintptr_t low, uintptr_t high)
{
#define FIELD(name) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, name))
#define UPPER(name) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, name) + 4)
    struct sock_filter code[] = {
        FIELD(nr),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_futex, 0, 8),
        FIELD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCH, 0, 6),
        UPPER(instruction_pointer),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(low >> 32), 0, 4),
        FIELD(instruction_pointer),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (uint32_t)low, 0, 2),
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, (uint32_t)high, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {BASE_LENGTH(code), code};
    return low >> 32 == high >> 32 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

void thread_trap_begin(uintptr_t low, uintptr_t high)
{
    struct sigaction sa = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_NODEFER};
    sigemptyset(&sa.sa_mask);
    sigaction(SIGSYS, &sa, NULL);
    if (!install_filter(low, high))
        base_warn("not-modelled/openmp",
                  "the system allows no seccomp filter: OpenMP threads that wait for each "
                  "other will stop the simulation");
}
