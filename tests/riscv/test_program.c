/* SPDX-License-Identifier: BSD-3-Clause */
/* What is around a core: files that are refused, memory, system calls, semihosting, tohost. No core runs
 * here. */
#include "riscv/program/program.h"

#include "riscv/small_elf.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static char written[256];

static void world_write(void *ctx, int fd, const char *text, size_t size)
{
    size_t n = strlen(written);
    (void)ctx;
    snprintf(written + n, sizeof written - n, "%d:%.*s", fd, (int)size, text);
}

static void world_nothing(void *ctx)
{
    (void)ctx;
}

static uint64_t world_now(void *ctx)
{
    (void)ctx;
    return 3000000007;
}

static void world_sleep(void *ctx, uint64_t nanoseconds)
{
    (void)ctx, (void)nanoseconds;
}

static void world_sleep_until(void *ctx, uint64_t now)
{
    (void)ctx, (void)now;
}

static const char *stuck;

static void world_stuck(void *ctx, const char *what)
{
    (void)ctx;
    stuck = what;
}

static const struct riscv_world world = {.write = world_write,
                                         .prompt = world_nothing,
                                         .now = world_now,
                                         .used = world_now,
                                         .sleep = world_sleep,
                                         .sleep_until = world_sleep_until,
                                         .yield = world_nothing,
                                         .stuck = world_stuck,
                                         .rank = 1,
                                         .ranks = 2};

/* --- files ---------------------------------------------------------------------------------------------- */

static int open_bytes(struct riscv_program **p, const void *bytes, size_t size, struct base_status *st)
{
    char *path = small_elf_write(bytes, size);
    assert_non_null(path);
    const struct riscv_program_config config = {.path = path, .memory = 1 << 20, .stack = 1 << 18};
    int failed = riscv_program_open(p, &config, st);
    unlink(path);
    free(path);
    return failed;
}

static void refuses(const void *bytes, size_t size, const char *why)
{
    struct riscv_program *p;
    struct base_status st = {""};
    if (!open_bytes(&p, bytes, size, &st))
        fail_msg("a file was accepted that is wrong: expected '%s'", why);
    if (!strstr(st.text, why))
        fail_msg("the message is '%s', and does not say '%s'", st.text, why);
}

static void wrong_files_are_refused(void **state)
{
    (void)state;
    struct small_elf e = small_elf(0x80000000), ok = e;
    refuses("#!/bin/sh\nexit 0 # a script\n", 28, "no ELF file: expected a program for RISC-V");
    e.header.e_machine = EM_X86_64;
    refuses(&e, sizeof e, "for x86-64: expected one for RISC-V");
    e = ok;
    e.header.e_ident[EI_CLASS] = ELFCLASS32;
    refuses(&e, sizeof e, "32-bit program: expected one for RV64");
    e = ok;
    e.header.e_type = ET_REL;
    refuses(&e, sizeof e, "expected a program, not an object file");
    e = ok;
    e.segment[1].p_type = PT_INTERP;
    refuses(&e, sizeof e, "linked dynamically: expected a static program");
    e = ok;
    e.segment[1].p_filesz = 1 << 20;
    refuses(&e, sizeof e, "the file ends within segment 1");
    e = ok;
    e.segment[1].p_vaddr = e.segment[1].p_paddr = 0x80000010;
    refuses(&e, sizeof e, "overlap at 0x80000010");
    e = ok;
    e.header.e_entry = 16;
    refuses(&e, sizeof e, "its entry 0x10 is in none of its segments");
    refuses(&ok, 80, "program headers are damaged");
}

/* As a linker makes them when .data lies behind a section without bytes. */
static void zeros_end_where_the_next_segment_begins(void **state)
{
    (void)state;
    struct small_elf e = small_elf(0x80000000);
    struct riscv_program *p;
    struct base_status st = {""};
    e.segment[0].p_flags = PF_R | PF_W | PF_X;
    e.segment[0].p_filesz = 16;
    e.segment[1].p_vaddr = e.segment[1].p_paddr = 0x80000010;
    if (open_bytes(&p, &e, sizeof e, &st))
        fail_msg("%s", st.text);
    riscv_program_close(p);
    e.segment[0].p_filesz = 17; /* a byte of each at the same place */
    refuses(&e, sizeof e, "overlap at 0x80000010");
}

/* --- processes ------------------------------------------------------------------------------------------ */

static struct riscv_program *program;
static struct riscv_process x;

static void begin(const struct small_elf *e)
{
    static char name[] = "small", word[] = "word", variable[] = "A=b";
    static char *argv[] = {name, word, NULL}, *envp[] = {variable, NULL};
    struct base_status st;
    *written = 0;
    if (open_bytes(&program, e, sizeof *e, &st) ||
        riscv_process_start(&x, program, &world, &x, argv, envp, &st))
        fail_msg("%s", st.text);
}

static void end(void)
{
    riscv_process_release(&x);
    riscv_program_close(program);
}

static int64_t call(uint64_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e)
{
    const uint64_t argument[] = {a, b, c, d, e};
    memcpy(&x.core.x[10], argument, sizeof argument);
    x.core.x[17] = number;
    assert_true(riscv_process_ecall(&x.core));
    return (int64_t)x.core.x[10];
}

static uint64_t word_at(uint64_t address)
{
    uint64_t value = 0;
    const void *p = riscv_core_bytes(&x.core, address, 8, RISCV_READ);
    if (p)
        memcpy(&value, p, 8);
    else
        fail_msg("no word can be read at %#lx", address);
    return value;
}

/* What Linux puts on the stack of a program that starts: argc, argv, envp. */
static void a_linux_program_starts(void **state)
{
    (void)state;
    struct small_elf e = small_elf(0x10000);
    begin(&e);
    assert_int_equal(riscv_program_system(program), RISCV_SYSTEM_LINUX);
    uint64_t sp = x.core.x[2];
    assert_int_equal(x.core.mode, 0);
    assert_int_equal(sp % 16, 0);
    assert_int_equal(word_at(sp), 2);
    assert_string_equal(riscv_core_bytes(&x.core, word_at(sp + 16), 5, RISCV_READ), "word");
    assert_int_equal(word_at(sp + 24), 0);
    assert_string_equal(riscv_core_bytes(&x.core, word_at(sp + 32), 4, RISCV_READ), "A=b");
    assert_int_equal(word_at(0x11000) & 0xffff, 0x0100); /* the data segment's bytes */
    assert_int_equal(word_at(0x11000 + SMALL_DATA), 0);
    assert_null(riscv_core_bytes(&x.core, 0x10000, 4, RISCV_WRITE)); /* text */
    end();
}

static void memory_is_given_and_taken_back(void **state)
{
    enum {
        BRK = 214,
        MUNMAP = 215,
        MREMAP = 216,
        MMAP = 222,
        PRIVATE_ANONYMOUS = 0x22,
        FIXED = 0x10,
        MAY_MOVE = 1
    };
    (void)state;
    struct small_elf e = small_elf(0x10000);
    begin(&e);
    uint64_t heap = (uint64_t)call(BRK, 0, 0, 0, 0, 0);
    assert_int_equal(heap, 0x13000); /* data and room end there */
    assert_int_equal(call(BRK, heap + 8192, 0, 0, 0, 0), heap + 8192);
    assert_int_equal(call(BRK, heap + (UINT64_C(1) << 40), 0, 0, 0, 0), heap + 8192); /* too far: unchanged */
    uint64_t a = (uint64_t)call(MMAP, 0, 10000, 3, PRIVATE_ANONYMOUS, UINT64_MAX);
    uint64_t b = (uint64_t)call(MMAP, 0, 4096, 3, PRIVATE_ANONYMOUS, UINT64_MAX);
    assert_int_equal(b, a + 12288);
    memset(riscv_core_bytes(&x.core, a, 12288, RISCV_WRITE), 7, 12288);
    assert_int_equal(call(MUNMAP, a + 4096, 4096, 0, 0, 0), 0);
    assert_int_equal(word_at(a + 4096), 0); /* a hole reads as zero when it is given again */
    assert_int_equal(call(MMAP, 0, 4096, 3, PRIVATE_ANONYMOUS, UINT64_MAX), a + 4096);
    uint64_t moved = (uint64_t)call(MREMAP, a, 4096, 8192, MAY_MOVE, 0);
    assert_true(moved > b);
    assert_int_equal(word_at(moved), UINT64_C(0x0707070707070707));
    assert_int_equal(call(MREMAP, moved, 8192, 1 << 30, 0, 0), -ENOMEM);
    assert_int_equal(call(MMAP, 0x1000, 4096, 3, PRIVATE_ANONYMOUS | FIXED, UINT64_MAX), -ENOMEM);
    assert_int_equal(call(MMAP, 0, 0, 3, PRIVATE_ANONYMOUS, UINT64_MAX), -EINVAL);
    end();
}

