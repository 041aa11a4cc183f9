package lock_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/lock"
	"github.com/arignote/arignote/runtime/graph"
)

// program is a profile of two functions of some nodes, with work that is drawn.
func program(seed uint64) *profiler.Stats {
	r := rand.New(rand.NewPCG(seed, 1))
	s := &profiler.Stats{Sources: map[string]string{"folder/net.py": "x = 1\ny: z = x x 2\n\n\ty = dot(x,  w)\n"}}
	for _, name := range []string{"train", "a name\nof two lines", "train"} {
		f := &profiler.Function{Name: name, Calls: int64(r.IntN(1000))}
		for i := range 1 + r.IntN(9) {
			n := &profiler.Node{ID: i, Op: []string{"dot", "Elemwise{add}", "odd\nname"}[r.IntN(3)], Calls: f.Calls, Out: []int{i},
				Flops: float64(r.IntN(1 << 40)), BytesRead: float64(r.IntN(1 << 40)), Allocated: float64(r.IntN(1 << 20)), Time: r.Float64()}
			if line := r.IntN(6); line > 0 { // some of which there is no text
				n.Origin.Frames = []graph.Frame{{File: "folder/net.py", Line: line}}
			}
			if r.IntN(2) == 0 {
				n.Parts = []profiler.Part{{Origin: n.Origin, Op: "add", Share: 1}}
			}
			f.Nodes = append(f.Nodes, n)
		}
		s.Functions = append(s.Functions, f)
	}
	return s
}

// written is the file of a lock.
func written(l *lock.Lock) string {
	var b strings.Builder
	l.WriteTo(&b)
	return b.String()
}

// TestRoundTrip: a lock that is written and read is equal to itself; its lines add up to its
// functions, and no time is in it.
func TestRoundTrip(t *testing.T) {
	for seed := range uint64(200) {
		l := lock.Of("net.py", program(seed))
		text := written(l)
		back, err := lock.Parse(text)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if again := written(back); again != text {
			t.Fatalf("got\n%s\nof\n%s", again, text)
		}
		if d := lock.Compare(back, l) + lock.Compare(l, back); d != "" {
			t.Fatalf("a lock differs from itself:\n%s", d)
		}
		for _, f := range l.Functions {
			for _, name := range []string{"nodes", "fusions", "flops", "bytes", "allocated"} {
				sum := int64(0)
				for _, x := range f.Lines {
					sum += x.Counts[name]
				}
				if sum != f.Counts[name] {
					t.Errorf("function %s: got %d %s, and %d in its lines", f.Name, f.Counts[name], name, sum)
				}
			}
		}
		slow := program(seed)
		for _, n := range slow.Functions[0].Nodes {
			n.Time *= 2
		}
		if d := lock.Compare(l, lock.Of("net.py", slow)); d != "" {
			t.Errorf("times make a difference:\n%s", d)
		}
	}
}

// TestCompare: any one number that changes is told, with both values.
func TestCompare(t *testing.T) {
	for what, change := range map[string]func(n *profiler.Node){
		"flops":              func(n *profiler.Node) { n.Flops++ },
		"bytes":              func(n *profiler.Node) { n.BytesWritten++ },
		"allocated":          func(n *profiler.Node) { n.Allocated++ },
		"+1 x other":         func(n *profiler.Node) { n.Op = "other" },
		"net.py:1: x = 1 is": func(n *profiler.Node) { n.Origin.Frames = []graph.Frame{{File: "net.py", Line: 1}} },
	} {
		of := func() *profiler.Stats {
			s := program(1)
			s.Functions[0].Nodes[0].Origin.Frames = nil
			s.Sources["net.py"] = "x = 1\n"
			return s
		}
		s := of()
		for _, f := range s.Functions { // no other node is of that line
			for _, n := range f.Nodes {
				if n.Origin.Frame().Line == 1 {
					n.Origin.Frames[0].Line = 2
				}
			}
		}
		before := lock.Of("", s)
		change(s.Functions[0].Nodes[0])
		if d := lock.Compare(before, lock.Of("", s)); !strings.Contains(d, what) {
			t.Errorf("%s: got %q", what, d)
		}
	}
}

// TestParseErrors: each says the line, what stands there and what should.
func TestParseErrors(t *testing.T) {
	const title = "arignote profile lock 1\n"
	for text, want := range map[string]string{
		"":                                    "got no lock, want a file that begins with arignote profile lock 1",
		"arignote profile lock x\n":           "got no lock",
		"arignote profile lock 2\n":           "got a lock of version 2, want at most 1",
		title + "  calls 3\n":                 `line 2: got "  calls 3", want a function before its numbers`,
		title + "other\n":                     `line 2: got "other", want program, flag, function or times`,
		title + "function f\n  calls 1e3\n":   "want what is counted and a number",
		title + "function f\n      calls 1\n": "want a line of the lock",
		title + "times\n  run -3 ns\n":        "want machine, or run and nanoseconds",
		title + "<<<<<<< HEAD\n":              `got "<<<<<<< HEAD"`,
	} {
		if _, err := lock.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}
