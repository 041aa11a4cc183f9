package advice

import (
	"cmp"
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

// functionsInLoop finds lines of a loop that compiled three functions and more of the same lines,
// and kept none of them.
func functionsInLoop(f *finder) {
	groups := make(map[string]int) // by the lines that wrote what they compute, and what that is
	same := 0
	for _, g := range f.Functions {
		var parts []string
		for _, n := range g.Nodes {
			parts = append(parts, n.Origin.Place())
		}
		slices.Sort(parts)
		key := strings.Join(slices.Compact(parts), " ")
		groups[key]++
		same = max(same, groups[key])
	}
	if same < 3 {
		return
	}
	for _, l := range f.lines(profiler.Compiling) {
		if !strings.Contains(f.code(l.File, l.Line), "function(") || !f.discards(l.CellLine) {
			continue
		}
		f.say(l.File, l.Line, l.took*float64(same-1)/float64(same), fmt.Sprintf("function() is called here %d times, for graphs that the same lines wrote", same),
			"call it once, before the loop, and give it what changes as an argument or a shared variable")
		return
	}
}

var (
	// function(...)(x)
	calledAtOnce = regexp.MustCompile(`\w\([^()]*(\([^()]*(\([^()]*\)[^()]*)*\)[^()]*)*\)\(`)
	toName       = regexp.MustCompile(`^\s*(\w+)\s*=\s*[\w.]+\(`)
	returns      = regexp.MustCompile(`^\s*return\b`)
)

// discards reports whether a line that makes a function runs again and again, and what it made
// before is lost each time: a list of functions is one of models that are all needed.
func (f *finder) discards(at profiler.CellLine) bool {
	fate := f.fateOf(at.File, at.Line)
	if fate == lost && f.repeats(at.File, at.Line) {
		return true
	}
	for _, l := range f.callers(at) {
		if fate == handedOn {
			fate = f.fateOf(l.File, l.Line)
		}
		if fate != handedOn && f.repeats(l.File, l.Line) {
			return fate == lost
		}
	}
	return false
}

// What becomes of what a line makes.
const (
	kept     = iota // or it is not known
	lost            // when the line runs again
	handedOn        // to the line that called its function
)

// fateOf is what becomes of what a line makes.
func (f *finder) fateOf(file string, line int) int {
	text := f.statement(file, line)
	m := toName.FindStringSubmatch(text)
	switch {
	case calledAtOnce.MatchString(text):
		return lost
	case returns.MatchString(text):
		return handedOn
	case m == nil:
		return kept
	}
	loops, def := f.around(file, line)
	block := def
	if len(loops) > 0 {
		block = loops[0]
	}
	name := regexp.MustCompile(`(append\(|\]\s*=|[\w\]]\.\w+\s*=|yield|return)\s*` + m[1] + `\s*(\)|,|$)`)
	for _, other := range f.block(file, block) {
		if found := name.FindString(other); strings.HasPrefix(found, "return") {
			return handedOn
		} else if block > 0 && found != "" {
			return kept
		}
	}
	return lost
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
			around := (1 - inside) * l.took
			for _, s := range l.In {
				if s.Kind == profiler.Starlark {
					around += float64(s.Time)
				}
			}
			if around < 0.5*float64(l.Time) {
				continue
			}
			write := "pass many rows in one call, or loop inside of the function with theano.scan"
			if f.followsItself(l.File, l.Line) {
				write = "loop inside of the function with theano.scan"
			}
			gain := (1 - left) * around
			f.say(l.File, l.Line, gain, fmt.Sprintf("%s is called %d times, and %s of the line's time is around what it computes",
				units.Short(units.OneLine(g.Title()), 40), g.Calls, units.Share(around/float64(l.Time))),
				write)
			break
		}
	}
}

// copiedValues finds lines that copy shared variables only to read them.
func copiedValues(f *finder) {
	for _, l := range f.linesOf(profiler.OtherFunctions, func(name string) bool { return strings.HasSuffix(name, ".get_value") }) {
		if onlyRead(f.statement(l.File, l.Line)) {
			f.say(l.File, l.Line, l.took, "get_value() copies the array each time", "where it is only read, write get_value(borrow=True)")
		}
	}
}

