package complexes

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A call is a call of a function or method of np, with a complex argument.
type call struct {
	name    string // "np.sum", "ndarray.sum"
	b       *value.Builtin
	thread  *starlark.Thread
	host    value.Host
	args    starlark.Tuple
	kwargs  []starlark.Tuple
	self    starlark.Value            // the receiver of a method, or the first argument
	v       map[string]starlark.Value // the given arguments by parameter
	list    []starlark.Value          // the same in the order of parameters; nil for the others
	isValue bool                      // a method
}

// A row computes functions and methods, given by their full names, of complex numbers. honours are
// the parameters, besides the first, that it knows; others are refused.
type row struct {
	names, honours string
	compute        func(c *call) (starlark.Value, error)
}

// rows are all rows by name.
var rows = sync.OnceValue(func() map[string]*row {
	m := map[string]*row{}
	for _, table := range [][]row{typeRows, elementRows(), reduceRows(), moveRows, createRows, productRows, attributeRows} {
		for i := range table {
			for name := range strings.FieldsSeq(table[i].names) {
				if m[name] != nil {
					panic("BUG: two rows of " + name)
				}
				m[name] = &table[i]
			}
		}
	}
	return m
})

var _ = np.Overload(np.Overloads{Type: typeName, Call: overload, Operator: operator,
	Array: func(host value.Host, pairs *tensor.Dense) starlark.Value { return newArray(host, pairs) }})

// overload is np.Overloads.Call.
func overload(thread *starlark.Thread, name string, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, bool, error) {
	found := ""
	for _, v := range args {
		if found = typeName(v); found != "" {
			break
		}
	}
	for _, kv := range kwargs {
		if found == "" {
			found = typeName(kv[1])
		}
		if _, ok := typeArg(kv[1]); ok && kv[0] == starlark.String("dtype") {
			found = typeName(kv[1])
			if t, _ := typeArg(kv[1]); found == "" {
				found = t.Name()
			}
		}
	}
	if found == "" {
		return nil, false, nil
	}
	z, err := computed(thread, name, found, b, args, kwargs)
	return z, true, err
}

// computed is a call with arguments of a complex type.
func computed(thread *starlark.Thread, name, typ string, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	r := rows()[name]
	if r == nil {
		return nil, value.Failure("TypeError", "%s of %s is not there; take .real and .imag, or abs", name, typ)
	}
	list, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	c := &call{name: name, b: b, thread: thread, host: value.HostOf(thread), args: args, kwargs: kwargs, v: map[string]starlark.Value{}, list: list}
	c.self = b.Receiver()
	c.isValue = c.self != nil
	if s, ok := c.self.(Scalar); ok {
		c.self = s.array(c.host)
	}
	for i, p := range b.Params {
		param := strings.TrimLeft(p.Name, "*")
		if param == "" || list[i] == nil || list[i] == starlark.None && p.Default == "None" {
			list[i] = nil
			continue
		}
		if i == 0 && !c.isValue {
			c.self = list[0]
		}
		c.v[param] = list[i]
		first := i == 0 && !c.isValue
		if t, isTuple := list[i].(starlark.Tuple); isTuple && len(t) == 0 && p.Name[0] == '*' {
			delete(c.v, param)
			continue
		}
		if d, isDict := list[i].(*slot.Dict); isDict && d.Len() == 0 {
			continue
		}
		if !first && !slices.Contains(strings.Fields(r.honours), param) && value.Repr(list[i]) != p.Default {
			return nil, value.Failure("TypeError", "%s of %s: the parameter %s is not there", name, typ, param)
		}
	}
	z, err := r.compute(c)
	if err != nil {
		return nil, value.Named(strings.TrimSuffix(name, b.Name), b.Name, err)
	}
	return z, nil
}

// realOnly refuses complex numbers among the arguments of a call of np's of real parts, which would
// come back here.
func realOnly(args starlark.Tuple, kwargs []starlark.Tuple) error {
	for _, kv := range kwargs {
		args = append(args[:len(args):len(args)], kv[1])
	}
	for _, v := range args {
		if typ := typeName(v); typ != "" {
			return value.Failure("TypeError", "got an argument of type %s, want real numbers; take .real, .imag or abs", typ)
		}
	}
	return nil
}

// receiver is the array whose method is called. A real array with a complex argument has none.
func (c *call) receiver() (*Array, error) {
	if a, ok := c.self.(*Array); ok {
		return a, nil
	}
	if err := realOnly(c.args, c.kwargs); err != nil {
		return nil, err
	}
	return nil, c.unknown()
}

