#!/usr/bin/python3
"""What one line over text, dicts, sets, lists and tuples takes, in CPython and in ours: a table of loop bodies.

    /usr/bin/python3 benchmarks/builtins.py
    /usr/bin/python3 benchmarks/builtins.py --only 'join|split' --rounds 9
    /usr/bin/python3 benchmarks/builtins.py --growth

Each row of builtins.txt is a name, what comes before the loop, and the line that the loop runs. One program is made of all of them, in which each row is a function;
both sides run it in turn on one core, and the least time of a round of the loop counts. Above 1 of the ratio we are faster. With --growth the rows run for n, 2n and 4n rounds,
and the time of a round that grows in ours and not in CPython is marked. Ends with status 1 if results differ."""
import argparse
import math
import os
import re
import subprocess
import sys
import tempfile

from surroundings import HERE, add_binary, built, environment

ROWS = os.path.join(HERE, "builtins.txt")
ROUNDS = 500
HEAD = """import time

def measure(name, f, n, best_of=25):
    least = None
    for _ in range(best_of):
        begun = time.perf_counter()
        r = f(n)
        took = time.perf_counter() - begun
        if least is None or took < least:
            least = took
    print("%s\\t%s\\t%.2f" % (name, r, least * 1e9 / n))

"""
ROW = """def row{0}(n):
    r = 0
    {before}
    for i in range(n):
        {line}
    return str(r)[:60]

"""


def rows(only):
    """The rows whose names match, as (name, before, line)."""
    with open(ROWS) as f:
        read = [line.rstrip("\n").split(" | ", 2) for line in f if line.strip() and not line.startswith("#")]
    return [r for r in read if re.search(only, r[0])]


def program(chosen, rounds):
    parts = [HEAD]
    for k, (name, before, line) in enumerate(chosen):
        parts.append(ROW.format(k, before=before or "pass", line=line))
    for k, (name, before, line) in enumerate(chosen):
        for n in rounds:
            parts.append("measure(%r, row%d, %d)\n" % ("%s*%d" % (name, n), k, n))
    return "".join(parts)


def run(command, path):
    """The results and the times of the rows."""
    out = subprocess.run(command + [path], env=environment(1), text=True, stdout=subprocess.PIPE, check=True).stdout
    read = [line.split("\t") for line in out.splitlines()]
    return {name: result for name, result, _ in read}, {name: float(ns) for name, _, ns in read}


def measured(sides, path, rounds):
    least, results = {side: {} for side in sides}, {}
    for k in range(rounds):
        for side in sorted(sides, reverse=k % 2):
            results[side], times = run(sides[side], path)
            for name, ns in times.items():
                least[side][name] = min(least[side].get(name, math.inf), ns)
    return least, results


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--rounds", type=int, default=5, help="how often each side runs the program (default 5)")
    p.add_argument("--only", default="", metavar="REGEX", help="rows whose name it matches")
    p.add_argument("--growth", action="store_true", help="n, 2n and 4n rounds")
    add_binary(p)
    args = p.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    chosen = rows(args.only)
    counts = [ROUNDS * k for k in ((1, 4, 16) if args.growth else (1,))]
    with built(args.binary) as binary, tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "rows.py")
        with open(path, "w") as f:
            f.write(program(chosen, counts))
        sides = {"cpython": [sys.executable, "-B"], "ours": [binary, "run"]}
        least, results = measured(sides, path, args.rounds)
    print("CPython %s; least of %d rounds; ns per round of the loop" % (sys.version.split()[0], args.rounds))
    print("%-22s%10s%10s%16s" % ("row", "CPython", "ours", "CPython / ours"))
    ratios, same = [], True
    for name, _, line in chosen:
        for n in counts:
            key = "%s*%d" % (name, n)
            cpython, ours = least["cpython"][key], least["ours"][key]
            ratios.append(cpython / ours)
            note = ""
            if n > counts[0]:
                first = "%s*%d" % (name, counts[0])
                if ours / least["ours"][first] > 1.5 * max(1, cpython / least["cpython"][first]):
                    note = "  grows"
            print("%-22s%10.1f%10.1f%10.2f   %s%s" % (key if args.growth else name, cpython, ours, ratios[-1], line, note))
            if results["cpython"][key] != results["ours"][key]:
                same = False
                print("  results differ: %s, %s" % (results["cpython"][key], results["ours"][key]))
    print("%-42s%10.2f" % ("geometric mean", math.exp(sum(map(math.log, ratios)) / len(ratios))))
    sys.exit(not same)


if __name__ == "__main__":
    main()
