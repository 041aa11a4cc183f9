package kernel

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"
)

// dated has the client's clock differ from ours, and write dates in a layout.
func (c *client) dated(differs time.Duration, layout string) {
	c.date = func() any { return time.Now().Add(differs).UTC().Format(layout) }
}

const (
	micros = "2006-01-02T15:04:05.000000Z"
	millis = "2006-01-02T15:04:05.000Z"
)

// Cells that are sent at once: none after the one that fails runs, however
// quick the kernel is, and what is sent when the replies are there does.
func TestPipelinedCellsAfterAnError(t *testing.T) {
	for _, timeout := range []time.Duration{0, 30 * time.Millisecond} {
		t.Run(timeout.String(), func(t *testing.T) {
			c := startServer(t, func(ts *testServer) { ts.timeout = timeout }).connect(t)
			c.dated(0, micros)
			c.request("kernel_info_request", map[string]any{})
			for round := range 20 {
				before := len(c.ts.fake.cells())
				// Made before the first is sent, so that no clock is needed to say in what order.
				var ids []string
				var all [][][]byte
				for k := range 8 {
					code := "value 1"
					if k == 1 {
						code = "fail x"
					}
					id, frames := c.message("execute_request", cell(code))
					ids, all = append(ids, id), append(all, frames)
				}
				for _, frames := range all {
					c.sendFrames("shell", frames)
				}
				c.reply("shell", ids[0])
				if r := c.reply("shell", ids[1]); r.str("ename") != "Fail" {
					t.Fatalf("got %v, want Fail", r)
				}
				c.wantAborted(ids[2:])
				if r, _ := c.run("value 1"); r.str("status") != "ok" || r.num("execution_count") != 3*(round+1) {
					t.Fatalf("round %d: got %v, want ok and the number %d", round, r, 3*(round+1))
				}
				if n := len(c.ts.fake.cells()) - before; n != 3 {
					t.Fatalf("round %d: %d cells ran, want 3", round, n)
				}
			}
		})
	}
}

// A cell that comes late, by the date in its header or within the time that
// errors are held back, is aborted; one whose date says nothing of the kind,
// or nothing, runs.
func TestLateCellsAfterAnError(t *testing.T) {
	type dates func(sent time.Time) any // of a late cell, after a cell that was sent then has failed
	early := func(differs time.Duration, layout string) dates {
		return func(sent time.Time) any { return sent.Add(20*time.Millisecond + differs).UTC().Format(layout) }
	}
	now := func(differs time.Duration, layout string) dates {
		return func(time.Time) any { return time.Now().Add(differs).UTC().Format(layout) }
	}
	text := func(v any) dates { return func(time.Time) any { return v } }
	for _, test := range []struct {
		name    string
		differs time.Duration // the client's clock
		layout  string
		date    dates
		want    string
	}{
		{"before the error", 0, micros, early(0, micros), "aborted"},
		{"before the error, milliseconds", 0, millis, early(0, millis), "aborted"},
		{"before the error, a clock that is an hour behind", -time.Hour, micros, early(-time.Hour, micros), "aborted"},
		{"before the error, a clock that is a day ahead", 24 * time.Hour, micros, early(24*time.Hour, micros), "aborted"},
		{"before the error, local time", 0, "2006-01-02T15:04:05.000000+00:00", early(0, "2006-01-02T15:04:05.000000+00:00"), "aborted"},
		{"after the error", 0, micros, now(0, micros), "ok"},
		{"after the error, milliseconds", 0, millis, now(0, millis), "ok"},
		{"after the error, seconds", 0, "2006-01-02T15:04:05Z", now(0, "2006-01-02T15:04:05Z"), "ok"},
		{"after the error, behind", -time.Hour, micros, now(-time.Hour, micros), "ok"},
		{"after the error, ahead", time.Hour, micros, now(time.Hour, micros), "ok"},
		{"the clock was set back an hour", 0, micros, now(-time.Hour, micros), "ok"},
		{"the clock was set ahead", 0, micros, now(time.Hour, micros), "ok"},
		{"no date", 0, micros, text(""), "ok"},
		{"null", 0, micros, text(nil), "ok"},
		{"a number", 0, micros, text(7), "ok"},
		{"an object", 0, micros, text(map[string]any{"a": 1}), "ok"},
		{"no such day", 0, micros, text("2026-02-31T00:00:00Z"), "ok"},
		{"long ago", 0, micros, text("0001-01-01T00:00:00Z"), "ok"},
		{"in a long time", 0, micros, text("9999-12-31T23:59:59.999999Z"), "ok"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := startServer(t).connect(t)
			c.dated(test.differs, test.layout)
			c.request("kernel_info_request", map[string]any{})
			sent := time.Now()
			if r, _ := c.run("sleep 50ms\nfail x"); r.str("ename") != "Fail" {
				t.Fatalf("got %v, want Fail", r)
			}
			time.Sleep(200 * time.Millisecond)
			c.date = func() any { return test.date(sent) }
			if r, _ := c.run("value 1"); r.str("status") != test.want {
				t.Errorf("got %v, want %s", r, test.want)
			}
			c.dated(test.differs, test.layout)
			if r, _ := c.run("value 1"); r.str("status") != "ok" {
				t.Errorf("the next: got %v, want ok", r)
			}
		})
	}
}

