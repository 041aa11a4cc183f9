"""Does memory stay flat, and what does a large step need at its peak?

    /usr/bin/python3 benchmarks/soak.py

builds the program and prints its memory, in MB, after each tenth of a million calls of a function whose results are taken, of 100,000 expressions of np of mixed
sizes, of 20,000 lists of arrays that live for a while, and of 10,000 cells that a notebook's client sends to a kernel; then the peak of a step of gradient descent
on a network of 784-2048-2048-10, beside the same in NumPy, each in a process that does nothing else. Ends with status 1 if memory grows by more than a tenth from
the fifth part to the last, or by more than 5 kB a cell, whose text and result a notebook keeps. The target of the peak is 1.2 of NumPy's.
"""
import argparse
import os
import re
import subprocess
import sys

from surroundings import HERE, add_binary, built, environment

TENTHS, CELLS, MOST_GROWTH, MOST_OF_A_CELL, MOST_PEAK = 10, 10000, 1.1, 5 / 1024, 1.2


def memory(pid, what):
    """VmRSS, or the largest that it was, VmHWM, of a process in MB."""
    with open("/proc/%d/status" % pid) as f:
        return int(re.search(what + r":\s*(\d+) kB", f.read()).group(1)) / 1024


def programs(binary):
    """The memory after each part of each of soak.star's programs."""
    with subprocess.Popen([binary, "run", os.path.join(HERE, "soak.star")], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(1)) as p:
        parts = {}
        for line in p.stdout:
            parts.setdefault(line.strip(), []).append(memory(p.pid, "VmRSS"))
            print(file=p.stdin, flush=True)
    return parts


def cells(binary):
    """The memory after each tenth of the cells, which define names, print, and show what they compute."""
    from jupyter_client.kernelspec import KernelSpec
    from jupyter_client.manager import KernelManager

    km = KernelManager()
    km._kernel_spec = KernelSpec(argv=[binary, "kernel", "-f", "{connection_file}"], language="starlark", display_name="Arignote")
    km.start_kernel()
    client = km.blocking_client()
    client.start_channels()
    client.wait_for_ready(timeout=60)
    pid, parts = km.provisioner.process.pid, []
    for k in range(CELLS):
        reply = client.execute_interactive("import numpy as np\na%d = np.arange(1000) + %d\nprint(a%d[0])\n(a%d*2.0).sum()" % (k % 50, k, k % 50, k % 50), timeout=60, output_hook=lambda m: None)
        if reply["content"]["status"] != "ok":
            raise SystemExit("cell %d: %s" % (k, reply["content"]))
        if (k + 1) % (CELLS // TENTHS) == 0:
            parts.append(memory(pid, "VmRSS"))
    client.stop_channels()
    km.shutdown_kernel()
    return parts


def step_of_numpy():
    """What wide.star does."""
    import numpy as np

    sizes = [784, 2048, 2048, 10]
    weights, biases = [np.full(shape, 0.01) for shape in zip(sizes, sizes[1:])], [np.zeros(n) for n in sizes[1:]]
    rng = np.random.RandomState(1)
    x, y = rng.rand(128, sizes[0]), np.eye(sizes[-1])[rng.randint(0, sizes[-1], 128)]
    for _ in range(20):
        inputs = [x]
        for w, b in zip(weights, biases):
            z = inputs[-1] @ w + b
            if len(inputs) < len(weights):
                inputs.append(np.tanh(z))
        e = np.exp(z - z.max(axis=1, keepdims=True))
        p = e / e.sum(axis=1, keepdims=True)
        cost, d = -(y * np.log(p)).sum(axis=1).mean(), (p - y) / len(x)
        for k in reversed(range(len(weights))):
            gw, gb = inputs[k].T @ d, d.sum(axis=0)
            if k:
                d = (d @ weights[k].T) * (1 - inputs[k] ** 2)
            gw *= 0.01
            weights[k] -= gw
            biases[k] -= 0.01 * gb
    print(cost, flush=True)
    input()


def peak(command):
    """The cost after the steps, and the peak."""
    with subprocess.Popen(command, cwd=HERE, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(1)) as p:
        cost, mb = float(p.stdout.readline()), memory(p.pid, "VmHWM")
        p.communicate("\n")
    return cost, mb


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_binary(p)
    args = p.parse_args()
    with built(args.binary) as binary:
        failed = False
        for name, parts in [*programs(binary).items(), ("cells", cells(binary))]:
            grows = parts[-1] - parts[4] > (MOST_OF_A_CELL * CELLS / 2 if name == "cells" else (MOST_GROWTH - 1) * parts[4])
            failed |= grows
            print("%-12s" % name + "".join("%6.0f" % mb for mb in parts) + ("   grows" if grows else ""), flush=True)
        (cost, ours), (same, theirs) = peak([binary, "run", "wide.star"]), peak([sys.executable, "-c", "import soak; soak.step_of_numpy()"])
        if abs(cost - same) > 1e-9:
            raise SystemExit("costs differ: ours is %r, NumPy's %r" % (cost, same))
        print("%-12s%6.0f, NumPy %.0f, %.2f of it, %s" % ("peak", ours, theirs, ours / theirs, "met" if ours <= MOST_PEAK * theirs else "missed"))
    sys.exit(failed)


if __name__ == "__main__":
    main()
