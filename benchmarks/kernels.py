"""Our kernel beside ipykernel, as clients meet them.

    /usr/bin/python3 benchmarks/kernels.py

builds the program and prints, for both kernels in one run: how long a start takes to the first answer, and a small cell; how long a new client waits while 500
connections say nothing on the shell port, or on iopub's; the memory, in MB, five seconds after three displays of 50 MB, and after 240 MB of numbers were sorted; how
often, of so many rounds, no cell ran after the one that failed when eight were sent at once, and whether one that is sent after the error's reply runs; how often the
same holds of Notebook 6 in a browser (with --browser; Debian's jupyter-notebook, chromium-driver); and from an interrupt to the reply of calls that take long.
"""
import argparse
import contextlib
import json
import os
import re
import socket
import statistics
import subprocess
import tempfile
import time
import urllib.request

from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import KernelManager

from surroundings import add_binary, built

SILENT, DISPLAYS, BYTES, NUMBERS, CELLS = 500, 3, 50_000_000, 30_000_000, 200

INTERRUPTED = [
    ("while True", "while True: pass"),
    ("time.sleep(60)", "import time\ntime.sleep(60)"),
    ("np.sort", "while True: np.sort(np.random.rand(3000000))"),
    ("np.sin", "import numpy as np\nx = np.arange(10000000.)\nwhile True: np.sin(x)"),
    ("matrix product", "a = np.random.rand(1500, 1500)\nwhile True: a.dot(a)"),
    ("print", "while True: print('x')"),
]


class Kernel:
    """A kernel and a client of it."""

    def __init__(self, argv):
        began = time.time()
        self.manager = KernelManager()
        self.manager._kernel_spec = KernelSpec(argv=argv, language="", display_name="", interrupt_mode="message" if "kernel" in argv else "signal")
        self.manager.start_kernel(stderr=subprocess.DEVNULL)
        self.client = self.new_client()
        self.started = time.time() - began

    def new_client(self):
        client = self.manager.blocking_client()
        client.start_channels()
        client.wait_for_ready(timeout=60)
        return client

    def run(self, code, status="ok"):
        reply = self.client.execute_interactive(code, timeout=120, output_hook=lambda m: None)["content"]
        if reply["status"] != status:
            raise SystemExit("%s: %s" % (code, reply))
        return reply

    def memory(self):
        with open("/proc/%d/status" % self.manager.provisioner.process.pid) as f:
            return int(re.search(r"VmRSS:\s*(\d+) kB", f.read()).group(1)) / 1024

    def replies(self, ids):
        found = {}
        while len(found) < len(ids):
            message = self.client.get_shell_msg(timeout=60)
            if message["parent_header"].get("msg_id") in ids:
                found[message["parent_header"]["msg_id"]] = message["content"]
        return [found[i]["status"] for i in ids]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


def starts(argv):
    times = []
    for _ in range(5):
        with Kernel(argv) as k:
            times.append(k.started)
    return "%.0f ms" % (1000 * min(times))


def small_cells(argv):
    times = []
    with Kernel(argv) as k:
        for _ in range(CELLS):
            began = time.time()
            k.run("a = 1")
            times.append(time.time() - began)
    return "%.2f ms" % (1000 * statistics.median(times))


def silent(argv, channel):
    with Kernel(argv) as k:
        port, held = getattr(k.manager, channel + "_port"), []
        for _ in range(SILENT):
            held.append(socket.create_connection(("127.0.0.1", port)))
        began = time.time()
        k.new_client().stop_channels()
        waited = time.time() - began
        for s in held:
            s.close()
    return "%.2f s" % waited


def after(argv, *cells):
    with Kernel(argv) as k:
        for cell in cells:
            k.run(cell)
        time.sleep(5)
        return "%.0f MB" % k.memory()


def displays(argv):
    imports = "" if "kernel" in argv else "from IPython.display import display, HTML\n"
    return after(argv, *[imports + "display(HTML('x'*%d))" % BYTES] * DISPLAYS)


def run_all(argv, rounds=20):
    stopped = ran = 0
    with Kernel(argv) as k:
        for _ in range(rounds):
            ids = [k.client.execute("a = 1" if i != 1 else "1/0") for i in range(8)]
            stopped += k.replies(ids) == ["ok", "error"] + ["aborted"] * 6
            ran += k.replies([k.client.execute("a = 2")]) == ["ok"]
    return "%d of %d, then ran %d" % (stopped, rounds, ran)


def interrupt(argv, code):
    times = []
    with Kernel(argv) as k:
        k.run("import numpy as np")
        for _ in range(3):
            request = k.client.execute(code)
            time.sleep(0.7)
            began = time.time()
            k.manager.interrupt_kernel()
            k.replies([request])
            times.append(time.time() - began)
    return "%.0f ms" % (1000 * statistics.median(times))


