#!/usr/bin/python3
"""Statements of np as one types them, each in a loop of a function, against NumPy: a line for each statement, a column for each size.

Both sides run the same text, which is Starlark and Python. A time is the least of the rounds, which alternate; a figure is NumPy's time divided
by ours: above 1 we win. Results have to agree."""
import argparse
import collections
import math
import os
import re
import subprocess
import sys
import tempfile

from surroundings import add_binary, built, environment

VECTORS, MATRICES = (100, 1000, 10000, 100000, 1000000), (10, 30, 100, 300)

# What statements may name: arrays of n numbers for those of vectors, of n x n for those of matrices.
INPUTS = """
def vectors(n):
    rng = np.random.RandomState(1)
    x, y, z, w = [rng.rand(n) for i in range(4)]
    m = int(np.sqrt(n))
    X, Y = [rng.rand(m, m) for i in range(2)]
    i = rng.randint(0, 1000, n)
    idx = rng.randint(0, n, n)
    return {"x": x, "y": y, "z": z, "w": w, "s": x - 0.5, "e": x*20 - 10, "m": x > 0.5, "l": y > 0.1, "f": x.astype("float32"), "g": y.astype("float32"),
            "i": i, "j": 1 + rng.randint(0, 1000, n), "b": (i % 256).astype("uint8"), "X": X, "Y": Y, "F": X.astype("float32"), "v": X[0].copy(), "k": n // 2,
            "idx": idx, "rows": idx[:m] % m, "sorted": np.sort(x), "n": n, "q": int(m), "keys": i % 10, "d": {"x": x, "z": z}}

def twice(v): return v*2

def local(v):
    u = v + 1
    t = u*0.5
    return t + u

def matrices(n):
    rng = np.random.RandomState(1)
    A, B = [rng.rand(n, n) for i in range(2)]
    S = A.dot(A.T) + n*np.eye(n)
    return {"A": A + n*np.eye(n), "B": B, "S": S, "v": B[0].copy(), "F": A.astype("float32"), "w": np.zeros((n, n)), "n": n, "T": rng.rand(10, n, n)}
"""

