package symbolic

import (
	"fmt"
	"slices"
	"strings"
	"weak"

	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A graphView is a graph as Starlark sees it: that of a compiled function, f.maker.fgraph, or one
// between variables. It never changes.
type GraphView struct {
	S        *Session
	Graph    *graph.FunctionGraph
	Function *Function // the function that it is compiled to; nil if none
}

var _ value.Tabled = (*GraphView)(nil)

// String is what Theano writes: [exp(mul(x, y))].
func (g *GraphView) String() string {
	var list []string
	for _, v := range g.Graph.Results() {
		list = append(list, plainText(g.S, v))
	}
	return "[" + strings.Join(list, ", ") + "]"
}
func (g *GraphView) Type() string          { return "FunctionGraph" }
func (g *GraphView) Freeze()               {}
func (g *GraphView) Truth() starlark.Bool  { return true }
func (g *GraphView) Hash() (uint32, error) { return starlark.String(g.Graph.Name).Hash() }
func (g *GraphView) Table() *value.Methods { return FunctionGraphMethods }
func (g *GraphView) AttrNames() []string   { return FunctionGraphMethods.Names() }

func (g *GraphView) Attr(name string) (starlark.Value, error) {
	return FunctionGraphMethods.Attr(g, name)
}

// CompareSameType is identity of the graphs.
func (g *GraphView) CompareSameType(token syntax.Token, y starlark.Value, _ int) (bool, error) {
	return equality(token, g.Graph == y.(*GraphView).Graph, "graphs")
}

// Inputs are the graph's inputs, and behind them the shared variables, which are inputs that no
// call gives.
func (g *GraphView) Inputs() []*graph.Variable {
	return slices.Concat(g.Graph.Inputs, g.Graph.SharedVariables())
}

func ApplyList(s *Session, nodes []*graph.Apply) *slot.List {
	list := make([]starlark.Value, len(nodes))
	for i, n := range nodes {
		list[i] = Apply{s, n}
	}
	return slot.NewList(list)
}

const graphExample = `function([], T.exp(shared(1.5, name="w"))).maker.fgraph`

// FunctionGraphMethods are the attributes of graphs.
var FunctionGraphMethods = value.NewMethods("FunctionGraph", []value.Builtin{
	{Name: "toposort", Doc: "The nodes in the order in which they run, each after those that make its inputs: a list.", Example: graphExample + `.toposort()[0].op.name # "exp"`,
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			g := b.Receiver().(*GraphView)
			return ApplyList(g.S, g.Graph.RunOrder()), b.Unpack(args, kwargs)
		}},
}).With(
	value.FieldOf("name", "The name of the function, or None.", `function([], T.constant(2.0), name="two").maker.fgraph.name # "two"`,
		func(g *GraphView) starlark.Value { return NameOrNone(g.Graph.Name) }),
	value.FieldOf("inputs", "The inputs, and behind them the shared variables: a list.", graphExample+`.inputs # [w]`,
		func(g *GraphView) starlark.Value { return SymbolList(g.S, g.Inputs()) }),
	value.FieldOf("outputs", "The outputs, and behind them the new values of shared variables: a list.", `len(`+graphExample+`.outputs) # 1`,
		func(g *GraphView) starlark.Value { return SymbolList(g.S, g.Graph.Results()) }),
	value.FieldOf("apply_nodes", "The nodes: a list, in the order in which they run.", `len(`+graphExample+`.apply_nodes) # 1`,
		func(g *GraphView) starlark.Value { return ApplyList(g.S, g.Graph.RunOrder()) }),
	value.FieldOf("variables", "All variables, inputs first and the others in the order in which they are computed: a list.", `len(`+graphExample+`.variables) # 2`,
		func(g *GraphView) starlark.Value { return SymbolList(g.S, everything(g.Inputs(), g.Graph.Results())) }),
	value.FieldOf("clients", "A dict from each variable to its uses: pairs of a node, or \"output\", and the number of the input or output.",
		`len(`+graphExample+`.clients) # 2`, func(g *GraphView) starlark.Value { return g.clients() }),
	value.FieldOf("update_mapping", "A dict from the numbers of outputs that are new values of shared variables to those of these among the inputs.", graphExample+`.update_mapping # {}`,
		func(g *GraphView) starlark.Value {
			d := new(slot.Dict)
			in := g.Inputs()
			for i, u := range g.Graph.Updates {
				d.SetKey(starlark.MakeInt(len(g.Graph.Outputs)+i), starlark.MakeInt(slices.Index(in, u.Shared)))
			}
			return d
		}),
)