var (
	getValue = regexp.MustCompile(`[\w.\]\[]*\.get_value\(\s*\)`)
	// What stands before or behind a value of which it keeps nothing: an operation, a function that
	// makes something new, a method that does, one element.
	readBefore = regexp.MustCompile(`([-+*/@%<>]|==|!=|\b(?:float|int|abs|len|sum|max|min|bool|print|str)\(|\bnp\.(?:linalg\.\w+|abs|absolute|mean|sum|std|var|max|min|amax|amin|argmax|argmin|dot|matmul|isfinite|isnan|any|all|allclose|sqrt|square|exp|log|tanh|sign|median|percentile|histogram|count_nonzero|prod|trace|outer|append|concatenate|vstack|hstack)\(\s*\[?)\s*$`)
	readBehind = regexp.MustCompile(`^\s*([-+*/@%<>]|==|!=|\.(?:mean|sum|std|var|max|min|argmax|argmin|any|all|dot|copy|tolist|item|prod|trace|shape|size|ndim|dtype)\b|\[[^:\[\]]+,[^:\[\]]+\])`)
)

// onlyRead reports whether nothing is kept of the arrays that a statement gets, where a later
// update would show, or through which the variable could be changed.
func onlyRead(text string) bool {
	found := getValue.FindAllStringIndex(text, -1)
	for _, at := range found {
		if !readBefore.MatchString(text[:at[0]]) && !readBehind.MatchString(text[at[1]:]) {
			return false
		}
	}
	return len(found) > 0
}

// joins matches a line that puts an array together: x = np.append(
var joins = regexp.MustCompile(`^\s*([\w.]+(?:\[[\w"']+\])?)\s*=\s*[\w.]*\b(append|concatenate|vstack|hstack|row_stack|column_stack|dstack)\(`)

// growingArrays finds lines that put an array together of itself and more, again and again.
func growingArrays(f *finder) {
	for _, l := range f.linesOf(profiler.Numpy, func(name string) bool {
		return slices.Contains([]string{"append", "concatenate", "vstack", "hstack", "row_stack", "column_stack", "dstack"}, name[strings.LastIndex(name, ".")+1:])
	}) {
		text := f.statement(l.File, l.Line)
		m := joins.FindStringSubmatchIndex(text)
		if m == nil {
			continue
		}
		x, name, open := text[m[2]:m[3]], text[m[4]:m[5]], m[1]-1
		end := closing(text, open)
		// x = np.append(x, y)[-n:] does not grow.
		if end < 0 || strings.TrimLeft(text[end+1:], " ;") != "" {
			continue
		}
		parts := arguments(text, open)
		if name != "append" && len(parts) > 0 && strings.IndexByte("([", parts[0][0]) >= 0 {
			parts = arguments(parts[0], 0)
		}
		if len(parts) < 2 || !f.grows(l.CellLine, x) {
			continue
		}
		write := "append to a list, and make one array of it after the loop"
		switch last := parts[len(parts)-1]; {
		case parts[0] == x && name != "append":
			write = "append to a list, and call np." + name + " once, after the loop"
		case parts[0] == x:
		case last == x && name != "append":
			write = "append to a list, and call np." + name + " of it backwards once, after the loop"
		default:
			continue
		}
		f.say(l.File, l.Line, (1-left)*l.took, fmt.Sprintf("np.%s copies all of %s to add to it", name, x), write)
	}
}

// grows reports whether x, which a line puts together of itself, is longer each time: the line is
// in a loop that begins with no new x.
func (f *finder) grows(at profiler.CellLine, x string) bool {
	anew := func(lines []string) bool {
		return slices.ContainsFunc(lines, func(text string) bool {
			m := assigns.FindStringSubmatch(text)
			return text != f.code(at.File, at.Line) && (m != nil && m[1] == x || loopTarget(text, x))
		})
	}
	loops, def := f.around(at.File, at.Line)
	if len(loops) > 0 && !anew(f.block(at.File, loops[0])) {
		return true
	}
	if def == 0 || len(loops) > 0 {
		return false
	}
	body := f.block(at.File, def)
	outlives := strings.ContainsAny(x, ".[") || slices.ContainsFunc(body, func(text string) bool {
		text = strings.TrimSpace(text)
		return strings.HasPrefix(text, "global ") && mentions(text[7:], map[string]bool{x: true})
	})
	if anew(body[1:]) || defHeader.FindStringSubmatch(body[0])[1] == "__init__" {
		return false
	}
	for _, l := range f.callers(at) {
		if loops, _ := f.around(l.File, l.Line); len(loops) > 0 {
			return outlives || f.followsItself(l.File, l.Line)
		}
	}
	return false
}

