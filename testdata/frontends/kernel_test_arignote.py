"""Conformance tests for the arignote kernel (language: starlark).

Part 1 is the official suite (jupyter_kernel_test); part 2 holds what that suite does not
check. Run with Debian's packages (jupyter_client 7.4.9), after `arignote install`:

    /usr/bin/python3 kernel_test_arignote.py

Debian's jupyter_kernel_test 0.4.5 and upstream 0.7.0 both work (0.4.5 has no IopubWelcomeTests: that class is then left out).
JUPYTER_PATH names a kernel that is installed elsewhere: the directory that holds kernels/arignote/kernel.json.
KERNEL / LANGUAGE / EXT override the kernel under test (KERNEL=python3 LANGUAGE=python
EXT=.py runs most of part 2 against ipykernel, which is how this file was checked).
"""
import json
import os
import re
import signal
import socket
import struct
import tempfile
import time
import unittest
import uuid
from queue import Empty

import jupyter_kernel_test as jkt
import zmq
from jupyter_client.manager import KernelManager, start_new_kernel
from jupyter_client.session import Session

KERNEL = os.environ.get("KERNEL", "arignote")
LANGUAGE = os.environ.get("LANGUAGE", "starlark")
EXT = os.environ.get("EXT", ".star")
OURS = KERNEL == "arignote"

# Adapt these to arignote's own vocabulary (builtins of the notebook environment).
CODE = dict(
    stderr='print("test", file="stderr")' if OURS else "import sys; print('test', file=sys.stderr)",
    html='display(HTML("<b>test</b>"))' if OURS else
         "from IPython.display import HTML, display; display(HTML('<b>test</b>'))",
    svg='display(SVG("<svg/>"))' if OURS else
        "from IPython.display import SVG, display; display(SVG('<svg/>'))",
    clear="clear_output()" if OURS else "from IPython.display import clear_output; clear_output()",
    loop="def spin():\n    for i in range(1000000000):\n        x = i\nspin()" if OURS else
         "for i in range(10**9): pass",
    sleep="time.sleep(3)" if OURS else "import time; time.sleep(3)",
    slow_error="time.sleep(0.5); fail('boom')" if OURS else "import time; time.sleep(.5); 1/0",
    input="x = input('name? ')\nprint('got ' + x)",
    password="getpass('pw? ')" if OURS else "import getpass; getpass.getpass('pw? ')",
    update='display(HTML("one"), display_id="d1")\nupdate_display(HTML("two"), display_id="d1")' if OURS else
           "from IPython.display import HTML, display, update_display\n"
           "display(HTML('one'), display_id='d1'); update_display(HTML('two'), display_id='d1')",
    lines="def p(n):\n    for i in range(n):\n        print('line %d' % i)\np(100000)" if OURS else
          "for i in range(100000): print('line %d' % i)",
)

PROFILED = """%%profile
x = T.vector("x")
f = function([x], T.exp(x), name="f")
def work():
    for i in range(350):
        f([1.0])
        time.sleep(0.01)
work()
"""


class Arignote(jkt.KernelTests):
    """The official suite: 12 tests."""
    kernel_name = KERNEL
    language_name = LANGUAGE
    file_extension = EXT
    code_hello_world = "print('hello, world')"
    code_stderr = CODE["stderr"]
    completion_samples = [
        {"text": "sor", "matches": {"sorted"}},       # a builtin
        {"text": "enumer", "matches": {"enumerate"}},
    ]
    complete_code_samples = ["1", "print('hello, world')", "def f(x):\n  return x*2\n\n\n"]
    incomplete_code_samples = ["print('''hello", "def f(x):\n  x*2"]
    invalid_code_samples = ["load = = 7q"]
    code_page_something = "zip?"                       # 'page' payload in execute_reply
    code_generate_error = "fail('boom')" if OURS else "raise"
    code_execute_result = [
        {"code": "1+2+3", "result": "6"},
        {"code": "[n*n for n in range(1, 4)]", "result": "[1, 4, 9]"},
    ]
    code_display_data = [
        {"code": CODE["html"], "mime": "text/html"},
        {"code": CODE["svg"], "mime": "image/svg+xml"},
    ]
    code_history_pattern = "1?2*"
    supported_history_operations = ("tail", "range", "search") if OURS else ("tail", "search")
    code_inspect_sample = "zip"
    code_clear_output = CODE["clear"]