// clients are the uses of each variable.
func (g *GraphView) clients() *slot.Dict {
	uses := g.Graph.Clients()
	d := new(slot.Dict)
	for _, v := range everything(g.Inputs(), g.Graph.Results()) {
		d.SetKey(Symbol{g.S, v}, clientList(g.S, uses.Get(v)))
	}
	return d
}

// clientList is uses as pairs.
func clientList(s *Session, uses []graph.Client) *slot.List {
	list := make([]starlark.Value, len(uses))
	for i, c := range uses {
		var user starlark.Value = starlark.String("output")
		if c.Node != nil {
			user = Apply{s, c.Node}
		}
		list[i] = starlark.Tuple{user, starlark.MakeInt(c.Index)}
	}
	return slot.NewList(list)
}

// everything lists first, and then what vars are made of, each once: the inputs of each node before
// its outputs.
func everything(first, vars []*graph.Variable) []*graph.Variable {
	var list []*graph.Variable
	seen := make(map[*graph.Variable]bool)
	add := func(vs []*graph.Variable) {
		for _, v := range vs {
			if !seen[v] {
				seen[v], list = true, append(list, v)
			}
		}
	}
	add(first)
	for _, n := range graph.Toposort(vars) {
		add(n.Inputs)
		add(n.Outputs)
	}
	add(vars)
	return list
}

// A makerValue is f.maker: of what a function was compiled, and to what.
type MakerValue struct{ Function *Function }

var _ value.Tabled = MakerValue{}

func (m MakerValue) String() string {
	return "<FunctionMaker of " + units.OneLine(m.Function.Name()) + ">"
}
func (m MakerValue) Type() string          { return "FunctionMaker" }
func (m MakerValue) Freeze()               {}
func (m MakerValue) Truth() starlark.Bool  { return true }
func (m MakerValue) Hash() (uint32, error) { return m.Function.Hash() }
func (m MakerValue) Table() *value.Methods { return MakerFields }
func (m MakerValue) AttrNames() []string   { return MakerFields.Names() }

func (m MakerValue) Attr(name string) (starlark.Value, error) { return MakerFields.Attr(m, name) }

const makerExample = `function([], shared(1.5, name="w") * 2, name="twice").maker`

