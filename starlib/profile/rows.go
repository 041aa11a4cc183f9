package profile

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/advice"
	cols "github.com/arignote/arignote/profiler/columns"
	"github.com/arignote/arignote/profiler/units"
	rewriting "github.com/arignote/arignote/runtime/history"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// rowMethods are the tables of a profile as values.
var rowMethods = []value.Builtin{
	tableMethod("classes", "The time by class of op, the most expensive first.",
		func(s *profiler.Stats) *profileRows { return rowsOf(classRows, s.Rows(profiler.ByClass)) }),
	tableMethod("ops", "The time by op, the most expensive first.",
		func(s *profiler.Stats) *profileRows { return rowsOf(opRows, s.Rows(profiler.ByOp)) }),
	tableMethod("nodes", "The time by Apply node, the most expensive first.", func(s *profiler.Stats) *profileRows {
		return rowsOf(nodeRows, s.Rows(profiler.ByApply))
	}),
	tableMethod("scopes", "The time by named_scope, a scope before those in it; none if there are none.",
		func(s *profiler.Stats) *profileRows { return rowsOf(scopeRows, s.Scopes()) }),
	tableMethod("functions", "The calls of each function, and how it was compiled.",
		func(s *profiler.Stats) *profileRows { return rowsOf(functionRows, s.Functions) }),
	tableMethod("loops", "The graphs that nodes run, as a loop its step: how often, how long, and what the loop itself takes.",
		func(s *profiler.Stats) *profileRows { return rowsOf(loopRows, s.Loops()) }),
	tableMethod("memory", "The sizes of the results of each node, the largest first.",
		func(s *profiler.Stats) *profileRows {
			rows, _ := s.MemoryRows()
			return rowsOf(memoryRows, rows)
		}),
	tableMethod("rewrites", "What the rules did to the graphs, pass by pass.", func(s *profiler.Stats) *profileRows {
		var list []rewriteRow
		for _, f := range s.Functions {
			for _, p := range f.Rewrites {
				for _, r := range p.Rules {
					list = append(list, rewriteRow{f.Title(), p.Name, r})
				}
			}
		}
		slices.SortStableFunc(list, func(a, b rewriteRow) int { return int(b.rule.Time - a.rule.Time) })
		return rowsOf(rewriteRows, list)
	}),
	{Name: "advice", Doc: "What to change in the program, the most gain first: the line, why, what to write, and what that is expected to save. " +
		"docs/advice.md lists the rules.", Example: "len(ProfileStats(\"p\").advice()) # 0",
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := b.Unpack(args, kwargs); err != nil {
				return nil, err
			}
			return rowsOf(adviceRows, advice.Of(b.Receiver().(*ProfileStats).snapshot())), nil
		}},
	{Name: "lines", Params: []value.Param{{Name: "inclusive", Default: "False",
		Doc: "count with a line what the functions that it calls made, so that lines do not add up to the whole"}},
		Doc: "The price of each line of the source, the most expensive first.", Example: oneProfile + ".lines()[0].line # 1",
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			var inclusive bool
			if err := b.Unpack(args, kwargs, &inclusive); err != nil {
				return nil, err
			}
			var list []cols.Line
			for _, r := range b.Receiver().(*ProfileStats).snapshot().Steady().Lines(inclusive) {
				list = append(list, cols.Line{LineRow: r})
			}
			return rowsOf(lineRows, list), nil
		}},
}

// oneProfile is the profile of the examples: one node, made by one line.
const oneProfile = `profile(lambda: T.exp(shared(2.0)).eval(), memory=True)`

// scopeProfile is that of a node in a scope.
const scopeProfile = "with named_scope(\"encoder\"):\n    y = T.exp(shared(2.0))\nprofile(lambda: y.eval())"

// loopProfile is that of a loop of three steps.
const loopProfile = `profile(lambda: scan(lambda h: T.exp(-h), outputs_info=[shared(1.0)], n_steps=3)[0].eval())`

