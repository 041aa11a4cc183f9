package vm_test

import (
	"fmt"
	"testing"

	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/vm"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A described function is what both kinds of functions say of themselves.
type described interface {
	starlark.Callable
	Doc() string
	Position() syntax.Position
	NumParams() int
	NumKwonlyParams() int
	HasVarargs() bool
	HasKwargs() bool
	Param(i int) (string, syntax.Position)
	ParamDefault(i int) starlark.Value
}

func description(f described) string {
	hash, err := f.Hash()
	s := fmt.Sprintf("%s %s %s %v %q %v %d %v %d %d %v %v", f, f.Name(), f.Type(), f.Truth(), f.Doc(), f.Position(),
		hash, err, f.NumParams(), f.NumKwonlyParams(), f.HasVarargs(), f.HasKwargs())
	for i := range f.NumParams() {
		name, pos := f.Param(i)
		s += fmt.Sprintf("; %s %v = %v", name, pos, f.ParamDefault(i))
	}
	return s
}

// Functions say the same of themselves as upstream's.
func TestFunctionsDescribeThemselves(t *testing.T) {
	for _, src := range []string{
		"def f(): pass\n",
		"def f(a, b, c): return a\n",
		"def f(a, b=1, c=[2]): 'text'\n",
		"\n\ndef f(a, *args):\n  'doc'\n  return args\n",
		"def f(**kwargs): pass\n",
		"def f(a, b=1, *args, c, d=2, e, **kwargs): pass\n",
		"def f(*, a, b=3): pass\n",
		"def f(a,\n  b=1,\n  *, c=2): pass\n",
		"f = lambda: 1\n",
		"f = lambda a, b=2, *c, **d: 1\n",
		"def g(x):\n  def f(a, y=x): return x\n  return f\nf = g(5)\n",
		"def g(x):\n  def f(x=x, *, z=x): return lambda: (x, z)\n  return f\nf = g('a')\n",
	} {
		want, err := starlark.ExecFileOptions(options, new(starlark.Thread), fileName, src, predeclared())
		if err != nil {
			t.Fatal(err)
		}
		thread, _ := newThread()
		got, err := vm.Run(thread, mustCompile(t, src, globals()), globals())
		if err != nil {
			t.Fatal(err)
		}
		g, w := description(got["f"].(described)), description(want["f"].(described))
		if g != w {
			t.Errorf("%s\ngot  %s\nwant %s", src, g, w)
		}
	}
}

// Freezing a function freezes its default values and the variables that it shares, as upstream.
func TestFreezeFunction(t *testing.T) {
	const src = "def g(x):\n  y = [2]\n  def f(a=[1], *, b=[3]):\n    return a, b, x, y\n  return f\nf = g([4])\n"
	thread, _ := newThread()
	own, err := vm.Run(thread, mustCompile(t, src, globals()), globals())
	if err != nil {
		t.Fatal(err)
	}
	own["f"].Freeze()
	v, err := starlark.Call(thread, own["f"], nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for list := range starlark.Elements(v.(starlark.Tuple)) {
		if list.(*slot.List).Append(starlark.None) == nil {
			t.Errorf("%v is not frozen", list)
		}
	}
}