class Browser:
    """A browser, over the W3C protocol, and a server of notebooks."""

    def __init__(self, stack, folder, env):
        port = free_port()
        server = subprocess.Popen(["jupyter-notebook", "--no-browser", "--allow-root", "--port=%d" % port, "--port-retries=0", "--NotebookApp.token=",
                                   "--NotebookApp.password=", "--notebook-dir=" + folder], env=env, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        stack.callback(end, server)
        driver_port = free_port()
        stack.callback(end, subprocess.Popen(["chromedriver", "--port=%d" % driver_port], stdout=subprocess.DEVNULL))
        self.notebooks, self.session = "http://127.0.0.1:%d/notebooks/" % port, "http://127.0.0.1:%d/session" % driver_port
        until(lambda: urllib.request.urlopen("http://127.0.0.1:%d/api" % port, timeout=5))
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]}
        made = until(lambda: self.call("", {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}}))
        self.session += "/" + made["sessionId"]
        stack.callback(lambda: urllib.request.urlopen(urllib.request.Request(self.session, method="DELETE"), timeout=20))

    def call(self, command, body):
        request = urllib.request.Request(self.session + command, json.dumps(body).encode(), {"Content-Type": "application/json"})
        return json.load(urllib.request.urlopen(request, timeout=60))["value"]

    def js(self, script):
        return self.call("/execute/sync", {"script": script, "args": []})


def notebook(argv, rounds=12):
    """Of how many rounds of "run all" in Notebook 6 the first two of eight cells, of which the second fails, have a number, and no other."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        spec = os.path.join(folder, "share", "kernels", "measured")
        os.makedirs(spec)
        with open(os.path.join(spec, "kernel.json"), "w") as f:
            json.dump({"argv": argv, "display_name": "measured", "language": "python", "interrupt_mode": "message" if "kernel" in argv else "signal"}, f)
        cells = [{"cell_type": "code", "source": "1/0" if k == 1 else "a = 1", "metadata": {}, "outputs": [], "execution_count": None} for k in range(8)]
        with open(os.path.join(folder, "fails.ipynb"), "w") as f:
            json.dump({"cells": cells, "nbformat": 4, "nbformat_minor": 4, "metadata": {"kernelspec": {"name": "measured", "display_name": "measured"}}}, f)
        env = dict(os.environ, JUPYTER_PATH=os.path.join(folder, "share"), JUPYTER_CONFIG_DIR=folder, JUPYTER_DATA_DIR=folder, JUPYTER_RUNTIME_DIR=folder)
        b = Browser(stack, folder, env)
        b.call("/url", {"url": b.notebooks + "fails.ipynb"})
        until(lambda: b.js("return !!(window.Jupyter && Jupyter.notebook && Jupyter.notebook._fully_loaded && Jupyter.notebook.kernel && Jupyter.notebook.kernel.is_connected())"))
        code, stopped = "Jupyter.notebook.get_cells()", 0
        for _ in range(rounds):
            b.js("Jupyter.notebook.clear_all_output(); %s.forEach(c => c.set_input_prompt(null)); Jupyter.notebook.execute_all_cells()" % code)
            until(lambda: b.js("return %s.every(c => c.input_prompt_number != '*')" % code))
            time.sleep(0.3)
            stopped += b.js("return %s.map(c => c.input_prompt_number > 0)" % code) == [True, True] + [False] * 6
        return "%d of %d" % (stopped, rounds)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def end(process):
    process.terminate()
    process.wait(30)


def until(f, limit=60):
    last = time.time() + limit
    while True:
        try:
            if got := f():
                return got
        except OSError:
            pass
        if time.time() > last:
            raise SystemExit("nothing came of it in %d s" % limit)
        time.sleep(0.1)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--browser", action="store_true", help="Notebook 6 in a browser, too: a minute more")
    p.add_argument("--only", default="", help="a regular expression of rows")
    add_binary(p)
    args = p.parse_args()
    with built(args.binary) as binary:
        sides = [[binary, "kernel", "-f", "{connection_file}"], ["/usr/bin/python3", "-Xfrozen_modules=off", "-m", "ipykernel_launcher", "-f", "{connection_file}"]]
        rows = [
            ("start to the first answer", starts),
            ("a small cell", small_cells),
            ("new client, 500 silent on shell", lambda argv: silent(argv, "shell")),
            ("new client, 500 silent on iopub", lambda argv: silent(argv, "iopub")),
            ("after 3 displays of 50 MB", displays),
            ("after sorting 240 MB", lambda argv: after(argv, "import numpy as np", "x = np.random.rand(%d)" % NUMBERS, "y = np.sort(x)", "x = y = None")),
            ("eight sent, the second fails", run_all),
        ]
        if args.browser:
            rows.append(("the same in Notebook 6", notebook))
        rows += [("interrupt: " + name, lambda argv, code=code: interrupt(argv, code)) for name, code in INTERRUPTED]
        print("%-34s %22s %22s" % ("", "arignote", "ipykernel"))
        for name, measure in rows:
            if re.search(args.only, name):
                print("%-34s %22s %22s" % (name, *[measure(side) for side in sides]), flush=True)


if __name__ == "__main__":
    main()
