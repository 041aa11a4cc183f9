"""Writes limits.golden: what matplotlib makes of cases.txt. What same.txt asserts has to hold. Debian's python3-matplotlib: /usr/bin/python3 oracle.py"""
import json, warnings
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

warnings.simplefilter("ignore")

def ticks(axis):
    lo, hi = sorted(axis.get_view_interval())
    slack = (hi - lo) * 1e-10
    axis.figure.canvas.draw()
    names = [(t.get_loc(), t.label1.get_text()) for t in axis.get_major_ticks()]
    names = [(at, n.replace("$\\mathdefault{", "$").replace("}}$", "}$")) for at, n in names if lo - slack <= at <= hi + slack]
    names = [(at, n.replace("-", "\u2212") if n.startswith("$") else n) for at, n in names]
    return [float(at) for at, _ in names], [n for _, n in names], axis.get_offset_text().get_text().replace("$\\times\\mathdefault", "")

with open("limits.golden", "w") as out:
    for line in open("cases.txt"):
        if line.startswith("#"):
            continue
        name, code = line.strip().split(": ", 1)
        plt.close("all")
        exec(code)
        ax = plt.gca()
        row = {"name": name, "xlim": [float(v) for v in ax.get_xlim()], "ylim": [float(v) for v in ax.get_ylim()]}
        row["x"], row["xnames"], row["xcommon"] = ticks(ax.xaxis)
        row["y"], row["ynames"], row["ycommon"] = ticks(ax.yaxis)
        out.write(json.dumps(row, ensure_ascii=False) + "\n")

for line in open("same.txt"):
    if not line.startswith("#"):
        plt.close("all")
        exec(line.replace("\\n", "\n"), {"plt": plt, "np": np})
