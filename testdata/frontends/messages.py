"""Every message of the protocol, 5.5, as clients meet it: one row for each behaviour, run against any kernel whose language is
Python's, by name.

    /usr/bin/python3 messages.py arignote python3      a line of JSON for each: {"kernel", "version", "rows": [[row, "" or why not], ...]}

A row is a function that raises AssertionError, or Unsupported if the kernel does not offer what it asks for. Rows of one
kernel run in one process of it, in this order, each with a client of its own.
"""
import json
import queue
import sys
import time
import uuid

from jupyter_client.manager import start_new_kernel

ROWS = {}


class Unsupported(Exception):
    pass


def row(text):
    def note(f):
        ROWS[text] = f
        return f
    return note


class Client:
    """A client of a kernel, with a session of its own."""

    def __init__(self, km):
        self.km = km
        self.kc = km.client()
        self.kc.session.session = uuid.uuid4().hex
        self.kc.start_channels()
        self.kc.wait_for_ready(timeout=60)
        self.drain()

    def drain(self):
        try:
            while True:
                self.kc.get_iopub_msg(timeout=0.1)
        except queue.Empty:
            pass

    def send(self, kind, content=None, channel="shell", **header):
        msg = self.kc.session.msg(kind, content or {})
        msg["header"].update(header)
        getattr(self.kc, channel + "_channel").send(msg)
        return msg["header"]["msg_id"]

    def reply(self, mid, channel="shell", timeout=30):
        get = getattr(self.kc, "get_%s_msg" % channel)
        while True:
            try:
                m = get(timeout=timeout)
            except queue.Empty:
                raise AssertionError("no reply on %s within %s s" % (channel, timeout)) from None
            if m["parent_header"].get("msg_id") == mid:
                return m

    def until_idle(self, mid, timeout=30):
        out = []
        while True:
            try:
                m = self.kc.get_iopub_msg(timeout=timeout)
            except queue.Empty:
                raise AssertionError("no idle within %s s" % timeout) from None
            if m["parent_header"].get("msg_id") == mid:
                out.append(m)
                if m["msg_type"] == "status" and m["content"]["execution_state"] == "idle":
                    return out

    def ask(self, kind, content=None, channel="shell", **header):
        mid = self.send(kind, content, channel, **header)
        r = self.reply(mid, channel)
        self.until_idle(mid)
        return r

    def execute(self, code, **fields):
        content = dict(code=code, silent=False, store_history=True, user_expressions={}, allow_stdin=False, stop_on_error=True)
        return self.send("execute_request", dict(content, **fields))

    def run(self, code, **fields):
        mid = self.execute(code, **fields)
        r = self.reply(mid, timeout=120)
        return r["content"], self.until_idle(mid, timeout=120)

    def started(self, code, **fields):
        """A cell that is known to run."""
        mid = self.execute("print('started', flush=True)\n" + code, **fields)
        while True:
            m = self.kc.get_iopub_msg(timeout=30)
            if m["parent_header"].get("msg_id") == mid and m["msg_type"] == "stream":
                return mid

    def interrupted(self, mid, limit=2):
        self.km.interrupt_kernel()
        r = self.reply(mid, timeout=limit)["content"]
        equal((r["status"], r.get("ename")), ("error", "KeyboardInterrupt"))
        time.sleep(0.2)  # ipykernel aborts what comes with an error


def equal(got, want):
    assert got == want, "got %r, want %r" % (got, want)


def kinds(out):
    return [m["msg_type"] for m in out if m["msg_type"] != "status"]


LOOP = "i = 0\nwhile True: i += 1"
SLEEP = "import time\ntime.sleep(60)"


@row("`kernel_info` has every field, on shell and control")
def kernel_info(c):
    for channel in ("shell", "control"):
        r = c.ask("kernel_info_request", channel=channel)["content"]
        missing = {"protocol_version", "implementation", "implementation_version", "language_info", "banner", "help_links", "status"} - set(r)
        assert not missing, "no %s" % sorted(missing)
        missing = {"name", "version", "mimetype", "file_extension"} - set(r["language_info"])
        assert not missing, "no language_info.%s" % sorted(missing)


@row("it says protocol 5.5, in `kernel_info` and in headers")
def version(c):
    r = c.ask("kernel_info_request")
    equal((r["content"]["protocol_version"], r["header"]["version"]), ("5.5", "5.5"))


@row("`connect_request` tells the ports")
def connect(c):
    r = c.ask("connect_request")["content"]
    equal(r["shell_port"], c.kc.shell_port)


