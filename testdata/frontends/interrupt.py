"""Times how long an interrupt takes to end a cell, as a front end sees it.

    /usr/bin/python3 interrupt.py ROUNDS

prints one JSON object: for each kind of cell the milliseconds from the interrupt to the reply, those
of them in which the kernel computed (of all its threads together), and what the kernel said. The
kernel arignote is found by JUPYTER_PATH.
"""
import glob
import json
import sys
import time

from jupyter_client.manager import start_new_kernel

# Each cell would run far longer than the five seconds that a reader would notice. The first spins in the
# interpreter. The second is one call of a compiled function: 40 products of 4000x4000 matrices, 128 Gflop each,
# so that an interrupt has to reach into a product that is under way.
SETUP = """
kept = 7
def spin():
    for i in range(1000000000):
        kept
A = T.matrix("A")
P = A
for i in range(40):
    P = T.dot(P, A)
chain = function([A], P.sum(), name = "chain")
big = np.ones((4000, 4000)) / 4000
"""
CELLS = {"loop": "spin()", "compiled": "chain(big)"}


def computed(pid):
    """Milliseconds of the processors that the threads of a process have had."""
    ns = 0
    for path in glob.glob("/proc/%d/task/*/schedstat" % pid):
        try:
            with open(path) as f:
                ns += int(f.read().split()[0])
        except OSError:  # it has ended
            pass
    return ns / 1e6


def reply(kc, mid, timeout):
    while True:
        m = kc.get_shell_msg(timeout=timeout)
        if m["parent_header"].get("msg_id") == mid:
            return m["content"]


def main(rounds):
    km, kc = start_new_kernel(kernel_name="arignote")
    try:
        setup = reply(kc, kc.execute(SETUP), 60)
        if setup["status"] != "ok":
            sys.exit("setup: %s: %s" % (setup["ename"], setup["evalue"]))
        result = {}
        for name, code in CELLS.items():
            times, busy, enames = [], [], []
            for i in range(rounds):
                mid = kc.execute(code)
                time.sleep(0.7)  # well inside the first or second product
                t, before = time.perf_counter(), computed(km.provisioner.pid)
                km.interrupt_kernel()
                content = reply(kc, mid, 60)
                times.append(round(1000 * (time.perf_counter() - t), 2))
                busy.append(round(computed(km.provisioner.pid) - before, 2))
                enames.append(content.get("ename", content["status"]))
                # What the cells before made is still there.
                mid = kc.execute("", user_expressions={"kept": "kept"})
                kept = reply(kc, mid, 20)["user_expressions"]["kept"]
                if kept.get("data", {}).get("text/plain") != "7":
                    sys.exit("after the interrupt of %s: kept is %s, want 7" % (name, kept))
            result[name] = {"ms": times, "busy": busy, "enames": enames}
        print(json.dumps(result))
    finally:
        kc.stop_channels()
        km.shutdown_kernel(now=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
