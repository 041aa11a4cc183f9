package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/arignote/arignote/cluster"
	"github.com/arignote/arignote/kernels/native"
	"github.com/arignote/arignote/profiler/roofline"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/fleet"
	"github.com/arignote/arignote/starlib/visible"
	"github.com/spf13/cobra"
)

// hubCommand runs the server, which is a program of its own.
func hubCommand(stdin io.Reader) *cobra.Command {
	cmd := &cobra.Command{
		Use: "hub [FLAG...]", Short: "start the server that workers meet at, " + cluster.HubProgram, DisableFlagParsing: true,
		Long: "Starts " + cluster.HubProgram + ", a program of its own: the one beside this program, or in PATH, or the one that the flag cluster.hub of\narignote.toml or ARIGNOTE_FLAGS names. " +
			"It stores in a folder, and listens on 127.0.0.1:4222 unless --listen says otherwise; its first line\nsays where it is and which file holds its token. arignote hub --help has its flags.",
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := config.Load(config.Options{})
			if err != nil {
				return err
			}
			program, err := cluster.FindHub(cfg.String("cluster.hub"))
			if err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGTERM) // ends the server too
			defer stop()
			child := exec.CommandContext(ctx, program, args...)
			child.Stdin, child.Stdout, child.Stderr = stdin, cmd.OutOrStdout(), cmd.ErrOrStderr()
			child.Cancel = func() error { return child.Process.Signal(os.Interrupt) }
			child.WaitDelay = 10 * time.Second
			err = child.Run()
			if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
				return shown{err}
			}
			return err
		},
	}
	return cmd
}

// connection are the flags that say which hub to connect to.
type connection struct {
	url, creds, ca string
	flags          []string
}

func (c *connection) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&c.url, "connect", "", "the hub, as `nats://HOST:PORT`; config.cluster.connect if not given")
	f.StringVar(&c.creds, "creds", "", "the `file` with its token, or with credentials of NATS; config.cluster.creds if not given")
	f.StringVar(&c.ca, "ca", "", "a `file` of certificates that sign the hub's")
	f.StringArrayVar(&c.flags, "flags", nil, "flags: name=value,...")
}

// options are those of the flags, and of arignote.toml and the environment where they say nothing.
func (c *connection) options(name string) (cluster.Options, error) {
	cfg, err := config.Load(config.Options{Args: c.flags})
	if err != nil {
		return cluster.Options{}, err
	}
	url, creds, ca := fleet.Addressed(cfg)
	o := cluster.Options{URL: cmp.Or(c.url, url), Creds: cmp.Or(c.creds, creds), CA: cmp.Or(c.ca, ca), Name: name, Version: version}
	if o.URL == "" {
		return o, errors.New("got no hub: --connect nats://HOST:PORT --creds FILE, or connect and creds of the section cluster in arignote.toml; arignote hub starts one, and says both")
	}
	return o, nil
}