static void calls_check_their_arguments(void **state)
{
    enum { CLOSE = 57, LSEEK = 62, READ = 63, WRITE = 64, WRITEV = 66, FUTEX = 98, CLOCK_GETTIME = 113 };
    (void)state;
    struct small_elf e = small_elf(0x10000);
    memcpy(e.data, "text\n", 5);
    begin(&e);
    assert_int_equal(call(WRITE, 1, 0x11000, 5, 0, 0), 5);
    assert_string_equal(written, "1:text\n");
    assert_int_equal(call(WRITE, 1, 0x5000, 5, 0, 0), -EFAULT);
    assert_int_equal(call(WRITE, 9, 0x11000, 5, 0, 0), -EBADF);
    assert_int_equal(call(READ, 0, 0x10000, 5, 0, 0), -EFAULT); /* text cannot be written */
    assert_int_equal(call(LSEEK, 1, 0, 0, 0, 0), -ESPIPE);
    assert_int_equal(call(WRITEV, 1, 0x11000, UINT64_MAX, 0, 0), -EINVAL);
    assert_int_equal(call(CLOSE, 1, 0, 0, 0, 0), 0);
    assert_int_equal(call(WRITE, 1, 0x11000, 5, 0, 0), -EBADF);
    assert_int_equal(call(CLOCK_GETTIME, 1, 0x11100, 0, 0, 0), 0);
    assert_int_equal(word_at(0x11100), 3);
    assert_int_equal(word_at(0x11108), 7);
    assert_int_equal(call(FUTEX, 0x11001, 0, 0, 0, 0), -EINVAL);
    end();
}

/* Nobody else has an end of a pipe: a call that would have to wait says so, and does not. */
static void a_pipe_of_its_own_is_never_waited_for(void **state)
{
    enum {
        DUP3 = 24,
        PIPE2 = 59,
        READ = 63,
        WRITE = 64,
        READ_CHARACTER = 7,
        NONBLOCK = 04000,
        ROOM = 1 << 16
    };
    (void)state;
    struct small_elf e = small_elf(0x10000);
    begin(&e);
    stuck = NULL;
    assert_int_equal(call(PIPE2, 0x11000, 0, 0, 0, 0), 0);
    uint64_t in = word_at(0x11000) & UINT32_MAX, out = word_at(0x11000) >> 32;
    assert_int_equal(call(WRITE, out, 0x11100, 2, 0, 0), 2);
    assert_int_equal(call(READ, in, 0x11100, 8, 0, 0), 2);
    assert_null(stuck);
    assert_int_equal(call(READ, in, 0x11100, 8, 0, 0), -EAGAIN);
    assert_string_equal(stuck, "read from its own empty pipe");
    assert_int_equal(call(DUP3, in, 0, 0, 0, 0), 0);
    stuck = NULL;
    x.core.x[10] = READ_CHARACTER;
    assert_true(riscv_process_semihost(&x.core));
    assert_int_equal((int64_t)x.core.x[10], -1);
    assert_string_equal(stuck, "read from its own empty pipe");
    stuck = NULL;
    for (int n = 0; n < ROOM && !stuck; n += 1024)
        assert_true(call(WRITE, out, 0x11000, 1024, 0, 0) == 1024);
    assert_null(stuck);
    call(WRITE, out, 0x11000, 1024, 0, 0);
    assert_string_equal(stuck, "write to its own full pipe");
    stuck = NULL;
    assert_int_equal(call(PIPE2, 0x11000, NONBLOCK, 0, 0, 0), 0);
    assert_int_equal(call(READ, word_at(0x11000) & UINT32_MAX, 0x11100, 8, 0, 0), -EAGAIN);
    assert_null(stuck);
    end();
}

