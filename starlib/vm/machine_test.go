package vm_test

import (
	"runtime"
	"strings"
	"testing"
	"time"
	"weak"

	"github.com/arignote/arignote/starlib/value"
	"github.com/arignote/arignote/starlib/vm"
	"go.starlark.net/starlark"
)

// loops are programs that do not end, of one kind of round each.
var loops = map[string]string{
	"while":     "while True: pass\n",
	"for":       "def f(n):\n  for i in range(n):\n    for j in range(n):\n      x = i + j\nf(1 << 40)\n",
	"calls":     "def g(x): return x\ndef f():\n  while True: g(1)\nf()\n",
	"recursion": "def f(n): return f(n - 1) + f(n - 2) if n > 1 else 1\nf(100)\n",
	"builtins":  "def f():\n  while True: len([1])\nf()\n",
	"iteration": "[x for x in range(1 << 40) if x < 0]\n",
	"called":    "def f(x):\n  while True: pass\ncall(f, 1)\n",
	"by Go":     "again(lambda x: x + 1, 1)\n",
	"long body": "x = 1.5\nwhile True:\n" + strings.Repeat("  x = x * 1.0 + 0.5 - 0.5\n", 1000),
}

func TestCancelEndsLoops(t *testing.T) {
	for name, src := range loops {
		t.Run(name, func(t *testing.T) {
			p, err := program(src)
			if err != nil {
				t.Fatal(err)
			}
			thread, _ := newThread()
			m := vm.Attach(thread, vm.Limits{Budget: 500, Tick: func() int { return 500 }})
			cancelled := make(chan time.Time, 1)
			time.AfterFunc(20*time.Millisecond, func() {
				cancelled <- time.Now()
				m.Cancel("enough")
			})
			_, err = vm.Run(thread, p, globals())
			took := time.Since(<-cancelled)
			if err == nil || err.Error() != "Starlark computation cancelled: enough" {
				t.Errorf("got %v, want that it is cancelled", err)
			}
			if took > 10*time.Second { // a few ms where nothing else runs: it may not run on
				t.Errorf("it took %v", took)
			}
			if m.Depth() != 0 {
				t.Errorf("after it there are %d calls", m.Depth())
			}
			if _, err := vm.Run(thread, working, globals()); err == nil {
				t.Error("a cancelled machine runs")
			}
			m.Uncancel()
			if _, err := vm.Run(thread, working, globals()); err != nil {
				t.Error("a machine that is cancelled no more: ", err)
			}
		})
	}
}

// panicking are programs in which a builtin, or a method of a value, panics.
var panicking = map[string]string{
	"call":       "def f(x):\n  return boom(x)\nf(1)\n",
	"called":     "def f(x):\n  return call(boom, x)\nf(1)\n",
	"inside":     "def f(x):\n  return call(lambda y: boom(y), x)\nf(1)\n",
	"in a loop":  "x = [1]\nfor i in x:\n  boom(i)\n",
	"key":        "def f(x):\n  return sorted([1, 2], key=boom)\nf(1)\n",
	"operator":   "def f(x):\n  return x + 1\nf(bomb)\n",
	"changes":    "def f(x):\n  x += 1\nf(bomb)\n",
	"unary":      "def f(x):\n  return -x\nf(bomb)\n",
	"attribute":  "def f(x):\n  return x.y\nf(bomb)\n",
	"index":      "def f(x):\n  return x[0]\nf(bomb)\n",
	"store":      "def f(x):\n  x[0] = 1\nf(bomb)\n",
	"iteration":  "def f(x):\n  for i in x: pass\nf(bomb)\n",
	"truth":      "def f(x):\n  if x: pass\nf(bomb)\n",
	"not":        "def f(x):\n  return not x\nf(bomb)\n",
	"comparison": "def f(x):\n  return x < x\nf(bomb)\n",
	"unpacking":  "def f(x):\n  a, b = x\nf(bomb)\n",
	"a star":     "def f(x):\n  call(*x)\nf(bomb)\n",
}

func TestPanicIsAnError(t *testing.T) {
	for name, src := range panicking {
		t.Run(name, func(t *testing.T) {
			found := globals()
			found.Set("bomb", bomb{})
			found.Set("boom", starlark.NewBuiltin("boom", func(*starlark.Thread, *starlark.Builtin, starlark.Tuple,
				[]starlark.Tuple) (starlark.Value, error) {
				panic("boom")
			}))
			p := mustCompile(t, src, found)
			thread, _ := newThread()
			m := vm.MachineOf(thread)
			_, err := vm.Run(thread, p, found)
			if err == nil || !strings.Contains(err.Error(), "boom") {
				t.Fatalf("got %v, want boom", err)
			}
			if at := value.TraceOf(err); at == nil || len(at.Calls()) == 0 || at.Calls()[0].Pos.Line < 3 {
				t.Errorf("its stack is %v", at)
			}
			if m.Depth() != 0 {
				t.Errorf("after it there are %d calls", m.Depth())
			}
			if _, err := vm.Run(thread, working, globals()); err != nil {
				t.Error("the machine does not go on: ", err)
			}
		})
	}
}

// A value that a program no longer has is nowhere: not in registers, frames, or errors of the
// machine.
func TestMachineHoldsNothing(t *testing.T) {
	for name, src := range map[string]string{
		"returned":   "def f():\n  x = new()\n  y = [x, (x,)]\n  return len(y)\nf()\n",
		"argument":   "def g(x, *a, **k): return 1\ndef f(): return g(new(), new(), c=new())\nf()\n",
		"deep":       "def f(n):\n  x = new() if n == 0 else None\n  return 1 if n == 0 else f(n - 1) + 1\nf(2000)\n",
		"loop":       "def f():\n  for x in [new(), new()]: y = x\nf()\n",
		"failed":     "def f(x):\n  for y in [x]: y.z\ncall(f, new())\n",
		"closure":    "def f():\n  x = new()\n  return lambda: x\nf()()\n",
		"statement":  "new()\n",
		"of the top": "[new() for _ in range(3)]\n",
	} {
		t.Run(name, func(t *testing.T) {
			var made []weak.Pointer[object]
			found := globals()
			found.Set("new", starlark.NewBuiltin("new", func(*starlark.Thread, *starlark.Builtin, starlark.Tuple,
				[]starlark.Tuple) (starlark.Value, error) {
				x := &object{fields: starlark.StringDict{}}
				made = append(made, weak.Make(x))
				return x, nil
			}))
			p := mustCompile(t, src, found)
			thread, _ := newThread()
			m := vm.MachineOf(thread)
			vm.Run(thread, p, found)
			for range 3 {
				runtime.GC()
			}
			if len(made) == 0 {
				t.Fatal("nothing was made")
			}
			for i, w := range made {
				if w.Value() != nil {
					t.Errorf("value %d of %d is held", i, len(made))
				}
			}
			runtime.KeepAlive(m)
			runtime.KeepAlive(p)
		})
	}
}
