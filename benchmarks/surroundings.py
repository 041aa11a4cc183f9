"""What the processes of a benchmark run in."""
import os
import re


def environment(threads):
    """Variables for a side that has so many threads. OpenBLAS takes the kernels of an old processor where it does not know the one it is on; so it is told."""
    env = dict(os.environ)
    for library in "OMP", "OPENBLAS", "NUMEXPR", "ARIGNOTE":
        env[library + "_NUM_THREADS"] = str(threads)
    try:
        flags = re.search(r"^flags\s*:(.*)$", open("/proc/cpuinfo").read(), re.M).group(1).split()
    except (OSError, AttributeError):  # another system or another kind of processor
        flags = []
    for flag, kernels in ("avx512f", "SkylakeX"), ("avx2", "Haswell"):
        if flag in flags:
            env.setdefault("OPENBLAS_CORETYPE", kernels)
            break
    return env
