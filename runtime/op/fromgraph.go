package op

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/graph/intern"
	"github.com/arignote/arignote/runtime/tensor"
)

// FromGraph computes a graph as one operation (Theano's OpFromGraph): its operands are the inputs
// of the graph, its results the outputs. With Inline rewriting puts the graph in its place.
type FromGraph struct{ *Enclosed }

// An Enclosed is what a FromGraph does. It is never changed, and there is one Enclosed for all that
// are written the same, so that a FromGraph is comparable.
type Enclosed struct {
	// Body has no shared variables: who makes an operation of a graph that has passes their values
	// in.
	Body *graph.FunctionGraph
	// Back, if not nil, is where gradients come from that are Given: what it makes of the inputs of
	// Body, of its outputs and of a gradient for each of these. Forth is the same of changes of
	// results: of the inputs of Body, and of how each of them changes.
	Back, Forth *graph.FunctionGraph
	// Grads says of each operand where the gradient comes from, and Changes the same of each
	// result. nil stands for Derived of all.
	Grads, Changes Rules
	// Connected, if not nil, says for each operand and result whether a gradient goes from this to
	// that, in the place of what Body says.
	Connected Connections
	Inline    bool
	Label     string // the user's name for it

	text  string
	flow  sync.Once
	flows [][]bool // as Connected, of Body
}

// A RuleKind says where a derivative comes from.
type RuleKind byte

const (
	Derived      RuleKind = 'd' // of the graph
	Given        RuleKind = 'g' // the user gives it
	Disconnected RuleKind = '0' // there is none: no result depends on the operand
	Undefined    RuleKind = 'n' // asking for it is an error
)

// Rules are a letter each.
type Rules string

// Of is the rule of operand or result i.
func (r Rules) Of(i int) RuleKind {
	if r == "" {
		return Derived
	}
	return RuleKind(r[i])
}

// Connections are a word for each operand, of a digit for each result: 1 where they are connected.
type Connections string

func (c Connections) connects(in, out int) bool { return strings.Fields(string(c))[in][out] == '1' }

var inners intern.Table[innerKey, Enclosed]

// NewFromGraph returns the FromGraph of an Enclosed, which the caller gives away.
func NewFromGraph(n *Enclosed) FromGraph {
	var err error
	if n.text, err = n.params(writeGraph); err != nil {
		panic("BUG: " + err.Error())
	}
	graphs := slices.DeleteFunc([]*graph.FunctionGraph{n.Body, n.Back, n.Forth}, func(fg *graph.FunctionGraph) bool { return fg == nil })
	if key, ok := keyOfInner(n.text, graphs...); ok {
		n = inners.One(key, n)
	}
	return FromGraph{n}
}

// params writes n, with what write says of its graphs.
func (n *Enclosed) params(write func(*graph.FunctionGraph) (string, error)) (string, error) {
	params := []string{"inline=" + strconv.FormatBool(n.Inline)}
	for _, p := range []struct {
		key  string
		text Text
		fg   *graph.FunctionGraph
	}{{"label", Text(n.Label), nil}, {"body", "", n.Body}, {"back", "", n.Back}, {"forth", "", n.Forth}, {"grads", Text(n.Grads), nil}, {"changes", Text(n.Changes), nil},
		{"connected", Text(n.Connected), nil}} {
		if p.fg != nil {
			text, err := write(p.fg)
			if err != nil {
				return "", err
			}
			p.text = Text(text)
		}
		if p.text == "" {
			continue
		}
		quoted, err := p.text.MarshalText()
		if err != nil {
			return "", err
		}
		params = append(params, p.key+"="+string(quoted))
	}
	return strings.Join(params, ","), nil
}

// NameBy is graph.Nesting's.
func (f FromGraph) NameBy(write func(*graph.FunctionGraph) (string, error)) (string, error) {
	text, err := f.params(write)
	return "from_graph{" + text + "}", err
}

var _ = register(FromGraph{})

func (f FromGraph) Name() string {
	if f.Enclosed == nil { // the operation without its parameters
		return "from_graph"
	}
	return "from_graph{" + f.text + "}"
}

func (f FromGraph) parse(params string) (graph.Op, error) { return f.parseBy(params, readGraph) }

