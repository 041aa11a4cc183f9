package main

import (
	"archive/tar"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/arignote/arignote/kernels/parallel"
	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/profiler/lock"
	"github.com/arignote/arignote/profiler/roofline"
	"github.com/arignote/arignote/profiler/slower"
	"github.com/arignote/arignote/runtime/files"
	"github.com/arignote/arignote/starlib"
)

// differs is the error of profile check that the user has seen: the program is not as it was.
type differs struct{ shown }

// ExitStatus is that of the program.
func (differs) ExitStatus() int { return 3 }

// A gated is a program that is held against its lock, as the user names it.
type gated struct {
	args  []string // of arignote run: the file and its arguments
	flags []string
}

// gatedFlags gives a command the flags of a gated program, and reads its arguments.
func gatedFlags(cmd *cobra.Command, g *gated) {
	takesScript(cmd, &g.args)
	cmd.InitDefaultHelpFlag() // --help is ours, behind the file too
	cmd.Flags().StringArrayVar(&g.flags, "flags", nil, "flags of the compiler: name=value,...")
}

// lockFile is the name of the program's lock unless --output or --against give another.
func (g *gated) lockFile() string { return g.args[0] + ".lock" }

// lock runs the program and says what it computes. What it prints is dropped.
func (g *gated) lock(ctx context.Context, stderr io.Writer) (*lock.Lock, error) {
	file := g.args[0]
	s, err := session(filepath.Dir(file), g.flags, nil, 0, stderr)
	if err != nil {
		return nil, err
	}
	s.SetArguments(g.args)
	stats := s.Count()
	err = s.RunFile(ctx, file, &starlib.Terminal{In: strings.NewReader(""), Out: io.Discard, Err: stderr})
	exit, failed := ended(nil), (*starlib.Error)(nil)
	switch {
	case errors.As(err, &exit):
		return nil, fmt.Errorf("%s ended itself with status %d: %v", file, exit.ExitStatus(), err)
	case errors.As(err, &failed):
		fmt.Fprintln(stderr, strings.Join(failed.Traceback(), "\n"))
		return nil, fmt.Errorf("%s failed: there is nothing to compare", file)
	case err != nil:
		return nil, err
	}
	l := lock.Of(filepath.Base(file), stats)
	if len(l.Functions) == 0 {
		return nil, fmt.Errorf("%s compiles no function: a lock would say nothing", file)
	}
	return l, nil
}

// run runs the program in a process of its own, in a folder, and returns how long that took.
func (g *gated) run(ctx context.Context, dir, file string) (time.Duration, error) {
	program, err := os.Executable()
	if err != nil {
		return 0, err
	}
	args := []string{os.Args[0], "run"}
	for _, f := range g.flags {
		args = append(args, "--flags", f)
	}
	args = append(append(args, file, "--"), g.args[1:]...)
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, program)
	cmd.Args, cmd.Dir, cmd.Stderr = args, dir, &stderr
	began := time.Now()
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("%s failed: %w\n%s", filepath.Join(dir, file), err, strings.TrimSpace(stderr.String()))
	}
	return time.Since(began), nil
}

// machine says on which machine times were measured.
func machine() (string, error) {
	m, err := roofline.Describe(parallel.Cores())
	if err != nil {
		return "", err
	}
	host, _ := os.Hostname()
	return strings.Join(strings.Fields(fmt.Sprintf("%s, %s, %d cores, %s, host %s", m.CPU, m.Model, m.Cores, m.ISA, host)), " "), nil
}

func profileLockCommand() *cobra.Command {
	var g gated
	out, runs := "", 0
	cmd := &cobra.Command{
		Use: "lock FILE [ARGUMENT...]", Short: "write down what a program computes, for profile check",
		Long: "Runs a program and writes a text for the version control: the nodes and fusions of its functions, and the operations,\n" +
			"bytes and memory of their calls, by function and line. There is nothing in it that depends on the machine.",
		Example: "  arignote profile lock train.py                  # writes train.py.lock\n  arignote profile lock train.py --times 20       # and how long it takes on this machine",
		RunE: func(cmd *cobra.Command, args []string) error {
			l, err := g.lock(cmd.Context(), cmd.ErrOrStderr())
			if err != nil {
				return fmt.Errorf("profile lock: %w", err)
			}
			if runs > 0 {
				l.Times = new(lock.Times)
				if l.Times.Machine, err = machine(); err == nil {
					l.Times.Runs, err = g.times(cmd.Context(), runs)
				}
				if err != nil {
					return fmt.Errorf("profile lock: %w", err)
				}
			}
			if out == "-" {
				_, err = l.WriteTo(cmd.OutOrStdout())
				return err
			}
			if out == "" {
				out = g.lockFile()
			}
			var b bytes.Buffer
			l.WriteTo(&b) // a Buffer does not fail
			if err := files.Open().Write(out, b.Bytes()); err != nil {
				return fmt.Errorf("profile lock: %w", err)
			}
			return nil
		},
	}
	gatedFlags(cmd, &g)
	cmd.Flags().StringVarP(&out, "output", "o", "", "the lock; the default is FILE.lock, and - writes it to stdout")
	cmd.Flags().IntVar(&runs, "times", 0, fmt.Sprintf("run it so often again and note the times, for --fail-if-slower on this machine; %d are enough", slower.StoredRuns))
	return cmd
}

