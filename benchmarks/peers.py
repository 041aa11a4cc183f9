#!/usr/bin/python3
"""The peers' side of the benchmark: peers.py LIBRARY THREADS answers the requests of run.py with NumPy, numexpr or PyTorch,
measured as serve.star measures ours. A workload's arguments are the same for all; those of a training step after the first two
are its parameters, which it updates in place."""
import json
import sys
import time

import numpy as np


def uniform(*shapes):
    """Arrays of the given shapes, uniform on [0, 1), drawn one after the other."""
    rng = np.random.RandomState(1)
    return [rng.rand(*shape) for shape in shapes]


def logreg_inputs(n):
    x, y, w = uniform((n, 784), (n,), (784,))
    return [x - 0.5, y > 0.5, w - 0.5, np.zeros(1)]


def mlp_inputs(n, sizes=(784, 512, 512, 10)):
    x, y, *weights = uniform((n, sizes[0]), (n, sizes[-1]), *zip(sizes, sizes[1:]))
    params = []
    for w in weights:
        params += [(w - 0.5) * (2 * np.sqrt(6 / sum(w.shape))), np.zeros(w.shape[1])]
    return [x, y == y.max(axis=1, keepdims=True), *params]


INPUTS = {
    "scalar_add": lambda n: [x[0] for x in uniform((1,), (1,))],
    **dict.fromkeys(["sum", "sumsq", "max", "argmax"], lambda n: uniform((n,))),
    **dict.fromkeys(["sum_axis0", "sum_axis1", "softmax", "transpose"], lambda n: uniform((n, n))),
    "e2": lambda n: uniform((n,), (n,)),
    **dict.fromkeys(["e1", "chain20"], lambda n: uniform((n,), (n,), (n,))),
    "gemm": lambda n: uniform((n, n), (n, n)),
    "logreg": logreg_inputs,
    "mlp": mlp_inputs,
}


def chain20(x, y, z):
    for _ in range(10):
        x = (x + y) * z
    return x


def numpy_softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def numpy_logreg(x, y, w, b):
    p = 1 / (1 + np.exp(-(x @ w) - b))
    xent = -y * np.log(p) - (1 - y) * np.log(1 - p)
    d = (p - y) / len(y)
    gw, gb = x.T @ d + 0.02 * w, d.sum()
    w -= 0.1 * gw
    b -= 0.1 * gb
    return p > 0.5, xent


def numpy_mlp(x, y, w1, b1, w2, b2, w3, b3):
    h1 = np.tanh(x @ w1 + b1)
    h2 = np.tanh(h1 @ w2 + b2)
    p = numpy_softmax(h2 @ w3 + b3)
    cost = -(y * np.log(p)).sum(axis=1).mean()
    d3 = (p - y) / np.asarray(len(y), x.dtype)
    d2 = (d3 @ w3.T) * (1 - h2 * h2)
    d1 = (d2 @ w2.T) * (1 - h1 * h1)
    for w, b, h, d in (w1, b1, x, d1), (w2, b2, h1, d2), (w3, b3, h2, d3):
        w -= 0.01 * (h.T @ d)
        b -= 0.01 * d.sum(axis=0)
    return cost


def numpy_workloads(threads):
    return "numpy " + np.__version__, lambda a: a, {
        "scalar_add": lambda x, y: x + y,
        "e1": lambda x, y, z: 2 * (x + y) + z,
        "e2": lambda x, y: 1 / (1 + np.exp(-x)) * np.tanh(y) + np.exp(-x * x),
        "chain20": chain20,
        "gemm": lambda x, y: x @ y,
        "sum": lambda x: x.sum(),
        "sum_axis0": lambda x: x.sum(axis=0),
        "sum_axis1": lambda x: x.sum(axis=1),
        "sumsq": lambda x: (x ** 2).sum(),
        "max": lambda x: x.max(),
        "argmax": lambda x: x.argmax(),
        "softmax": numpy_softmax,
        "transpose": lambda x: x.T.copy(),
        "logreg": numpy_logreg,
        "mlp": numpy_mlp,
    }


