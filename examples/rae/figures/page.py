# SPDX-License-Identifier: BSD-3-Clause
"""The page of all figures, in Markdown."""

HEAD = """# Figures of the remote atomic extension

Made by `pgasim riscv figures`; nothing here is written by hand. The paper is Wang et al., *Remote Atomic
Extension (RAE) for Scalable High Performance Computing*, DAC 2020. It publishes averages and a few named
values, no numbers of single bars, no sizes of its runs and no latencies. Programs: `examples/rae/`. All runs:
6 cores on `{platform}`, but for Figures 2 and 3; graphs of 2^8 vertices, arrays of 428 KiB on each node. The
file of a platform says what its cards take; on `table1.xml` it is 56 ns for each atomic, eight stages of a
cycle and a line of DRAM, whatever a card's cache holds.

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


def page(figures, log, platform, images):
    parts = [HEAD.format(platform=platform) + table(
        ["Figure", "what", "published", "ours", ""],
        [[f.number, f.title, f.published, f.ours, f"**{f.verdict}**"] for f in figures])]
    parts += [section(f, images) for f in figures]
    if log:
        parts.append("## Calibration\n\n" + "\n".join(f"- {line}" for line in log) + "\n")
    return "\n".join(parts)
