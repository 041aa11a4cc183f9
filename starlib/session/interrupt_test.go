package session_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestCaughtInterrupt: a program catches an interrupt by its class alone and goes on, and the next
// one ends it.
func TestCaughtInterrupt(t *testing.T) {
	for _, tt := range []struct{ code, want, err string }{
		{"try:\n    while True: pass\nexcept Exception:\n    print('no')\nexcept KeyboardInterrupt as e:\n    print('caught', e)\nprint('after')",
			"caught interrupted\nafter\n", ""},
		{"def f():\n    try:\n        while True: pass\n    finally:\n        print('final')\nf()", "final\n", "KeyboardInterrupt"},
		{"try:\n    while True: pass\nexcept KeyboardInterrupt:\n    print('once')\nwhile True: pass", "once\n", "KeyboardInterrupt"},
		{"class A:\n    def __enter__(self): pass\n    def __exit__(self, kind, e, where):\n        print(kind.__name__)\nwith A():\n    while " +
			"True: pass", "KeyboardInterrupt\n", "KeyboardInterrupt"},
		{"try:\n    while True: pass\nexcept KeyboardInterrupt:\n    1 // 0", "", "ZeroDivisionError"},
		{"import itertools\ntry:\n    -1 in itertools.count()\nexcept KeyboardInterrupt:\n    print('searched')", "searched\n", ""},
		{"import itertools\ntry:\n    any(itertools.repeat(0))\nexcept KeyboardInterrupt:\n    print('asked')", "asked\n", ""},
		{"import itertools\nnext(filter(lambda x: x < 0, itertools.count()))", "", "KeyboardInterrupt"},
		{"def f():\n    while True:\n        yield 1\ntry:\n    sum(f())\nexcept KeyboardInterrupt:\n    print('added', sum([1, 2]))", "added 3\n", ""},
		{"class A:\n    def __iter__(self): return self\n    def __next__(self): return 1\ntry:\n    max(A())\nexcept KeyboardInterrupt:\n    print('compared')",
			"compared\n", ""},
		{"def f(i): xs.append(i)\nxs = [1]\ntry:\n    map(f, xs)\nexcept KeyboardInterrupt:\n    print('called')", "called\n", ""},
		{"xs = [1]\ntry:\n    map(xs.append, xs)\nexcept KeyboardInterrupt:\n    print('grown')", "grown\n", ""},
	} {
		s := starlib.NewSession(starlib.Options{})
		ctx, cancel := context.WithCancel(context.Background())
		var out starlibtest.Printed
		time.AfterFunc(50*time.Millisecond, cancel)
		again := time.AfterFunc(500*time.Millisecond, s.Interrupt)
		_, _, err := s.Execute(ctx, 1, tt.code, &out)
		again.Stop()
		name := ""
		if err != nil {
			name = err.(*starlib.Error).Name()
		}
		if out.String() != tt.want || name != tt.err {
			t.Errorf("%s\ngot  %q, %s (%v)\nwant %q, %s", tt.code, out.String(), name, err, tt.want, tt.err)
		}
		if tb := ""; err != nil {
			tb = strings.Join(err.(*starlib.Error).Traceback(), "\n")
			if !strings.Contains(tb, "In[1]:") {
				t.Errorf("%s: no line of the cell in\n%s", tt.code, tb)
			}
		}
		if _, _, err := s.Execute(context.Background(), 2, "1", nil); err != nil {
			t.Errorf("%s: the next cell fails: %v", tt.code, err)
		}
	}
}