GROUPS = {
    "elementwise, one operation": (VECTORS, """
        r = x + y
        r = x*2.0
        r = x/y
        r = -s
        r = abs(s)
        r = x**2
        r = x**2.5
        r = x < y
        r = np.sqrt(x)
        r = np.exp(s)
        r = np.log(x)
        r = np.sin(e)
        r = np.cos(e)
        r = np.tan(e)
        r = np.tanh(e)
        r = np.arctan(e)
        r = np.arctan2(s, y)
        r = np.expm1(s)
        r = np.log1p(x)
        r = np.maximum(x, y)
        r = np.maximum(s, 0)
        r = np.clip(s, -0.2, 0.2)
        r = np.floor(e)
        r = np.round(e)
        r = np.round(e, 2)
        r = np.sign(s)
        r = np.hypot(x, y)
        r = np.where(m, x, y)
        r = np.isnan(x)
        r = f + g
        r = f*2
        r = np.exp(f)
        r = np.sin(f)
        r = f.astype("float64")
        r = x.astype("float32")
        r = x.astype("int64")
        r = i + j
        r = i // j
        r = i % j
        r = i // 7
        r = i % 7
        r = b // 7
        r = b + b
        r = i & j
        r = i << 2
        r = m & l
        r = ~m
        r = m.astype("float64")
        r = x // y
        r = x % y
    """),
    "elementwise, several operations": (VECTORS, """
        r = 2*(x + y) + z
        r = x*y + z*w
        r = 1/(1 + np.exp(-x))
        r = np.exp(-x*x)
        r = np.sqrt(x*x + y*y)
        r = (x - x.mean())/x.std()
        r = (x > 0.2) & (x < 0.7)
        r = x*(x > 0.5)
        r = np.where(s > 0, s, 0.1*s)
        r = np.log(1 + np.exp(s))
        r = ((x - y)**2).mean()
        r = np.sum(x*y)
        r = (x*y).sum()
        r = np.sqrt(((x - y)**2).sum())
        r = (np.abs(s) > 0.3).sum()
        r = np.exp(x)/np.exp(x).sum()
        r = f*2 + g
        r = (i + j)*3 % 11
        r = 1/(1 + np.exp(-s))*np.tanh(y) + np.exp(-s*s)
        r = np.exp(-s*s/2)/3.0
        r = d["x"]*y + d["z"]
        r = (x[:-1] - x[1:])*2 + y[1:]
        r = np.dot(x*y, z)
        r = twice(x)
        r = local(x)
    """),
    "in place": (VECTORS, """
        w += x
        w *= 1.0
        w[:] = x
        w[:] = 0
        w[k] = 1.5
        w[k] += 1.5
        w[1:] = x[:-1]
        w[1:-1] = 0.5*(x[2:] + x[:-2])
        w[m] = 0.5
        w[idx] = 0.5
        w[idx] = x
        w[::2] = 1.0
        np.add(x, y, out=w)
        np.cumsum(x, out=w)
    """),
    "elements and views": (VECTORS, """
        r = x[k]
        r = x[1:]
        r = x[::-1]
        r = x[k:k+10]
        r = X.T
        r = X[1]
        r = X[:, 1]
        r = X[1, 1]
        r = x.reshape(n, 1)
        r = X.ravel()
        r = len(x)
        r = x.shape
        r = x[::2] + x[1::2]
        r = x[1:] - x[:-1]
        r = X.T + Y.T
        r = np.exp(X.T)
        r = X.T + Y
        r = X.T.copy()
        r = X + v
        r = X*v[:, None]
        r = x[:q, None]*y[:q]
    """),
    "reductions": (VECTORS, """
        r = x.sum()
        r = x.mean()
        r = x.std()
        r = x.var()
        r = x.max()
        r = x.argmax()
        r = x.prod()
        r = np.median(x)
        r = np.percentile(x, 90)
        r = m.any()
        r = m.all()
        r = m.sum()
        r = np.count_nonzero(m)
        r = X.sum(axis=0)
        r = X.sum(axis=1)
        r = X.max(axis=0)
        r = X.max(axis=1)
        r = X.argmax(axis=1)
        r = X.mean(axis=0)
        r = X.std(axis=0)
        r = f.sum()
        r = i.sum()
        r = i.max()
        r = np.linalg.norm(x)
        r = np.dot(x, y)
        r = np.vdot(x, y)
        r = np.inner(x, y)
        r = x.dot(y)
        r = np.cumsum(x)
        r = np.cumsum(X, axis=0)
        r = np.cumprod(x)
        r = np.diff(x)
        r = np.trapz(x)
        r = np.average(x, weights=y)
        r = np.ptp(x)
        r = np.allclose(x, y)
        r = np.array_equal(x, y)
    """),
    "indices and masks": (VECTORS, """
        r = x[idx]
        r = x[m]
        r = X[rows]
        r = X[:, rows]
        r = X[rows, rows]
        r = np.take(x, idx)
        r = np.nonzero(m)[0]
        r = np.flatnonzero(m)
        r = np.where(m)[0]
        r = np.argwhere(m)
        r = np.searchsorted(sorted, y)
        r = np.digitize(x, sorted[:10])
        r = np.bincount(keys)
        r = np.unique(keys)
        r = np.isin(keys, [1, 2, 3])
        r = np.interp(y, sorted, x)
        r = np.histogram(x, 20)[0]
        r = np.compress(m, x)
    """),
    "sorting": (VECTORS, """
        r = np.sort(x)
        r = np.argsort(x)
        r = np.sort(i)
        r = np.sort(f)
        r = np.partition(x, k)[k]
        r = np.sort(X, axis=0)
    """),
    "making and joining": (VECTORS, """
        r = np.zeros(n)
        r = np.ones(n)
        r = np.empty(n)
        r = np.arange(n)
        r = np.linspace(0, 1, n)
        r = np.zeros_like(x)
        r = np.full(n, 2.5)
        r = np.eye(q)
        r = x.copy()
        r = np.array([1.0, 2.0, 3.0])
        r = np.concatenate([x, y])
        r = np.stack([x, y])
        r = np.vstack([X, Y])
        r = np.hstack([X, Y])
        r = np.tile(x, 3)
        r = np.repeat(x, 3)
        r = np.roll(x, 3)
        r = np.flip(x).copy()
        r = np.pad(x, 2)
        r = np.append(x, 1.0)
        r = np.outer(x[:q], y[:q])
        r = np.meshgrid(x[:q], y[:q])[0]
        r = np.triu(X)
        r = np.convolve(x, y[:5])
        r = np.random.rand(n)
        r = np.random.randn(n)
        r = np.random.randint(0, 10, n)
        r = np.random.permutation(n)
        r = x.tolist()
    """),
    "matrices": (MATRICES, """
        r = A.dot(B)
        np.dot(A, B, out=w)
        r = A.dot(v)
        r = np.dot(A, B.T)
        r = F.dot(F)
        r = np.matmul(T, T)
        r = np.einsum("ij,jk->ik", A, B)
        r = np.einsum("ij,ij->i", A, B)
        r = np.outer(v, v)
        r = np.trace(A)
        r = np.diag(A)
        r = np.linalg.solve(A, v)
        r = np.linalg.solve(A, B)
        r = np.linalg.inv(A)
        r = np.linalg.det(A)
        r = np.linalg.cholesky(S)
        r = np.linalg.qr(A)[1]
        r = np.linalg.svd(A)[1]
        r = np.linalg.svd(A, compute_uv=False)
        r = np.linalg.eigh(S)[0]
        r = np.linalg.eigvalsh(S)
        r = np.linalg.eigvals(S)
        r = np.linalg.lstsq(A, v, rcond=-1)[0]
        r = np.linalg.pinv(A)
        r = np.linalg.norm(A)
        r = np.linalg.norm(A, axis=1)
        r = np.linalg.matrix_power(A, 3)
        r = np.kron(A[:5, :5], B[:5, :5])
    """),
}