@row("a cell: busy, input, outputs in order, result, idle; parents are the request")
def order(c):
    mid = c.execute("print('a')\n1 + 1")
    r, out = c.reply(mid), c.until_idle(mid)
    equal(out[0]["content"], {"execution_state": "busy"})
    equal(kinds(out), ["execute_input", "stream", "execute_result"])
    equal(r["content"]["execution_count"], out[1]["content"]["execution_count"])
    assert all(m["parent_header"]["msg_id"] == mid for m in out)
    assert len({m["header"]["msg_id"] for m in out + [r]}) == len(out) + 1, "messages share an id"


@row("`silent`: no output, no count, no history")
def silent(c):
    n = c.run("1")[0]["execution_count"]
    r, out = c.run("print('x')\n2", silent=True)
    equal([k for k in kinds(out) if k != "stream"], [])
    equal(r["execution_count"], n)
    equal(kinds(out), [])
    equal(c.run("1")[0]["execution_count"], n + 1)


@row("`store_history=False`: shown, and not counted")
def store_history(c):
    n = c.run("1")[0]["execution_count"]
    r, out = c.run("2", store_history=False)
    equal(kinds(out)[-1], "execute_result")
    equal(c.run("1")[0]["execution_count"], n + 1)


@row("`user_expressions`: values and errors, each by itself")
def user_expressions(c):
    r, _ = c.run("ue = 20", user_expressions={"good": "ue + 1", "bad": "no_such"})
    equal(r["user_expressions"]["good"]["data"]["text/plain"], "21")
    equal((r["user_expressions"]["bad"]["status"], r["user_expressions"]["bad"]["ename"]), ("error", "NameError"))


@row("`allow_stdin`: question and answer; refused where it is off")
def stdin(c):
    mid = c.execute("x = input('name? ')\nprint('got ' + x)", allow_stdin=True)
    q = c.kc.get_stdin_msg(timeout=20)
    equal(q["content"], {"prompt": "name? ", "password": False})
    equal(q["parent_header"]["msg_id"], mid)
    c.kc.input("Ada")
    equal(c.reply(mid)["content"]["status"], "ok")
    equal([m["content"]["text"] for m in c.until_idle(mid) if m["msg_type"] == "stream"], ["got Ada\n"])
    r, _ = c.run("input('x')", allow_stdin=False)
    equal(r["ename"], "StdinNotImplementedError")


@row("`stop_on_error`: cells that wait are aborted, in order; the next one runs")
def stop_on_error(c):
    first = c.started("import time\ntime.sleep(0.3)\n1 // 0")
    rest = [c.execute("1") for _ in range(5)]
    equal(c.reply(first)["content"]["ename"], "ZeroDivisionError")
    for mid in rest:
        assert c.reply(mid)["content"]["status"] in ("aborted", "error"), "a cell that waited ran"
    time.sleep(0.3)
    equal(c.run("1")[0]["status"], "ok")


@row("`stop_on_error=False`: cells that wait run")
def go_on(c):
    first = c.started("import time\ntime.sleep(0.3)\n1 // 0", stop_on_error=False)
    second = c.execute("2")
    equal(c.reply(first)["content"]["status"], "error")
    equal(c.reply(second)["content"]["status"], "ok")


@row("an aborted cell has busy and idle, and no number")
def aborted(c):
    first = c.started("import time\ntime.sleep(0.3)\n1 // 0")
    second = c.execute("1")
    c.reply(first)
    r = c.reply(second)["content"]
    equal(kinds(c.until_idle(second)), [])
    assert r["status"] in ("aborted", "error")
    time.sleep(0.3)


@row("`display_id`: a display is updated in place")
def update(c):
    r, out = c.run("from IPython.display import display\nh = display(1, display_id=True)\nh.update(2)")
    equal(kinds(out), ["execute_input", "display_data", "update_display_data"])
    a, b = out[2]["content"], out[3]["content"]
    equal(a["transient"]["display_id"], b["transient"]["display_id"])


@row("`clear_output(wait=True)` says so")
def clear(c):
    _, out = c.run("from IPython.display import clear_output\nprint(1, flush=True)\nclear_output(wait=True)\nprint(2)")
    equal([m["content"] for m in out if m["msg_type"] == "clear_output"], [{"wait": True}])


@row("an error: one on iopub, the same in the reply, with a traceback")
def error(c):
    r, out = c.run("def f():\n    return {}['k']\nf()")
    (e,) = [m["content"] for m in out if m["msg_type"] == "error"]
    equal((e["ename"], e["evalue"]), (r["ename"], r["evalue"]))
    assert r["traceback"] and "f()" in "".join(r["traceback"])


