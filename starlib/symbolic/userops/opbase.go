package userops

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A classOp is an instance of a class below theano.Op. What it does is what the class's methods
// say.
type classOp struct {
	by   *foreign
	self value.Instance
}

// opMethods are what classes inherit of theano.Op. What is not here, such as perform and grad, is
// there if the user writes it.
var opBase = &value.Base{Methods: []value.BaseMethod{
	{Name: "__call__", Fn: callOp}, {Name: "make_node", Fn: makeNodeOfTypes},
	{Name: "__eq__", Fn: sameProps}, {Name: "__hash__", Fn: hashProps}, {Name: "__str__", Fn: textOfProps}, {Name: "_props", Fn: propsOf}, {Name: "_props_dict", Fn: propsDict},
}}

const opClassDoc = "The base of classes of operations: class MyOp(theano.Op). An instance is an operation; called with variables it makes a node. A class writes\n\n" +
	"    __props__         the names of the attributes that tell its instances apart: those with equal ones are equal. Without it each is its own\n" +
	"    itypes, otypes    types of its operands and results, or\n" +
	"    make_node         def make_node(self, x): return theano.Apply(self, [x], [x.type()]), where operands are checked and types of results are chosen\n" +
	"    perform           def perform(self, node, inputs, output_storage): computes arrays of arrays, with np, as output_storage[0][0] = ...\n" +
	"    grad, or L_op     def grad(self, inputs, output_gradients): a symbolic gradient for each input. L_op gets the outputs too, before the gradients\n" +
	"    R_op              def R_op(self, inputs, eval_points): how the outputs change where inputs go in these directions, of which some may be None\n" +
	"    infer_shape       def infer_shape(self, node, input_shapes): tuples of symbolic lengths, so that results need not be computed to be measured\n" +
	"    connection_pattern, flops    as Theano has them\n\n" +
	"perform is Starlark's and as slow; profiles say so. It gets copies of its operands: view_map and destroy_map need not be said, and mean nothing. " +
	"C in c_code is not compiled. Results are taken for functions of the operands: equal nodes become one, and one that nobody reads is left out."

const opClassExample = "class Double(theano.Op):\n    __props__ = ()\n\n    def make_node(self, x):\n        x = T.as_tensor_variable(x)\n        return theano.Apply(self, [x], [x.type()])\n\n" +
	"    def perform(self, node, inputs, output_storage):\n        output_storage[0][0] = inputs[0] * 2\n\nDouble()(1.5).eval() # 3.0"

// OpBuiltin is theano.Op.
var OpBuiltin = value.Builtin{Name: "Op", Base: opBase, Types: []string{"Op", "OpFromGraph", "FromFunctionOp"}, Doc: opClassDoc, Example: opClassExample,
	Fn: func(*starlark.Thread, *value.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
		return nil, fmt.Errorf("theano.Op: it is a base of classes: class MyOp(theano.Op), whose instances are operations")
	}}

// OpTable is what programs make operations with.
var OpTable = slices.Concat([]value.Builtin{OpBuiltin}, AsOpTable)

// member returns what the instance has under a name, nil if nothing.
func member(x starlark.Value, name string) starlark.Value {
	a, ok := x.(starlark.HasAttrs)
	if !ok {
		return nil
	}
	v, err := a.Attr(name)
	if err != nil {
		return nil
	}
	return v
}

// method returns a method of the instance's class, nil if there is none.
func (c *classOp) method(name string) starlark.Callable {
	fn, _ := member(c.self, name).(starlark.Callable)
	return fn
}

// className is the name of the instance's class.
func className(self value.Instance) string { return self.Type() }

// classOpOf is the definition of an instance. Equal instances have one.
func classOpOf(s *symbolic.Session, self value.Instance) (*foreign, error) {
	if s.Ops == nil {
		s.Ops = new(slot.Dict)
	}
	v, found, err := s.Ops.Get(self)
	if err != nil {
		return nil, err
	}
	if found {
		return v.(definitionValue).foreign, nil
	}
	c := &classOp{self: self}
	c.by = newForeign(s, c)
	return c.by, s.Ops.SetKey(self, definitionValue{c.by})
}

// A definitionValue is a definition in a dict.
type definitionValue struct{ *foreign }

func (definitionValue) String() string        { return "definition" }
func (definitionValue) Type() string          { return "definition" }
func (definitionValue) Freeze()               {}
func (definitionValue) Truth() starlark.Bool  { return true }
func (definitionValue) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable") }