// times are the durations of that number of runs, after one that does not count.
func (g *gated) times(ctx context.Context, runs int) (list []time.Duration, err error) {
	for i := range runs + 1 {
		d, err := g.run(ctx, "", g.args[0])
		if err != nil {
			return nil, err
		}
		if i > 0 {
			list = append(list, d)
		}
	}
	return list, nil
}

// part is a part of a time, as the user writes it: 5%, 0.05.
func part(text string) (float64, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		v /= 100
	}
	if err != nil || !(v >= 0.001 && v <= 10) {
		return 0, fmt.Errorf("fail-if-slower: got %s, want a part of the time from 0.1%% to 1000%%, such as 5%%", text)
	}
	return v, nil
}

func profileCheckCommand() *cobra.Command {
	var g gated
	var against, limit, base string
	rounds := slower.DefaultRounds
	cmd := &cobra.Command{
		Use: "check FILE [ARGUMENT...]", Short: "hold a program against its lock, and its time against a version before",
		Long: "Runs a program and holds what it computes against its lock. The status is 0 if nothing differs, 3 if something does or the\n" +
			"program became slower, and 1 or 2 if that cannot be said.\n\n" +
			"Times of different machines, or of different hours, cannot be compared. So --fail-if-slower runs the program and --base in\n" +
			"turns until it is decided, at most --rounds times four runs. Without --base it compares with the times of the lock, if\n" +
			"those are of this machine: that is less, since nothing else may run on it at either time.",
		Example: "  arignote profile check train.py\n  arignote profile check train.py --fail-if-slower 5% --base origin/main",
		RunE: func(cmd *cobra.Command, args []string) error {
			slowest := 0.0
			if limit != "" {
				var err error
				if slowest, err = part(limit); err != nil {
					return fmt.Errorf("profile check: %w", err)
				}
			} else if base != "" {
				return errors.New("profile check: got --base without --fail-if-slower, want both")
			}
			if against == "" {
				against = g.lockFile()
			}
			was, err := readLock(against, filepath.Base(g.args[0]))
			if err != nil {
				return fmt.Errorf("profile check: %w", err)
			}
			is, err := g.lock(cmd.Context(), cmd.ErrOrStderr())
			if err != nil {
				return fmt.Errorf("profile check: %w", err)
			}
			out, wrong := cmd.OutOrStdout(), false
			if diff := lock.Compare(was, is); diff != "" {
				wrong = true
				fmt.Fprintf(out, "%s differs from %s:\n\n%s\nIf that is meant: arignote profile lock %s\n", g.args[0], against, diff, g.args[0])
			}
			if slowest > 0 {
				v, err := g.judge(cmd.Context(), was, base, slower.Trial{Slower: slowest, Most: rounds, Progress: func(v slower.Verdict) {
					if v.State == slower.Unsure && v.Rounds < rounds { // it goes on
						fmt.Fprintf(cmd.ErrOrStderr(), "time so far: %s\n", v)
					}
				}})
				if err != nil {
					return fmt.Errorf("profile check: %w", err)
				}
				wrong = wrong || v.State == slower.Slower
				fmt.Fprintf(out, "time: %s\n", v)
				if v.State == slower.Unsure {
					fmt.Fprintf(out, "time: the runs differ too much to say whether it is slower by %s: --rounds, or a longer program\n", limit)
				}
			}
			if wrong {
				return differs{shown{errors.New("profile check: the program is not as it was")}}
			}
			return nil
		},
	}
	gatedFlags(cmd, &g)
	f := cmd.Flags()
	f.StringVar(&against, "against", "", "the lock, or a saved profile; the default is FILE.lock")
	f.StringVar(&limit, "fail-if-slower", "", "find out whether it takes longer by this part of its time: 5%")
	f.StringVar(&base, "base", "", "the version before: a file, a folder that stands in for this one, or a revision of git")
	f.IntVar(&rounds, "rounds", rounds, "rounds of four runs at most, for --fail-if-slower with --base")
	return cmd
}

// readLock reads a lock of a program, or what a saved profile says of it.
func readLock(file, program string) (*lock.Lock, error) {
	text, err := files.Open().Read(file, files.MaxText)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: arignote profile lock writes it", err)
	}
	if err != nil {
		return nil, err
	}
	if !lock.Is(string(text)) && (strings.HasSuffix(file, ".json") || strings.HasSuffix(file, ".anprof") || strings.HasSuffix(file, ".ipynb")) {
		all, err := export.Read(files.Open(), file)
		if err != nil {
			return nil, err
		}
		return lock.Of("", all...), nil
	}
	l, err := lock.Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if l.Program != "" && l.Program != program {
		return nil, fmt.Errorf("%s: got the lock of %s, want that of %s", file, l.Program, program)
	}
	return l, nil
}

