"""Is what a profile says of a line that is gone true? Programs are run under --profile --full with one line and
without it:

    /usr/bin/python3 benchmarks/faster.py [--binary B] [--only REGEX] [--rounds 5]

Forty are knock-outs: a line of np, of Starlark, a call of a helper or of a compiled function among two others, in a
loop. Twenty are whole cells. A row has the share of the wall time that the profile says the line takes, with what it
calls, and the share that a program without it does not take: medians of the predictions, and least times that the
programs have of the processors, of rounds that alternate. The last column is by how much the saving was missed, of
the saving.

Where predictions are off, it is by chance - a program of 200 ms is sampled 200 times - and because a line leaves more
than its time behind: arrays whose memory others take again, and caches.
"""

import argparse
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile

UNITS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0}
AMOUNT = r"([\d.]+) ?(ns|µs|ms|s)\b"

# Lines that take some microseconds, each with another that stays.
NUMPY = ["b = np.sort(a)", "b = np.exp(a)", "b = a[::-1].copy()", "b = np.cumsum(a)", "b = a * 2.0 + 1.0", "a[M] = 0.5",
         "b = np.dot(A, A)", "b = A.T.copy()", "b = np.where(a > 0.5, a, -a)", "b = np.concatenate([a, a])"]
LANGUAGE = ["s = sum([j * j for j in range(400)])", "d = {str(j): j for j in range(150)}", "t = ' '.join([str(j) for j in range(200)])",
            "u = sorted(words)", "s = max([len(w) for w in words])", "t = text.replace('a', 'b').upper().split('B')",
            "u = [w for w in words if w.startswith('w1')]", "s = [x for x in range(800) if x % 3 == 0]",
            "d = dict(zip(words, range(len(words))))", "t = text[::-1] + text"]
HELPERS = [f"work({k})" for k in range(10)]
COMPILED = [f"y = f{k}(A)" for k in range(10)]

HEAD = """import numpy as np
import theano
import theano.tensor as T
rng = np.random.RandomState(0)
a, A, M = rng.rand(8000), rng.rand(60, 60), rng.rand(8000) > 0.5
words = ['w%d' % ((j * 37) % 500) for j in range(300)]
text = 'banana and apple ' * 60
x = T.dmatrix('x')
"""
HELPER = """
def inner(n):
    s = 0
    for j in range(n):
        s += j % 7
    return s


def work(k):
    if k % 2:
        return inner(300 + 100 * k)
    return np.sin(a).sum() + inner(50 * k)


"""


def knockouts():
    """Forty programs: name, text with the line, text without it."""
    for kind, lines in [("np", NUMPY), ("starlark", LANGUAGE), ("helper", HELPERS), ("compiled", COMPILED)]:
        for k, line in enumerate(lines):
            other, third = NUMPY[(k + 3) % len(NUMPY)], LANGUAGE[(k + 5) % len(LANGUAGE)]
            setup = HEAD + (HELPER if kind == "helper" else "")
            if kind == "compiled":
                setup += f"f{k} = theano.function([x], T.tanh(T.dot(x, x) * {k + 1}).sum(axis=0))\n"
            loop = "for i in range(4000):\n    {}\n    {}\n    {}\n"
            yield f"{kind} {line}"[:44], setup + loop.format(other, line, third), setup + loop.format(other, "pass", third), line


