package advice

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
)

// left is the part of the time that a loop takes which becomes one operation.
const left = 0.05

// cellRules look at where the wall time of a cell went, line by line.
var cellRules = []Rule{
	{
		ID: "function-in-loop", Title: "function() in a loop",
		Doc: "Compiling costs milliseconds, once for each `function()`, however often it is called. What differs from one " +
			"to the next belongs into an argument or a shared variable. Expected: all of the time of compiling but that of one.",
		Slow: "x = T.dmatrix(\"x\")\nX = np.ones((20, 40))\nfor k in range(200):\n    f = function([x], T.tanh(T.dot(x, x.T) * k).sum())\n    f(X)",
		Fast: "x, k = T.dmatrix(\"x\"), T.dscalar(\"k\")\nX = np.ones((20, 40))\nf = function([x, k], T.tanh(T.dot(x, x.T) * k).sum())\nfor i in range(2000):\n    f(X, i)",
		find: functionsInLoop,
	},
	{
		ID: "small-calls", Title: "Many calls that do little",
		Doc: "A call costs some hundred nanoseconds before and after what it computes: arguments are checked, results made. Where " +
			"that is more than the computation, give one call many rows, or move the loop into the function with `theano.scan`. " +
			"Expected: what is around the nodes, and the loop's own steps.",
		Slow: "y = T.dvector(\"y\")\nf = function([y], y * 2 + 1, name=\"tiny\")\nv = np.ones(5)\nfor i in range(300000):\n    f(v)",
		Fast: "y = T.dmatrix(\"y\")\nf = function([y], y * 2 + 1, name=\"tiny\")\nv = np.ones((100000, 5))\nfor i in range(50):\n    f(v)",
		find: smallCalls,
	},
	{
		ID: "get-value-copy", Title: "get_value() copies",
		Doc: "`get_value()` returns a copy, lest what you do to it change the variable. Where you only read it, " +
			"`get_value(borrow=True)` returns the array itself. Expected: all of its time.",
		Slow: "W = shared(np.ones((1000, 1000)))\nfor i in range(100):\n    n = W.get_value()[0, 0]",
		Fast: "W = shared(np.ones((1000, 1000)))\nfor i in range(300000):\n    n = W.get_value(borrow=True)[0, 0]",
		find: copiedValues,
	},
	{
		ID: "growing-array", Title: "An array that grows step by step",
		Doc: "`np.append`, `np.concatenate` and their like copy all that is there, so that n steps copy n² rows. Append to a list, " +
			"and make one array of it after the loop; or make the array before it and fill it in. Expected: all of the time but that " +
			"of the last step.",
		Slow: "rows = np.zeros((0, 100))\nfor i in range(1500):\n    rows = np.concatenate([rows, np.ones((1, 100))])",
		Fast: "rows = []\nfor i in range(20000):\n    rows.append(np.ones((1, 100)))\nrows = np.concatenate(rows)",
		find: growingArrays,
	},
	{
		ID: "element-loop", Title: "A loop over elements",
		Doc: "A step of the interpreter takes tens of nanoseconds, an element of an array expression less than one. Write the line for " +
			"whole arrays, in np or in a compiled function. Expected: all but a twentieth of what the line took.",
		Slow: "a, b = np.ones(2000000), np.zeros(2000000)\nfor i in range(len(a)):\n    b[i] = a[i] * 2.0 + 1.0",
		Fast: "a = np.ones(2000000)\nfor i in range(20):\n    b = a * 2.0 + 1.0",
		find: elementLoops,
	},
	{
		ID: "inverse", Title: "inv() where a system is solved",
		Doc: "`np.linalg.inv(A) @ b` takes three times the operations of `np.linalg.solve(A, b)`, and is less exact. Expected: " +
			"two thirds of the time of inv().",
		Slow: "A, b = np.eye(300) * 3.0, np.ones(300)\nfor i in range(20):\n    x = np.linalg.inv(A) @ b",
		Fast: "A, b = np.eye(300) * 3.0, np.ones(300)\nfor i in range(20):\n    x = np.linalg.solve(A, b)",
		find: inverses,
	},
}

// functionsInLoop finds lines that compiled three functions and more of the same lines.
func functionsInLoop(f *finder) {
	groups := make(map[string][]*profiler.Function) // by the lines that wrote what they compute
	for _, g := range f.Functions {
		var places []string
		for _, n := range g.Nodes {
			places = append(places, n.Origin.Place())
		}
		slices.Sort(places)
		key := strings.Join(slices.Compact(places), " ")
		groups[key] = append(groups[key], g)
	}
	// The largest group, of which the dearest line of compiling is taken to have made all.
	var same []*profiler.Function
	for _, g := range groups {
		if len(g) > len(same) {
			same = g
		}
	}
	if len(same) < 3 {
		return
	}
	for _, l := range f.lines(profiler.Compiling) {
		share := float64(len(same)-1) / float64(len(same)) * float64(len(same)) / float64(len(f.Functions))
		f.say(l.File, l.Line, share*l.took, fmt.Sprintf("function() is called here %d times, for graphs that the same lines wrote", len(same)),
			"call it once, before the loop, and give it what changes as an argument or a shared variable")
		return
	}
}