def numexpr_workloads(threads):
    import numexpr
    numexpr.set_num_threads(threads)
    evaluate = numexpr.evaluate

    # evaluate finds its variables in the frame of its caller.
    def e1(x, y, z):
        return evaluate("2*(x+y)+z")

    def e2(x, y):
        return evaluate("1/(1+exp(-x))*tanh(y)+exp(-x*x)")

    text = "x"
    for _ in range(10):
        text = "(%s+y)*z" % text

    def chain20(x, y, z):
        return evaluate(text)

    def sumsq(x):
        return evaluate("sum(x*x)")

    return "numexpr " + numexpr.__version__, lambda a: a, {"e1": e1, "e2": e2, "chain20": chain20, "sumsq": sumsq}


def torch_workloads(threads):
    import torch
    from torch.nn import functional
    torch.set_num_threads(threads)

    def descend(cost, params, rate):
        grads = torch.autograd.grad(cost, params)
        with torch.no_grad():
            for p, g in zip(params, grads):
                p.sub_(g, alpha=rate)

    def logreg(x, y, w, b):
        w.requires_grad_(True), b.requires_grad_(True)
        z = x @ w + b
        xent = functional.binary_cross_entropy_with_logits(z, y, reduction="none")
        descend(xent.mean() + 0.01 * (w ** 2).sum(), [w, b], 0.1)
        return z > 0, xent

    def mlp(x, y, *params):
        for p in params:
            p.requires_grad_(True)
        w1, b1, w2, b2, w3, b3 = params
        h = torch.tanh(torch.addmm(b1, x, w1))
        h = torch.tanh(torch.addmm(b2, h, w2))
        cost = functional.cross_entropy(torch.addmm(b3, h, w3), y)
        descend(cost, params, 0.01)
        return cost

    return "torch " + torch.__version__, lambda a: torch.from_numpy(np.asarray(a)), {
        "scalar_add": lambda x, y: x + y,
        "e1": lambda x, y, z: 2 * (x + y) + z,
        "e2": lambda x, y: torch.sigmoid(x) * torch.tanh(y) + torch.exp(-x * x),
        "chain20": chain20,
        "sum": lambda x: x.sum(),
        "sum_axis0": lambda x: x.sum(dim=0),
        "sum_axis1": lambda x: x.sum(dim=1),
        "sumsq": lambda x: (x ** 2).sum(),
        "max": lambda x: x.max(),
        "argmax": lambda x: x.argmax(),
        "softmax": lambda x: torch.softmax(x, 1),
        "transpose": lambda x: x.T.contiguous(),
        "logreg": logreg,
        "mlp": mlp,
    }


def checksum(values):
    """The sum of all elements with weights that tell places apart."""
    total = 0.0
    for v in values:
        v = np.asarray(v.detach() if hasattr(v, "detach") else v, "float64").ravel()
        total += float((v * (1 + np.arange(v.size) % 7)).sum())
    return total


def timed(f, args, calls):
    start = time.perf_counter()
    for _ in range(calls):
        f(*args)
    return time.perf_counter() - start


def measure(f, args, sample, budget):
    """Microseconds per call, at least three times. The search for the number of calls that fills a sample is the warm-up."""
    calls = 1
    while min(timed(f, args, calls) for _ in range(3)) < sample:
        calls *= 2
    end = time.perf_counter() + budget
    samples = []
    while len(samples) < 3 or time.perf_counter() < end:
        samples.append(timed(f, args, calls) / calls * 1e6)
    return samples


def answer(name, f, convert, dtype, n, sample, budget):
    args = [convert(a.astype(dtype)) for a in INPUTS[name](n)]
    out = f(*args)
    state = args[2:] if name in ("logreg", "mlp") else []
    check = checksum([*(out if isinstance(out, tuple) else [out]), *state])
    return {"us": measure(f, args, sample, budget), "check": check}


def serve(library, convert, workloads):
    """Answers requests until an empty line."""
    print(json.dumps({"library": library, "workloads": sorted(workloads)}), flush=True)
    while words := input().split():
        name, dtype, n, sample, budget = words
        print(json.dumps(answer(name, workloads[name], convert, dtype, int(n), float(sample), float(budget))), flush=True)


if __name__ == "__main__":
    serve(*{"numpy": numpy_workloads, "numexpr": numexpr_workloads, "torch": torch_workloads}[sys.argv[1]](int(sys.argv[2])))
