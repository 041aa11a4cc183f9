package graphs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler/picture"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// treeArgs are the options of debugprint, Theano's in its order and then PyTensor's and ours.
type treeArgs struct {
	Depth      int            `arg:"depth=-1: how many levels to print; all if negative"`
	Types      bool           `arg:"print_type=False: also the types"`
	File       starlark.Value `arg:"file=None: \"str\" to return the text instead of printing it, \"stderr\", or an open file"`
	IDs        string         `arg:"ids|id_type=\"CHAR\": how to name nodes: \"CHAR\" (A, B, ...), \"int\" or \"id\" (0, 1, ...), \"\" (not at all)"`
	StopOnName bool           `arg:"stop_on_name=False: leave out what variables with a name are made of"`
	Done       *slot.Dict     `arg:"done=None: accepted: what was printed in another tree is printed in this one too"`
	Storage    bool           `arg:"print_storage=False: also the values of constants, shared variables and inputs that have some; those of results are gone when a call returns"`
	Clients    bool           `arg:"print_clients=False: which nodes use a result that several do"`
	UsedIDs    *slot.Dict     `arg:"used_ids=None: a dict of the names of nodes, to which this call adds its own, so that several name the same node alike"`
	Profile    bool           `arg:"profile=True: print the times of nodes, if the function has a profile with calls"`
	Style      string         `arg:"style=\"tree\": \"tree\", or \"text\" for one line a node in the order in which they run"`
	DestroyMap bool           `arg:"print_destroy_map=False: which inputs are overwritten: d={output: [input]}"`
	ViewMap    bool           `arg:"print_view_map=False: which outputs are views: v={output: [input]}"`
	MemoryMap  bool           `arg:"print_memory_map=False: both of them"`
	Shapes     bool           `arg:"print_shape=False: also the lengths of axes, as far as they are known"`
	OpInfo     bool           `arg:"print_op_info=False: also the parameters of operations"`
	Inputs     bool           `arg:"print_fgraph_inputs=False: the inputs before the results"`
	Inner      bool           `arg:"print_inner_graphs=True: also the graphs that nodes run, as a loop its step"`
}

// debugprintMethod is f.debugprint() and its like, under one of its names.
func debugprintMethod(name, doc, example string) value.Builtin {
	arguments := value.NewArguments[treeArgs]()
	return value.Builtin{Name: name, Params: arguments.Params(), Doc: doc, Example: example,
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			s := symbolic.SessionOf(thread)
			a, err := arguments.Read(s, b, args, kwargs)
			if err != nil {
				return nil, err
			}
			return debugprint(s, name, b.Receiver(), a.(*treeArgs))
		}}
}

const (
	functionTreeDoc = "Prints the compiled graph: each result with what it is made of below it, places in the order of execution, times, and the " +
		"lines that wrote the nodes."
	variableTreeDoc = "Prints what the variable is made of, below it."
)

var (
	functionDebugprint = debugprintMethod("debugprint", functionTreeDoc, `function([], T.constant(2.0), name="two").debugprint()`)
	functionDprint     = debugprintMethod("dprint", functionTreeDoc, `function([], T.constant(2.0), name="two").dprint(file="str")[:24] # "DeepCopyOp [id A] 0   # "`)
	symbolDprint       = debugprintMethod("dprint", variableTreeDoc, `T.scalar("x").dprint(file="str") # "x [id A]\n"`)
)

// treeBuiltin is debugprint() under one of its names.
func treeBuiltin(name string) value.Builtin {
	return value.Function(name, "Prints a graph: that of a compiled function, or the one that makes symbolic variables.",
		name+`(T.scalar("x") * 2, file="str") # "Elemwise{mul,no_inplace} [id A]   # In[1]:1:`+fmt.Sprint(len(name)+16)+`\n |x [id B]\n |TensorConstant{2.0} [id C]\n"`,
		func(thread *starlark.Thread, a *struct {
			Obj starlark.Value `arg:"obj|fct|graph_like: a compiled function, symbolic variables, or a node that MonitorMode shows"`
			treeArgs
		}) (starlark.Value, error) {
			return debugprint(symbolic.SessionOf(thread), name, a.Obj, &a.treeArgs)
		})
}

// DebugprintBuiltin is debugprint(), and DprintBuiltin theano.dprint().
var (
	DebugprintBuiltin = treeBuiltin("debugprint")
	DprintBuiltin     = func() value.Builtin {
		b := treeBuiltin("dprint")
		b.Example = `theano.dprint(T.scalar("x"), file="str") # "x [id A]\n"`
		return b
	}()
)

