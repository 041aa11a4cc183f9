"""Writes floats.jsonl: lines [expression, text] of np.format_float_positional and np.format_float_scientific, for TestFormatFloat.

    python3 floats.py > floats.jsonl

Written with NumPy 1.24 (Debian 12); the test needs no Python. Left out: trim="-" with unique=False and an exponent, where NumPy
sometimes leaves the point.
"""

import json
import random

import numpy as np

rnd = random.Random(6)
DRAWS = [
    lambda: rnd.random(),
    lambda: rnd.uniform(-1e3, 1e3),
    lambda: rnd.uniform(-1, 1) * 10.0 ** rnd.randint(-9, 20),
    lambda: float(rnd.randint(0, 10 ** rnd.randint(1, 12))),
    lambda: round(rnd.uniform(0, 100), 2),
    lambda: rnd.choice([0.99996, 0.1300004, 0.0, -0.0, 9.9996, 1e22, float("inf"), float("nan"), 2.0**-12]),
]


def arguments(scientific):
    args = {}
    if rnd.random() < 0.6:
        args["precision"] = rnd.randint(0, 8)
        if rnd.random() < 0.3:
            args["unique"] = False
    elif rnd.random() < 0.4:
        args["min_digits"] = rnd.randint(0, 20)
    if rnd.random() < 0.6:
        args["trim"] = rnd.choice("k.0" if scientific and "unique" in args else "k.0-")
    if rnd.random() < 0.2:
        args["sign"] = True
    if rnd.random() < 0.2:
        args["pad_left"] = rnd.randint(1, 8)
    if rnd.random() < 0.2:
        args["exp_digits" if scientific else "pad_right"] = rnd.randint(1, 8)
    return args


for _ in range(1500):
    x = rnd.choice(DRAWS)()
    code = {"inf": "np.inf", "nan": "np.nan"}.get(repr(x), repr(x))
    if rnd.random() < 0.3:
        x = np.float32(x)
        code = "np.array(%s, dtype='float32')" % {"inf": "np.inf", "nan": "np.nan"}.get(repr(float(x)), repr(float(x)))
    scientific = rnd.random() < 0.5
    name = "format_float_scientific" if scientific else "format_float_positional"
    args = arguments(scientific)
    text = getattr(np, name)(x, **args)
    print(json.dumps(["np.%s(%s)" % (name, ", ".join([code] + ["%s=%r" % a for a in args.items()])), text]))
