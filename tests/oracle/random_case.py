# SPDX-License-Identifier: BSD-3-Clause
"""Random platforms in SimGrid's XML and random lists of activities on them. A seed always gives the same
case.

Platforms are trees of zones of every routing, with clusters of every topology among the leaves. Platforms
that SimGrid itself refuses (a router in a Star zone, a host without links in a Vivaldi zone) are not made.
"""
import random

POLICIES = ["SHARED", "FATPIPE", "SPLITDUPLEX"]


class Random:
    """Draws with random() alone, the only method whose results are the same in every version of Python."""

    def __init__(self, seed):
        self.unit = random.Random(seed).random

    def below(self, n):
        return int(self.unit() * n)

    def between(self, a, b):
        return a + self.below(b - a + 1)

    def yes(self, chance=0.5):
        return self.unit() < chance

    def one(self, items):
        return items[self.below(len(items))]

    def spread(self, low, high):
        """Between low and high, each power of ten as likely as the next."""
        return low * (high / low) ** self.unit()


class Platform:
    def __init__(self, rnd, size):
        self.rnd, self.size = rnd, size
        self.xml, self.hosts = [], []
        self.alone, self.none = set(), set()  # hosts without a route to themselves; those of None zones
        self.zones = self.links = self.points = 0
        self.coordinates = False

    def add(self, text):
        self.xml.append(text)

    # --- links and routes

    def bandwidth(self):
        r = self.rnd
        return r.one(["125MBps", "1Gbps", "10Gbps", "1GBps"]) if r.yes() else "%.6gBps" % r.spread(1e5, 1e11)

    def latency(self):
        r = self.rnd
        return r.one(["0s", "50us", "1ms", "100ns"]) if r.yes() else "%.6gs" % r.spread(1e-8, 1e-2)

    def link(self):
        """Adds a link; returns (name, is split)."""
        name, policy = "link%d" % self.links, self.rnd.one(POLICIES)
        self.links += 1
        self.add('<link id="%s" bandwidth="%s" latency="%s" sharing_policy="%s"/>'
                 % (name, self.bandwidth(), self.latency(), policy))
        return name, policy == "SPLITDUPLEX"

    def crossed(self, links, most):
        r, out = self.rnd, ""
        for _ in range(r.between(1, most)):
            name, split = r.one(links)
            direction = ' direction="%s"' % r.one(["UP", "DOWN"]) if split else ""
            out += '<link_ctn id="%s"%s/>' % (name, direction)
        return out

    def route(self, tag, ends, links, most=3, symmetrical=None):
        attributes = "".join(' %s="%s"' % end for end in ends)
        if symmetrical is not None:
            attributes += ' symmetrical="%s"' % ("YES" if symmetrical else "NO")
        self.add("<%s%s>%s</%s>" % (tag, attributes, self.crossed(links, most), tag))

    def routes(self, routing, names, ends_of, tag, links):
        """Between names (of points or zones): all pairs for Full, a connected graph for the shortest
        paths."""
        r = self.rnd
        if routing == "Full":
            for a in range(len(names)):
                for b in range(a + 1, len(names)):
                    both = r.yes(0.8)
                    self.route(tag, ends_of(a, b), links, symmetrical=both)
                    if not both:
                        self.route(tag, ends_of(b, a), links, symmetrical=False)
            return
        pairs = {(r.below(b), b) for b in range(1, len(names))}
        for _ in range(r.below(len(names) + 1)):
            a, b = r.below(len(names)), r.below(len(names))
            if a < b:
                pairs.add((a, b))
        for a, b in sorted(pairs):
            if r.yes(0.85):
                self.route(tag, ends_of(a, b), links, symmetrical=True)
            else:
                self.route(tag, ends_of(a, b), links, symmetrical=False)
                self.route(tag, ends_of(b, a), links, symmetrical=False)

    # --- leaves: each gives the points that may be its gateways

    def host(self, extra=""):
        r, name = self.rnd, "host%d" % self.points
        self.points += 1
        cores = ' core="%d"' % r.between(2, 5) if r.yes(0.3) else ""
        self.add('<host id="%s" speed="%s"%s%s/>' % (name, self.speed(), cores, extra))
        self.hosts.append(name)
        return name

    def speed(self):
        return self.rnd.one(["1Gf", "100Mf"]) if self.rnd.yes() else "%.6gf" % self.rnd.spread(1e6, 1e11)

    def leaf_routed(self, routing, name):
        r = self.rnd
        self.add('<zone id="%s" routing="%s">' % (name, routing))
        points = [self.host() for _ in range(r.between(1 if routing == "Full" else 2, 5))]
        for _ in range(r.below(3)):
            points.append("router%d" % self.points)
            self.points += 1
            self.add('<router id="%s"/>' % points[-1])
        links = [self.link() for _ in range(r.between(1, 6))]
        self.routes(routing, points, lambda a, b: [("src", points[a]), ("dst", points[b])], "route", links)
        if len(points) > 1 and r.yes(0.15):
            a, b = r.below(len(points)), r.below(len(points))
            if a != b:
                self.route("bypassRoute", [("src", points[a]), ("dst", points[b])], links)
        self.add("</zone>")
        return points

    def leaf_star(self, name):
        r = self.rnd
        self.add('<zone id="%s" routing="Cluster">' % name)
        hosts = [self.host() for _ in range(r.between(1, 5))]
        links = [self.link() for _ in range(r.between(1, 6))]
        for host in hosts:
            up, split = r.one(links)
            down = up
            if split:
                up, down = up + "_UP", up + "_DOWN"
            elif r.yes():
                down, split = r.one(links)
                down += "_DOWN" if split else ""
            self.add('<host_link id="%s" up="%s" down="%s"/>' % (host, up, down))
        if r.yes(0.4):
            self.add('<backbone id="%s_bb" bandwidth="%s" latency="%s"/>'
                     % (name, self.bandwidth(), self.latency()))
        if r.yes(0.4):
            last = r.between(1, 4)
            self.add('<cabinet id="%s_cab" prefix="%s-" suffix=".c" radical="1-%d"'
                     ' speed="%s" bw="%s" lat="%s"/>'
                     % (name, name, last, self.speed(), self.bandwidth(), self.latency()))
            hosts += ["%s-%d.c" % (name, k) for k in range(1, last + 1)]
            self.hosts += hosts[-last:]
        self.add("</zone>")
        return hosts

    def leaf_vivaldi(self, name):
        r, hosts = self.rnd, []
        self.coordinates = True
        self.add('<zone id="%s" routing="Vivaldi">' % name)
        for _ in range(r.between(1, 5)):
            hosts.append("peer%d" % self.points)
            self.points += 1
            place = "%.4f %.4f %.4f" % (100 * r.unit() - 50, 100 * r.unit() - 50, 5 * r.unit())
            self.add('<peer id="%s" coordinates="%s" speed="%s" bw_in="%s" bw_out="%s"/>'
                     % (hosts[-1], place, self.speed(), self.bandwidth(), self.bandwidth()))
        self.add("</zone>")
        self.hosts += hosts
        return hosts

    def leaf_none(self, name):
        self.add('<zone id="%s" routing="None">' % name)
        hosts = [self.host()]
        self.alone.add(hosts[0])
        self.none.add(hosts[0])
        self.add("</zone>")
        return hosts

    def topology(self):
        """Topology, its parameters, and its number of hosts."""
        r, kind = self.rnd, self.rnd.one(["FLAT", "TORUS", "FAT_TREE", "DRAGONFLY"])
        if kind == "FLAT":
            return kind, "", r.between(1, 8)
        if kind == "TORUS":
            sizes = [r.between(2, 4) for _ in range(r.between(1, 3))]
            n = 1
            for s in sizes:
                n *= s
            return kind, ",".join(map(str, sizes)), n
        if kind == "FAT_TREE":
            levels = r.between(1, 3)
            down = [r.between(1, 3) for _ in range(levels)]
            up = [1] + [r.between(1, 3) for _ in range(levels - 1)]
            count = [1 if r.yes(0.7) else 2] + [r.between(1, 2) for _ in range(levels - 1)]
            n = 1
            for d in down:
                n *= d
            return kind, "%d;%s;%s;%s" % (levels, *(",".join(map(str, x)) for x in (down, up, count))), n
        groups, chassis, routers, nodes = r.between(1, 3), r.between(1, 3), r.between(1, 3), r.between(1, 2)
        routers = max(routers, groups)  # SimGrid requires one router per group
        text = "%d,%d;%d,%d;%d,%d;%d" % (groups, r.between(1, 2), chassis, r.between(1, 2), routers,
                                         r.between(1, 2), nodes)
        return kind, text, groups * chassis * routers * nodes

    def leaf_cluster(self, name):
        r = self.rnd
        kind, parameters, n = self.topology()
        first = r.one([0, 0, 1, 7])
        text = ('<cluster id="%s" prefix="%s-" suffix=".n" radical="%d-%d"'
                ' speed="%s" bw="%s" lat="%s" sharing_policy="%s"'
                % (name, name, first, first + n - 1, self.speed(), self.bandwidth(), self.latency(),
                   r.one(["SHARED", "SPLITDUPLEX"])))
        if kind != "FLAT":
            text += ' topology="%s" topo_parameters="%s"' % (kind, parameters)
        elif r.yes(0.4):
            text += ' bb_bw="%s" bb_lat="%s" bb_sharing_policy="%s"' % (
                self.bandwidth(), self.latency(), r.one(["SHARED", "FATPIPE"]))
        if kind != "FAT_TREE" and r.yes(0.3):
            text += ' limiter_link="%s"' % self.bandwidth()
        loopback = r.yes(0.3)
        if loopback:
            text += ' loopback_bw="%s" loopback_lat="%s"' % (self.bandwidth(), self.latency())
        if r.yes(0.3):
            text += ' core="%d"' % r.between(2, 4)
        self.add(text + "/>")
        hosts = ["%s-%d.n" % (name, first + k) for k in range(n)]
        self.hosts += hosts
        if kind != "FLAT" and not loopback:
            self.alone.update(hosts)
        return hosts + (["%s-%s_router.n" % (name, name)] if kind == "FLAT" else [])

    def leaf(self):
        kind, name = self.rnd.below(10), "zone%d" % self.zones
        self.zones += 1
        if kind < 4:
            return name, self.leaf_routed(["Full", "Floyd", "Dijkstra", "DijkstraCache"][kind], name)
        if kind == 4:
            return name, self.leaf_star(name)
        if kind == 5:
            return name, self.leaf_vivaldi(name)
        if kind == 6:
            return name, self.leaf_none(name)
        return name, self.leaf_cluster(name)

    # --- zones of zones

    def inner(self, depth):
        r, name = self.rnd, "zone%d" % self.zones
        routing = r.one(["Full", "Full", "Floyd", "Dijkstra", "DijkstraCache"])
        children = r.between(1, self.size)
        if children == 1:
            routing = "Full"  # SimGrid's shortest paths crash if there is no route at all
        self.zones += 1
        self.add('<zone id="%s" routing="%s">' % (name, routing))
        inside = [self.inner(depth - 1) if depth > 1 and r.yes(0.4) else self.leaf()
                  for _ in range(children)]
        links = [self.link() for _ in range(r.between(1, 5))]
        # SimGrid 3.32 crashes where a shortest path by Dijkstra enters and leaves a zone at different
        # gateways.
        gates = [[r.one(points)] if "Dijkstra" in routing else points for _, points in inside]

        def ends(a, b):
            return [("src", inside[a][0]), ("dst", inside[b][0]),
                    ("gw_src", r.one(gates[a])), ("gw_dst", r.one(gates[b]))]

        self.routes(routing, inside, ends, "zoneRoute", links)
        if len(inside) > 1 and r.yes(0.15):
            a, b = r.below(len(inside)), r.below(len(inside))
            if a != b and not self.none.intersection(inside[a][1] + inside[b][1]):
                self.route("bypassZoneRoute", ends(a, b), links)
        self.add("</zone>")
        return name, [point for zone in inside for point in zone[1]]

    def text(self):
        head = ['<?xml version="1.0"?>', '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">',
                '<platform version="4.1">']
        return "\n".join(head + self.xml + ["</platform>", ""])