// debugprint does what the functions of that name do.
func debugprint(s *symbolic.Session, name string, what starlark.Value, a *treeArgs) (starlark.Value, error) {
	fail := func(err error) (starlark.Value, error) { return nil, fmt.Errorf("%s: %w", name, err) }
	fg, f, err := graphOf(what)
	if err != nil {
		return fail(err)
	}
	file, writer, err := treeFile(s, a.File)
	if err != nil {
		return fail(fmt.Errorf("file: %w", err))
	}
	for _, c := range []struct {
		name, got string
		want      []string
	}{{"ids", a.IDs, []string{"CHAR", "int", "id", ""}}, {"style", a.Style, []string{"tree", "text"}}} {
		if !slices.Contains(c.want, c.got) {
			return fail(fmt.Errorf("%s: got %q, want one of %q", c.name, c.got, c.want))
		}
	}
	o := picture.TreeOptions{Depth: a.Depth, Types: a.Types, Shapes: a.Shapes, Clients: a.Clients, OpInfo: a.OpInfo, Inner: a.Inner, IDs: a.IDs, StopOnName: a.StopOnName,
		DestroyMap: a.DestroyMap || a.MemoryMap, ViewMap: a.ViewMap || a.MemoryMap, Compiled: f != nil}
	if a.IDs == "id" {
		o.IDs = "int" // there are no addresses to show
	}
	if f != nil && a.Profile {
		o.Profile = lastProfile(f)
	}
	if a.Storage {
		o.Storage = func(v *graph.Variable) string { return storedText(s, f, v) }
	}
	o.Ask = s.Poll().Ask
	if o.Known, err = knownIDs(a.UsedIDs); err != nil {
		return fail(fmt.Errorf("used_ids: %w", err))
	}
	text := fg.String()
	if a.Style == "tree" {
		if text, err = picture.Tree(fg, o); err != nil {
			return fail(err)
		}
	}
	if a.Inputs {
		text = inputLines(s, fg) + text
	}
	if a.UsedIDs != nil {
		keepIDs(s, a.UsedIDs, o.Known)
	}
	switch {
	case file == "str":
		return starlark.String(text), nil
	case writer != nil:
		_, err := value.Call(s.Current(), writer, starlark.Tuple{starlark.String(text)}, nil)
		return a.File, err
	}
	s.Print(file, text)
	return starlark.None, nil
}

// treeFile reads the argument file: where the text goes, or the method of a file that writes it.
func treeFile(s *symbolic.Session, v starlark.Value) (name string, write starlark.Callable, err error) {
	if symbolic.Absent(v) {
		return "stdout", nil, nil
	}
	if text, ok := starlark.AsString(v); ok {
		if !slices.Contains([]string{"stdout", "stderr", "str"}, text) {
			return "", nil, fmt.Errorf("got %q, want one of [\"stdout\" \"stderr\" \"str\"], or an open file: with open(%[1]q, \"w\") as f: debugprint(x, file=f)", text)
		}
		return text, nil, nil
	}
	if x, ok := v.(starlark.HasAttrs); ok {
		if m, err := x.Attr("write"); err == nil && m != nil {
			if fn, ok := m.(starlark.Callable); ok {
				return "", fn, nil
			}
		}
	}
	return "", nil, fmt.Errorf("got %s, want \"str\", \"stderr\" or an open file", v.Type())
}

// stored is the value of a variable that has one while no call runs.
func storedText(s *symbolic.Session, f *symbolic.Function, v *graph.Variable) string {
	switch {
	case v.IsConstant():
		return value.Repr(np.FromDenseIn(s, v.Data))
	case v.Shared != nil:
		return value.Repr(np.FromDenseIn(s, v.Shared.Get()))
	case f != nil && v.Owner == nil:
		for i := range f.Inputs {
			if f.Inputs[i].V == v {
				return value.Repr((&symbolic.ContainerValue{Function: f, Index: i, X: symbolic.Symbol{S: s, V: v}}).Get())
			}
		}
	}
	return ""
}

// knownIDs reads used_ids: a dict from variables and nodes to numbers.
func knownIDs(d *slot.Dict) (map[any]int, error) {
	known := make(map[any]int)
	if d == nil {
		return known, nil
	}
	for _, kv := range d.Items() {
		n, err := starlark.AsInt32(kv[1])
		switch x := kv[0].(type) {
		case symbolic.Symbol:
			known[x.V] = n
		case symbolic.Apply:
			known[x.Node] = n
		default:
			return nil, fmt.Errorf("got the key %s, want a dict that debugprint has filled, {} at first", value.Repr(kv[0]))
		}
		if err != nil {
			return nil, err
		}
	}
	return known, nil
}

// keepIDs writes the identifiers into the caller's dict.
func keepIDs(s *symbolic.Session, d *slot.Dict, known map[any]int) {
	for x, n := range known {
		var key starlark.Value
		switch x := x.(type) {
		case *graph.Variable:
			key = symbolic.Symbol{S: s, V: x}
		case *graph.Apply:
			key = symbolic.Apply{S: s, Node: x}
		}
		d.SetKey(key, starlark.MakeInt(n))
	}
}

// inputLines writes the inputs of a graph.
func inputLines(s *symbolic.Session, fg *graph.FunctionGraph) string {
	var b strings.Builder
	for _, v := range (&symbolic.GraphView{S: s, Graph: fg, Function: nil}).Inputs() {
		fmt.Fprintf(&b, "input: %s <%v>\n", symbolic.Symbol{S: s, V: v}, v.Type)
	}
	return b.String()
}