func tableMethod(name, doc string, table func(s *profiler.Stats) *profileRows) value.Builtin {
	if name == "loops" {
		return value.Builtin{Name: name, Doc: doc, Example: loopProfile + ".loops()[0].steps # 3", Fn: tableFn(table)}
	}
	if name == "scopes" {
		return value.Builtin{Name: name, Doc: doc, Example: scopeProfile + ".scopes()[0].scope # \"encoder\"", Fn: tableFn(table)}
	}
	example := "len(" + oneProfile + "." + name + "()) # 1"
	if name == "rewrites" {
		example = "len(" + oneProfile + "." + name + "()) > 0 # True"
	}
	return value.Builtin{Name: name, Doc: doc, Example: example, Fn: tableFn(table)}
}

func tableFn(table func(s *profiler.Stats) *profileRows) func(*starlark.Thread, *value.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
	return func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if err := b.Unpack(args, kwargs); err != nil {
			return nil, err
		}
		return table(b.Receiver().(*ProfileStats).snapshot().Steady()), nil
	}
}

// RowKinds are all kinds of rows, for the documentation.
var RowKinds = []*rowKind{classRows, opRows, nodeRows, lineRows, scopeRows, pathRows, functionRows, loopRows, memoryRows, rewriteRows, shareRows, changeRows, adviceRows, whatIfRows, fasterRows}

// alignRight aligns columns to the right.
func alignRight(list ...rowColumn) []rowColumn {
	for i := range list {
		list[i].number = true
	}
	return list
}

var (
	classRows = newRowKind("ClassRow", oneProfile+".classes()[0]", rowColumns(cols.Classes, "* impl name")...)
	opRows    = newRowKind("OpRow", oneProfile+".ops()[0]", rowColumns(cols.Ops, "* impl op")...)
	scopeRows = newRowKind("ScopeRow", scopeProfile+".scopes()[0]", rowColumns(cols.Scopes, "")...)
	lineRows  = newRowKind("LineRow", oneProfile+".lines()[0]", append(rowColumns(cols.Lines, ""),
		alone(column("paths", "The calls by which it was reached: rows with what it took by each.", "[0].fraction # 1.0",
			func(r cols.Line) starlark.Value { return rowsOf(pathRows, r.Paths) }, asCalls)))...)
	nodeRows = newRowKind("NodeRow", oneProfile+".nodes()[0]",
		append(rowColumns(cols.Nodes, "* impl op name function origin scope role inputs outputs"),
			alone(column("shares", "The nodes that it stands for: rows with the fraction of its work that each has.", "[0].fraction # 1.0",
				func(r profiler.Row) starlark.Value { return rowsOf(shareRows, slices.Collect(r.Node.Shares())) }, asParts)))...)
)

var pathRows = newRowKind("PathRow", oneProfile+".lines()[0].paths[0]", append(alignRight(
	column("fraction", "Of the time of all nodes.", " # 1.0", func(p profiler.Path) starlark.Value { return starlark.Float(p.Fraction) }, asShare),
	column("time", "Seconds.", " > 0 # True", func(p profiler.Path) starlark.Value { return seconds(p.Time) }, asTime)),
	column("scope", "The named_scope; None outside of any.", " == None # True", func(p profiler.Path) starlark.Value { return textOrNone(p.Scope) }, asText),
	column("calls", "The scope, and the calls that led to the line, outermost first.", `.startswith("In[1]:1 -> ") # True`,
		func(p profiler.Path) starlark.Value { return starlark.String(p.String()) }, asText))...)

// asCalls shows rows of pathRows in one line.
func asCalls(v starlark.Value) string {
	var calls []string
	for _, r := range v.(*profileRows).rows {
		calls = append(calls, r.x.(profiler.Path).String())
	}
	return strings.Join(calls, ", ")
}