// MakerFields are the attributes of f.maker.
var MakerFields = value.NewMethods("FunctionMaker", nil).With(
	value.FieldOf("fgraph", "The compiled graph.", `len(`+makerExample+`.fgraph.apply_nodes) # 1`, func(m MakerValue) starlark.Value { return m.Function.graph() }),
	value.FieldOf("env", "The compiled graph, under the name that Theano had before.", makerExample+`.env.name # "twice"`, func(m MakerValue) starlark.Value { return m.Function.graph() }),
	value.FieldOf("inputs", "What was said of the inputs, as In(...) would: a list, with the shared variables behind it.", `len(`+makerExample+`.inputs) # 1`,
		func(m MakerValue) starlark.Value {
			var list []starlark.Value
			for _, in := range m.Function.spec.Inputs {
				list = append(list, &InputValue{m.Function.s, in})
			}
			for _, v := range m.Function.shared() {
				in := inputSpec{V: v, home: v, value: Symbol{m.Function.s, v}, implicit: true, borrow: true}
				for _, u := range m.Function.what.Updates {
					if u.Shared == v {
						in.update, in.mutable = u.Value, true
					}
				}
				list = append(list, &InputValue{m.Function.s, in})
			}
			return slot.NewList(list)
		}),
	value.FieldOf("outputs", "The outputs as they were written, as Out(...): a list.", makerExample+`.outputs[0].borrow # False`, func(m MakerValue) starlark.Value {
		var list []starlark.Value
		for _, v := range m.Function.what.Outputs {
			list = append(list, &OutputValue{Symbol{m.Function.s, v}, false})
		}
		return slot.NewList(list)
	}),
	value.FieldOf("mode", "How it was compiled: what function() was given, or None.", makerExample+`.mode == None # True`, func(m MakerValue) starlark.Value { return orNone(m.Function.spec.Mode) }),
	value.FieldOf("name", "The name of the function, or None.", makerExample+`.name # "twice"`, func(m MakerValue) starlark.Value { return NameOrNone(m.Function.Compiled.Name) }),
	value.FieldOf("profile", "f.profile.", makerExample+`.profile == None # True`, func(m MakerValue) starlark.Value { return m.Function.Profile() }),
)

// graph is the compiled graph of f, which the session remembers to have shown: x.clients asks.
func (f *Function) graph() *GraphView {
	f.s.shownGraph = weak.Make(f.Compiled.Graph)
	return &GraphView{f.s, f.Compiled.Graph, f}
}

// x.clients. A variable does not know its uses, since it may be in many graphs;
// which of them is meant is plain after a look at one.
var _ = AddFields(value.FieldOf("clients", "Its uses in the compiled graph that was looked at last, by f.maker.fgraph: pairs of a node, or \"output\", and the number of the input or output; "+
	"an empty list if it is not in that graph.", `x = T.exp(shared(1.5)); f = function([], x); f.maker.fgraph.outputs[0].clients # [("output", 0)]`,
	func(x Symbol) starlark.Value {
		fg := x.S.shownGraph.Value()
		if fg == nil {
			return new(slot.List)
		}
		return clientList(x.S, fg.Clients().Get(x.V))
	}))

// graphFields are the attributes of functions that are about their graph.
var graphFields = []value.Field{
	value.FieldOf("maker", "Of what it was compiled and to what: f.maker.fgraph is the compiled graph.", makerExample+`.fgraph.inputs # [w]`,
		func(f *Function) starlark.Value { return MakerValue{f} }),
	value.FieldOf("outputs", "The outputs of the compiled graph: a list of variables.", `len(function([], T.constant(2.0)).outputs) # 1`,
		func(f *Function) starlark.Value { return SymbolList(f.s, f.Compiled.Graph.Outputs) }),
	value.FieldOf("inputs", "The variables of the inputs: a list.", `function([T.scalar("x")], T.constant(2.0), on_unused_input="ignore").inputs # [x]`,
		func(f *Function) starlark.Value {
			list := make([]starlark.Value, len(f.Inputs))
			for i := range f.Inputs {
				list[i] = Symbol{f.s, f.Inputs[i].V}
			}
			return slot.NewList(list)
		}),
}

// plainText writes v as calls of operations: exp(mul(x, y)).
func plainText(s *Session, v *graph.Variable) string {
	if v.Owner == nil || v.Name != "" {
		return Symbol{s, v}.String()
	}
	var in []string
	for _, u := range v.Owner.Inputs {
		if u.Owner == nil || u.Name != "" {
			in = append(in, Symbol{s, u}.String())
		} else {
			in = append(in, graph.Label(u.Owner.Op)+"(...)")
		}
	}
	text := fmt.Sprintf("%s(%s)", graph.Label(v.Owner.Op), strings.Join(in, ", "))
	if len(v.Owner.Outputs) > 1 {
		text += "." + fmt.Sprint(v.Index)
	}
	return text
}
