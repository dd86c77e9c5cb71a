/* SPDX-License-Identifier: BSD-3-Clause */
/* cluster: the command: options, and what they start. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run.h"

static const char usage[] =
    "usage: cluster run -platform FILE -np N [options] PROGRAM [arguments]\n"
    "       cluster check        whether a cluster can be made here (status 0, or 77 with the reason)\n"
    "       cluster clean        removes what runs left that were killed\n"
    "\n"
    "Runs an MPI program over real TCP on nodes that are network namespaces of this machine, joined by "
    "links\n"
    "with the bandwidths and latencies of a platform file.\n"
    "\n"
    "  -platform FILE    SimGrid's XML, or a name that `pgasim run -platform` knows\n"
    "  -np N             ranks, placed on hosts as `pgasim run` does\n"
    "  -mpi NAME         openmpi, mpich, shmem (Open MPI's), none (the program runs once, on the first "
    "node);\n"
    "                    default: what the program is linked with\n"
    "  -queue SIZE       bytes that may wait at a link (256KiB); a link's property \"queue\" takes "
    "precedence\n"
    "  -transmit-queue N frames that may wait in a node's own device (1000)\n"
    "  -mtu BYTES        of the nodes' devices (1500)\n"
    "  -forward HOW      cut-through (default) or store: a link passes frames on once it has all of them\n"
    "  -sysctl KEY=VALUE in each node, as net.ipv4.tcp_congestion_control=reno; may be repeated\n"
    "  -spin             ranks that wait use their CPU, as they do on real nodes; default: they sleep\n"
    "  -veth             veth and tc instead of our switch: a star, bandwidth alone\n"
    "  -report FILE      adds a line of JSON about the run\n"
    "\n"
    "exit status: the program's; 2 bad options or files, 4 this machine cannot do it.\n";

enum { SYSCTLS_MOST = 32 };
static const char *sysctls[SYSCTLS_MOST + 1];

static int number(const char *name, const char *text, uint64_t least, uint64_t most, uint64_t *out,
                  struct base_status *st)
{
    if (base_parse_size(text, out, st) || *out < least || *out > most)
        return base_fail(st, "%s '%s': expected %llu to %llu", name, text, (unsigned long long)least,
                         (unsigned long long)most);
    return 0;
}

static int sysctl_add(const char *text, struct base_status *st)
{
    for (int k = 0; k < SYSCTLS_MOST; k++)
        if (!sysctls[k]) {
            sysctls[k] = text;
            return 0;
        }
    return base_fail(st, "-sysctl: expected at most %d", SYSCTLS_MOST);
}

static int forward_parse(const char *text, bool *store, struct base_status *st)
{
    *store = !strcmp(text, "store");
    return *store || !strcmp(text, "cut-through")
               ? 0
               : base_fail(st, "-forward '%s': expected cut-through or store", text);
}

/* An option with a value. 1: there is no such option. */
static int value_set(struct run_options *o, const char *name, const char *value, struct base_status *st)
{
    uint64_t n = 0;
    int rc = 0;
    if (!strcmp(name, "platform")) {
        o->platform = value;
    } else if (!strcmp(name, "np") || !strcmp(name, "n")) {
        rc = number("-np", value, 1, 100000, &n, st);
        o->launch.ranks = (uint32_t)n;
    } else if (!strcmp(name, "mpi")) {
        rc = launch_mpi_parse(value, &o->launch.mpi, st);
    } else if (!strcmp(name, "queue")) {
        rc = number("-queue", value, 2000, 1U << 30, &o->wire.queue, st);
    } else if (!strcmp(name, "transmit-queue")) {
        rc = number("-transmit-queue", value, 1, 1000000, &n, st);
        o->node.transmit_queue = (uint32_t)n;
    } else if (!strcmp(name, "mtu")) {
        rc = number("-mtu", value, 576, 65521, &n, st);
        o->node.mtu = (uint32_t)n;
    } else if (!strcmp(name, "forward")) {
        rc = forward_parse(value, &o->wire.store_and_forward, st);
    } else if (!strcmp(name, "sysctl")) {
        rc = sysctl_add(value, st);
    } else if (!strcmp(name, "report")) {
        o->report = value;
    } else {
        return 1;
    }
    return rc;
}

/* Reads options up to the program. */
static int options_read(struct run_options *o, char **args, struct base_status *st)
{
    for (; *args && (*args)[0] == '-' && strcmp(*args, "--") != 0; args++) {
        const char *name = *args + ((*args)[1] == '-' ? 2 : 1);
        if (!strcmp(name, "spin")) {
            o->launch.spin = true;
            continue;
        }
        if (!strcmp(name, "veth")) {
            o->veth = true;
            continue;
        }
        int rc = value_set(o, name, args[1] ? args[1] : "", st);
        if (rc > 0)
            return base_fail(st, "unknown option %s (see cluster --help)", *args);
        if (rc < 0)
            return rc;
        if (!*++args)
            return base_fail(st, "%s: expected a value", args[-1]);
    }
    o->launch.program = args + (*args && !strcmp(*args, "--"));
    if (!*o->launch.program)
        return base_fail(st, "expected a program (see cluster --help)");
    if (!o->platform || !o->launch.ranks)
        return base_fail(st, "expected %s (see cluster --help)", o->platform ? "-np N" : "-platform FILE");
    return 0;
}

/* The library beside the command that makes waiting ranks sleep. */
static char *idle_find(void)
{
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0)
        return NULL;
    self[n] = 0;
    *strrchr(self, '/') = 0;
    char *path = base_strfmt("%s/libcluster-idle.so", self);
    if (!access(path, R_OK))
        return path;
    free(path);
    return NULL;
}

static int run(char **args)
{
    struct base_status st;
    char *idle = idle_find();
    struct run_options o = {.wire = {.queue = 256 << 10},
                            .node = {.mtu = 1500, .transmit_queue = 1000, .sysctls = sysctls},
                            .launch = {.idle = idle}};
    int status = BASE_EXIT_INPUT;
    if (options_read(&o, args, &st)) {
        base_error("cluster: %s", st.text);
    } else {
        o.wire.frame_most = o.node.mtu + 18; /* Ethernet's header, and a tag of a VLAN */
        status = run_cluster(&o);
    }
    free(idle);
    return status;
}

static int check(void)
{
    struct base_status st;
    if (!node_permitted(&st))
        return BASE_EXIT_OK;
    printf("cluster: %s\n", st.text);
    return 77;
}

int main(int argc, char **argv)
{
    const char *slash = strrchr(argv[0], '/');
    if (!strcmp(slash ? slash + 1 : argv[0], "agent"))
        return launch_agent(argc, argv);
    const char *command = argc > 1 ? argv[1] : "";
    if (!strcmp(command, "run"))
        return run(argv + 2);
    if (!strcmp(command, "check"))
        return check();
    if (!strcmp(command, "clean")) {
        printf("cluster: %u folders removed\n", run_clean());
        return BASE_EXIT_OK;
    }
    if (!strcmp(command, "--help") || !strcmp(command, "-help") || !strcmp(command, "-h")) {
        fputs(usage, stdout);
        return BASE_EXIT_OK;
    }
    base_error("cluster: expected run, check or clean (see cluster --help)");
    return BASE_EXIT_INPUT;
}