var shareRows = newRowKind("ShareRow", oneProfile+".nodes()[0].shares[0]",
	column("fraction", "Of the work of the node.", " # 1.0",
		func(p profiler.Part) starlark.Value { return starlark.Float(p.Share) }, asShare),
	column("op", "The operation.", ` != "" # True`, func(p profiler.Part) starlark.Value { return starlark.String(p.Op) }, asText),
	column("origin", "The file, line and column that made it.", ` # "In[1]:1:22"`,
		func(p profiler.Part) starlark.Value { return textOrNone(p.Origin.String()) }, asText),
	column("scope", "The named_scope that it was made in; None outside of any.", " == None # True",
		func(p profiler.Part) starlark.Value { return textOrNone(p.Origin.Scope) }, asText),
	column("role", `"forward", "gradient" or "update".`, ` # "forward"`,
		func(p profiler.Part) starlark.Value { return starlark.String(p.Origin.Role) }, asText))

// advisedProfile is a profile of a function that computes the same in each call.
const advisedProfile = "f = function([], T.exp(shared(np.ones(100000), name=\"W\")), name=\"f\")\nprofile(lambda: [f() for _ in range(9)])"

var adviceRows = newRowKind("AdviceRow", advisedProfile+".advice()[0]", append(alignRight(
	column("gain", "Seconds that the change is expected to save.", " > 0 # True",
		func(a advice.Advice) starlark.Value { return seconds(a.Gain) }, asTime),
	column("of", "Seconds of which these are a part: of the cell or, without one, of the calls.", " > 0 # True",
		func(a advice.Advice) starlark.Value { return seconds(a.Of) }, asTime)),
	column("line", "The line to change.", " # 1", func(a advice.Advice) starlark.Value { return starlark.MakeInt(a.Line) }, asCount),
	column("file", "Its file or cell.", ` # "In[1]"`, func(a advice.Advice) starlark.Value { return starlark.String(a.File) }, asText),
	column("rule", "The rule, by which docs/advice.md has a chapter.", ` # "same-each-call"`,
		func(a advice.Advice) starlark.Value { return starlark.String(a.Rule.ID) }, asText),
	column("cause", "What was seen at the line.", ` != "" # True`, func(a advice.Advice) starlark.Value { return starlark.String(units.Plain(a.Cause)) }, asText),
	column("write", "What to write instead.", ` # "compute it once, and keep it in a shared variable"`,
		func(a advice.Advice) starlark.Value { return starlark.String(a.Write) }, asText))...)

// asParts shows rows of shareRows in one line.
func asParts(v starlark.Value) string {
	var parts []string
	for _, r := range v.(*profileRows).rows {
		p := r.x.(profiler.Part)
		parts = append(parts, strings.TrimSpace(units.Share(p.Share)+" "+units.OneLine(p.Op)+" "+p.Origin.String()))
	}
	return strings.Join(parts, ", ")
}