// loopTarget reports whether text is the header of a loop that gives x a value.
func loopTarget(text, x string) bool {
	targets, _, ok := strings.Cut(text, " in ")
	return ok && loopHeader.MatchString(text) && mentions(targets, map[string]bool{x: true})
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
	for _, l := range f.cellLines() {
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
		if steps < 0.2*took || steps+subscripts < 0.7*took || compiled > 0 || steps+subscripts < minGain*float64(f.Cell.Wall)/10 ||
			!f.isOfElements(l) {
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
	if others := all - dearest; others > minGain*all {
		what += ", and all lines like it " + units.Share(f.Cell.Share(time.Duration(all))) + " of the wall time"
	}
	f.say(at.File, at.Line, (1-left)*all, what, "compute with whole arrays, in np or in a compiled function")
}

var (
	// or a loop over a name
	subscript = regexp.MustCompile(`[\w)\]]\[|\bfor\b.*\bin\s+[\w.]+\s*[:\])]`)
	// What is done to other things than numbers: texts, dicts, methods but those of np.
	notOfNumbers = regexp.MustCompile(`["'{]|\]\[|\w\.\w+\s*[-+*/]?=[^=]|\b(str|dict|set|sorted|print|isinstance)\(|\.(get|items|keys|values|split|join|strip|replace|startswith|endswith|lower|upper|format|pop|popleft|insert|extend|add|remove|update|write|read|setdefault|encode|decode)\(`)
	indices      = regexp.MustCompile(`\[[^\[\]]*\]`)
	arithmetic   = regexp.MustCompile(`[\w)\]]\s*(\*\*|//|[-+*/%])=?\s*[\w(]`)
	leaves       = regexp.MustCompile(`^\s*(break|return|yield|raise|try|with)\b|:\s*(break|return|yield|raise)\b`)
	asks         = regexp.MustCompile(`^\s*(if|elif)\b|\bif\b.*\belse\b`)
)

// isOfElements reports whether a line is of a loop that does arithmetic with elements, one after
// another to the last, which whole arrays could do.
func (f *finder) isOfElements(l profiler.CellLine) bool {
	region := []string{f.code(l.File, l.Line)}
	loops, def := f.around(l.File, l.Line)
	switch {
	case len(loops) > 0:
		region = f.block(l.File, loops[0])
	case def > 0 && !comprehension.MatchString(region[0]):
		region = f.block(l.File, def)[1:]
		// the last line of a function may
		if i := len(region) - 1; i >= 0 && returns.MatchString(region[i]) {
			region = append(slices.Clone(region[:i]), returns.ReplaceAllString(region[i], ""))
		}
	}
	found, computes, while, question := false, false, false, false
	for _, text := range region {
		if notOfNumbers.MatchString(text) || leaves.MatchString(text) {
			return false
		}
		found = found || subscript.MatchString(text)
		computes = computes || arithmetic.MatchString(text) && arithmetic.MatchString(indices.ReplaceAllString(text, ""))
		while = while || strings.HasPrefix(strings.TrimSpace(text), "while ")
		question = question || asks.MatchString(text)
	}
	return found && computes && !(while && question)
}

var invCall = regexp.MustCompile(`[\w.]*\binv\(`)

// solves says what solves the system of a statement that multiplies an inverse by something; "" if
// it does not.
func solves(text string) string {
	for _, at := range invCall.FindAllStringIndex(text, -1) {
		end := closing(text, at[1]-1)
		if end < 0 {
			continue
		}
		before, behind := strings.TrimRight(text[:at[0]], " "), strings.TrimLeft(text[end+1:], " ")
		switch first := strings.HasSuffix(before, "dot(") || strings.HasSuffix(before, "matmul("); {
		case strings.HasPrefix(behind, "@"), strings.HasPrefix(behind, ".dot("), first && strings.HasPrefix(behind, ","):
			return "write np.linalg.solve(A, b) for np.linalg.inv(A) @ b"
		case strings.HasSuffix(before, "@"), strings.HasSuffix(before, ".dot(") && strings.HasPrefix(behind, ")"),
			strings.HasSuffix(before, ",") && strings.HasPrefix(behind, ")") && product.MatchString(before):
			return "write np.linalg.solve(A.T, b.T).T for b @ np.linalg.inv(A)"
		}
	}
	return ""
}

// product matches the beginning of a product up to its second operand.
var product = regexp.MustCompile(`\b(dot|matmul)\([^()]*,$`)

// inverses finds lines that invert a matrix to multiply by it.
func inverses(f *finder) {
	for _, l := range f.linesOf(profiler.Numpy, func(name string) bool { return strings.HasSuffix(name, "linalg.inv") }) {
		if write := solves(f.statement(l.File, l.Line)); write != "" {
			f.say(l.File, l.Line, l.took*2/3, "a matrix is inverted to be multiplied by", write)
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
	for _, l := range f.cellLines() {
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
	slices.SortStableFunc(list, func(a, b line) int { return cmp.Compare(b.took, a.took) })
	return list
}
