package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/arignote/arignote/notebook"
	"github.com/arignote/arignote/notebook/headless"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/visible"
	"github.com/spf13/cobra"
)

// nbRun is what the flags of nb run say.
type nbRun struct {
	to, file, progress string
	params, texts      []string
	flags              []string
	inPlace, allow     bool
	timeout            float64
}

func nbRunCommand(stdin io.Reader) *cobra.Command {
	var o nbRun
	cmd := &cobra.Command{
		Use: "run FILE", Short: "run a notebook and keep what it shows", Args: cobra.ExactArgs(1),
		Long: "Runs the cells of a notebook, in its folder, and writes it with the outputs that Jupyter would show. It ends at the first\n" +
			"error, which the cell shows; the notebook is written all the same, the traceback printed, and the status is 1. Without -o\n" +
			"and --inplace nothing is written: it says whether the notebook runs.\n\n" +
			"Parameters are values for one run. A cell that assigns them stands behind the cell that is tagged \"parameters\", as papermill\n" +
			"has it; True, False, None and numbers are what they look like, all else is text.\n\n" +
			"The error of a cell that is tagged \"raises-exception\" does not end the run; a cell that is tagged \"skip-execution\" does not\n" +
			"run, and keeps its outputs.",
		Example: "  arignote nb run train.ipynb -o done.ipynb -p epochs=20 -p name=mlp\n  arignote nb run train.ipynb --inplace --timeout 600\n" +
			"  arignote nb run train.ipynb && echo it runs",
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0], stdin) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.to, "output", "o", "", "the notebook to write")
	f.BoolVar(&o.inPlace, "inplace", false, "write FILE itself")
	f.StringArrayVarP(&o.params, "parameter", "p", nil, "a parameter, as `NAME=VALUE`")
	f.StringArrayVarP(&o.texts, "raw-parameter", "r", nil, "a parameter that is text whatever it looks like, as `NAME=TEXT`")
	f.StringVarP(&o.file, "parameters-file", "f", "", "parameters, as an object in `FILE.json`; those of -p and -r come after")
	f.BoolVar(&o.allow, "allow-errors", false, "run on after errors, with status 0")
	f.Float64Var(&o.timeout, "timeout", 0, "for how many `seconds` a cell may run; 0: as long as it likes")
	f.StringVar(&o.progress, "progress", "auto", "auto, always or never: tell which cell runs; auto does if errors go to a terminal")
	f.StringArrayVar(&o.flags, "flags", nil, "flags of the compiler: name=value,...")
	cmd.MarkFlagsMutuallyExclusive("output", "inplace")
	return cmd
}

func (o *nbRun) run(cmd *cobra.Command, file string, stdin io.Reader) error {
	stdout, stderr := cmd.OutOrStdout(), cmd.ErrOrStderr()
	tell, err := newProgress(o.progress, stderr)
	if err != nil {
		return err
	}
	if o.inPlace {
		if o.to = file; isScript(file, nil) && file != "-" {
			return fmt.Errorf("nb run: --inplace: got the script %s, which keeps no outputs: name a notebook with -o", file)
		}
	}
	if o.timeout < 0 {
		return fmt.Errorf("nb run: --timeout: got %g, want seconds, or 0", o.timeout)
	}
	nb, err := readNotebook(file, stdin)
	if err != nil {
		return err
	}
	if err := o.inject(nb, stderr); err != nil {
		return fmt.Errorf("nb run: %w", err)
	}
	dir := ""
	if file != "-" {
		dir = filepath.Dir(file)
	}
	s, err := session(dir, o.flags, nil, 0, stderr)
	if err != nil {
		return err
	}
	nb.Complete(s.LanguageInfo())
	saved := time.Now()
	failed := headless.Run(cmd.Context(), nb, s, headless.Options{
		Timeout: time.Duration(o.timeout * float64(time.Second)), AllowErrors: o.allow, Began: tell.began,
		Ended: func(step headless.Step, took time.Duration, err error) {
			tell.ended(step, took, err)
			if o.to != "" && o.to != "-" && time.Since(saved) > saveEvery {
				saved = time.Now()
				if err := write(cmd, o.to, nb.Encode()); err != nil {
					complain(stderr, err) // the last try decides
				}
			}
		},
	})
	tell.end()
	if o.to != "" {
		err = write(cmd, o.to, nb.Encode())
	}
	var shownAs *starlib.Error
	if errors.As(failed, &shownAs) {
		fmt.Fprintln(stderr, strings.Join(shownAs.Traceback(), "\n"))
	}
	defer leave(context.WithoutCancel(cmd.Context()))
	return finish(s, cmp.Or(failed, err), stdout, stderr)
}

