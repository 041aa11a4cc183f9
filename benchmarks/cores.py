#!/usr/bin/python3
"""How much faster are several cores than one? Each workload of run.py on one thread and on more, each in a process that lives through the run,
in turn, with pauses in which the threads of the other fall asleep. Prints the medians of the rounds, their ratio, and the ratio of the least.

Virtual processors are not always cores: for minutes they may be two threads of one. So before each round two processes compute by themselves, one alone and then both; while both
take longer than one, the round waits, and if that does not end within half a minute its row is marked."""
import argparse
import re
import statistics
import subprocess
import sys
import time

from run import OURS, PAUSE, Side, label, rows
from surroundings import add_binary, built

SPIN = """
import sys, time
import numpy as np
x = np.linspace(0, 1, 2000)
for line in sys.stdin:
    begun = time.perf_counter()
    for _ in range(1500):
        np.sin(x, out=x)
    print(time.perf_counter() - begun, flush=True)
"""


class Cores:
    """Processes that compute, as many as threads are to be measured."""

    def __init__(self, n):
        self.spinning = [subprocess.Popen([sys.executable, "-c", SPIN], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(n)]

    def time(self, n):
        for p in self.spinning[:n]:
            print(file=p.stdin, flush=True)
        return max(float(p.stdout.readline()) for p in self.spinning[:n])

    def idle(self):
        """Whether each process has a core, now or within half a minute."""
        for _ in range(60):
            if min(self.time(len(self.spinning)) for _ in range(3)) < 1.15 * min(self.time(1) for _ in range(3)):
                return True
            time.sleep(0.5)
        return False

    def close(self):
        for p in self.spinning:
            p.communicate()


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--threads", type=int, default=2, help="threads of the second process (default 2)")
    p.add_argument("--only", default="", metavar="REGEX", help='rows whose "workload n=size" it matches')
    p.add_argument("--rounds", type=int, default=5, help="rounds of each row (default 5)")
    p.add_argument("--least", type=float, default=20, metavar="US", help="rows that take one thread so many microseconds (default 20)")
    add_binary(p)
    args = p.parse_args()
    with built(args.binary) as binary:
        one, more = (Side(OURS, [binary, "run", "ours.star"], n) for n in (1, args.threads))
        print("%s; medians of %d rounds; microseconds" % (one.library, args.rounds))
        print("%-22s%9s%12s%12s%8s%8s" % ("workload", "n", "1 thread", "%d threads" % args.threads, "ratio", "least"))
        ratios, cores = [], Cores(args.threads)
        for row in rows():
            if not re.search(args.only, "%s n=%d" % (label(row), row.n)) or not row.n:
                continue
            times, idle = {one: [], more: []}, True
            for _ in range(args.rounds):
                idle &= cores.idle()
                for side, list_ in times.items():
                    time.sleep(PAUSE)
                    list_.append(statistics.median(side.ask(row.workload, row.dtype, row.n, 0.002, 0.1)["us"]))
            a, b = (statistics.median(t) for t in times.values())
            if a < args.least:
                continue
            ratios.append(a / b)
            print("%-22s%9d%12.1f%12.1f%8.2f%8.2f%s" % (label(row), row.n, a, b, a / b, min(times[one]) / min(times[more]), "" if idle else "   cores not idle"), flush=True)
        if ratios:
            print("median %.2f; %d of %d at least 1.7" % (statistics.median(ratios), sum(r >= 1.7 for r in ratios), len(ratios)))
        cores.close()
        for side in (one, more):
            side.process.communicate("\n")


if __name__ == "__main__":
    main()