if hasattr(jkt, "IopubWelcomeTests"):
    class Welcome(jkt.IopubWelcomeTests):
        kernel_name = KERNEL
        support_iopub_welcome = OURS


class Protocol(unittest.TestCase):
    """What jupyter_kernel_test does not check."""

    @classmethod
    def setUpClass(cls):
        cls.km, cls.kc = start_new_kernel(kernel_name=KERNEL)

    @classmethod
    def tearDownClass(cls):
        cls.kc.stop_channels()
        cls.km.shutdown_kernel(now=True)

    def run_cell(self, code, timeout=60, **kw):
        mid = self.kc.execute(code, **kw)
        out = []
        while True:
            m = self.kc.get_iopub_msg(timeout=timeout)
            if m["parent_header"].get("msg_id") != mid:
                continue
            out.append(m)
            if m["msg_type"] == "status" and m["content"]["execution_state"] == "idle":
                break
        return self.reply_to(mid, timeout), out

    def reply_to(self, mid, timeout=60):
        while True:
            r = self.kc.get_shell_msg(timeout=timeout)
            if r["parent_header"].get("msg_id") == mid:
                return r

    def outputs(self, code, **kw):
        reply, out = self.run_cell(code, **kw)
        return reply["content"], [(m["msg_type"], m["content"]) for m in out if m["msg_type"] not in ("status", "execute_input")]

    def test_rich_methods(self):
        """Classes of the user's show themselves; what fails is told, and the text is kept."""
        content, out = self.outputs("""\
class Rich:
    def __repr__(self): return "Rich()"
    def _repr_png_(self): return b"abc", {"width": 3}
    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"application/vnd.vegalite.v5+json": {"mark": "bar", "data": {"values": [1, 2.5, None]}}}, {"application/vnd.vegalite.v5+json": {"embed": True}}
Rich()""")
        self.assertEqual(content["status"], "ok")
        [(kind, got)] = out
        self.assertEqual(kind, "execute_result")
        self.assertEqual(got["data"]["application/vnd.vegalite.v5+json"], {"mark": "bar", "data": {"values": [1, 2.5, None]}})
        self.assertEqual(got["metadata"], {"application/vnd.vegalite.v5+json": {"embed": True}, "image/png": {"width": 3}})
        self.assertEqual((got["data"]["text/plain"], got["data"]["image/png"].strip()), ("Rich()", "YWJj"))
        content, out = self.outputs("""\
class Itself:
    def _ipython_display_(self): print("by itself")
Itself()""")
        self.assertEqual([(kind, c["text"]) for kind, c in out], [("stream", "by itself\n")])
        content, out = self.outputs("""\
class Fails:
    def __repr__(self): return "Fails()"
    def _repr_html_(self): raise ValueError("no html")
Fails()""")
        self.assertEqual(content["status"], "ok")
        self.assertEqual(out[-1][1]["data"], {"text/plain": "Fails()"})
        self.assertIn("no html", str(out[0][1]))

    def test_help_links_and_version(self):
        self.kc.kernel_info()
        info = self.reply_to_kind("kernel_info_reply")["content"]
        self.assertRegex(info["language_info"]["version"], r"^3\.\d+")
        self.assertTrue(info["help_links"])
        for link in info["help_links"]:
            self.assertEqual(sorted(link), ["text", "url"])
            self.assertRegex(link["url"], "^https?://")

    def reply_to_kind(self, kind, timeout=60):
        while True:
            r = self.kc.get_shell_msg(timeout=timeout)
            if r["msg_type"] == kind:
                return r

    def test_display_handle(self):
        content, out = self.outputs("from IPython.display import display\nh = display(1, display_id=True)\nh.update(2)")
        self.assertEqual([kind for kind, _ in out], ["display_data", "update_display_data"])
        first, second = (c["transient"]["display_id"] for _, c in out)
        self.assertEqual(first, second)
        self.assertEqual([c["data"]["text/plain"] for _, c in out], ["1", "2"])

    def test_capture_and_nesting(self):
        content, out = self.outputs("%%time\n%%capture kept\nprint('hidden')\n5")
        self.assertEqual({c.get("name") for _, c in out}, {"stdout"})
        self.assertIn("Wall time", "".join(c["text"] for _, c in out))
        self.assertNotIn("hidden", str(out))
        content, out = self.outputs("kept.show()")
        self.assertEqual([(c.get("text") or c["data"]["text/plain"]) for _, c in out], ["hidden\n", "5"])

    def test_load_gives_the_next_cell(self):
        name = os.path.join(tempfile.mkdtemp(), "cell.py")
        content, out = self.outputs("%%writefile " + name + "\nx = 1\n")
        self.assertEqual(out[0][1]["text"], "Writing " + name + "\n")
        content, out = self.outputs("%load " + name)
        self.assertEqual(content["payload"], [{"source": "set_next_input", "replace": True, "text": "# %load " + name + "\nx = 1\n"}])

    def dealer(self, channel, identity=None):
        d = zmq.Context.instance().socket(zmq.DEALER)
        d.linger = 200
        d.identity = identity or uuid.uuid4().bytes
        d.connect(self.km._make_url(channel))
        self.addCleanup(d.close)
        return d

    def still_works(self):
        r, _ = self.run_cell("1+1", timeout=20)
        self.assertEqual(r["content"]["status"], "ok")
        c = self.km.client()
        c.session.session = uuid.uuid4().hex
        c.start_channels()
        try:
            c.wait_for_ready(timeout=20)
        finally:
            c.stop_channels()

    # -- order, counters, flags ------------------------------------------------------
    def test_message_order(self):
        r, out = self.run_cell("print('a')\n1")
        types = [m["msg_type"] for m in out]
        self.assertEqual(out[0]["content"], {"execution_state": "busy"})
        self.assertEqual(types[1], "execute_input")
        self.assertEqual(types[-1], "status")
        self.assertLess(types.index("stream"), types.index("execute_result"))
        n = out[1]["content"]["execution_count"]
        self.assertEqual(n, r["content"]["execution_count"])
        self.assertEqual(len({m["header"]["msg_id"] for m in out}), len(out))
        self.assertNotEqual(out[0]["header"]["session"], out[0]["parent_header"]["session"],
                            "the kernel has its own session id")

    def test_silent_and_store_history(self):
        r, _ = self.run_cell("1")
        n = r["content"]["execution_count"]
        r, out = self.run_cell("1", silent=True)
        self.assertEqual(r["content"]["execution_count"], n)
        self.assertEqual({m["msg_type"] for m in out}, {"status"})
        r, out = self.run_cell("1", store_history=False)
        self.assertIsInstance(r["content"]["execution_count"], int)
        r, _ = self.run_cell("1")
        self.assertEqual(r["content"]["execution_count"], n + 1)

    def test_empty_cell(self):
        r, out = self.run_cell("")
        self.assertEqual(r["content"]["status"], "ok")
        self.assertFalse([m for m in out if m["msg_type"] in ("execute_result", "error")])

    def test_user_expressions(self):
        r, _ = self.run_cell("ue = 20", user_expressions={"a": "ue + 1", "b": "no_such"})
        ue = r["content"]["user_expressions"]
        self.assertEqual(ue["a"]["status"], "ok")
        self.assertEqual(ue["a"]["data"]["text/plain"], "21")
        self.assertEqual(ue["b"]["status"], "error")

    def test_error_reply(self):
        r, out = self.run_cell("def f():\n    return 1 // 0\nf()")
        c = r["content"]
        self.assertEqual(c["status"], "error")
        self.assertTrue(c["ename"] and isinstance(c["traceback"], list) and c["traceback"])
        e = [m for m in out if m["msg_type"] == "error"]
        self.assertEqual(len(e), 1)
        self.assertEqual(e[0]["content"]["evalue"], c["evalue"])

    def test_abort_queue(self):
        ids = [self.kc.execute(CODE["slow_error"])] + [self.kc.execute("1") for _ in range(3)]
        got = [self.reply_to(i)["content"]["status"] for i in ids]
        self.assertEqual(got[0], "error")
        for s in got[1:]:
            self.assertIn(s, ("error", "aborted"))
        r, _ = self.run_cell("1")
        self.assertEqual(r["content"]["status"], "ok", "the queue must work again")

    def test_stop_on_error_false(self):
        a = self.kc.execute(CODE["slow_error"], stop_on_error=False)
        b = self.kc.execute("2")
        self.assertEqual(self.reply_to(a)["content"]["status"], "error")
        self.assertEqual(self.reply_to(b)["content"]["status"], "ok")

    # -- outputs ---------------------------------------------------------------------
    def test_update_display(self):
        _, out = self.run_cell(CODE["update"])
        d = [m for m in out if m["msg_type"] in ("display_data", "update_display_data")]
        self.assertEqual([m["msg_type"] for m in d], ["display_data", "update_display_data"])
        self.assertEqual({m["content"]["transient"]["display_id"] for m in d}, {"d1"})

    @unittest.skipIf(not OURS, "arignote only")
    def test_live_profile(self):
        """A profiled cell of more than two seconds shows its profile while it runs, under one display id, at most twice a second."""
        _, out = self.run_cell(PROFILED)
        shown = [m for m in out if m["msg_type"] in ("display_data", "update_display_data")]
        kinds = [m["msg_type"] for m in shown]
        self.assertEqual(kinds[0], "display_data")
        self.assertGreaterEqual(len(kinds), 2)
        self.assertEqual(set(kinds[1:]), {"update_display_data"})
        self.assertEqual(len({m["content"]["transient"]["display_id"] for m in shown}), 1)
        calls = [m["content"]["data"]["application/vnd.arignote.profile+json"][0]["functions"][0]["calls"] for m in shown]
        self.assertEqual(calls, sorted(calls))
        self.assertEqual(calls[-1], 350)
        times = [m["header"]["date"] for m in shown[:-1]]
        for a, b in zip(times, times[1:]):
            self.assertGreaterEqual((b - a).total_seconds(), 0.45)
        self.run_cell("w = 1")
        with self.assertRaises(Empty):
            self.kc.get_iopub_msg(timeout=1)

    @unittest.skipIf(not OURS, "arignote only")
    def test_live_profile_interrupted(self):
        mid = self.kc.execute(PROFILED.replace("350", "100000"))
        time.sleep(3)
        self.km.interrupt_kernel()
        self.assertEqual(self.reply_to(mid, 10)["content"]["ename"], "KeyboardInterrupt")
        self.run_cell("kept = 8")
        with self.assertRaises(Empty):
            self.kc.get_iopub_msg(timeout=1)

    @unittest.skipIf(not OURS, "arignote only")
    def test_live_profile_nbclient(self):
        """A notebook keeps the last display."""
        import nbclient
        import nbformat
        nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(PROFILED)])
        nbclient.NotebookClient(nb, timeout=60, kernel_name=KERNEL).execute()
        (output,) = [o for o in nb.cells[0].outputs if o.output_type == "display_data"]
        self.assertEqual(output.data["application/vnd.arignote.profile+json"][0]["functions"][0]["calls"], 350)
        self.assertNotIn("running", output.data["text/html"])

    def test_mime_bundles(self):
        _, out = self.run_cell(CODE["html"])
        data = [m for m in out if m["msg_type"] == "display_data"][0]["content"]["data"]
        self.assertIn("text/plain", data, "every bundle has a text/plain fallback")
        for k in data:
            self.assertRegex(k, r"^[\w\-\+\.]+/[\w\-\+\.]+$")

    def test_100k_lines_lossless_and_coalesced(self):
        t = time.time()
        _, out = self.run_cell(CODE["lines"])
        text = "".join(m["content"]["text"] for m in out if m["msg_type"] == "stream")
        self.assertEqual(text.splitlines(), ["line %d" % i for i in range(100000)])
        self.assertLess(sum(m["msg_type"] == "stream" for m in out), 1000)
        self.assertLess(time.time() - t, 10)

    # -- stdin -----------------------------------------------------------------------
    def test_stdin(self):
        mid = self.kc.execute(CODE["input"], allow_stdin=True)
        m = self.kc.get_stdin_msg(timeout=20)
        self.assertEqual(m["content"], {"prompt": "name? ", "password": False})
        self.kc.input("Ada")
        self.assertEqual(self.reply_to(mid)["content"]["status"], "ok")

    def test_stdin_password_and_refusal(self):
        mid = self.kc.execute(CODE["password"], allow_stdin=True)
        self.assertTrue(self.kc.get_stdin_msg(timeout=20)["content"]["password"])
        self.kc.input("x")
        self.assertEqual(self.reply_to(mid)["content"]["status"], "ok")
        r, _ = self.run_cell(CODE["input"], allow_stdin=False)
        self.assertEqual(r["content"]["ename"], "StdinNotImplementedError")

    def test_interrupt_while_waiting_for_stdin(self):
        mid = self.kc.execute(CODE["input"], allow_stdin=True)
        self.kc.get_stdin_msg(timeout=20)
        self.km.interrupt_kernel()
        self.assertEqual(self.reply_to(mid, 10)["content"]["status"], "error")

    # -- control, interrupt ----------------------------------------------------------
    def test_control_answers_while_busy(self):
        mid = self.kc.execute(CODE["sleep"])
        time.sleep(0.5)
        d = self.dealer("control")
        t = time.time()
        self.kc.session.send(d, "kernel_info_request", {})
        self.assertTrue(d.poll(1000), "no reply on control while a cell runs")
        self.assertLess(time.time() - t, 0.5)
        self.assertEqual(self.reply_to(mid)["content"]["status"], "ok")

    def test_interrupt_tight_loop(self):
        mid = self.kc.execute(CODE["loop"])
        time.sleep(1)
        t = time.time()
        self.km.interrupt_kernel()
        r = self.reply_to(mid, 10)
        self.assertLess(time.time() - t, 1)
        self.assertEqual(r["content"]["status"], "error")
        self.assertEqual(r["content"]["ename"], "KeyboardInterrupt")
        time.sleep(0 if OURS else 0.3)  # ipykernel still aborts what arrives right after an error
        self.run_cell("kept = 7")
        self.assertEqual(self.run_cell("kept")[0]["content"]["status"], "ok")

    @unittest.skipIf(os.name == "nt", "posix")
    def test_sigint_when_idle(self):
        os.kill(self.km.provisioner.process.pid, signal.SIGINT)
        time.sleep(0.3)
        self.still_works()

    # -- hostile input ---------------------------------------------------------------
    def test_bad_signature_and_unsigned(self):
        for ch in ("shell", "control"):
            d = self.dealer(ch)
            Session(key=b"wrong").send(d, "kernel_info_request", {})
            d.send_multipart([b"<IDS|MSG>", b"", b'{"msg_id":"1","msg_type":"kernel_info_request"}', b"{}", b"{}", b"{}"])
            self.assertFalse(d.poll(500), "answered a forged message on " + ch)
        self.still_works()

    def test_replay_is_rejected(self):
        d = self.dealer("shell")
        w = self.kc.session.serialize(self.kc.session.msg("kernel_info_request", {}))
        d.send_multipart(w)
        self.assertTrue(d.poll(5000))
        d.recv_multipart()
        d.send_multipart(w)
        self.assertFalse(d.poll(700))
        self.still_works()

    def test_malformed_messages(self):
        k = self.kc.session
        for ch in ("shell", "control", "stdin"):
            d = self.dealer(ch)
            for fr in ([b""], [b"x"], [b"<IDS|MSG>"], [b"<IDS|MSG>", b"s"], [os.urandom(99)] * 7):
                d.send_multipart(fr)
            for p in ([b"{"] + [b"{}"] * 3, [b"[]"] * 4, [b"null"] * 4, [b'{"msg_id":5,"msg_type":7}'] + [b"{}"] * 3):
                d.send_multipart([b"<IDS|MSG>", k.sign(p)] + p)
            k.send(d, "no_such_request", {})
            k.send(d, "execute_request", {})
            k.send(d, "complete_request", {"code": "x", "cursor_pos": 99})
            k.send(d, "inspect_request", {"code": "", "cursor_pos": -1})
        time.sleep(0.5)
        self.still_works()

    def tcp(self, port):
        s = socket.create_connection(("127.0.0.1", port), timeout=5)
        self.addCleanup(s.close)
        return s

    GREET = b"\xff" + b"\0" * 8 + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + b"\0" * 32

    @staticmethod
    def ready(kind):
        def p(k, v):
            return bytes([len(k)]) + k + struct.pack(">I", len(v)) + v
        b = b"\x05READY" + p(b"Socket-Type", kind) + p(b"Identity", b"")
        return b"\x04" + bytes([len(b)]) + b

    def test_garbage_bytes_on_every_port(self):
        km = self.km
        for port in (km.shell_port, km.iopub_port, km.stdin_port, km.control_port, km.hb_port):
            for b in (os.urandom(999), b"GET / HTTP/1.1\r\n\r\n", b"", self.GREET[:20],
                      self.GREET + os.urandom(300), self.GREET + self.ready(b"DEALER") + os.urandom(99),
                      self.GREET + b"\x04\x13\x05READY\x14Socket-Type\0",
                      self.GREET + self.ready(b"DEALER") + b"\x02" + struct.pack(">Q", 1 << 62)):
                s = self.tcp(port)
                try:
                    s.sendall(b)
                    time.sleep(0.02)
                except OSError:
                    pass
                s.close()
        self.still_works()

    def test_silent_connections_do_not_block_others(self):
        km = self.km
        for port in (km.shell_port, km.iopub_port, km.stdin_port, km.control_port, km.hb_port):
            self.tcp(port)
        time.sleep(0.2)
        self.still_works()

    def test_stalled_subscriber_does_not_block_others(self):
        s = self.tcp(self.km.iopub_port)
        s.sendall(self.GREET + self.ready(b"SUB"))
        time.sleep(0.2)
        s.sendall(b"\x00\x01\x01")
        self.run_cell(CODE["lines"], timeout=30)
        self.still_works()

    def test_fresh_clients_never_miss_idle(self):
        """A fast kernel must not answer before the client's SUB handshake is done."""
        lost, ctx = 0, zmq.Context.instance()
        for _ in range(100):
            s, d = ctx.socket(zmq.SUB), self.dealer("shell")
            s.linger = 0
            s.subscribe(b"")
            s.connect(self.km._make_url("iopub"))
            m = self.kc.session.msg("kernel_info_request", {})
            self.kc.session.send(d, m)
            mid, idle, t = m["header"]["msg_id"].encode(), False, time.time()
            while not idle and time.time() - t < 0.5:
                if s.poll(50):
                    f = s.recv_multipart()
                    idle = mid in f[-3] and b"idle" in f[-1]
            lost += not idle
            s.close()
            d.close()
            time.sleep(0.03)
        self.assertLessEqual(lost, 0 if OURS else 5)

    # -- completion, inspection, unicode ---------------------------------------------
    def test_complete_cursor_is_in_code_points(self):
        pre = "s = '\U0001d41a\u00e9'; "
        mid = self.kc.complete(pre + "sor", len(pre) + 3)
        c = self.reply_to(mid)["content"]
        self.assertIn("sorted", c["matches"])
        self.assertEqual((c["cursor_start"], c["cursor_end"]), (len(pre), len(pre) + 3))
        t = c["metadata"].get("_jupyter_types_experimental")
        if OURS:
            self.assertEqual(len(t), len(c["matches"]), "JupyterLab pairs them by index")

    def test_comm(self):
        mid = self.kc.comm_info()
        self.assertEqual(self.reply_to(mid)["content"], {"comms": {}, "status": "ok"})
        m = self.kc.session.msg("comm_open", {"comm_id": "c1", "target_name": "nobody", "data": {}})
        self.kc.shell_channel.send(m)
        t = time.time()
        while time.time() - t < 5:
            r = self.kc.get_iopub_msg(timeout=5)
            if r["msg_type"] == "comm_close":
                self.assertEqual(r["content"]["comm_id"], "c1")
                return
        self.fail("an unknown comm target must be closed")

    def test_heartbeat_echo(self):
        h = zmq.Context.instance().socket(zmq.REQ)
        h.linger = 0
        h.connect(self.km._make_url("hb"))
        self.addCleanup(h.close)
        for b in (b"ping", os.urandom(300)):
            h.send(b)
            self.assertTrue(h.poll(2000))
            self.assertEqual(h.recv(), b)

    def test_kernel_info(self):
        mid = self.kc.kernel_info()
        c = self.reply_to(mid)["content"]
        self.assertTrue(re.match(r"5\.\d+", c["protocol_version"]))
        li = c["language_info"]
        for k in ("name", "version", "mimetype", "file_extension"):
            self.assertTrue(li.get(k), k)
        if OURS:
            self.assertEqual(li["pygments_lexer"], "python")