// smallCalls finds lines that call a function so often that less than half of their time is
// computation.
func smallCalls(f *finder) {
	const many = 1000
	for _, g := range f.Functions {
		inside := units.Ratio(g.ThunkTime(), g.CallTime)
		for _, l := range f.lines(profiler.CompiledFunctions) {
			if g.Calls < many || !slices.Contains(l.names, g.Title()) {
				continue
			}
			around := float64(l.Time) - inside*l.took
			if around < 0.5*float64(l.Time) {
				continue
			}
			gain := (1 - left) * around
			f.say(l.File, l.Line, gain, fmt.Sprintf("%s is called %d times, and %s of the line's time is around what it computes",
				units.Short(units.OneLine(g.Title()), 40), g.Calls, units.Share(around/float64(l.Time))),
				"pass many rows in one call, or loop inside of the function with theano.scan")
			break
		}
	}
}

// copiedValues finds lines that copy shared variables.
func copiedValues(f *finder) {
	for _, l := range f.linesOf(profiler.OtherFunctions, func(name string) bool { return strings.HasSuffix(name, ".get_value") }) {
		if strings.Contains(f.SourceLine(l.File, l.Line), "borrow=True") {
			continue
		}
		f.say(l.File, l.Line, l.took, "get_value() copies the array each time", "where it is only read, write get_value(borrow=True)")
	}
}

// grows matches a line that puts an array behind itself: x = np.append(x, ...).
var grows = regexp.MustCompile(`([\w.]+(?:\[\w+\])?)\s*=\s*[\w.]*(append|concatenate|vstack|hstack|row_stack|column_stack|dstack|r_|c_)\s*[(\[]+\s*([\w.]+(?:\[\w+\])?)\s*,`)

// growingArrays finds lines that put an array together of itself and more.
func growingArrays(f *finder) {
	for _, l := range f.linesOf(profiler.Numpy, func(name string) bool {
		return slices.Contains([]string{"append", "concatenate", "vstack", "hstack", "row_stack", "column_stack", "dstack"}, name[strings.LastIndex(name, ".")+1:])
	}) {
		m := grows.FindStringSubmatch(f.SourceLine(l.File, l.Line))
		if m == nil || m[1] != m[3] {
			continue
		}
		f.say(l.File, l.Line, (1-left)*l.took, fmt.Sprintf("np.%s copies all of %s to add to it", m[2], m[1]),
			"append to a list, and call np."+map[bool]string{true: "array", false: m[2]}[m[2] == "append"]+" once, after the loop")
	}
}

// elementLoops finds the lines that the interpreter takes most of, with their subscripts, and
// speaks of the dearest.
func elementLoops(f *finder) {
	if !f.Cell.Sampled() {
		return
	}
	var all, dearest float64
	var at profiler.CellLine
	var what string
	for _, l := range f.Cell.Lines() {
		var steps, subscripts, compiled float64
		for _, s := range l.In {
			switch {
			case s.Kind == profiler.Starlark:
				steps += float64(s.Time)
			case s.Kind == profiler.Numpy && (s.Name == "x[k]" || s.Name == "x[k] = y"):
				subscripts += float64(s.Time)
			case s.Kind == profiler.CompiledFunctions || s.Kind == profiler.Compiling:
				compiled += float64(s.Time)
			}
		}
		took := float64(l.Time)
		if steps < 0.2*took || steps+subscripts < 0.7*took || compiled > 0 {
			continue
		}
		all += steps + subscripts
		if steps+subscripts > dearest {
			at, dearest, what = l, steps+subscripts, "the interpreter's own steps take"
			if subscripts > 0.1*took {
				what = "the interpreter's own steps and subscripts take"
			}
			what += " " + units.Share((steps+subscripts)/took) + " of this line"
		}
	}
	if others := all - dearest; others > leastGain*all {
		what += ", and all lines like it " + units.Share(f.Cell.Share(time.Duration(all))) + " of the wall time"
	}
	f.say(at.File, at.Line, (1-left)*all, what, "compute with whole arrays, in np or in a compiled function")
}

// solves matches an inverse that is multiplied by something.
var solves = regexp.MustCompile(`\binv\([^()]*(\([^()]*\)[^()]*)*\)\s*@|\.dot\(|dot\(\s*[\w.]*inv\(`)

// inverses finds lines that invert a matrix to multiply by it.
func inverses(f *finder) {
	for _, l := range f.linesOf(profiler.Numpy, func(name string) bool { return strings.HasSuffix(name, "linalg.inv") }) {
		if solves.MatchString(f.SourceLine(l.File, l.Line)) {
			f.say(l.File, l.Line, l.took*2/3, "a matrix is inverted to be multiplied by", "write np.linalg.solve(A, b) for np.linalg.inv(A) @ b")
		}
	}
}

// A line is the part of a line's time that some spots have, in nanoseconds, and the names of these.
type line struct {
	profiler.CellLine
	took  float64
	names []string
}

// lines are those that spent time in a kind of thing, the dearest first.
func (f *finder) lines(kind profiler.Kind) []line {
	return f.linesOf(kind, func(string) bool { return true })
}

// linesOf is lines for spots of some names.
func (f *finder) linesOf(kind profiler.Kind, named func(name string) bool) (list []line) {
	if !f.Cell.Sampled() {
		return nil
	}
	for _, l := range f.Cell.Lines() {
		at := line{CellLine: l}
		for _, s := range l.In {
			if s.Kind == kind && named(s.Name) {
				at.took += float64(s.Time)
				at.names = append(at.names, s.Name)
			}
		}
		if at.took > 0 {
			list = append(list, at)
		}
	}
	slices.SortStableFunc(list, func(a, b line) int { return int(min(max(b.took-a.took, -1), 1)) })
	return list
}