func (FromGraph) parseBy(params string, find func(text string) (*graph.FunctionGraph, error)) (graph.Op, error) {
	n := new(Enclosed)
	for _, param := range strings.Split(params, ",") {
		key, value, _ := strings.Cut(param, "=")
		var text Text
		var err error
		if key == "inline" {
			n.Inline, err = strconv.ParseBool(value)
		} else {
			err = text.UnmarshalText([]byte(value))
		}
		read := func() (fg *graph.FunctionGraph) {
			if err == nil {
				fg, err = find(string(text))
			}
			return fg
		}
		switch key {
		case "inline":
		case "label":
			n.Label = string(text)
		case "body":
			n.Body = read()
		case "back":
			n.Back = read()
		case "forth":
			n.Forth = read()
		case "grads":
			n.Grads = Rules(text)
		case "changes":
			n.Changes = Rules(text)
		case "connected":
			n.Connected = Connections(text)
		default:
			err = fmt.Errorf("no parameter %q", key)
		}
		if err != nil {
			return nil, fmt.Errorf("op from_graph: parameter %s: %w", key, err)
		}
	}
	if err := n.check(); err != nil {
		return nil, fmt.Errorf("op from_graph: %w", err)
	}
	return NewFromGraph(n), nil
}

// check is for operations that were read.
func (n *Enclosed) check() error {
	if n.Body == nil {
		return fmt.Errorf("got no body")
	}
	in, out := len(n.Body.Inputs), len(n.Body.Outputs)
	if out == 0 {
		return fmt.Errorf("the body has no outputs")
	}
	for _, r := range []struct {
		name   string
		fg     *graph.FunctionGraph
		rules  Rules
		of     int // derivatives
		inputs int
	}{{"back", n.Back, n.Grads, in, in + 2*out}, {"forth", n.Forth, n.Changes, out, 2 * in}} {
		given := strings.Count(string(r.rules), string(Given))
		switch {
		case r.rules != "" && (len(r.rules) != r.of || strings.Trim(string(r.rules), "dg0n") != ""):
			return fmt.Errorf("%s: got the rules %q, want %d of d, g, 0 and n", r.name, r.rules, r.of)
		case (given > 0) != (r.fg != nil):
			return fmt.Errorf("%s: got %d rules that are given, and a graph of them: %t", r.name, given, r.fg != nil)
		case r.fg != nil && (len(r.fg.Inputs) != r.inputs || len(r.fg.Outputs) != given):
			return fmt.Errorf("%s: got %d inputs and %d outputs, want %d and %d", r.name, len(r.fg.Inputs), len(r.fg.Outputs), r.inputs, given)
		}
	}
	for _, fg := range []*graph.FunctionGraph{n.Body, n.Back, n.Forth} {
		if fg == nil {
			continue
		}
		if err := fg.Check(); err != nil {
			return err
		}
		if len(fg.SharedVariables()) > 0 {
			return fmt.Errorf("the graph has shared variables")
		}
	}
	if n.Connected != "" {
		words := strings.Fields(string(n.Connected))
		if len(words) != in || slices.ContainsFunc(words, func(w string) bool { return len(w) != out || strings.Trim(w, "01") != "" }) {
			return fmt.Errorf("connected: got %q, want %d words of %d digits 0 and 1", n.Connected, in, out)
		}
	}
	return nil
}

func (FromGraph) TakesStates() {}

func (f FromGraph) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, len(f.Body.Inputs)); err != nil {
		return nil, err
	}
	for i, v := range f.Body.Inputs {
		if err := accepts(v.Type, in[i].Type); err != nil {
			return nil, fmt.Errorf("operand %d: %w", i+1, err)
		}
	}
	return f.typesFor(in), nil
}

// typesFor are the types of the results, with what follows for their lengths from those of the
// operands. Axes of which the body does not know that their length is 1 do not broadcast in it, and
// are not known to have that length.
func (n *Enclosed) typesFor(in []V) []graph.Type {
	subst := make(map[V]V)
	for i, v := range n.Body.Inputs {
		dims := v.Type.Dims()
		for axis, d := range in[i].Type.Dims() {
			if d != 1 {
				dims[axis] = d
			}
		}
		if t := graph.TypeOf(v.Type.DType, dims...); v.Type.State == graph.NoState && t != v.Type {
			subst[v] = graph.NewInput(v.Name, t, v.Origin)
		}
	}
	if len(subst) > 0 {
		if outputs, err := graph.Replace(n.Body.Outputs, subst, false); err == nil {
			return graph.TypesOf(outputs)
		}
	}
	return graph.TypesOf(n.Body.Outputs)
}