class Lifecycle(unittest.TestCase):
    def test_shutdown_reply_final_idle_and_exit(self):
        km, kc = start_new_kernel(kernel_name=KERNEL)
        mid = kc.shutdown()
        r = kc.get_control_msg(timeout=5)
        self.assertEqual((r["msg_type"], r["content"]["status"]), ("shutdown_reply", "ok"))
        t = time.time()
        while km.is_alive() and time.time() - t < 5:
            time.sleep(0.02)
        self.assertFalse(km.is_alive())
        kc.stop_channels()
        km.cleanup_resources()

    def test_restart(self):
        km, kc = start_new_kernel(kernel_name=KERNEL)
        kc.execute("zz = 1", reply=True, timeout=20)
        km.restart_kernel(now=False)
        kc.wait_for_ready(timeout=30)
        r = kc.execute("zz", reply=True, timeout=20)
        self.assertEqual(r["content"]["status"], "error")
        self.assertEqual(r["content"]["execution_count"], 1)
        kc.stop_channels()
        km.shutdown_kernel(now=True)

    @unittest.skipIf(os.name == "nt", "posix")
    def test_ipc_transport(self):
        ip = os.path.join(tempfile.mkdtemp(), "ipc")
        km = KernelManager(kernel_name=KERNEL, transport="ipc", ip=ip)
        km.start_kernel()
        kc = km.client()
        kc.start_channels()
        kc.wait_for_ready(timeout=30)
        self.assertEqual(kc.execute("1", reply=True, timeout=20)["content"]["status"], "ok")
        kc.stop_channels()
        km.shutdown_kernel()

    def test_startup_time(self):
        t = time.time()
        km, kc = start_new_kernel(kernel_name=KERNEL)
        dt = time.time() - t
        kc.stop_channels()
        km.shutdown_kernel(now=True)
        self.assertLess(dt, 1.0 if OURS else 30)

    def test_nbclient(self):
        import nbclient
        import nbformat
        nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("%d + 1" % i) for i in range(20)])
        nbclient.NotebookClient(nb, timeout=60, kernel_name=KERNEL).execute()
        got = [c.outputs[0].data["text/plain"] for c in nb.cells]
        self.assertEqual(got, [str(i + 1) for i in range(20)])
        nbformat.validate(nb)


if __name__ == "__main__":
    unittest.main(verbosity=2)
