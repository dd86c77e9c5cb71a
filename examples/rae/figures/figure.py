# SPDX-License-Identifier: BSD-3-Clause
"""A figure of the paper as we have it: pictures, a table, a verdict with its reason."""
from dataclasses import dataclass, field

REPRODUCED, CALIBRATED, NOT = "reproduced", "reproduced with calibration", "not reproduced"


@dataclass
class Figure:
    number: int
    title: str
    published: str
    ours: str
    verdict: str
    reason: str
    pictures: dict = field(default_factory=dict)  # {name: SVG}
    tables: list = field(default_factory=list)    # [(heading, columns, rows)]
    notes: list = field(default_factory=list)     # paragraphs


def near(value, published, tolerance):
    return abs(value - published) <= tolerance
