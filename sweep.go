package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/arignote/arignote/cluster"
	"github.com/arignote/arignote/cluster/sweep"
	"github.com/arignote/arignote/kernels/parallel"
	"github.com/arignote/arignote/notebook"
	"github.com/arignote/arignote/notebook/headless"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/fleet"
	"github.com/arignote/arignote/starlib/visible"
	"github.com/spf13/cobra"
)

// sweepFlags are those of arignote sweep.
type sweepFlags struct {
	connection
	params                   []string
	random, workers, retries int
	threads                  int
	seed                     uint64
	resume                   bool
	dir, csv, json           string
	timeout                  float64
	stdout, stderr           io.Writer
}

func sweepCommand() *cobra.Command {
	var o sweepFlags
	cmd := &cobra.Command{
		Use: "sweep FILE", Short: "run a script or a notebook for many values of its parameters", Args: cobra.ExactArgs(1),
		Long: "Runs a script or a notebook once for each combination of the values of -p, or for --random N of them, on the workers of a\n" +
			"hub, or on one for each core of this machine. The cell that is tagged \"parameters\" has the values of a single run; those of\n" +
			"-p stand behind it. What the file calls results, a dict, is shown as a table, and kept with what the run printed and drew:\n" +
			"--dir has a .json and an .ipynb for each. With --resume those are not run again whose\nfile, parameters and version are the same.\n" +
			"The status is 1 if a run failed.",
		Example: "  arignote sweep train.star -p lr=0.1,0.01 -p hidden=64,128\n  arignote sweep train.ipynb -p lr=1e-4..1e-1:log -p hidden=16..256 --random 50 --seed 1 --csv runs.csv",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.stdout, o.stderr = cmd.OutOrStdout(), cmd.ErrOrStderr()
			return o.run(cmd.Context(), args[0])
		},
	}
	o.add(cmd)
	f := cmd.Flags()
	f.StringArrayVarP(&o.params, "parameter", "p", nil, "a parameter with its values, as `NAME=VALUE,...`, or with --random a range, as NAME=LOW..HIGH or NAME=LOW..HIGH:log")
	f.IntVar(&o.random, "random", 0, "draw so many combinations")
	f.Uint64Var(&o.seed, "seed", 0, "of what --random draws")
	f.BoolVar(&o.resume, "resume", false, "do not run again what is in the folder")
	f.StringVar(&o.dir, "dir", "", "the folder of runs (default: FILE with .runs)")
	f.StringVar(&o.csv, "csv", "", "write the table to a `file`")
	f.StringVar(&o.json, "json", "", "write the runs to a `file`")
	f.Float64Var(&o.timeout, "timeout", 0, "for how many `seconds` a run may take; 0: as long as it likes")
	f.IntVar(&o.retries, "retries", 2, "how often a run is begun again whose worker died")
	f.IntVar(&o.workers, "workers", 0, "processes to start, where no hub is named; 0: one for each core")
	f.IntVar(&o.threads, "threads", 1, "that the kernels of each of them may use")
	return cmd
}

func (o *sweepFlags) run(ctx context.Context, file string) error {
	wrong := func(err error) error { return fmt.Errorf("sweep: %w", err) }
	s, err := o.plan(file)
	if err != nil {
		return wrong(err)
	}
	conn, end, err := o.connect(ctx, filepath.Dir(file))
	if err != nil {
		return wrong(err)
	}
	defer end()
	params, all, done := []string(nil), 0, 0
	s.Began = func(n, before int) {
		all = n
		fmt.Fprintf(o.stderr, "%d runs, %d of them done before; they are kept in %s\n", n, before, visible.Text(s.Dir))
	}
	s.Warn = func(text string) { complain(o.stderr, errors.New("sweep: "+text)) }
	s.Ended = func(r *sweep.Run) {
		done++
		if params == nil {
			params, _ = sweep.Columns([]*sweep.Run{r})
		}
		fmt.Fprintf(o.stderr, "%d of %d  %s\n", done, all, visible.Text(describe(r)))
	}
	runs, err := s.Do(ctx, conn)
	if err != nil {
		return wrong(err)
	}
	writeColumns(o.stdout, sweep.Rows(runs, true))
	for _, to := range []struct {
		file  string
		write func(io.Writer, []*sweep.Run) error
	}{{o.csv, sweep.WriteCSV}, {o.json, sweep.WriteJSON}} {
		if to.file == "" {
			continue
		}
		var text bytes.Buffer
		if err := to.write(&text, runs); err != nil {
			return wrong(err)
		}
		if err := os.WriteFile(to.file, text.Bytes(), 0o666); err != nil {
			return wrong(err)
		}
	}
	failed := 0
	for _, r := range runs {
		if r.Failure != nil {
			if failed++; failed == 1 && len(r.Failure.Traceback) > 0 {
				fmt.Fprintf(o.stderr, "run %d:\n%s\n", r.N, strings.Join(r.Failure.Traceback, "\n"))
			}
		}
	}
	if failed > 0 {
		return wrong(fmt.Errorf("%d of %d runs failed", failed, len(runs)))
	}
	return nil
}

// describe is a run in a line.
func describe(r *sweep.Run) string {
	var parts []string
	for _, p := range r.Parameters {
		parts = append(parts, p.Code())
	}
	for _, v := range r.Results {
		parts = append(parts, v.Name+": "+string(v.Value))
	}
	switch {
	case r.Before:
		parts = append(parts, "(done before)")
	case r.Failure != nil:
		parts = append(parts, "failed: "+r.Failure.Class+": "+r.Failure.Message)
	}
	return strings.Join(parts, "  ")
}