// NameIn is what users call the operation.
func (n *Enclosed) NameIn() string {
	if n.Label != "" {
		return n.Label
	}
	return "OpFromGraph"
}

func (f FromGraph) Label() string {
	if f.Enclosed == nil {
		return "OpFromGraph"
	}
	inline := "False"
	if f.Inline {
		inline = "True"
	}
	return f.NameIn() + "{inline=" + inline + "}"
}
func (FromGraph) Class() string { return "compile.builders.OpFromGraph" }

// At is the outputs of the body for operands.
func (n *Enclosed) At(in []V) ([]V, error) { return n.at(in, n.Body.Outputs...) }

func (n *Enclosed) at(in []V, outputs ...V) ([]V, error) {
	subst := make(map[V]V, len(in))
	for i, v := range n.Body.Inputs {
		subst[v] = in[i]
	}
	return graph.Replace(outputs, subst, false)
}

// Expand returns vars with the graphs of those FromGraph nodes in their places of which which is
// true, and of those in them.
func Expand(vars []V, which func(FromGraph) bool) ([]V, error) {
	for {
		found := false
		fg, err := (&graph.FunctionGraph{Outputs: vars}).Transform(func(node *graph.Apply, in []V) ([]V, error) {
			if f, ok := node.Op.(FromGraph); ok && which(f) {
				found = true
				return f.At(in)
			}
			again, err := node.Remake(in)
			if err != nil {
				return nil, err
			}
			return again.Outputs, nil
		})
		if err != nil || !found {
			return vars, err
		}
		vars = fg.Outputs
	}
}

// Length follows from the lengths of the operands, through the body. What has to be computed before
// its length is known has no Length here.
func (f FromGraph) Length(m Maker, v V, axis int) V {
	in := v.Owner.Inputs
	out, err := f.at(in, f.Body.Outputs[v.Index])
	if err != nil {
		return nil // the run will say what does not fit
	}
	w := &innerMaker{Maker: m, inside: make(map[*graph.Apply]bool)}
	for _, node := range graph.Toposort(out) {
		w.inside[node] = true
	}
	for _, node := range graph.Toposort(in) {
		delete(w.inside, node)
	}
	if n := w.Apply(ShapeI{Axis: axis}, out[0]); !w.unknown {
		return n
	}
	return nil
}

// innerMaker measures what nodes of a body make, without computing it.
type innerMaker struct {
	Maker
	inside  map[*graph.Apply]bool
	unknown bool // a length cannot be told so
}

func (w *innerMaker) Apply(o graph.Op, in ...V) V {
	s, ok := o.(ShapeI)
	if !ok || in[0].Owner == nil || !w.inside[in[0].Owner] {
		return w.Maker.Apply(o, in...)
	}
	if d := in[0].Type.Dim(s.Axis); d != graph.Unknown {
		return w.Constant(tensor.IntScalar(kernels.Int64, int64(d)))
	}
	if measurer, ok := in[0].Op().(Measurer); ok {
		if n := measurer.Length(w, in[0], s.Axis); n != nil {
			return n
		}
	}
	w.unknown = true
	return w.Maker.Apply(o, in...)
}

// Traits are those of what the body is made of.
func (f FromGraph) Traits() (all Traits) {
	if f.Enclosed == nil {
		return 0
	}
	for _, node := range f.Body.Toposort() {
		if o, ok := node.Op.(Structural); ok {
			all |= o.Traits() & (Jumps | Kinks | Bends | Acts | NearOne)
		}
	}
	return all
}

// Cost is what the nodes of the body do, with operands of the lengths that they have here, and the
// memory of operands and results: what lies between is not counted.
func (f FromGraph) Cost(in, out []graph.Array) graph.Cost {
	known := make(map[V]V)
	for i, v := range f.Body.Inputs {
		if v.Type.State == graph.NoState {
			known[v] = graph.NewInput(v.Name, graph.TypeOf(v.Type.DType, in[i].Shape...), nil)
		}
	}
	outputs, err := graph.Replace(f.Body.Outputs, known, true)
	if err != nil {
		outputs = f.Body.Outputs // the run will say what does not fit
	}
	return graph.Once(flopsOf(outputs), in, out)
}

