/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * links: parts what was measured into what links have on paper, which the user says, and the rest: hosts add to the latency,
 * and protocols take of the bandwidth. So constants of one topology hold on others, with more or fewer links on a route.
 */
#include "calibrate/internal.h"

#include <math.h>

/* The constant that was found with this name, which is there. */
static struct calibrate_constant found(const struct calibrate_result *r, const char *name)
{
    const struct calibrate_constant *c = calibrate_find(r, name);
    return c ? *c : (struct calibrate_constant){.from = ""};
}

static void latency_part(struct calibrate_result *r)
{
    double links = r->options.route_latency;
    if (!(links > 0))
        return;
    if (links > r->latency) {
        calibrate_miss(r, "what hosts add to the latency",
                       "--route-latency is %.9gs, more than the %.9gs that were measured: all is the links'",
                       links, r->latency);
        return;
    }
    struct calibrate_constant c = found(r, "latency of the network");
    r->host_latency = r->latency - links;
    c.name = base_strdup("what hosts add to it");
    c.value -= links;
    c.low = fmax(c.low - links, 0);
    c.high -= links;
    calibrate_add(r, &c);
}

static void bandwidth_part(struct calibrate_result *r)
{
    double links = r->options.link_bandwidth;
    if (!(links > 0))
        return;
    if (r->link > 0 || links < r->bandwidth) {
        calibrate_miss(
            r, "what protocols take of the bandwidth",
            "--link-bandwidth is %.9g bytes/s, and %.9g were measured: links have what was measured", links,
            fmax(r->link, r->bandwidth));
        return;
    }
    struct calibrate_constant c = found(r, "bandwidth of one message");
    r->goodput = r->bandwidth / links;
    c.name = base_strdup("what a message has of a link's bandwidth");
    c.unit = CALIBRATE_RATIO;
    c.value /= links;
    c.low /= links;
    c.high /= links;
    calibrate_add(r, &c);
}

void calibrate_find_links(struct calibrate_result *r)
{
    r->goodput = 1;
    if (r->where != CALIBRATE_NETWORK || !r->curve[CALIBRATE_TRANSFER].fit.segments)
        return;
    latency_part(r);
    bandwidth_part(r);
}
