package magic

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/arignote/arignote/starlib/library"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
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
	w.user, w.sys, _ = library.ProcessorTime()
	w.began = time.Now()
	return w
}

func (w stopwatch) report() string {
	wall := time.Since(w.began)
	text := ""
	if user, sys, ok := library.ProcessorTime(); ok {
		user, sys = user-w.user, sys-w.sys
		text = fmt.Sprintf("CPU times: user %s, sys: %s, total: %s\n", showTime(user.Seconds()), showTime(sys.Seconds()),
			showTime((user + sys).Seconds()))
	}
	return text + "Wall time: " + showTime(wall.Seconds()) + "\n"
}

// showTime is showDigits with three digits.
func showTime(seconds float64) string { return showDigits(seconds, 3) }

// showDigits returns seconds with digits and a unit; from a minute on, in minutes and seconds.
func showDigits(seconds float64, digits int) string {
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
	if seconds >= 100 && digits <= 3 { // %.3g would write 999.6 as 1e+03
		return fmt.Sprintf("%.0f %s", seconds, units[i])
	}
	return fmt.Sprintf("%.*g %s", digits, seconds, units[i])
}

// magicTimeit is %timeit.
func magicTimeit(c *Call) (starlark.Value, error) {
	if err := c.wantsCode(); err != nil {
		return nil, err
	}
	r, err := timeit(c.S, c.thread, c.Line, nil, c.parseRest)
	if err != nil || !c.Given("-o") {
		return nil, err
	}
	return r, nil
}