var functionRows = newRowKind("FunctionRow", oneProfile+".functions()[0]", append(alignRight(
	column("calls", "Calls that succeeded.", " # 1",
		func(f *profiler.Function) starlark.Value { return starlark.MakeInt64(f.Calls) }, asCount),
	column("time", "Seconds in them, from the arguments to the results.", " > 0 # True",
		func(f *profiler.Function) starlark.Value { return seconds(f.CallTime) }, asTime),
	column("per_call", "Seconds of a call.", " > 0 # True",
		func(f *profiler.Function) starlark.Value { return seconds(units.Ratio(f.CallTime, float64(f.Calls))) }, asTime),
	column("median", "Seconds of the median call.", " > 0 # True",
		func(f *profiler.Function) starlark.Value { return seconds(f.Spread().Median) }, asTime),
	column("p90", "Seconds that nine of ten calls do not exceed.", " > 0 # True",
		func(f *profiler.Function) starlark.Value { return seconds(f.Spread().P90) }, asTime),
	column("spread", "From what one of ten calls does not exceed to p90, as a fraction of the median.", " # 0.0",
		func(f *profiler.Function) starlark.Value { return starlark.Float(f.Spread().Relative()) }, asShare),
	column("min", "Seconds of the shortest.", " > 0 # True",
		func(f *profiler.Function) starlark.Value { return seconds(f.CallMin) }, asTime),
	column("max", "Seconds of the longest.", " > 0 # True",
		func(f *profiler.Function) starlark.Value { return seconds(f.CallMax) }, asTime),
	alone(column("vm_time", "Seconds in its program, without arguments and results.", " > 0 # True",
		func(f *profiler.Function) starlark.Value { return seconds(f.RunTime) }, asTime)),
	column("thunk_time", "Seconds in its nodes.", " > 0 # True",
		func(f *profiler.Function) starlark.Value { return seconds(f.ThunkTime()) }, asTime),
	column("nodes", "How many nodes it has.", " # 1",
		func(f *profiler.Function) starlark.Value { return starlark.MakeInt(len(f.Nodes)) }, asCount),
	column("failed", "Calls that failed.", " # 0",
		func(f *profiler.Function) starlark.Value { return starlark.MakeInt64(f.Failed) }, asCount),
	column("peak",
		"The most bytes at once of any call, as measured, with workspaces and what is kept; where that was not measured, by a replay of the last. None if none ended well.",
		" >= 8 # True", func(f *profiler.Function) starlark.Value {
			use, ok := f.MemoryUse()
			return bytesOrNone(use.Most(), ok || use.Real > 0)
		}, asCount),
	column("replay_peak",
		"The most bytes that the results of its nodes take in a call, by a replay of the last; None if none ended well.",
		" # 8", func(f *profiler.Function) starlark.Value {
			use, ok := f.MemoryUse()
			return bytesOrNone(use.Peak, ok)
		}, asCount),
	column("lowest_peak",
		"The least that any order of the nodes needs, as far as it was looked for: None without profiling.min_peak_memory.",
		" == None # True", func(f *profiler.Function) starlark.Value {
			use, ok := f.MemoryUse()
			return bytesOrNone(use.Lowest, ok && f.Lowest != nil)
		}, asCount),
	alone(column("ignored", "First calls that were left out.", " # 0",
		func(f *profiler.Function) starlark.Value { return starlark.MakeInt64(f.Ignored) }, asCount)),
	column("compile_time", "Seconds of compiling.", " > 0 # True",
		func(f *profiler.Function) starlark.Value { return starlark.Float(f.Compile.Total.Seconds()) }, asTime),
	alone(column("rewriting_time", "Seconds of these in rewriting.", " > 0 # True",
		func(f *profiler.Function) starlark.Value { return starlark.Float(f.Compile.Rewrite.Seconds()) }, asTime)),
	alone(column("linker_time", "Seconds of compiling in making the program.", " > 0 # True",
		func(f *profiler.Function) starlark.Value { return starlark.Float(f.Compile.Link.Seconds()) }, asTime))),
	column("name", "The function's name.", ` # "eval"`,
		func(f *profiler.Function) starlark.Value { return starlark.String(f.Title()) }, asText))...)

