#!/usr/bin/python3
"""Arignote against NumPy, numexpr and PyTorch on whole workloads, called as users call them: a line for each workload and size.

A side is a process of its own (ours.star, peers.py) that lives through the run. In every round each side measures the workload
anew, with fresh inputs, in an order that turns from round to round, so that noise hits all alike. A time is the median of the
rounds' medians. With one thread all sides are pinned to the same core."""
import argparse
import atexit
import collections
import functools
import json
import os
import re
import statistics
import subprocess
import sys
import time

from surroundings import HERE, add_binary, built, environment

OURS = "arignote"
PAUSE = 0.05  # seconds in which the threads of the side before fall asleep

Row = collections.namedtuple("Row", "workload dtype n target target2 note")


def rows():
    """The table: a target is what a ratio of times has to reach, "1.4 numpy" or "1.2 best", or what our time may be, "20 ms".
    The first is for one thread, the second for two."""
    f64, f32 = "float64", "float32"

    def row(workload, dtype, targets, target2="", note=""):
        return [Row(workload, dtype, n, t, target2, note) for n, t in targets.items()]

    def gemm(dtype):
        for n in 8, 16, 32, 64:
            yield Row("gemm", dtype, n, "0.90 numpy", "", "with the calls from Starlark and Python")
        for n in 128, 256, 512, 1024:
            yield Row("gemm", dtype, n, "0.95 numpy", "0.95 numpy", "")

    return [
        *row("scalar_add", f64, {1: "0.5 us"}),
        *row("e1", f64, {1000: "4 numpy", 100000: "1.4 numpy", 1000000: "1.4 numpy", 10000000: "1.5 numpy"}),
        *row("e1_taken", f64, {100: "", 1000: "1.2 numpy", 10000: "1.2 numpy", 100000: "1.2 numpy", 1000000: "1.2 numpy"}, note="with r = f(x, y, z)"),
        *row("e1_eager", f64, {100: "1 numpy", 1000: "1.3 numpy", 10000: "1.3 numpy", 100000: "1.3 numpy", 1000000: "1.3 numpy"}, note="r = 2*(x + y) + z in np"),
        *row("e2_eager", f64, {100: "1 numpy", 1000: "1.3 numpy", 10000: "1.3 numpy", 100000: "1.3 numpy", 1000000: "1.3 numpy"}, note="r = 1/(1 + exp(-x))*tanh(y) + exp(-x*x) in np"),
        *row("e1", f32, {1000: "", 100000: "", 1000000: "", 10000000: ""}),
        *row("e2", f64, {1000: "", 1000000: "2.5 numpy, 3 torch"}),
        *row("e2", f32, {1000: "", 1000000: "2 numpy, 3 torch"}),
        *row("chain20", f64, {10000: "1.5 numpy", 1000000: ""}),
        *gemm(f64),
        *gemm(f32),
        *row("sum", f64, {1000000: "1.4 numpy"}),
        *row("sum_axis0", f64, {1000: "1.4 numpy"}),
        *row("sum_axis1", f64, {1000: "1.4 numpy"}),
        *row("sumsq", f64, {1000000: ""}),
        *row("max", f64, {1000000: "1.4 numpy"}),
        *row("argmax", f64, {1000000: "1.4 numpy"}),
        *row("softmax", f64, {1000: "1.4 numpy, 1.7 torch"}),
        *row("softmax", f32, {1000: "1.4 numpy, 1.7 torch"}),
        *row("transpose", f64, {1000: ""}),
        *row("gather", f32, {10000: "0.9 best", 100000: "0.9 best"}, note="rows of 100000 x 64"),
        *row("scatter_add", f32, {10000: "0.9 best", 100000: "0.9 best"}, note="into a copy of 100000 x 64"),
        *row("mask", f64, {1000000: "0.9 best"}),
        *row("concat0", f64, {1000: "0.9 best"}),
        *row("concat1", f64, {1000: "0.9 best"}),
        *row("cumsum0", f64, {1000: "0.9 best"}),
        *row("cumsum1", f64, {1000: "0.9 best"}),
        *row("sort", f64, {1000: "", 1000000: "0.9 best"}, note="of 1000 a processor's guesses know the one vector by heart"),
        *row("sort_rows", f64, {1000: "0.9 best"}, note="1000 rows of 1000"),
        *row("logsumexp", f64, {1000: "0.9 best"}),
        *row("softmax0", f64, {1000: "0.9 best"}),
        *row("xent10", f32, {600: "0.9 best"}, note="cost and gradient"),
        *row("xent1000", f32, {1000: "0.9 best"}, note="cost and gradient"),
        *row("bmm64", f32, {64: "0.9 best"}, note="64 x 64 each"),
        *row("bmm8", f32, {1000: "0.9 best"}, note="8 x 8 each"),
        *row("einsum_batch", f64, {64: "0.9 best"}, note="bij,bjk->bik"),
        *row("einsum_chain", f64, {256: "0.9 best"}, note="ij,jk,kl->il"),
        *row("einsum_heads", f64, {64: "0.9 best"}, note="bihd,bjhd->bhij"),
        *row("batchnorm", f32, {128: "0.9 best"}, note="n x 256, with gradients"),
        *[r for name in ("solve", "inv", "det", "cholesky", "qr", "svd", "eigh")
          for r in row(name, f64, {10: "", 100: "0.8 numpy", 500: "0.8 numpy"}, note="n x n")],
        *row("logreg", f64, {400: "1.25 numpy"}, note="400 x 784, two updates"),
        *row("mlp", f64, {128: "1.2 best"}, note="784-512-512-10"),
        *row("mlp", f32, {128: "1.1 best"}, note="784-512-512-10"),
        *row("embedding", f64, {100: "0.9 best", 10000: "0.9 best"}, note="table - 0.1*grad, 100000 x 64; peers by hand"),
        *row("conv5x1", f32, {500: "1.1 best"}, "1.1 best", note="1 x 28 x 28, 20 filters of 5 x 5"),
        *row("conv5x1_grad", f32, {500: "1.1 best"}, "1.1 best", note="of images and filters"),
        *row("conv5x20", f32, {500: "1.1 best"}, "1.1 best", note="20 x 12 x 12, 50 filters of 5 x 5"),
        *row("conv5x20_grad", f32, {500: "1.1 best"}, "1.1 best", note="of images and filters"),
        *row("conv3x64", f32, {8: "1.1 best"}, "1.1 best", note="64 x 56 x 56, 64 filters of 3 x 3, a border of 1"),
        *row("conv3x64_grad", f32, {8: "1.1 best"}, "1.1 best", note="of images and filters"),
        *row("pool", f32, {500: "1.1 best"}, "1.1 best", note="the largest of 2 x 2, of 20 x 24 x 24"),
        *row("pool_grad", f32, {500: "1.1 best"}, "1.1 best", note="without the forward pass, but for torch, which notes where it was"),
        *row("recurrence", f64, {10: "115 us, 3.3 numpy", 100: "3.3 numpy", 1000: "3.3 numpy"}, note="1000 steps of h = tanh(h*w + x); PyTensor: 577 us of n = 10"),
        *row("rnn", f64, {10: "3.3 numpy", 100: "3.3 numpy"}, note="1000 steps of h = tanh(dot(w, h) + x)"),
        *row("recurrence_taken", f64, {10: "3.3 numpy", 100: "3.3 numpy", 1000: "3.3 numpy"}, note="with r = f(x, h, w)"),
        *row("scalar_loop", f64, {1000000: "15 ms"}, note="n steps of s = s*a + 1; numpy is Python's floats"),
        *row("lstm", f64, {100: "1 torch"}, note="n steps of 32 x 128; torch.nn.LSTM"),
        *row("lstm", f32, {100: "1 torch"}, note="n steps of 32 x 128; torch.nn.LSTM"),
        *row("lstm_train", f64, {100: "1 torch"}, note="gradients of its parameters"),
        *row("lstm_train", f32, {100: "1 torch"}, note="gradients of its parameters"),
        *row("lstm_steps", f64, {100: "1 torch"}, note="torch: a loop over steps"),
        *row("lstm_steps", f32, {100: "1 torch"}, note="torch: a loop over steps"),
        *row("lstm_steps_train", f64, {100: "1 torch"}, note="torch: a loop over steps"),
        *row("lstm_steps_train", f32, {100: "1 torch"}, note="torch: a loop over steps"),
        *row("mlp_compile", f64, {128: "20 ms"}, note="function() of the step of mlp"),
    ]


