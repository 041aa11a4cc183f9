package np

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Operations wait here until it is known what becomes of their results: 2*(a + b) + c is computed
// in one pass. What waits is right: its types and shapes fit, so that nothing but an interrupt, or
// a lack of memory, can make the pass fail. A function whose result is smaller than that of what
// takes it is computed before, since a pass would compute it again and again.

// A deferred has the nodes of what waits, operands before functions.
type deferred struct {
	session value.Host
	forms   *formTable
	known   [128]knownForm // of forms, by a hash of the key
	numbers [64]knownNumber
	nodes   [48]node
	n       int
	spends  bool // a node is spent
	in      [maxReads]*tensor.Dense
}

var _ value.Deferred = (*deferred)(nil)

// A node is an array or a view of one, a number, or a function of nodes.
type node struct {
	form   *form         // nil of a number that no function has taken yet
	d      *tensor.Dense // nil of a function
	of     *Array        // that has the elements; nil of others
	isView bool
	spent  bool // nobody else has of
	number slot.Slot
	shape  []int
	args   [maxArgs]value.Node
}

type knownForm struct {
	key formKey
	f   *form
}

// A knownNumber is a number as an operand of a type.
type knownNumber struct {
	number slot.Slot
	d      *tensor.Dense
}

// Defers has operations wait in memory that others had before.
func (a *Array) Defers(again value.Deferred) value.Deferred {
	c, ok := again.(*deferred)
	if !ok {
		c = new(deferred)
	}
	if t := forms(); t != c.forms {
		c.forms = t
		clear(c.known[:])
	}
	c.session = a.session
	return c
}

// Forget forgets all nodes.
func (c *deferred) Forget() {
	clear(c.nodes[:c.n])
	c.n, c.spends = 0, false
}

// add adds a node, if there is room for it.
func (c *deferred) add() (*node, value.Node) {
	if c.n == len(c.nodes) {
		return nil, value.NoNode
	}
	c.n++
	return &c.nodes[c.n-1], value.Node(c.n - 1)
}

// Array is the node of an array that has elements.
func (c *deferred) Array(a value.Recyclable) value.Node {
	x, ok := a.(*Array)
	if !ok || x.D.Size() == 0 {
		return value.NoNode
	}
	n, z := c.add()
	if n != nil {
		n.form, n.d, n.of, n.shape = operandForms[x.D.DType()], x.D, x, x.D.Shape()
	}
	return z
}

// Reads reports whether a node is an array or a view of it.
func (c *deferred) Reads(a value.Recyclable) bool {
	x, ok := a.(*Array)
	for i := range c.nodes[:c.n] {
		if ok && c.nodes[i].of == x {
			return true
		}
	}
	return false
}

// Number is the node of a number.
func (c *deferred) Number(x *slot.Slot) value.Node {
	if _, isScalar := x.Ref().(Scalar); !isScalar && !x.IsInt() && !x.IsFloat() && !x.IsDouble() {
		return value.NoNode
	}
	n, z := c.add()
	if n != nil {
		n.number = *x
	}
	return z
}

// View is the node of x[k], if that is a view.
func (c *deferred) View(x value.Node, k starlark.Value) value.Node {
	from := &c.nodes[x]
	if from.of == nil {
		return value.NoNode
	}
	d, ok := (&Array{D: from.d}).basic(k)
	if !ok {
		return value.NoNode
	}
	return c.view(from, d)
}

// Turned is the node of x.T.
func (c *deferred) Turned(x value.Node) value.Node {
	from := &c.nodes[x]
	if from.of == nil {
		return value.NoNode
	}
	return c.view(from, from.d.Transpose())
}

func (c *deferred) view(from *node, d *tensor.Dense) value.Node {
	if d.Size() == 0 {
		return value.NoNode
	}
	n, z := c.add()
	if n != nil {
		n.form, n.d, n.of, n.isView, n.spent, n.shape = from.form, d, from.of, true, from.spent, d.Shape()
	}
	return z
}

// Spend says that nobody else has the array of a node, or that of which it is a view.
func (c *deferred) Spend(x value.Node) {
	n := &c.nodes[x]
	n.spent, n.of.own.By, c.spends = true, slot.Nobody, true
}

// Operator is the node of x op y, or op x.
func (c *deferred) Operator(op syntax.Token, x, y value.Node) value.Node {
	args := [2]value.Node{x, y}
	switch {
	case y == value.NoNode:
		return c.function(signs[op], args[:1])
	case op == syntax.STARSTAR:
		return c.power(args[:])
	case comparers[op] != nil:
		return c.function(comparers[op], args[:])
	}
	return c.function(operators[op], args[:])
}

// power is x**y: of arrays to some powers it is a function of x alone.
func (c *deferred) power(args []value.Node) value.Node {
	x, y := &c.nodes[args[0]], &c.nodes[args[1]]
	u := ufuncs["power"]
	if x.form != nil && y.form == nil {
		u = ufuncs[fastPower(y.number.Value(), x.form.out.IsFloat())]
	}
	return c.function(u, args[:u.takes])
}

