"""np.loadtxt and np.genfromtxt beside NumPy's, on files of 1e6 x 10 numbers.

    /usr/bin/python3 benchmarks/reading.py [--rows N] [--rounds N]

builds the program, writes a file of numbers with six decimals and one with all digits, and has both sides read them by turns. It prints the shortest time of each, in
seconds of a processor, which other programs change little, less those of a run that reads one row; and how many times as long as ours NumPy's is: genfromtxt beside
NumPy's loadtxt, which is its reader in C, and beside its genfromtxt on a tenth of the rows. What was read is compared by its sum.
"""
import argparse
import os
import subprocess
import sys
import tempfile

import numpy as np

from surroundings import add_binary, built

PROGRAM = """
import sys
import numpy as np
path, name, rows = sys.argv[1], sys.argv[2], int(sys.argv[3])
a = getattr(np, name)(path, delimiter=",", max_rows=rows, ndmin=2)
print(repr(float(a[:, 3].sum())))
"""


def reads(argv, *args):
    """Seconds of a processor, and the sum of a column."""
    with subprocess.Popen([*argv, *map(str, args)], stdout=subprocess.PIPE, text=True) as process:
        total = float(process.stdout.read())
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
    return usage.ru_utime + usage.ru_stime, total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    add_binary(parser)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, built(args.binary) as binary:
        program = os.path.join(folder, "read.py")
        with open(program, "w") as f:
            f.write(PROGRAM)
        ours, theirs = [binary, "run", program, "--"], [sys.executable, program]
        numbers = np.random.default_rng(0).standard_normal((args.rows, 10))
        print("file         reader                   ours   NumPy   NumPy / ours")
        for name, form in (("6 decimals", "%.6f"), ("all digits", "%.18e")):
            path = os.path.join(folder, "numbers.csv")
            np.savetxt(path, numbers, fmt=form, delimiter=",")
            for reader, peer, rows in (("loadtxt", "loadtxt", args.rows), ("genfromtxt", "loadtxt", args.rows), ("genfromtxt", "genfromtxt", args.rows // 10)):
                best, start = [float("inf")] * 2, [float("inf")] * 2
                for _ in range(args.rounds):
                    sums = []
                    for i, (argv, function) in enumerate(((ours, reader), (theirs, peer))):
                        start[i] = min(start[i], reads(argv, path, function, 1)[0])
                        seconds, total = reads(argv, path, function, rows)
                        best[i] = min(best[i], seconds)
                        sums.append(total)
                    if not np.isclose(*sums, rtol=1e-9, atol=1e-9):
                        sys.exit(f"{name}, {reader}: got the sum {sums[0]}, NumPy {sums[1]}")
                mine, other = (b - s for b, s in zip(best, start))
                print(f"{name}   {reader:10} {peer:10} {mine:7.3f} {other:7.3f} {other / mine:8.2f}", flush=True)


if __name__ == "__main__":
    main()
