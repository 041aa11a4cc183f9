package starlib_test

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
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

// The table of calls that an interrupt has to end: every documented function has a row, written or made from its parameters.

var (
	interruptsSize = flag.Int("interrupts", 0, "TestInterrupts with arrays of 2**n elements: print how long each call goes on")
	interruptsOf   = flag.String("interrupts.of", "", "a regular expression: rows of TestInterrupts")
)

// interruptRows are the rows that are written: "names: call", or "names - why no call takes long". Names are regular expressions of
// whole names. A call may have statements before it, up to ";;", which are not measured, and a comment that says why it does not ask.
//
//go:embed testdata/interrupts.txt
var interruptRows string

// interruptInputs are what calls are given.
//
//go:embed testdata/interrupts/before.star
var interruptInputs string

// interruptRooms are the sections of the documentation whose functions have rows: np, what it makes, and the language.
var interruptRooms = []string{"Functions of the language", "bytes", "dict", "float", "int", "list", "set", "string", "tuple", "slice",
	"np", "np.linalg", "np.random", "ndarray", "RandomState", "Generator"}

// An interruptRow is what is called for a function, or why nothing is.
type interruptRow struct {
	before, call, never string
	unasked             string // why the call does not ask, though what it does grows with its arguments
}

type interruptPattern struct {
	name *regexp.Regexp
	row  interruptRow
	used bool
}

// written reads interruptRows and, by the parameter, what functions without a row are given: "=x, y, z: a".
func written(t *testing.T) (rows []*interruptPattern, kinds map[string]string) {
	kinds = map[string]string{}
	for _, line := range strings.Split(interruptRows, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		var row interruptRow
		names, call, ok := strings.Cut(line, ": ")
		if at := strings.Index(line, " - "); at >= 0 && (!ok || at < len(names)) {
			names, row.never = line[:at], line[at+3:]
		} else if !ok {
			t.Fatalf("interrupts.txt: %s: want names: call, or names - reason", line)
		}
		if params, ok := strings.CutPrefix(names, "="); ok {
			for _, p := range strings.Split(params, ", ") {
				kinds[p] = call
			}
			continue
		}
		if row.never == "" {
			call, row.unasked, _ = strings.Cut(call, " # ")
			row.call = call
			if before, call, ok := strings.Cut(call, ";; "); ok {
				row.before, row.call = before, call
			}
		}
		re := regexp.MustCompile("^(" + strings.ReplaceAll(names, ", ", "|") + ")$")
		rows = append(rows, &interruptPattern{name: re, row: row})
	}
	return rows, kinds
}

