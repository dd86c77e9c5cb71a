/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * platform: the constants as a platform file that SimGrid reads, too. A cluster whose nodes have a link each; a backbone
 * of FATPIPE bounds a single message if the links carry more than that. Without a network it is one host.
 */
#include "calibrate/internal.h"

#include <math.h>

#include "base/text.h"

static uint32_t nodes_of(const struct calibrate_result *r)
{
    uint32_t nodes = r->where == CALIBRATE_NETWORK ? 2 : 1;
    for (size_t k = 0; k < r->table->file.n; k++)
        nodes = r->table->file.at[k].nodes > nodes ? r->table->file.at[k].nodes : nodes;
    return r->options.nodes ? r->options.nodes : nodes;
}

static uint32_t cores_of(const struct calibrate_result *r)
{
    return r->options.cores ? r->options.cores : calibrate_ranks_of_node(r);
}

/* What is known of the memory of a host or of those of a cluster, as properties. */
static void memory_write(const struct calibrate_result *r, FILE *out)
{
    if (!(r->memory.bandwidth > 0))
        return;
    fprintf(out,
            "    <prop id=\"local/memory-bandwidth\" value=\"%.9gBps\"/>\n"
            "    <prop id=\"local/core-bandwidth\" value=\"%.9gBps\"/>\n"
            "    <prop id=\"local/bandwidth\" value=\"%.9gBps\"/>\n"
            "    <prop id=\"local/copy-traffic\" value=\"%.9g\"/>\n"
            "    <prop id=\"local/message-traffic\" value=\"%.9g\"/>\n",
            r->memory.bandwidth, r->memory.core, r->memory.copying, r->memory.copy, r->memory.message);
}

static void overheads_write(const struct calibrate_result *r, enum calibrate_curve_id id, FILE *out)
{
    const struct fit *f = &r->curve[id].fit;
    if (!f->segments || !r->apart)
        return;
    fprintf(out, "    <prop id=\"smpi/%s\" value=\"", r->curve[id].name);
    for (unsigned k = 0; k < f->segments; k++)
        fprintf(out, "%s%.0f:%.9g:%.9g", k ? ";" : "", f->segment[k].above, f->segment[k].line.a,
                f->segment[k].line.b);
    fputs("\"/>\n", out);
}

static void factors_write(const struct calibrate_result *r, const char *key,
                          double (*factor)(const struct calibrate_result *r, unsigned k), double scale,
                          FILE *out)
{
    const struct fit *f = &r->curve[CALIBRATE_TRANSFER].fit;
    fprintf(out, "    <prop id=\"smpi/%s\" value=\"", key);
    for (unsigned k = 0; k < f->segments; k++)
        fprintf(out, "%s%.0f:%.9g", k ? ";" : "", f->segment[k].above, scale * factor(r, k));
    fputs("\"/>\n", out);
}

static void call_write(const struct calibrate_result *r, const char *key, const char *name, FILE *out)
{
    const struct calibrate_constant *c = calibrate_find(r, name);
    if (c && c->value > 0)
        fprintf(out, "    <prop id=\"smpi/%s\" value=\"%.9g\"/>\n", key, c->value);
}

/* SimGrid has no factors by size here, and no bandwidth of both directions. */
static void directions_write(const struct calibrate_result *r, FILE *out)
{
    fputs("    <prop id=\"network/crosstraffic\" value=\"", out);
    if (r->crosstraffic > 0)
        fprintf(out, "%.0f:%.6g", r->above, r->crosstraffic);
    else
        fputs("no", out);
    fputs("\"/>\n", out);
    if (r->bidirectional > 0)
        fprintf(out, "    <prop id=\"network/bidirectional\" value=\"%.0f:%.6g\"/>\n", r->above,
                r->bidirectional);
}

static void config_write(const struct calibrate_result *r, FILE *out)
{
    fputs("  <config id=\"calibrated\">\n    <prop id=\"network/model\" value=\"SMPI\"/>\n"
          "    <prop id=\"network/TCP-gamma\" value=\"0\"/>\n",
          out);
    directions_write(r, out);
    overheads_write(r, CALIBRATE_OS, out);
    overheads_write(r, CALIBRATE_OIS, out);
    overheads_write(r, CALIBRATE_OR, out);
    if (r->async.known)
        fprintf(out, "    <prop id=\"smpi/async-small-thresh\" value=\"%.0f\"/>\n", r->async.bytes);
    if (r->detached.known)
        fprintf(out, "    <prop id=\"smpi/send-is-detached-thresh\" value=\"%.0f\"/>\n", r->detached.bytes);
    if (r->ahead > 0)
        fprintf(out, "    <prop id=\"network/rendezvous-data\" value=\"%.0f\"/>\n", r->ahead);
    factors_write(r, "lat-factor", calibrate_latency_factor, 1, out);
    factors_write(r, "bw-factor", calibrate_bandwidth_factor, r->goodput, out);
    if (r->host_latency > 0)
        fprintf(out, "    <prop id=\"network/host-latency\" value=\"%.9gs\"/>\n", r->host_latency);
    call_write(r, "wtime", "MPI_Wtime", out);
    call_write(r, "test", "MPI_Test", out);
    call_write(r, "iprobe", "MPI_Iprobe", out);
    fputs("  </config>\n", out);
}

