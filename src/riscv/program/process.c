/* SPDX-License-Identifier: BSD-3-Clause */
/* process: opens a program for all cores, and starts and ends one core's process. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "riscv/program/internal.h"

/* --- programs ------------------------------------------------------------------------------------------- */

static int map_file(struct riscv_program *p, struct base_status *st)
{
    struct stat s;
    int fd = open(p->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return base_fail(st, "%s: %s", p->path, strerror(errno));
    int failed = fstat(fd, &s);
    if (!failed && S_ISREG(s.st_mode) && s.st_size > 0) {
        p->map_size = (size_t)s.st_size;
        p->map = mmap(NULL, p->map_size, PROT_READ, MAP_PRIVATE, fd, 0);
        failed = p->map == MAP_FAILED;
    }
    int error = errno;
    close(fd);
    if (failed) {
        p->map = NULL;
        return base_fail(st, "%s: %s", p->path, strerror(error));
    }
    return p->map ? 0 : base_fail(st, "%s is no ELF file: expected a program for RISC-V", p->path);
}

int riscv_program_open(struct riscv_program **out, const struct riscv_program_config *config,
                       struct base_status *st)
{
    struct riscv_program *p = base_zalloc(sizeof *p, "a program for RISC-V");
    p->path = base_strdup(config->path);
    if (map_file(p, st) || riscv_elf_read(&p->elf, p->path, p->map, p->map_size, st) ||
        riscv_layout(p, config, st)) {
        riscv_program_close(p);
        return -1;
    }
    p->code = riscv_code_create();
    *out = p;
    return 0;
}

void riscv_program_close(struct riscv_program *p)
{
    for (uint32_t k = 0; k < p->shared_count; k++)
        if (p->shared[k].owned)
            free((void *)(uintptr_t)p->shared[k].host);
    riscv_elf_release(&p->elf);
    if (p->code)
        riscv_code_drop(p->code);
    if (p->map)
        munmap(p->map, p->map_size);
    free(p->path);
    free(p);
}

void riscv_program_profile(struct riscv_program *p, struct riscv_profile *profile)
{
    riscv_code_profile(p->code, profile);
}

enum riscv_system riscv_program_system(const struct riscv_program *p)
{
    return p->system;
}

const char *riscv_program_path(const struct riscv_program *p)
{
    return p->path;
}

uint64_t riscv_program_entry(const struct riscv_program *p)
{
    return p->entry;
}

/* --- processes ------------------------------------------------------------------------------------------ */

int riscv_process_start(struct riscv_process *x, const struct riscv_program *p,
                        const struct riscv_world *world, void *ctx, char *const *argv, char *const *envp,
                        struct base_status *st)
{
    *x = (struct riscv_process){.program = p, .world = world, .ctx = ctx, .argv = argv, .folder = AT_FDCWD};
    riscv_core_init(&x->core, p->code, p->entry);
    x->core.owner = x;
    x->random = (uint64_t)world->rank << 32;
    if (riscv_memory_make(x, st))
        return -1;
    if (p->system == RISCV_SYSTEM_LINUX) {
        x->core.mode = 0;
        x->core.csr.mcounteren = 7;               /* cycle, time, instret may be read */
        x->core.csr.mstatus |= UINT64_C(1) << 13; /* the floating-point unit is on */
        if (riscv_stack_make(x, envp, st))
            return -1;
    }
    riscv_files_begin(x);
    return 0;
}

void riscv_process_release(struct riscv_process *x)
{
    riscv_files_end(x);
    riscv_memory_release(x);
    if (x->program)
        riscv_core_close(&x->core);
    x->program = NULL;
}

/* A bare program's own handler takes its exceptions. picolibc's prints numbers and stops, so a report says
 * more. */
bool riscv_process_is_error(const struct riscv_core *c, enum riscv_cause cause)
{
    const struct riscv_program *p = riscv_process_of(c)->program;
    uint64_t handler = c->csr.mtvec & ~(uint64_t)3;
    (void)cause;
    return p->system == RISCV_SYSTEM_LINUX || !handler || handler == p->trap;
}