// judge finds out whether the program is slower than base or, without one, than the lock's times.
func (g *gated) judge(ctx context.Context, was *lock.Lock, base string, t slower.Trial) (slower.Verdict, error) {
	if base != "" {
		dir, file, remove, err := g.base(ctx, base)
		if err != nil {
			return slower.Verdict{}, err
		}
		defer remove()
		a := func(ctx context.Context) (time.Duration, error) { return g.run(ctx, dir, file) }
		b := func(ctx context.Context) (time.Duration, error) { return g.run(ctx, "", g.args[0]) }
		// The first run of each reads its files from disk.
		for _, first := range []func(context.Context) (time.Duration, error){a, b} {
			if _, err := first(ctx); err != nil {
				return slower.Verdict{}, err
			}
		}
		return t.Run(ctx, a, b)
	}
	const way = "--base REVISION compares with a version before on this machine, profile lock --times %d stores its times"
	if was.Times == nil {
		return slower.Verdict{}, fmt.Errorf("fail-if-slower: there are no times to compare with: "+way, slower.StoredRuns)
	}
	here, err := machine()
	if err != nil {
		return slower.Verdict{}, err
	}
	if here != was.Times.Machine {
		return slower.Verdict{}, fmt.Errorf("fail-if-slower: the times of the lock are of another machine (%s, this is %s): "+way, was.Times.Machine, here, slower.StoredRuns)
	}
	runs, err := g.times(ctx, max(len(was.Times.Runs), slower.StoredRuns))
	if err != nil {
		return slower.Verdict{}, err
	}
	return slower.Stored(was.Times.Runs, runs, t.Slower), nil
}

// base finds the version before: the folder that it runs in, "" for this one, and its file there.
func (g *gated) base(ctx context.Context, base string) (dir, file string, remove func(), err error) {
	info, err := os.Stat(base)
	if err == nil && !info.IsDir() {
		return "", base, func() {}, nil
	}
	file = g.args[0]
	if filepath.IsAbs(file) {
		here, err := os.Getwd()
		if err != nil {
			return "", "", nil, err
		}
		if file, err = filepath.Rel(here, file); err != nil {
			return "", "", nil, err
		}
	}
	dir, remove = base, func() {}
	if err != nil {
		if dir, remove, err = checkOut(ctx, base); err != nil {
			return "", "", nil, err
		}
	}
	if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
		remove()
		return "", "", nil, fmt.Errorf("base: %s has no %s", base, file)
	}
	return dir, file, remove, nil
}

// checkOut writes the files of a revision to a new folder, and returns what this folder is there.
func checkOut(ctx context.Context, revision string) (dir string, remove func(), err error) {
	git := func(args ...string) ([]byte, error) {
		var stderr bytes.Buffer
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("base: got %s, want a file, a folder or a revision of git: %s", revision, cmp.Or(strings.TrimSpace(stderr.String()), err.Error()))
		}
		return out, nil
	}
	commit, err := git("rev-parse", "--verify", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return "", nil, err
	}
	prefix, err := git("rev-parse", "--show-prefix")
	if err != nil {
		return "", nil, err
	}
	top, err := git("rev-parse", "--show-toplevel")
	if err != nil {
		return "", nil, err
	}
	packed, err := git("-C", strings.TrimSpace(string(top)), "archive", "--format=tar", strings.TrimSpace(string(commit)))
	if err != nil {
		return "", nil, err
	}
	if dir, err = os.MkdirTemp("", "arignote-base-"); err != nil {
		return "", nil, err
	}
	remove = func() { os.RemoveAll(dir) }
	if err := unpack(dir, packed); err != nil {
		remove()
		return "", nil, fmt.Errorf("base: %s: %w", revision, err)
	}
	return filepath.Join(dir, filepath.FromSlash(strings.TrimSpace(string(prefix)))), remove, nil
}

// unpack writes the files of an archive below a folder.
func unpack(dir string, packed []byte) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for r := tar.NewReader(bytes.NewReader(packed)); ; {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch h.Typeflag {
		case tar.TypeDir:
			err = root.MkdirAll(filepath.FromSlash(h.Name), 0o777)
		case tar.TypeSymlink:
			err = root.Symlink(h.Linkname, filepath.FromSlash(h.Name))
		case tar.TypeReg:
			var data []byte
			if data, err = io.ReadAll(r); err == nil {
				err = root.WriteFile(filepath.FromSlash(h.Name), data, fs.FileMode(h.Mode)&0o777)
			}
		}
		if err != nil {
			return err
		}
	}
}
