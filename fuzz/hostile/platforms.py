# SPDX-License-Identifier: BSD-3-Clause
"""Platforms in SimGrid's language, more often right than not."""
from hostile import prepared
from hostile.values import escape, mutate, number, plausible, value


def cluster(rng, name, prefix):
    topology = rng.choice([None, None, ("TORUS", "2,2,2", 8), ("TORUS", "3", 3), ("FAT_TREE", "2;2,2;1,2;1,2", 4),
                           ("DRAGONFLY", "2,1;2,1;2,1;2", 16)] + [("TORUS", number(rng), 4), ("FAT_TREE", value(rng), 4)] *
                          (rng.random() < 0.1))
    n = topology[2] if topology and rng.random() < 0.97 else rng.choice([1, 2, 5, 16, 300])
    radical = f"0-{n - 1}" if rng.random() < 1 - rng.spoilt / 2 else rng.choice(["", "0-", "5-1", "0-99999999999", "1,1", number(rng)])
    text = f'<cluster id="{name}" prefix="{prefix}" suffix="" radical="{radical}" speed="{plausible(rng, "f", 3)}" ' \
           f'bw="{plausible(rng, "Bps", 3)}" lat="{plausible(rng, "s", -9, 0)}"'
    if topology:
        text += f' topology="{topology[0]}" topo_parameters="{topology[1]}"'
    for attributes in ((("bb_bw", "Bps"), ("bb_lat", "s")), (("limiter_link", "Bps"),),
                       (("loopback_bw", "Bps"), ("loopback_lat", "s"))):
        if rng.random() < 0.25:
            for attribute, unit in attributes:
                text += f' {attribute}="{plausible(rng, unit, 0)}"'
    if rng.random() < 0.2:
        text += f' core="{rng.choice(["4", "1048576", number(rng) if rng.spoilt else "2"])}"'
    if rng.random() < 0.5:
        text += f' sharing_policy="{rng.choice(["SPLITDUPLEX", "SHARED"])}"'
    return text + "/>"


def hosts_zone(rng, name, prefix):
    kind, n = rng.choice(["Full", "Full", "Floyd", "Dijkstra", "DijkstraCache", "Vivaldi", "None", "None"]), rng.randint(1, 6)
    text = f'<zone id="{name}" routing="{kind}">'
    for k in range(n):
        more = f' coordinates="{k * 7.5} {k} 1"' if kind == "Vivaldi" else ""
        text += f'<host id="{prefix}{k}" speed="{plausible(rng, "f", 3)}" core="{rng.choice(["1", "1", "4", "64"])}"{more}'
        if rng.spoilt and rng.random() < 0.1:
            text += f'><prop id="{rng.choice(list(prepared.SETTINGS) or ["x"])}" value="{escape(value(rng))}"/></host>'
        else:
            text += "/>"
    for k in range(n):
        policy = rng.choice(["", "", ' sharing_policy="FATPIPE"'])
        text += f'<link id="{prefix}l{k}" bandwidth="{plausible(rng, "Bps", 3)}" latency="{plausible(rng, "s", -9, 0)}"{policy}/>'
    pairs = [(a, b) for a in range(n) for b in range(a)]
    rng.shuffle(pairs)
    for a, b in pairs[:rng.randint(0, 15)] if kind in ("Full", "Floyd", "Dijkstra", "DijkstraCache") else []:
        link = rng.randrange(n)
        text += f'<route src="{prefix}{a}" dst="{prefix}{b}"><link_ctn id="{prefix}l{link}"' + \
                "/></route>"
    if rng.random() < 0.15:
        far = rng.choice([0.001, 1, 1e11])
        changes = "".join(f"{k * far} {plausible(rng, '', -8, 8)}" + "\n" for k in range(1, 4))
        kind = rng.choice(["SPEED", "HOST_AVAIL", "BANDWIDTH", "LATENCY", "LINK_AVAIL"])
        period = plausible(rng, "", -3, 12)
        element = f"{prefix}0" if kind in ("SPEED", "HOST_AVAIL") else f"{prefix}l0"
        text += f'<trace id="{prefix}t" periodicity="{period}">{changes}</trace>' \
                f'<trace_connect trace="{prefix}t" element="{element}" kind="{kind}"/>'
    return text + "</zone>"


def platform(rng):
    zones = [(f"z{k}", f"n{k}-") for k in range(rng.choice([1, 1, 2, 3]))]
    body = "".join((cluster if rng.random() < 0.5 else hosts_zone)(rng, *z) for z in zones)
    links = "".join(f'<link id="w{k}" bandwidth="{plausible(rng, "Bps", 3)}" latency="{plausible(rng, "s", -9, 0)}"/>'
                    for k in range(2))
    routes = ""
    for _ in range(rng.randint(0, 3)):
        if len(zones) < 2:
            break
        (a, pa), (b, pb) = rng.sample(zones, 2)
        link = rng.choice(["w0", "w1", "w0", f"{a}_link_from_0_to_1_UP", f"{a}_link_from_0_to_1", f"{a}_link_0_UP",
                           f"{a}_link_0_loopback", f"{a}_backbone", f"{pa}l0", f"{a}_link_0_limiter"] if rng.spoilt else
                          ["w0", "w1"] + [f"{n}{end}" for (n, _) in zones if f'id="{n}"' in body and "TORUS" in body
                                          for end in ("_link_from_0_to_1_UP", "_link_from_0_to_1_DOWN")
                                          if "SPLITDUPLEX" in body])
        routes += f'<zoneRoute src="{a}" dst="{b}" gw_src="{pa}0" gw_dst="{pb}0"><link_ctn id="{link}"/></zoneRoute>'
    if len(zones) > 1 or routes:
        body = f'<zone id="top" routing="{rng.choice(["Full", "Full", "Floyd", "Dijkstra"])}">{body}{links}{routes}</zone>'
    config = ""
    if rng.spoilt and rng.random() < 0.3:
        config = f'<config><prop id="{rng.choice(list(prepared.SETTINGS) or ["x"])}" value="{escape(value(rng))}"/></config>'
    text = '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n' \
           f'<platform version="4.1">{config}\n{body}\n</platform>\n'.replace("><", ">\n<")
    data = text.encode("utf-8", "surrogateescape")
    return mutate(rng, data) if rng.random() < rng.spoilt * 3 else data