var loopRows = newRowKind("LoopRow", loopProfile+".loops()[0]", append(alignRight(
	column("fraction", "Of the time of all nodes.", " > 0 # True",
		func(r profiler.LoopRow) starlark.Value { return starlark.Float(r.Fraction) }, asShare),
	column("time", "Seconds in the node that runs it.", " > 0 # True",
		func(r profiler.LoopRow) starlark.Value { return seconds(r.Time) }, asTime),
	column("steps", "How often it ran.", " # 3",
		func(r profiler.LoopRow) starlark.Value { return starlark.MakeInt64(r.Steps) }, asCount),
	column("per_step", "Seconds of the node for each time.", " > 0 # True",
		func(r profiler.LoopRow) starlark.Value { return seconds(r.PerStep) }, asTime),
	column("inside", "Seconds of these in the nodes of what runs.", " > 0 # True",
		func(r profiler.LoopRow) starlark.Value { return seconds(r.Inside) }, asTime),
	column("overhead", "Seconds beside them: rows taken and given, the program between its nodes.", " >= 0 # True",
		func(r profiler.LoopRow) starlark.Value { return seconds(r.Overhead) }, asTime)),
	column("role", `"forward", "gradient" or "update".`, ` # "forward"`,
		func(r profiler.LoopRow) starlark.Value { return starlark.String(r.Node.Origin.Role) }, asText),
	column("name", "What it is called.", ` # "scan_fn"`,
		func(r profiler.LoopRow) starlark.Value { return starlark.String(r.Function.Title()) }, asText),
	column("function", "The function in whose calls it ran.", ` # "eval"`,
		func(r profiler.LoopRow) starlark.Value { return starlark.String(r.Top.Title()) }, asText),
	column("depth", "How many loops there are around it.", " # 0",
		func(r profiler.LoopRow) starlark.Value { return starlark.MakeInt(len(r.Outer)) }, asCount),
	column("origin", "The file, line and column that made the node.", ".startswith(\"In[1]:1:\") # True",
		func(r profiler.LoopRow) starlark.Value { return textOrNone(r.Node.Origin.String()) }, asText),
	alone(column("nodes", "The nodes inside: rows as those of nodes().", "[0].calls # 3",
		func(r profiler.LoopRow) starlark.Value { return rowsOf(nodeRows, r.Nodes()) }, func(v starlark.Value) string {
			return units.Plural(int64(len(v.(*profileRows).rows)), "row")
		})))...)

var memoryRows = newRowKind("MemoryRow", oneProfile+".memory()[0]",
	alignRight(column("bytes", "Bytes of its results; views take none.", " # 8",
		func(r profiler.MemoryRow) starlark.Value { return starlark.MakeInt64(r.Bytes) }, asCount))[0],
	column("outputs", "The types and shapes of its results.", ` # ["float64()"]`,
		func(r profiler.MemoryRow) starlark.Value { return shapeTexts(r.Node.Outputs) }, asText),
	column("codes", "For each result: c created, i overwrites an operand, v is a view.", ` # ["c"]`,
		func(r profiler.MemoryRow) starlark.Value { return texts(r.Node.Codes()) }, asText),
	column("name", "The op and its operands.", `.startswith("Elemwise{exp,no_inplace}(") # True`,
		func(r profiler.MemoryRow) starlark.Value { return starlark.String(r.Node.Text) }, asText),
	column("function", "The function that it belongs to; None if the profile has only one.", " == None # True",
		func(r profiler.MemoryRow) starlark.Value { return textOrNone(r.Function) }, asText),
	column("origin", "The file, line and column that made it.", ` # "In[1]:1:22"`,
		func(r profiler.MemoryRow) starlark.Value { return textOrNone(r.Node.Origin.String()) }, asText))

// A rewriteRow is a rule in one pass over the graph of one function.
type rewriteRow struct {
	function, pass string
	rule           rewriting.Rule
}

var rewriteRows = newRowKind("RewriteRow", oneProfile+".rewrites()[0]", append(alignRight(
	column("time", "Seconds.", " >= 0 # True", func(r rewriteRow) starlark.Value { return seconds(float64(r.rule.Time)) }, asTime),
	column("fired", "How many nodes it replaced.", " >= 0 # True",
		func(r rewriteRow) starlark.Value { return starlark.MakeInt(r.rule.Fired) }, asCount),
	column("tried", "How many nodes it looked at.", " > 0 # True",
		func(r rewriteRow) starlark.Value { return starlark.MakeInt(r.rule.Tried) }, asCount)),
	column("rule", "The rule.", ` != "" # True`, func(r rewriteRow) starlark.Value { return starlark.String(r.rule.Name) }, asText),
	column("where", "The file and line of the rule, or of the pass if it is written in Go; one rule may stand in several lines.",
		` != "" # True`, func(r rewriteRow) starlark.Value { return starlark.String(r.rule.Where) }, asText),
	column("rewrite_pass", "The pass that it was part of.", ` != "" # True`,
		func(r rewriteRow) starlark.Value { return starlark.String(r.pass) }, asText),
	column("function", "The function whose graph it was.", ` # "eval"`,
		func(r rewriteRow) starlark.Value { return starlark.String(r.function) }, asText))...)
