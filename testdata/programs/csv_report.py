"""A report of measurements: written as csv, packed, read, grouped, and told in json."""
import copy
import csv
import gzip
import itertools
import json
import os
import sys
from collections import OrderedDict, defaultdict, namedtuple

import numpy as np

Row = namedtuple("Row", ["station", "day", "celsius"])


class BadRow(ValueError):
    def __init__(self, line, text):
        ValueError.__init__(self, "line %d: %s" % (line, text))
        self.line = line



class Reader:
    """Iterates over the rows of a packed file, and collects the wrong ones."""

    def __init__(self, path):
        self.path = path
        self.wrong = []

    def __enter__(self):
        self.file = gzip.open(self.path, "rt")
        return self

    def __exit__(self, kind, error, where):
        self.file.close()
        return kind is KeyboardInterrupt

    def parse(self, line, row):
        try:
            station, day, celsius = row
            return Row(station, int(day), float(celsius))
        except ValueError as e:
            raise BadRow(line, ",".join(row)) from e

    def rows(self):
        out = []
        for line, row in enumerate(csv.reader(self.file), start=1):
            if line == 1:
                continue
            try:
                out.append(self.parse(line, row))
            except BadRow as e:
                self.wrong.append(e)
        return out


def write(path):
    rng = np.random.RandomState(3)
    with gzip.open(path, "wt") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(Row._fields)
        for station, day in itertools.product(["north, hill", "south", "\"west\""], range(1, 6)):
            out.writerow([station, day, "%.1f" % (10 + 3 * rng.randn() + len(station))])
        f.write("east,six,3.5\nsouth,6\n")


class Statistics:
    def __init__(self, name, values):
        self.name, self.values = name, np.array(values)

    def as_dict(self):
        return OrderedDict([("name", self.name), ("n", len(self.values)), ("mean", round(float(self.values.mean()), 4)),
                            ("range", [float(self.values.min()), float(self.values.max())])])

    def __lt__(self, other):
        return self.values.mean() < other.values.mean()

    def __str__(self):
        return "{:12s} {:.3f}".format(self.name, self.values.mean())


path = "measurements.csv.gz"
write(path)
with Reader(path) as reader:
    rows = reader.rows()
with Reader(path) as again:
    raise KeyboardInterrupt
print(len(rows), "rows,", len(reader.wrong), "wrong, closed:", again.file.closed)
for e in reader.wrong:
    print(type(e).__name__, e.line, e, "<-", type(e.__cause__).__name__)
os.remove(path)

groups = defaultdict(list)
for station, of in itertools.groupby(rows, key=lambda r: r.station):
    groups[station].extend(r.celsius for r in of)
table = sorted(Statistics(name, values) for name, values in groups.items())
for s in table:
    print("{} | {!s}".format(s, s))
text = json.dumps([s.as_dict() for s in table])
back = json.loads(text)
print([b["mean"] for b in back], back[0]["range"], len(text) > 100)

changed = copy.deepcopy(back)
changed[0]["range"][0] = None
print(back[0]["range"][0] is None, changed[0]["range"][0] is None)
warm = {r.day: r.celsius for r in rows if r.station == "south" and r.celsius > 10}
print(sorted(warm), "%.1f" % max(warm.values()) if warm else "none")
best = OrderedDict((r.station, r._replace(celsius=0).day) for r in sorted(rows, key=lambda r: r.celsius))
for name, day in sorted(best.items()):
    print("warmest at", name, "on day", day)
sys.stdout.write("done\n")
