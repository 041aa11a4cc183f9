package vm_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/compile"
	"github.com/arignote/arignote/starlib/value"
	"github.com/arignote/arignote/starlib/vm"
	"go.starlark.net/lib/json"
	"go.starlark.net/lib/math"
	"go.starlark.net/lib/time"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/starlarktest"
	"go.starlark.net/syntax"
)

// chunkDifferences are where a program of go.starlark.net's tests does something else here: what
// one of its lines says that only one side has, and why. Each is so in at least one program.
var chunkDifferences = []difference{
	{`here Error: b"hello, 世" != b"hello, 世��"`, byCharacters},
	{`here Error: "-1\.0" != "-0\.0"`, "a quotient is rounded down once, as in Python"},
	{`here Error: \d+ != b"."`, "elements of bytes are ints, as in Python"},
	{`here Error: assertion failed`, "nan is unordered and equals nothing, as in Python"},
	{`here Error: .*(requires integer.*not (bool|string)|requires bytes or int as left operand|int in bytes)`, "x in a range or in bytes is Python's, and says so"},
	{`here Error: .*(format requires integer|cannot convert bool to int|valid Unicode code point)`, "% formats as in Python, and says so"},
	{`here Error: "-?(inf|\d+)" != "[-+]?(inf|\d+\.0)"`, "%g and infinities are formatted as in Python"},
	{`here Error: .*(missing 1 argument|multiple values for parameter)`, "calls with wrong arguments fail in CPython's words"},
	{`here Error: .*called recursively`, "functions may call themselves"},
	{`here Error: .*Starlark stack overflow.*too deep`, "the machine's surroundings say what too deep a call says"},
	{`here Error: .*shift count too large`, "shifts are as in Python, by any int"},
	{`here Error: .*did not match error \(cannot append to frozen list\)`, "x += y of a frozen list is an append"},
	{`here Error: \["(append|clear|add)", `, "lists, dicts and sets have Python's methods"},
	{`here Error: \[\("b", 2\)`, "popitem takes the last entry, as in Python"},
	{`here Error: .*unknown binary op: (list \\\+ int|dict \[\|\] list)|(here|upstream) failed: (\+=: got obj|unknown binary op: list \+ obj)`,
		"x += y takes any iterable where x is a list, and x |= y what makes entries, as in Python"},
	{`here Error: .*(must be iterable, not string|string value is not iterable)`, "text has elements, as in Python"},
	{`here Error: .*during iteration`, "a loop notices that the size has changed when it goes on, as in Python"},
	{`(want error matching "|upstream failed: )duplicate key|here failed: $|upstream (Traceback|  prog\.star:5:10: in <toplevel>)`,
		"the last value of a key counts in a display, as in Python"},
	{`(here|upstream) failed: (global|local) variable assert referenced`, "the globals of a file are no locals of it"},
	{`(here|upstream) failed: load: name froze not found`, "names that are near are found otherwise"},
}

const byCharacters = "slices of text count characters, as in Python, not bytes"

// changes are made to those programs where they would fail here, and what follows would not run.
var changes = strings.NewReplacer(
	`"%o %x %d" % (123.1, 123.1, 123.1)`, `"%o %x %d" % (123, 123, 123)`, // % formats as in Python
	`"Hello, 世界!"[7]), r'"\xe4"'`, `"Hello, abc!"[7]), r'"a"'`, `"Hello, 世界!"[13]`, `"Hello!"[5]`,
	`"😿"[`, `"abcd"[`, `"😿Z"[`, `"abcdZ"[`, `"Й"[`, `"ab"[`, // indexes and slices count characters
	`[] not in {123: ""}`, `() not in {123: ""}`, // a list has no hash
)

// A difference is a regular expression of lines that differ, and why they do.
type difference struct{ line, why string }

// TestUpstreamPrograms runs go.starlark.net's own tests of its interpreter on both sides: they
// report, fail and stand alike, but for what is in chunkDifferences.
func TestUpstreamPrograms(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "go.starlark.net").Output()
	if err != nil {
		t.Skip("no module cache: ", err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "starlark/testdata/*.star"))
	if err != nil || len(files) == 0 {
		t.Skip("no programs: ", err)
	}
	seen := make([]bool, len(chunkDifferences))
	for _, file := range files {
		if name := filepath.Base(file); name == "proto.star" || name == "benchmark.star" || name == "json.star" {
			continue // they need modules that are not here, or make containers within containers
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, src := range strings.Split(string(text), "\n---\n") {
			src = changes.Replace(src)
			got, want := chunkOurs(src), chunkUpstream(src)
			for _, line := range unlike(got, want) {
				if !explained(line, seen) {
					t.Errorf("%s, chunk %d: %s", filepath.Base(file), i, line)
				}
			}
		}
	}
	for i, d := range chunkDifferences {
		if !seen[i] {
			t.Errorf("nothing differs any more because %s", d.why)
		}
	}
}

// explained reports whether a row of chunkDifferences is about a line, and notes which.
func explained(line string, seen []bool) bool {
	for i, d := range chunkDifferences {
		if regexp.MustCompile(d.line).MatchString(line) {
			seen[i] = true
			return true
		}
	}
	return false
}

