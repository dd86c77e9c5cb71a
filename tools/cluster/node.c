/* SPDX-License-Identifier: BSD-3-Clause */
/* node: namespaces, TAP devices and their addresses. */
#include "node.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/if_tun.h>

#include "frame.h"

static int text_write(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t n = write(fd, text, strlen(text));
    close(fd);
    return n == (ssize_t)strlen(text) ? 0 : -1;
}

static int sysctl_set(const char *setting, struct base_status *st)
{
    size_t n = strcspn(setting, "=");
    char *path = base_strfmt("/proc/sys/%.*s", (int)n, setting);
    for (char *c = path + strlen("/proc/sys/"); *c; c++)
        if (*c == '.')
            *c = '/';
    int rc =
        setting[n] && !text_write(path, setting + n + 1)
            ? 0
            : base_fail(st, "sysctl %s: cannot be set; expected KEY=VALUE of a network namespace", setting);
    free(path);
    return rc;
}

/* A TAP device in the calling process's network namespace. It vanishes when it is closed. */
static int tap_open(struct base_status *st)
{
    struct ifreq r = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return base_fail(st, "/dev/net/tun: %s; expected a kernel with TAP devices", strerror(errno));
    strcpy(r.ifr_name, NODE_DEVICE);
    if (ioctl(fd, TUNSETIFF, &r)) {
        base_fail(st, "a TAP device cannot be made: %s", strerror(errno));
        close(fd);
        return -1;
    }
    return fd;
}

static void address_put(struct ifreq *r, uint32_t ip)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(ip)};
    memcpy(&r->ifr_addr, &a, sizeof a);
}

static int device_set(int socket, unsigned long request, struct ifreq *r, const char *device,
                      const char *what, struct base_status *st)
{
    snprintf(r->ifr_name, sizeof r->ifr_name, "%s", device);
    return ioctl(socket, request, r) ? base_fail(st, "device %s: %s: %s", device, what, strerror(errno)) : 0;
}

static int device_up(int s, const char *device, struct base_status *st)
{
    struct ifreq r = {.ifr_flags = IFF_UP | IFF_RUNNING};
    return device_set(s, SIOCSIFFLAGS, &r, device, "cannot be started", st);
}

int node_address(uint32_t k, const struct node_options *o, struct base_status *st)
{
    struct ifreq mac = {0}, ip = {0}, mask = {0}, mtu = {.ifr_mtu = (int)o->mtu},
                 queue = {.ifr_qlen = (int)o->transmit_queue};
    int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (s < 0)
        return base_fail(st, "socket: %s", strerror(errno));
    frame_mac(k, (unsigned char *)mac.ifr_hwaddr.sa_data);
    mac.ifr_hwaddr.sa_family = ARPHRD_ETHER;
    address_put(&ip, frame_ip(k));
    address_put(&mask, 0xffff0000);
    int rc =
        device_up(s, "lo", st) || device_set(s, SIOCSIFHWADDR, &mac, NODE_DEVICE, "its MAC address", st) ||
        device_set(s, SIOCSIFMTU, &mtu, NODE_DEVICE, "its MTU", st) ||
        device_set(s, SIOCSIFTXQLEN, &queue, NODE_DEVICE, "the length of its queue", st) ||
        device_set(s, SIOCSIFADDR, &ip, NODE_DEVICE, "its address", st) ||
        device_set(s, SIOCSIFNETMASK, &mask, NODE_DEVICE, "its network", st) || device_up(s, NODE_DEVICE, st);
    close(s);
    return rc ? -1 : 0;
}

/* The process that keeps a node's namespaces. */
static pid_t holder_start(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        close_range(0, ~0U, 0);
        while (true)
            pause();
    }
    return pid;
}

int node_create(const struct topology *t, uint32_t k, const struct node_options *o, pid_t *holder, int *tap,
                struct base_status *st)
{
    const char *name = t->nodes[k].name;
    int device = -1;
    if (unshare(CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWIPC) || sethostname(name, strnlen(name, 64)))
        return base_fail(st, "namespaces for node %s: %s", name, strerror(errno));
    text_write("/proc/sys/net/ipv6/conf/default/disable_ipv6",
               "1"); /* a kernel without IPv6 has no need of it */
    for (const char *const *s = o->sysctls; *s; s++)
        if (sysctl_set(*s, st))
            return -1;
    if (tap && ((device = tap_open(st)) < 0 || node_address(k, o, st))) {
        if (device >= 0)
            close(device);
        return -1;
    }
    pid_t pid = holder_start();
    if (pid < 0)
        return base_fail(st, "fork: %s", strerror(errno));
    *holder = pid;
    if (tap)
        *tap = device;
    return 0;
}

int node_enter(pid_t holder, struct base_status *st)
{
    static const char *const kinds[] = {"net", "uts", "ipc"};
    for (int k = 0; k < 3; k++) {
        char path[64];
        snprintf(path, sizeof path, "/proc/%d/ns/%s", (int)holder, kinds[k]);
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0 || setns(fd, 0)) {
            base_fail(st, "%s: %s; expected a node's namespace", path, strerror(errno));
            if (fd >= 0)
                close(fd);
            return -1;
        }
        close(fd);
    }
    return 0;
}

uint64_t node_dropped(pid_t holder)
{
    char path[64], line[512];
    unsigned long long dropped = 0;
    snprintf(path, sizeof path, "/proc/%d/net/dev", (int)holder);
    FILE *f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f)) {
        char *p = strstr(line, NODE_DEVICE ":");
        if (p) /* eight figures of what it received; then bytes, packets, errors and drops of what it sent */
            sscanf(p + strlen(NODE_DEVICE ":"), "%*u %*u %*u %*u %*u %*u %*u %*u %*u %*u %*u %llu", &dropped);
    }
    if (f)
        fclose(f);
    return dropped;
}

int node_permitted(struct base_status *st)
{
    if (geteuid() != 0)
        return base_fail(st, "not permitted: network namespaces and TAP devices need root");
    pid_t pid = fork();
    if (pid < 0)
        return base_fail(st, "fork: %s", strerror(errno));
    if (pid == 0) { /* its namespaces and device end with it */
        struct base_status why;
        if (unshare(CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWNS | CLONE_NEWPID))
            _exit(1);
        _exit(tap_open(&why) < 0 ? 2 : 0);
    }
    int status;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return 0;
    return base_fail(st, "not permitted: this kernel or container gives no %s",
                     WIFEXITED(status) && WEXITSTATUS(status) == 2 ? "TAP devices" : "namespaces");
}