func (c *classOp) value() starlark.Value { return c.self }
func (c *classOp) name() string          { return className(c.self) }
func (c *classOp) label() string         { return value.Str(c.self) }
func (c *classOp) class() string         { return "__main__." + className(c.self) }

func (c *classOp) props() string {
	text, ok := propsText(c.self)
	if !ok {
		return ""
	}
	return "," + strings.NewReplacer("{", "(", "}", ")").Replace(text)
}

// callOp is __call__ of operations.
func callOp(thread *starlark.Thread, self value.Instance, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	s := symbolic.SessionOf(thread)
	args, asList, name, err := callOptions(className(self), args, kwargs)
	if err != nil {
		return nil, err
	}
	f, err := classOpOf(s, self)
	if err != nil {
		return nil, err
	}
	if err := f.user.(*classOp).check(); err != nil {
		return nil, err
	}
	defer writtenAs(s, s.NodeOrigin(thread))() // the node is of the line that applies the operation, and not of make_node's
	out, err := f.apply(thread, args)
	if err != nil {
		return nil, s.Locate(err)
	}
	return results(s, out, asList, name), nil
}

// insteadOfPerform are the other ways to compute that Theano knows.
var insteadOfPerform = map[string]string{
	"c_code": "C is not compiled here", "c_code_file": "C is not compiled here", "make_thunk": "make_thunk is not called here", "c_support_code": "C is not compiled here",
}

// check says early what an operation lacks.
func (c *classOp) check() error {
	if c.method("perform") != nil {
		return nil
	}
	why := ""
	for _, name := range []string{"c_code", "c_code_file", "c_support_code", "make_thunk"} {
		if c.method(name) != nil && why == "" {
			why = insteadOfPerform[name] + "; "
		}
	}
	return fmt.Errorf("%s: its class has no perform: %swrite def perform(self, node, inputs, output_storage), which stores arrays: output_storage[0][0] = x", c.name(), why)
}

func (c *classOp) makeNode(thread *starlark.Thread, args starlark.Tuple) (*graph.Apply, error) {
	v, err := value.Call(thread, c.method("make_node"), args, nil)
	if err != nil {
		return nil, err
	}
	node, ok := v.(symbolic.Apply)
	if !ok {
		return nil, fmt.Errorf("%s: make_node returned %s, want theano.Apply(self, inputs, outputs)", c.name(), symbolic.DescribeValue(v))
	}
	return node.Node, nil
}

// makeNodeOfTypes is make_node of a class that has itypes and otypes.
func makeNodeOfTypes(thread *starlark.Thread, self value.Instance, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	s, name := symbolic.SessionOf(thread), className(self)
	if len(kwargs) > 0 {
		return nil, fmt.Errorf("%s: unexpected keyword argument %s", name, kwargs[0][0])
	}
	var types [2][]graph.Type
	for i, attr := range []string{"itypes", "otypes"} {
		v := member(self, attr)
		if symbolic.Absent(v) {
			return nil, fmt.Errorf("%s: its class has neither make_node nor %s: write itypes = [T.dmatrix] and otypes = [T.dmatrix], or def make_node(self, x): return theano.Apply(self, [x], [x.type()])", name, attr)
		}
		var err error
		if types[i], err = typeList(v); err != nil {
			return nil, fmt.Errorf("%s.%s: %w", name, attr, err)
		}
	}
	if len(types[1]) == 0 {
		return nil, fmt.Errorf("%s.otypes: the list is empty, want the type of a result", name)
	}
	in, err := typedOperands(s, thread, name, args, types[0])
	if err != nil {
		return nil, s.Locate(err)
	}
	f, err := classOpOf(s, self)
	if err != nil {
		return nil, err
	}
	node, err := f.node(thread, in, typedResults(types[1]))
	return symbolic.Apply{S: s, Node: node}, err
}

// applyArgs are those of theano.Apply.
type applyArgs struct {
	Op      starlark.Value `arg:"op: an operation: self, in its make_node"`
	Inputs  starlark.Value `arg:"inputs: list of variables"`
	Outputs starlark.Value `arg:"outputs: list of new variables, as [x.type()], which say the types of the results"`
}

var applyArguments = value.NewArguments[applyArgs]()

// applyName is how theano.gof.Apply is called in errors.
const applyName = "Apply"