// plan reads the file and the parameters.
func (o *sweepFlags) plan(file string) (*sweep.Sweep, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var axes []sweep.Axis
	for _, arg := range o.params {
		a, err := sweep.ParseAxis(arg)
		if err != nil {
			return nil, err
		}
		axes = append(axes, a)
	}
	s := &sweep.Sweep{File: sweep.File{Name: filepath.Base(file), Text: text, Flags: o.flags}, Version: version, Dir: o.dir, Resume: o.resume, Retries: o.retries,
		Timeout: time.Duration(o.timeout * float64(time.Second))}
	if s.Dir == "" {
		s.Dir = file + ".runs"
	}
	if o.timeout < 0 || o.retries < 0 {
		return nil, fmt.Errorf("got --timeout %g and --retries %d, want none below 0", o.timeout, o.retries)
	}
	if o.random != 0 {
		s.Runs, err = sweep.Random(axes, o.random, o.seed)
	} else {
		s.Runs, err = sweep.Grid(axes)
	}
	if err != nil {
		return nil, err
	}
	return s, s.Check()
}

// connect is the hub that is named, or one with workers that end with the sweep.
func (o *sweepFlags) connect(ctx context.Context, dir string) (*cluster.Conn, func(), error) {
	cfg, err := config.Load(config.Options{Args: o.flags})
	if err != nil {
		return nil, nil, err
	}
	if url, _, _ := fleet.Addressed(cfg); o.url != "" || url != "" {
		options, err := o.options("sweep")
		if err != nil {
			return nil, nil, err
		}
		conn, err := cluster.Connect(ctx, options)
		if err != nil {
			return nil, nil, err
		}
		return conn, conn.Close, nil
	}
	worker := startWorker()
	if worker == nil {
		return nil, nil, errors.New("the system does not say where this program is, of which workers are started: name a hub with --connect")
	}
	workers := o.workers
	if workers == 0 {
		workers = max(parallel.Cores()/max(o.threads, 1), 1)
	}
	if workers < 1 || o.threads < 1 {
		return nil, nil, fmt.Errorf("got --workers %d and --threads %d, want at least 1", o.workers, o.threads)
	}
	local, err := cluster.StartLocal(ctx, cluster.LocalOptions{Hub: cfg.String("cluster.hub"), Worker: worker, Workers: workers, Threads: o.threads, Files: dir, Stderr: o.stderr})
	if err != nil {
		return nil, nil, err
	}
	conn, err := cluster.Connect(ctx, cluster.Options{URL: local.URL(), Creds: local.Creds(), Name: "sweep", Version: version})
	if err != nil {
		local.Close()
		return nil, nil, err
	}
	return conn, func() { conn.Close(); local.Close() }, nil
}

// A fileProgram runs a file in a session of its own for each task.
type fileProgram struct {
	r    *runner
	file *sweep.File
}

func (r *runner) openFile(program []byte) (cluster.Program, error) {
	if r.files == "" {
		return nil, errors.New("runs no files: it was started without --files")
	}
	f, err := sweep.DecodeFile(program)
	if err != nil {
		return nil, err
	}
	if _, err := f.Cells(); err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", f.Name, err)
	}
	return &fileProgram{r, f}, nil
}

// Run runs the file with the parameters of a task.
func (p *fileProgram) Run(ctx context.Context, _ int, input []byte) ([]byte, error) {
	params, err := sweep.DecodeParameters(input)
	if err != nil {
		return nil, err
	}
	nb, err := p.file.Cells()
	if err != nil {
		return nil, err
	}
	if len(params) > 0 {
		nb.Inject(params)
	}
	// The file's flags come first: it may ask for much, and the worker says what it may have.
	flags := slices.Concat(p.file.Flags, p.r.flags, []string{"sandbox=True"})
	s, err := session(p.r.files, flags, nil, 0, p.r.stderr)
	if err != nil {
		return nil, &cluster.Failure{Class: "ValueError", Message: err.Error()}
	}
	nb.Complete(s.LanguageInfo())
	start := time.Now()
	err = headless.Run(ctx, nb, s, headless.Options{})
	out := sweep.Output{Seconds: time.Since(start).Seconds(), Text: printed(nb), Notebook: nb.Encode()}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err == nil {
		if v, ok := s.Lookup("results"); ok {
			out.Results, err = fleet.JSONOf(v)
			if err == nil && !bytes.HasPrefix(out.Results, []byte("{")) {
				err = fmt.Errorf("got %s, want a dict", v.Type())
			}
			if err != nil {
				err = &cluster.Failure{Class: "TypeError", Message: "results: " + err.Error()}
			}
		}
	}
	out.Failure = failureOf(err)
	return out.Encode()
}

// failureOf is why a run failed; nil if it did not.
func failureOf(err error) *cluster.Failure {
	if err == nil {
		return nil
	}
	f := &cluster.Failure{Class: "Error", Message: err.Error()}
	var own *cluster.Failure
	if errors.As(err, &own) {
		return own
	}
	var told *starlib.Error
	if errors.As(err, &told) {
		f.Class, f.Message, f.Traceback = told.Name(), told.Error(), told.Traceback()
	}
	return f
}

// printed is what the cells of a notebook have printed.
func printed(nb *notebook.Notebook) string {
	var b strings.Builder
	for _, c := range nb.Cells {
		for _, o := range c.Outputs {
			if o.Type == "stream" && o.Name == "stdout" {
				b.WriteString(o.Text)
			}
		}
	}
	return b.String()
}

// writeColumns prints rows under their titles.
func writeColumns(w io.Writer, rows [][]string) {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, r := range rows {
		for i := range r {
			r[i] = visible.Text(r[i])
		}
		fmt.Fprintln(t, strings.TrimRight(strings.Join(r, "\t"), "\t "))
	}
	_ = t.Flush()
}

func bytesOf(n uint64) string { return units.Plain(units.Human(units.Bytes, float64(n))) }

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
