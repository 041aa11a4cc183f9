"""What the processes of a benchmark are, and run in."""
import contextlib
import os
import re
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def add_binary(parser):
    """The flag whose value built() takes."""
    parser.add_argument("--binary", help="the program to measure, instead of one built from this checkout")


@contextlib.contextmanager
def built(binary):
    """The absolute path of a program: binary, if there is one, or one built from this checkout, which is gone at the end."""
    if binary:
        yield os.path.abspath(binary)
        return
    with tempfile.TemporaryDirectory() as tmp:
        binary = os.path.join(tmp, "arignote")
        subprocess.run(["go", "build", "-o", binary, "."], cwd=os.path.dirname(HERE), check=True)
        yield binary


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
