/* SPDX-License-Identifier: BSD-3-Clause */
/* launch: command lines of Open MPI and MPICH, and the agent that stands in for ssh. */
#include "launch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "frame.h"
#include "node.h"

int launch_mpi_parse(const char *text, enum launch_mpi *out, struct base_status *st)
{
    static const char *const names[] = {"guess", "openmpi", "mpich", "shmem", "none"};
    for (int k = 0; k < 5; k++)
        if (!strcmp(text, names[k])) {
            *out = (enum launch_mpi)k;
            return 0;
        }
    return base_fail(st, "-mpi '%s': expected openmpi, mpich, shmem, none or guess", text);
}

/* Reads what `ldd` says of the program. */
static enum launch_mpi libraries_ask(const char *program)
{
    enum launch_mpi found = LAUNCH_GUESS;
    int ends[2];
    char line[1024];
    if (pipe(ends))
        return found;
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(STDERR_FILENO);
        execlp("ldd", "ldd", program, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    FILE *f = fdopen(ends[0], "r");
    while (f && fgets(line, sizeof line, f)) {
        if (strstr(line, "liboshmem"))
            found = LAUNCH_SHMEM;
        else if (strstr(line, "libmpich") || strstr(line, "libmpi.so.12"))
            found = LAUNCH_MPICH;
        else if (strstr(line, "libmpi.so") && found == LAUNCH_GUESS)
            found = LAUNCH_OPENMPI;
    }
    if (f)
        fclose(f);
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return found;
}

int launch_prepare(struct launch *l, struct base_status *st)
{
    if (l->mpi == LAUNCH_GUESS)
        l->mpi = libraries_ask(l->program[0]);
    return l->mpi == LAUNCH_GUESS
               ? base_fail(st, "%s: is linked with neither Open MPI nor MPICH; expected -mpi", l->program[0])
               : 0;
}

struct words {
    BASE_ARRAY(char *) list;
};

static void add(struct words *w, const char *fmt, ...) BASE_PRINTF(2, 3);
static void add(struct words *w, const char *fmt, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, fmt);
    int rc = vasprintf(&text, fmt, args);
    va_end(args);
    BASE_ARRAY_PUSH(&w->list, rc < 0 ? NULL : text);
}

static void add_all(struct words *w, const char *const *texts)
{
    for (; *texts; texts++)
        add(w, "%s", *texts);
}

/* "a:1,b:2": the nodes and their ranks. */
static char *host_list(const struct topology *t)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    for (uint32_t k = 0; f && k < t->n_nodes; k++)
        fprintf(f, "%s%s:%u", k ? "," : "", t->nodes[k].name, t->nodes[k].slots);
    if (f)
        fclose(f);
    return text;
}

static void openmpi_words(struct words *w, const struct launch *l, const char *hosts)
{
    static const char *const fixed[] = {"--allow-run-as-root",
                                        "--bind-to",
                                        "none",
                                        "-mca",
                                        "plm",
                                        "rsh",
                                        "-mca",
                                        "plm_rsh_no_tree_spawn",
                                        "1",
                                        "-mca",
                                        "oob_tcp_if_include",
                                        NODE_DEVICE,
                                        "-mca",
                                        "mpi_yield_when_idle",
                                        "1",
                                        NULL};
    static const char *const tcp[] = {
        "-mca", "pml", "ob1", "-mca", "btl", "tcp,self", "-mca", "btl_tcp_if_include", NODE_DEVICE, NULL};
    add(w, "%s", l->mpi == LAUNCH_SHMEM ? "oshrun" : "mpirun.openmpi");
    add_all(w, fixed);
    if (l->mpi != LAUNCH_SHMEM)
        add_all(w, tcp);
    add(w, "-mca");
    add(w, "plm_rsh_agent");
    add(w, "%s/agent", l->folder);
    add(w, "-mca");
    add(w, "orte_tmpdir_base");
    add(w, "%s", l->folder);
    add(w, "-np");
    add(w, "%u", l->ranks);
    add(w, "--host");
    add(w, "%s", hosts);
}

static void mpich_words(struct words *w, const struct launch *l, const char *hosts)
{
    static const char *const fixed[] = {"mpiexec.hydra",  "-launcher", "ssh",
                                        "-iface",         NODE_DEVICE, "-disable-hostname-propagation",
                                        "-launcher-exec", NULL};
    add_all(w, fixed);
    add(w, "%s/agent", l->folder);
    add(w, "-n");
    add(w, "%u", l->ranks);
    add(w, "-hosts");
    add(w, "%s", hosts);
}

