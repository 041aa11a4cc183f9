package picture

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/graph"
)

// TreeOptions of a Tree, under Theano's names for them.
type TreeOptions struct {
	Depth      int    // of the lines that are written; all if it is negative
	Types      bool   // print_type
	DestroyMap bool   // print_destroy_map
	ViewMap    bool   // print_view_map
	StopOnName bool   // leave out what variables with a name are made of
	Shapes     bool   // print_shape: the lengths that are known
	Clients    bool   // print_clients: which nodes use a result that several do
	OpInfo     bool   // print_op_info: the parameters of operations
	IDs        string // "CHAR": A, B, ...; "int": 0, 1, ...; "": none
	Inner      bool   // print_inner_graphs: below, the graphs that nodes run
	Compiled   bool   // nodes have a place in the order in which they run
	Profile    *profiler.Function
	// Storage, if not nil, writes the value of a variable; "" for none (print_storage).
	Storage func(v *graph.Variable) string
	// Known are the identifiers of nodes and variables in trees that were written before, to which
	// this one adds its own; nil begins anew (used_ids).
	Known map[any]int
	// Ask, if not nil, is told of the work as it goes on, some nanoseconds a unit, and panics to
	// end it: see tensor.Poll.
	Ask func(work int)
}

// lineWork is the work of a line of a tree, or of an item of a drawing.
const lineWork = 1 << 10

// wordWork is the work of a node or a name among many.
const wordWork = 1 << 5

// TimingInfo explains the times. It stands before a tree that has some, and nowhere else.
const TimingInfo = `Timing Info
-----------
--> <time> <% time> <total time> <% total time>

<time>         computation time for this node, all calls
<% time>       fraction of the time of all calls
<total time>   time for this node + times of its ancestors, each counted once
<% total time> total time for this node over the time of all calls

`

// Tree writes the graph as Theano's debugprint does: each result with what it is made of below it,
// indented.
//
//	Elemwise{mul,no_inplace} [id A] 1 --> 2.00e-06s  20.0% 3.00e-06s  30.0%   # net.star:6:9
//	 |TensorConstant{2.0} [id B]
//	 |Elemwise{add,no_inplace} [id C] 0 --> 1.00e-06s  10.0% 1.00e-06s  10.0%   # net.star:5:9
//	   |x [id D]
//
// What was written before is not written again: its line ends with "···". Unlike in Theano, total
// times count a common ancestor once. Graphs that nodes run, as a loop its step, stand below, under
// the line of the node; an input says of what in the graph outside it is:
//
//	Inner graphs:
//
//	for{cpu,rnn} [id A]
//	 >Elemwise{Tanh} [id G] 1   # net.star:6:9
//	 > |x[t] [id H] -> [id C]
//
// It fails if the profile is of another graph.
func Tree(fg *graph.FunctionGraph, opts TreeOptions) (string, error) {
	t, err := newTree(fg, opts, opts.Profile)
	if err != nil {
		return "", err
	}
	if t.total != nil {
		t.b.WriteString(TimingInfo)
	}
	for _, v := range fg.Outputs {
		t.write(v, "", "", opts.Depth)
	}
	for _, u := range fg.Updates {
		t.b.WriteString("update of " + nameOf(u.Shared) + ":\n")
		t.write(u.Value, "", "", opts.Depth)
	}
	if opts.Inner && len(t.nested) > 0 {
		t.b.WriteString("\nInner graphs:\n")
		if err := t.inner(); err != nil {
			return "", err
		}
	}
	return t.b.String(), nil
}

func newTree(fg *graph.FunctionGraph, opts TreeOptions, profile *profiler.Function) (*tree, error) {
	nodes := fg.RunOrder()
	if err := fits(len(nodes), profile); err != nil {
		return nil, err
	}
	opts.Profile = profile
	if opts.Ask == nil {
		opts.Ask = func(int) {}
	}
	t := &tree{opts: opts, place: make(map[*graph.Apply]int, len(nodes)), ids: opts.Known, done: make(map[*graph.Apply]bool)}
	if t.ids == nil {
		t.ids = make(map[any]int)
	}
	for i, n := range nodes {
		t.place[n] = i
	}
	if opts.Clients {
		t.clients = fg.Clients()
	}
	if profile != nil && profile.ThunkTime() > 0 {
		t.total = t.totals(nodes, profile)
	}
	return t, nil
}

