/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * leak: what LeakSanitizer finds at the end of a run. It is asked once, when all ranks have ended and nothing
 * of theirs is released yet. Its report is read instead of printed: of each lost block we keep the calls that
 * the program made, find the rank by the copy of the program that they are in, and say each place once, with
 * the ranks that lost memory there.
 *
 * What keeps a block: the globals of all copies (LeakSanitizer reads those of every loaded object), blocks of
 * our own (base_sanitizer.ignore), the symmetric heaps (rank_roots), and the frames that were on the
 * stacks of ranks at their ends, which are copied here. A block that a library of ours or GCC's OpenMP made
 * for itself is not the program's.
 */
#include "fold/sanitize/sanitize.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "fold/thread/thread.h"

/* --- frames of ranks that have ended ----------------------------------------------------------------- */

struct frames {
    uintptr_t *word;
    size_t n;
};
static BASE_ARRAY(struct frames) kept;

/* Word by word, because a sanitizer's memcpy would find red zones between variables. */
static void keep(const void *low, const void *high)
{
    const volatile uintptr_t *from = (const volatile uintptr_t *)((uintptr_t)low & ~(sizeof(uintptr_t) - 1));
    size_t n = ((uintptr_t)high - (uintptr_t)from) / sizeof *from;
    struct frames f = {base_alloc((n + 1) * sizeof *f.word, "stacks of ended ranks"), n};
    for (size_t k = 0; k < n; k++)
        f.word[k] = from[k];
    BASE_ARRAY_PUSH(&kept, f);
}

/* AddressSanitizer may hold variables of a frame elsewhere (detect_stack_use_after_return). */
static void keep_fake_frames(const struct frames *f)
{
    static void *(*current)(void);
    static void *(*frame_of)(void *fake, void *at, void **low, void **high);
    void *low, *high;
    if (!current) {
        current = (void *(*)(void))dlsym(RTLD_DEFAULT, "__asan_get_current_fake_stack");
        frame_of =
            (void *(*)(void *, void *, void **, void **))dlsym(RTLD_DEFAULT, "__asan_addr_is_in_fake_stack");
    }
    void *fake = current && frame_of ? current() : NULL;
    for (size_t k = 0; fake && k < f->n; k++)
        if (frame_of(fake, (void *)f->word[k], &low, &high))
            keep(low, high);
}

/* From `from` on, if that is not NULL. */
static void keep_actor(const struct engine *e, const struct engine_actor *a, const void *from)
{
    void *low;
    size_t size;
    if (engine_actor_frames(e, a, &low, &size))
        keep(from ? from : low, (char *)low + size);
}

/* After a return from main nothing is left on its stack; a call of exit leaves the frames of its callers. */
void sanitize_rank_ends(const struct rank *r)
{
    if (!base_checked())
        return;
    const struct fold_crew *c = fold_part(r)->crew;
    const struct fold_libc *l = fold_part(r)->libc;
    if (l && l->exit_frame) {
        keep_actor(r->engine, engine_current(r->engine), l->exit_frame);
        struct frames own = kept.at[kept.n - 1];
        keep_fake_frames(&own);
    }
    for (size_t k = 0; c && k < c->slot.n; k++) {
        const struct fold_thread *t = c->slot.at[k];
        if (t && !t->ended && t != fold_thread)
            keep_actor(r->engine, t->actor, NULL);
    }
}

/* --- reading the report ------------------------------------------------------------------------------ */

/* A place at which memory was lost. */
struct place {
    struct base_text calls; /* lines, the innermost first */
    bool direct;            /* nothing points to it, not even another lost block */
    uint64_t bytes, blocks;
    BASE_ARRAY(uint32_t) ranks;
};

struct leaks {
    struct fold_job *job;
    BASE_ARRAY(struct place) places;
    /* the block that is being read */
    struct place now;
    bool theirs, ours; /* a call of the program was seen; or, before one, of another's library */
    uint32_t rank;
};

