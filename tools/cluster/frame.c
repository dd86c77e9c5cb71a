/* SPDX-License-Identifier: BSD-3-Clause */
/* frame: addresses of nodes and replies to ARP (RFC 826). */
#include "frame.h"

#include <string.h>

static const unsigned char prefix[4] = {0x02, 0x50, 0x67, 0x00};
enum { NETWORK = 10 << 24 | 77 << 16 };

void frame_mac(uint32_t node, unsigned char mac[FRAME_MAC])
{
    memcpy(mac, prefix, sizeof prefix);
    mac[4] = (unsigned char)((node + 1) >> 8);
    mac[5] = (unsigned char)(node + 1);
}

uint32_t frame_ip(uint32_t node)
{
    return NETWORK | ((node + 1) & 0xffff);
}

char *frame_ip_text(uint32_t node, char buf[16])
{
    uint32_t ip = frame_ip(node);
    snprintf(buf, 16, "%u.%u.%u.%u", ip >> 24, ip >> 16 & 255, ip >> 8 & 255, ip & 255);
    return buf;
}

/* An ARP packet behind the Ethernet header: who has TARGET_IP? */
enum {
    KIND = 12,
    OPERATION = 20,
    SENDER_MAC = 22,
    SENDER_IP = 28,
    TARGET_MAC = 32,
    TARGET_IP = 38,
    ARP_SIZE = 42
};

static bool node_of_ip(const unsigned char *at, uint32_t nodes, uint32_t *node)
{
    uint32_t ip = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    if ((ip & 0xffff0000) != NETWORK || (ip & 0xffff) == 0 || (ip & 0xffff) > nodes)
        return false;
    *node = (ip & 0xffff) - 1;
    return true;
}

static enum frame_kind arp_answer(unsigned char *bytes, uint32_t size, uint32_t nodes, uint32_t from,
                                  uint32_t *to)
{
    static const unsigned char request[8] = {0, 1, 8, 0, 6, 4, 0, 1};
    unsigned char asker_ip[4], wanted_ip[4];
    uint32_t wanted;
    if (size < ARP_SIZE || memcmp(bytes + FRAME_HEADER, request, sizeof request) != 0 ||
        !node_of_ip(bytes + TARGET_IP, nodes, &wanted) || wanted == from)
        return FRAME_OTHER;
    memcpy(asker_ip, bytes + SENDER_IP, 4);
    memcpy(wanted_ip, bytes + TARGET_IP, 4);
    frame_mac(from, bytes);
    frame_mac(wanted, bytes + FRAME_MAC);
    bytes[OPERATION + 1] = 2;
    frame_mac(wanted, bytes + SENDER_MAC);
    memcpy(bytes + SENDER_IP, wanted_ip, 4);
    frame_mac(from, bytes + TARGET_MAC);
    memcpy(bytes + TARGET_IP, asker_ip, 4);
    *to = from;
    return FRAME_ARP;
}

enum frame_kind frame_read(unsigned char *bytes, uint32_t size, uint32_t nodes, uint32_t from, uint32_t *to)
{
    if (size < FRAME_HEADER)
        return FRAME_OTHER;
    if (bytes[KIND] == 0x08 && bytes[KIND + 1] == 0x06)
        return arp_answer(bytes, size, nodes, from, to);
    if (memcmp(bytes, prefix, sizeof prefix) != 0)
        return FRAME_OTHER;
    uint32_t number = (uint32_t)bytes[4] << 8 | bytes[5];
    if (number == 0 || number > nodes || number - 1 == from)
        return FRAME_OTHER;
    *to = number - 1;
    return FRAME_UNICAST;
}
