package profile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels/native"
	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/advice"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// testMachine has a roof, so that rules do not wait for that of the machine at hand.
var testMachine = &profiler.Machine{CPU: "test", ISA: "test", Cores: 2, Threads: 2, Roof: &profiler.Roof{
	Flops32: 2e11, Flops64: 1e11, Overhead: 30,
	Levels: []profiler.MemoryLevel{{Name: "L2", Size: 1 << 20, Bandwidth: 1e11}, {Name: "DRAM", Bandwidth: 4e10}}}}

// advised runs a program under %%profile and returns what its profiles advise, by rule.
func advised(t *testing.T, program string) map[string]advice.Advice {
	t.Helper()
	s := starlib.NewSession(starlib.Options{})
	starlibtest.Run(t, s, 1, "import numpy as np\nimport theano\nimport theano.tensor as T\nfrom theano import function, shared, config")
	p := profiler.Sum(profilesOf(t, s, "%%profile\n"+program)...)
	m := *testMachine
	if strings.Contains(program, "config.threads = 1") {
		m.Threads = 1
	}
	p.SetMachine(&m)
	all := make(map[string]advice.Advice)
	for _, a := range advice.Of(p) {
		all[a.Rule.ID] = a
	}
	return all
}

// TestAdviceOfPrograms: each rule speaks of a line of its slow program, and not of the program with
// the change made.
func TestAdviceOfPrograms(t *testing.T) {
	if set, err := native.Best(); err != nil || set == nil {
		testMachine.ISA = "go"
	}
	for i, r := range advice.Rules {
		if long.Race && !long.Turn(i, 3) {
			continue
		}
		if r.ID == "go-kernels" && testMachine.ISA == "go" {
			continue // there are no kernels in C
		}
		t.Run(r.ID, func(t *testing.T) {
			a, ok := advised(t, r.Slow)[r.ID]
			if !ok {
				t.Fatalf("nothing is said of\n%s", r.Slow)
			}
			if lines := strings.Count(r.Slow, "\n") + 2; a.File != "In[2]" || a.Line < 2 || a.Line > lines {
				t.Errorf("got %s:%d, want a line of In[2] from 2 to %d", a.File, a.Line, lines)
			}
			if a.Gain < 0.05*a.Of || a.Gain > a.Of {
				t.Errorf("got a gain of %v of %v", a.Gain, a.Of)
			}
			want := fmt.Sprintf("In[2]:%d: %s; %s: saves %s [%s]", a.Line, a.Cause, a.Write, a.Saves(), r.ID)
			if a.String() != want {
				t.Errorf("got %q, want %q", a, want)
			}
			if b, ok := advised(t, r.Fast)[r.ID]; ok {
				t.Errorf("after the change it still says %v", b)
			}
		})
	}
}

// TestAdviceNames: the line, the cause and the change are in the user's words.
func TestAdviceNames(t *testing.T) {
	for i, c := range []struct{ program, rule, line, want string }{
		{"c = shared(np.ones(400), name='c')\nx = T.fmatrix('x')\ny = T.exp(x)\nz = T.sin(y * c)\nf = function([x], T.tanh(z))\nX = np.ones((500, 400), dtype='float32')\nfor i in range(50):\n    f(X)",
			"float64-in-float32", "z = T.sin(y * c)", "float32 meets c (float64) here, and 3 operations are computed in float64; make c float32"},
		{"x = T.dmatrix('x')\nX = np.ones((20, 40))\nfor k in range(150):\n    f = function([x], T.tanh(T.dot(x, x.T) * k).sum())\n    f(X)",
			"function-in-loop", "    f = function([x], T.tanh(T.dot(x, x.T) * k).sum())", "function() is called here 150 times"},
		{"class Log:\n    def __init__(self):\n        self.h = np.zeros((0, 500))\nlog = Log()\nfor i in range(2000):\n    log.h = np.vstack((log.h, np.ones((1, 500))))",
			"growing-array", "    log.h = np.vstack((log.h, np.ones((1, 500))))", "np.vstack copies all of log.h to add to it; append to a list, and call np.vstack once"},
		{"y = T.dvector('y')\nstep = function([y], y + 1, name='step')\nv = np.ones(3)\nfor i in range(200000):\n    v = step(v)",
			"small-calls", "    v = step(v)", "step is called 200000 times"},
	} {
		if testing.Short() && i > 0 {
			break
		}
		a, ok := advised(t, c.program)[c.rule]
		if !ok {
			t.Errorf("%s: nothing is said of\n%s", c.rule, c.program)
			continue
		}
		if line := strings.Split("\n"+c.program, "\n")[a.Line-1]; line != c.line || !strings.Contains(units.Plain(a.String()), c.want) {
			t.Errorf("got %v at %q, want %q at %q", a, line, c.want, c.line)
		}
	}
}
