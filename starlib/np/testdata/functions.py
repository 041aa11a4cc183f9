"""Writes functions.json: what NumPy gives for each expression of functions.txt, which is also Starlark.

An array is {"dtype", "shape", "values"}, a float {"float"}, tuples and lists are lists, an error is null,
and anything else is its repr.
"""
import json
import warnings

import numpy as np

warnings.simplefilter("ignore")


def encode(v):
    if isinstance(v, (tuple, list)):
        return [encode(x) for x in v]
    if isinstance(v, np.ndarray):
        return {"dtype": str(v.dtype), "shape": list(v.shape), "values": [repr(float(x)) for x in v.ravel()]}
    if isinstance(v, np.generic):
        v, single = v.item(), v.dtype == np.float32
        if single:
            return {"float": repr(v), "dtype": "float32"}
    if isinstance(v, float):
        return {"float": repr(v)}
    return repr(v).replace("'", '"')


cases = []
for line in open("functions.txt"):
    line = line.rstrip("\n")
    try:
        want = encode(eval(line))
    except Exception:
        want = None
    cases.append([line, want])
with open("functions.json", "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")