CELLS = [
    ("power iteration", "B = rng.rand(300, 300)\nv = np.ones(300)\nfor i in range(1500):\n    v = B @ v\n    v = v / np.sqrt((v * v).sum())\n    r = np.abs(B - B.T).max()  # gone\n"),
    ("word count", "n = {}\nfor i in range(300):\n    for w in words:\n        n[w] = n.get(w, 0) + 1\n    top = sorted(n.items(), key=lambda p: -p[1])[:5]  # gone\n"),
    ("histogram", "h = np.zeros(50)\nfor i in range(800):\n    v = rng.rand(5000)  # gone: v = a\n    h += np.histogram(v, bins=50, range=(0.0, 1.0))[0]\n"),
    ("nearest", "P = rng.rand(200, 3)\nfor i in range(300):\n    d = ((P[:, None, :] - P[None, :, :]) ** 2).sum(axis=2)\n    j = np.argsort(d, axis=1)[:, 1]  # gone\n"),
    ("training", "W = theano.shared(rng.rand(60, 10), name='W')\nloss = T.sqr(T.tanh(T.dot(x, W)) - 0.5).mean()\nstep = theano.function([x], loss, updates=[(W, W - 0.1 * T.grad(loss, W))])\nfor i in range(3000):\n    step(A)\n    n = np.abs(W.get_value()).max()  # gone\n"),
    ("smoothing", "s = a.copy()\nfor i in range(1500):\n    s[1:-1] = (s[:-2] + s[1:-1] + s[2:]) / 3\n    m = np.median(s)  # gone\n"),
    ("collatz", "longest = 0\nfor n in range(1, 6000):\n    k, m = 0, n\n    while m != 1:\n        m = m // 2 if m % 2 == 0 else 3 * m + 1\n        k += 1\n    longest = max(longest, sum([int(c) for c in str(k * n)]))  # gone\n"),
    ("matrices", "S = np.zeros((60, 60))\nfor i in range(2000):\n    S += A @ A\n    S *= 0.5\n    e = np.linalg.inv(A + np.eye(60))  # gone\n"),
    ("parsing", "rows = ['%d,%d,%s' % (j, j * 2, 'x' * (j % 9)) for j in range(500)]\nfor i in range(150):\n    table = [r.split(',') for r in rows]\n    total = sum([int(r[0]) + int(r[1]) for r in table])  # gone\n"),
    ("objects", "class P:\n    def __init__(self, v):\n        self.v = v\n    def move(self):\n        self.v = self.v * 0.99 + 1\nps = [P(j) for j in range(1000)]\nfor i in range(150):\n    for p in ps:\n        p.move()\n    m = max([p.v for p in ps])  # gone\n"),
    ("bootstrap", "means = []\nfor i in range(2500):\n    k = rng.randint(0, 8000, 2000)\n    means.append(a[k].mean())\n    q = np.percentile(a[k], 90)  # gone\n"),
    ("game", "g = rng.rand(80, 80) > 0.7\nfor i in range(600):\n    n = np.zeros((80, 80))\n    for dx in [-1, 0, 1]:\n        for dy in [-1, 0, 1]:\n            n += np.roll(np.roll(g, dx, axis=0), dy, axis=1)\n    g = (n == 3) | (g & (n == 4))\n    t = '\\n'.join([''.join(['#' if c else ' ' for c in row]) for row in g[:4]])  # gone\n"),
    ("sampling", "p = theano.function([x], T.nnet.softmax(x))\nfor i in range(2000):\n    q = p(A)\n    c = np.cumsum(q, axis=1)\n    k = (c > rng.rand(60, 1)).argmax(axis=1)  # gone\n"),
    ("polynomials", "c = [1.0, -2.0, 0.5, 0.25]\nfor i in range(1500):\n    y = np.zeros(8000)\n    for k in c:\n        y = y * a + k\n    z = np.log(np.abs(y) + 1.0)  # gone\n"),
    ("queue", "todo = []\nfor i in range(1500):\n    todo.append([i * 7919 % 1000, i])\n    todo.sort()  # gone\n    s = sum([t[0] for t in todo[:50]])\n"),
    ("cross validation", "for i in range(400):\n    order = rng.permutation(60)\n    B = A[order]\n    w = np.linalg.solve(B.T @ B + np.eye(60), B.T @ a[:60])\n    e = ((B @ w - a[:60]) ** 2).mean()\n    s = np.linalg.svd(B)[1]  # gone\n"),
    ("text", "for i in range(800):\n    u = text.upper()\n    n = {c: u.count(c) for c in 'ABN'}\n    w = [v for v in text.split(' ') if len(v) > 3]  # gone\n"),
    ("recursion", "def depth(n):\n    return 0 if n < 2 else 1 + max(depth(n // 2), depth(n // 3))\nfor i in range(300):\n    d = depth(600)\n    m = [j ** 2 for j in range(500)]  # gone\n"),
    ("two functions", "f = theano.function([x], T.exp(x).sum(axis=0))\ng = theano.function([x], T.dot(x, T.tanh(x)))\nfor i in range(4000):\n    u = f(A)\n    v = g(A)  # gone\n"),
    ("report", "lines = []\nfor i in range(4000):\n    v = a[i] * 2.0\n    s = np.sin(a[:500]).sum()\n    lines.append('%5d %8.3f %8.3f' % (i, v, s))  # gone\n"),
]


