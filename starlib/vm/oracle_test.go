package vm_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/compile"
	"github.com/arignote/arignote/starlib/scope"
	"github.com/arignote/arignote/starlib/value"
	"github.com/arignote/arignote/starlib/vm"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// options allow all that Starlark has.
var options = &syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true,
	LoadBindsGlobally: true, Recursion: true}

const fileName = "prog.star"

// An outcome is what a program does: what it prints, the globals that it leaves, why and where it
// failed.
type outcome struct{ printed, globals, failed, stack string }

func (o outcome) String() string {
	return fmt.Sprintf("%sglobals: %s\nfailed: %s\n%s", o.printed, o.globals, o.failed, o.stack)
}

// newThread returns a thread that prints into a string, and loads a module of two names.
func newThread() (*starlark.Thread, *strings.Builder) {
	printed := new(strings.Builder)
	thread := &starlark.Thread{Name: "test"}
	thread.Print = func(_ *starlark.Thread, msg string) { fmt.Fprintln(printed, msg) }
	thread.Load = func(_ *starlark.Thread, module string) (starlark.StringDict, error) {
		if module != "lib" {
			return nil, fmt.Errorf("no such module")
		}
		return starlark.StringDict{"one": starlark.MakeInt(1), "fun": starlark.Universe["len"]}, nil
	}
	return thread, printed
}

// upstream runs a program on go.starlark.net's interpreter, which is the oracle.
func upstream(src string) (o outcome) {
	thread, printed := newThread()
	defer func() {
		if p := recover(); p != nil {
			o = outcome{printed: printed.String(), failed: fmt.Sprint("panic: ", p)}
		}
	}()
	globals, err := starlark.ExecFileOptions(options, thread, fileName, src, predeclared())
	o = outcome{printed: printed.String(), globals: globals.String()}
	if e, ok := err.(*starlark.EvalError); ok {
		o.failed, o.stack = e.Msg, e.CallStack.String()
	} else if err != nil {
		o.failed = err.Error()
	}
	return o
}

// program compiles a program, which may use the predeclared names.
func program(src string) (*code.Program, error) {
	f, err := options.Parse(fileName, src, 0)
	if err != nil {
		return nil, err
	}
	return compiled(f, compile.Names{Shared: predeclared().Has})
}

// compiled compiles a tree that nobody has looked at yet.
func compiled(f *syntax.File, names compile.Names) (*code.Program, error) {
	if faults := scope.Refused(f); len(faults) > 0 {
		return nil, faults[0]
	}
	return compile.File(f, names)
}

// globals are the predeclared names as the machine finds them.
func globals() *vm.Globals {
	g := &vm.Globals{}
	for name, v := range predeclared() {
		g.Set(name, v)
	}
	return g
}

// ours runs a program on the machine.
func ours(src string) outcome { return run(src, false) }

// run is ours; watched says that the machine counts lines meanwhile.
func run(src string, watched bool) outcome {
	p, err := program(src)
	if err != nil {
		return outcome{failed: err.Error(), globals: starlark.StringDict{}.String()}
	}
	if watched {
		p.Main.Watch()
	}
	thread, printed := newThread()
	own, err := vm.Run(thread, p, globals())
	o := outcome{printed: printed.String(), globals: own.String()}
	if err != nil {
		o.failed = err.Error()
		for at := value.TraceOf(err); at != nil; at = value.TraceOf(at.Cause) {
			o.stack = at.Calls().String() // that of the innermost call from Go is the whole one
		}
	}
	return o
}

// elsewhere are failures that upstream places elsewhere: calls with wrong arguments where the
// function's code has its first position, slices where the last operand is. Here they are where the
// function is defined and where the bracket is.
var elsewhere = regexp.MustCompile(`^invalid slice operand `)

// badCall are those of which the machine's words are CPython's.
var badCall = regexp.MustCompile(`^(function \S+ (accepts|missing|got)|\S+\(\) (takes|missing|got)) .*`)

var innermost = regexp.MustCompile(`\S+( in \S+\n)$`)

// inPlace are failures of x op= y where x is a list or a dict, and y has no elements: upstream
// names the operator.
var inPlace = regexp.MustCompile(`^(\+=: )?got \S+, want (an )?iterable.*|^unknown binary op: (list \+|dict \|) .*`)

// unplaced takes the position of a failure that is elsewhere.
func (o outcome) unplaced() outcome {
	o.failed = inPlace.ReplaceAllString(o.failed, "no iterable")
	called := badCall.MatchString(o.failed)
	o.failed = badCall.ReplaceAllString(o.failed, "bad call")
	if called || elsewhere.MatchString(o.failed) {
		o.stack = innermost.ReplaceAllString(o.stack, "$1")
	}
	return o
}

// same fails unless a program does the same on both sides.
func same(t *testing.T, src string) {
	t.Helper()
	if got, want := ours(src).unplaced(), upstream(src).unplaced(); got != want {
		t.Errorf("program:\n%s\ngot %s\nwant %s", src, got, want)
	}
}

// predeclared are what programs of the tests find: obj(), whose fields can be set; call(f, ...),
// which calls f from Go, and again(f, ...) until it fails; log(x), which prints x and returns it;
// nan and inf.
func predeclared() starlark.StringDict {
	d := starlark.StringDict{"nan": starlark.Float(nan), "inf": starlark.Float(inf)}
	for name, f := range builtins {
		d[name] = starlark.NewBuiltin(name, f)
	}
	return d
}

var builtins = map[string]func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (
	starlark.Value, error){
	"obj": func(_ *starlark.Thread, _ *starlark.Builtin, _ starlark.Tuple, kwargs []starlark.Tuple) (
		starlark.Value, error) {
		o := &object{fields: starlark.StringDict{}}
		for _, kv := range kwargs {
			o.fields[string(kv[0].(starlark.String))] = kv[1]
		}
		return o, nil
	},
	"call": func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (
		starlark.Value, error) {
		return starlark.Call(thread, args[0], args[1:], kwargs)
	},
	"again": func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (
		starlark.Value, error) {
		for {
			if _, err := value.Call(thread, args[0], args[1:], nil); err != nil {
				return nil, err
			}
		}
	},
	"log": func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (
		starlark.Value, error) {
		thread.Print(thread, args[0].String())
		return args[0], nil
	},
}

// mustCompile compiles a program that finds what is in found.
func mustCompile(t testing.TB, src string, found *vm.Globals) *code.Program {
	t.Helper()
	f, err := options.Parse(fileName, src, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := compiled(f, compile.Names{Shared: found.Has})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// working is a program that does not fail.
var working = func() *code.Program {
	p, err := program("def f(x):\n  return [x + y for y in range(3)]\nf(1)\n")
	if err != nil {
		panic(err)
	}
	return p
}()

// args are ints as arguments.
func args(ints ...int) (t starlark.Tuple) {
	for _, i := range ints {
		t = append(t, starlark.MakeInt(i))
	}
	return t
}