// Function is the node of a call of an elementwise function.
func (c *deferred) Function(f starlark.Value, args []value.Node) value.Node {
	return c.function(ufuncOfMember(f), args)
}

// Takes reports whether a function is elementwise.
func (c *deferred) Takes(f starlark.Value) bool { return ufuncOfMember(f) != nil }

// IsView reports whether the value of a node is a view.
func (c *deferred) IsView(x value.Node) bool { return c.nodes[x].isView }

// ufuncOfMember is the elementwise function that a member of a module is, nil if it is none.
// np.where is one here.
func ufuncOfMember(v starlark.Value) *ufunc {
	switch v := v.(type) {
	case ufuncValue:
		return v.u
	case value.Callable:
		if v.Module == "np" && v.Builtin.Name == "where" {
			return ufuncs["where"]
		}
	}
	return nil
}

// function adds a function of nodes, one of which is an array at least.
func (c *deferred) function(u *ufunc, args []value.Node) value.Node {
	if u == nil || len(args) != int(u.takes) || len(args) > maxArgs || c.n == len(c.nodes) {
		return value.NoNode
	}
	shape, ok := c.shapeOf(args)
	if !ok {
		return value.NoNode
	}
	f := c.formOf(u, args)
	if f == nil {
		return value.NoNode
	}
	for i, x := range args {
		if n := &c.nodes[x]; n.form == nil {
			if n.d = c.asOperand(n, f.args[i].out); n.d == nil {
				return value.NoNode
			}
			n.form = f.args[i]
		}
	}
	n, z := c.add()
	n.form, n.shape = f, shape
	copy(n.args[:], args)
	return z
}

// formOf is the form of a function of nodes, nil if there is none.
func (c *deferred) formOf(u *ufunc, args []value.Node) *form {
	key, plain := keyOfForm(u, 0), true
	for i, x := range args {
		id := c.nodes[x].kind()
		key, plain = key.with(i, id), plain && id != 0
	}
	known := &c.known[key.hash()]
	if plain && known.key == key {
		return known.f
	}
	common := c.commonType(u, args)
	exact := keyOfForm(u, common)
	var forms [maxArgs]*form
	for i, x := range args {
		if forms[i] = c.nodes[x].typed(); forms[i] != nil {
			exact = exact.with(i, forms[i].id)
		}
	}
	f := c.forms.of(exact, u, common, forms[:len(args)])
	if plain {
		*known = knownForm{key, f}
	}
	return f
}

// Numbers of Starlark of which all are alike to functions, where forms have numbers.
const (
	anyFloat = firstForm - 1
	smallInt = firstForm - 2 // what every type of integers has
)

// kind is the number of a node's form, or of what all are alike to functions that are numbers like
// it; 0 where it depends on the value what a function does.
func (n *node) kind() uint16 {
	switch {
	case n.form != nil:
		return n.form.id
	case n.number.IsFloat():
		return anyFloat
	case n.number.IsInt() && uint64(n.number.Int()) < 1<<7:
		return smallInt
	}
	return 0
}

func (k formKey) hash() int { return int(uint64(k) * 0x9e3779b97f4a7c15 >> 57) }

// typed is the form of a node, nil of a number of Starlark.
func (n *node) typed() *form {
	if n.form == nil {
		if n.number.IsDouble() {
			return operandForms[kernels.Float64]
		}
		if s, ok := n.number.Ref().(Scalar); ok {
			return operandForms[s.dtype]
		}
	}
	return n.form
}

// shapeOf is the shape of a function of nodes.
func (c *deferred) shapeOf(args []value.Node) (shape []int, ok bool) {
	alike := true
	for _, x := range args {
		n := &c.nodes[x]
		switch {
		case n.form == nil || len(n.shape) > 0 && len(shape) == len(n.shape) && &shape[0] == &n.shape[0]:
		case shape == nil:
			shape = n.shape
		default:
			alike = alike && slices.Equal(shape, n.shape)
		}
	}
	if !alike {
		return c.broadcast(args)
	}
	return shape, len(shape) > 0
}

// broadcast is shapeOf of nodes that differ. Functions among them that are smaller are computed.
func (c *deferred) broadcast(args []value.Node) (shape []int, ok bool) {
	var few [maxArgs][]int
	shapes := few[:0]
	for _, x := range args {
		if n := &c.nodes[x]; n.form != nil {
			shapes = append(shapes, n.shape)
		}
	}
	shape, clash := tensor.BroadcastShapes(shapes...)
	if clash != nil || tensor.CheckSize(8, shape) != nil {
		return nil, false
	}
	for _, x := range args {
		n := &c.nodes[x]
		if n.form != nil && n.d == nil && !slices.Equal(n.shape, shape) && !c.settle(x) {
			return nil, false
		}
	}
	return shape, len(shape) > 0
}

// settle makes a function an array.
func (c *deferred) settle(x value.Node) (ok bool) {
	n := &c.nodes[x]
	v, err := c.Compute(x, nil)
	if err != nil {
		return false
	}
	n.of = v.(*Array)
	n.d, n.form, n.spent, c.spends = n.of.D, operandForms[n.form.out], true, true
	return true
}