// What another client sends has nothing to do with the error, whatever its
// clock says; nor has what is no cell, nor what a client sent that wants no stop.
func TestOthersRunAfterAnError(t *testing.T) {
	ts := startServer(t, func(ts *testServer) { ts.timeout = 150 * time.Millisecond })
	c, other := ts.connect(t), ts.connect(t)
	for _, x := range []*client{c, other} {
		x.dated(0, micros)
		x.request("kernel_info_request", map[string]any{})
	}
	failing := c.send("shell", "execute_request", cell("print x\nfail x"))
	for c.next("iopub").Type != "stream" {
	}
	second := c.send("shell", "execute_request", cell("value 1")) // while the error is held back
	others := other.send("shell", "execute_request", cell("value 2"))
	info := c.send("shell", "kernel_info_request", map[string]any{})
	if r := c.reply("shell", info); r.str("status") != "ok" {
		t.Errorf("got %v, want ok", r)
	}
	if r := c.reply("shell", failing); r.str("ename") != "Fail" {
		t.Fatalf("got %v, want Fail", r)
	}
	c.wantAborted([]string{second})
	if r := other.reply("shell", others); r.str("status") != "ok" {
		t.Errorf("another client: got %v, want ok", r)
	}
	start := time.Now()
	ids := []string{c.send("shell", "execute_request", cell("fail x", "stop_on_error", false)), c.send("shell", "execute_request", cell("value 1"))}
	c.reply("shell", ids[0])
	if r := c.reply("shell", ids[1]); r.str("status") != "ok" {
		t.Errorf("stop_on_error=false: got %v, want ok", r)
	}
	if took := time.Since(start); took > 140*time.Millisecond {
		t.Logf("an error that stops nothing took %v", took)
	}
}

// The error of a cell that is interrupted is not held back for requests to come.
func TestHeldErrorIsInterrupted(t *testing.T) {
	c := startServer(t, func(ts *testServer) { ts.timeout = time.Hour }).connect(t)
	id := c.send("shell", "execute_request", cell("fail x"))
	for end := time.Now().Add(patience); len(c.ts.fake.cells()) == 0 && time.Now().Before(end); time.Sleep(time.Millisecond) {
	}
	c.send("control", "interrupt_request", map[string]any{})
	if r := c.reply("shell", id); r.str("status") != "error" {
		t.Errorf("got %v, want an error", r)
	}
	if out := c.outputs(id); types(out) != "busy execute_input error idle" {
		t.Errorf("got %s", types(out))
	}
}

// Nothing that a client writes as its date makes a request look older than it
// is: whatever the clocks differ by, and however long messages are on their way.
func TestMadeIsNeverEarly(t *testing.T) {
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for seed := range 200 {
		var c clients
		differs := time.Duration(seed*7919%7200-3600) * time.Second
		layout := []string{micros, millis, "2006-01-02T15:04:05Z"}[seed%3]
		at := start
		for k := range 50 {
			at = at.Add(time.Duration(seed*31+k*k*17%97) * time.Millisecond / 7)
			way := time.Duration((seed*13+k*29)%50) * time.Millisecond
			raw, _ := json.Marshal(at.Add(differs).Format(layout))
			m := &Message{}
			m.Header.Session, m.Header.Date = "s", raw
			c.arrived(m, at.Add(way))
			if !m.made.IsZero() && m.made.Before(at) {
				t.Fatalf("seed %d, message %d: made at %v, by its date and those before at %v", seed, k, at, m.made)
			}
		}
	}
}

// Clients that are forgotten are no harm.
func TestForgottenClients(t *testing.T) {
	var c clients
	for k := range 3 * maxClients {
		m := &Message{}
		m.Header.Session = fmt.Sprint(k)
		c.arrived(m, time.Now())
	}
	if len(c.known) > maxClients {
		t.Errorf("%d clients are remembered", len(c.known))
	}
}
