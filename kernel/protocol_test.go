package kernel

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestMessageOrder(t *testing.T) {
	c := startServer(t).connect(t)
	for _, test := range []struct{ code, want string }{
		{"print a\nvalue 1", "busy execute_input stream execute_result idle"},
		{"print a\nwarn b\nprint c", "busy execute_input stream stream stream idle"},
		{"show x\nprint a\nupdate", "busy execute_input display_data stream display_data update_display_data idle"},
		{"print a\nclear\nprint b", "busy execute_input stream clear_output stream idle"},
		{"print a\nfail x", "busy execute_input stream error idle"},
		{"", "busy execute_input idle"},
		{" \n", "busy execute_input idle"},
		{"bad", "busy execute_input display_data idle"},
	} {
		if _, out := c.run(test.code); types(out) != test.want {
			t.Errorf("%q: got %s, want %s", test.code, types(out), test.want)
		}
	}
}

func TestHeaders(t *testing.T) {
	c := startServer(t).connect(t)
	r, out := c.run("print a")
	date := regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$`)
	ids := map[any]bool{}
	for _, g := range append(out, r) {
		if ids[g.Header["msg_id"]] {
			t.Errorf("msg_id %v: used twice", g.Header["msg_id"])
		}
		ids[g.Header["msg_id"]] = true
		if s := g.Header["session"]; s != c.ts.session || s == c.session {
			t.Errorf("%s: got session %v, want the server's own, %s", g.Type, s, c.ts.session)
		}
		if d, _ := g.Header["date"].(string); !date.MatchString(d) {
			t.Errorf("%s: got date %q, want UTC with microseconds", g.Type, d)
		}
		if v := g.Header["version"]; v != "5.5" {
			t.Errorf("%s: got version %v, want 5.5", g.Type, v)
		}
	}
	if got, want := find(out, "stream")[0].Topic, "stream.stdout"; got != want {
		t.Errorf("topic: got %q, want %q", got, want)
	}
	if got, want := out[0].Topic, "kernel."+c.ts.session+".status"; got != want {
		t.Errorf("topic: got %q, want %q", got, want)
	}
}

func TestCounters(t *testing.T) {
	c := startServer(t).connect(t)
	for _, test := range []struct {
		name   string
		cell   map[string]any
		reply  int    // execution_count of the reply
		output string // of the iopub messages
	}{
		{"first", cell("value 1"), 1, "busy execute_input execute_result idle"},
		{"silent", cell("print a\nvalue 1\nshow x", "silent", true), 1, "busy idle"},
		{"silent error", cell("print a\nfail x", "silent", true, "stop_on_error", false), 1, "busy idle"},
		{"silent wins", cell("value 1", "silent", true, "store_history", true), 1, "busy idle"},
		{"not stored", cell("value 1", "store_history", false), 1, "busy execute_input execute_result idle"},
		{"blank", cell(""), 1, "busy execute_input idle"},
		{"second", cell("value 1"), 2, "busy execute_input execute_result idle"},
		{"error", cell("fail x"), 3, "busy execute_input error idle"},
	} {
		r, out := c.request("execute_request", test.cell)
		if got := r.num("execution_count"); got != test.reply || types(out) != test.output {
			t.Errorf("%s: got count %d and %s, want %d and %s", test.name, got, types(out), test.reply, test.output)
		}
	}
	r, _ := c.request("history_request", map[string]any{"hist_access_type": "tail", "n": 10})
	if got, want := fmt.Sprint(r.Content["history"]), "[[1 1 value 1] [1 2 value 1] [1 3 fail x]]"; got != want {
		t.Errorf("history: got %s, want %s", got, want)
	}
}

func TestErrors(t *testing.T) {
	c := startServer(t).connect(t)
	for _, test := range []struct {
		code, ename, evalue string
		traceback           string
	}{
		{"fail x y", "Fail", "x y", "[Traceback Fail: x y]"},
		{"plainfail x", "Error", "x", "[Error: x]"},
		{"panic ouch", "InternalError", "internal error: ouch (a bug in the kernel, not in your code: please report it)", ""},
	} {
		r, out := c.run(test.code)
		e := find(out, "error")
		if len(e) != 1 {
			t.Fatalf("%q: got %d error messages, want 1", test.code, len(e))
		}
		for _, g := range []got{r, e[0]} {
			if g.str("ename") != test.ename || g.str("evalue") != test.evalue {
				t.Errorf("%q: %s: got %q, %q, want %q, %q", test.code, g.Type, g.str("ename"), g.str("evalue"), test.ename, test.evalue)
			}
			if got := fmt.Sprint(g.Content["traceback"]); test.traceback != "" && got != test.traceback {
				t.Errorf("%q: %s: got traceback %s, want %s", test.code, g.Type, got, test.traceback)
			}
		}
		if r.str("status") != "error" {
			t.Errorf("%q: got status %q, want error", test.code, r.str("status"))
		}
	}
	c.ts.waitLog(t, "client_test.go") // the stack of the panic
	c.stillWorks()
}

func TestUserExpressionsAndPayload(t *testing.T) {
	c := startServer(t).connect(t)
	r, _ := c.run("page help", "user_expressions", map[string]string{"a": "1", "b": "bad", "c": "panic"})
	ue, _ := r.Content["user_expressions"].(map[string]any)
	if got, want := fmt.Sprint(ue["a"]), "map[data:map[text/plain:1] metadata:map[] status:ok]"; got != want {
		t.Errorf("a: got %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(ue["b"]), "map[ename:NameError evalue:undefined: bad status:error traceback:[Traceback NameError: undefined: bad]]"; got != want {
		t.Errorf("b: got %s, want %s", got, want)
	}
	if got := fmt.Sprint(ue["c"]); !strings.Contains(got, "InternalError") {
		t.Errorf("c: got %s, want an InternalError", got)
	}
	if got, want := fmt.Sprint(r.Content["payload"]), "[map[data:map[text/plain:help] source:page start:0]]"; got != want {
		t.Errorf("payload: got %s, want %s", got, want)
	}
}

func TestDisplay(t *testing.T) {
	c := startServer(t).connect(t)
	_, out := c.run("update\nshow <b>\nbad")
	for i, want := range []string{
		"display_data map[data:map[text/plain:one] metadata:map[] transient:map[display_id:d1]]",
		"update_display_data map[data:map[text/plain:two] metadata:map[] transient:map[display_id:d1]]",
		"display_data map[data:map[text/html:<b> text/plain:<text/html>] metadata:map[a:1] transient:map[]]",
		"display_data map[data:map[a/b+json:[1] text/plain:<a/b+json>] metadata:map[] transient:map[]]",
	} {
		if got := out[2+i].String(); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
	c.ts.waitLog(t, "part of an output dropped")
}

// Text that is printed after the cell has ended keeps the cell as its parent.
func TestLateOutput(t *testing.T) {
	c := startServer(t).connect(t)
	id := c.send("shell", "execute_request", cell("print a", "allow_stdin", true))
	c.outputs(id)
	c.ts.fake.mu.Lock()
	out := c.ts.fake.out
	c.ts.fake.mu.Unlock()
	out.Stream("stdout", "late")
	if g := c.next("iopub"); g.Parent.ID != id || g.str("text") != "late" {
		t.Errorf("got %v of %s, want late of %s", g, g.Parent.ID, id)
	}
	if _, err := out.Input("?", false); err == nil {
		t.Error("a question after the end: got no error")
	}
	c.quiet("stdin")
}

func TestStreamsAreCoalescedAndLossless(t *testing.T) {
	c := startServer(t).connect(t)
	const lines = 100_000
	var want strings.Builder
	for i := range lines {
		fmt.Fprintf(&want, "line %d\n", i)
	}
	start := time.Now()
	_, out := c.run(fmt.Sprint("flood ", lines))
	var text strings.Builder
	streams := find(out, "stream")
	for _, g := range streams {
		text.WriteString(g.str("text"))
		if n := len(g.str("text")); n > streamSize+100 {
			t.Errorf("got a message of %d bytes, want at most about %d", n, streamSize)
		}
	}
	if text.String() != want.String() {
		t.Errorf("got %d bytes, want %d", text.Len(), want.Len())
	}
	if most := want.Len()/streamSize + 2 + int(time.Since(start)/streamDelay); len(streams) > most {
		t.Errorf("got %d stream messages, want at most %d", len(streams), most)
	}
	// Text is sent while the cell runs, not only at its end.
	id := c.send("shell", "execute_request", cell("print early\nwait"))
	for g := c.next("iopub"); g.Type != "stream"; g = c.next("iopub") {
	}
	c.send("control", "interrupt_request", map[string]any{})
	c.reply("shell", id)
}

func TestOutputBudget(t *testing.T) {
	ts := startServer(t)
	c := ts.connect(t)
	o := newOutput(t.Context(), ts.Server, &Message{header: []byte(`{"msg_id":"m"}`)}, false, false)
	o.spent = MaxOutput - 3
	o.Stream("stdout", "abc")
	o.Stream("stdout", "def")
	o.Stream("stdout", "ghi")
	o.Display(plain("x"), nil, "", false)
	if g := c.next("iopub"); g.str("text") != "abc" {
		t.Errorf("got %v, want abc", g)
	}
	if g := c.next("iopub"); !strings.Contains(g.str("text"), "has shown 256 MB") || g.str("name") != "stderr" {
		t.Errorf("got %v, want a notice", g)
	}
	c.quiet("iopub")
}

func TestSmallRequests(t *testing.T) {
	c := startServer(t).connect(t)
	conn := c.ts.Connection()
	types := "[map[end:6 signature:sorted(x) start:3 text:sorted type:function] map[end:6 signature: start:3 text:sor type:]]"
	for _, test := range []struct {
		name, msgType string
		content       map[string]any
		want          map[string]string
	}{
		{"complete counts code points", "complete_request", map[string]any{"code": "\U0001d41aé;sor", "cursor_pos": 6},
			map[string]string{"matches": "[sorted sor]", "cursor_start": "3", "cursor_end": "6", "metadata": "map[_jupyter_types_experimental:" + types + "]", "status": "ok"}},
		{"cursor beyond the end", "complete_request", map[string]any{"code": "\U0001d41aé;sor", "cursor_pos": 99},
			map[string]string{"cursor_start": "3", "cursor_end": "6"}},
		{"no cursor", "complete_request", map[string]any{"code": "\U0001d41aé;sor"},
			map[string]string{"cursor_start": "3", "cursor_end": "6"}},
		{"wild interpreter", "complete_request", map[string]any{"code": "wild", "cursor_pos": -3},
			map[string]string{"cursor_start": "0", "cursor_end": "4"}},
		{"panic", "complete_request", map[string]any{"code": "panic"}, map[string]string{"status": "error", "ename": "InternalError"}},
		{"wrong type", "complete_request", map[string]any{"code": 7},
			map[string]string{"status": "error", "ename": "RequestError", "evalue": "complete_request: code: got number, want string"}},
		{"inspect", "inspect_request", map[string]any{"code": "zip", "cursor_pos": 2, "detail_level": 1},
			map[string]string{"found": "true", "data": "map[text/plain:zip at 2, 1]", "status": "ok"}},
		{"inspect nothing", "inspect_request", map[string]any{"code": "x"}, map[string]string{"found": "false", "data": "map[]", "status": "ok"}},
		{"complete cell", "is_complete_request", map[string]any{"code": "1"}, map[string]string{"status": "complete", "indent": "<nil>"}},
		{"incomplete cell", "is_complete_request", map[string]any{"code": "if x:"}, map[string]string{"status": "incomplete", "indent": "    "}},
		{"comms", "comm_info_request", map[string]any{}, map[string]string{"comms": "map[]", "status": "ok"}},
		{"connect", "connect_request", map[string]any{}, map[string]string{"shell_port": fmt.Sprint(conn.ShellPort), "hb_port": fmt.Sprint(conn.HBPort)}},
		{"info", "kernel_info_request", map[string]any{},
			map[string]string{"protocol_version": "5.5", "implementation": "fake", "language_info": "map[name:fake]", "status": "ok"}},
		{"execute nothing", "execute_request", map[string]any{},
			map[string]string{"status": "error", "evalue": "execute_request: got no code, want a string"}},
	} {
		r, out := c.request(test.msgType, test.content)
		if want := strings.TrimSuffix(test.msgType, "request") + "reply"; r.Type != want {
			t.Errorf("%s: got %s, want %s", test.name, r.Type, want)
		}
		for k, want := range test.want {
			value := r.Content[k]
			if f, ok := value.(float64); ok {
				value = int(f)
			}
			if got := fmt.Sprint(value); got != want {
				t.Errorf("%s: %s: got %s, want %s", test.name, k, got, want)
			}
		}
		if len(out) != 2 {
			t.Errorf("%s: iopub: got %v, want busy and idle", test.name, out)
		}
	}
}

func TestHistory(t *testing.T) {
	c := startServer(t).connect(t)
	for _, code := range []string{"value 1+2", "print x", "value 1+2", "value 3"} {
		c.run(code)
	}
	for _, test := range []struct {
		name    string
		content map[string]any
		want    string
	}{
		{"tail", map[string]any{"hist_access_type": "tail", "n": 2}, "[[1 3 value 1+2] [1 4 value 3]]"},
		{"tail of all", map[string]any{"hist_access_type": "tail", "n": 99, "output": true},
			"[[1 1 [value 1+2 1+2]] [1 2 [print x <nil>]] [1 3 [value 1+2 1+2]] [1 4 [value 3 3]]]"},
		{"range", map[string]any{"hist_access_type": "range", "session": 0, "start": 2, "stop": 4}, "[[1 2 print x] [1 3 value 1+2]]"},
		{"range to the end", map[string]any{"hist_access_type": "range", "session": 1, "start": 4, "stop": nil}, "[[1 4 value 3]]"},
		{"another session", map[string]any{"hist_access_type": "range", "session": -1, "start": 1}, "[]"},
		{"search", map[string]any{"hist_access_type": "search", "pattern": "*1?2*"}, "[[1 1 value 1+2] [1 3 value 1+2]]"},
		{"search the whole", map[string]any{"hist_access_type": "search", "pattern": "1?2"}, "[]"},
		{"search unique", map[string]any{"hist_access_type": "search", "pattern": "*", "unique": true}, "[[1 2 print x] [1 3 value 1+2] [1 4 value 3]]"},
		{"search last", map[string]any{"hist_access_type": "search", "pattern": "value*", "n": 1}, "[[1 4 value 3]]"},
		{"unknown", map[string]any{"hist_access_type": "x"}, "[]"},
	} {
		r, _ := c.request("history_request", test.content)
		if got := fmt.Sprint(r.Content["history"]); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

func TestGlobMatch(t *testing.T) {
	for _, test := range []struct {
		pattern, text string
		want          bool
	}{
		{"", "", true}, {"*", "", true}, {"?", "", false}, {"a", "a", true}, {"a", "b", false},
		{"a*c", "abbc", true}, {"a*c", "abcd", false}, {"*b*b", "abab", true}, {"?é?", "aéb", true},
		{strings.Repeat("a*", 50) + "b", strings.Repeat("a", 5000), false},
	} {
		if got := globMatch(test.pattern, test.text); got != test.want {
			t.Errorf("globMatch(%.10q, %.10q): got %v, want %v", test.pattern, test.text, got, test.want)
		}
	}
}

func TestComms(t *testing.T) {
	c := startServer(t).connect(t)
	id := c.send("shell", "comm_open", map[string]any{"comm_id": "c1", "target_name": "nobody"})
	out := c.outputs(id)
	if types(out) != "busy comm_close idle" || out[1].str("comm_id") != "c1" {
		t.Errorf("got %v, want busy, comm_close of c1, idle", out)
	}
	id = c.send("shell", "comm_msg", map[string]any{"comm_id": "c1"})
	if got := types(c.outputs(id)); got != "busy idle" {
		t.Errorf("comm_msg: got %s, want busy idle", got)
	}
	c.quiet("shell")
}

// TestRequestTable checks that the table and the replies agree in names.
func TestRequestTable(t *testing.T) {
	for name, r := range requests {
		want := ""
		if base, ok := strings.CutSuffix(name, "_request"); ok {
			want = base + "_reply"
		}
		if r.reply != want {
			t.Errorf("%s: got reply %q, want %q", name, r.reply, want)
		}
		if r.on == 0 || r.serve == nil {
			t.Errorf("%s: the row is not complete: %+v", name, reflect.TypeOf(r))
		}
	}
}