static void a_call_that_is_missing_is_named(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    struct small_elf e = small_elf(0x10000);
    begin(&e);
    FILE *f = open_memstream(&text, &size);
    base_report_to(f);
    assert_int_equal(call(26, 0, 0, 0, 0, 0), -ENOSYS);
    base_report_to(stderr);
    fclose(f);
    if (!strstr(text, "Linux's system call 26"))
        fail_msg("the warning does not name the call: '%s'", text);
    free(text);
    end();
}

/* riscv-tests: 1 is a pass, 2 n + 1 the failure of test n. */
static void tohost_ends_a_program(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 3; n++) {
        struct small_elf e = small_elf(0x80000000);
        small_elf_symbol(&e, 2, 12, 0x80001040);
        begin(&e);
        assert_int_equal(riscv_program_system(program), RISCV_SYSTEM_BARE);
        assert_int_equal(x.core.mode, 3);
        assert_null(riscv_core_bytes(&x.core, 0x80001040, 8, RISCV_READ)); /* the port's */
        assert_false(riscv_process_store(&x.core, 0x80001048, 8, 1));
        assert_true(riscv_process_store(&x.core, 0x80001040, 8, 2 * n + 1));
        assert_true(x.core.ended);
        assert_int_equal(x.status, n);
        end();
    }
}

static void semihosting_writes_and_ends(void **state)
{
    enum { WRITE_TEXT = 4, WRITE = 5, EXIT = 0x20, APPLICATION = 0x20026 };
    (void)state;
    struct small_elf e = small_elf(0x80000000);
    const uint64_t block[3] = {2, 0x80001000, 5}, status[2] = {APPLICATION, 9};
    memcpy(e.data, "text\n", 6);
    memcpy(e.data + 16, block, sizeof block);
    memcpy(e.data + 64, status, sizeof status);
    begin(&e);
    x.core.x[10] = WRITE_TEXT;
    x.core.x[11] = 0x80001000;
    assert_true(riscv_process_semihost(&x.core));
    x.core.x[10] = WRITE;
    x.core.x[11] = 0x80001010;
    assert_true(riscv_process_semihost(&x.core));
    assert_int_equal(x.core.x[10], 0); /* bytes not written */
    assert_string_equal(written, "1:text\n2:text\n");
    x.core.x[10] = WRITE;
    x.core.x[11] = 0x10; /* no memory */
    assert_true(riscv_process_semihost(&x.core));
    assert_int_equal((int64_t)x.core.x[10], -1);
    x.core.x[10] = EXIT;
    x.core.x[11] = 0x80001040;
    assert_true(riscv_process_semihost(&x.core));
    assert_true(x.core.ended);
    assert_int_equal(x.status, 9);
    end();
}

/* RAM of bare programs ends at __stack; objects have names. */
static void a_bare_program_has_its_memory(void **state)
{
    (void)state;
    char name[64];
    struct small_elf e = small_elf(0x80000000);
    small_elf_symbol(&e, 3, 19, 0x80010000);
    begin(&e);
    assert_non_null(riscv_core_bytes(&x.core, 0x8000fff8, 8, RISCV_WRITE));
    assert_null(riscv_core_bytes(&x.core, 0x80010000, 1, RISCV_READ));
    assert_null(riscv_core_bytes(&x.core, 0x80000000, 4, RISCV_WRITE));
    assert_true(riscv_program_data_name(program, 0x80001018, name, sizeof name));
    assert_string_equal(name, "grid+8");
    assert_string_equal(riscv_program_place(program, 0x80000004, name, sizeof name), "start+0x4");
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(zeros_end_where_the_next_segment_begins),
        cmocka_unit_test(a_linux_program_starts),
        cmocka_unit_test(memory_is_given_and_taken_back),
        cmocka_unit_test(calls_check_their_arguments),
        cmocka_unit_test(a_pipe_of_its_own_is_never_waited_for),
        cmocka_unit_test(a_call_that_is_missing_is_named),
        cmocka_unit_test(tohost_ends_a_program),
        cmocka_unit_test(semihosting_writes_and_ends),
        cmocka_unit_test(a_bare_program_has_its_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