// unlike are the lines that only one of two outcomes has.
func unlike(got, want outcome) (lines []string) {
	a, b := strings.Split(got.String(), "\n"), strings.Split(want.String(), "\n")
	for side, pair := range map[string][2][]string{"here ": {a, b}, "upstream ": {b, a}} {
		has := map[string]bool{}
		for _, line := range pair[1] {
			has[line] = true
		}
		for _, line := range pair[0] {
			if !has[line] && !strings.HasPrefix(line, "globals: ") {
				lines = append(lines, side+line)
			}
		}
	}
	return lines
}

// chunkOptions are those that a program asks for.
func chunkOptions(src string) *syntax.FileOptions {
	asks := func(name string) bool { return strings.Contains(src, "option:"+name) }
	return &syntax.FileOptions{Set: asks("set"), While: asks("while"), TopLevelControl: asks("toplevelcontrol"),
		GlobalReassign: asks("globalreassign"), LoadBindsGlobally: asks("loadbindsglobally"), Recursion: asks("recursion")}
}

// A reports is a starlarktest.Reporter that keeps the last line of each report: the others are the
// stack, as upstream sees it.
type reports struct{ strings.Builder }

func (r *reports) Error(args ...any) {
	lines := strings.Split(strings.TrimSpace(fmt.Sprint(args...)), "\n")
	fmt.Fprintln(r, lines[len(lines)-1])
}

func chunkThread() (*starlark.Thread, *reports) {
	r := new(reports)
	thread := &starlark.Thread{Print: func(_ *starlark.Thread, msg string) { fmt.Fprintln(r, msg) }}
	thread.Load = func(_ *starlark.Thread, module string) (starlark.StringDict, error) {
		switch module {
		case "assert.star":
			return assertions()
		case "json.star":
			return starlark.StringDict{"json": json.Module}, nil
		case "math.star":
			return starlark.StringDict{"math": math.Module}, nil
		case "time.star":
			return starlark.StringDict{"time": time.Module}, nil
		}
		return nil, fmt.Errorf("no module %s", module)
	}
	starlarktest.SetReporter(thread, r)
	return thread, r
}

// assertions is the module of assertions, whose functions run on upstream's interpreter on both
// sides: they are called through builtins, since the machine calls no function of upstream's.
func assertions() (starlark.StringDict, error) {
	d, err := starlarktest.LoadAssertModule()
	if err != nil {
		return nil, err
	}
	m := &starlarkstruct.Module{Name: "assert", Members: starlark.StringDict{}}
	for name, fn := range d["assert"].(*starlarkstruct.Module).Members {
		m.Members[name] = starlark.NewBuiltin(name, func(thread *starlark.Thread, _ *starlark.Builtin,
			args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			return starlark.Call(thread, fn, args, kwargs)
		})
	}
	out := starlark.StringDict{}
	for name, v := range d {
		out[name] = v
	}
	out["assert"] = m
	return out, nil
}

func chunkNames() starlark.StringDict {
	return starlark.StringDict{
		"hasfields": starlark.NewBuiltin("hasfields", builtins["obj"]),
		"struct":    starlark.NewBuiltin("struct", starlarkstruct.Make),
		"fibonacci": fibonacci{},
	}
}

func chunkUpstream(src string) outcome {
	thread, printed := chunkThread()
	_, err := starlark.ExecFileOptions(chunkOptions(src), thread, fileName, src, chunkNames())
	o := outcome{printed: printed.String()}
	if e, ok := err.(*starlark.EvalError); ok {
		o.failed, o.stack = e.Msg, e.CallStack.String()
	} else if err != nil {
		o.failed = err.Error()
	}
	return o.unplaced()
}

func chunkOurs(src string) outcome {
	f, err := chunkOptions(src).Parse(fileName, src, 0)
	if err != nil {
		return outcome{failed: err.Error()}
	}
	names := chunkNames()
	p, err := compiled(f, compile.Names{Shared: names.Has})
	if err != nil {
		return outcome{failed: err.Error()}
	}
	found := &vm.Globals{}
	for name, v := range names {
		found.Set(name, v)
	}
	thread, printed := chunkThread()
	vm.Attach(thread, vm.Limits{Deepest: 500, TooDeep: "too deep"})
	_, err = vm.Run(thread, p, found)
	o := outcome{printed: printed.String()}
	if err != nil {
		o.failed = err.Error()
		for at := value.TraceOf(err); at != nil; at = value.TraceOf(at.Cause) {
			o.stack = at.Calls().String()
		}
	}
	return o.unplaced()
}

// A fibonacci iterates over the Fibonacci numbers without an end.
type fibonacci struct{}

func (fibonacci) String() string             { return "fib" }
func (fibonacci) Type() string               { return "fib" }
func (fibonacci) Freeze()                    {}
func (fibonacci) Truth() starlark.Bool       { return true }
func (fibonacci) Hash() (uint32, error)      { return 0, fmt.Errorf("unhashable: fib") }
func (fibonacci) Iterate() starlark.Iterator { return &fibonacciIterator{0, 1} }

type fibonacciIterator struct{ x, y int }

func (it *fibonacciIterator) Done() {}
func (it *fibonacciIterator) Next(p *starlark.Value) bool {
	*p = starlark.MakeInt(it.x)
	it.x, it.y = it.y, it.x+it.y
	return true
}
