#!/usr/bin/python3
"""What functions of np take that are made of several operations, on arrays of 5, 100 and 10,000 numbers, in two programs: a table of microseconds.

    python3 benchmarks/composites.py BEFORE AFTER
    python3 benchmarks/composites.py --only 'cov|einsum' --rounds 9 BEFORE AFTER

BEFORE and AFTER are binaries of arignote; a row of composites.txt is a name and an expression. The programs run in turn on one core, and the least time of a row counts. Ends with
status 1 if their results differ in a bit, and says so."""
import argparse
import math
import os
import re
import subprocess
import sys
import tempfile

from surroundings import HERE, environment

SIZES = 5, 100, 10000
HEAD = """import time
import numpy as np

def measure(name, n, f):
    r = f()
    k = 1
    while True:
        begun = time.perf_counter()
        for _ in range(k):
            f()
        took = time.perf_counter() - begun
        if took > 0.0005:
            break
        k *= 2
    least = took
    for _ in range(12):
        begun = time.perf_counter()
        for _ in range(k):
            f()
        least = min(least, time.perf_counter() - begun)
    parts = [np.asarray(x) for x in (r if type(r) == "tuple" or type(r) == "list" else [r])]
    text = "; ".join(["%s%s%s" % (x.dtype, x.shape, x.ravel().tolist()) for x in parts])
    print("%s\\t%d\\t%.4f\\t%s" % (name, n, least * 1e6 / k, hash(text)))

def table(n):
    rng = np.random.RandomState(n)
    k = int(n ** 0.5)
    v, w, x = rng.randn(n), rng.rand(n), np.cumsum(rng.rand(n))
    a, b, c, s = rng.randn(k, k), rng.rand(k, k), rng.randn(3, k, k), rng.randn(max(n // 3, 1), 3)
"""


def rows(only):
    with open(os.path.join(HERE, "composites.txt")) as f:
        read = [line.rstrip("\n").split("\t") for line in f if not line.startswith("#")]
    return [r for r in read if re.search(only, r[0])]


def run(binary, path):
    """The times of the rows, and what they computed."""
    out = subprocess.run([binary, "run", path], env=environment(1), text=True, stdout=subprocess.PIPE, check=True).stdout
    read = [line.split("\t") for line in out.splitlines()]
    return {(name, int(n)): (float(us), result) for name, n, us, result in read}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("before")
    p.add_argument("after")
    p.add_argument("--rounds", type=int, default=5, help="how often each runs the program (default 5)")
    p.add_argument("--only", default="", metavar="REGEX", help="rows whose name it matches")
    args = p.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    sides = [os.path.abspath(args.before), os.path.abspath(args.after)]
    least, results = [{}, {}], [{}, {}]
    chosen = rows(args.only)
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "rows.py")
        with open(path, "w") as f:
            f.write(HEAD)
            f.writelines("    measure(%r, n, lambda: %s)\n" % (name, expression) for name, expression in chosen)
            f.writelines("table(%d)\n" % n for n in SIZES)
        for k in range(args.rounds):
            for side in sorted((0, 1), reverse=k % 2):
                for row, (us, result) in run(sides[side], path).items():
                    least[side][row] = min(least[side].get(row, math.inf), us)
                    results[side][row] = result
    print("| µs: before, after, ratio |" + "".join(" %d | | |" % n for n in SIZES))
    print("|---|" + "---:|" * 3 * len(SIZES))
    same, ratios = True, []
    for name, _ in chosen:
        cells = []
        for n in SIZES:
            before, after = least[0][name, n], least[1][name, n]
            ratios.append(after / before)
            cells += ["%.2f" % before, "%.2f" % after, "%.2f" % (after / before)]
            if results[0][name, n] != results[1][name, n]:
                same, cells[-1] = False, cells[-1] + " differs"
        print("| %s | %s |" % (name, " | ".join(cells)))
    print("geometric mean %.3f, most %.2f" % (math.exp(sum(map(math.log, ratios)) / len(ratios)), max(ratios)))
    sys.exit(not same)


if __name__ == "__main__":
    main()