func workerCommand(stdin io.Reader) *cobra.Command {
	var c connection
	var name, files string
	var threads int
	var eof, quiet bool
	var ackWait time.Duration
	cmd := &cobra.Command{
		Use: "worker", Short: "run tasks of a hub", Args: cobra.NoArgs,
		Long: "Runs tasks of a hub, one at a time, until it is interrupted: compiled functions and, with --files DIR, scripts and notebooks of\narignote sweep, which reach the files of DIR alone. " +
			"What a task may take is bounded by the flag memory_limit, and by the time that\nwho gives it allows.",
		Example: "  arignote worker --connect nats://10.0.0.1:4222 --creds token\n  arignote worker --threads 4 --files data --flags memory_limit=8GB",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("threads") {
				if threads < 1 {
					return fmt.Errorf("worker: --threads: got %d, want at least 1", threads)
				}
				c.flags = append(c.flags, "threads="+strconv.Itoa(threads))
			}
			// A worker that is told to end gives its task to another.
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGTERM)
			defer stop()
			if eof {
				ended, cancel := context.WithCancel(ctx)
				defer cancel()
				go func() {
					_, _ = io.Copy(io.Discard, stdin)
					cancel()
				}()
				ctx = ended
			}
			w, err := newWorker(ctx, &c, name, files, ackWait, cmd.ErrOrStderr(), quiet)
			if err != nil {
				if ctx.Err() != nil && eof {
					return nil
				}
				return err
			}
			defer w.Conn.Close()
			return w.Run(ctx)
		},
	}
	c.add(cmd)
	f := cmd.Flags()
	f.StringVar(&name, "name", "", "what the worker is called; its machine and process if not given")
	f.IntVar(&threads, "threads", 0, "that kernels may use: the flag threads")
	f.StringVar(&files, "files", "", "run files of sweeps too, which reach the `folder` alone")
	f.DurationVar(&ackWait, "ack-wait", cluster.DefaultAckWait, "after which time a task is given to another worker whose own says nothing; the first worker of a hub says it")
	f.BoolVar(&quiet, "quiet", false, "say nothing")
	f.BoolVar(&eof, "until-eof", false, "end when standard input does")
	return cmd
}

// startWorker is the command that starts a worker on this machine: this program or, of its tests,
// the one in PATH. nil: there is none.
func startWorker() []string {
	self, err := os.Executable()
	if err == nil && strings.HasSuffix(self, ".test") {
		self, err = exec.LookPath("arignote")
	}
	if err != nil {
		return nil
	}
	return []string{self, "worker"}
}

// newWorker connects a worker.
func newWorker(ctx context.Context, c *connection, name, files string, ackWait time.Duration, stderr io.Writer, quiet bool) (*cluster.Worker, error) {
	tell := func(text string) {
		if !quiet {
			fmt.Fprintln(stderr, "worker:", visible.Text(text))
		}
	}
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	if name == "" {
		name = fmt.Sprintf("%s-%d", host, os.Getpid())
	}
	name = strings.Map(func(r rune) rune { // a key of the hub
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, name)
	o, err := c.options("worker " + name)
	if err != nil {
		return nil, fmt.Errorf("worker: %w", err)
	}
	o.AckWait, o.Changed = ackWait, tell
	s, err := session("", c.flags, nil, 0, stderr)
	if err != nil {
		return nil, err
	}
	info := cluster.WorkerInfo{ID: name, Host: host, PID: os.Getpid(), Threads: s.Threads(), Kinds: []string{cluster.Functions}}
	if set, err := native.Best(); err == nil {
		info.ISA = set.ISA()
	}
	if m, err := roofline.Machine(ctx, info.Threads, false); err == nil && m != nil && m.Roof != nil {
		info.Roof = fmt.Sprintf("%.0f GFLOP/s", m.Roof.Flops64/1e9)
	}
	r := &runner{functions: fleet.Runner{Session: s.Session}, flags: c.flags, stderr: stderr}
	if files != "" {
		if info, err := os.Stat(files); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("worker: --files: %s is no folder", files)
		}
		r.files, info.Kinds = files, append(info.Kinds, cluster.Files)
	}
	conn, err := cluster.Connect(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("worker: %w", err)
	}
	tell(fmt.Sprintf("%s takes tasks of %s: %s", name, o.URL, strings.Join(info.Kinds, ", ")))
	return &cluster.Worker{Conn: conn, Runner: r, Info: info, Tell: tell}, nil
}

// A runner runs what this program can run.
type runner struct {
	functions fleet.Runner
	files     string // the folder of files; "": they are not run
	flags     []string
	stderr    io.Writer
}

func (r *runner) Open(ctx context.Context, kind, hash string, program []byte) (cluster.Program, error) {
	switch kind {
	case cluster.Functions:
		return r.functions.Open(ctx, kind, hash, program)
	case cluster.Files:
		return r.openFile(program)
	}
	return nil, fmt.Errorf("knows no tasks of the kind %q", kind)
}

func fleetCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "fleet", Short: "the workers of a hub, and what waits"}
	cmd.AddCommand(fleetStatusCommand(), fleetCancelCommand())
	return cmd
}

