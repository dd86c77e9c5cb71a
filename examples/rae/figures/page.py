# SPDX-License-Identifier: BSD-3-Clause
"""The page of all figures, in Markdown."""
import published

HEAD = """# Figures of the remote atomic extension

Made by `{command}`; nothing here is written by hand. The paper is Wang et al., *Remote Atomic
Extension (RAE) for Scalable High Performance Computing*, DAC 2020. It publishes averages and a few named
values, no numbers of single bars, no sizes of its runs and no latencies. Programs: `examples/rae/`. All runs
have 6 cores on `{platform}`, but those of Figures 1 (also 1 core), 2 (1 to 64) and 3 (2). The cores have
caches (`--cache`), in which they leave the arrays that they fill at the start. Graphs have 2^{scale}
vertices, arrays {kib} KiB on each node, and each core makes {iterations} iterations.

The paths of an atomic, all with the same program, cores and network:

| path | how |
| --- | --- |
| card | the instruction; the target's network card executes it (profile `rae`) |
| served by the host | Open MPI's OpenSHMEM: so many instructions at the origin, then the target's core serves the request (`--set software/library=oshmem --set rdma/profile=software`) |
| library, then the card | the same instructions at the origin, but the card executes the atomic (`--set software/library=oshmem`) |
| xBGAS runtime, then the card | as many instructions as xBGAS's runtime takes to find the address (`--set software/library=xbrtime`) |
| get, modify, put | under a lock at the target, without remote atomics but for the lock (`-DREMOTE_GETPUT`) |

*Reproduced*: by the model as it stands. *Reproduced with calibration*: after an input that the paper does not
give was chosen, in the way that is stated.

"""


def table(columns, rows):
    lines = ["| " + " | ".join(map(str, columns)) + " |", "|" + " --- |" * len(columns)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]) + "\n"


def section(figure, images):
    parts = [f"## Figure {figure.number}: {figure.title}\n",
             f"**{figure.verdict.capitalize()}.** Published: {figure.published}. Ours: {figure.ours}.\n",
             figure.reason + "\n"]
    parts += [f"![{name}]({images}/riscv-{name}.svg)\n" for name in figure.pictures]
    for heading, columns, rows in figure.tables:
        parts += [f"{heading}:\n", table(columns, rows)]
    parts += [note + "\n" for note in figure.notes]
    return "\n".join(parts)


def page(figures, log, head, images):
    """`head` fills HEAD."""
    parts = [HEAD.format(**head) + table(
        ["Figure", "what", "published", "ours", "accepted if", ""],
        [[f.number, f.title, f.published, f.ours, published.ACCEPTED[f.number], f"**{f.verdict}**"]
         for f in figures])]
    parts += [section(f, images) for f in figures]
    if log:
        parts.append("## Calibration\n\nEach step of the fits of Figure 7:\n\n"
                     + "\n".join(f"- {line}" for line in log) + "\n")
    return "\n".join(parts)
