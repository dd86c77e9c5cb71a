/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses to other cores that cannot be: its argument says which. With "count", it handles such traps itself,
 * and goes on behind them: an access that fails changes no register and no memory.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xbgas_rt.h>

static int64_t word[4];
static volatile uint64_t traps, causes, addresses;

/* Object and address of the access. */
struct place {
    uint64_t object;
    void *at;
};

static struct place place_of(const char *which)
{
    struct place p = {xbgas_object(1), word};
    if (strstr(which, "object"))
        p.object = 99;
    if (strstr(which, "odd"))
        p.at = (char *)word + 4;
    if (strstr(which, "byte"))
        p.at = (char *)word + 1;
    if (strstr(which, "outside"))
        p.at = (void *)0x123456789000;
    if (strstr(which, "edge")) /* the last bytes of the memory, and some behind it */
        p.at = (void *)(0x80400000 - 4);
    if (strstr(which, "text"))
        p.at = (void *)(uintptr_t)place_of;
    if (strstr(which, "local"))
        p.object = 0;
    return p;
}

static int64_t reach(const char *which)
{
    struct place p = place_of(which);
    if (strstr(which, "load"))
        return xbgas_load_d(p.object, p.at);
    if (strstr(which, "store"))
        xbgas_store_d(p.object, p.at, 5);
    if (strstr(which, "add.d"))
        return xbgas_amoadd_d(p.object, p.at, 5);
    if (strstr(which, "add.w"))
        return xbgas_amoadd_w(p.object, p.at, 5);
    if (strstr(which, "cas.d"))
        return xbgas_amocas_d(p.object, p.at, 0, 5);
    if (strstr(which, "cas.w"))
        return xbgas_amocas_w(p.object, p.at, 0, 5);
    return 0;
}

/* All of these instructions have four bytes. */
__attribute__((interrupt("machine"), aligned(4))) static void handler(void)
{
    uint64_t cause, value, pc;
    __asm__ volatile("csrr %0, mcause\n\tcsrr %1, mtval\n\tcsrr %2, mepc"
                     : "=r"(cause), "=r"(value), "=r"(pc));
    traps++;
    causes = causes * 16 + cause;
    addresses += value;
    __asm__ volatile("csrw mepc, %0" ::"r"(pc + 4));
}

static int count(void)
{
    static const char *const all[] = {"load object", "store object",   "add.d object", "add.w byte",
                                      "add.d odd",   "cas.d odd",      "cas.w byte",   "load outside",
                                      "store text",  "add.d local odd"};
    enum { N = sizeof all / sizeof *all };
    __asm__ volatile("csrw mtvec, %0" ::"r"(handler));
    for (int k = 0; k < N; k++)
        reach(all[k]);
    printf("%lu of %d trapped, causes %lx, word %ld\n", traps, N, causes, (long)(word[0] + word[1]));
    return traps != N;
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "load";
    int status = 0;
    xbgas_init();
    if (xbgas_my_pe() == 0)
        status = !strcmp(which, "count") ? count() : (int)reach(which) * 0;
    xbgas_barrier_all();
    xbgas_finalize();
    return status;
}
