package magic

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// magicTime is %time: it runs a statement as if it stood there, and returns its value.
func magicTime(c *Call) (starlark.Value, error) {
	prog, err := c.Program()
	if err != nil {
		return nil, err
	}
	watch := startStopwatch()
	v, err := c.S.RunPart(prog, c.thread)
	if err != nil {
		return nil, err
	}
	c.Print(watch.report())
	return v, nil
}

// timeCell is %%time.
func timeCell(Line) session.CellFunc {
	return func(s *session.Session, ctx context.Context, cell *session.Cell, text string) (data, metadata map[string]any, err error) {
		watch := startStopwatch()
		data, metadata, err = s.RunCode(ctx, cell, text)
		s.Print("stdout", watch.report())
		return data, metadata, err
	}
}

// A stopwatch measures time as the clock and, where the system tells, as the processors see it.
type stopwatch struct {
	began     time.Time
	user, sys time.Duration
}

func startStopwatch() stopwatch {
	w := stopwatch{}
	w.user, w.sys, _ = cpuTime()
	w.began = time.Now()
	return w
}

func (w stopwatch) report() string {
	wall := time.Since(w.began)
	text := ""
	if user, sys, ok := cpuTime(); ok {
		user, sys = user-w.user, sys-w.sys
		text = fmt.Sprintf("CPU times: user %s, sys: %s, total: %s\n", showTime(user.Seconds()), showTime(sys.Seconds()),
			showTime((user + sys).Seconds()))
	}
	return text + "Wall time: " + showTime(wall.Seconds()) + "\n"
}

// showTime returns seconds with three digits and a unit; from a minute on, in minutes and seconds.
func showTime(seconds float64) string {
	if seconds >= 60 {
		whole := int(math.Round(seconds))
		text := fmt.Sprintf("%dmin %ds", whole/60%60, whole%60)
		if h := whole / 3600; h > 0 {
			text = fmt.Sprintf("%dh %s", h, text)
		}
		return text
	}
	units := []string{"s", "ms", "µs", "ns"}
	i := 0
	for seconds > 0 && i < len(units)-1 && seconds < 0.9995 {
		seconds *= 1000
		i++
	}
	if seconds >= 100 { // %.3g would write 999.6 as 1e+03
		return fmt.Sprintf("%.0f %s", seconds, units[i])
	}
	return fmt.Sprintf("%.3g %s", seconds, units[i])
}

// magicTimeit is %timeit.
func magicTimeit(c *Call) (starlark.Value, error) {
	if err := c.wantsCode(); err != nil {
		return nil, err
	}
	return nil, timeit(c.S, c.thread, c.Line, nil, c.parseRest)
}

// timeitCell is %%timeit: what follows it on its line runs once a run, before the loops.
func timeitCell(m Line) session.CellFunc {
	return func(s *session.Session, ctx context.Context, cell *session.Cell, text string) (data, metadata map[string]any, err error) {
		setup := func() (*syntax.File, error) { return session.ParseText(cell.Name, m.Rest, m.line, m.col) }
		if m.Rest == "" {
			setup = nil
		}
		return nil, nil, s.Protect(ctx, cell.Name, func(thread *starlark.Thread) error {
			return timeit(s, thread, m, setup, func() (*syntax.File, error) { return s.ParseCell(cell.Name, text, cell.Line) })
		})
	}
}

// timeit compiles
//
//	def f(n):
//	    setup
//	    for i in range(n):
//	        body
//
// from the trees of the two, so that the names they assign are local and all positions are the
// user's, and measures calls of it.
func timeit(s *session.Session, thread *starlark.Thread, m Line, setup, body func() (*syntax.File, error)) error {
	number, err := m.count("-n", 0)
	if err != nil {
		return err
	}
	repeat, err := m.count("-r", 7)
	if err != nil {
		return err
	}
	// Frames of names with a $ are not shown, and this one holds the user's lines.
	const name, loops, index = "<toplevel>", "$n", "$i"
	tree, err := body()
	if err != nil {
		return err
	}
	pos := syntax.MakePosition(&tree.Path, int32(m.line), int32(m.at))
	if len(tree.Stmts) == 0 {
		return session.ErrorAt("SyntaxError", pos, "%%timeit: got nothing to run below it")
	}
	var before []syntax.Stmt
	if setup != nil {
		g, err := setup()
		if err != nil {
			return err
		}
		before = g.Stmts
	}
	ident := func(name string) *syntax.Ident { return &syntax.Ident{NamePos: pos, Name: name} }
	count := &syntax.CallExpr{Fn: ident("range"), Lparen: pos, Args: []syntax.Expr{ident(loops)}, Rparen: pos}
	loop := &syntax.ForStmt{For: pos, Vars: ident(index), X: count, Body: tree.Stmts}
	tree.Stmts = []syntax.Stmt{&syntax.DefStmt{Def: pos, Name: ident(name), Lparen: pos, Rparen: pos,
		Params: []syntax.Expr{ident(loops)}, Body: append(before, loop)}}
	prog, err := s.CompilePart(tree, false)
	if err != nil {
		return err
	}
	if _, err := s.RunPart(prog, thread); err != nil {
		return err
	}
	f := s.Take(name)

	measure := func(n int) (time.Duration, error) {
		began := time.Now()
		_, err := value.Call(thread, f, starlark.Tuple{starlark.MakeInt(n)}, nil)
		return time.Since(began), err
	}
	if number == 0 {
		number = 1
		for d := time.Duration(0); ; number *= 10 {
			if d, err = measure(number); err != nil {
				return err
			}
			if d >= 200*time.Millisecond || number >= 1e9 {
				break
			}
		}
	}
	runs := make([]float64, repeat)
	for i := range runs {
		d, err := measure(number)
		if err != nil {
			return err
		}
		runs[i] = d.Seconds() / float64(number)
	}
	if !m.Given("-q") {
		s.Print("stdout", showRuns(runs, number))
	}
	return nil
}

// count returns the value of an option that is a positive integer.
func (m Line) count(name string, otherwise int) (int, error) {
	text, ok := m.options[name]
	if !ok {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 1e9 {
		return 0, fmt.Errorf("timeit: %s: got %s, want an integer from 1 to 1000000000", name, text)
	}
	return n, nil
}

// showRuns returns the mean and the standard deviation of runs, in seconds a loop.
func showRuns(runs []float64, loops int) string {
	mean, variance := 0.0, 0.0
	for _, r := range runs {
		mean += r / float64(len(runs))
	}
	for _, r := range runs {
		variance += (r - mean) * (r - mean) / float64(len(runs))
	}
	plural := func(n int, word string) string {
		if n == 1 {
			return thousands(n) + " " + word
		}
		return thousands(n) + " " + word + "s"
	}
	return fmt.Sprintf("%s ± %s per loop (mean ± std. dev. of %s, %s each)\n", showTime(mean), showTime(math.Sqrt(variance)),
		plural(len(runs), "run"), plural(loops, "loop"))
}

// thousands writes n with a comma between groups of three digits.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
