package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"

	"golang.org/x/term"

	"github.com/arignote/arignote/starlib"
)

// Options says what Run does besides reading cells.
type Options struct {
	Version string // of the program, for the banner
	Quiet   bool   // no banner
	File    string // a script that runs first; its globals stay
	History string // the file that keeps the cells of sessions at a terminal; "" keeps none
	Color   string // "auto" (or ""), "always" or "never"
}

// errGivenUp says that the user threw a cell away before it ran.
var errGivenUp = errors.New("interrupted")

// reader is where cells come from.
type reader interface {
	// read returns the next cell, which the prompt numbers count; io.EOF if there is none,
	// errGivenUp if the user gave it up.
	read(ctx context.Context, count int) (string, error)
	// ask puts a question of the running cell, and returns the answer without its newline;
	// errGivenUp as above.
	ask(ctx context.Context, prompt string, password bool) (string, error)
}

// repl is one run of Run.
type repl struct {
	session     *starlib.Session
	reader      reader
	out         *output
	colors      palette
	interactive bool
	count       int // cells so far
}

// Run reads cells from stdin and runs them until the input ends or the user leaves. If stdin and
// stdout are terminals, the session goes on after errors and interrupts, and Run returns nil in the
// end; else the first error ends it, and is returned. A *starlib.Error has been shown. The line
// editor needs the process's own stdin and stdout, and a TERM that is not dumb; other terminals get
// prompts, and whatever editing they do themselves.
func Run(ctx context.Context, s *starlib.Session, stdin io.Reader, stdout, stderr io.Writer, o Options) error {
	tty := isTerminal(stdin) && isTerminal(stdout)
	colors, err := newPalette(o.Color, isTerminal(stdout))
	if err != nil {
		return err
	}
	r := &repl{session: s, colors: colors, interactive: tty}
	r.out = newOutput(stdout, stderr)
	switch {
	case tty && stdin == os.Stdin && stdout == os.Stdout && os.Getenv("TERM") != "dumb":
		if r.reader, err = newEditor(s, stderr, colors, o.History); err != nil {
			return err
		}
	case tty:
		r.reader = newLines(s, stdin, stdout, true)
	default:
		r.reader = newLines(s, stdin, stdout, false)
	}
	r.out.reader = r.reader
	if tty {
		// An interrupt ends a cell, not the program, even one that comes from elsewhere while
		// nothing runs.
		ctx = context.WithoutCancel(ctx)
		ignored := make(chan os.Signal, 1)
		signal.Notify(ignored, os.Interrupt)
		defer signal.Stop(ignored)
		if !o.Quiet {
			fmt.Fprintf(stdout, "Arignote %s: x? or help(x) documents x, Tab completes, Ctrl-D leaves\n", o.Version)
		}
	}
	if o.File != "" {
		if err := r.runFile(ctx, o.File); err != nil {
			return err
		}
	}
	return r.loop(ctx)
}

func isTerminal(x any) bool {
	f, ok := x.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// loop reads and runs cells.
func (r *repl) loop(ctx context.Context) error {
	for {
		if r.interactive {
			r.out.freshLine()
		}
		code, err := r.reader.read(ctx, r.count+1)
		switch {
		case errors.Is(err, errGivenUp) && r.interactive:
			continue
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("repl: %w", err)
		case strings.TrimSpace(code) == "":
			continue
		case r.leaves(code):
			return nil
		}
		if err := r.execute(ctx, strings.TrimRight(code, " \t\n")); err != nil && !r.interactive {
			return err
		}
	}
}

// leaves reports whether a cell asks to leave, which is no function of the language: it would make
// scripts end anywhere.
func (r *repl) leaves(code string) bool {
	name := strings.TrimSuffix(strings.TrimSpace(code), "()")
	if name != "exit" && name != "quit" {
		return false
	}
	_, defined := r.session.Lookup(name)
	return !defined
}

// execute runs a cell and shows its value or its error.
func (r *repl) execute(ctx context.Context, code string) error {
	r.count++
	return r.run(ctx, func(ctx context.Context) error {
		data, metadata, err := r.session.Execute(ctx, r.count, code, r.out)
		if err != nil || data == nil {
			return err
		}
		if r.interactive {
			r.out.result(r.colors.paint(result, fmt.Sprintf("Out[%d]:", r.count)), data)
		} else {
			r.out.Display(data, metadata, "", false)
		}
		return nil
	})
}

// runFile runs a script. At a terminal its errors are shown, and the session goes on with what
// there is; not if there is no such file.
func (r *repl) runFile(ctx context.Context, path string) error {
	err := r.run(ctx, func(ctx context.Context) error { return r.session.RunFile(ctx, path, r.out) })
	if failed := (*starlib.Error)(nil); r.interactive && errors.As(err, &failed) {
		return nil
	}
	return err
}

// run calls f with a context that an interrupt ends, and shows its error.
func (r *repl) run(ctx context.Context, f func(context.Context) error) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	again := make(chan os.Signal, 1)
	var ending sync.Mutex // an interrupt as f returns must not find a closed channel to be sent to
	ended := false
	defer context.AfterFunc(ctx, func() { // a program may catch the interrupt and go on: the next one ends it
		ending.Lock()
		if !ended {
			signal.Notify(again, os.Interrupt)
		}
		ending.Unlock()
		for range again {
			r.session.Interrupt()
		}
	})()
	defer func() {
		ending.Lock()
		defer ending.Unlock()
		ended = true
		signal.Stop(again)
		close(again)
	}()
	r.out.ctx, r.out.interrupt = ctx, stop
	r.out.givenUp.Store(false)
	err := f(ctx)
	if failed := (*starlib.Error)(nil); errors.As(err, &failed) {
		if r.interactive && ctx.Err() != nil && !r.out.givenUp.Load() {
			r.out.column.open = true // the terminal has written ^C
		}
		r.out.freshLine()
		r.out.Stream("stderr", r.colors.traceback(failed)+"\n")
	}
	return err
}

// complete reports whether a cell may run as it stands, and how the next line is indented if it may
// not. A cell that begins with a magic goes on to an empty line: what a magic is about follows it.
func complete(s *starlib.Session, code string) (bool, string) {
	status, indent := s.IsComplete(code)
	if status == "incomplete" {
		return false, indent
	}
	last := code[strings.LastIndex(code, "\n")+1:]
	if isMagic(code) && strings.TrimSpace(last) != "" {
		return false, ""
	}
	return true, ""
}

func isMagic(code string) bool { return strings.HasPrefix(strings.TrimLeft(code, "\n"), "%%") }
