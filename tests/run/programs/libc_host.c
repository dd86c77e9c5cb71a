/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that asks where it is hears of its simulated host: its name and its cores. All hosts have this machine's loopback
 * address. */
// build: $OSHCC -O2 -D_FORTIFY_SOURCE=2 -g $SRC -o $EXE
// build: printf '<platform version="4.1"><zone id="z" routing="Full"><host id="first" speed="1Gf" core="3"/>' > p.xml
// build: printf '<host id="second" speed="1Gf" core="5"/><link id="l" bandwidth="1GBps" latency="1us"/>' >> p.xml
// build: printf '<route src="first" dst="second"><link_ctn id="l"/></route></zone></platform>' >> p.xml
// run: -np 2 --platform p.xml --map-by host
// stdout: 0: first, 3 cores
// stdout: 1: second, 5 cores
#include <arpa/inet.h>
#include <netdb.h>
#include <shmem.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Whether a host's name stands for the loopback address, by either function. */
static int resolves(const char *name)
{
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found = NULL;
    struct hostent *host = gethostbyname(name);
    in_addr_t loopback = htonl(INADDR_LOOPBACK);
    int same = host && !memcmp(host->h_addr_list[0], &loopback, sizeof loopback);
    if (getaddrinfo(name, "80", &hints, &found))
        return 0;
    same &= ((struct sockaddr_in *)found->ai_addr)->sin_addr.s_addr == loopback;
    freeaddrinfo(found);
    return same;
}

int main(void)
{
    char name[64], small[3];
    struct utsname u;
    shmem_init();
    int me = shmem_my_pe(), failed = gethostname(name, sizeof name) || uname(&u) || strcmp(name, u.nodename);
    failed |= gethostname(small, 3) == 0 && strlen(name) >= 3;
    failed |= sysconf(_SC_NPROCESSORS_ONLN) != get_nprocs() || sysconf(_SC_PAGESIZE) < 4096;
    failed |= !resolves(name) || !resolves("second");
    usleep((useconds_t)(1000 * me));
    printf("%d: %s, %ld cores%s\n", me, name, sysconf(_SC_NPROCESSORS_CONF), failed ? ", wrong" : "");
    shmem_finalize();
    return 0;
}
