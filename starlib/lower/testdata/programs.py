"""Runs programs for TestPrograms: a program a line, as JSON; the answer is [stdout, error]."""

import os

os.environ["NPY_PROMOTION_STATE"] = "weak"  # NEP 50, as in NumPy 2

import contextlib
import io
import json
import signal
import sys
import warnings

import numpy as np

warnings.simplefilter("ignore")
np.seterr(all="ignore")


def too_long(*_):
    raise TimeoutError("more than a second")


signal.signal(signal.SIGALRM, too_long)  # a program from which lines were taken may have no end

for line in sys.stdin:
    out, error = io.StringIO(), ""
    with contextlib.redirect_stdout(out):
        signal.alarm(1)
        try:
            exec(compile(json.loads(line), "program", "exec"), {"np": np})
        except Exception as e:
            error = "%s: %s" % (type(e).__name__, e)
        signal.alarm(0)
    print(json.dumps([out.getvalue()[:100000], error]), flush=True)
