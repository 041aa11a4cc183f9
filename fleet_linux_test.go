package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/arignote/arignote/cluster"
	"github.com/arignote/arignote/cluster/hub"
)

var chaos = flag.Duration("chaos", 0, "for how long TestFleetChaos goes on; a few seconds if not given")

// A process is a program that a test has started, and ends.
type process struct {
	*exec.Cmd
	out  *bytes.Buffer
	mu   sync.Mutex
	done chan struct{}
}

func (p *process) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.Write(b)
}

func (p *process) said() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.String()
}

// kill ends it as the system does that has no memory left.
func (p *process) kill() {
	_ = p.Process.Kill()
	<-p.done
}

func startProcess(t *testing.T, dir string, argv ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(argv[0], argv[1:]...), out: new(bytes.Buffer), done: make(chan struct{})}
	p.Dir, p.Stdout, p.Stderr = dir, p, p
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.Wait()
		close(p.done)
	}()
	t.Cleanup(p.kill)
	return p
}

// A testFleet is a hub and its workers, as processes.
type testFleet struct {
	t       *testing.T
	dir     string
	url     string
	hub     *process
	workers []*process
}

func (f *testFleet) startHub() {
	f.t.Helper()
	listen := "127.0.0.1:0"
	if f.url != "" {
		listen = strings.TrimPrefix(f.url, "nats://")
	}
	read, write := io.Pipe()
	p := &process{Cmd: exec.Command("arignote-hub", "--dir", filepath.Join(f.dir, "hub"), "--listen", listen), out: new(bytes.Buffer), done: make(chan struct{})}
	p.Stdout, p.Stderr = write, p
	if err := p.Start(); err != nil {
		f.t.Fatal(err)
	}
	go func() {
		_ = p.Wait()
		write.Close()
		close(p.done)
	}()
	f.t.Cleanup(p.kill)
	line, err := bufio.NewReader(read).ReadBytes('\n')
	var ready hub.Ready
	if err == nil {
		err = json.Unmarshal(line, &ready)
	}
	if err != nil {
		f.t.Fatalf("hub: %v: %s", err, p.said())
	}
	go io.Copy(io.Discard, read)
	f.url, f.hub = ready.URL, p
}

func (f *testFleet) creds() string { return filepath.Join(f.dir, "hub", hub.TokenFile) }

func (f *testFleet) connect() *cluster.Conn {
	f.t.Helper()
	conn, err := cluster.Connect(f.t.Context(), cluster.Options{URL: f.url, Creds: f.creds(), Version: version})
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(conn.Close)
	return conn
}

func (f *testFleet) startWorker(more ...string) *process {
	p := startProcess(f.t, f.dir, append([]string{"arignote", "worker", "--connect", f.url, "--creds", f.creds(), "--threads", "1", "--ack-wait", "1s"}, more...)...)
	f.workers = append(f.workers, p)
	return p
}

func newFleet(t *testing.T, workers int) *testFleet {
	t.Helper()
	f := &testFleet{t: t, dir: t.TempDir()}
	f.startHub()
	for range workers {
		f.startWorker()
	}
	return f
}

// run starts a script.
func (f *testFleet) run(code string) *process {
	f.t.Helper()
	file := filepath.Join(f.dir, fmt.Sprintf("%x.star", rand.Uint32()))
	if err := os.WriteFile(file, []byte(code), 0o666); err != nil {
		f.t.Fatal(err)
	}
	return startProcess(f.t, f.dir, "arignote", "run", "--flags", "cluster.connect="+f.url+",cluster.creds="+f.creds(), file)
}

func (f *testFleet) wait(p *process, within time.Duration) string {
	f.t.Helper()
	select {
	case <-p.done:
	case <-time.After(within):
		f.t.Fatalf("the program does not end: %s", p.said())
	}
	return p.said()
}