@row("payloads: a page for `x?`, the next cell for `%load`")
def payloads(c):
    equal(c.run("len?")[0]["payload"][0]["source"], "page")


@row("`complete_request`: names, attributes, positions in code points")
def complete(c):
    c.run("wordy_name = 'x'")
    r = c.ask("complete_request", {"code": "\U0001d41a = wordy_", "cursor_pos": 10})["content"]
    equal(r["matches"], ["wordy_name"])
    equal((r["cursor_start"], r["cursor_end"]), (4, 10))
    r = c.ask("complete_request", {"code": "wordy_name.upp", "cursor_pos": 14})["content"]
    assert r["matches"] and r["matches"][0].endswith("upper"), r["matches"]


@row("`inspect_request`: documentation, source for more, `found` for neither")
def inspect(c):
    c.run("def inspected(a):\n    'Its doc.'\n    return a * 12345")
    r = c.ask("inspect_request", {"code": "inspected(", "cursor_pos": 9, "detail_level": 0})["content"]
    assert r["found"] and "Its doc." in r["data"]["text/plain"]
    r = c.ask("inspect_request", {"code": "inspected", "cursor_pos": 9, "detail_level": 1})["content"]
    assert "12345" in r["data"]["text/plain"]
    equal(c.ask("inspect_request", {"code": "no_such_name", "cursor_pos": 5, "detail_level": 0})["content"]["found"], False)


@row("`is_complete_request`: complete, incomplete with its indent, invalid")
def is_complete(c):
    for code, want in (("1", "complete"), ("for x in y:", "incomplete"), ("x = (", "incomplete"), ("x = = 1", "invalid")):
        r = c.ask("is_complete_request", {"code": code})["content"]
        equal(r["status"], want)
    equal(c.ask("is_complete_request", {"code": "for x in y:"})["content"]["indent"], "    ")


@row("`history_request`: tail, range, search with `unique` and `output`")
def history(c):
    for code in ("hist_a = 1", "hist_a", "hist_a"):
        c.run(code)
    base = dict(raw=True, output=False)
    r = c.ask("history_request", dict(base, hist_access_type="tail", n=2))["content"]["history"]
    equal([h[2] for h in r], ["hist_a", "hist_a"])
    r = c.ask("history_request", dict(base, hist_access_type="search", pattern="hist_*", unique=True, n=10))["content"]["history"]
    equal(sorted(h[2] for h in r), ["hist_a", "hist_a = 1"])
    r = c.ask("history_request", dict(base, hist_access_type="range", session=0, start=1, stop=2, output=True))["content"]["history"]
    equal([(h[1], len(h[2])) for h in r], [(1, 2)])


@row("comms: `comm_info`; one that is opened for an unknown target is closed")
def comms(c):
    equal(c.ask("comm_info_request")["content"]["comms"], {})
    mid = c.send("comm_open", {"comm_id": "x1", "target_name": "no such target", "data": {}})
    assert "comm_close" in kinds(c.until_idle(mid))
    c.until_idle(c.send("comm_msg", {"comm_id": "x1", "data": {}}))
    c.until_idle(c.send("comm_close", {"comm_id": "x1", "data": {}}))


@row("a message that nobody knows leaves no trace, and the next is served")
def unknown(c):
    c.send("no_such_request")
    c.send("no_such_request", channel="control")
    equal(c.run("1")[0]["status"], "ok")


@row("interrupt: of an idle kernel nothing; the next cell runs")
def interrupt_idle(c):
    c.km.interrupt_kernel()
    time.sleep(0.3)
    equal(c.run("1")[0]["status"], "ok")


for name, code in {"a loop": LOOP, "a sleep": SLEEP, "printing": "while True: print('x')", "`input`": "input('? ')"}.items():
    @row("interrupt: of %s, within 2 s" % name)
    def interrupt(c, code=code):
        if "input" in code:
            mid = c.execute(code, allow_stdin=True)
            c.kc.get_stdin_msg(timeout=20)
        else:
            mid = c.started(code)
        c.interrupted(mid)
        equal(c.run("1 + 1")[0]["status"], "ok")


@row("interrupt: cells that wait are aborted with it")
def interrupt_queue(c):
    mid = c.started(SLEEP)
    rest = [c.execute("1") for _ in range(3)]
    time.sleep(0.2)
    c.interrupted(mid)
    for mid in rest:
        assert c.reply(mid)["content"]["status"] in ("aborted", "error"), "a cell that waited ran"