// flopsOf is the work of what vars are made of, as far as types tell. Lengths that are not known
// count as 1.
func flopsOf(vars []V) (flops float64) {
	arrays := func(vars []V) []graph.Array {
		list := make([]graph.Array, len(vars))
		for i, v := range vars {
			dims := v.Type.Dims()
			for axis, d := range dims {
				if d == graph.Unknown {
					dims[axis] = 1
				}
			}
			list[i] = graph.Array{ItemSize: v.Type.DType.Size(), Shape: dims}
		}
		return list
	}
	for _, node := range graph.Toposort(vars) {
		if c, ok := node.Op.(graph.Coster); ok {
			flops += c.Cost(arrays(node.Inputs), arrays(node.Outputs)).Flops
		}
	}
	return flops
}

// Requires what the nodes of the body do.
func (f FromGraph) Requires(m Maker, node *graph.Apply) (list []Requirement) {
	by := make(map[V]V, len(node.Inputs))
	for i, v := range f.Body.Inputs {
		by[v] = node.Inputs[i]
	}
	here := graph.Replacing(by, false)
	for _, n := range f.Body.Toposort() {
		if q, ok := n.Op.(Requirer); ok {
			v, err := here(n.Outputs[0])
			if err != nil {
				return nil // the run will say what does not fit
			}
			list = append(list, q.Requires(m, v.Owner)...)
		}
	}
	return list
}

// Link links the body. A result that is an operand, a constant or another result is copied: the
// node's results are its own.
func (f FromGraph) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	return f.LinkInner(node, sets, LinkGraph)
}

// Inner is the body, under the operation's name.
func (f FromGraph) Inner() []graph.InnerGraph {
	if f.Enclosed == nil { // the operation without its parameters
		return nil
	}
	return []graph.InnerGraph{{Name: f.NameIn(), Graph: f.Body}}
}

func (f FromGraph) LinkInner(node *graph.Apply, sets kernels.Sets, link GraphLinker) (Thunk, string, error) {
	body, err := link(f.Body, sets)
	if err != nil {
		return nil, "", err
	}
	made := make([]*tensor.Dense, len(node.Outputs))
	var inner Call
	var outer *Call
	inner.Alloc = func(i int, d kernels.DType, shape []int) *tensor.Dense {
		made[i] = outer.Alloc(i, d, shape)
		return made[i]
	}
	return func(c *Call, in, out []*tensor.Dense) error {
		outer = c
		inner.Scratch, inner.Print, inner.Stop, inner.Stepwise = c.Scratch, c.Print, c.Stop, c.Stepwise
		err := body(&inner, in, out)
		c.Temporary += inner.Temporary
		for i, a := range out {
			if err == nil && (made[i] == nil || a.Buffer() != made[i].Buffer()) {
				out[i] = c.Alloc(i, a.DType(), a.Shape())
				tensor.CopyTo(out[i], a)
			}
			made[i] = nil
		}
		outer, inner.Scratch, inner.Print, inner.Stop, inner.Temporary = nil, nil, nil, nil, 0
		return err
	}, goImpl, nil
}

func (f FromGraph) Cases() []Case {
	inner := func(text string) *Enclosed {
		body, err := graph.Parse("case", text, Lookup)
		if err != nil {
			panic("BUG: " + err.Error())
		}
		return &Enclosed{Body: body}
	}
	product := inner("func(x float64[?], y float64[?])\n a = mul x y\n b = sin a\n c = dot a y\n return b, c")
	product.Label = "two {results}"
	same := inner("func(x float64[?,?], n int64)\n a = sqr x\n return a, x, a, n")
	longer := inner("func(x float64[?])\n a = join x x\n b = cumsum{axis=0} a\n return b")
	longer.Inline = true
	given := inner("func(x float64, y float64)\n a = mul x y\n return a")
	given.Grads = "gd"
	given.Back = inner("func(x float64, y float64, z float64, g float64)\n a = mul g y\n return a").Body
	given.Changes = "g"
	given.Forth = inner("func(x float64, y float64, u float64, v float64)\n a = mul u y\n b = mul x v\n c = add a b\n return c").Body
	given.Connected = "1 1"
	return slices.Concat(
		cases("float64[3] float64[3]", NewFromGraph(product)),
		cases("float64[2,3] 4", NewFromGraph(same)),
		cases("float64[3]", NewFromGraph(longer)),
		cases("float64 float64", NewFromGraph(given)))
}
