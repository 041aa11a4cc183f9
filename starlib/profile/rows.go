package profile

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
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
		var list []nodeRow
		for _, r := range s.Rows(profiler.ByApply) {
			bound, ok := s.Bound(r.Node)
			list = append(list, nodeRow{r, bound, ok})
		}
		return rowsOf(nodeRows, list)
	}),
	tableMethod("functions", "The calls of each function, and how it was compiled.",
		func(s *profiler.Stats) *profileRows { return rowsOf(functionRows, s.Functions) }),
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
		slices.SortStableFunc(list, func(a, b rewriteRow) int { return int(b.rule.NS - a.rule.NS) })
		return rowsOf(rewriteRows, list)
	}),
	{Name: "lines", Params: []value.Param{{Name: "inclusive", Default: "False",
		Doc: "count with a line what the functions that it calls made, so that lines do not add up to the whole"}},
		Doc: "The price of each line of the source, the most expensive first.", Example: oneProfile + ".lines()[0].line # 1",
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			var inclusive bool
			if err := b.Unpack(args, kwargs, &inclusive); err != nil {
				return nil, err
			}
			return rowsOf(lineRows, b.Receiver().(*ProfileStats).snapshot().Lines(inclusive)), nil
		}},
}

// oneProfile is the profile of the examples: one node, made by one line.
const oneProfile = `profile(lambda: T.exp(shared(2.0)).eval(), memory=True)`

func tableMethod(name, doc string, table func(s *profiler.Stats) *profileRows) value.Builtin {
	example := "len(" + oneProfile + "." + name + "()) # 1"
	if name == "rewrites" {
		example = "len(" + oneProfile + "." + name + "()) > 0 # True"
	}
	return value.Builtin{Name: name, Doc: doc, Example: example,
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := b.Unpack(args, kwargs); err != nil {
				return nil, err
			}
			return table(b.Receiver().(*ProfileStats).snapshot()), nil
		}}
}

// RowKinds are all kinds of rows, for the documentation.
var RowKinds = []*rowKind{classRows, opRows, nodeRows, lineRows, functionRows, memoryRows, rewriteRows, shareRows}

// A nodeRow is a row that stands for one node.
type nodeRow struct {
	profiler.Row
	bound profiler.Bound
	ok    bool // bound is known
}

// alignRight aligns columns to the right.
func alignRight(list ...rowColumn) []rowColumn {
	for i := range list {
		list[i].number = true
	}
	return list
}

// totals are the columns of rows that add up nodes.
func totals[T any](row func(x T) *profiler.Row) []rowColumn {
	col := func(name, doc, want string, get func(r *profiler.Row) starlark.Value, show func(v starlark.Value) string) rowColumn {
		return column(name, doc, want, func(x T) starlark.Value { return get(row(x)) }, show)
	}
	return alignRight(
		col("fraction", "Of the time of all nodes.", " # 1.0",
			func(r *profiler.Row) starlark.Value { return starlark.Float(r.Fraction) }, asShare),
		col("cumulative", "The fraction of this row and those before it.", " # 1.0",
			func(r *profiler.Row) starlark.Value { return starlark.Float(r.Cumulative) }, asShare),
		col("time", "Seconds.", " > 0 # True", func(r *profiler.Row) starlark.Value { return seconds(r.Time) }, asTime),
		col("per_call", "Seconds of a call.", " > 0 # True", func(r *profiler.Row) starlark.Value { return seconds(r.PerCall) }, asTime),
		col("calls", "How often they ran, all nodes together.", " # 1",
			func(r *profiler.Row) starlark.Value { return starlark.MakeInt64(r.Calls) }, asCount),
		col("applies", "How many nodes they are.", " # 1",
			func(r *profiler.Row) starlark.Value { return starlark.MakeInt(r.Applies) }, asCount),
		col("flops", "Floating point operations, all calls together; None if they are not known.", " > 0 # True",
			func(r *profiler.Row) starlark.Value { return known(r.Flops, r.Known) }, asAmount(units.Flops)),
		col("bytes", "Bytes read and written, all calls together; None if they are not known.", " # 16.0",
			func(r *profiler.Row) starlark.Value { return known(r.Bytes, r.Known) }, asAmount(units.Bytes)),
		col("gflops", "10^9 operations a second; None if they are not known.", " > 0 # True",
			func(r *profiler.Row) starlark.Value { return known(r.GFlops(), r.Known) }, asRate),
		col("gbytes", "10^9 bytes a second; None if they are not known.", " > 0 # True",
			func(r *profiler.Row) starlark.Value { return known(r.GBytes(), r.Known) }, asRate))
}