func fleetStatusCommand() *cobra.Command {
	var c connection
	cmd := &cobra.Command{
		Use: "status", Short: "print the workers of a hub, and what waits", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			conn, ctx, cancel, err := c.dial(cmd)
			if err != nil {
				return fmt.Errorf("fleet status: %w", err)
			}
			defer conn.Close()
			defer cancel()
			f, err := conn.Fleet(ctx)
			if err != nil {
				return fmt.Errorf("fleet status: %w", err)
			}
			writeFleet(cmd.OutOrStdout(), conn.URL(), f)
			return nil
		},
	}
	c.add(cmd)
	return cmd
}

func (c *connection) dial(cmd *cobra.Command) (*cluster.Conn, context.Context, context.CancelFunc, error) {
	o, err := c.options("fleet")
	if err != nil {
		return nil, nil, nil, err
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), 30*time.Second)
	conn, err := cluster.Connect(ctx, o)
	if err != nil {
		cancel()
		return nil, nil, nil, err
	}
	return conn, ctx, cancel, nil
}

func fleetCancelCommand() *cobra.Command {
	var c connection
	cmd := &cobra.Command{
		Use: "cancel JOB...", Short: "take back the tasks of jobs that nobody waits for, and stop those that run", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, jobs []string) error {
			conn, ctx, cancel, err := c.dial(cmd)
			if err != nil {
				return fmt.Errorf("fleet cancel: %w", err)
			}
			defer conn.Close()
			defer cancel()
			f, err := conn.Fleet(ctx)
			if err != nil {
				return fmt.Errorf("fleet cancel: %w", err)
			}
			for _, job := range jobs {
				if f.Jobs[job] == 0 {
					return fmt.Errorf("fleet cancel: there is no job %q; arignote fleet status names those that there are", job)
				}
				if err := conn.Cancel(ctx, job); err != nil {
					return fmt.Errorf("fleet cancel: %s: %w", job, err)
				}
			}
			return nil
		},
	}
	c.add(cmd)
	return cmd
}

// writeFleet prints the state of a hub as tables.
func writeFleet(w io.Writer, url string, f *cluster.Fleet) {
	fmt.Fprintf(w, "hub %s, %s: %d results that nobody has taken, %s stored\n\n", url, f.Server, f.Results, bytesOf(f.Bytes))
	rows := [][]string{{"queue", "waiting", "running", "again"}}
	for _, q := range f.Queues {
		rows = append(rows, []string{q.Kind, fmt.Sprint(q.Waiting), fmt.Sprint(q.Running), fmt.Sprint(q.Redelivered)})
	}
	writeColumns(w, rows)
	if len(f.Jobs) > 0 {
		rows = [][]string{{"job", "tasks"}}
		for _, job := range sortedKeys(f.Jobs) {
			rows = append(rows, []string{job, fmt.Sprint(f.Jobs[job])})
		}
		fmt.Fprintln(w)
		writeColumns(w, rows)
	}
	fmt.Fprintln(w)
	if len(f.Workers) == 0 {
		fmt.Fprintf(w, "no workers: arignote worker --connect %s --creds FILE\n", url)
		return
	}
	rows = [][]string{{"worker", "machine", "version", "threads", "isa", "roof", "runs", "done", "failed", "busy", "now", "refused"}}
	for _, x := range f.Workers {
		rows = append(rows, []string{x.ID, fmt.Sprintf("%s %d", x.Host, x.PID), x.Version, fmt.Sprint(x.Threads), x.ISA, cmp.Or(x.Roof, "-"), strings.Join(x.Kinds, "+"),
			fmt.Sprint(x.Done), fmt.Sprint(x.Failed), fmt.Sprintf("%.0f%%", 100*x.Busy/max(time.Since(x.Since).Seconds(), 1e-9)), cmp.Or(x.Now, "-"), cmp.Or(x.Refused, "-")})
	}
	writeColumns(w, rows)
}