// byParameters is the call of a function with what its required parameters stand for.
func byParameters(e assist.Entry, kinds map[string]string) (row interruptRow, missing string) {
	room := e.Name[:strings.LastIndexByte(e.Name, '.')+1]
	var args []string
	for _, p := range e.Params {
		if p.Default != "" || strings.HasPrefix(p.Name, "*") {
			continue
		}
		kind := kinds[room+p.Name]
		if kind == "" {
			kind = kinds[p.Name]
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
	if strings.HasPrefix(e.Name, "T.") { // what is evaluated is a compiled function
		row.before, row.call = "import theano.tensor; _f = function([], as_shared("+row.call+"))", "_f()"
	}
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

// listen runs a row on a thread of its own, and interrupts it after some time of that thread, if it is not 0. It returns how long the
// row took and how long of that was after the interrupt.
func listen(s *starlib.Session, row interruptRow, after time.Duration) (took, late time.Duration, err error) {
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
			raised <- threadTime(tid)
			cancel()
			return
		}
	}()
	_, _, err = s.Execute(ctx, 2, row.call+";", nil)
	end := threadTime(tid)
	close(done)
	if at := <-raised; at != 0 {
		late = end - at
	}
	return end - begun, late, err
}

// TestInterrupts calls every documented function with inputs that take long, and counts how often it asks whether it is to end. With
// -interrupts the inputs are large, and the longest times without a question are printed.
func TestInterrupts(t *testing.T) {
	if testing.Short() {
		t.Skip("calls everything")
	}
	size := 1 << 18
	if *interruptsSize > 0 {
		size = 1 << *interruptsSize
	}
	defer parallel.SetThreads(parallel.Threads())
	parallel.SetThreads(1)
	rows, kinds := written(t)
	only := regexp.MustCompile(*interruptsOf)
	open := func() *starlib.Session {
		s := starlib.NewSession(starlib.Options{Dir: t.TempDir(), Predeclared: starlark.StringDict{"tell": tell}})
		code := fmt.Sprintf("N = %d\n%s", size, interruptInputs)
		if _, _, err := s.Execute(context.Background(), 1, code, nil); err != nil {
			t.Fatal(strings.Join(err.(*starlib.Error).Traceback(), "\n"))
		}
		return s
	}
	s := open()
	seen := map[interruptRow]bool{}
	for _, section := range assist.In(s.Session).Documentation() {
		if !slices.Contains(interruptRooms, section.Title) {
			continue
		}
		for _, e := range section.Entries {
			if e.Name == "tell" || !only.MatchString(e.Name) {
				continue
			}
			row := interruptRow{}
			for _, r := range rows {
				if r.name.MatchString(e.Name) {
					row, r.used = r.row, true
					break
				}
			}
			if row == (interruptRow{}) && !strings.Contains(e.Signature, "(") {
				continue // a value
			}
			if row == (interruptRow{}) {
				missing := ""
				if row, missing = byParameters(e, kinds); missing != "" {
					t.Errorf("%s: nothing is known of parameter %s: add a row to testdata/interrupts.txt", e.Name, missing)
					continue
				}
			}
			if row.never != "" {
				continue
			}
			if !seen[row] {
				seen[row] = true
				switch {
				case *interruptsSize > 0:
					check(t, s, e.Name, row)
				case row.unasked == "":
					told(t, s, e.Name, row)
				}
			}
		}
	}
	for _, r := range rows {
		if !r.used && *interruptsOf == "" {
			t.Errorf("interrupts.txt: there is no %v", r.name)
		}
	}
}

// tell raises the Stop of the running cell, and nothing else: the interpreter goes on. What is called next has to ask.
var tell = (&value.Builtin{Name: "tell",
	Fn: func(thread *starlark.Thread, _ *value.Builtin, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		atomic.StoreUint32(value.HostOf(thread).Stop(), 1)
		return starlark.None, nil
	}}).Value()

// told reports that a call which is to end before it begins has no result.
func told(t *testing.T, s *starlib.Session, name string, row interruptRow) {
	if row.before != "" {
		if _, _, err := s.Execute(context.Background(), 1, row.before+";", nil); err != nil {
			t.Errorf("%s: %s: %v", name, row.before, err)
			return
		}
	}
	_, _, err := s.Execute(context.Background(), 2, "tell()\n"+row.call+";", nil)
	switch {
	case err == nil:
		t.Errorf("%s: %s: went on to its end though it was to end", name, row.call)
	case !strings.Contains(err.Error(), "interrupted"):
		t.Errorf("%s: %s: %v, want interrupted", name, row.call, err)
	}
}

// TestInterruptedOperators: what is no function is told likewise.
func TestInterruptedOperators(t *testing.T) {
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir(), Predeclared: starlark.StringDict{"tell": tell}})
	code := fmt.Sprintf("N = %d\n%s", 1<<18, interruptInputs)
	if _, _, err := s.Execute(context.Background(), 1, code, nil); err != nil {
		t.Fatal(err)
	}
	for _, row := range []interruptRow{
		{call: "big * big"}, {call: "-big * big"}, {call: "x *= big", before: "x = big"}, {call: "x * x", before: "x = big"},
		{call: "big * big // big", before: "big * big"}, {call: "big // (big - 1)"}, {call: "x %= big - 1", before: "x = big + 1"},
		{call: "divmod(big, 7)"}, {call: "pow(3, big, 10 ** 50)"}, {call: "str(-big)"}, {call: `"%d" % big`}, {call: `f"{big:,}"`},
		{call: `f"{ints}"`}, {call: `"%s" % (ints,)`}, {call: `"{!r}".format(D)`}, {call: "print(ints)"}, {call: "repr([words])"},
		{call: "x += (i for i in itertools.count())", before: "x = []"}, {call: "list(map(first, iter(ints)))"},
		{call: "sorted(L, key=lambda x: -x)"}, {call: "{}.update(zip(ints, ints))"}, {call: "str(a.tolist())"},
		{call: "-1.0 in L"}, {call: "-1.0 not in tuple(L)"}, {call: "L == M", before: "M = L[:]"}, {call: "tuple(L) < tuple(L)"},
		{call: "deep == other", before: "x = [1] * 1000; deep = [x] * 1000; other = [[1] * 1000] * 1000"},
		{call: "{1: L} == {1: M}", before: "M = L[:]"}, {call: "other in [deep, 1]"},
	} {
		told(t, s, "an operator", row)
	}
}

// check interrupts a row at several times of its run.
func check(t *testing.T, s *starlib.Session, name string, row interruptRow) {
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
