/* SPDX-License-Identifier: BSD-3-Clause */
/* veth: calls `ip` and `tc`. */
#include "veth.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS_MOST = 24 };

/* Runs a command, given as words between blanks. */
static int command(struct base_status *st, const char *fmt, ...) BASE_PRINTF(2, 3);
static int command(struct base_status *st, const char *fmt, ...)
{
    char text[512], split[512], *words[WORDS_MOST + 1], *rest;
    va_list args;
    int n = 0, status = 0;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    memcpy(split, text, sizeof split);
    for (char *w = strtok_r(split, " ", &rest); w && n < WORDS_MOST; w = strtok_r(NULL, " ", &rest))
        words[n++] = w;
    words[n] = NULL;
    pid_t pid = words[0] ? fork() : -1;
    if (pid == 0) {
        execvp(words[0], words);
        _exit(127);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (pid < 0 || !WIFEXITED(status) || WEXITSTATUS(status))
        return base_fail(st, "%s: failed; expected iproute2 and a kernel with veth, bridges and tbf", text);
    return 0;
}

/* The bandwidth of the first (up) or last link (down) of the route between a node and another. */
static double bandwidth(const struct topology *t, uint32_t k, bool up)
{
    uint32_t n, other = k ? 0 : 1;
    if (other >= t->n_nodes)
        return 0;
    const uint32_t *route = topology_route(t, up ? k : other, up ? other : k, &n);
    return n ? t->links[route[up ? 0 : n - 1]].bandwidth : 0;
}

static int shape(const char *device, double rate, const struct node_options *o, uint64_t queue,
                 struct base_status *st)
{
    /* The bucket holds one frame, or what the kernel's tick (1/1000 s at worst) lets through. */
    double burst = o->mtu + 14, tick = rate / 1000;
    if (rate <= 0)
        return 0;
    return command(st, "tc qdisc add dev %s root tbf rate %.0fbit burst %.0f limit %llu", device, 8 * rate,
                   burst > tick ? burst : tick, (unsigned long long)queue);
}

static int join(const struct topology *t, const struct node_options *o, uint64_t queue, uint32_t k,
                pid_t middle, pid_t holder, struct base_status *st)
{
    char device[32];
    snprintf(device, sizeof device, "node%u", k);
    if (node_enter(middle, st) ||
        command(st, "ip link add %s mtu %u type veth peer name " NODE_DEVICE " mtu %u netns %d", device,
                o->mtu, o->mtu, (int)holder) ||
        command(st, "ip link set %s master middle up", device) ||
        shape(device, bandwidth(t, k, false), o, queue, st) || node_enter(holder, st) ||
        node_address(k, o, st))
        return -1;
    return shape(NODE_DEVICE, bandwidth(t, k, true), o, queue, st);
}

int veth_create(const struct topology *t, const struct node_options *o, uint64_t queue, pid_t *holders,
                struct base_status *st)
{
    static char name[] = "middle";
    struct topology_node node = {.name = name};
    struct topology middle_only = {.nodes = &node, .n_nodes = 1};
    pid_t middle;
    if (node_create(&middle_only, 0, o, &middle, NULL, st) || command(st, "ip link add middle type bridge") ||
        command(st, "ip link set middle up"))
        return -1;
    for (uint32_t k = 0; k < t->n_nodes; k++)
        if (node_create(t, k, o, &holders[k], NULL, st) || join(t, o, queue, k, middle, holders[k], st))
            return -1;
    return 0;
}