/* A comment may not hold two hyphens one after the other. */
static void comment_text(FILE *out, const char *text)
{
    char shown[400];
    base_text_show(shown, sizeof shown, text);
    for (char *p = shown; *p; p++)
        fputc(p[0] == '-' && (p[1] == '-' || !p[1]) ? '_' : *p, out);
}

/* What the constants are made of, and what was not identified. */
static void comment_write(const struct calibrate_result *r, FILE *out)
{
    fputs("<!-- Made by pgasim calibrate of ", out);
    for (size_t k = 0; k < r->table->file.n; k++) {
        fputs(k ? ", " : "", out);
        comment_text(out, r->table->file.at[k].name);
    }
    fputs(".\n", out);
    for (size_t k = 0; k < r->missing.n; k++) {
        fputs("     Not identified: ", out);
        comment_text(out, r->missing.at[k].name);
        fputs(": ", out);
        comment_text(out, r->missing.at[k].why);
        fputs("\n", out);
    }
    if (!(r->speed > 0))
        fputs("     The speed of a core is a placeholder.\n", out);
    fputs("-->\n", out);
}

static void one_host_write(const struct calibrate_result *r, uint32_t cores, double speed, FILE *out)
{
    fprintf(
        out,
        "  <zone id=\"calibrated\" routing=\"Full\">\n    <host id=\"node-0\" speed=\"%.9gf\" core=\"%u\"",
        speed, cores);
    fputs(r->memory.bandwidth > 0 ? ">\n" : "/>\n", out);
    memory_write(r, out);
    fputs(r->memory.bandwidth > 0 ? "    </host>\n" : "", out);
    fprintf(out,
            "    <link id=\"loopback\" bandwidth=\"%.9gBps\" latency=\"%.9gs\" sharing_policy=\"%s\"/>\n"
            "    <route src=\"node-0\" dst=\"node-0\"><link_ctn id=\"loopback\"/></route>\n  </zone>\n",
            r->bandwidth, r->latency, r->local_shared && !(r->memory.bandwidth > 0) ? "SHARED" : "FATPIPE");
}

static void cluster_write(const struct calibrate_result *r, uint32_t cores, double speed, FILE *out)
{
    fprintf(out,
            "  <cluster id=\"calibrated\" prefix=\"node-\" suffix=\"\" radical=\"0-%u\" speed=\"%.9gf\" "
            "core=\"%u\"\n"
            "           bw=\"%.9gBps\" lat=\"%.9gs\" sharing_policy=\"%s\"",
            nodes_of(r) - 1, speed, cores, (r->link > 0 ? r->link : r->bandwidth) / r->goodput,
            (r->latency - r->host_latency) / 2, r->half_duplex ? "SHARED" : "SPLITDUPLEX");
    if (r->backbone > 0)
        fprintf(out, "\n           bb_bw=\"%.9gBps\" bb_lat=\"0s\" bb_sharing_policy=\"SHARED\"",
                r->backbone / r->goodput);
    else if (r->link > 0)
        fprintf(out, "\n           bb_bw=\"%.9gBps\" bb_lat=\"0s\" bb_sharing_policy=\"FATPIPE\"",
                r->bandwidth);
    if (r->local_bandwidth > 0)
        fprintf(out, "\n           loopback_bw=\"%.9gBps\" loopback_lat=\"%.9gs\"",
                r->local_bandwidth / r->goodput, r->local_latency);
    if (!calibrate_has_one_sided(r) && !(r->memory.bandwidth > 0)) {
        fputs("/>\n", out);
        return;
    }
    fputs(">\n", out);
    if (calibrate_has_one_sided(r))
        calibrate_one_sided_write(r, out);
    memory_write(r, out);
    fputs("  </cluster>\n", out);
}

void calibrate_platform(const struct calibrate_result *r, FILE *out)
{
    double speed = r->speed > 0 ? r->speed : 1e9;
    fputs("<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n", out);
    comment_write(r, out);
    fputs("<platform version=\"4.1\">\n", out);
    config_write(r, out);
    if (r->where == CALIBRATE_NODE)
        one_host_write(r, cores_of(r), speed, out);
    else
        cluster_write(r, cores_of(r), speed, out);
    fputs("</platform>\n", out);
}
