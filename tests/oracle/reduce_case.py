# SPDX-License-Identifier: BSD-3-Clause
"""Shrinks a case as long as it still shows the same difference: drops activities, then elements of the
platform, then options, then digits of numbers."""
import re
import time
import xml.etree.ElementTree as ET

HEAD = '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'


class Reducer:
    def __init__(self, texts, still, seconds):
        """still(texts): whether these texts still show the difference."""
        self.texts, self.still, self.until = texts, still, time.monotonic() + seconds

    def over(self):
        return time.monotonic() > self.until

    def take(self, platform=None, activities=None, options=None):
        p, l, o = self.texts
        texts = (p if platform is None else platform, l if activities is None else activities,
                 o if options is None else options)
        if texts == self.texts or self.over() or not self.still(texts):
            return False
        self.texts = texts
        return True

    def drop_from(self, items, offer):
        """Drops runs of items, long ones first, as long as offer(rest) accepts."""
        size = max(1, len(items) // 2)
        while items and not self.over():
            at = 0
            while at < len(items):
                rest = items[:at] + items[at + size:]
                if offer(rest):
                    items = rest
                else:
                    at += size
            if size == 1:
                return
            size //= 2

    def elements(self):
        """Drops elements of the platform, outer ones before inner ones; True if one was dropped."""
        dropped, at = False, 0
        while not self.over():
            root = ET.fromstring(self.texts[0])
            pairs = [(parent, child) for parent in root.iter() for child in parent]
            if at >= len(pairs):
                return dropped
            parent, child = pairs[at]
            parent.remove(child)
            if self.take(platform=self.xml(root)):
                dropped = True
            else:
                at += 1
        return dropped

    def hoist(self):
        """Replaces a zone by its only child zone."""
        root = ET.fromstring(self.texts[0])
        zones = [c for c in root if c.tag == "zone"]
        if len(zones) == 1:
            for inner in list(zones[0]):
                if inner.tag in ("zone", "cluster"):
                    root.remove(zones[0])
                    root.append(inner)
                    return self.take(platform=self.xml(root)) and self.hoist()
        return False

    @staticmethod
    def xml(root):
        ET.indent(root, "  ")
        return HEAD + ET.tostring(root, encoding="unicode") + "\n"

    def attributes(self):
        """Drops attributes, and rounds numbers to one digit."""
        root = ET.fromstring(self.texts[0])
        for element in root.iter():
            for key, value in list(element.attrib.items()):
                del element.attrib[key]
                if self.take(platform=self.xml(root)):
                    continue
                if key not in ("id", "src", "dst", "version"):
                    element.attrib[key] = round_numbers(value)
                if not self.take(platform=self.xml(root)):
                    element.attrib[key] = value

    def numbers(self):
        lines = self.texts[1].splitlines()
        for k, line in enumerate(lines):
            words = line.split()
            for at in (-1, -2):
                for simple in ("0", "1e6", round_numbers(words[at])):
                    old, words[at] = words[at], simple if at == -1 else simple.replace("1e6", "1000000")
                    if not self.take(activities=join(lines[:k] + [" ".join(words)] + lines[k + 1:])):
                        words[at] = old
                    else:
                        lines[k] = " ".join(words)
                        break

    def reduce(self):
        self.drop_from(self.texts[1].splitlines(), lambda rest: rest and self.take(activities=join(rest)))
        while self.elements() or self.hoist():
            pass
        self.drop_from(self.texts[1].splitlines(), lambda rest: rest and self.take(activities=join(rest)))
        self.drop_from(list(self.texts[2]), lambda rest: self.take(options=rest))
        self.attributes()
        self.numbers()
        return self.texts


def join(lines):
    return "\n".join(lines) + "\n"


def round_numbers(text):
    return re.sub(r"\d+\.\d+(e-?\d+)?|\d{3,}", lambda m: "%.0e" % float(m.group(0)) if "." in m.group(0)
                  else m.group(0)[0] + "0" * (len(m.group(0)) - 1), text)
