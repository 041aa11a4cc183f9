package kernel

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// started runs a cell that waits, until it is known to run.
func (c *client) started(code string, fields ...any) (id string) {
	c.t.Helper()
	id = c.send("shell", "execute_request", cell("print started\n"+code, fields...))
	for {
		if g := c.next("iopub"); g.Parent.ID == id && g.Type == "stream" {
			return id
		}
	}
}

func TestInterrupt(t *testing.T) {
	c := startServer(t).connect(t)
	for name, interrupt := range map[string]func(){
		"message": func() {
			id := c.send("control", "interrupt_request", map[string]any{})
			if r := c.reply("control", id); r.Type != "interrupt_reply" || r.str("status") != "ok" {
				t.Errorf("got %v, want interrupt_reply ok", r)
			}
		},
		"SIGINT": func() {
			if runtime.GOOS == "windows" { // cannot signal itself
				c.ts.interrupt(errInterrupted)
				return
			}
			self, _ := os.FindProcess(os.Getpid())
			if err := self.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			id := c.started("wait")
			start := time.Now()
			interrupt()
			r := c.reply("shell", id)
			if took := time.Since(start); took > time.Second {
				t.Errorf("took %v", took)
			}
			if r.str("status") != "error" || r.str("ename") != "KeyboardInterrupt" {
				t.Errorf("got %v, want KeyboardInterrupt", r)
			}
			if trace, _ := r.Content["traceback"].([]any); len(trace) != 2 || trace[1] != "Cancelled: stopped at line 3" {
				t.Errorf("got traceback %v, want the interpreter's", trace)
			}
			c.stillWorks()
		})
	}
}

func TestInterruptWhenIdle(t *testing.T) {
	c := startServer(t).connect(t)
	c.reply("control", c.send("control", "interrupt_request", map[string]any{}))
	c.stillWorks()
}

// queued sends cells that wait behind a running one until it is known that
// they have been received.
func (c *client) queued(codes ...string) (ids []string) {
	c.t.Helper()
	want := c.ts.queue.newest() + uint64(len(codes))
	for _, code := range codes {
		ids = append(ids, c.send("shell", "execute_request", cell(code)))
	}
	for end := time.Now().Add(patience); c.ts.queue.newest() < want; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			c.t.Fatal("the cells were not received")
		}
	}
	return ids
}

func (c *client) wantAborted(ids []string) {
	c.t.Helper()
	for _, id := range ids {
		if r := c.reply("shell", id); len(r.Content) != 1 || r.str("status") != "aborted" {
			c.t.Errorf("a cell that waited: got %v, want the status aborted and nothing else", r)
		}
		if out := c.outputs(id); types(out) != "busy idle" {
			c.t.Errorf("a cell that waited: got %s, want busy idle", types(out))
		}
	}
}

func TestInterruptAbortsTheQueue(t *testing.T) {
	c := startServer(t).connect(t)
	// It is the interrupt, not the error, that aborts the queue.
	id := c.started("wait", "stop_on_error", false)
	ids := c.queued("value 1", "value 2")
	c.send("control", "interrupt_request", map[string]any{})
	c.reply("shell", id)
	c.wantAborted(ids)
	if cells := c.ts.fake.cells(); len(cells) != 1 {
		t.Errorf("ran %q, want the first only", cells)
	}
	c.stillWorks()
}

func TestErrorAbortsTheQueue(t *testing.T) {
	for _, test := range []struct {
		name string
		stop []any
		want string
	}{
		{"stop", nil, "error"},
		{"stop_on_error false", []any{"stop_on_error", false}, "ok"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := startServer(t).connect(t)
			id := c.started("hold\nfail x", test.stop...)
			ids := c.queued("value 1", "value 2")
			info := c.send("shell", "kernel_info_request", map[string]any{})
			if r := c.reply("shell", info); r.str("status") != "ok" {
				t.Errorf("a request that is not a cell: got %v, want ok", r)
			}
			close(c.ts.fake.release)
			if r := c.reply("shell", id); r.str("ename") != "Fail" {
				t.Fatalf("got %v, want Fail", r)
			}
			if test.want == "error" {
				c.wantAborted(ids)
			} else {
				for _, id := range ids {
					if r := c.reply("shell", id); r.str("status") != "ok" {
						t.Errorf("got %v, want ok", r)
					}
				}
			}
			// A cell that comes after the error is a new wish.
			if r, _ := c.run("value 1"); r.str("status") != "ok" {
				t.Errorf("a later cell: got %v, want ok", r)
			}
		})
	}
}

