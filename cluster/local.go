package cluster

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// HubProgram is the name of the server's program.
const HubProgram = "arignote-hub"

// InstallHub is the command that builds it.
const InstallHub = "go install github.com/arignote/arignote/install/arignote-hub@latest"

// FindHub finds the server's program: the one that is named, else the one beside this program, else
// the one in PATH.
func FindHub(named string) (string, error) {
	name := HubProgram
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if named != "" {
		path, err := exec.LookPath(named)
		if err != nil {
			return "", fmt.Errorf("cluster.hub: %w", err)
		}
		return path, nil
	}
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), name)
		if info, err := os.Stat(beside); err == nil && !info.IsDir() {
			return beside, nil
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("there is no %s beside this program or in PATH. It is the server that workers meet at, a program of its own: %s", HubProgram, InstallHub)
	}
	return path, nil
}

// LocalOptions say what a cluster of this machine is made of.
type LocalOptions struct {
	Dir     string // of the hub; "" is one that is removed at the end
	Hub     string // its program; "" is searched for
	Worker  []string
	Workers int
	Threads int       // of a worker's kernels
	Files   string    // the folder of files that workers run; "": they run none
	Stderr  io.Writer // of the workers
}

// A Local is a hub and workers that are children of this process. They end with it, however it
// ends: each reads its standard input to the end.
type Local struct {
	o     LocalOptions
	dir   string
	ready struct{ URL, Creds string }
	hub   *child

	mu      sync.Mutex
	workers []*child
	closed  bool
	over    sync.WaitGroup
}

// A child is a process that ends when its standard input does.
type child struct {
	cmd  *exec.Cmd
	stop io.Closer
	done chan struct{}
	err  error
}

func start(argv []string, env []string, stdout, stderr io.Writer) (*child, error) {
	c := &child{cmd: exec.Command(argv[0], argv[1:]...), done: make(chan struct{})}
	c.cmd.Stdout, c.cmd.Stderr = stdout, stderr
	c.cmd.Env = append(os.Environ(), env...)
	apart(c.cmd)
	stop, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	c.stop = stop
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		c.err = c.cmd.Wait()
		close(c.done)
	}()
	return c, nil
}

// end ends a child, if need be by force.
func (c *child) end() {
	_ = c.stop.Close()
	select {
	case <-c.done:
	case <-time.After(5 * time.Second):
		_ = c.cmd.Process.Kill()
		<-c.done
	}
}

// StartLocal starts a hub and its workers.
func StartLocal(ctx context.Context, o LocalOptions) (*Local, error) {
	program, err := FindHub(o.Hub)
	if err != nil {
		return nil, err
	}
	l := &Local{o: o, dir: o.Dir}
	argv := []string{program, "--listen", "127.0.0.1:0", "--until-eof"}
	if l.dir == "" {
		if l.dir, err = os.MkdirTemp("", "arignote-hub-"); err != nil {
			return nil, err
		}
		argv = append(argv, "--temporary")
	}
	argv = append(argv, "--dir", l.dir)
	said, line := new(lockedBuffer), make(chan []byte, 1)
	read, write := io.Pipe()
	if l.hub, err = start(argv, nil, write, said); err != nil {
		return nil, err
	}
	go func() {
		first, _ := bufio.NewReader(read).ReadBytes('\n')
		line <- first
		_, _ = io.Copy(io.Discard, read)
	}()
	fail := func(err error) (*Local, error) {
		l.Close()
		if text := strings.TrimSpace(said.String()); text != "" {
			err = fmt.Errorf("%w: %s", err, text)
		}
		return nil, err
	}
	select {
	case first := <-line:
		if err := json.Unmarshal(first, &l.ready); err != nil {
			return fail(fmt.Errorf("%s does not start: it says %q", program, first))
		}
	case <-l.hub.done:
		return fail(fmt.Errorf("%s does not start", program))
	case <-time.After(30 * time.Second):
		return fail(fmt.Errorf("%s does not start in 30 seconds", program))
	case <-ctx.Done():
		return fail(context.Cause(ctx))
	}
	for i := range o.Workers {
		if err := l.startWorker(i); err != nil {
			return fail(err)
		}
	}
	return l, nil
}

// worker is the command of a worker.
func (l *Local) worker(i int) []string {
	argv := append([]string{}, l.o.Worker...)
	argv = append(argv, "--connect", l.ready.URL, "--creds", l.ready.Creds, "--threads", strconv.Itoa(l.o.Threads), "--name", fmt.Sprintf("local-%d-%d", os.Getpid(), i), "--until-eof", "--quiet")
	if l.o.Files != "" {
		argv = append(argv, "--files", l.o.Files)
	}
	return argv
}

// startWorker starts a worker, and another one when it dies: a task may have had it killed.
func (l *Local) startWorker(i int) error {
	run := func() (*child, error) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.closed {
			return nil, errors.New("the cluster is closed")
		}
		c, err := start(l.worker(i), nil, io.Discard, l.o.Stderr)
		if err == nil {
			for len(l.workers) <= i {
				l.workers = append(l.workers, nil)
			}
			l.workers[i] = c
		}
		return c, err
	}
	c, err := run()
	if err != nil {
		return err
	}
	l.over.Go(func() {
		for wait := 100 * time.Millisecond; ; wait = min(2*wait, 10*time.Second) {
			began := time.Now()
			<-c.done
			if time.Since(began) > time.Minute {
				wait = 100 * time.Millisecond
			}
			if l.isClosed() {
				return
			}
			time.Sleep(wait)
			var err error
			if c, err = run(); err != nil {
				return
			}
		}
	})
	return nil
}

func (l *Local) isClosed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.closed
}

// URL is where the hub is.
func (l *Local) URL() string { return l.ready.URL }

// Creds is the file with its token.
func (l *Local) Creds() string { return l.ready.Creds }

// PIDs are the processes of the workers.
func (l *Local) PIDs() []int {
	l.mu.Lock()
	defer l.mu.Unlock()
	var list []int
	for _, c := range l.workers {
		if c != nil {
			list = append(list, c.cmd.Process.Pid)
		}
	}
	return list
}

// Close ends the workers and the hub.
func (l *Local) Close() {
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return
	}
	l.closed = true
	workers := l.workers
	l.mu.Unlock()
	var ends sync.WaitGroup
	for _, c := range workers {
		if c != nil {
			ends.Go(c.end)
		}
	}
	ends.Wait()
	if l.hub != nil {
		l.hub.end()
	}
	l.over.Wait()
	if l.o.Dir == "" {
		_ = os.RemoveAll(l.dir)
	}
}

// A lockedBuffer keeps what a process says.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.b.Len() > 64<<10 {
		return len(p), nil
	}
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
