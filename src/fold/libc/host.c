/* SPDX-License-Identifier: BSD-3-Clause */
/* host: a rank that asks which machine it runs on is told its simulated host. */
#include "fold/files/files.h"
#include "fold/libc/libc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

static const struct platform_host *my_host(void)
{
    return platform_host(fabric_platform(fold_of(rank_current)->fabric), rank_current->host);
}

int in_rank_gethostname(char *name, size_t size)
{
    if (!rank_current)
        return gethostname(name, size);
    const char *text = my_host()->name;
    strncpy(name, text, size);
    if (strlen(text) < size)
        return 0;
    errno = ENAMETOOLONG;
    return -1;
}

int in_rank___gethostname_chk(char *name, size_t size, size_t room)
{
    if (size > room)
        abort();
    return in_rank_gethostname(name, size);
}

int in_rank_uname(struct utsname *out)
{
    int failed = uname(out);
    if (rank_current && !failed)
        snprintf(out->nodename, sizeof out->nodename, "%s", my_host()->name);
    return failed;
}

/* Sockets of ranks are this machine's, so that the simulated hosts are all at its loopback address. */
static const char *address_of(const char *name)
{
    uint32_t id;
    bool simulated =
        rank_current && name && !platform_host_find(fabric_platform(fold_of(rank_current)->fabric), name, &id);
    return simulated ? "127.0.0.1" : name;
}

struct hostent *in_rank_gethostbyname(const char *name)
{
    return gethostbyname(address_of(name));
}

int in_rank_getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                        struct addrinfo **out)
{
    return getaddrinfo(address_of(name), service, hints, out);
}

long in_rank_sysconf(int name)
{
    bool cores = name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF;
    if (rank_current && name == _SC_OPEN_MAX) {
        const struct files_table *t = fold_part(rank_current)->files;
        return (long)(t ? t->limit : files_limit()).rlim_cur;
    }
    return rank_current && cores ? (long)my_host()->cores : sysconf(name);
}

int in_rank_get_nprocs(void)
{
    return rank_current ? (int)my_host()->cores : get_nprocs();
}

int in_rank_get_nprocs_conf(void)
{
    return rank_current ? (int)my_host()->cores : get_nprocs_conf();
}