ASKED = {
    "complete_request": {"code": "le", "cursor_pos": 2},
    "inspect_request": {"code": "len", "cursor_pos": 2, "detail_level": 0},
    "is_complete_request": {"code": "1"},
    "history_request": {"hist_access_type": "tail", "n": 1, "raw": True, "output": False},
    "comm_info_request": {},
    "kernel_info_request": {},
}

for kind, content in ASKED.items():
    @row("while a cell runs: `%s` answers" % kind.replace("_request", ""))
    def meanwhile(c, kind=kind, content=content):
        for code in (LOOP, SLEEP):
            mid = c.started(code)
            try:
                c.reply(c.send(kind, content), timeout=1)
            finally:
                c.km.interrupt_kernel()
                c.reply(mid)
                time.sleep(0.2)


@row("while a cell runs: control answers")
def control(c):
    mid = c.started(SLEEP)
    equal(c.reply(c.send("kernel_info_request", channel="control"), "control", timeout=1)["content"]["status"], "ok")
    c.interrupted(mid)


@row("`usage_request` (ipykernel's): memory and processors")
def usage(c):
    r = c.reply(c.send("usage_request", channel="control"), "control", timeout=5)["content"]
    assert r["kernel_memory"] > 1 << 20 and r["cpu_count"] >= 1 and r["host_virtual_memory"]["total"] > 1 << 20


@row("subshells (JEP 91), if they are offered")
def subshells(c):
    if "kernel subshells" not in c.ask("kernel_info_request")["content"].get("supported_features", []):
        raise Unsupported("not offered")
    created = c.reply(c.send("create_subshell_request", channel="control"), "control")["content"]
    mid = c.started(SLEEP)
    r = c.reply(c.send("kernel_info_request", subshell_id=created["subshell_id"]), timeout=2)
    c.interrupted(mid)
    equal(r["content"]["status"], "ok")


@row("10,000 cells sent at once: as many replies, in order, and as many idles")
def many(c):
    n = 10000
    c.run("total = 0")
    sent = [c.execute("total += 1", store_history=False) for _ in range(n)]
    equal([c.kc.get_shell_msg(timeout=60)["parent_header"]["msg_id"] for _ in sent], sent)
    idle = 0
    while idle < n:
        try:
            m = c.kc.get_iopub_msg(timeout=60)
        except queue.Empty:
            raise AssertionError("messages are missing") from None
        idle += m["content"].get("execution_state") == "idle"
    equal(c.run("total")[1][2]["content"]["data"]["text/plain"], str(n))


@row("100,000 flushed lines: none is lost")
def lines(c):
    _, out = c.run("for i in range(100000): print(i, flush=True)")
    equal("".join(m["content"]["text"] for m in out if m["msg_type"] == "stream").split(), [str(i) for i in range(100000)])


@row("restart: names are gone, cells are counted from 1")
def restart(c):
    c.km.restart_kernel(now=True)
    c = Client(c.km)
    r, _ = c.run("total")
    equal((r["ename"], r["execution_count"]), ("NameError", 1))


@row("`shutdown_request`: a reply, an idle, and the process ends")
def shutdown(c):
    process = c.km.provisioner.process
    r = c.reply(c.send("shutdown_request", {"restart": False}, channel="control"), "control")["content"]
    equal((r["status"], r["restart"]), ("ok", False))
    for _ in range(100):
        if process.poll() is not None:
            return
        time.sleep(0.1)
    raise AssertionError("the process lives")


def try_kernel(name, only):
    km, kc = start_new_kernel(kernel_name=name, startup_timeout=60)
    kc.kernel_info()
    info = kc.get_shell_msg(timeout=30)["content"]
    rows = {}
    for text, f in ROWS.items():
        if only and only not in text:
            continue
        c = None
        try:
            c = Client(km)
            f(c)
            rows[text] = ""
        except Unsupported as e:
            rows[text] = str(e)
        except Exception as e:
            rows[text] = "%s: %s" % (type(e).__name__, str(e)[:200]) if not isinstance(e, AssertionError) else str(e)[:200]
            if f is not shutdown:
                km.restart_kernel(now=True)
        finally:
            if c:
                c.kc.stop_channels()
    kc.stop_channels()
    km.shutdown_kernel(now=True)
    return {"kernel": {"ipython": "ipykernel, IPython"}.get(info["implementation"], info["implementation"]), "version": info["implementation_version"], "rows": list(rows.items())}


if __name__ == "__main__":
    args = sys.argv[1:]
    only = args.pop()[3:] if args and args[-1].startswith("-k=") else ""
    for name in args or ["arignote"]:
        print(json.dumps(try_kernel(name, only)), flush=True)