// makeApply is theano.Apply(op, inputs, outputs).
func makeApply(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	s := symbolic.SessionOf(thread)
	b := &value.Builtin{Name: "Apply", Params: applyArguments.Params()}
	read, err := applyArguments.Read(s, b, args, kwargs)
	if err != nil {
		return nil, err
	}
	a := read.(*applyArgs)
	self, ok := a.Op.(value.Deriving)
	if !ok || !self.DerivesFrom(opBase) {
		return nil, fmt.Errorf("%s: op: got %s, want an instance of a class that derives from theano.Op; functions of T apply the operations that are there", applyName, symbolic.DescribeValue(a.Op))
	}
	in, err := symbolic.Symbols("inputs", a.Inputs)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; T.as_tensor_variable(x) makes one of numbers and arrays", applyName, err)
	}
	out, err := symbolic.Symbols("outputs", a.Outputs)
	if err != nil {
		return nil, fmt.Errorf("%s: %w, as x.type() makes", applyName, err)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: outputs: the list is empty, want a variable for each result, as [x.type()]", applyName)
	}
	for i, v := range out {
		switch {
		case !v.IsInput():
			return nil, fmt.Errorf("%s: outputs[%d]: got %s, want a new variable, which nothing computes: x.type() makes one", applyName, i, graph.Mention(v))
		case v.Type.State != graph.NoState:
			return nil, fmt.Errorf("%s: outputs[%d]: got %s, want an array: operations of programs make no states", applyName, i, graph.Mention(v))
		}
	}
	f, err := classOpOf(s, self)
	if err != nil {
		return nil, err
	}
	node, err := f.node(thread, in, out)
	return symbolic.Apply{S: s, Node: node}, err
}

func (c *classOp) perform(thread *starlark.Thread, node *graph.Apply, in []starlark.Value) ([]starlark.Value, error) {
	storage := make([]starlark.Value, len(node.Outputs))
	cells := make([]*slot.List, len(storage))
	for i := range storage {
		cells[i] = slot.NewList([]starlark.Value{starlark.None})
		storage[i] = cells[i]
	}
	if _, err := value.Call(thread, c.method("perform"), starlark.Tuple{symbolic.Apply{S: c.by.s, Node: node}, slot.NewList(in), slot.NewList(storage)}, nil); err != nil {
		return nil, err
	}
	results := make([]starlark.Value, len(cells))
	for i, cell := range cells {
		if cell.Len() != 1 {
			return nil, fmt.Errorf("perform: output_storage[%d] has %d elements, want one: store the array in output_storage[%[1]d][0]", i, cell.Len())
		}
		results[i] = cell.Index(0)
	}
	return results, nil
}

func (c *classOp) grad(thread *starlark.Thread, _ *graph.Apply, inputs, outputs, g *slot.List) (starlark.Value, error) {
	for _, name := range []string{"L_op", "pullback"} {
		if fn := c.method(name); fn != nil {
			return value.Call(thread, fn, starlark.Tuple{inputs, outputs, g}, nil)
		}
	}
	return value.Call(thread, c.method("grad"), starlark.Tuple{inputs, g}, nil)
}

func (c *classOp) noGrad() string {
	for _, name := range []string{"L_op", "pullback", "grad"} {
		if c.method(name) != nil {
			return ""
		}
	}
	return "its class has no gradient: write def grad(self, inputs, output_gradients), which returns a list of symbolic gradients for its inputs, " +
		"or take the operand for a constant with theano.gradient.disconnected_grad(x)"
}

func (c *classOp) pushes() bool { return c.method("R_op") != nil }

func (c *classOp) push(thread *starlark.Thread, inputs, directions *slot.List) (starlark.Value, error) {
	return value.Call(thread, c.method("R_op"), starlark.Tuple{inputs, directions}, nil)
}

func (c *classOp) Lengths(thread *starlark.Thread, node *graph.Apply, shapes *slot.List) (starlark.Value, error) {
	fn := c.method("infer_shape")
	if fn == nil {
		return nil, nil
	}
	if def, ok := member(c.self.Class(), "infer_shape").(value.Def); ok && def.NumParams() == 4 {
		return value.Call(thread, fn, starlark.Tuple{starlark.None, symbolic.Apply{S: c.by.s, Node: node}, shapes}, nil)
	}
	return value.Call(thread, fn, starlark.Tuple{symbolic.Apply{S: c.by.s, Node: node}, shapes}, nil)
}

func (c *classOp) connections(thread *starlark.Thread, node *graph.Apply) (starlark.Value, error) {
	fn := c.method("connection_pattern")
	if fn == nil {
		return nil, nil
	}
	return value.Call(thread, fn, starlark.Tuple{symbolic.Apply{S: c.by.s, Node: node}}, nil)
}

func (c *classOp) flops(thread *starlark.Thread, in, out starlark.Value) (starlark.Value, error) {
	fn := c.method("flops")
	if fn == nil {
		return nil, nil
	}
	return value.Call(thread, fn, starlark.Tuple{in, out}, nil)
}

// propNames are __props__ of an instance, false if its class has none.
func propNames(self value.Instance) (names []string, ok bool, err error) {
	v := member(self, "__props__")
	if symbolic.Absent(v) {
		return nil, false, nil
	}
	list, isList := inList(v)
	if !isList {
		return nil, false, fmt.Errorf("%s.__props__: got %s, want a tuple of names of attributes; of one it is (\"a\",)", className(self), value.Repr(v))
	}
	for _, x := range list {
		name, isText := starlark.AsString(x)
		if !isText {
			return nil, false, fmt.Errorf("%s.__props__: got %s in it, want names of attributes", className(self), x.Type())
		}
		names = append(names, name)
	}
	return names, true, nil
}

// props are the values of __props__.
func props(self value.Instance) (names []string, values starlark.Tuple, ok bool, err error) {
	names, ok, err = propNames(self)
	for _, name := range names {
		v, err := value.Attr(self, name)
		if err != nil {
			return nil, nil, false, fmt.Errorf("%s.__props__ names %s, which the instance has not: set self.%[2]s in __init__", className(self), name)
		}
		values = append(values, v)
	}
	return names, values, ok, err
}

// sameProps is __eq__: instances of one class with equal properties are equal.
func sameProps(_ *starlark.Thread, self value.Instance, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 1 {
		return nil, fmt.Errorf("__eq__: got %d arguments, want 1", len(args))
	}
	other, ok := args[0].(value.Instance)
	if !ok || other.Class() != self.Class() {
		return starlark.False, nil
	}
	_, mine, ok, err := props(self)
	if err != nil || !ok {
		return starlark.Bool(starlark.Value(self) == args[0]), err
	}
	_, theirs, _, err := props(other)
	if err != nil {
		return nil, err
	}
	return value.Compare(syntax.EQL, mine, theirs)
}

// hashProps is __hash__.
func hashProps(_ *starlark.Thread, self value.Instance, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	class, err := self.Class().Hash()
	if err != nil {
		return nil, err
	}
	_, values, ok, err := props(self)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		if i, isIdentified := self.(interface{ ID() uint32 }); isIdentified {
			return starlark.MakeUint(uint(i.ID())), nil
		}
		return starlark.MakeUint(uint(class)), nil
	}
	h, err := values.Hash()
	if err != nil {
		return nil, fmt.Errorf("%s.__props__: %w; properties are numbers, text or tuples of these", className(self), err)
	}
	return starlark.MakeUint(uint(h ^ class)), nil
}

// propsText is AXPBOp{a=4, b=5}.
func propsText(self value.Instance) (string, bool) {
	names, values, ok, err := props(self)
	if err != nil || !ok || len(names) == 0 {
		return "", false
	}
	words := make([]string, len(names))
	for i, name := range names {
		words[i] = name + "=" + value.Repr(values[i])
	}
	return strings.Join(words, ", "), true
}

// textOfProps is __str__.
func textOfProps(_ *starlark.Thread, self value.Instance, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if text, ok := propsText(self); ok {
		return starlark.String(className(self) + "{" + text + "}"), nil
	}
	return starlark.String(className(self)), nil
}

// propsOf is _props().
func propsOf(_ *starlark.Thread, self value.Instance, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	_, values, _, err := props(self)
	return values, err
}

// propsDict is _props_dict().
func propsDict(_ *starlark.Thread, self value.Instance, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	names, values, _, err := props(self)
	d := slot.NewDict(len(names))
	for i, name := range names {
		d.SetKey(starlark.String(name), values[i])
	}
	return d, err
}

// Value is the operation as the program made it.
func (f *foreign) Value() starlark.Value { return f.user.value() }

var _ = symbolic.NodesBy(makeApply)
