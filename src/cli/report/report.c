/* SPDX-License-Identifier: BSD-3-Clause */
/* report: `pgasim report` makes a page for the browser of a trace. */
#include "base/output.h"
#include "cli/command.h"
#include "cli/options/options.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct request {
    const char *output; /* NULL: beside the trace; or none, if `sdsm` is given */
    const char *sdsm;   /* folder for the S-DSM's tables; NULL: none are written */
    struct report_page_options page;
};

CLI_TEXT(apply_output, struct request, output)
CLI_TEXT(apply_sdsm, struct request, sdsm)

static int apply_focus(void *ctx, const char *value, struct base_status *st)
{
    struct report_page_options *o = &((struct request *)ctx)->page;
    struct base_status why;
    const char *colon = strchr(value, ':');
    if (!colon)
        return base_fail(st, "--focus %s: expected FROM:TO, two simulated times such as 1.5ms:2ms", value);
    char *from = base_strfmt("%.*s", (int)(colon - value), value);
    int rc = base_parse_time(from, &o->from, &why) || base_parse_time(colon + 1, &o->to, &why) ? -1 : 0;
    free(from);
    if (rc)
        return base_fail(st, "--focus %s: %s", value, why.text);
    if (!(o->to > o->from && o->from >= 0))
        return base_fail(st, "--focus %s: expected FROM:TO with FROM before TO", value);
    return 0;
}

static const struct cli_option table[] = {
    {"--output -o", "FILE",
     "where to write the page; - for the standard output\n(default: the trace's name, ending in .html)",
     apply_output},
    {"--focus", "FROM:TO", "simulated times between which the timeline has full\ndetail, such as 1.5ms:2ms",
     apply_focus},
    {"--sdsm", "FOLDER", "write the figures of the S-DSM there, as pictures and\ntables; no page without -o",
     apply_sdsm},
};

static const struct cli_options help_report = {
    .usage = "pgasim report TRACE [-o FILE] [options]",
    .about =
        "Makes a page for the browser from a trace: where time went, who waited for whom, which links were\n"
        "full, and what would speed the run up. The page is self-contained and needs no network. TRACE was\n"
        "written by pgasim run --trace NAME.pgt; or it is a folder that a program with the S-DSM wrote on a\n"
        "real MPI (--sat-stats FOLDER).",
    .option = table,
    .n = BASE_LENGTH(table),
    .notes = "exit status: 0; 2 bad input; 4 the page could not be written.",
};

/* --- the file ----------------------------------------------------------------------------------------- */

/* Beside the trace, or the folder. */
static char *output_of(const struct request *q, const char *trace)
{
    if (q->output)
        return base_strdup(q->output);
    const char *slash = strrchr(trace, '/'), *dot = strrchr(trace, '.');
    bool extension = dot && dot != trace && (!slash || dot > slash + 1);
    size_t n = strlen(trace);
    while (n > 1 && trace[n - 1] == '/')
        n--;
    return base_strfmt("%.*s.html", (int)(extension ? dot - trace : (ptrdiff_t)n), trace);
}

static int write_sdsm(const struct report *r, const char *folder)
{
    struct base_status st;
    if (!r->facts->sdsm) {
        base_error("--sdsm: %s has no events of the S-DSM (of types sat.*; see docs/sdsm-figures.md)",
                   r->path);
        return BASE_EXIT_INPUT;
    }
    if (!report_sdsm_files(r, folder, &st))
        return BASE_EXIT_OK;
    base_error("--sdsm: %s", st.text);
    return BASE_EXIT_HOST;
}

static int write_file(struct report_page *page, const struct report *r, const char *trace, const char *path)
{
    const struct base_file_use files[] = {{"the trace", trace, false}, {"--output", path, true}};
    struct base_output o;
    struct base_status st;
    struct stat file;
    char size[32];
    if (base_files_distinct(files, BASE_LENGTH(files), &st)) {
        base_error("%s", st.text);
        return BASE_EXIT_INPUT;
    }
    if (base_output_open(&o, path, &st)) {
        base_error("%s", st.text);
        return BASE_EXIT_HOST;
    }
    bool standard = o.out == stdout;
    report_page_write(page, r, o.out);
    if (base_output_commit(&o, &st)) {
        base_error("%s", st.text);
        return BASE_EXIT_HOST;
    }
    if (!standard && !stat(path, &file) && S_ISREG(file.st_mode))
        base_info("%s: %s", path, base_show_size(size, (double)file.st_size));
    return BASE_EXIT_OK;
}

static int write_page(struct report_page *page, const struct report *r, const char *trace,
                      const struct request *q)
{
    if (!report_page_available()) {
        base_error("this pgasim was built without the report page (PGASIM_REPORT=OFF); pgasim profile prints "
                   "the same figures as tables");
        return BASE_EXIT_INPUT;
    }
    char *path = output_of(q, trace);
    int status = write_file(page, r, trace, path);
    free(path);
    return status;
}

/* --- the command ---------------------------------------------------------------------------------------- */

static int make(const struct request *q, const char *trace)
{
    struct base_status st;
    struct report r;
    struct report_page *page = report_page_create(&q->page);
    struct trace_sink also = report_page_sink(page);
    int status = BASE_EXIT_INPUT;
    if (report_open(&r, trace, &also, &st)) {
        base_error("%s", st.text);
    } else {
        if (r.damage)
            base_warn("trace/damaged", "%s: %s; the page covers only what %s", trace, r.damage,
                      r.stats ? "there is" : "comes before");
        status = q->sdsm ? write_sdsm(&r, q->sdsm) : BASE_EXIT_OK;
        if (!status && (q->output || !q->sdsm))
            status = write_page(page, &r, trace, q);
        report_close(&r);
    }
    report_page_destroy(page);
    return status;
}

/* Options stand before and behind the trace. */
static enum cli_read read_all(struct request *q, int argc, char **args, const char **trace, int *words,
                              struct base_status *st)
{
    for (int at = 0; at < argc - 1;) {
        int rest = argc - at;
        enum cli_read r = cli_options_read(&help_report, q, argc - at, args + at, &rest, st);
        if (r != CLI_READ)
            return r;
        at += rest;
        if (at < argc && !(*words)++)
            *trace = args[at];
    }
    return CLI_READ;
}

int cli_report(int argc, char **args)
{
    struct request q = {0};
    struct base_status st;
    const char *trace = NULL;
    int words = 0;
    enum cli_read r = read_all(&q, argc, args, &trace, &words, &st);
    if (r == CLI_READ_HELP) {
        cli_options_help(&help_report, stdout);
        return BASE_EXIT_OK;
    }
    if (r == CLI_READ_FAILED)
        return cli_options_refuse(&help_report, st.text);
    if (words != 1)
        return cli_options_refuse(&help_report, words ? "one trace was expected" : "no trace was named");
    return make(&q, trace);
}