def cells():
    """Twenty cells: name, text with the line, text without it, the line."""
    for name, text in CELLS:
        line = next(row for row in text.splitlines() if "# gone" in row)
        code, _, instead = line.partition("  # gone")
        indent = code[:len(code) - len(code.lstrip())]
        yield name, HEAD + text, HEAD + text.replace(line, indent + (instead.removeprefix(":").strip() or "pass")), code.strip()


def processor(binary, path):
    """The time of the processors that a program takes without a profile: other programs have no part in it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([binary, "run", "--flags", "threads=1", str(path)], capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def predict(binary, path):
    """The wall time, and by source line the time without it."""
    done = subprocess.run([binary, "run", "--profile", "--full", "--flags", "threads=1", str(path)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{path}: {done.stdout}{done.stderr}")
    text = (done.stdout + done.stderr).replace("\u00a0", " ")
    found = re.search(r"^(?:Profile of .*?\n=+\n)?wall +" + AMOUNT, text, re.M)
    if not found:
        sys.exit(f"{path}: no wall time in\n{text}")
    number, unit = found.groups()
    wall = float(number) * UNITS[unit]
    gone, rows = {}, text.partition("were twice as fast, or gone\n")[2].partition("\n\n")[0].splitlines()[2:]
    for i, row in enumerate(rows):
        m = re.match(r"\s*" + AMOUNT + r"\s+" + AMOUNT + r"\s+\S*?:(\d+)\b", row)
        if m:
            gone[int(m.group(5))] = float(m.group(3)) * UNITS[m.group(4)]
    return wall, gone


def main():
    args = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    args.add_argument("--binary", help="the program; built if not given")
    args.add_argument("--only", default="", help="programs whose names match")
    args.add_argument("--rounds", type=int, default=5)
    args = args.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp())
    if not args.binary:
        args.binary = str(folder / "arignote")
        subprocess.run(["go", "build", "-o", args.binary, "."], cwd=pathlib.Path(__file__).parent.parent, check=True)
    print(f"{'program':44}  whole ms  predicted  measured  missed by")
    empty = folder / "empty.py"
    empty.write_text("pass\n")
    start = min(processor(args.binary, empty) for _ in range(args.rounds))
    within = tried = 0
    for name, whole, without, line in [*knockouts(), *cells()]:
        if not re.search(args.only, name):
            continue
        paths = folder / "whole.py", folder / "without.py"
        for path, text in zip(paths, (whole, without)):
            path.write_text(text)
        at = next(i for i, row in enumerate(whole.splitlines(), 1) if row.strip().partition("  # gone")[0] == line)
        predicted, took, left = [], [], []
        for _ in range(args.rounds):
            wall, gone = predict(args.binary, paths[0])
            predicted.append(1 - gone[at] / wall if at in gone else 0.0)
            took.append(processor(args.binary, paths[0]) - start)
            left.append(processor(args.binary, paths[1]) - start)
        share, saved = statistics.median(predicted), 1 - min(left) / min(took)
        missed = abs(share - saved) / max(saved, 1e-9)
        tried, within = tried + 1, within + (missed <= 0.05)
        print(f"{name:44}  {min(took) * 1e3:8.1f}  {share:9.1%}  {saved:8.1%}  {missed:9.1%}{'' if missed <= 0.05 else ' *'}", flush=True)
    print(f"of {tried} savings {within} are predicted within 5 %")


if __name__ == "__main__":
    main()
