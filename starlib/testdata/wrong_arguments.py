# Calls every function and method with too few, too many and odd arguments. None may end in an InternalError,
# or end the process.
import cmath, collections, copy, functools, heapq, itertools, json, math, operator, random, re, statistics, string
import numpy as np
import matplotlib.pyplot as plt
import theano
import theano.tensor as T


class Plain:
    pass


itself = [1j]
itself.append(itself)
skipped = {"show", "savefig", "save", "savetxt", "savez", "savez_compressed", "memmap", "fromfile", "tofile", "input", "pause"}
odd = [None, 1, 2.5, -1, 10**30, float("nan"), True, "ab", b"ab", [], [1, 2], (1, 2), {"a": 1}, {1}, Plain(), Plain, len, lambda x: x,
       1j, np.arange(3.0), np.array([1j, 2]), np.zeros((0, 2)), np.float32(1), slice(0, 1, 2j), itself, iter([1]), int, object(), "float64"]
random.seed(seed)


def call(of, name, f, args):
    global calls
    calls += 1
    try:
        f(*args)
    except Exception as e:
        if type(e).__name__ == "InternalError" or "internal error" in str(e):
            print("INTERNAL", of, name, [str(a)[:30] for a in args], str(e)[:120])


calls = 0
modules = [math, cmath, statistics, json, copy, itertools, operator, heapq, re, string, functools, collections, np, np.linalg, np.fft,
           np.random, plt, T, T.nnet, theano]
functions = [abs, all, any, bool, bytes, callable, chr, complex, dict, dir, divmod, enumerate, filter, float, format, frozenset, getattr,
             hasattr, hash, hex, id, int, isinstance, issubclass, iter, len, list, map, max, min, next, oct, ord, pow, range, repr, reversed,
             round, set, setattr, slice, sorted, str, sum, tuple, type, zip]
values = [1, 1.5, "a", b"a", [1], (1,), {1: 2}, {1}, frozenset([1]), np.zeros(2), np.float32(1), 1j, np.array([1j]), True, None, range(2),
          T.dvector("x"), theano.shared(np.zeros(2))]
for of, members in ([(m, [(k, getattr(m, k)) for k in dir(m)]) for m in modules] + [("builtins", [(str(f), f) for f in functions])] +
                    [(type(v), [(k, getattr(v, k, None)) for k in dir(v)]) for v in values]):
    for name, f in members:
        if not callable(f) or name in skipped:
            continue
        for args in [(), (None,), (None, None), (1,) * 7]:
            call(of, name, f, args)
        for _ in range(rounds):
            call(of, name, f, [random.choice(odd) for _ in range(random.randint(1, 3))])
for text in ["math.floor()", "math.sqrt()", "len()", "abs()", "isinstance()", "type()", "range()", "int()", "max()", "min()", "sorted()", "sum()",
             "math.floor(1, 2)", "len(1, 2)", "[].append()", "[].pop(1, 2)", "{}.get()", "''.join()", "''.split(1, 2, 3)", "str(1, 2, 3, 4)",
             "zip()", "round()", "pow()", "divmod()", "ord()", "chr()", "math.pow()", "math.atan2(1)", "math.hypot()", "math.log()"]:
    call("text", text, eval, [text])
print("calls:", calls > 5000)