char **launch_words(const struct launch *l, const struct topology *t)
{
    struct words w = {0};
    char *hosts = host_list(t);
    if (l->mpi == LAUNCH_MPICH)
        mpich_words(&w, l, hosts);
    else if (l->mpi != LAUNCH_NONE)
        openmpi_words(&w, l, hosts);
    for (char **p = l->program; *p; p++)
        add(&w, "%s", *p);
    BASE_ARRAY_PUSH(&w.list, NULL);
    free(hosts);
    return w.list.at;
}

static FILE *folder_file(const struct launch *l, const char *name, struct base_status *st)
{
    char *path = base_strfmt("%s/%s", l->folder, name);
    FILE *f = fopen(path, "we");
    if (!f)
        base_fail(st, "%s: %s", path, strerror(errno));
    free(path);
    return f;
}

int launch_folder(const struct launch *l, const struct topology *t, const pid_t *holders,
                  struct base_status *st)
{
    char ip[16], self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    FILE *nodes = n > 0 ? folder_file(l, "nodes", st) : NULL;
    if (!nodes)
        return n > 0 ? -1 : base_fail(st, "/proc/self/exe: %s", strerror(errno));
    self[n] = 0;
    FILE *hosts = folder_file(l, "hosts", st);
    if (!hosts) {
        fclose(nodes);
        return -1;
    }
    fprintf(hosts, "127.0.0.1 localhost\n");
    for (uint32_t k = 0; k < t->n_nodes; k++) {
        fprintf(nodes, "%d %s\n", (int)holders[k], t->nodes[k].name);
        fprintf(hosts, "%s %s\n", frame_ip_text(k, ip), t->nodes[k].name);
    }
    int failed = fclose(nodes) | fclose(hosts);
    char *agent = base_strfmt("%s/agent", l->folder);
    if (failed || symlink(self, agent))
        failed = base_fail(st, "%s: cannot be written", l->folder);
    free(agent);
    return failed ? -1 : 0;
}

static void environment_set(const struct launch *l)
{
    static const char *const fixed[][2] = {{"UCX_TLS", "tcp,self"},
                                           {"UCX_NET_DEVICES", NODE_DEVICE},
                                           {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                                           {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}};
    for (size_t k = 0; k < sizeof fixed / sizeof *fixed; k++)
        setenv(fixed[k][0], fixed[k][1], 1);
    if (l->mpi == LAUNCH_SHMEM) /* with this component, shmem_finalize of Open MPI 4.1 may crash */
        setenv("OMPI_MCA_osc", "^rdma", 0);
    setenv("PGASIM_CLUSTER", l->folder, 1);
    if (l->spin)
        setenv("PGASIM_CLUSTER_SPIN", "1", 1);
    if (l->idle && l->mpi != LAUNCH_NONE) {
        const char *others = getenv("LD_PRELOAD");
        char *all = base_strfmt("%s%s%s", l->idle, others ? ":" : "", others ? others : "");
        setenv("LD_PRELOAD", all, 1);
        free(all);
    }
}

void launch_exec(const struct launch *l, const struct topology *t)
{
    char **words = launch_words(l, t);
    environment_set(l);
    execvp(words[0], words);
    base_error("%s: %s", words[0], strerror(errno));
}

/* The process that keeps a node, from the list beside the agent; 0: no such node. */
static pid_t holder_find(const char *agent, const char *node)
{
    const char *end = strrchr(agent, '/');
    char *path = base_strfmt("%.*s/nodes", end ? (int)(end - agent) : 1, end ? agent : ".");
    FILE *f = fopen(path, "re");
    char name[512];
    int pid, found = 0;
    free(path);
    while (f && !found && fscanf(f, "%d %511s", &pid, name) == 2)
        if (!strcmp(name, node))
            found = pid;
    if (f)
        fclose(f);
    return found;
}

/* The arguments as one text, as ssh gives them to the shell of the other side. */
static char *joined(char **args)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    for (; f && *args; args++)
        fprintf(f, "%s ", *args);
    if (f)
        fclose(f);
    return text;
}

int launch_agent(int argc, char **argv)
{
    struct base_status st;
    int k = 1;
    while (k < argc && argv[k][0] == '-')
        k++;
    if (k + 1 >= argc) {
        base_error("agent: expected a node and a command");
        return BASE_EXIT_INPUT;
    }
    pid_t holder = holder_find(argv[0], argv[k]);
    if (!holder) {
        base_error("agent: %s is no node of this cluster", argv[k]);
        return BASE_EXIT_INPUT;
    }
    if (node_enter(holder, &st)) {
        base_error("agent: %s", st.text);
        return BASE_EXIT_HOST;
    }
    char *text = joined(argv + k + 1);
    execl("/bin/sh", "sh", "-c", text, (char *)NULL);
    base_error("agent: /bin/sh: %s", strerror(errno));
    free(text);
    return BASE_EXIT_HOST;
}