// What looks at a session is answered while a cell runs, and front ends are told then that it still
// runs.
func TestShellAnswersWhileBusy(t *testing.T) {
	c := startServer(t).connect(t)
	id := c.started("wait")
	for _, ask := range []struct {
		request, reply string
		content        map[string]any
	}{
		{"complete_request", "complete_reply", map[string]any{"code": "va", "cursor_pos": 2}},
		{"inspect_request", "inspect_reply", map[string]any{"code": "value", "cursor_pos": 2}},
		{"is_complete_request", "is_complete_reply", map[string]any{"code": "value"}},
		{"history_request", "history_reply", map[string]any{"hist_access_type": "tail", "n": 1}},
		{"comm_info_request", "comm_info_reply", map[string]any{}},
		{"kernel_info_request", "kernel_info_reply", map[string]any{}},
		{"usage_request", "usage_reply", map[string]any{}},
	} {
		asked := c.send("shell", ask.request, ask.content)
		if r := c.reply("shell", asked); r.Type != ask.reply || r.str("status") == "error" {
			t.Errorf("%s: got %v", ask.request, r)
		}
		var states []string
		for len(states) < 3 {
			m := c.next("iopub")
			if m.Type != "status" || m.Parent.ID != map[bool]string{true: id, false: asked}[len(states) == 2] {
				t.Fatalf("%s: got %v after %v", ask.request, m, states)
			}
			states = append(states, m.str("execution_state"))
		}
		if got := strings.Join(states, " "); got != "busy idle busy" {
			t.Errorf("%s: got %s, want busy idle, and of the cell busy", ask.request, got)
		}
	}
	c.send("control", "interrupt_request", map[string]any{})
	c.reply("shell", id)
	c.quiet("shell")
}

func TestControlAnswersWhileBusy(t *testing.T) {
	c := startServer(t).connect(t)
	id := c.started("wait")
	info := c.send("control", "kernel_info_request", map[string]any{})
	if r := c.reply("control", info); r.Type != "kernel_info_reply" {
		t.Errorf("got %v, want kernel_info_reply", r)
	}
	c.send("control", "execute_request", cell("value 1")) // not served here
	c.ts.waitLog(t, "request not served")
	c.send("control", "interrupt_request", map[string]any{})
	c.reply("shell", id)
	c.quiet("shell")
}

func TestInput(t *testing.T) {
	c := startServer(t).connect(t)
	for _, test := range []struct {
		code     string
		password bool
	}{{"ask", false}, {"ask secret", true}} {
		id := c.send("shell", "execute_request", cell("print before\n"+test.code, "allow_stdin", true))
		q := c.next("stdin")
		if q.Type != "input_request" || q.Parent.ID != id || q.str("prompt") != "name? " || q.Content["password"] != test.password {
			t.Fatalf("got %v, want an input_request, password %v", q, test.password)
		}
		c.send("stdin", "input_reply", map[string]any{"value": "Ada"})
		out := c.outputs(id)
		if got := types(out); got != "busy execute_input stream stream idle" {
			t.Errorf("got %s", got)
		}
		if streams := find(out, "stream"); len(streams) == 2 && streams[1].str("text") != "Ada" {
			t.Errorf("got %v, want Ada", streams[1])
		}
		c.reply("shell", id)
	}
	// An answer to no question does not answer the next one.
	c.send("stdin", "input_reply", map[string]any{"value": "early"})
	c.send("stdin", "kernel_info_request", map[string]any{})
	c.ts.waitLog(t, "no open question")
	id := c.send("shell", "execute_request", cell("ask", "allow_stdin", true))
	c.next("stdin")
	c.send("stdin", "input_reply", map[string]any{"value": "Eve"})
	if text := find(c.outputs(id), "stream")[0].str("text"); text != "Eve" {
		t.Errorf("got %q, want Eve", text)
	}
}

func TestInputRefused(t *testing.T) {
	c := startServer(t).connect(t)
	r, _ := c.run("ask", "allow_stdin", false)
	if r.str("ename") != "StdinNotImplementedError" {
		t.Errorf("got %v, want StdinNotImplementedError", r)
	}
	c.quiet("stdin")
}