// timeitCell is %%timeit: what follows it on its line runs once a run, before the loops.
func timeitCell(m Line) session.CellFunc {
	return func(s *session.Session, ctx context.Context, cell *session.Cell, text string) (data, metadata map[string]any, err error) {
		setup := func() (*syntax.File, error) { return session.ParseText(cell.Name, m.Rest, m.line, m.col) }
		if m.Rest == "" {
			setup = nil
		}
		return s.Value(ctx, cell, func(thread *starlark.Thread) (starlark.Value, error) {
			r, err := timeit(s, thread, m, setup, func() (*syntax.File, error) { return s.ParseCell(cell.Name, text, cell.Line) })
			if err != nil || !m.Given("-o") {
				return nil, err
			}
			return r, nil
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
func timeit(s *session.Session, thread *starlark.Thread, m Line, setup, body func() (*syntax.File, error)) (*timings, error) {
	number, err := m.count("-n", 0)
	if err != nil {
		return nil, err
	}
	repeat, err := m.count("-r", 7)
	if err != nil {
		return nil, err
	}
	digits, err := m.count("-p", 3)
	if err != nil {
		return nil, err
	}
	// Frames of names with a $ are not shown, and this one holds the user's lines.
	const name, loops, index = "<toplevel>", "$n", "$i"
	tree, err := body()
	if err != nil {
		return nil, err
	}
	pos := syntax.MakePosition(&tree.Path, int32(m.line), int32(m.at))
	if len(tree.Stmts) == 0 {
		return nil, session.ErrorAt("SyntaxError", pos, "%%timeit: got nothing to run below it")
	}
	var before []syntax.Stmt
	if setup != nil {
		g, err := setup()
		if err != nil {
			return nil, err
		}
		before = g.Stmts
	}
	ident := func(name string) *syntax.Ident { return &syntax.Ident{NamePos: pos, Name: name} }
	count := &syntax.CallExpr{Fn: ident("range"), Lparen: pos, Args: []syntax.Expr{ident(loops)}, Rparen: pos}
	loop := &syntax.ForStmt{For: pos, Vars: ident(index), X: count, Body: tree.Stmts}
	tree.Stmts = []syntax.Stmt{&syntax.DefStmt{Def: pos, Name: ident(name), Lparen: pos, Rparen: pos,
		Params: []syntax.Expr{ident(loops)}, Body: append(before, loop)}}
	began := time.Now()
	prog, err := s.CompilePart(tree, false)
	if err != nil {
		return nil, err
	}
	if _, err := s.RunPart(prog, thread); err != nil {
		return nil, err
	}
	f := s.Take(name)
	compiling := time.Since(began)

	measure := func(n int) (time.Duration, error) {
		began := time.Now()
		_, err := value.Call(thread, f, starlark.Tuple{starlark.MakeInt(n)}, nil)
		return time.Since(began), err
	}
	if number == 0 {
		number = 1
		for d := time.Duration(0); ; number *= 10 {
			if d, err = measure(number); err != nil {
				return nil, err
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
			return nil, err
		}
		runs[i] = d.Seconds() / float64(number)
	}
	t := &timings{"TimeitResult", number, runs, digits, compiling.Seconds()}
	if !m.Given("-q") {
		s.Print("stdout", t.String()+"\n")
	}
	return t, nil
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

// timings are the seconds a loop of the runs of %timeit, as -o returns them.
type timings struct {
	value.Identity
	loops     int
	runs      []float64
	digits    int
	compiling float64 // seconds
}

var _ starlark.HasAttrs = (*timings)(nil)

func (t *timings) Table() *value.Methods                    { return TimingsFields }
func (t *timings) AttrNames() []string                      { return TimingsFields.Names() }
func (t *timings) Attr(name string) (starlark.Value, error) { return TimingsFields.Attr(t, name) }
func (t *timings) Repr() string                             { return "<TimeitResult : " + t.String() + ">" }

// moments are the mean and the standard deviation of the runs.
func (t *timings) moments() (mean, deviation float64) {
	for _, r := range t.runs {
		mean += r / float64(len(t.runs))
	}
	for _, r := range t.runs {
		deviation += (r - mean) * (r - mean) / float64(len(t.runs))
	}
	return mean, math.Sqrt(deviation)
}

// String is the line that %timeit prints.
func (t *timings) String() string {
	plural := func(n int, word string) string {
		if n == 1 {
			return thousands(n) + " " + word
		}
		return thousands(n) + " " + word + "s"
	}
	mean, deviation := t.moments()
	return fmt.Sprintf("%s ± %s per loop (mean ± std. dev. of %s, %s each)", showDigits(mean, t.digits), showDigits(deviation, t.digits),
		plural(len(t.runs), "run"), plural(t.loops, "loop"))
}

// perLoop are the runs, times a factor.
func (t *timings) perLoop(factor float64) starlark.Value {
	list := make([]starlark.Value, len(t.runs))
	for i, r := range t.runs {
		list[i] = starlark.Float(r * factor)
	}
	return slot.NewList(list)
}

const timingsExample = `t = get_ipython().run_line_magic("timeit", "-n 2 -r 3 -q -o 1 + 1"); `

func timingOf(name, doc, example string, get func(t *timings) starlark.Value) value.Field {
	return value.FieldOf(name, doc, timingsExample+example, get)
}

// TimingsFields are the attributes of what %timeit -o returns.
var TimingsFields = value.NewMethods("TimeitResult", nil).With(
	timingOf("average", "The mean of the runs, in seconds a loop.", "t.average > 0 # True", func(t *timings) starlark.Value {
		mean, _ := t.moments()
		return starlark.Float(mean)
	}),
	timingOf("stdev", "The standard deviation of the runs.", "t.stdev >= 0 # True", func(t *timings) starlark.Value {
		_, deviation := t.moments()
		return starlark.Float(deviation)
	}),
	timingOf("best", "The shortest run, in seconds a loop.", "t.best <= t.worst # True", func(t *timings) starlark.Value { return starlark.Float(slices.Min(t.runs)) }),
	timingOf("worst", "The longest run, in seconds a loop.", "t.best <= t.worst # True", func(t *timings) starlark.Value { return starlark.Float(slices.Max(t.runs)) }),
	timingOf("timings", "A list of the runs, in seconds a loop.", "len(t.timings) # 3", func(t *timings) starlark.Value { return t.perLoop(1) }),
	timingOf("compile_time", "The seconds that compiling the statement took.", "t.compile_time < 1 # True", func(t *timings) starlark.Value { return starlark.Float(t.compiling) }),
	timingOf("all_runs", "A list of the runs, in seconds.", "len(t.all_runs) # 3", func(t *timings) starlark.Value { return t.perLoop(float64(t.loops)) }),
	timingOf("loops", "How many loops a run has.", "t.loops # 2", func(t *timings) starlark.Value { return starlark.MakeInt(t.loops) }),
	timingOf("repeat", "How many runs there are.", "t.repeat # 3", func(t *timings) starlark.Value { return starlark.MakeInt(len(t.runs)) }))

// thousands writes n with a comma between groups of three digits.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
