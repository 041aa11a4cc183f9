package starlib_test

import (
	"context"
	"embed"
	"flag"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/arignote/arignote/kernels/parallel"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/assist"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"golang.org/x/sys/unix"
)

// The table of calls that an interrupt has to end: every documented function has a row, written or
// made from its parameters.

var (
	interruptsSize = flag.Int("interrupts", 0,
		"TestInterrupts with arrays of 2**n elements: print how long each call goes on")
	interruptsOf = flag.String("interrupts.of", "", "a regular expression: rows of TestInterrupts")
)

// interruptTables are the rows that are written: "names: call", or "names - why no call takes
// long". Names are regular expressions of whole names, but for "." which is a dot and "*" which is
// any text. A call may have statements before it, up to ";;", which are not measured, and a comment
// that says why it does not ask.
//
//go:embed testdata/interrupts/*
var interruptTables embed.FS

// interruptInputs reads a program of what calls are given.
func interruptInputs(t *testing.T, name string) string {
	text, err := interruptTables.ReadFile("testdata/interrupts/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// interruptSkips are the sections of the documentation that are no functions.
var interruptSkips = []string{"Syntax", "Magics", "Flags of config", "T: variables"}

// symbolicRooms are the sections whose functions make variables: what is measured is the compiled
// function of what a row makes of shared variables that have the names of the arrays.
var symbolicRooms = regexp.MustCompile(
	`^(T|T\..*|TensorVariable|theano\.sparse|SparseVariable|Random(Generator)?Variable|` +
		`RandomStreams?|MRG_RandomStreams|DrawnVariable|RandomGeneratorVariable|` +
		`theano\.(map|reduce|foldl|foldr))$`)

// An interruptRow is what is called for a function, or why nothing is.
type interruptRow struct {
	before, call, never string
	unasked             string // why the call does not ask, though what it does grows with its arguments
	symbolic            bool   // the call makes a variable
}

type interruptPattern struct {
	name *regexp.Regexp
	row  interruptRow
	used bool
}

// written reads the tables and, by the parameter, what functions without a row are given:
// "=x, y, z: a".
func written(t *testing.T) (rows []*interruptPattern, kinds map[string]string) {
	kinds = map[string]string{}
	tables, err := fs.Glob(interruptTables, "testdata/interrupts/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		for _, line := range strings.Split(interruptInputs(t, path.Base(table)), "\n") {
			if line == "" || line[0] == '#' {
				continue
			}
			names, row := rowOf(line)
			if names == "" {
				t.Fatalf("%s: %s: want names: call, or names - reason", table, line)
			}
			if params, ok := strings.CutPrefix(names, "="); ok {
				for _, p := range strings.Split(params, ", ") {
					kinds[p] = row.call
				}
				continue
			}
			names = strings.NewReplacer(", ", "|", ".", `\.`, "*", ".*").Replace(names)
			re := regexp.MustCompile("^(" + names + ")$")
			rows = append(rows, &interruptPattern{name: re, row: row})
		}
	}
	return rows, kinds
}

// rowOf reads a line of a table.
func rowOf(line string) (names string, row interruptRow) {
	names, call, ok := strings.Cut(line, ": ")
	if at := strings.Index(line, " - "); at >= 0 && (!ok || at < len(names)) {
		return line[:at], interruptRow{never: line[at+3:]}
	}
	if !ok {
		return "", row
	}
	row.call, row.unasked, _ = strings.Cut(call, " # ")
	if before, call, ok := strings.Cut(row.call, ";; "); ok {
		row.before, row.call = before, call
	}
	return names, row
}

// byParameters is the call of a function with what its required parameters stand for. A room has
// its own, or those of the room that it is in.
func byParameters(e assist.Entry, kinds map[string]string) (row interruptRow, missing string) {
	room := e.Name[:strings.LastIndexByte(e.Name, '.')+1]
	var args []string
	for _, p := range e.Params {
		if p.Default != "" || strings.HasPrefix(p.Name, "*") {
			continue
		}
		kind := ""
		for in := room; kind == ""; in = in[:strings.LastIndexByte(in[:len(in)-1], '.')+1] {
			if kind = kinds[in+p.Name]; in == "" {
				break
			}
		}
		if kind == "" {
			return row, p.Name
		}
		args = append(args, kind)
	}
	receiver := kinds[room]
	if receiver == "" {
		receiver = room
	}
	own, _, _ := strings.Cut(e.Signature, "(")
	row.call = receiver + own + "(" + strings.Join(args, ", ") + ")"
	return row, ""
}

// patience is how long a row may take: from then on the interrupt of listen is this one.
const patience = 4 * time.Second

// threadTime is how long a thread has had a processor, which a busy machine changes little.
func threadTime(tid int) time.Duration {
	const perThread, scheduled = 4, 2 // of clock_getcpuclockid
	var ts unix.Timespec
	if err := unix.ClockGettime(int32(^tid<<3|perThread|scheduled), &ts); err != nil {
		panic(err)
	}
	return time.Duration(ts.Nano())
}

// listen runs a row on a thread of its own, and interrupts it after some time of that thread, if it
// is not 0. It returns how long the row took and how long of that was after the interrupt: from
// when its Stop is raised, which on a busy machine is some time after a context ends.
func listen(s *starlib.Session, row interruptRow, after time.Duration) (
	took, late time.Duration, err error,
) {
	if row.before != "" {
		if _, _, err := s.Execute(context.Background(), 1, row.before+";", nil); err != nil {
			return 0, 0, err
		}
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	tid := unix.Gettid()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	done, raised := make(chan struct{}), make(chan time.Duration, 1)
	begun := threadTime(tid)
	go func() {
		tick := time.NewTicker(200 * time.Microsecond)
		defer tick.Stop()
		for over := ctx.Done(); ; {
			select {
			case <-done:
				raised <- 0
				return
			case <-over:
			case <-tick.C:
				if after == 0 || threadTime(tid)-begun < after {
					continue
				}
			}
			if stop := heard.Load(); stop != nil {
				atomic.StoreUint32(*stop, 1)
			}
			raised <- threadTime(tid)
			cancel()
			return
		}
	}()
	_, _, err = s.Execute(ctx, 2, "tell()\n"+row.call+";", nil)
	end := threadTime(tid)
	heard.Store(nil)
	close(done)
	if at := <-raised; at != 0 {
		late = end - at
	}
	return end - begun, late, err
}

// TestInterrupts calls every documented function with inputs that take long, and counts how often
// it asks whether it is to end. With -interrupts the inputs are large, and the longest times
// without a question are printed.
func TestInterrupts(t *testing.T) {
	if testing.Short() {
		t.Skip("calls everything")
	}
	defer parallel.SetThreads(parallel.Threads())
	parallel.SetThreads(1)
	rows, kinds := written(t)
	only := regexp.MustCompile(*interruptsOf)
	s, symbolic := interrupted(t, ""), interrupted(t, "symbolic.star")
	seen := map[interruptRow]bool{}
	for _, section := range assist.In(s.Session).Documentation() {
		if slices.Contains(interruptSkips, section.Title) {
			continue
		}
		for _, e := range section.Entries {
			if e.Name == "tell" || !only.MatchString(e.Name) {
				continue
			}
			row, missing := rowFor(e, rows, kinds)
			if missing != "" {
				t.Errorf("%s: nothing is known of parameter %s: add a row to testdata/interrupts",
					e.Name, missing)
				continue
			}
			in := s
			if row.symbolic = row.before == "" && isSymbolic(section.Title, e.Name); row.symbolic {
				in = symbolic
			}
			if row.call == "" || seen[row] {
				continue
			}
			seen[row] = true
			switch {
			case *interruptsSize > 0:
				check(t, in, e.Name, row)
			case row.unasked == "":
				told(t, in, e.Name, row)
			}
		}
	}
	for _, r := range rows {
		if !r.used && *interruptsOf == "" {
			t.Errorf("testdata/interrupts: there is no %v", r.name)
		}
	}
}

func isSymbolic(section, name string) bool {
	return symbolicRooms.MatchString(section) || symbolicRooms.MatchString(name)
}

// interrupted is a session that has the inputs of rows. What is told while it makes variables is
// heard where their test values are computed: by the operations, one by one, and not by what runs
// them.
func interrupted(t *testing.T, more string) *starlib.Session {
	s := starlib.NewSession(starlib.Options{
		Dir: t.TempDir(), Predeclared: starlark.StringDict{"tell": tell}})
	size := 1 << 18
	if *interruptsSize > 0 {
		size = 1 << *interruptsSize
	}
	code := fmt.Sprintf("N = %d\n%s", size, interruptInputs(t, "before.star"))
	if more != "" {
		code += fmt.Sprintf("\nmeasured = %d > 0\n%s", *interruptsSize,
			interruptInputs(t, more))
	}
	if _, _, err := s.Execute(context.Background(), 1, code, nil); err != nil {
		t.Fatal(strings.Join(err.(*starlib.Error).Traceback(), "\n"))
	}
	return s
}

// rowFor is the first row for a documented thing, or what its parameters make. Values without a row
// have none.
func rowFor(e assist.Entry, rows []*interruptPattern, kinds map[string]string) (
	row interruptRow, missing string,
) {
	for _, r := range rows {
		if r.name.MatchString(e.Name) {
			r.used = true
			row, name := r.row, e.Name[strings.LastIndexByte(e.Name, '.')+1:]
			row.before, row.call = strings.ReplaceAll(row.before, "NAME", name), strings.ReplaceAll(row.call, "NAME", name)
			return row, ""
		}
	}
	if !strings.Contains(e.Signature, "(") {
		return row, ""
	}
	return byParameters(e, kinds)
}

// tell raises the Stop of the running cell, and nothing else: the program goes on. What is
// called next has to ask. Where rows are measured it leaves that to listen.
var tell = (&value.Builtin{Name: "tell",
	Fn: func(
		thread *starlark.Thread, _ *value.Builtin, _ starlark.Tuple, _ []starlark.Tuple,
	) (starlark.Value, error) {
		stop := value.HostOf(thread).Stop()
		if *interruptsSize > 0 {
			heard.Store(&stop)
		} else {
			atomic.StoreUint32(stop, 1)
		}
		return starlark.None, nil
	}}).Value()

// heard is the Stop of the row that is measured.
var heard atomic.Pointer[*uint32]

// told reports that a call which is to end before it begins has no result.
func told(t *testing.T, s *starlib.Session, name string, row interruptRow) {
	if row.before != "" {
		if _, _, err := s.Execute(context.Background(), 1, row.before+";", nil); err != nil {
			t.Errorf("%s: %s: %v", name, row.before, err)
			return
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, _, err := s.Execute(ctx, 2, "tell()\n"+row.call+";", nil)
	switch {
	case ctx.Err() != nil:
		t.Errorf("%s: %s: went on for %v though it was to end", name, row.call, patience)
	case err == nil:
		t.Errorf("%s: %s: went on to its end though it was to end", name, row.call)
	case !strings.Contains(err.Error(), "interrupted"):
		t.Errorf("%s: %s: %v, want interrupted", name, row.call, err)
	}
}

// TestInterruptedOperators: what is no function is told likewise, or measured.
func TestInterruptedOperators(t *testing.T) {
	s, only := interrupted(t, ""), regexp.MustCompile(*interruptsOf)
	for _, row := range []interruptRow{
		{call: "big * big"}, {call: "-big * big"}, {call: "x *= big", before: "x = big"},
		{call: "x * x", before: "x = big"}, {call: "big * big // big", before: "big * big"},
		{call: "big // (big - 1)"}, {call: "x %= big - 1", before: "x = big + 1"},
		{call: "divmod(big, 7)"}, {call: "pow(3, big, 10 ** 50)"}, {call: "str(-big)"},
		{call: `"%d" % big`}, {call: `f"{big:,}"`}, {call: `f"{ints}"`}, {call: `"%s" % (ints,)`},
		{call: `"{!r}".format(D)`}, {call: "print(ints)"}, {call: "repr([words])"},
		{call: "grow([], range(8 * N))", before: "def grow(x, y): x += y"}, {call: "grow([], y)", before: "y = L * 64"},
		{call: "x *= 4 * N", before: "x = first([1, 2])"}, {call: "[1, 2] * (4 * N)"},
		{call: "x[5:]", before: "x = L * 64"}, {call: "x + x", before: "x = L * 64"}, {call: "x |= D", before: "x = first({-1: 0})"},
		{call: "x |= zip(ints, ints)", before: "x = first({})"}, {call: "x |= y", before: "x = set(); y = set(ints)"},
		{call: "x &= y", before: "x = set(ints); y = {-1}"}, {call: "x -= y", before: "y = set(ints); x = set(y)"},
		{call: "x ^= y", before: "y = set(ints); x = {-1}"},
		{call: "x += (i for i in itertools.count())", before: "x = []"},
		{call: "list(map(first, iter(ints)))"}, {call: "sorted(L, key=lambda x: -x)"},
		{call: "{}.update(zip(ints, ints))"}, {call: "str(a.tolist())"}, {call: "-1.0 in L"},
		{call: "-1.0 not in tuple(L)"}, {call: "L == M", before: "M = L[:]"},
		{call: "tuple(L) < tuple(L)"},
		{call: "list(wide)"}, {call: "sorted(wide)"}, {call: "set(wide)"}, {call: "wide[5:-5]"}, {call: "[*wide]"}, {call: "a, *b = wide"},
		{call: "[*many]"}, {call: "(*many, 1)"}, {call: "{*many}"}, {call: "a, *b = many"}, {call: "a, *b = range(24 * N)"},
		{call: "sorted(many)"}, {call: "set(many)"}, {call: "sorted(many, reverse=True)"}, {call: "many.sort()"},
		{call: "x |= zip(many, many)", before: "x = first({})"}, {call: "dict(zip(many, many))"}, {call: "x.update(many)", before: "x = set()"},
		{call: "deep == other", before: "x = [1] * 1000; deep = [x] * 1000; other = [[1] * 1000] * 1000"},
		{call: "{1: L} == {1: M}", before: "M = L[:]"}, {call: "other in [deep, 1]"},
	} {
		switch {
		case !only.MatchString(row.call):
		case *interruptsSize > 0:
			check(t, s, "an operator", row)
		default:
			told(t, s, "an operator", row)
		}
	}
}

// check interrupts a row at several times of its run.
func check(t *testing.T, s *starlib.Session, name string, row interruptRow) {
	if row.symbolic {
		row.before, row.call = "_f = function([], "+row.call+")", "_f()"
	}
	took, late, err := listen(s, row, 0)
	if err != nil && err.(*starlib.Error).Name() != "TimeoutError" {
		t.Errorf("%s: %s;; %s: %v", name, row.before, row.call, err)
		return
	}
	for _, share := range []float64{.02, .3, .6, .9} {
		if took < 5*time.Millisecond {
			break
		}
		_, l, _ := listen(s, row, time.Duration(share*float64(took)))
		late = max(late, l)
	}
	if *interruptsSize > 0 {
		fmt.Printf("%-32s took %8.1f ms  late %8.1f  %s;; %s\n", name, ms(took), ms(late), row.before, row.call)
	}
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }
