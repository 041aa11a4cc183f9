package symbolic

import (
	"fmt"
	"math"
	"slices"

	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/debugmode"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"
)

// A monitoredMode is a mode whose functions have somebody look at every node: NanGuardMode and
// MonitorMode.
type monitoredMode struct {
	name string
	text string // the arguments that are its own
	m    compile.Mode
}

var (
	_ Compiling           = monitoredMode{}
	_ starlark.Comparable = monitoredMode{}
)

// CompareSameType: modes that compile alike and look at the same are equal.
func (m monitoredMode) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	return equality(op, m.String() == y.(monitoredMode).String(), "modes")
}

func (m monitoredMode) String() string        { return m.name + "(" + m.text + ", " + ModeText(m.m) + ")" }
func (m monitoredMode) Type() string          { return m.name }
func (m monitoredMode) Freeze()               {}
func (m monitoredMode) Truth() starlark.Bool  { return true }
func (m monitoredMode) Hash() (uint32, error) { return starlark.String(m.String()).Hash() }

func (m monitoredMode) Table() *value.Methods { return MonitoredMethods }
func (m monitoredMode) AttrNames() []string   { return MonitoredMethods.Names() }
func (m monitoredMode) Attr(name string) (starlark.Value, error) {
	return MonitoredMethods.Attr(m, name)
}
func (m monitoredMode) CompileMode() compile.Mode { return m.m }

// With keeps what looks at the nodes: in Theano its settings are lost.
func (m monitoredMode) With(n compile.Mode) starlark.Value {
	n.Monitor = m.m.Monitor
	m.m = n
	return m
}

// MonitoredMethods are the methods and fields of NanGuardMode and MonitorMode.
var MonitoredMethods = value.NewMethods("NanGuardMode", TagMethods("NanGuardMode()")).With(ModeFields("NanGuardMode")...)

// howArgs are the arguments that modes have in common.
type howArgs struct {
	Optimizer starlark.Value `arg:"optimizer=\"default\": a name, as config.optimizer has them, None for no rewrites, or a Query; \"default\" obeys config.optimizer"`
	Linker    starlark.Value `arg:"linker=None: as that of Mode(); None obeys config.linker"`
}

func (s *Session) howToCompile(a howArgs) (m compile.Mode, err error) {
	if m.Linker, err = s.readLinker(a.Linker); err == nil {
		err = s.readOptimizer(&m, a.Optimizer)
	}
	return m, err
}

type nanGuardArgs struct {
	Nan bool `arg:"nan_is_error=True: nan is an error"`
	Inf bool `arg:"inf_is_error=True: inf is an error"`
	Big bool `arg:"big_is_error=True: a number above 1e10 is an error"`
	howArgs
}

// NanGuardModeBuiltin is NanGuardMode().
var NanGuardModeBuiltin = value.Function("NanGuardMode",
	"A mode whose functions look for nan, inf and big numbers in their arguments, in shared variables and in the result of every operation. The first is an "+
		"error that names the operation, its line and its operands; with config.NanGuardMode.action = \"warn\", a warning.",
	`NanGuardMode(big_is_error=False).linker # "c|go"`,
	func(thread *starlark.Thread, a *nanGuardArgs) (starlark.Value, error) {
		s := SessionOf(thread)
		m, err := s.howToCompile(a.howArgs)
		if err != nil {
			return nil, fmt.Errorf("NanGuardMode: %w", err)
		}
		return s.nanGuardMode(m, a.Nan, a.Inf, a.Big)
	})

// nanGuardMode is a NanGuardMode that compiles as m does.
func (s *Session) nanGuardMode(m compile.Mode, nan, inf, big bool) (Compiling, error) {
	guard := s.nanGuard(nan, inf, big)
	if err := guard.Check(); err != nil {
		return nil, fmt.Errorf("NanGuardMode: %w", err)
	}
	m.Monitor = guard
	text := fmt.Sprintf("nan_is_error=%v, inf_is_error=%v, big_is_error=%v", starlark.Bool(nan), starlark.Bool(inf), starlark.Bool(big))
	return monitoredMode{"NanGuardMode", text, m}, nil
}

func (s *Session) nanGuard(nan, inf, big bool) *debugmode.NanGuard {
	g := &debugmode.NanGuard{Nan: nan, Inf: inf, Big: big}
	if s.Config().String("NanGuardMode.action") == "warn" {
		g.Warn = s.Warn
	}
	return g
}

// unguarded is the mode of what, whose NanGuard does not look at variables whose tag says so.
func unguarded(what compile.Spec) compile.Mode {
	m := what.Mode
	guard, ok := m.Monitor.(*debugmode.NanGuard)
	if !ok {
		return m
	}
	var unchecked []*graph.Variable
	look := func(v *graph.Variable) {
		if !guarded(v) && !slices.Contains(unchecked, v) {
			unchecked = append(unchecked, v)
		}
	}
	fg := graph.FunctionGraph{Outputs: what.Outputs, Updates: what.Updates}
	for _, given := range what.Givens {
		fg.Outputs = append(slices.Clone(fg.Outputs), given)
	}
	for _, v := range slices.Concat(what.Inputs, slices.Collect(fg.Roots())) {
		look(v)
	}
	for _, node := range fg.Toposort() {
		for _, v := range node.Outputs {
			look(v)
		}
	}
	if unchecked == nil {
		return m
	}
	g := *guard
	g.Unchecked, m.Monitor = unchecked, &g
	return m
}

type monitorArgs struct {
	Pre  starlark.Value `arg:"pre_func=None: called before each node, with its number, the node and fn"`
	Post starlark.Value `arg:"post_func=None: called after each node, with its number, the node and fn"`
	howArgs
}

// MonitorModeBuiltin is MonitorMode().
var MonitorModeBuiltin = value.Function("MonitorMode",
	"A mode whose functions call others before and after each node, with its number, the node and fn, whose fn.inputs and fn.outputs are lists of one list "+
		"each that holds the value. A function of four parameters gets the inputs and the outputs themselves or, if its first is fgraph, the graph before the number, as PyTensor gives it.",
	`function([], T.constant(2.0) * 10, mode=MonitorMode(post_func=lambda i, node, fn: print(node)))() # 20.0`,
	func(thread *starlark.Thread, a *monitorArgs) (starlark.Value, error) {
		s := SessionOf(thread)
		m, err := s.howToCompile(a.howArgs)
		if err != nil {
			return nil, fmt.Errorf("MonitorMode: %w", err)
		}
		w := &monitor{s: s}
		for _, f := range []struct {
			name string
			v    starlark.Value
			to   *starlark.Callable
		}{{"pre_func", a.Pre, &w.pre}, {"post_func", a.Post, &w.post}} {
			if f.v == nil || f.v == starlark.None {
				continue
			}
			fn, ok := f.v.(starlark.Callable)
			if !ok {
				return nil, fmt.Errorf("MonitorMode: %s: got %s, want a function", f.name, f.v.Type())
			}
			*f.to = fn
		}
		m.Monitor = w
		return monitoredMode{"MonitorMode", fmt.Sprintf("pre_func=%v, post_func=%v", a.Pre, a.Post), m}, nil
	})

// MonitorTable is what theano.compile.monitormode has besides.
var MonitorTable = []value.Builtin{detectNanBuiltin}

type detectArgs struct {
	I    int            `arg:"i: the number of the node"`
	Node starlark.Value `arg:"node: the node"`
	Fn   starlark.Value `arg:"fn: what holds its inputs and outputs"`
}

var detectNanBuiltin = value.Function("detect_nan", "A post_func of MonitorMode: it prints a node that gives nan, with its inputs and outputs.",
	`function([], T.constant(2.0) * 10, mode=MonitorMode(post_func=theano.compile.monitormode.detect_nan))() # 20.0`,
	func(thread *starlark.Thread, a *detectArgs) (starlark.Value, error) {
		fn, ok := a.Fn.(*starlarkstruct.Struct)
		if !ok {
			return nil, fmt.Errorf("detect_nan: for parameter fn: got %s, want what MonitorMode gives to post_func", a.Fn.Type())
		}
		inputs, err := stored(fn, "inputs")
		if err != nil {
			return nil, err
		}
		outputs, err := stored(fn, "outputs")
		if err != nil {
			return nil, err
		}
		for _, v := range outputs {
			d, err := np.ToDense(v)
			if err != nil || !d.DType().IsFloat() || !slices.ContainsFunc(d.Floats(), math.IsNaN) {
				continue
			}
			SessionOf(thread).Print("stdout", fmt.Sprintf("*** NaN detected ***\nnode %d: %s\ninputs: %s\noutputs: %s\n", a.I, value.Str(a.Node),
				slot.NewList(inputs), slot.NewList(outputs)))
			break
		}
		return starlark.None, nil
	})

// stored reads the values that cells hold.
func stored(fn *starlarkstruct.Struct, name string) ([]starlark.Value, error) {
	v, err := fn.Attr(name)
	if err != nil {
		return nil, err
	}
	list, ok := v.(*slot.List)
	if !ok {
		return nil, fmt.Errorf("detect_nan: fn.%s: got %s, want a list", name, v.Type())
	}
	var values []starlark.Value
	for i := range list.Len() {
		if cell, ok := list.Index(i).(*slot.List); ok && cell.Len() == 1 {
			values = append(values, cell.Index(0))
		}
	}
	return values, nil
}

// A monitor calls functions of Starlark around nodes.
type monitor struct {
	s         *Session
	pre, post starlark.Callable
	graphs    map[*exec.Node]*GraphView // that they belong to: the function's, or one that a node runs
}

func (w *monitor) Begin(p *exec.Program, _ map[*graph.Variable]*tensor.Dense) error {
	if len(p.Nodes) == 0 || w.graphs[&p.Nodes[0]] != nil {
		return nil
	}
	if w.graphs == nil {
		w.graphs = make(map[*exec.Node]*GraphView)
	}
	g := &GraphView{S: w.s, Graph: p.Graph}
	for i := range p.Nodes {
		w.graphs[&p.Nodes[i]] = g
	}
	return nil
}

// firstParam is the name of f's first parameter: PyTensor's functions of four take fgraph first.
func firstParam(f value.Def) string {
	name, _ := f.Param(0)
	return name
}

func (w *monitor) Before(i int, n *exec.Node, in []*tensor.Dense) error {
	return w.call(w.pre, i, n, in, make([]*tensor.Dense, len(n.Apply.Outputs)))
}

func (w *monitor) After(i int, n *exec.Node, in, out []*tensor.Dense) error {
	return w.call(w.post, i, n, in, out)
}

// call calls fn with copies of the values: what it keeps stays as it is.
func (w *monitor) call(fn starlark.Callable, i int, n *exec.Node, in, out []*tensor.Dense) error {
	if fn == nil {
		return nil
	}
	inputs, outputs := w.values(in), w.values(out)
	args := starlark.Tuple{starlark.MakeInt(i), Apply{w.s, n.Apply}}
	stored := starlarkstruct.FromStringDict(starlark.String("fn"), starlark.StringDict{"inputs": cells(inputs), "outputs": cells(outputs)})
	switch f, ok := fn.(value.Def); {
	case ok && f.NumParams() >= 4 && firstParam(f) == "fgraph":
		args = append(append(starlark.Tuple{w.graphs[n]}, args...), stored)
	case ok && f.NumParams() >= 4:
		args = append(args, slot.NewList(inputs), slot.NewList(outputs))
	default:
		args = append(args, stored)
	}
	_, err := value.Call(w.s.Current(), fn, args, nil)
	return err
}

func (w *monitor) values(list []*tensor.Dense) []starlark.Value {
	values := make([]starlark.Value, len(list))
	for i, x := range list {
		if values[i] = starlark.None; x != nil {
			values[i] = np.FromDense(x.Copy())
		}
	}
	return values
}

// cells holds each value in a list of its own, as Theano's storage does.
func cells(values []starlark.Value) starlark.Value {
	list := make([]starlark.Value, len(values))
	for i, v := range values {
		list[i] = slot.NewList([]starlark.Value{v})
	}
	return slot.NewList(list)
}
