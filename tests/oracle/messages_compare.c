/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two-sided messages as SMPI has them: messages_smpi runs on SMPI with random messages between two hosts, of
 * SMPI's network model and with overheads and thresholds; the same calls at the same times take as long here.
 *
 *      messages_compare SMPIRUN MESSAGES_SMPI SEED CASES
 */
#include "fabric/fabric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char platform_text[] =
    "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>\n"
    "<platform version='4.1'><zone id='z' routing='Full'>\n"
    "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/><link id='ab' bandwidth='1GBps' latency='1us'/>\n"
    "<route src='a' dst='b'><link_ctn id='ab'/></route></zone></platform>\n";

static const char *const settings_text[][2] = {
    {"smpi/os", "0:2e-6:0.5e-9;5000:7e-6:0.2e-9"}, {"smpi/ois", "0:1e-6:0.25e-9"},
    {"smpi/or", "0:3e-6:1e-9;70000:5e-6:0.5e-9"},  {"smpi/async-small-thresh", "1000"},
    {"smpi/send-is-detached-thresh", "30000"},
};

/* One message, when its calls began and how long they take in SMPI [0] and here [1]; send, receive. */
struct exchange {
    struct fabric_message message; /* first */
    unsigned how;
    double begin[2], smpi[2], ours[2];
    bool posted, exists, free, there;
    struct engine_actor *actor[2];
};
static struct engine *engine;
static struct fabric_messages *ms;
static const struct engine_reason reason = {.what = "messages_compare"};

static void on_sent(struct fabric_messages *of, struct fabric_message *m)
{
    struct exchange *x = (struct exchange *)m;
    (void)of;
    x->free = true;
    engine_wake(engine, x->actor[0]);
}

static void on_received(struct fabric_messages *of, struct fabric_message *m)
{
    struct exchange *x = (struct exchange *)m;
    (void)of;
    x->there = true;
    engine_wake(engine, x->actor[1]);
}

static void sender(void *arg)
{
    struct exchange *x = arg;
    engine_sleep_until(engine, x->begin[0]);
    engine_sleep(engine, fabric_send_cost(ms, 0, x->message.bytes, x->how));
    fabric_message_send(ms, &x->message);
    x->exists = true;
    x->free = x->message.mode != FABRIC_SYNCHRONOUS;
    if (x->posted && fabric_message_receive(ms, &x->message))
        base_fatal(1, "a message that was just sent is there");
    while (!x->free)
        engine_block(engine, &reason);
    x->ours[0] = engine_now(engine) - x->begin[0];
}

static void receiver(void *arg)
{
    struct exchange *x = arg;
    engine_sleep_until(engine, x->begin[1]);
    x->posted = true;
    if (x->exists)
        x->there = fabric_message_receive(ms, &x->message);
    while (!x->there)
        engine_block(engine, &reason);
    engine_sleep(engine, fabric_receive_cost(ms, &x->message));
    x->ours[1] = engine_now(engine) - x->begin[1];
}

/* --- SMPI's -------------------------------------------------------------------------------------------- */

static FILE *smpi_start(char **argv)
{
    char platform[] = "/tmp/messages_XXXXXX.xml", hosts[] = "/tmp/messages_XXXXXX.txt";
    int p = mkstemps(platform, 4), h = mkstemps(hosts, 4);
    if (p < 0 || h < 0 || write(p, platform_text, sizeof platform_text - 1) < 0 || write(h, "a\nb\n", 4) < 0)
        base_fatal(1, "cannot write %s", platform);
    close(p);
    close(h);
    char *cfg = base_strdup("");
    for (size_t k = 0; k < BASE_LENGTH(settings_text); k++) {
        char *longer = base_strfmt("%s '--cfg=%s:%s'", cfg, settings_text[k][0], settings_text[k][1]);
        free(cfg);
        cfg = longer;
    }
    char *command =
        base_strfmt("%s -np 2 -platform %s -hostfile %s --log=root.thres:critical "
                    "--cfg=smpi/simulate-computation:no --cfg=smpi/wtime:0 %s %s %s %s; rm -f %s %s",
                    argv[1], platform, hosts, cfg, argv[2], argv[3], argv[4], platform, hosts);
    FILE *out = popen(command, "r");
    free(command);
    free(cfg);
    if (!out)
        base_fatal(1, "cannot run %s", argv[1]);
    return out;
}

static int smpi_read(struct exchange *x, int cases, char **argv)
{
    static const unsigned ways[] = {0, FABRIC_NONBLOCKING, FABRIC_SYNCHRONIZES,
                                    FABRIC_NONBLOCKING | FABRIC_SYNCHRONIZES, FABRIC_BUFFERS};
    FILE *in = smpi_start(argv);
    int rank, k, how, lines = 0;
    unsigned long long bytes;
    double begin, took;
    while (fscanf(in, "%d %d %d %llu %lf %lf", &rank, &k, &how, &bytes, &begin, &took) == 6) {
        if (rank < 0 || rank > 1 || k < 0 || k >= cases || how < 0 || how > 4)
            base_fatal(1, "SMPI's output is not understood");
        x[k].how = ways[how];
        x[k].message.bytes = bytes;
        x[k].begin[rank] = begin;
        x[k].smpi[rank] = took;
        lines++;
    }
    pclose(in);
    return lines;
}

/* --- ours ---------------------------------------------------------------------------------------------- */

static void play(struct exchange *x, int cases)
{
    static const struct fabric_message_handler handler = {.sent = on_sent, .received = on_received};
    struct base_status st;
    struct platform *p;
    struct base_settings *s = base_settings_create();
    base_settings_declare(s, platform_settings, platform_settings_count);
    base_settings_declare(s, fabric_settings, fabric_settings_count);
    base_settings_declare(s, fabric_message_settings, fabric_message_settings_count);
    int rc = base_settings_set(s, "network/model", "SMPI", BASE_FROM_COMMAND, &st);
    for (size_t k = 0; k < BASE_LENGTH(settings_text) && !rc; k++)
        rc = base_settings_set(s, settings_text[k][0], settings_text[k][1], BASE_FROM_COMMAND, &st);
    if (rc || platform_load_text(&p, platform_text, sizeof platform_text - 1, "messages", s, &st))
        base_fatal(1, "%s", st.text);
    engine =
        engine_create(&(struct engine_config){.max_actors = 2 * (uint32_t)cases + 1, .stack_size = 64 << 10});
    struct fluid *fl = fluid_create(engine);
    struct fabric *f = fabric_create(engine, fl, p, s);
    if (fabric_messages_create(&ms, f, s, &st))
        base_fatal(1, "%s", st.text);
    for (int k = 0; k < cases; k++) {
        x[k].message.handler = &handler;
        x[k].message.to = 1;
        x[k].message.mode = (uint8_t)fabric_message_mode(ms, x[k].message.bytes, x[k].how);
        x[k].actor[0] = engine_actor_spawn(engine, sender, &x[k], NULL);
        x[k].actor[1] = engine_actor_spawn(engine, receiver, &x[k], NULL);
    }
    if (engine_run(engine) != ENGINE_ALL_DONE)
        base_fatal(1, "a message never arrives");
    fabric_messages_destroy(ms);
    fabric_destroy(f);
    fluid_destroy(fl);
    engine_destroy(engine);
    platform_destroy(p);
    base_settings_destroy(s);
}

/* SMPI's clock is rounded to 1 ns (surf/precision, which smpirun sets). */
static int compare(const struct exchange *x, int cases)
{
    static const char *const calls[] = {"send", "receive"};
    int wrong = 0;
    for (int k = 0; k < cases; k++)
        for (int r = 0; r < 2; r++)
            if (fabs(x[k].ours[r] - x[k].smpi[r]) > 1e-6 * x[k].smpi[r] + 4e-9 && wrong++ < 10)
                printf("case %d: %llu bytes, how %u, mode %d, receive %g us after the send: the %s takes "
                       "%.12g us, "
                       "in SMPI %.12g us\n",
                       k, (unsigned long long)x[k].message.bytes, x[k].how, x[k].message.mode,
                       1e6 * (x[k].begin[1] - x[k].begin[0]), calls[r], 1e6 * x[k].ours[r],
                       1e6 * x[k].smpi[r]);
    return wrong;
}

int main(int argc, char **argv)
{
    if (argc != 5)
        base_fatal(2, "expected SMPIRUN MESSAGES_SMPI SEED CASES");
    int cases = atoi(argv[4]);
    struct exchange *x = base_zalloc((size_t)cases * sizeof *x, "cases");
    int lines = smpi_read(x, cases, argv);
    if (lines != 2 * cases)
        base_fatal(1, "SMPI printed %d of %d lines", lines, 2 * cases);
    play(x, cases);
    int wrong = compare(x, cases), mode[3] = {0};
    for (int k = 0; k < cases; k++)
        mode[x[k].message.mode]++;
    printf("seed %s: %d messages (%d asynchronous, %d detached, %d synchronous), %d calls differ\n", argv[3],
           cases, mode[0], mode[1], mode[2], wrong);
    free(x);
    return wrong != 0;
}
