/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory: the shared memory of a process: one file in memory, mapped twice, at the address that all processes
 * use and at one of its own that is always accessible. A simulated process asks pgasim for a view
 * (docs/views.md), because others are in the same process of the system; a real one maps it itself and
 * handles SIGSEGV.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "sdsm/jia/parts.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

/* As in pgasim.h. */
struct pgasim_view {
    void *at, *inside;
    size_t bytes;
};
__attribute__((weak)) int pgasim_view_make(struct pgasim_view *view, void *wish, size_t bytes,
                                           int (*fault)(void *address, int store));
__attribute__((weak)) void pgasim_view_protect(void *from, size_t bytes, int access);

/* Free in ordinary processes of 64 bits. */
static void *const wish = (void *)0x400000000000;
static int (*handler)(void *address, int store);
static struct sigaction before;
static unsigned char *wanted; /* of each page; real processes */

static int protection_of(int access)
{
    return access == JIA_READ_WRITE ? PROT_READ | PROT_WRITE : access == JIA_READ ? PROT_READ : PROT_NONE;
}

/* --- faults in a real process ---------------------------------------------------------------------- */

/* Each run of pages with equal protection is a mapping of the system's, of which there are only so many. When
 * they run out, all is closed, and opened again as it is touched. */
static void set_protection(uint32_t page, uint32_t n, int access)
{
    char *from = jia.at + (size_t)page * jia.page_bytes;
    size_t bytes = (size_t)n * jia.page_bytes;
    if (!mprotect(from, bytes, protection_of(access)))
        return;
    if (mprotect(jia.at, jia.bytes, PROT_NONE) || mprotect(from, bytes, protection_of(access)))
        sat_fail(1, NULL, "cannot change the protection of %u pages: %s", n, strerror(errno));
}

/* A store is told from a load where the processor says so. Where it does not, a page that may be read faults
 * for a store. */
static int is_store(const ucontext_t *u, uint32_t page)
{
#if defined(__x86_64__)
    (void)page;
    return (u->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
    (void)u;
    return wanted[page] == JIA_READ;
#endif
}

/* The fault is not of the shared memory: the instruction faults again, with the handler from before. */
static void leave_to_others(void)
{
    sigaction(SIGSEGV, &before, NULL);
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
    int error = errno;
    size_t offset = (size_t)((char *)info->si_addr - jia.at);
    (void)sig;
    if (info->si_code <= 0 || offset >= jia.bytes) {
        leave_to_others();
        return;
    }
    uint32_t page = (uint32_t)(offset / jia.page_bytes);
    int store = is_store(context, page);
    if (wanted[page] >= (store ? JIA_READ_WRITE : JIA_READ))
        set_protection(page, 1, wanted[page]);
    else if (!handler(info->si_addr, store))
        leave_to_others();
    errno = error;
}

/* --- opening -------------------------------------------------------------------------------------- */

static void open_real(size_t bytes)
{
    int file = memfd_create("jia", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, (off_t)bytes))
        sat_fail(1, NULL, "no shared memory of %zu bytes: %s", bytes, strerror(errno));
    jia.at = mmap(wish, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, file, 0);
    if (jia.at != wish)
        sat_fail(1, NULL, "the address of the shared memory, %p, is not free here", wish);
    jia.inside = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
    if (jia.inside == MAP_FAILED)
        sat_fail(1, NULL, "no shared memory of %zu bytes: %s", bytes, strerror(errno));
    close(file);
    jia.bytes = bytes;
    wanted = sat_alloc(bytes / jia.page_bytes);
    struct sigaction sa = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    sigemptyset(&sa.sa_mask);
    sigaction(SIGSEGV, &sa, &before);
}

void jia_memory_open(size_t bytes, int (*fault)(void *address, int store))
{
    struct pgasim_view view;
    handler = fault;
    if (!pgasim_view_make || !pgasim_view_make(&view, wish, bytes, fault)) {
        open_real(bytes);
        return;
    }
    jia.at = view.at;
    jia.inside = view.inside;
    jia.bytes = view.bytes;
}

void jia_memory_protect(uint32_t page, uint32_t n, int access)
{
    if (wanted) {
        memset(wanted + page, access, n);
        set_protection(page, n, access);
    } else {
        pgasim_view_protect(jia.at + (size_t)page * jia.page_bytes, (size_t)n * jia.page_bytes, access);
    }
}

/* The memory stays mapped without access: a program that uses it after jia_exit is told so. */
void jia_memory_close(void)
{
    jia_memory_protect(0, jia.pages, JIA_NO_ACCESS);
}