ALONE = {"mlp_compile"}  # what peers have nothing like
# How far checksums may lie apart, by row; 1e-6 elsewhere. The gradient of 25 weights of one channel is 500 x 24 x 24 products for each, which torch
# adds up in float32 one after the other: it lies 8e-6 from ours and from NumPy's, which are 5e-8 apart. Gradients of an LSTM are sums of 3200 products that
# nearly cancel.
TOLERANCE = {"conv5x1_grad_f32": 2e-5, "lstm_train_f32": 1e-4, "lstm_steps_train_f32": 1e-4}


def label(row):
    return row.workload + ("_f32" if row.dtype == "float32" else "")


class Side:
    """A process that measures: a request is a line, its answer is a line of JSON."""

    def __init__(self, name, command, threads):
        env = environment(threads)
        pin = None
        if threads == 1 and hasattr(os, "sched_setaffinity"):
            core = max(os.sched_getaffinity(0))
            pin = functools.partial(os.sched_setaffinity, 0, {core})
        self.name = name
        self.process = subprocess.Popen(command, cwd=HERE, env=env, preexec_fn=pin, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        atexit.register(self.process.kill)
        hello = self.answer()
        self.library, self.workloads = hello["library"], set(hello["workloads"])

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("%s ended with status %s" % (self.name, self.process.wait()))
        return json.loads(line)

    def ask(self, *words):
        print(*words, file=self.process.stdin, flush=True)
        return self.answer()


def start(binary, args):
    """Our side and the peers that are installed. We have to know all workloads of the table, NumPy all that are not ours alone."""
    sides = [Side(OURS, [binary, "run", "ours.star"], args.threads)]
    for peer in filter(None, args.peers.split(",")):
        if subprocess.run([sys.executable, "-c", "import " + peer], stderr=subprocess.DEVNULL).returncode:
            print("no %s (Debian: apt-get install python3-%s)" % (peer, peer), file=sys.stderr)
            continue
        sides.append(Side(peer, [sys.executable, "peers.py", peer, str(args.threads)], args.threads))
    table = {r.workload for r in rows()}
    known = {OURS: table, "numpy": table - ALONE}
    for side in sides:
        differ = side.workloads ^ known.get(side.name, side.workloads & table)
        if differ:
            raise SystemExit("%s and the table differ in workloads: %s" % (side.name, ", ".join(sorted(differ))))
    return sides


def measure(row, sides, args):
    """The times of a row by side, round by round. The results of all sides have to agree."""
    sample, budget = (0.0002, 0) if args.quick else (0.002, 0.1)
    sides = [s for s in sides if row.workload in s.workloads]
    times, checks = collections.defaultdict(list), {}
    for _ in range(args.rounds):
        for side in sides:
            if args.threads > 1:
                time.sleep(PAUSE)
            a = side.ask(row.workload, row.dtype, row.n, sample, budget)
            times[side.name].append(statistics.median(a["us"]))
            checks[side.name] = a["check"]
        sides.append(sides.pop(0))
    want = checks[OURS]
    for name, got in checks.items():
        if not abs(got - want) <= TOLERANCE.get(label(row), 1e-6) * abs(want):
            raise SystemExit("%s n=%d: results differ: the checksum of %s is %r, ours is %r" % (label(row), row.n, name, got, want))
    return times


def judge(target, us, ratio):
    """Whether a target is met: True, False, or None without target or without the peer that it names."""
    met = None
    for part in filter(None, target.split(", ")):
        limit, what = part.split()
        if what in ("us", "ms"):
            ok = us <= float(limit) * {"us": 1, "ms": 1000}[what]
        elif what in ratio:
            ok = ratio[what] >= float(limit)
        else:
            return None
        met = ok and met is not False
    return met


def result(row, times, threads):
    """A row of the answer, as it goes to JSON."""
    us = {name: {"median": statistics.median(t), "min": min(t), "max": max(t)} for name, t in times.items()}
    ours = us[OURS]["median"]
    ratio = {name: t["median"] / ours for name, t in us.items() if name != OURS}
    if ratio:
        ratio["best"] = min(ratio.values())
    target = {1: row.target, 2: row.target2}.get(threads, "")
    met = judge(target, ours, ratio)
    return {"workload": label(row), "n": row.n, "us": us, "ratio": ratio, "target": target, "met": met, "note": row.note}


def cells(r, peers):
    def digits(x):
        return "%.0f" % x if x >= 1000 else "%.3g" % x

    def time(name):
        t = r["us"].get(name)
        return "%s (%s..%s)" % (digits(t["median"]), digits(t["min"]), digits(t["max"])) if t else "-"

    def ratio(name):
        return "%.2f" % r["ratio"][name] if name in r["ratio"] else "-"

    verdict = {True: "met", False: "missed", None: ""}[r["met"]]
    return [r["workload"], str(r["n"]), *map(time, [OURS, *peers]), *map(ratio, ["best", *peers]), r["target"], verdict, r["note"]]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--threads", type=int, default=1, help="threads of every side (default 1)")
    p.add_argument("--only", default="", metavar="REGEX", help='rows whose "workload n=size" it matches')
    p.add_argument("--peers", default="numpy,numexpr,torch", help="libraries to compare with (default %(default)s)")
    p.add_argument("--rounds", type=int, default=7, help="rounds of each row (default 7)")
    p.add_argument("--quick", action="store_true", help="the smallest size of each workload, measured badly: does all work?")
    add_binary(p)
    p.add_argument("--markdown", metavar="FILE", help="write a table for documents")
    p.add_argument("--json", metavar="FILE", help="write all numbers")
    args = p.parse_args()

    chosen = [r for r in rows() if re.search(args.only, "%s n=%d" % (label(r), r.n))]
    if args.quick:
        chosen = list({label(r): r for r in reversed(chosen)}.values())[::-1]
    if not chosen:
        raise SystemExit("no row matches %s" % args.only)
    with built(args.binary) as binary:
        sides = start(binary, args)
        peers = [s.name for s in sides[1:]]
        times, ratios = ["%s µs" % s for s in [OURS, *peers]], ["%s/ours" % s for s in ["best", *peers]]
        head = ["workload", "n", *times, *ratios, "target", "", "note"]
        widths = [12, 9] + [23] * len(sides) + [13] * (len(peers) + 1) + [19, 7, 0]

        def show(line):
            print("".join(c.ljust(w) if len(c) < w else c + " " for c, w in zip(line, widths)).rstrip(), flush=True)

        libraries = [s.library for s in sides]
        print("%s; threads: %d, rounds: %d" % (", ".join(libraries), args.threads, args.rounds))
        show(head)
        results = []
        for row in chosen:
            results.append(result(row, measure(row, sides, args), args.threads))
            show(cells(results[-1], peers))
        for side in sides:
            side.process.communicate("\n")
    judged = [r["met"] for r in results if r["met"] is not None]
    print("%d of %d targets met" % (sum(judged), len(judged)))
    if args.markdown:
        with open(args.markdown, "w") as f:
            for line in [head, ["---"] * len(head), *(cells(r, peers) for r in results)]:
                print("| %s |" % " | ".join(line), file=f)
    if args.json:
        with open(args.json, "w") as f:
            json.dump({"threads": args.threads, "rounds": args.rounds, "libraries": libraries, "rows": results}, f, indent=1)


if __name__ == "__main__":
    main()