func TestInterruptWhileAsking(t *testing.T) {
	c := startServer(t).connect(t)
	id := c.send("shell", "execute_request", cell("ask", "allow_stdin", true))
	c.next("stdin")
	c.send("control", "interrupt_request", map[string]any{})
	if r := c.reply("shell", id); r.str("ename") != "KeyboardInterrupt" {
		t.Errorf("got %v, want KeyboardInterrupt", r)
	}
	c.stillWorks()
}

func TestShutdown(t *testing.T) {
	for _, test := range []struct {
		channel string
		restart bool
	}{{"control", false}, {"control", true}, {"shell", false}} {
		t.Run(test.channel, func(t *testing.T) {
			ts := startServer(t)
			c, watcher := ts.connect(t), ts.connect(t)
			c.run("value 1")
			id := c.send(test.channel, "shutdown_request", map[string]any{"restart": test.restart})
			if r := c.reply(test.channel, id); r.Type != "shutdown_reply" || r.Content["restart"] != test.restart || r.str("status") != "ok" {
				t.Errorf("got %v, want shutdown_reply ok, restart %v", r, test.restart)
			}
			if out := watcher.outputs(id); types(out) != "busy shutdown_reply idle" {
				t.Errorf("got %s, want busy shutdown_reply idle", types(out))
			}
			select {
			case err := <-ts.ended:
				if err != nil {
					t.Errorf("Run: got %v, want nil", err)
				}
			case <-time.After(patience):
				t.Fatal("Run has not returned")
			}
		})
	}
}

// Shutdown stops the running cell, and what is said of that cell arrives.
func TestShutdownWhileBusy(t *testing.T) {
	c := startServer(t).connect(t)
	id := c.started("wait")
	c.reply("control", c.send("control", "shutdown_request", map[string]any{}))
	if r := c.reply("shell", id); r.str("ename") != "KeyboardInterrupt" {
		t.Errorf("got %v, want KeyboardInterrupt", r)
	}
	if out := c.outputs(id); types(out) != "error idle" {
		t.Errorf("got %s, want error idle", types(out))
	}
	if err := <-c.ts.ended; err != nil {
		t.Errorf("Run: got %v, want nil", err)
	}
}

// Run does not wait for ever for a cell that ignores its context.
func TestShutdownOfAStubbornCell(t *testing.T) {
	c := startServer(t).connect(t)
	c.started("sleep 3s")
	c.reply("control", c.send("control", "shutdown_request", map[string]any{}))
	select {
	case <-c.ts.ended:
	case <-time.After(2 * time.Second):
		t.Error("Run has not returned")
	}
	if !strings.Contains(c.ts.log.String(), "does not stop") {
		t.Errorf("log: got %s, want a word about the cell", c.ts.log)
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	ts := startServer(t)
	ts.cancel()
	if err := <-ts.ended; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

func TestWatchParent(t *testing.T) {
	checks := 0
	gone := make(chan struct{})
	watchParent(func() bool { checks++; return checks < 3 }, time.Millisecond, gone, nil)
	select {
	case <-gone:
	default:
		t.Error("the parent died: got no word of it")
	}
	if checks != 3 {
		t.Errorf("got %d checks, want 3", checks)
	}
	done := make(chan struct{})
	close(done)
	watchParent(func() bool { return true }, time.Hour, nil, done) // returns
	if !running(os.Getpid()) {
		t.Error("this process is said not to run")
	}
}

func TestParentWatch(t *testing.T) {
	for env, want := range map[string]bool{"": false, "x": false, "1": false, "999999999": false} {
		t.Setenv("JPY_PARENT_PID", env)
		if got := parentWatch() != nil; got != want {
			t.Errorf("JPY_PARENT_PID=%q: got a watch %v, want %v", env, got, want)
		}
	}
}

// A channel outlives a bug in its loop.
func TestLoopsAreStartedAgain(t *testing.T) {
	ts := startServer(t)
	runs := 0
	ended := ts.start("loop", func() {
		if runs++; runs < 3 {
			panic("in the loop")
		}
	})
	select {
	case <-ended:
	case <-time.After(patience):
		t.Fatal("the loop has not ended")
	}
	if runs != 3 {
		t.Errorf("got %d runs, want 3", runs)
	}
	ts.waitLog(t, "in the loop")
}
