package profile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// plainPrograms are programs with the short names of some of their nodes.
var plainPrograms = []struct {
	name, program string
	want          []string
}{
	{"a layer", "x, W, b = T.dmatrix('x'), shared(np.ones((3, 4)), name='W'), shared(np.ones(4), name='b')\n" +
		"f = function([x], T.tanh(T.dot(x, W) + b))\nf(np.ones((2, 3)))", []string{"x@W + b", "tanh(x@W + b)"}},
	{"its gradient", "x, W = T.dmatrix('x'), shared(np.ones((3, 4)), name='W')\ny = T.tanh(T.dot(x, W))\n" +
		"f = function([x], [], updates=[(W, W - 0.1 * T.grad(T.sum(y), W))])\nf(np.ones((2, 3)))",
		[]string{"gradient of tanh", "x.T", "W - 0.1*(x.T@grad)"}},
	{"what is grouped", "a, b, c = T.dvectors('a', 'b', 'c')\nf = function([a, b, c], (a - (b - c)) / (a * b) ** 2)\nf(np.ones(3), np.ones(3), np.ones(3))",
		[]string{"(a - (b - c))/(a*b)**2"}},
	{"a loop", "x = T.dmatrix('x')\ndef step(row, h):\n    return T.tanh(row + h)\nh, _ = theano.scan(step, sequences=x, outputs_info=T.zeros((3,)))\n" +
		"f = function([x], T.grad(h[-1].sum(), x))\nf(np.ones((5, 3)))", []string{"scan: step", "gradient of scan: step", "x.shape[0]"}},
	{"a long one", "xs = [T.dvector('a_vector_with_a_long_name_%d' % k) for k in range(9)]\nf = function(xs, T.exp(sum(xs)))\nf(*[np.ones(2)] * 9)", nil},
	{"steps that are used twice", "x = T.dvector('x')\ny = x\nfor k in range(40):\n    y = T.sin(y) * T.cos(y)\nf = function([x], y)\nf(np.ones(3))", nil},
}

// TestPlainNames: what nodes do is told in the program's words, in few characters, in front of
// their classic names, which stay where the classic layouts have them.
func TestPlainNames(t *testing.T) {
	for _, c := range plainPrograms {
		s := starlib.NewSession(starlib.Options{})
		starlibtest.Run(t, s, 1, "import numpy as np\nimport theano\nimport theano.tensor as T\nfrom theano import function, shared")
		p := profiler.Sum(profilesOf(t, s, "%%profile\n"+c.program)...).Clone()
		var got []string
		ours, err := text.Of(p, text.Options{Layout: text.Arignote})
		if err != nil {
			t.Fatal(err)
		}
		classic, err := text.Of(p, text.Options{Layout: text.Theano})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range p.Functions {
			for _, n := range f.Nodes {
				got = append(got, n.Plain())
				if len([]rune(n.Plain())) > 48 || n.Plain() == "" {
					t.Errorf("%s: %s is called %q", c.name, n.Text, n.Plain())
				}
				if !strings.Contains(ours, n.Plain()) {
					t.Errorf("%s: our layout has no %s", c.name, n.Plain())
				}
			}
		}
		for _, want := range c.want {
			if !slices.Contains(got, want) {
				t.Errorf("%s: no node is called %q, but %q", c.name, want, got)
			}
			if strings.ContainsAny(want, "@ ") && strings.Contains(classic, want) {
				t.Errorf("%s: a classic layout has %s", c.name, want)
			}
		}
	}
}
