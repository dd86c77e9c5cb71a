/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * frame: the addresses of nodes, and what the switch reads in an Ethernet frame. Node k has the address
 * 02:50:67:00:HI:LO and 10.77.HI.LO, where HI and LO are the bytes of k + 1.
 */
#ifndef CLUSTER_FRAME_H
#define CLUSTER_FRAME_H

#include "base/base.h"

enum { FRAME_MAC = 6, FRAME_HEADER = 14 };

void frame_mac(uint32_t node, unsigned char mac[FRAME_MAC]);
uint32_t frame_ip(uint32_t node); /* in the host's byte order */
char *frame_ip_text(uint32_t node, char buf[16]);

enum frame_kind {
    FRAME_UNICAST, /* to a node of the cluster */
    FRAME_ARP,     /* a request; now the reply, for the node that asked */
    FRAME_OTHER,   /* broadcasts and what is not for us: dropped */
};
/* Says what a frame from a node is. A request for the address of one of `nodes` nodes becomes its reply, in
 * place; bytes has room for 60. `to`: the node that gets the frame. */
enum frame_kind frame_read(unsigned char *bytes, uint32_t size, uint32_t nodes, uint32_t from, uint32_t *to);

#endif