SERVE = """
def checksum(r):
    r = np.asarray(r).astype("float64").ravel()
    return float((r*(1 + np.arange(r.size) % 7)).sum())

def serve(made):
    inputs = {}
    while True:
        words = input().split()
        if not words:
            break
        statement, kind, n, calls = ROWS[int(words[0])], words[1], int(words[2]), int(words[3])
        if (kind, n) not in inputs:
            inputs = {(kind, n): made[kind](n)}
        start = time.perf_counter()
        r = statement(calls, inputs[kind, n])
        took = time.perf_counter() - start
        print(took, checksum(r) if calls == 1 else 0)

serve({"vectors": vectors, "matrices": matrices})
"""

Row = collections.namedtuple("Row", "group statement sizes")

RANDOM = re.compile(r"random|empty")  # whose values differ


def rows():
    return [Row(group, line.strip(), sizes) for group, (sizes, text) in GROUPS.items() for line in text.strip().splitlines()]


def program(table):
    """The text that both sides run."""
    names = set(re.findall(r'"(\w+)":', INPUTS))
    parts = [INPUTS]
    for k, row in enumerate(table):
        text = re.sub(r'"[^"]*"', "", row.statement)
        used = [n for n in re.findall(r"(?<![\w.])[A-Za-z]\w*(?!\w*=)", text) if n in names]
        result = "r" if row.statement.startswith("r = ") else "w"
        parts.append("def row%d(calls, inputs):\n%s    for _ in range(calls):\n        %s\n    return %s\n" % (
            k, "".join('    %s = inputs["%s"]\n' % (n, n) for n in dict.fromkeys(used)), row.statement, result))
    parts.append("ROWS = [%s]\n" % ", ".join("row%d" % k for k in range(len(table))))
    return "\n".join(parts) + SERVE


class Side:
    def __init__(self, command):
        core = max(os.sched_getaffinity(0))
        self.process = subprocess.Popen(command, env=environment(1), preexec_fn=lambda: os.sched_setaffinity(0, {core}), text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, *words):
        print(*words, file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("a side ended")
        return [float(w) for w in line.split()]


def measure(k, row, n, sides, rounds):
    """The least time of a call for each side."""
    kind = "matrices" if row.sizes is MATRICES else "vectors"
    checks = [s.ask(k, kind, n, 1)[1] for s in sides]
    if not RANDOM.search(row.statement) and not math.isclose(*checks, rel_tol=1e-4, abs_tol=1e-4):
        print("%s, n=%d: results differ: checksums %r" % (row.statement, n, checks), file=sys.stderr)
    calls = []
    for s in sides:
        c = 1
        while min(s.ask(k, kind, n, c)[0] for _ in range(3)) < 0.001:  # one pause would leave a sample of few calls
            c *= 2
        calls.append(c)
    best = [math.inf] * len(sides)
    for _ in range(rounds):
        for at, s in enumerate(sides):
            best[at] = min(best[at], s.ask(k, kind, n, calls[at])[0] / calls[at])
    return best


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--only", default="", metavar="REGEX", help="statements, with their groups, that it matches")
    p.add_argument("--sizes", default="", help="sizes, instead of all")
    p.add_argument("--rounds", type=int, default=7, help="rounds (default 7)")
    p.add_argument("--times", action="store_true", help="microseconds of both sides too")
    add_binary(p)
    args = p.parse_args()
    table = [r for r in rows() if re.search(args.only, r.group + ": " + r.statement)]
    only = [int(n) for n in args.sizes.split(",") if n]
    with built(args.binary) as binary, tempfile.TemporaryDirectory() as tmp:
        text = os.path.join(tmp, "typed.star")
        with open(text, "w") as f:
            f.write(program(table))
        python = "import sys, time, functools; import numpy as np; print = functools.partial(print, flush=True); exec(open(sys.argv[1]).read())"
        sides = [Side([binary, "run", text]), Side([sys.executable, "-c", python, text])]
        group, all_ratios = "", collections.defaultdict(list)
        for k, row in enumerate(table):
            sizes = [n for n in row.sizes if not only or n in only]
            if row.group != group:
                group = row.group
                print("\n%-40s" % group + "".join("%9d" % n for n in sizes))
            best = [measure(k, row, n, sides, args.rounds) for n in sizes]
            for n, (ours, theirs) in zip(sizes, best):
                all_ratios[group, n].append(theirs / ours)
            times = "".join("  %.3g/%.3g" % (ours * 1e6, theirs * 1e6) for ours, theirs in best) if args.times else ""
            print("%-40s" % row.statement + "".join("%9.2f" % (theirs / ours) for ours, theirs in best) + times, flush=True)
        for side in sides:
            side.process.communicate("\n")
    print("\n%-40s" % "geometric means")
    for (group, n), ratios in all_ratios.items():
        print("%-40s%9d%9.2f, at least 1 in %d of %d" % (group, n, math.exp(sum(map(math.log, ratios)) / len(ratios)), sum(r >= 1 for r in ratios), len(ratios)))


if __name__ == "__main__":
    main()
