"""Do runs of the same program name the same three worst lines?

    /usr/bin/python3 benchmarks/robust.py

builds the program, runs benchmarks/robust.star ten times by itself and ten times beside as many busy processes as there are processors, and prints for each
program what its profile calls its three worst lines, and in how many runs these and their order were those of most runs: by what the profile shows, and by the
sums of what was measured. Ends with status 1 if what the profile shows differed.
"""
import argparse
import collections
import json
import os
import subprocess
import sys

from surroundings import HERE, add_binary, built

BUSY = "while True: pass"


def run(binary):
    out = subprocess.run([binary, "run", os.path.join(HERE, "robust.star")], check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def runs(binary, count, busy):
    others = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(busy)]
    try:
        return [run(binary) for _ in range(count)]
    finally:
        for other in others:
            other.kill()
            other.wait()


def worst(program, by):
    return tuple(row["line"] for row in sorted(program["lines"], key=lambda row: -row[by])[:3])


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--runs", type=int, default=10)
    args.add_argument("--busy", type=int, default=os.cpu_count(), help="busy processes beside the second half")
    add_binary(args)
    args = args.parse_args()
    with built(args.binary) as binary:
        kinds = [("alone", runs(binary, args.runs, 0)), ("busy", runs(binary, args.runs, args.busy))]
    print("%-12s %-28s %s" % ("", "", "of %d runs, as many name these three in this order" % args.runs))
    print("%-12s %-28s %10s %10s %16s %16s" % ("program", "worst lines", "alone", "busy", "measured, alone", "measured, busy"))
    differ = 0
    for i, program in enumerate(kinds[0][1][0]):
        named = collections.Counter(worst(r[i], "time") for _, made in kinds for r in made)
        usual = named.most_common(1)[0][0]
        cells = [sum(worst(r[i], by) == usual for r in made) for by in ["time", "measured"] for _, made in kinds]
        differ += 2 * args.runs - cells[0] - cells[1]
        print("%-12s %-28s %10d %10d %16d %16d" % (program["program"], ", ".join(usual), *cells))
    total = 2 * args.runs * len(kinds[0][1][0])
    print("%d of %d profiles name the three worst lines of their program" % (total - differ, total))
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