// commonType is the type of a function's operands together.
func (c *deferred) commonType(u *ufunc, args []value.Node) kernels.DType {
	var memory [maxArgs]Operand
	operands := memory[:0]
	for _, x := range args[u.op.Row().From:] {
		operands = append(operands, c.nodes[x].operand())
	}
	return commonType(operands, u.isComparison())
}

// ofTypes are arrays that stand for results which are not there yet, of which only the type
// matters.
var ofTypes = func() (list [kernels.NumDTypes]*tensor.Dense) {
	for _, d := range kernels.DTypes() {
		list[d] = tensor.Empty(d, 0)
	}
	return list
}()

// operand is a node as functions of arrays take it.
func (n *node) operand() Operand {
	switch {
	case n.d != nil:
		return Operand{d: n.d}
	case n.form != nil:
		return Operand{d: ofTypes[n.form.out]}
	}
	v := n.number.Value()
	if s, ok := v.(Scalar); ok {
		return Operand{d: s.Dense(), scalar: true}
	}
	return Operand{Weak: v}
}

// asOperand is a number as an array of a type, nil if it does not fit.
func (c *deferred) asOperand(n *node, d kernels.DType) *tensor.Dense {
	bits := uint64(n.number.Int()) // of a float too
	known := &c.numbers[(bits*0x9e3779b97f4a7c15>>58)^uint64(d)%8]
	if known.d != nil && known.d.DType() == d && known.number == n.number {
		return known.d
	}
	x := n.operand()
	if x.d == nil {
		x.d, _ = weakAs(x.Weak, d)
	}
	if x.d != nil {
		*known = knownNumber{n.number, x.d}
	}
	return x.d
}

// gather adds the operands of a node, and finds an array whose elements nobody wants any more, if
// there is one.
func (c *deferred) gather(x value.Node, in []*tensor.Dense, spent *Array) ([]*tensor.Dense, *Array) {
	n := &c.nodes[x]
	if n.d != nil {
		if n.spent && n.of.isPlace() {
			spent = n.of
		}
		return append(in, n.d), spent
	}
	for i := range n.form.operands() {
		in, spent = c.gather(n.args[i], in, spent)
	}
	return in, spent
}

// isPlace reports whether a result may lie in the array.
func (a *Array) isPlace() bool {
	return a.D.Rank() > 0 && !a.IsFrozen() && a.D.IsUnique() && a.D.IsContiguous()
}

// Compute is the value of a node.
func (c *deferred) Compute(x value.Node, into value.Recyclable) (starlark.Value, error) {
	n := &c.nodes[x]
	switch {
	case n.isView:
		return n.of.View(n.d), nil
	case n.d != nil:
		return n.of, nil
	}
	in, place := c.gather(x, c.in[:0], nil)
	lost := place != nil
	if a, ok := into.(*Array); ok && !lost && a.isPlace() {
		place = a
	}
	z, err := c.run(n, in, place, lost)
	clear(in)
	if err != nil {
		return nil, err
	}
	v := place
	if place == nil || z != place.D {
		v = NewArray(c.session, z)
	}
	v.temporary = false
	if c.spends {
		c.release(x, v)
	}
	return v, nil
}

// run computes a function of operands, in an array if there is a place and the result fits it.
func (c *deferred) run(n *node, in []*tensor.Dense, place *Array, lost bool) (*tensor.Dense, error) {
	value.SamplerOf(c.session).Enter()
	shape, to := n.shape, (*tensor.Dense)(nil)
	if place != nil {
		to = place.D
	}
	program, in := n.form.program(in)
	turned := tensor.ReverseAxes(in)
	if turned { // as in ufunc.call
		shape, to = slices.Clone(shape), nil
		slices.Reverse(shape)
	}
	z, err := program.RunInto(to, lost, shape, StopOf(c.session), in)
	if sampler := value.SamplerOf(c.session); sampler.Moved() {
		sampler.Leave("function", n.form.name())
	}
	if err != nil {
		return nil, err
	}
	if turned {
		z = z.Transpose()
	}
	if z != to {
		c.booked(n, z)
	}
	return z, nil
}

// booked books the new result of an operation of arrays and numbers. Of several in one pass it is
// not known which operand could have been the place.
func (c *deferred) booked(n *node, z *tensor.Dense) {
	var few [maxArgs]*tensor.Dense
	operands := few[:len(n.form.operands())]
	for i := range operands {
		if operands[i] = c.nodes[n.args[i]].d; operands[i] == nil { // a function's
			return
		}
	}
	z.IsComputedOf(operands)
}

// release gives back the arrays of a node's operands that nobody else has, but for its value.
func (c *deferred) release(x value.Node, z *Array) {
	n := &c.nodes[x]
	if n.d == nil {
		for i := range n.form.operands() {
			c.release(n.args[i], z)
		}
	} else if n.spent && n.of != z {
		n.of.Release()
	}
}