func implOf(r *profiler.Row) starlark.Value {
	return starlark.String(strings.Join(strings.Fields(r.Type), " "))
}

func ownRow(r profiler.Row) *profiler.Row { return &r }

var implColumn = column("impl", `How it ran: "C", "Go" or "C Go".`, ` in ["C", "Go"] # True`,
	func(r profiler.Row) starlark.Value { return implOf(&r) }, asText)

var classRows = newRowKind("ClassRow", oneProfile+".classes()[0]", append(totals(ownRow), implColumn,
	column("name", "The class of the ops.", ` # "tensor.elemwise.Elemwise"`,
		func(r profiler.Row) starlark.Value { return starlark.String(r.Name) }, asText))...)

var opRows = newRowKind("OpRow", oneProfile+".ops()[0]", append(totals(ownRow), implColumn,
	column("op", "The op, with its parameters.", ` # "Elemwise{exp,no_inplace}"`,
		func(r profiler.Row) starlark.Value { return starlark.String(r.Name) }, asText))...)

var nodeRows = newRowKind("NodeRow", oneProfile+".nodes()[0]", slices.Concat(
	alignRight(column("id", "Its number in the order of the program; it continues from function to function.", " # 0",
		func(r nodeRow) starlark.Value { return starlark.MakeInt(r.ID) }, asCount)),
	totals(func(r nodeRow) *profiler.Row { return &r.Row }),
	[]rowColumn{
		alone(column("min", "Seconds of the shortest call.", " > 0 # True",
			func(r nodeRow) starlark.Value { return seconds(r.Node.Min) }, asTime)),
		alone(column("median", "Seconds of the median call.", " > 0 # True",
			func(r nodeRow) starlark.Value { return seconds(r.Node.Median()) }, asTime)),
		alone(column("max", "Seconds of the longest call.", " > 0 # True",
			func(r nodeRow) starlark.Value { return seconds(r.Node.Max) }, asTime)),
		column("roof", "How near it is to the most that the machine can do: a fraction, None if it is not known.", " == 2 # False",
			func(r nodeRow) starlark.Value { return known(r.bound.Fraction, r.ok) }, asShare),
		column("limit", `What keeps it from being faster: "compute", "memory (L2)" by the level, "overhead"; None if it is not known.`,
			` == "" # False`, func(r nodeRow) starlark.Value { return textOrNone(r.bound.Limit) }, asText),
		column("impl", `How it ran: "C" or "Go".`, ` in ["C", "Go"] # True`,
			func(r nodeRow) starlark.Value { return implOf(&r.Row) }, asText),
		alone(column("op", "The op, with its parameters.", ` # "Elemwise{exp,no_inplace}"`,
			func(r nodeRow) starlark.Value { return starlark.String(r.Node.Op) }, asText)),
		column("name", "The op and its operands.", `.startswith("Elemwise{exp,no_inplace}(") # True`,
			func(r nodeRow) starlark.Value { return starlark.String(r.Name) }, asText),
		column("function", "The function that it belongs to; None if the profile has only one.", " == None # True",
			func(r nodeRow) starlark.Value { return textOrNone(r.Function) }, asText),
		column("origin", "The file, line and column that made it.", ` # "In[1]:1:22"`,
			func(r nodeRow) starlark.Value { return textOrNone(r.Node.Origin.String()) }, asText),
		column("role", `"forward", "gradient" or "update".`, ` # "forward"`,
			func(r nodeRow) starlark.Value { return starlark.String(r.Node.Origin.Role) }, asText),
		alone(column("inputs", "The types and shapes of its operands.", ` # ["float64()"]`,
			func(r nodeRow) starlark.Value { return shapeTexts(r.Node.Inputs) }, asText)),
		alone(column("outputs", "The types and shapes of its results.", ` # ["float64()"]`,
			func(r nodeRow) starlark.Value { return shapeTexts(r.Node.Outputs) }, asText)),
		alone(column("shares", "The nodes that it stands for: rows with the fraction of its work that each has.", "[0].fraction # 1.0",
			func(r nodeRow) starlark.Value { return rowsOf(shareRows, slices.Collect(r.Node.Shares())) }, asParts)),
	})...)

