#!/usr/bin/python3
"""Ordinary programs, in CPython and in ours: what a step of a plain loop, a call, an attribute, an exception takes.

    /usr/bin/python3 benchmarks/loops.py
    /usr/bin/python3 benchmarks/loops.py --only 'sum|fib' --rounds 15

Each program of loops/ is one text for both. It runs itself a few times and prints its result and the least time of an iteration; here the sides run in turn on one
core, and the least of the rounds counts. Above 1 of the ratio we are faster. HELD_OUT are programs that nobody looks at while making the machine faster: their mean
says what a program of somebody else's gets. Ends with status 1 if results differ."""
import argparse
import importlib.util
import math
import os
import re
import subprocess
import sys

from surroundings import HERE, add_binary, built, environment

LOOPS = os.path.join(HERE, "loops")
ROWS = "sum poly fib matmul words strs append method gen tryex array sieve".split()
HELD_OUT = "mandelbrot gcd bubble histogram particles".split()
NEEDS_NUMPY = {"array"}


def run(command, name):
    """The result of a program, and nanoseconds of an iteration."""
    out = subprocess.run(command + [name + ".py"], cwd=LOOPS, env=environment(1), text=True, stdout=subprocess.PIPE, check=True).stdout
    result, ns = out.rstrip("\n").split("\t")
    return result, float(ns)


def measured(sides, name, rounds):
    """The least time of each side, whose results must be one."""
    least, results = dict.fromkeys(sides, math.inf), {}
    for k in range(rounds):
        for side in sorted(sides, reverse=k % 2):
            results[side], ns = run(sides[side], name)
            least[side] = min(least[side], ns)
    return least, len(set(results.values())) == 1, results


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--rounds", type=int, default=7, help="how often each side runs each program (default 7)")
    p.add_argument("--only", default="", metavar="REGEX", help="programs whose name it matches")
    add_binary(p)
    args = p.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    same = True
    with built(args.binary) as binary:
        sides = {"cpython": [sys.executable, "-B"], "ours": [binary, "run"]}
        print("CPython %s; least of %d rounds; ns per iteration" % (sys.version.split()[0], args.rounds))
        print("%-12s%10s%10s%16s" % ("program", "CPython", "ours", "CPython / ours"))
        for title, names in ("mean", ROWS), ("mean of those held out", HELD_OUT):
            ratios = []
            for name in names:
                if not re.search(args.only, name):
                    continue
                if name in NEEDS_NUMPY and not importlib.util.find_spec("numpy"):
                    print("%-12s CPython has no NumPy" % name)
                    continue
                least, agree, results = measured(sides, name, args.rounds)
                ratios.append(least["cpython"] / least["ours"])
                print("%-12s%10.1f%10.1f%16.2f" % (name, least["cpython"], least["ours"], ratios[-1]), flush=True)
                if not agree:
                    same = False
                    print("  results differ: %s" % results)
            if ratios:
                print("%-32s%16.2f" % (title, mean(ratios)))
    sys.exit(not same)


if __name__ == "__main__":
    main()
