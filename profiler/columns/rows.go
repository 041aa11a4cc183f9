package columns

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/tensor"
)

type row = profiler.Row

// Classes, Ops and Nodes are the columns of Stats.Rows. What a row stands for is not among those
// that text, panel and page show: they have it as their first or last.
var (
	Classes = slices.Concat(price, leftOut, groups, speed, []Column[row]{
		{Name: "name", Doc: "The class of the ops.", Want: ` # "tensor.elemwise.Elemwise"`, In: List | Field,
			Of: func(r row) Value { return word(r.Name) }},
	})
	Ops = slices.Concat(price, leftOut, groups, speed, []Column[row]{
		{Name: "op", Doc: "The op, with its parameters.", Want: ` # "Elemwise{exp,no_inplace}"`, In: List | Field,
			Of: func(r row) Value { return word(r.Name) }},
	})
	Nodes = slices.Concat(numbers, priceOfOne(), ofNode(calls), leftOut, groupOfOne(), speed, ofNode(names))
)

// price is what rows take.
var price = []Column[row]{
	{Name: "fraction", Header: "time", About: "of the time of all nodes", Doc: "Of the time of all nodes.", Want: " # 1.0",
		Unit: Share, Width: 12, In: everywhere, Of: func(r row) Value { return number(r.Fraction) }},
	{Name: "bar", Unit: Bar, In: Text, Of: func(r row) Value { return number(r.Fraction) }},
	{Name: "cumulative", Header: "sum", About: "of this row and those above it in its group",
		Doc: "The fraction of this row and those before it.", Want: " # 1.0", Unit: Share, Width: 6, In: everywhere &^ Page,
		Of: func(r row) Value { return number(r.Cumulative) }},
	{Name: "time", Text: "{unit}", Doc: "Seconds.", Want: " > 0 # True", Unit: Time, In: everywhere,
		Of: func(r row) Value { return number(r.Time) }},
	{Name: "per_call", Header: "per call", Text: "each", Doc: "Seconds of a call.", Want: " > 0 # True", Unit: Time, Width: 8,
		In: everywhere, Of: func(r row) Value { return number(r.PerCall) }},
	{Name: "calls", Doc: "How often they ran, all nodes together.", Want: " # 1", Unit: Count, In: everywhere,
		Of: func(r row) Value { return count(r.Calls) }},
}

// priceOfOne has no mean call in text: the median stands there.
func priceOfOne() []Column[row] {
	list := slices.Clone(price)
	for i := range list {
		if list[i].Name == "per_call" {
			list[i].In &^= Text
		}
	}
	return list
}

// groups is what rows of several nodes have.
var groups = []Column[row]{
	{Name: "applies", Header: "nodes", Doc: "How many nodes they are.", Want: " # 1", Unit: Count, In: everywhere &^ Panel,
		Of: func(r row) Value { return count(r.Applies) }},
}

// groupOfOne has no view that needs to read how many nodes a node is.
func groupOfOne() []Column[row] {
	list := slices.Clone(groups)
	for i := range list {
		list[i].In &= List | Field
	}
	return list
}

// speed is how they ran, what they did in that time, and what the machine could do.
var speed = []Column[row]{
	{Name: "impl", Header: "type", Text: "impl", Doc: `How it ran: "C", "Go", "Starlark" or several of these: "C Go".`, Want: ` in ["C", "Go"] # True`, Width: 5,
		In: everywhere, Of: func(r row) Value { return word(strings.Join(strings.Fields(r.Type), " ")) }},
	{Name: "flops", Doc: "Floating point operations, all calls together; None if they are not known.", Want: " > 0 # True",
		Unit: Flops, In: Text | List | Field, Of: func(r row) Value { return numberIf(r.Flops, r.Known) }},
	{Name: "bytes", Doc: "Bytes read and written, all calls together; None if they are not known.", Want: " # 16.0",
		Unit: Bytes, In: List | Field, Of: func(r row) Value { return numberIf(r.Bytes, r.Known) }},
	{Name: "gflops", Header: units.FlopRate, Doc: "10^9 operations a second; None if they are not known.", Want: " > 0 # True",
		Unit: Rate, In: everywhere, Of: func(r row) Value { return numberIf(r.GFlops(), r.Known) }},
	{Name: "gbytes", Header: units.ByteRate, Doc: "10^9 bytes a second; None if they are not known.", Want: " > 0 # True",
		Unit: Rate, Width: 6, In: everywhere, Of: func(r row) Value { return numberIf(r.GBytes(), r.Known) }},
	{Name: "roof", About: "of what the machine can do at best, and what limits it",
		Doc:  "How near it is to the most that the machine can do: a fraction, None if it is not known.",
		Want: " == 2 # False", Unit: Share, Width: 8, In: everywhere | CSV,
		Of: func(r row) Value { return numberIf(r.Roof(), r.Best > 0) }},
	{Name: "limit",
		Doc:  `What keeps it from being faster: "compute", "memory (L2)" by the level, "overhead"; None if it is not known.`,
		Want: ` == "" # False`, In: everywhere&^Panel | CSV, Of: func(r row) Value { return wordIf(r.Limit) }},
}

