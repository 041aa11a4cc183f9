package cluster_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/arignote/arignote/cluster"
	"github.com/arignote/arignote/cluster/hub"
)

// A shouter runs tasks whose results are the program and the input in capitals.
type shouter struct {
	refuses string        // why it opens no program
	took    atomic.Int64  // tasks
	slow    chan struct{} // a task "slow" waits for it
}

type shouted struct {
	*shouter
	program string
}

func (s *shouter) Open(_ context.Context, _, _ string, program []byte) (cluster.Program, error) {
	if s.refuses != "" {
		return nil, errors.New(s.refuses)
	}
	return shouted{s, string(program)}, nil
}

func (s shouted) Run(ctx context.Context, n int, input []byte) ([]byte, error) {
	s.took.Add(1)
	switch text := string(input); {
	case text == "fail":
		return nil, &cluster.Failure{Class: "ValueError", Message: fmt.Sprintf("task %d is to fail", n)}
	case text == "slow":
		select {
		case <-s.slow:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	return append([]byte(s.program), bytes.ToUpper(input)...), nil
}

func connect(t *testing.T, h *hub.Hub, version string) *cluster.Conn {
	t.Helper()
	c, err := cluster.Connect(t.Context(), cluster.Options{URL: h.URL(), Creds: h.TokenPath(), Version: version, AckWait: 500 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// work runs a worker until the test ends, or until stop is called.
func work(t *testing.T, h *hub.Hub, name, version string, s *shouter) (stop func()) {
	t.Helper()
	w := &cluster.Worker{Conn: connect(t, h, version), Runner: s, Info: cluster.WorkerInfo{ID: name, Host: "here", Kinds: []string{cluster.Functions}}}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := w.Run(ctx); err != nil {
			t.Errorf("worker %s: %v", name, err)
		}
	}()
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return stop
}

func newJob(t *testing.T, c *cluster.Conn, o cluster.JobOptions) *cluster.Job {
	t.Helper()
	o.Kind = cluster.Functions
	if o.Program == nil {
		o.Program = []byte("p:")
	}
	j, err := c.NewJob(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(j.Close)
	return j
}

func submit(t *testing.T, j *cluster.Job, inputs ...string) {
	t.Helper()
	for _, in := range inputs {
		if err := j.Submit(t.Context(), []byte(in)); err != nil {
			t.Fatal(err)
		}
	}
}

func result(t *testing.T, j *cluster.Job) *cluster.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	r, err := j.Next(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestJob(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir(), "")
	s := &shouter{}
	for i := range 3 {
		work(t, h, fmt.Sprint("w", i), "1", s)
	}
	c := connect(t, h, "1")
	t.Run("results are in order, each once", func(t *testing.T) {
		j := newJob(t, c, cluster.JobOptions{})
		const n = 500
		for i := range n {
			submit(t, j, fmt.Sprint("a", i))
		}
		for i := range n {
			if r := result(t, j); r.N != i || string(r.Value) != fmt.Sprintf("p:A%d", i) {
				t.Fatalf("got %d %q %v, want the result of task %d", r.N, r.Value, r.Failure, i)
			}
		}
		if _, err := j.Next(t.Context()); err == nil {
			t.Error("there is one more")
		}
	})
	t.Run("a failure is the result of its task alone", func(t *testing.T) {
		j := newJob(t, c, cluster.JobOptions{})
		submit(t, j, "a", "fail", "b")
		for i, want := range []string{"p:A", "", "p:B"} {
			r := result(t, j)
			if string(r.Value) != want || (r.Failure != nil) != (i == 1) {
				t.Errorf("task %d: got %q, %v", i, r.Value, r.Failure)
			}
			if f := r.Failure; f != nil && (f.Class != "ValueError" || f.Message != "task 1 is to fail" || !strings.HasPrefix(f.Worker, "w")) {
				t.Errorf("got %+v", f)
			}
		}
	})
	t.Run("large values and programs go in parts, and are removed", func(t *testing.T) {
		j := newJob(t, c, cluster.JobOptions{Program: bytes.Repeat([]byte("p"), 3<<20)})
		large := strings.Repeat("x", 9<<20)
		submit(t, j, large, "a")
		if r := result(t, j); len(r.Value) != 12<<20 || !bytes.HasSuffix(r.Value, []byte("XX")) {
			t.Errorf("got %d bytes, %v", len(r.Value), r.Failure)
		}
		if r := result(t, j); !bytes.HasSuffix(r.Value, []byte("pA")) {
			t.Errorf("got %d bytes, %v", len(r.Value), r.Failure)
		}
		nc, err := nats.Connect(h.URL(), nats.Token(tokenOf(t, h)))
		if err != nil {
			t.Fatal(err)
		}
		defer nc.Close()
		js, err := jetstream.New(nc)
		if err != nil {
			t.Fatal(err)
		}
		values, err := js.ObjectStore(t.Context(), "arignote_values")
		if err != nil {
			t.Fatal(err)
		}
		if list, err := values.List(t.Context()); !errors.Is(err, jetstream.ErrNoObjectsFound) {
			t.Errorf("got %d objects that were not removed, %v", len(list), err)
		}
	})
	t.Run("a task that takes too long is stopped", func(t *testing.T) {
		j := newJob(t, c, cluster.JobOptions{Timeout: 50 * time.Millisecond})
		submit(t, j, "slow")
		if f := result(t, j).Failure; f == nil || f.Class != "TimeoutError" || f.Message != "the task took more than the 50ms that timeout allows" {
			t.Errorf("got %+v", f)
		}
	})
	t.Run("closing a job stops what runs and takes back what waits", func(t *testing.T) {
		j, before := newJob(t, c, cluster.JobOptions{}), s.took.Load()
		for range 20 {
			submit(t, j, "slow")
		}
		for s.took.Load() < before+3 {
			time.Sleep(10 * time.Millisecond)
		}
		j.Close()
		deadline := time.Now().Add(20 * time.Second)
		for {
			f, err := c.Fleet(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if f.Jobs[j.ID()] == 0 && f.Queues[0].Running == 0 {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("got %v, %+v", f.Jobs, f.Queues)
			}
			time.Sleep(20 * time.Millisecond)
		}
	})
	t.Run("an end of the caller's context ends the wait", func(t *testing.T) {
		j := newJob(t, c, cluster.JobOptions{})
		submit(t, j, "slow")
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		if _, err := j.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
}

// TestTwice: a task that is handed out twice, as one whose worker was cut off, has one result.
func TestTwice(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir(), "")
	s := &shouter{slow: make(chan struct{})}
	c := connect(t, h, "1")
	j := newJob(t, c, cluster.JobOptions{Retries: 3})
	nc, err := nats.Connect(h.URL(), nats.Token(tokenOf(t, h)))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	stop := work(t, h, "first", "1", s) // makes the consumer
	submit(t, j, "slow")
	for s.took.Load() == 0 {
		time.Sleep(5 * time.Millisecond)
	}
	// The same task comes under another id, as from a caller without an answer, and is run beside
	// the first.
	tasks, err := js.Stream(t.Context(), "ARIGNOTE_TASKS")
	if err != nil {
		t.Fatal(err)
	}
	m, err := tasks.GetLastMsgForSubject(t.Context(), fmt.Sprintf("arignote.task.function.%s.0", j.ID()))
	if err != nil {
		t.Fatal(err)
	}
	m.Header.Del("Nats-Msg-Id")
	if _, err := js.PublishMsg(t.Context(), &nats.Msg{Subject: m.Subject, Header: m.Header, Data: m.Data}); err != nil {
		t.Fatal(err)
	}
	work(t, h, "second", "1", s)
	for s.took.Load() < 2 {
		time.Sleep(5 * time.Millisecond)
	}
	close(s.slow)
	if r := result(t, j); string(r.Value) != "p:SLOW" {
		t.Errorf("got %q, %v", r.Value, r.Failure)
	}
	stop()
	results, err := js.Stream(t.Context(), "ARIGNOTE_RESULTS")
	if err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(20 * time.Second)
	for {
		state, err := results.Info(t.Context(), jetstream.WithSubjectFilter("arignote.result."+j.ID()+".>"))
		if err != nil {
			t.Fatal(err)
		}
		f, err := c.Fleet(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if n := state.State.Subjects["arignote.result."+j.ID()+".0"]; n != 1 {
			t.Fatalf("got %d results", n)
		}
		if f.Jobs[j.ID()] == 0 { // both were acknowledged
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("got %v", f.Jobs)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// TestRefused: a worker of another version, or that misses what the program needs, says so; another
// one runs the task. If there is none the job ends.
func TestRefused(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir(), "")
	old, poor := &shouter{}, &shouter{refuses: "cannot compile the function: no operation is called frobnicate"}
	work(t, h, "old", "0.9", old)
	work(t, h, "poor", "1", poor)
	c := connect(t, h, "1")
	j := newJob(t, c, cluster.JobOptions{})
	submit(t, j, "a")
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	_, err := j.Next(ctx)
	want := "no worker runs the tasks:\n    worker old: is version 0.9/1, and the task is of version 1/1\n    worker poor: cannot compile the function: no operation is called frobnicate"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	j.Close()
	good := &shouter{}
	work(t, h, "good", "1", good)
	j = newJob(t, c, cluster.JobOptions{})
	for range 20 {
		submit(t, j, "a")
	}
	for range 20 {
		if r := result(t, j); string(r.Value) != "p:A" || r.Worker != "good" {
			t.Errorf("got %q of %s, %v", r.Value, r.Worker, r.Failure)
		}
	}
	if old.took.Load()+poor.took.Load() != 0 {
		t.Error("a worker ran what it has refused")
	}
}

// TestGivenUp: a task that was lost with its workers as often as retries allows fails by name.
func TestGivenUp(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir(), "")
	c := connect(t, h, "1")
	j := newJob(t, c, cluster.JobOptions{Retries: 1})
	nc, err := nats.Connect(h.URL(), nats.Token(tokenOf(t, h)))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	// Workers that are killed in the task: each is told of it, and is gone.
	for range 3 {
		dead := connect(t, h, "1")
		w := &cluster.Worker{Conn: dead, Runner: killed{dead}, Info: cluster.WorkerInfo{ID: "dead", Kinds: []string{cluster.Functions}}}
		go w.Run(t.Context())
	}
	submit(t, j, "a")
	time.Sleep(1500 * time.Millisecond)
	work(t, h, "good", "1", &shouter{})
	f := result(t, j).Failure
	if f == nil || f.Class != "RuntimeError" || f.Message != "the task was given to a worker 2 times, and each time the worker ended or was cut off before it had a result; retries=1" {
		t.Errorf("got %+v", f)
	}
}

// A killed worker loses its connection in the task, and says nothing more.
type killed struct{ c *cluster.Conn }

func (k killed) Open(context.Context, string, string, []byte) (cluster.Program, error) { return k, nil }
func (k killed) Run(ctx context.Context, _ int, _ []byte) ([]byte, error) {
	k.c.Close()
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestLostStorage: a hub that comes back without what it held is given the tasks again.
func TestLostStorage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := startHub(t, dir, "")
	address := strings.TrimPrefix(h.URL(), "nats://")
	c := connect(t, h, "1")
	j := newJob(t, c, cluster.JobOptions{})
	for range 20 {
		submit(t, j, "a")
	}
	time.Sleep(200 * time.Millisecond)
	h.Stop()
	if err := os.RemoveAll(filepath.Join(dir, "jetstream")); err != nil {
		t.Fatal(err)
	}
	h = startHub(t, dir, address)
	work(t, h, "w", "1", &shouter{})
	for i := range 20 {
		if r := result(t, j); r.N != i || string(r.Value) != "p:A" {
			t.Fatalf("got %d %q, %v", r.N, r.Value, r.Failure)
		}
	}
}

// TestFullDisk: the caller is told that the hub stores no more, and the tasks are run when it does.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	h, err := hub.Start(hub.Options{Dir: t.TempDir(), MaxDisk: 4 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Stop)
	c := connect(t, h, "1")
	told := make(chan string, 10)
	full := newJob(t, c, cluster.JobOptions{})
	large := strings.Repeat("x", 200<<10)
	for range 30 {
		submit(t, full, large)
	}
	j := newJob(t, c, cluster.JobOptions{Warn: func(text string) {
		told <- text
		full.Close()
		work(t, h, "w", "1", &shouter{})
	}})
	const few = 8 // whose results have room beside them
	for range few {
		submit(t, j, large)
	}
	for i := range few {
		if r := result(t, j); r.N != i || len(r.Value) != len("p:")+len(large) {
			t.Fatalf("got %d bytes of task %d, %v", len(r.Value), r.N, r.Failure)
		}
	}
	want := "the hub at " + h.URL() + " does not store what it is given: insufficient resources; the tasks wait until it does"
	if got := <-told; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestConnect(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir(), "")
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "creds")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		name, url, creds, want string
	}{
		{"a wrong token", h.URL(), write("ABCDEFGHIJKLMNOPQRSTUVWXYZ\n"), "the hub at " + h.URL() + " refuses the credentials: they are not those that it was started with"},
		{"no token", h.URL(), "", "got no token and no credentials for the hub, which lets nobody in without: name the file that it has written, DIR/token, as creds"},
		{"no file", h.URL(), "/nowhere/token", "creds: open /nowhere/token: no such file or directory"},
		{"no token in the file", h.URL(), write("a b\n"), "holds neither a token on a line of its own nor credentials of NATS"},
		{"no hub", "nats://127.0.0.1:1", h.TokenPath(), "no hub answers at nats://127.0.0.1:1: arignote hub starts one"},
		{"no address", "127.0.0.1:4222", h.TokenPath(), `got the address "127.0.0.1:4222", want nats://HOST:PORT, or tls://HOST:PORT`},
		{"a password in the address", "nats://me:secret@h:1", h.TokenPath(), "the address nats://me:xxxxx@h:1 has a password in it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := cluster.Connect(t.Context(), cluster.Options{URL: c.url, Creds: c.creds})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
	// A connection without a token is refused.
	if nc, err := nats.Connect(h.URL()); err == nil {
		nc.Close()
		t.Error("the hub let in who had no token")
	}
}
