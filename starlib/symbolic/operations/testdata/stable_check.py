"""Compiles the forms of stable.jsonl and prints where a value or a derivative is far from what it is to 50 digits: the mode, the form, the element type, which
derivative, and at which points it is off."""
import json
import numpy as np
import theano
import theano.tensor as T
from stable_forms import forms

# How far a result may be off: by so much of itself and, next to 0, by so much.
tolerance = {"float64": (1e-12, 1e-15), "float32": (1e-4, 1e-6)}


def off(got, want, dtype):
    """Whether got is no rounding of want."""
    relative, absolute = tolerance[dtype]
    if want != want or got != got:
        return (want != want) != (got != got)
    if want == got:
        return False
    if abs(want) == float("inf") or abs(got) == float("inf"):
        return True
    return abs(got - want) > relative * abs(want) + absolute


for line in open("stable.jsonl"):
    text, dtype, points, want = json.loads(line)
    x = T.vector("x", dtype=dtype)
    y = forms[text](x)
    first = T.grad(y.sum(), x)
    second = T.grad(first.sum(), x, disconnected_inputs="ignore")
    values = np.array([float(p) for p in points], dtype=dtype)
    for name in ["FAST_RUN", "FAST_COMPILE", "fast_run_stable"]:
        mode = name if name.isupper() else theano.Mode(optimizer=name)
        got = theano.function([x], [y, first, second], mode=mode, on_unused_input="ignore")(values)
        for order in range(3):
            bad = []
            for i, p in enumerate(points):
                w = want[3 * i + order]
                if w is not None and off(float(got[order][i]), float(w), dtype):
                    bad.append("%s: %.17g is not %s" % (p, float(got[order][i]), w))
            if bad:
                print(" | ".join([name, text, dtype, ["value", "first", "second"][order], "; ".join(bad)]))