// inner writes the graphs that nodes of t run, and those that their nodes run.
func (t *tree) inner() error {
	for _, n := range t.nested {
		for k, g := range graph.Inner(n.Op) {
			var profile *profiler.Function
			if f := t.opts.Profile; f != nil && k < len(f.Nodes[t.place[n]].Inner) {
				profile = f.Nodes[t.place[n]].Inner[k]
			}
			in, err := newTree(g.Graph, t.opts, profile)
			if err != nil {
				return err
			}
			in.ids, in.outer = t.ids, make(map[*graph.Variable]string)
			for i, v := range g.Graph.Inputs {
				if u := g.Operand(n, i); u != nil && u.Owner != nil {
					in.outer[v] = t.id(u.Owner)
				} else if u != nil {
					in.outer[v] = t.id(u)
				}
			}
			t.b.WriteString("\n" + units.OneLine(graph.Label(n.Op)) + t.id(n) + "\n")
			for _, v := range g.Graph.Results() {
				in.write(v, " >", " >", t.opts.Depth)
			}
			t.b.WriteString(in.b.String())
			in.b.Reset()
			if err := in.inner(); err != nil {
				return err
			}
			t.b.WriteString(in.b.String())
		}
	}
	return nil
}

type tree struct {
	b     strings.Builder
	opts  TreeOptions
	place map[*graph.Apply]int // in the order of Toposort
	ids   map[any]int          // of nodes and variables, in the order of their lines
	done  map[*graph.Apply]bool
	total []float64 // nil without times

	clients *graph.Clients             // nil if they are not asked for
	nested  []*graph.Apply             // that run graphs, in the order of their lines
	outer   map[*graph.Variable]string // of a graph that a node runs: what its inputs are of, as id writes it
}

// totals are the times of the nodes with all that they need, each counted once.
func (t *tree) totals(nodes []*graph.Apply, f *profiler.Function) []float64 {
	place := t.place
	total := make([]float64, len(nodes))
	seen := make([]int, len(nodes)) // the last node that was counted for, plus one
	for i := range nodes {
		stack := []int{i}
		seen[i] = i + 1
		for len(stack) > 0 {
			k := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			t.opts.Ask(wordWork)
			total[i] += f.Nodes[k].Time
			for _, v := range nodes[k].Inputs {
				if v.Owner != nil && seen[place[v.Owner]] != i+1 {
					seen[place[v.Owner]] = i + 1
					stack = append(stack, place[v.Owner])
				}
			}
		}
	}
	return total
}