/* Whether an instruction is in a copy of the program; which rank's, if there are several. */
static bool in_program(const struct fold_job *job, uintptr_t pc, uint32_t *rank)
{
    bool apart = fold_way(job) == FOLD_DLOPEN;
    for (uint32_t c = 0; c < job->ranks; c++) {
        const struct rank *r = fold_rank_at(job, c);
        const struct images *im = fold_images(r);
        const struct fold_image *image = fold_part(r)->image;
        for (size_t i = 0; (apart || image == im->image) && i < im->objects.list.n; i++)
            if (pc - image->loaded[i].base < im->objects.list.at[i]->elf.image_size) {
                *rank = c;
                return true;
            }
    }
    return false;
}

static bool keeps_blocks(uintptr_t pc)
{
    Dl_info info;
    const char *slash = dladdr((void *)pc, &info) ? strrchr(info.dli_fname, '/') : NULL;
    return slash && (!strncmp(slash, "/libpgasim.so", 13) || !strncmp(slash, "/libgomp.so", 11));
}

/* "    #1 0x7f21 in solve /home/me/solve.c:88" */
static void read_call(struct leaks *l, const char *line)
{
    const char *hash = strchr(line, '#'), *at = hash ? strstr(hash, " 0x") : NULL;
    char *end;
    uintptr_t pc = at ? strtoull(at + 1, &end, 16) : 0;
    if (!pc)
        return;
    if (in_program(l->job, pc, &l->rank)) {
        l->theirs = true;
        base_text_format(&l->now.calls, "called%s\n", end);
    } else if (!l->theirs) {
        l->ours |= keeps_blocks(pc);
    }
}

static bool same(const struct place *a, const struct place *b)
{
    return a->direct == b->direct && a->calls.n == b->calls.n &&
           !memcmp(a->calls.at, b->calls.at, a->calls.n);
}

static struct place *find_place(struct leaks *l)
{
    for (size_t k = 0; k < l->places.n; k++)
        if (same(&l->places.at[k], &l->now))
            return &l->places.at[k];
    BASE_ARRAY_PUSH(&l->places, ((struct place){.direct = l->now.direct}));
    struct place *p = &l->places.at[l->places.n - 1];
    base_text_init(&p->calls, "calls");
    base_text_put(&p->calls, l->now.calls.at, l->now.calls.n);
    return p;
}

static void add_rank(struct place *p, uint32_t rank)
{
    size_t k = p->ranks.n;
    for (size_t i = 0; i < p->ranks.n; i++)
        if (p->ranks.at[i] == rank)
            return;
    BASE_ARRAY_PUSH(&p->ranks, rank);
    for (; k > 0 && p->ranks.at[k - 1] > rank; k--)
        p->ranks.at[k] = p->ranks.at[k - 1];
    p->ranks.at[k] = rank;
}

/* The block has been read. */
static void finish_block(struct leaks *l)
{
    if (l->now.blocks && l->theirs && !l->ours) {
        struct place *p = find_place(l);
        p->bytes += l->now.bytes;
        p->blocks += l->now.blocks;
        add_rank(p, l->rank);
    }
    l->now.calls.n = 0;
    l->now.blocks = 0;
    l->theirs = l->ours = false;
}

static void read_line(struct leaks *l, const char *line)
{
    size_t bytes, blocks;
    bool direct = !strncmp(line, "Direct leak of ", 15), indirect = !strncmp(line, "Indirect leak of ", 17);
    if ((direct || indirect) &&
        sscanf(line + (direct ? 15 : 17), "%zu byte(s) in %zu object(s)", &bytes, &blocks) == 2) {
        finish_block(l);
        l->now.direct = direct;
        l->now.bytes = bytes;
        l->now.blocks = blocks;
    } else if (strncmp(line, "    #", 5) == 0) {
        read_call(l, line);
    } else if (*line == '\n') {
        finish_block(l);
    }
}

/* --- saying it --------------------------------------------------------------------------------------- */

