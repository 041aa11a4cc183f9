// Arignote is a symbolic tensor compiler that you can see through: it runs Starlark notebooks and
// scripts, and shows where every nanosecond and byte went. This file wires the rooms together; the
// README has their map.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/arignote/arignote/install"
	"github.com/arignote/arignote/kernel"
	"github.com/arignote/arignote/kernels/native"
	"github.com/arignote/arignote/kernels/parallel"
	"github.com/arignote/arignote/profiler/roofline"
	"github.com/arignote/arignote/runtime/memory"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/fleet"
	"github.com/arignote/arignote/starlib/repl"
	"github.com/arignote/arignote/starlib/visible"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

const version = fleet.Version

func main() {
	if done, status := limitMemory(); done {
		os.Exit(status)
	}
	os.Exit(arignote(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// gcPercent is for memory.Pace, and for programs that make small arrays quickly and have few
// objects: with Go's default the collector would run for every four megabytes.
const gcPercent = 400

// spareProc has Go's scheduler have a processor that no kernel keeps busy. If kernels in C have all
// of them, the scheduler takes each away from its kernel after some microseconds and looks for
// other work, and its monitor, which wakes every 20 microseconds where it has done so, takes a
// tenth of a core: products on two threads took a tenth longer. Package parallel counted the cores
// before.
func spareProc() {
	if least := parallel.Cores() + 1; runtime.GOMAXPROCS(0) < least {
		runtime.GOMAXPROCS(least)
	}
}

// shown is an error that the user has seen already.
type shown struct{ error }

func (s shown) Unwrap() error { return s.error }

// arignote runs the program and returns its exit status: 0, 1 for a failure, 2 for a wrong command
// line, 3 where profile check found a difference, 130 for an interrupt.
func arignote(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out, errs := watched(stdout), watched(stderr)
	status := execute(args, stdin, out, errs)
	for _, w := range []io.Writer{out, errs} {
		if o, ok := w.(*output); ok && o.failed() != nil {
			complain(stderr, fmt.Errorf("what was printed is not complete: %w", o.failed()))
			status = max(status, 1)
		}
	}
	return status
}

// An output remembers that it could not be written: to a full disk, most often. Those who print do
// not look.
type output struct {
	w   io.Writer
	mu  sync.Mutex
	err error
}

// watched returns w as an output, or as it is if it is a terminal.
func watched(w io.Writer) io.Writer {
	if isTerminal(w) {
		return w
	}
	return &output{w: w}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if err != nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.err = cmp.Or(o.err, err)
	}
	return n, err
}

func (o *output) failed() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// execute runs the command that the arguments name.
func execute(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := &cobra.Command{
		Use: "arignote", Short: "a symbolic tensor compiler that you can see through", Version: version,
		SilenceErrors: true, SilenceUsage: true,
		Long: "Arignote runs Starlark scripts and notebooks on compiled tensor expressions, and shows where the time went.\n" +
			"Flags of the compiler come from arignote.toml, ARIGNOTE_FLAGS=name=value,... and --flags.",
	}
	started := false // the command line was understood
	root.PersistentPreRun = func(*cobra.Command, []string) { started = true }
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.AddCommand(runCommand(stdin), replCommand(stdin), fmtCommand(stdin), checkCommand(), testCommand(stdin), nbCommand(stdin), doctorCommand(), profileCommand(), onnxCommand(), kernelCommand(), installCommand(), hubCommand(stdin), workerCommand(stdin), fleetCommand(), sweepCommand(), &cobra.Command{
		Use: "version", Short: "print the version", Args: cobra.NoArgs,
		Run: func(cmd *cobra.Command, _ []string) { fmt.Fprintf(cmd.OutOrStdout(), "arignote %s\n", version) },
	})
	root.SetArgs(divided(root, args))
	if os.Getenv("GOGC") == "" {
		memory.Pace(gcPercent)
	}
	if os.Getenv("GOMAXPROCS") == "" {
		spareProc()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // whoever interrupts twice wants out, whatever is running
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	seen := shown{}
	if !errors.As(err, &seen) {
		complain(stderr, err)
	}
	exit := ended(nil)
	switch {
	case ctx.Err() != nil:
		return 130
	case errors.As(err, &exit):
		return exit.ExitStatus() & 0xff
	case !started:
		return 2
	}
	return 1
}

// complain tells an error. Names of files and values of flags in it do nothing to the terminal.
func complain(stderr io.Writer, err error) {
	fmt.Fprintln(stderr, "arignote:", visible.Text(err.Error()))
}

// liveAfter is for how long a cell of a notebook runs before its profile is shown while it runs.
const liveAfter = 2 * time.Second

// session makes the interpreter with the flags of all sources for programs of a folder, "" for the
// working directory; live is starlib.Options.Live.
func session(dir string, flags []string, log *slog.Logger, live time.Duration, stderr io.Writer) (*starlib.Session, error) {
	if _, err := native.Best(); err != nil { // ARIGNOTE_ISA may be wrong: say so before anything runs
		return nil, err
	}
	threads, err := parallel.Default()
	if err != nil {
		return nil, err
	}
	cfg, err := config.Load(config.Options{Args: flags})
	if err != nil {
		return nil, err
	}
	for _, note := range cfg.Notes() {
		complain(stderr, errors.New(note))
	}
	s := starlib.NewSession(starlib.Options{Config: cfg, Dir: dir, Log: log, Threads: threads, Bound: bound, Live: live,
		Machine: roofline.Machine, Usage: roofline.Usage, Process: roofline.Process, Worker: startWorker()})
	roofline.Prices(threads)
	return s, cfg.CheckFiles() // the session knows which it may write
}

// bound gives the kernels and the memory of the process what the flags of its session allow.
func bound(threads int, limit int64) {
	parallel.SetThreads(threads)
	memory.SetLimit(limit)
}

func runCommand(stdin io.Reader) *cobra.Command {
	var flags []string
	var profiled, full bool
	var args []string
	cmd := &cobra.Command{
		Use: "run FILE [ARGUMENT...]", Short: "run a script or a notebook, cell by cell, and print the profiles that flags ask for",
		Long: "Runs a script: FILE.star, of which the value of the last expression is shown, or FILE.py, which shows what it prints,\nor the cells of FILE.ipynb, which have In and Out (nb run keeps what they show).\n" +
			"What follows FILE and is no flag below is in sys.argv after the script's name, and so is all that follows --.",
		Example: "  arignote run train.py --epochs 3               # the script's\n  arignote run --profile train.py                # arignote's\n  arignote run train.py -- --profile             # the script's again",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if profiled {
				flags = append([]string{"profile=True,profiling.layout=arignote"}, flags...)
			}
			s, err := session(filepath.Dir(args[0]), flags, nil, 0, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			stdout, stderr := cmd.OutOrStdout(), cmd.ErrOrStderr()
			s.SetArguments(args)
			if profiled {
				s.Sample(args[0], full)
			}
			err = s.RunFile(cmd.Context(), args[0], &starlib.Terminal{In: stdin, Out: stdout, Err: stderr, Live: isTerminal(cmd.ErrOrStderr()), Figures: isTerminal(stdout)})
			var failed *starlib.Error
			exit := ended(nil)
			switch {
			case errors.As(err, &exit):
				if exit.Error() != strconv.Itoa(exit.ExitStatus()) {
					fmt.Fprintln(stderr, exit.Error())
				}
			case errors.As(err, &failed):
				fmt.Fprintln(stderr, strings.Join(failed.Traceback(), "\n"))
			}
			defer leave(cmd.Context())
			return finish(s, err, stdout, stderr)
		},
	}
	takesScript(cmd, &args)
	cmd.Flags().StringArrayVar(&flags, "flags", nil, "flags of the compiler: name=value,...")
	cmd.Flags().BoolVar(&profiled, "profile", false, "print at the end, in about 25 lines, where the time of the script went and what to look at first")
	cmd.Flags().BoolVar(&full, "full", false, "with --profile: all tables, of each function")
	return cmd
}

// ended is the error of a program that ended itself by sys.exit.
type ended interface {
	error
	ExitStatus() int
}

// finish prints the profiles of a session that is over, for what ran before an error was profiled
// all the same. err is how it ended; a *starlib.Error was shown.
func finish(s *starlib.Session, err error, stdout, stderr io.Writer) error {
	if failed := (*starlib.Error)(nil); errors.As(err, &failed) {
		err = shown{err}
	}
	if perr := s.PrintProfiles(stdout, stderr); perr != nil {
		complain(stderr, perr)
		err = cmp.Or(err, error(shown{perr}))
	}
	return err
}

func replCommand(stdin io.Reader) *cobra.Command {
	o := repl.Options{Version: version}
	var flags []string
	cmd := &cobra.Command{
		Use: "repl [FILE.star]", Short: "run what is typed, cell by cell, after the file if there is one",
		Long: "Runs what is typed, cell by cell. A block ends with an empty line, and so does a cell that begins with a magic.\n" +
			"Input that is no terminal is run the same way, without prompts; the first error ends it with status 1.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := session("", flags, nil, 0, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			if len(args) > 0 {
				o.File = args[0]
			}
			stdout, stderr := cmd.OutOrStdout(), cmd.ErrOrStderr()
			defer leave(cmd.Context())
			return finish(s, repl.Run(cmd.Context(), s, stdin, stdout, stderr, o), stdout, stderr)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&flags, "flags", nil, "flags of the compiler: name=value,...")
	f.StringVar(&o.Color, "color", "auto", "auto, always or never")
	f.StringVar(&o.History, "history", repl.DefaultHistory(), `the file that keeps what was typed at a terminal; "" keeps nothing`)
	f.BoolVarP(&o.Quiet, "quiet", "q", false, "no banner")
	return cmd
}

func kernelCommand() *cobra.Command {
	var file string
	var flags []string
	var stop float64
	cmd := &cobra.Command{
		Use: "kernel -f FILE", Short: "serve Jupyter; front ends start this", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			conn, err := kernel.ReadConnectionFile(file)
			if err != nil {
				return err
			}
			log := slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil))
			s := newUnconfigured(func() (*starlib.Session, error) { return session("", flags, log, liveAfter, cmd.ErrOrStderr()) })
			server, err := kernel.NewServer(conn, s, kernel.Options{
				Implementation: "arignote", Version: version, Log: log,
				Banner:       "Arignote " + version + ": type T.<tab>, x? or help()",
				LanguageInfo: s.LanguageInfo(),
				HelpLinks: []kernel.HelpLink{
					{Text: "Arignote Reference", URL: "https://github.com/arignote/arignote/blob/main/docs/reference/README.md"},
					{Text: "NumPy Reference", URL: "https://numpy.org/doc/stable/reference/"},
					{Text: "PyTensor Reference", URL: "https://pytensor.readthedocs.io/en/latest/library/"},
				},

				Usage:              usage(),
				StopOnErrorTimeout: time.Duration(min(max(stop, 0), 1) * float64(time.Second)),
			})
			if err != nil {
				return err
			}
			time.AfterFunc(patience, native.ForgetStart)
			// An interrupt ends the running cell, not the kernel: the server watches the signal
			// itself.
			err = server.Run(context.WithoutCancel(cmd.Context()))
			s.idle.end()
			return finish(s.Session, err, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVarP(&file, "connection-file", "f", "", "connection file that the front end wrote")
	cmd.Flags().StringArrayVar(&flags, "flags", nil, "flags of the compiler: name=value,...")
	cmd.Flags().Float64Var(&stop, "stop-on-error-timeout", kernel.DefaultStopOnErrorTimeout.Seconds(),
		"for how many seconds after the last cell came, at most 1, an error is held back, so that cells on their way are aborted")
	cmd.MarkFlagRequired("connection-file")
	return cmd
}

func installCommand() *cobra.Command {
	var o install.Options
	var remove bool
	cmd := &cobra.Command{
		Use: "install", Short: "make the kernel known to Jupyter, or --remove it", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.Stdout = visible.Writer(cmd.OutOrStdout())
			o.Verify = func(argv []string) error { return exec.Command(argv[0], "version").Run() }
			do := install.Install
			if remove {
				do = install.Remove
			}
			_, err := do(o)
			return err
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.User, "user", false, "for the current user (default)")
	f.BoolVar(&o.System, "system", false, "for all users of the machine")
	f.BoolVar(&o.SysPrefix, "sys-prefix", false, "into the Python environment that is active")
	f.StringVar(&o.Prefix, "prefix", "", "into `DIR`/share/jupyter")
	f.StringVar(&o.JupyterDataDir, "jupyter-data-dir", "", "into this data `DIR` of Jupyter")
	f.StringVar(&o.Name, "name", "", "the kernel's name (default arignote)")
	f.StringVar(&o.DisplayName, "display-name", "", `what launchers show (default "Starlark (Arignote)")`)
	f.StringVar(&o.Language, "language", "", "starlark, or python for front ends that know no Starlark")
	f.StringToStringVar(&o.Env, "env", nil, "environment of the kernel: `NAME=VALUE`")
	f.BoolVar(&o.Copy, "copy", false, "keep a copy of the program beside the kernelspec")
	f.BoolVar(&o.DryRun, "dry-run", false, "check, and write nothing")
	f.BoolVar(&remove, "remove", false, "remove the kernelspec")
	return cmd
}