// write writes the line of v, and those of what it is made of.
func (t *tree) write(v *graph.Variable, prefix, below string, depth int) {
	if depth == 0 {
		return
	}
	t.opts.Ask(lineWork + len(prefix))
	t.b.WriteString(prefix)
	n := v.Owner
	if n == nil {
		t.b.WriteString(units.OneLine(profiler.OperandText(v)) + t.id(v))
		if of := t.outer[v]; of != "" {
			t.b.WriteString(" ->" + of)
		}
		t.about(v)
		t.b.WriteByte('\n')
		return
	}
	t.b.WriteString(units.OneLine(graph.Label(n.Op)))
	if len(n.Outputs) > 1 {
		t.b.WriteString("." + strconv.Itoa(v.Index))
	}
	t.b.WriteString(t.id(n))
	t.about(v)
	if v.Name != "" {
		t.b.WriteString(" '" + units.OneLine(v.Name) + "'")
	}
	if t.opts.OpInfo && n.Op.Name() != graph.BaseName(n.Op) {
		t.b.WriteString(" " + units.OneLine(strings.TrimPrefix(n.Op.Name(), graph.BaseName(n.Op))))
	}
	if t.opts.DestroyMap {
		t.b.WriteString(aliases(" d=", graph.Destroys(n.Op)))
	}
	if t.opts.ViewMap {
		t.b.WriteString(aliases(" v=", graph.Views(n.Op)))
	}
	if i := t.place[n]; t.opts.Compiled {
		t.b.WriteString(" " + strconv.Itoa(i))
	}
	if i := t.place[n]; t.total != nil && t.opts.Profile.Nodes[i].Calls > 0 {
		call, own := t.opts.Profile.CallTime, t.opts.Profile.Nodes[i].Time
		fmt.Fprintf(&t.b, " --> %8.2es %4.1f%% %8.2es %4.1f%%", units.Seconds(own), units.Percent(units.Ratio(own, call)),
			units.Seconds(t.total[i]), units.Percent(units.Ratio(t.total[i], call)))
	}
	if uses := t.clients.Get(v); len(uses) > 1 {
		var list []string
		for _, c := range uses {
			t.opts.Ask(wordWork)
			if c.Node == nil {
				list = append(list, "('output', "+strconv.Itoa(c.Index)+")")
			} else {
				list = append(list, "("+strings.TrimPrefix(t.id(c.Node)+", ", " ")+strconv.Itoa(c.Index)+")")
			}
		}
		t.b.WriteString(" clients:[" + strings.Join(list, ", ") + "]")
	}
	if t.done[n] {
		t.b.WriteString(" ···\n")
		return
	}
	if pos := n.Origin().Pos(); pos.IsValid() {
		t.b.WriteString("   # " + units.OneLine(pos.String()))
	}
	t.b.WriteByte('\n')
	if t.opts.StopOnName && v.Name != "" {
		return
	}
	t.done[n] = true
	if len(graph.Inner(n.Op)) > 0 {
		t.nested = append(t.nested, n)
	}
	for i, in := range n.Inputs {
		next := below + " |"
		if i == len(n.Inputs)-1 {
			next = below + "  "
		}
		t.write(in, below+" |", next, depth-1)
	}
}

// about writes the type of v, its lengths and its value, as they are asked for.
func (t *tree) about(v *graph.Variable) {
	if t.opts.Types {
		t.b.WriteString(" <" + v.Type.String() + ">")
	}
	if t.opts.Shapes {
		words := make([]string, v.Type.Rank())
		for axis := range words {
			if words[axis] = "?"; v.Type.Dim(axis) != graph.Unknown {
				words[axis] = strconv.Itoa(v.Type.Dim(axis))
			}
		}
		t.b.WriteString(" shape=(" + strings.Join(words, ",") + ")")
	}
	if t.opts.Storage != nil {
		if text := t.opts.Storage(v); text != "" {
			t.b.WriteString(" [" + units.OneLine(text) + "]")
		}
	}
}

// id writes " [id A]" for a node or a variable.
func (t *tree) id(x any) string {
	if t.opts.IDs == "" {
		return ""
	}
	i, ok := t.ids[x]
	if !ok {
		i = len(t.ids)
		t.ids[x] = i
	}
	if t.opts.IDs == "int" {
		return fmt.Sprintf(" [id %d]", i)
	}
	return " [id " + Letters(i) + "]"
}

// Letters writes a number with 26 digits, as Theano does: Z is followed by BA.
func Letters(i int) string {
	s := string(rune('A' + i%26))
	if i >= 26 {
		s = Letters(i/26) + s
	}
	return s
}

// aliases writes a map of outputs to inputs as Python does: d={0: [1]}.
func aliases(what string, list []graph.Alias) string {
	var parts []string
	for _, a := range list {
		parts = append(parts, fmt.Sprintf("%d: [%d]", a.Out, a.In))
	}
	if parts == nil {
		return ""
	}
	return what + "{" + strings.Join(parts, ", ") + "}"
}