// TestFleetChaos: workers and the hub are killed while a map runs, and every item has its result,
// in order, and none twice. -chaos says for how long.
func TestFleetChaos(t *testing.T) {
	t.Parallel()
	f := newFleet(t, 2)
	items, pause := 320, 0.02
	if *chaos > 0 {
		items = max(items, int(chaos.Seconds()/pause))
	}
	p := f.run(fmt.Sprintf(`
x = T.dvector("x")
n = T.lscalar("n")
# About %[2]g seconds a task, so that there is something to kill; every 50th is of 16 MB.
loop = theano.scan(lambda s: T.tanh(s + x[0]) + 0.5, outputs_info=T.zeros_like(x), n_steps=n)[0][-1]
f = function([x, n], [x.sum(), loop.sum(), x], name="f")
def args():
    for i in range(%[1]d):
        yield (np.ones(2000000 if i %% 50 == 7 else 100) * i, 2 if i %% 50 == 7 else 8000)
wrong, count = 0, 0
with Cluster() as c:
    for i, r in enumerate(c.map(f, args(), retries=1000)):
        count += 1
        size = 2000000 if i %% 50 == 7 else 100
        if r[0] != float(i) * size or len(r[2]) != size or r[2][0] != i or r[2][size - 1] != i:
            wrong += 1
print(count, "results,", wrong, "wrong")
`, items, pause))
	random := rand.New(rand.NewPCG(1, 1))
	kills := map[string]int{}
	for running := true; running; {
		select {
		case <-p.done:
			running = false
			continue
		case <-time.After(time.Duration(200+random.IntN(500)) * time.Millisecond):
		}
		if *chaos == 0 && kills["hub"]+kills["worker"] >= 5 { // enough for a short run
			continue
		}
		switch i := random.IntN(len(f.workers)); {
		case kills["hub"] == 0 && kills["worker"] > 0 || random.IntN(6) == 0:
			f.hub.kill()
			time.Sleep(time.Duration(random.IntN(1000)) * time.Millisecond)
			f.startHub()
			kills["hub"]++
		default:
			f.workers[i].kill()
			f.workers = append(f.workers[:i], f.workers[i+1:]...)
			f.startWorker()
			kills["worker"]++
		}
	}
	t.Logf("killed: %v", kills)
	if got, want := p.said(), fmt.Sprintf("%d results, 0 wrong\n", items); !strings.HasSuffix(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
	if kills["hub"] == 0 || kills["worker"] == 0 {
		t.Errorf("got %v kills, want some of each", kills)
	}
}

// longTask has f, whose tasks take as long as they are told to.
const longTask = `
x, n = T.dscalar("x"), T.lscalar("n")
f = function([x, n], theano.scan(lambda s: T.tanh(s + x) + 0.5, outputs_info=T.zeros_like(x), n_steps=n)[0][-1], name="f")
`

// TestFleetPoison: a task that has its workers killed fails by name, and the others do not.
func TestFleetPoison(t *testing.T) {
	t.Parallel()
	f := newFleet(t, 1)
	conn := f.connect()
	p := f.run(longTask + `
c = Cluster()
r = c.map(f, [(1.0, 10), (2.0, 200000000), (3.0, 10)], retries=1)
print(next(r) > 0)
try:
    next(r)
except RuntimeError as e:
    print("RuntimeError:", e)
`)
	for kills := 0; kills < 2; {
		workers, err := conn.Workers(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range workers {
			if w.PID == f.workers[kills].Process.Pid && strings.HasSuffix(w.Now, ".1") {
				f.workers[kills].kill()
				kills++
				f.startWorker()
			}
		}
		select {
		case <-p.done:
			t.Fatal(p.said())
		case <-time.After(50 * time.Millisecond):
		}
	}
	want := "True\nRuntimeError: the task was given to a worker 2 times, and each time the worker ended or was cut off before it had a result; retries=1\n"
	if got := f.wait(p, 60*time.Second); !strings.HasPrefix(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestFleetInterrupt: an interrupt ends the map, and what runs of it.
func TestFleetInterrupt(t *testing.T) {
	t.Parallel()
	f := newFleet(t, 1)
	conn := f.connect()
	p := f.run(longTask + `
list(Cluster().map(f, [(1.0, 200000000)] * 5))
`)
	running := func() int {
		got, err := conn.Fleet(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return got.Queues[0].Running
	}
	waitFor(t, p, func() bool { return running() > 0 })
	if err := p.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if got := f.wait(p, 30*time.Second); !strings.Contains(got, "KeyboardInterrupt") {
		t.Errorf("got %s", got)
	}
	waitFor(t, nil, func() bool {
		got, err := conn.Fleet(t.Context())
		return err == nil && got.Queues[0].Running == 0 && len(got.Jobs) == 0
	})
}

// TestFleetLeave: a worker that is told to end gives its task to another at once.
func TestFleetLeave(t *testing.T) {
	t.Parallel()
	f := newFleet(t, 0)
	conn := f.connect()
	first := f.startWorker("--ack-wait", "10m", "--name", "first")
	p := f.run(longTask + `
print(next(Cluster().map(f, [(1.0, 20000000)], retries=0)) > 0)
`)
	running := func() bool {
		got, err := conn.Fleet(t.Context())
		return err == nil && got.Queues[0].Running > 0
	}
	waitFor(t, p, running)
	time.Sleep(100 * time.Millisecond)
	if err := first.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	f.wait(first, 30*time.Second)
	f.startWorker("--ack-wait", "10m", "--name", "second")
	if got := f.wait(p, 120*time.Second); got != "True\n" {
		t.Errorf("got %s", got)
	}
}

func waitFor(t *testing.T, p *process, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			text := ""
			if p != nil {
				text = p.said()
			}
			t.Fatalf("it takes too long: %s", text)
		}
	}
}

// TestFleetOrphans: the hub and the workers that Cluster() has started end with a program that is
// killed, and the folder of the hub goes.
func TestFleetOrphans(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "a.star")
	code := longTask + `
c = Cluster(workers=2)
while len(c.workers()) < 2:
    pass
print(c.creds, *[w["pid"] for w in c.workers()])
list(c.map(f, [(1.0, 200000000)] * 5))
`
	if err := os.WriteFile(file, []byte(code), 0o666); err != nil {
		t.Fatal(err)
	}
	p := startProcess(t, dir, "arignote", "run", file)
	waitFor(t, p, func() bool { return strings.Contains(p.said(), "\n") })
	said := strings.Fields(p.said())
	if len(said) != 3 {
		t.Fatalf("got %s", p.said())
	}
	p.kill()
	waitFor(t, p, func() bool {
		for _, text := range said[1:] {
			pid, err := strconv.Atoi(text)
			if err != nil {
				t.Fatalf("got %s", p.said())
			}
			if syscall.Kill(pid, 0) == nil {
				return false
			}
		}
		_, err := os.Stat(filepath.Dir(said[0]))
		return os.IsNotExist(err)
	})
}

// TestFleetHubEnds: arignote hub that is told to end takes the server with it.
func TestFleetHubEnds(t *testing.T) {
	t.Parallel()
	p := startProcess(t, t.TempDir(), "arignote", "hub", "--dir", "hub", "--listen", "127.0.0.1:0")
	var ready hub.Ready
	for end := time.Now().Add(30 * time.Second); json.Unmarshal([]byte(p.said()), &ready) != nil; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the hub is not ready: %s", p.said())
		}
	}
	if err := syscall.Kill(ready.PID, 0); err != nil || ready.PID == p.Process.Pid {
		t.Fatalf("the server is no process of its own: %d, %v", ready.PID, err)
	}
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case <-p.done:
	case <-time.After(20 * time.Second):
		t.Fatalf("arignote hub does not end: %s", p.said())
	}
	if err := syscall.Kill(ready.PID, 0); err == nil {
		t.Errorf("the server runs on: %s", p.said())
	}
}