var shareRows = newRowKind("ShareRow", oneProfile+".nodes()[0].shares[0]",
	column("fraction", "Of the work of the node.", " # 1.0",
		func(p profiler.Part) starlark.Value { return starlark.Float(p.Share) }, asShare),
	column("op", "The operation.", ` != "" # True`, func(p profiler.Part) starlark.Value { return starlark.String(p.Op) }, asText),
	column("origin", "The file, line and column that made it.", ` # "In[1]:1:22"`,
		func(p profiler.Part) starlark.Value { return textOrNone(p.Origin.String()) }, asText),
	column("role", `"forward", "gradient" or "update".`, ` # "forward"`,
		func(p profiler.Part) starlark.Value { return starlark.String(p.Origin.Role) }, asText))

// asParts shows rows of shareRows in one line.
func asParts(v starlark.Value) string {
	var parts []string
	for _, r := range v.(*profileRows).rows {
		p := r.x.(profiler.Part)
		parts = append(parts, strings.TrimSpace(units.Share(p.Share)+" "+units.OneLine(p.Op)+" "+p.Origin.String()))
	}
	return strings.Join(parts, ", ")
}

func roleColumn(i int, doc, want string) rowColumn {
	return column(profiler.Roles[i], doc, want, func(r profiler.LineRow) starlark.Value { return seconds(r.ByRole[i]) }, asTime)
}

var lineRows = newRowKind("LineRow", oneProfile+".lines()[0]", append(alignRight(
	column("fraction", "Of the time of all nodes.", " # 1.0",
		func(r profiler.LineRow) starlark.Value { return starlark.Float(r.Fraction) }, asShare),
	column("time", "Seconds.", " > 0 # True", func(r profiler.LineRow) starlark.Value { return seconds(r.Time) }, asTime),
	roleColumn(0, "Seconds of what the line itself computes.", " > 0 # True"),
	roleColumn(1, "Seconds of its gradient.", " # 0.0"),
	roleColumn(2, "Seconds of the updates that it asked for.", " # 0.0"),
	column("calls", "How often the nodes ran that it has a part in.", " # 1",
		func(r profiler.LineRow) starlark.Value { return starlark.MakeInt64(r.Calls) }, asCount),
	alone(column("flops", "Floating point operations, all calls together.", " > 0 # True",
		func(r profiler.LineRow) starlark.Value { return starlark.Float(r.Flops) }, asAmount(units.Flops))),
	alone(column("bytes", "Bytes read and written, all calls together.", " # 16.0",
		func(r profiler.LineRow) starlark.Value { return starlark.Float(r.Bytes) }, asAmount(units.Bytes)))),
	column("file", "The cell or the file.", ` # "In[1]"`,
		func(r profiler.LineRow) starlark.Value { return textOrNone(r.File) }, asText),
	column("line", "The number of the line; 0 stands for nodes that no line made.", " # 1",
		func(r profiler.LineRow) starlark.Value { return starlark.MakeInt(r.Line) }, asCount),
	alone(column("function", "The function that the line stands in.", ` # "lambda"`,
		func(r profiler.LineRow) starlark.Value { return textOrNone(r.Func) }, asText)),
	column("source", "The text of the line.", `.startswith("profile(") # True`,
		func(r profiler.LineRow) starlark.Value { return starlark.String(r.Source) }, asText),
	alone(column("ops", "What it computes.", " != [] # True",
		func(r profiler.LineRow) starlark.Value { return texts(r.Ops) }, asText)))...)

var functionRows = newRowKind("FunctionRow", oneProfile+".functions()[0]", append(alignRight(
	column("calls", "Calls that succeeded.", " # 1",
		func(f *profiler.Function) starlark.Value { return starlark.MakeInt64(f.Calls) }, asCount),
	column("time", "Seconds in them, from the arguments to the results.", " > 0 # True",
		func(f *profiler.Function) starlark.Value { return seconds(f.CallTime) }, asTime),
	column("per_call", "Seconds of a call.", " > 0 # True",
		func(f *profiler.Function) starlark.Value { return seconds(units.Ratio(f.CallTime, float64(f.Calls))) }, asTime),
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
	rule           profiler.RewriteRule
}

var rewriteRows = newRowKind("RewriteRow", oneProfile+".rewrites()[0]", append(alignRight(
	column("time", "Seconds.", " > 0 # True", func(r rewriteRow) starlark.Value { return seconds(float64(r.rule.NS)) }, asTime),
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