def make_platform(rnd):
    while True:
        p = Platform(rnd, rnd.one([1, 2, 2, 3, 4]))
        if rnd.yes(0.4):
            p.leaf()
        else:
            p.inner(rnd.between(1, 3))
        if len(p.hosts) > len(p.alone):
            return p


def make_list(rnd, platform):
    n = int(rnd.spread(1, 12) if rnd.yes(0.6) else rnd.spread(5, 120) if rnd.yes(0.93)
            else rnd.spread(100, 2000))
    most = rnd.one([1e4, 1e6, 1e9])
    equal = int(rnd.spread(1, most)) if rnd.yes(0.25) else 0
    start = rnd.one(["zero", "zero", "grid", "any", "few"])
    few = [rnd.spread(1e-6, 10) for _ in range(3)]
    computes = rnd.one([0, 0.2, 0.5])
    hosts = platform.hosts if rnd.yes(0.7) else [rnd.one(platform.hosts) for _ in range(3)]
    lines = []
    for k in range(n):
        at = {"zero": 0, "grid": rnd.below(10) * 0.001, "any": rnd.spread(1e-6, 10),
              "few": rnd.one(few)}[start]
        if rnd.yes(computes):
            lines.append("a%d exec %s %.6g %.9g" % (k, rnd.one(hosts), rnd.spread(1e3, 1e10), at))
            continue
        for _ in range(20):
            a, b = rnd.one(hosts), rnd.one(hosts)
            if a != b or (a not in platform.alone and rnd.yes(0.3)):
                lines.append("a%d send %s %s %d %.9g" % (k, a, b, equal or int(rnd.spread(1, most)), at))
                break
    return "\n".join(lines) + "\n"


def make_options(rnd):
    out = {"network/model": rnd.one(["CM02", "LV08", "SMPI", "IB"])}
    if rnd.yes(0.7):
        out["network/crosstraffic"] = rnd.one(["yes", "no"])
    if rnd.yes(0.1):
        out["network/TCP-gamma"] = rnd.one(["0", "65536", "4194304"])
    if rnd.yes(0.1):
        out["network/weight-S"] = rnd.one(["0", "1000", "20537"])
    if rnd.yes(0.05):
        out["network/latency-factor"] = rnd.one(["1", "2.5"])
    if rnd.yes(0.05):
        out["network/bandwidth-factor"] = rnd.one(["1", "0.9"])
    if rnd.yes(0.1):
        out["network/loopback-bw"] = rnd.one(["1e9", "498000000"])
        out["network/loopback-lat"] = rnd.one(["0", "0.000015"])
    return ["%s:%s" % item for item in sorted(out.items())]


def make(seed):
    """(platform as XML, list, options) for a seed."""
    rnd = Random(seed)
    platform = make_platform(rnd)
    return platform.text(), make_list(rnd, platform), make_options(rnd)