static void say(const struct leaks *l, struct place *p)
{
    char ranks[256] = "some ranks", *calls = base_text_take(&p->calls), *rest = NULL;
    if (fold_way(l->job) == FOLD_DLOPEN || l->job->ranks == 1)
        rank_list(p->ranks.at, sizeof *p->ranks.at, p->ranks.n, ranks, sizeof ranks);
    base_error("%s: leak of %lu bytes in %lu block%s%s", ranks, (unsigned long)p->bytes,
               (unsigned long)p->blocks, p->blocks > 1 ? "s" : "",
               p->direct ? "" : ", to which only other lost blocks point");
    for (char *line = strtok_r(calls, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        base_error_more("%s", line);
    free(calls);
}

/* --- asking ------------------------------------------------------------------------------------------ */

/* LeakSanitizer reads the process's whole map for each region that it is told of. */
static void register_root(const void *low, size_t size)
{
    enum { LITTLE = 1 << 20 };
    static void (*fn)(const void *, size_t);
    if (size <= LITTLE) {
        keep(low, (const char *)low + size);
        return;
    }
    if (!fn)
        fn = (void (*)(const void *, size_t))dlsym(RTLD_DEFAULT, "__lsan_register_root_region");
    if (fn && size)
        fn(low, size);
}

static void keep_thread_locals(const struct images *im)
{
    for (uint32_t c = 0; c < (im->way == FOLD_DLOPEN ? im->ranks : 1); c++)
        for (size_t i = 0; i < im->objects.list.n; i++) {
            struct rank_span s = image_thread_local(im, &im->image[c], i);
            keep((const void *)s.base, (const void *)(s.base + s.size));
        }
}

static int asking = -1; /* where LeakSanitizer's report goes, while it looks for leaks */

void sanitize_leaks_failed(void)
{
    char text[2000];
    ssize_t n = asking >= 0 ? pread(asking, text, sizeof text - 1, 0) : 0;
    if (asking < 0)
        return;
    text[n > 0 ? n : 0] = 0;
    base_error("LeakSanitizer could not look for leaks (ASAN_OPTIONS=detect_leaks=0 leaves that out):");
    for (char *rest = NULL, *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        base_error_more("%s", line);
    base_exit(BASE_EXIT_HOST);
}

/* LeakSanitizer's report as a stream; NULL: there is nothing to report. */
static FILE *ask(void)
{
    int (*check)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "__lsan_do_recoverable_leak_check");
    void (*report_to)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, "__sanitizer_set_report_fd");
    int fd = memfd_create("pgasim-leaks", MFD_CLOEXEC);
    if (!check || !report_to || fd < 0)
        return NULL;
    report_to((void *)(intptr_t)fd);
    asking = fd;
    int found = check();
    asking = -1;
    report_to((void *)(intptr_t)STDERR_FILENO);
    if (!found || lseek(fd, 0, SEEK_SET) < 0) {
        close(fd);
        return NULL;
    }
    return fdopen(fd, "r");
}

static bool all_ended(const struct fold_job *job)
{
    for (uint32_t k = 0; k < job->ranks; k++)
        if (!fold_rank_at(job, k)->ended)
            return false;
    return true;
}

void sanitize_leaks(struct fold_job *job)
{
    struct leaks l = {.job = job};
    char *line = NULL;
    size_t size = 0;
    if (!base_sanitizer.program || !base_sanitizer.leak || !all_ended(job) || base_traced())
        return;
    rank_roots(job->job, register_root);
    for (size_t k = 0; k < job->programs; k++)
        keep_thread_locals(&job->program[k].images);
    FILE *report = ask();
    base_text_init(&l.now.calls, "calls");
    while (report && getline(&line, &size, report) > 0)
        read_line(&l, line);
    finish_block(&l);
    for (size_t k = 0; k < l.places.n; k++) {
        say(&l, &l.places.at[k]);
        free(l.places.at[k].ranks.at);
    }
    if (l.places.n)
        rank_job_fault(job->job, BASE_EXIT_PROGRAM);
    base_text_release(&l.now.calls);
    free(l.places.at);
    free(line);
    if (report)
        fclose(report);
}
