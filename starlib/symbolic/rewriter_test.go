package symbolic_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestRulesAreTheSessions: two sessions of one process have rules of their own.
func TestRulesAreTheSessions(t *testing.T) {
	one, other := starlibtest.NewSession(t), starlibtest.NewSession(t)
	const graph = `"log2" in function([x], T.log2(T.exp2(x))).debugprint(file="str")`
	starlibtest.Run(t, one, 1, `rewrite_rule("mine: log2(exp2(x)) => x", tags=["unstable"]); x = T.vector("x")`)
	starlibtest.Run(t, other, 1, `x = T.vector("x")`)
	if shown, _ := starlibtest.Run(t, one, 2, graph); shown != "False" {
		t.Error("the rule does not apply")
	}
	if shown, _ := starlibtest.Run(t, other, 2, graph); shown != "True" {
		t.Error("the rule of another session applies")
	}
	if err := starlibtest.Fails(t, other, 3, `Mode().requiring("mine")`); !strings.Contains(err.Error(), "unknown rewrite mine") {
		t.Errorf("got %v", err)
	}
}

// TestChecksAreQuick: a cell that registers a rule does not wait, and can be interrupted.
func TestChecksAreQuick(t *testing.T) {
	s := starlibtest.NewSession(t)
	for _, rule := range []string{"log2(exp2(x)) => x", "x * y + x * z => x * (y + z) if float(x, y, z) && samedtype(x, y, z) && covers(x)"} {
		start := time.Now()
		starlibtest.Run(t, s, 1, `rewrite_rule("mine [unstable]: `+rule+`")`)
		if took := time.Since(start); took > 5*time.Second { // of milliseconds, on a machine that does other things too
			t.Errorf("%s took %v", rule, took)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, _, err := s.Execute(ctx, 2, `for i in range(1000): rewrite_rule("mine [unstable]: (a + b) * (c + d) => a * c + a * d + b * c + b * d")`, &starlibtest.Recorder{})
	if took := time.Since(start); err == nil || !strings.Contains(err.Error(), "the time allowed for the cell is over") || took > 5*time.Second {
		t.Errorf("after %v: %v", took, err)
	}
}

// TestTracebackOfCallbacks: the traceback of a function that a builtin calls has each line once,
// and says which rule called it.
func TestTracebackOfCallbacks(t *testing.T) {
	for _, cell := range []string{
		"config.on_opt_error = 'raise'\ndef failing(fgraph, node):\n    return [1 // 0]\nx = T.vector('x')\n" +
			"function([x], T.cosh(x), mode=Mode().register(theano.graph.node_rewriter([T.cosh])(failing)))",
		"def failing(i, node, fn):\n    return [1 // 0]\nx = T.vector('x')\nf = function([x], T.cosh(x), mode=MonitorMode(post_func=failing))\nf([1.0])",
	} {
		err := starlibtest.Fails(t, starlibtest.NewSession(t), 1, cell)
		text := strings.Join(err.Traceback(), "\n")
		if frames := err.Frames(); len(frames) != 2 || frames[1].Func != "failing" {
			t.Errorf("got %v", frames)
		}
		if strings.Contains(cell, "register") && !strings.Contains(text, "while the rule failing (In[1]:2) was applied to Elemwise{cosh,no_inplace}(x), made at In[1]:5:21") {
			t.Errorf("got\n%s", text)
		}
	}
}