// saveEvery is after how long a notebook is written that still runs.
const saveEvery = 10 * time.Second

// inject gives the notebook the parameters.
func (o *nbRun) inject(nb *notebook.Notebook, stderr io.Writer) error {
	var all []notebook.Parameter
	if o.file != "" {
		text, err := os.ReadFile(o.file)
		if err != nil {
			return err
		}
		if all, err = notebook.ParametersOf(text); err != nil {
			return fmt.Errorf("%s: %w", o.file, err)
		}
	}
	for i, arg := range slices.Concat(o.params, o.texts) {
		p, err := notebook.ParseParameter(arg, i >= len(o.params))
		if err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(q notebook.Parameter) bool { return q.Name == p.Name })
		all = append(all, p)
	}
	if len(all) == 0 {
		return nil
	}
	unknown, tagged := nb.Inject(all)
	if !tagged {
		complain(stderr, errors.New("nb run: no cell is tagged \"parameters\": the parameters stand before all others"))
	}
	for _, name := range unknown {
		complain(stderr, fmt.Errorf("nb run: the cell that is tagged \"parameters\" does not assign %s", name))
	}
	return nil
}

// A progress tells which cell runs, on a line of a terminal, or in a line for each cell.
type progress struct {
	w     io.Writer // nil: nothing is told
	live  bool      // w is a terminal
	start time.Time
	cells int

	mu   sync.Mutex
	stop chan struct{} // ends the line of the cell that runs
}

func newProgress(mode string, stderr io.Writer) (*progress, error) {
	p := &progress{start: time.Now(), live: isTerminal(stderr)}
	switch mode {
	case "auto":
		if p.live {
			p.w = stderr
		}
	case "always":
		p.w = stderr
	case "never":
	default:
		return nil, fmt.Errorf("nb run: --progress: got %q, want auto, always or never", mode)
	}
	return p, nil
}

const (
	tick      = 100 * time.Millisecond
	eraseLine = "\r\x1b[K"
)

// title names a cell by the beginning of its code.
func title(s headless.Step) string {
	const most = 50
	line := ""
	for text := range strings.SplitSeq(s.Cell.Source, "\n") {
		if line = strings.TrimSpace(text); line != "" {
			break
		}
	}
	if r := []rune(line); len(r) > most {
		line = string(r[:most-3]) + "..."
	}
	return visible.Text(line)
}

func (p *progress) began(s headless.Step) {
	if p.cells++; p.w == nil || !p.live {
		return
	}
	stop, start, name := make(chan struct{}), time.Now(), title(s)
	p.stop = stop
	go func() {
		for {
			p.mu.Lock()
			select {
			case <-stop:
			default:
				fmt.Fprintf(p.w, "%sIn[%d] of %d  %.1f s  %s", eraseLine, s.Count, s.Of, time.Since(start).Seconds(), name)
			}
			p.mu.Unlock()
			select {
			case <-stop:
				return
			case <-time.After(tick):
			}
		}
	}()
}

func (p *progress) ended(s headless.Step, took time.Duration, err error) {
	if p.w == nil {
		return
	}
	if p.live {
		p.mu.Lock()
		close(p.stop)
		fmt.Fprint(p.w, eraseLine)
		p.mu.Unlock()
		return
	}
	how := ""
	if err != nil {
		how = "  failed"
	}
	fmt.Fprintf(p.w, "In[%d] of %d  %.2f s  %s%s\n", s.Count, s.Of, took.Seconds(), title(s), how)
}

func (p *progress) end() {
	if p.w != nil {
		fmt.Fprintf(p.w, "%d cells in %.2f s\n", p.cells, time.Since(p.start).Seconds())
	}
}