// unknown refuses an argument.
func (c *call) unknown() error {
	return value.Failure("TypeError", "got %s, want an array or a number", orNone(c.self).Type())
}

// operand is the first operand.
func (c *call) operand() (operand, error) {
	if c.self == nil {
		return operand{}, fmt.Errorf("got no array")
	}
	return operandOf(c.self)
}

// operands are the first n arguments, for functions; of methods the receiver is the first.
func (c *call) operands(n int) ([]operand, error) {
	list := make([]operand, n)
	args := c.list
	if c.isValue {
		args = append([]starlark.Value{c.self}, args...)
	}
	for i := range list {
		var err error
		if list[i], err = operandOf(orNone(args[i])); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// again is the same call with other operands: of a function those at the parameters at, of a method
// the receiver too. A dtype that is complex becomes float64.
func (c *call) again(change func(v starlark.Value) starlark.Value, at ...string) (starlark.Value, error) {
	args := slices.Clone(c.args)
	var kwargs []starlark.Tuple
	isOperand := func(param string) bool { return slices.Contains(at, param) }
	for i := range args {
		p := c.b.Params[min(i, len(c.b.Params)-1)]
		if rest := c.rest(); rest >= 0 && i >= rest {
			p = c.b.Params[rest]
		}
		if _, isType := typeArg(args[i]); p.Name == "dtype" && isType {
			args[i] = text("float64")
		}
		if isOperand(strings.TrimLeft(p.Name, "*")) {
			args[i] = change(args[i])
		}
	}
	for _, kv := range c.kwargs {
		name := string(kv[0].(starlark.String))
		v := kv[1]
		if _, isType := typeArg(v); name == "dtype" && isType {
			v = text("float64")
		}
		for _, p := range c.b.Params {
			if p.Name == name || slices.Contains(p.Also, name) {
				name = p.Name
			}
		}
		if isOperand(name) {
			v = change(v)
		}
		kwargs = append(kwargs, starlark.Tuple{kv[0], v})
	}
	if err := realOnly(args, kwargs); err != nil {
		return nil, err
	}
	if c.isValue {
		self := change(c.self)
		m, err := self.(starlark.HasAttrs).Attr(c.b.Name)
		if err != nil {
			return nil, err
		}
		return value.Call(c.thread, m, args, kwargs)
	}
	b := *c.b
	return b.Fn(c.thread, &b, args, kwargs)
}

// rest is the position of the parameter that takes all further arguments, -1 if there is none.
func (c *call) rest() int {
	return slices.IndexFunc(c.b.Params, func(p value.Param) bool { return len(p.Name) > 1 && p.Name[0] == '*' && p.Name[1] != '*' })
}

// first is the name of the first parameter of a function.
func (c *call) first() string {
	if c.isValue || len(c.b.Params) == 0 {
		return ""
	}
	return strings.TrimLeft(c.b.Params[0].Name, "*")
}

// int is an argument that is an int, or otherwise.
func (c *call) int(name string, otherwise int) (int, error) {
	v := c.v[name]
	if v == nil {
		return otherwise, nil
	}
	n, ok := np.AsInt(v)
	if !ok {
		return 0, value.Failure("TypeError", "for parameter %s: got %s, want int", name, v.Type())
	}
	return n, nil
}

// axes are the axes of an argument of an array of a rank, all of them if it is not given.
func (c *call) axes(rank int) ([]int, error) {
	v := c.v["axis"]
	if v == nil {
		all := make([]int, rank)
		for i := range all {
			all[i] = i
		}
		return all, nil
	}
	list, err := np.IntsOf(v)
	if err != nil {
		return nil, fmt.Errorf("for parameter axis: %w", err)
	}
	for i, axis := range list {
		if list[i], err = tensor.NormalizeAxis(axis, rank); err != nil {
			return nil, err
		}
		if slices.Contains(list[:i], list[i]) {
			return nil, fmt.Errorf("axis %d is there twice", list[i])
		}
	}
	return list, nil
}

// poll asks whether the cell is to end.
func (c *call) poll() *tensor.Poll { return &tensor.Poll{Stop: np.StopOf(c.host)} }

// array is np's value of real numbers.
func (c *call) array(d *tensor.Dense) starlark.Value { return np.FromDenseIn(c.host, d) }

// result is pairs as the value of the call, converted if a dtype is given.
func (c *call) result(d *tensor.Dense) (starlark.Value, error) {
	if v := c.v["dtype"]; v != nil {
		t, ok := typeArg(v)
		if !ok {
			return nil, value.Failure("TypeError", "got dtype %s for complex numbers, want complex64 or complex128", value.Str(v))
		}
		d = d.As(t.part())
	}
	return fromPairs(c.host, d), nil
}

func init() { value.NameTypes(typeOfArrays) }

const typeOfArrays = "complex ndarray"

// methods are the attributes of complex arrays: np's methods of arrays, of which those without a
// row say so, and fields.
var methods = sync.OnceValue(func() *value.Methods {
	var table []value.Builtin
	for _, b := range np.Tables()["ndarray."] {
		m := b
		m.RetainsNone, m.Quick = false, nil
		m.Fn = func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			z, err := computed(thread, "ndarray."+b.Name, typeName(b.Receiver()), b, args, kwargs)
			if _, isScalar := b.Receiver().(Scalar); isScalar && err == nil {
				z = withoutAxes(z)
			}
			return z, err
		}
		table = append(table, m)
	}
	return value.NewMethods(typeOfArrays, table).Extending("ndarray").With(fields...)
})

func field(name, doc, example string, get func(a *Array) starlark.Value) value.Field {
	return value.FieldOf(name, doc, example, get)
}

// fields are the attributes that are no methods.
var fields = []value.Field{
	field("T", "A view with the axes reversed.", "np.array([[1, 2j]]).T # array([[1.+0.j],\n       [0.+2.j]])",
		func(a *Array) starlark.Value { return a.permuted(reversed(a.rank())) }),
	field("base", "Of a view, the array whose memory it is in; None for others.", "np.array([1j]).base # None", func(a *Array) starlark.Value {
		if a.base == nil {
			return starlark.None
		}
		return a.base
	}),
	field("dtype", "The element type, which equals its name.", "np.array([1j]).dtype # \"complex128\"",
		func(a *Array) starlark.Value { return Type(a.part()) }),
	field("flat", "The elements in C order as a vector.", "np.array([[1, 2j]]).flat[1] # 2j",
		func(a *Array) starlark.Value {
			d, _ := reshaped(a.pairs.D, []int{-1})
			if tensor.SharesMemory(d, a.pairs.D) {
				return a.view(d)
			}
			z := newArray(a.host, d)
			z.Freeze()
			return z
		}),
	field("imag", "The imaginary parts, a view that can be assigned to.", "np.array([1, 2j]).imag # array([0., 2.])",
		func(a *Array) starlark.Value { return a.parts(1) }),
	field("itemsize", "Bytes of an element.", "np.array([1j]).itemsize # 16",
		func(a *Array) starlark.Value { return starlark.MakeInt(2 * a.part().Size()) }),
	field("nbytes", "Bytes of all elements.", "np.array([1j, 2]).nbytes # 32",
		func(a *Array) starlark.Value { return starlark.MakeInt(a.pairs.D.NBytes()) }),
	field("ndim", "The number of axes.", "np.array([1j]).ndim # 1", func(a *Array) starlark.Value { return starlark.MakeInt(a.rank()) }),
	field("real", "The real parts, a view that can be assigned to.", "np.array([1, 2j]).real # array([1., 0.])",
		func(a *Array) starlark.Value { return a.parts(0) }),
	field("shape", "The lengths of the axes. Assigning to it gives the same memory another shape.", "np.array([1j, 2]).shape # (2,)",
		func(a *Array) starlark.Value { return np.IntTuple(a.shape()) }),
	field("size", "The number of elements.", "np.array([1j, 2]).size # 2", func(a *Array) starlark.Value { return starlark.MakeInt(a.size()) }),
	field("strides", "For each axis, the bytes from one element to the next.", "np.array([1j, 2]).strides # (16,)",
		func(a *Array) starlark.Value { return np.IntTuple(a.pairs.D.Strides()[:a.rank()]) }),
}

func (a *Array) Table() *value.Methods { return methods() }
func (a *Array) AttrNames() []string   { return methods().Names() }

func (a *Array) Attr(name string) (starlark.Value, error) { return methods().Attr(a, name) }

func reversed(rank int) []int {
	order := make([]int, rank)
	for i := range order {
		order[i] = rank - 1 - i
	}
	return order
}

// permuted is a view whose axis i is axis order[i] of a.
func (a *Array) permuted(order []int) *Array {
	d, err := a.pairs.D.DimShuffle(append(slices.Clone(order), a.rank()))
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return a.view(d)
}
