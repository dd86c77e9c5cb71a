/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stack: the calls that led to the place at which a rank was interrupted, for the report of its crash. Runs
 * in a signal handler, on the handler's stack; allocates nothing itself. The C compiler's unwinder walks the
 * frames, also those of loaded copies. base/source_line.c finds their lines.
 */
#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <ucontext.h>
#include <unwind.h>

#include "fold/internal.h"
#include "fold/where/where.h"

enum { RUNS = 4096, HEAD = WHERE_LINES - 6 };

/* Whose code it is. */
enum whose { PROGRAM, OURS, SYSTEM };

/* Frames one after the other with the same instruction: of a recursion. */
struct run {
    uintptr_t pc; /* the instruction, or the last byte of the call */
    size_t times;
    enum whose whose;
    const struct object_file *file; /* the program's */
    uint64_t offset;
};

struct walk {
    uintptr_t from; /* the interrupted instruction */
    bool there;
    size_t n;
    struct run *run;
};

static struct run runs[RUNS];

/* --- the frames ----------------------------------------------------------------------------------- */

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *arg)
{
    struct walk *w = arg;
    int exact = 0;
    uintptr_t pc = _Unwind_GetIPInfo(context, &exact);
    if (!pc)
        return _URC_END_OF_STACK;
    w->there |= pc == w->from; /* before: the handler's own frames */
    if (!w->there)
        return _URC_NO_REASON;
    pc -= !exact;
    if (w->n && w->run[w->n - 1].pc == pc) {
        w->run[w->n - 1].times++;
        return _URC_NO_REASON;
    }
    w->run[w->n++] = (struct run){.pc = pc, .times = 1};
    return w->n < RUNS ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/* A call of what is no function left its return address behind; the caller's frame is as it was. */
static void leave_no_function(const struct rank *r, ucontext_t *u)
{
    Dl_info info;
    void *low;
    size_t size;
    if (dladdr((void *)rank_program_counter(u), &info) && info.dli_fbase)
        return;
#if defined(__x86_64__)
    uintptr_t sp = rank_stack_pointer(u);
    struct engine_actor *a = engine_current(r->engine);
    if (!a || !engine_actor_stack(r->engine, a, &low, &size) ||
        sp - (uintptr_t)low > size - sizeof(uintptr_t))
        return;
    u->uc_mcontext.gregs[REG_RIP] = *(const greg_t *)sp - 1;
    u->uc_mcontext.gregs[REG_RSP] += (greg_t)sizeof(uintptr_t);
#else
    (void)r, (void)low, (void)size;
    u->uc_mcontext.pc = u->uc_mcontext.regs[30] - 4;
#endif
}

/* --- whose they are --------------------------------------------------------------------------------- */

static bool find_in(const struct module_view *v, struct run *f)
{
    for (size_t k = 0; k < v->n; k++) {
        f->offset = f->pc - v->at[k].base;
        f->file = v->objects->list.at[k];
        if (v->at[k].handle && f->offset < f->file->elf.image_size)
            return true;
    }
    return false;
}

/* Also of other ranks' copies: a pointer to a function may come from anywhere. */
static bool is_program(const struct rank *r, struct run *f)
{
    const struct fold_job *job = fold_of(r);
    struct module_view v = modules_view(r);
    if (find_in(&v, f))
        return true;
    for (const struct fold_program *p = job->program; p < job->program + job->programs; p++)
        for (uint32_t k = 0; k < (p->images.way == FOLD_DLOPEN ? p->ranks : 1); k++) {
            v = (struct module_view){&p->images.objects, p->images.image[k].loaded, p->images.objects.list.n};
            if (find_in(&v, f))
                return true;
        }
    return false;
}

static bool is_ours(uintptr_t pc)
{
    Dl_info own, info;
    return dladdr((void *)(uintptr_t)where_stack_read, &own) && dladdr((void *)pc, &info) &&
           own.dli_fbase == info.dli_fbase;
}

static enum whose whose(const struct rank *r, struct run *f)
{
    if (is_program(r, f))
        return PROGRAM;
    return is_ours(f->pc) ? OURS : SYSTEM;
}

/* --- their names ------------------------------------------------------------------------------------ */

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* "memcpy (libc.so.6)"; `object`: "libc.so.6" is better than nothing. */
static bool name_system(const struct run *f, bool object, char *buf, size_t size)
{
    Dl_info info;
    void *extra = NULL;
    if (!dladdr1((void *)f->pc, &info, &extra, RTLD_DL_SYMENT) || !info.dli_fname)
        return false;
    const ElfW(Sym) *s = extra;
    if (info.dli_sname && s && f->pc - (uintptr_t)info.dli_saddr < s->st_size)
        snprintf(buf, size, "%s (%s)", info.dli_sname + (strncmp(info.dli_sname, "_IO_", 4) ? 0 : 4),
                 file_name(info.dli_fname));
    else if (object)
        snprintf(buf, size, "%s", file_name(info.dli_fname));
    else
        return false;
    return true;
}

/* "shmem_put": a function of ours that programs call, be it in place of one of libc's. */
static bool name_ours(const struct run *f, char *buf, size_t size)
{
    static const char interposed[] = "in_rank_";
    struct elf_file own;
    Dl_info info;
    if (!dladdr((void *)f->pc, &info) || elf_open(&own, info.dli_fname, NULL))
        return false;
    const char *name = elf_function_at(&own, f->pc - (uintptr_t)info.dli_fbase);
    if (!name)
        name = info.dli_sname;
    if (name && !strncmp(name, interposed, sizeof interposed - 1))
        name += sizeof interposed - 1;
    if (name)
        snprintf(buf, size, "%.*s", (int)strcspn(name, "."), name);
    elf_close(&own);
    return name != NULL;
}

/* --- the lines -------------------------------------------------------------------------------------- */

static void add(struct where_stack *out, size_t times, const char *text)
{
    char more[40] = "";
    if (out->n == WHERE_LINES) { /* keep the first HEAD and the last ones */
        out->cut = HEAD;
        out->left_out++;
        memmove(out->line[HEAD], out->line[HEAD + 1], sizeof out->line[0] * (WHERE_LINES - HEAD - 1));
        out->n--;
    }
    if (times > 1)
        snprintf(more, sizeof more, " (%zu times)", times);
    snprintf(out->line[out->n++], WHERE_LINE, "%.*s%s", (int)(WHERE_LINE - sizeof more), text, more);
}

static void add_program(struct where_stack *out, const struct run *f, const struct source_query *q)
{
    char text[WHERE_LINE];
    const char *function = elf_function_at(&f->file->elf, f->offset);
    for (size_t k = 0; k < q->found; k++) {
        const char *name = q->at[k].function;
        if (!*name)
            name = function ? function : "?";
        snprintf(text, sizeof text, "%.*s, %s", (int)strcspn(name, "."), name, q->at[k].line);
        add(out, k + 1 < q->found ? 1 : f->times, text);
    }
    if (q->found)
        return;
    if (!function)
        function = "?"; /* up to a dot: "f.part.0" is the compiler's name for a part of f */
    snprintf(text, sizeof text, "%.*s (%s+0x%llx)", (int)strcspn(function, "."), function,
             file_name(f->file->path), (unsigned long long)f->offset);
    add(out, f->times, text);
}

/* Which of the runs are worth a line: the program's; of ours the one that the program called; of the system's
 * those with a name. */
static bool is_shown(const struct walk *w, size_t k, size_t end, bool skip_system)
{
    const struct run *f = &w->run[k];
    if (f->whose == PROGRAM)
        return true;
    if (f->whose == OURS)
        return k + 1 < end && w->run[k + 1].whose == PROGRAM;
    for (size_t i = 0; i < k && skip_system; i++)
        skip_system = w->run[i].whose == SYSTEM;
    return !skip_system;
}

static void write_lines(const struct walk *w, size_t end, bool skip_system, struct where_stack *out)
{
    static struct source_query query[2 * WHERE_LINES]; /* of the first runs and the last ones */
    size_t n = 0, of[2 * WHERE_LINES];
    for (size_t k = 0; k < end; k++)
        if (w->run[k].whose == PROGRAM && (n < WHERE_LINES || end - k <= WHERE_LINES) &&
            n < 2 * WHERE_LINES) {
            of[n] = k;
            query[n++] = (struct source_query){.object = w->run[k].file->path, .address = w->run[k].offset};
        }
    source_queries_answer(query, n);
    static const struct source_query unknown;
    for (size_t k = 0, q = 0; k < end; k++) {
        char text[WHERE_LINE] = "";
        bool asked = q < n && of[q] == k;
        if (!is_shown(w, k, end, skip_system))
            continue;
        if (w->run[k].whose == PROGRAM)
            add_program(out, &w->run[k], asked ? &query[q] : &unknown);
        else if (w->run[k].whose == OURS ? name_ours(&w->run[k], text, sizeof text)
                                         : name_system(&w->run[k], out->n == 0, text, sizeof text))
            add(out, 1, text);
        q += asked;
    }
}

void where_stack_read(const struct rank *r, void *context, bool skip_system, struct where_stack *out)
{
    struct walk w = {.run = runs};
    memset(out, 0, sizeof *out);
    leave_no_function(r, context);
    w.from = rank_program_counter(context);
    _Unwind_Backtrace(visit, &w);
    if (!w.n)
        runs[w.n++] = (struct run){.pc = w.from, .times = 1};
    size_t end = 0; /* below the program's main are our frames */
    for (size_t k = 0; k < w.n; k++) {
        runs[k].whose = whose(r, &runs[k]);
        if (runs[k].whose == PROGRAM)
            end = k + 1;
    }
    size_t first = 0;
    while (first < end && runs[first].whose == SYSTEM)
        first++;
    out->in_call = first < end && runs[first].whose == OURS;
    write_lines(&w, end, skip_system || out->in_call, out);
}

/* --- in a call? ------------------------------------------------------------------------------------- */

struct innermost {
    const struct rank *rank;
    uintptr_t from;
    bool there, ours;
};

static bool is_own_program(const struct rank *r, uintptr_t pc)
{
    struct run f = {.pc = pc};
    struct module_view v = modules_view(r);
    return find_in(&v, &f);
}

/* Ends at the first frame that is not the system's. */
static _Unwind_Reason_Code visit_innermost(struct _Unwind_Context *context, void *arg)
{
    struct innermost *w = arg;
    uintptr_t pc = _Unwind_GetIP(context);
    w->there |= pc == w->from;
    if (!pc || (w->there && is_own_program(w->rank, pc)))
        return _URC_END_OF_STACK;
    w->ours = w->there && is_ours(pc);
    return w->ours ? _URC_END_OF_STACK : _URC_NO_REASON;
}

bool where_is_in_call(const struct rank *r, const void *context)
{
    struct innermost w = {.rank = r, .from = rank_program_counter(context)};
    if (is_own_program(r, w.from))
        return false;
    _Unwind_Backtrace(visit_innermost, &w);
    return w.ours;
}