// ofNode has columns that are unknown of rows that stand for several nodes: the panel's tree has
// both kinds.
func ofNode(list []Column[row]) []Column[row] {
	list = slices.Clone(list)
	for i, c := range list {
		list[i].Of = func(r row) Value {
			if r.Node == nil {
				return Value{}
			}
			return c.Of(r)
		}
	}
	return list
}

// numbers tell the nodes apart.
var numbers = []Column[row]{
	{Name: "id", Doc: "Its number in the order of the program; it continues from function to function.", Want: " # 0",
		Unit: Count, In: Text | List | Field, Of: func(r row) Value { return count(r.ID) }},
}

// calls are what single calls of a node took.
var calls = []Column[row]{
	{Name: "min", Doc: "Seconds of the shortest call.", Want: " > 0 # True", Unit: Time, In: CSV | Field,
		Of: func(r row) Value { return number(r.Node.Min) }},
	{Name: "median", Doc: "Seconds of the median call.", Want: " > 0 # True", Unit: Time, In: Text | Page | CSV | Field,
		Of: func(r row) Value { return numberIfCounted(r, r.Node.Spread().Median) }},
	{Name: "p90", Doc: "Seconds that nine of ten calls do not exceed.", Want: " > 0 # True", Unit: Time, In: Text | Page | CSV | Field,
		Of: func(r row) Value { return numberIfCounted(r, r.Node.Spread().P90) }},
	{Name: "spread", Doc: "From what one of ten calls does not exceed to p90, as a fraction of the median.", Want: " # 0.0", Unit: Share,
		In: Text | Page | CSV | Field, Of: func(r row) Value { return numberIfCounted(r, r.Node.Spread().Relative()) }},
	{Name: "max", Doc: "Seconds of the longest call.", Want: " > 0 # True", Unit: Time, In: CSV | Field,
		Of: func(r row) Value { return number(r.Node.Max) }},
}

// leftOut is what was measured beside what rows take.
var leftOut = []Column[row]{
	{Name: "left_out", Doc: "Seconds that were measured more than time: calls that took much longer than the others count as if they had not.", Want: " # 0.0", Unit: Time,
		In: CSV | Field, Of: func(r row) Value { return number(r.Left.Over) }},
}

// numberIfCounted is unknown if the calls were not counted by their times.
func numberIfCounted(r row, v float64) Value { return numberIf(v, len(r.Node.Hist) > 0) }

// names are what a node is, where it comes from, and what it works on.
var names = []Column[row]{
	{Name: "op", Doc: "The op, with its parameters.", Want: ` # "Elemwise{exp,no_inplace}"`, In: Field,
		Of: func(r row) Value { return word(r.Node.Op) }},
	{Name: "name", Doc: "The op and its operands.", Want: `.startswith("Elemwise{exp,no_inplace}(") # True`, In: List | Field,
		Of: func(r row) Value { return word(r.Name) }},
	{Name: "function", Doc: "The function that it belongs to; None if the profile has only one.", Want: " == None # True",
		In: List | Field, Of: func(r row) Value { return wordIf(r.Function) }},
	{Name: "origin", Header: "line", Doc: "The file, line and column that made it.", Want: ` # "In[1]:1:22"`,
		In: Text | Page | List | Field, Of: func(r row) Value { return wordIf(r.Node.Origin.String()) }},
	{Name: "scope", Doc: "The named_scope that it was made in; of a fused node all of them. None outside of any.", Want: " == None # True", In: List | Field,
		Of: func(r row) Value { return wordIf(strings.Join(r.Node.Scopes(), ", ")) }},
	{Name: "role", Doc: `"forward", "gradient" or "update".`, Want: ` # "forward"`, In: List | Field,
		Of: func(r row) Value { return word(r.Node.Origin.Role) }},
	{Name: "inputs", Doc: "The types and shapes of its operands.", Want: ` # ["float64()"]`, Unit: Words, In: Field,
		Of: func(r row) Value { return operands(r.Node.Inputs) }},
	{Name: "outputs", Doc: "The types and shapes of its results.", Want: ` # ["float64()"]`, Unit: Words, In: Field,
		Of: func(r row) Value { return operands(r.Node.Outputs) }},
}

func operands(list []profiler.Operand) Value {
	words := make([]string, len(list))
	for i, o := range list {
		words[i] = o.DType + tensor.ShapeString(o.Shape)
	}
	return wordList(words)
}
