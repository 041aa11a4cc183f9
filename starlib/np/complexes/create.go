package complexes

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// createRows are the functions that make and convert arrays.
var createRows = []row{
	{"np.array np.asarray np.asanyarray np.ascontiguousarray np.asfarray np.copy", "dtype copy ndmin order subok", func(c *call) (starlark.Value, error) {
		x, err := c.operand()
		if err != nil {
			return nil, err
		}
		part := partType(x)
		if v := c.v["dtype"]; v != nil {
			t, ok := typeArg(v)
			if !ok {
				return nil, notReal(v)
			}
			part = t.part()
		}
		a, isArray := c.self.(*Array)
		keeps := !strings.HasSuffix(c.name, ".array") && !strings.HasSuffix(c.name, ".copy") || c.v["copy"] == starlark.False
		if isArray && keeps && a.part() == part && (c.b.Name != "ascontiguousarray" || a.pairs.D.IsContiguous()) {
			return a, nil
		}
		d := x.as(part)
		if isArray && tensor.SharesMemory(d, a.pairs.D) {
			d = d.Copy()
		}
		least, err := c.int("ndmin", 0)
		if err != nil {
			return nil, err
		}
		if shape := x.shape(); len(shape) < least {
			if d, err = reshaped(d, append(slices.Repeat([]int{1}, least-len(shape)), shape...)); err != nil {
				return nil, err
			}
		}
		return newArray(c.host, d), nil
	}},
	{"np.zeros np.ones np.empty np.eye np.identity np.tri np.arange np.fromiter np.full", "shape dtype order M k N start stop step fill_value count", func(c *call) (starlark.Value, error) {
		return c.made(nil)
	}},
	{"np.zeros_like np.ones_like np.empty_like np.full_like", "dtype order subok shape fill_value", func(c *call) (starlark.Value, error) {
		x, err := c.operand()
		if err != nil {
			return nil, err
		}
		prototype := np.NewArray(c.host, tensor.New(kernels.Float64, x.shape()...))
		if v := c.v["dtype"]; v != nil {
			if _, ok := typeArg(v); !ok { // real, of a complex prototype
				return c.again(func(starlark.Value) starlark.Value { return prototype }, c.first())
			}
			return c.made(prototype)
		}
		if !isComplex(c.self) { // of another type, which a complex number does not fit
			return nil, value.Failure("TypeError", "got a complex fill_value for an array of %v; use dtype=complex", x.d.DType())
		}
		c.v["dtype"] = Type(partType(x))
		return c.made(prototype)
	}},
	{"np.linspace np.geomspace np.logspace", "stop num endpoint dtype axis", func(c *call) (starlark.Value, error) {
		if c.b.Name != "linspace" {
			return nil, absent(c.b.Name, kernels.Float64)
		}
		return c.linearOf("start", "stop")
	}},
	{"ndarray.astype", "dtype copy casting order subok", func(c *call) (starlark.Value, error) {
		v := c.v["dtype"]
		t, ok := typeArg(v)
		casting, _ := starlark.AsString(orNone(c.v["casting"]))
		a, isComplex := c.self.(*Array)
		if !ok {
			if !isComplex {
				return nil, realOnly(c.args, c.kwargs)
			}
			if casting != "" && casting != "unsafe" {
				return nil, value.Failure("TypeError", "cannot cast %s to %s by the rule %q; take .real", Type(a.part()).Name(), value.Str(v), casting)
			}
			return c.realAs(a, v)
		}
		if isComplex && a.part() == t.part() && c.v["copy"] == starlark.False {
			return a, nil
		}
		x, err := c.operand()
		if err != nil {
			return nil, err
		}
		d := x.as(t.part())
		if d == x.d {
			d = d.Copy()
		}
		return newArray(c.host, d), nil
	}},
	{"ndarray.copy", "order", func(c *call) (starlark.Value, error) {
		a, err := c.receiver()
		if err != nil {
			return nil, err
		}
		return newArray(c.host, a.pairs.D.Copy()), nil
	}},
	{"np.copyto", "src casting where", func(c *call) (starlark.Value, error) {
		to, ok := c.self.(*Array)
		if !ok {
			return nil, value.Failure("TypeError", "cannot cast complex numbers to %v; take .real", c.self.Type())
		}
		k := starlark.Value(value.Ellipsis)
		src := c.v["src"]
		if where := c.v["where"]; where != nil && where != starlark.True {
			mask, err := np.ToDense(where)
			if err != nil {
				return nil, err
			}
			x, err := operandOf(src)
			if err != nil {
				return nil, err
			}
			part := kernels.Promote(to.part(), kernels.Float32)
			wide, ok := x.as(part).BroadcastTo(to.pairs.D.Shape())
			mask, fits := mask.BroadcastTo(to.shape())
			if !ok || !fits {
				return nil, tensor.ShapeErrorf("src and where do not broadcast to shape %s", tensor.ShapeString(to.shape()))
			}
			m := np.NewArray(c.host, mask.Copy())
			from, _, err := newArray(c.host, wide.Copy()).Get(m)
			if err != nil {
				return nil, err
			}
			k, src = m, from
		}
		return starlark.None, to.SetKey(k, src)
	}},
}

// notReal refuses a real type for complex numbers.
func notReal(v starlark.Value) error {
	return value.Failure("TypeError", "cannot convert complex numbers to %s; take .real", value.Str(v))
}

// realAs is the real parts as a type of np's.
func (c *call) realAs(a *Array, dtype starlark.Value) (starlark.Value, error) {
	d, err := np.DtypeArg(dtype)
	if err != nil {
		return nil, err
	}
	if d.IsBool() {
		z := make([]bool, a.size())
		for i, v := range values(a.pairs.D) {
			z[i] = v != 0
		}
		return np.NewArray(c.host, tensor.FromBools(z, a.shape()...)), nil
	}
	return np.NewArray(c.host, a.parts(0).D.AsType(d)), nil
}

// made is what np makes of floats, as complex numbers; the number fill_value everywhere if there is
// one. A prototype stands for the first argument.
func (c *call) made(prototype starlark.Value) (starlark.Value, error) {
	fill := c.v["fill_value"]
	at := []string{"fill_value"}
	if prototype != nil {
		at = append(at, c.first())
	}
	var filled operand
	if fill != nil {
		var err error
		if filled, err = operandOf(fill); err != nil {
			return nil, err
		}
	}
	z, err := c.again(func(v starlark.Value) starlark.Value {
		if v == fill {
			return starlark.Float(0)
		}
		return prototype
	}, at...)
	if err != nil {
		return nil, err
	}
	d, err := np.ToDense(z)
	if err != nil {
		return nil, err
	}
	part := kernels.Float64
	if t, ok := typeArg(orNone(c.v["dtype"])); ok {
		part = t.part()
	} else if v := c.v["dtype"]; v != nil {
		return nil, notReal(v)
	} else if fill != nil {
		part = partType(filled)
	}
	pairs := joinedParts(d, nil).As(part)
	if fill != nil {
		wide, ok := filled.as(part).BroadcastTo(pairs.Shape())
		if !ok {
			return nil, tensor.ShapeErrorf("shape %s does not broadcast to shape %s", tensor.ShapeString(filled.shape()), tensor.ShapeString(d.Shape()))
		}
		tensor.CopyTo(pairs, wide)
	}
	return newArray(c.host, pairs), nil
}

// attributeRows are the functions that show elements, and change them.
var attributeRows = []row{
	{"ndarray.tolist", "", func(c *call) (starlark.Value, error) {
		a, err := c.receiver()
		if err != nil {
			return nil, err
		}
		return nested(values(a.pairs.D), a.shape()), nil
	}},
	{"ndarray.item", "index", func(c *call) (starlark.Value, error) {
		a, err := c.receiver()
		if err != nil {
			return nil, err
		}
		index, _ := orNone(c.v["index"]).(starlark.Tuple)
		switch {
		case len(index) == 0 && a.size() == 1:
			return value.Complex(values(a.pairs.D)[0]), nil
		case len(index) == 0:
			return nil, value.Failure("ValueError", "got an array of %d elements, want 1; give an index", a.size())
		}
		var k starlark.Value = index
		if t, ok := index[0].(starlark.Tuple); ok {
			k = t
		} else if len(index) == 1 {
			d, err := reshaped(a.pairs.D, []int{-1})
			if err != nil {
				return nil, err
			}
			a = newArray(c.host, d)
		}
		v, _, err := a.Get(k)
		if err != nil {
			return nil, err
		}
		x, ok := v.(Scalar)
		if !ok {
			return nil, value.Failure("ValueError", "got %d indices, want %d", len(index), a.rank())
		}
		return x.Plain(), nil
	}},
	{"ndarray.fill", "value", func(c *call) (starlark.Value, error) {
		a, ok := c.self.(*Array)
		if !ok {
			return nil, value.Failure("TypeError", "can't convert complex to float")
		}
		return starlark.None, a.SetKey(value.Ellipsis, c.v["value"])
	}},
	{"np.array_repr", "", func(c *call) (starlark.Value, error) { return text(c.self.String()), nil }},
	{"np.array2string np.array_str", "", func(c *call) (starlark.Value, error) { return text(value.Str(c.self)), nil }},
	{"ndarray.view", "dtype type", func(c *call) (starlark.Value, error) {
		a, ok := c.self.(*Array)
		if !ok {
			return c.paired()
		}
		v := c.v["dtype"]
		if v == nil {
			return a.view(a.pairs.D), nil
		}
		if t, ok := typeArg(v); ok && t.part() == a.part() {
			return a.view(a.pairs.D), nil
		}
		d, err := np.DtypeArg(v)
		if err != nil || d != a.part() || a.rank() == 0 || !a.pairs.D.IsContiguous() {
			return nil, value.Failure("TypeError", "got %s, want %v for an array of %s in C order", value.Str(v), a.part(), Type(a.part()).Name())
		}
		shape := slices.Clone(a.shape())
		shape[len(shape)-1] *= 2
		z, err := a.pairs.D.Reshape(shape...)
		if err != nil {
			return nil, err
		}
		return a.pairs.View(z), nil
	}},
}

// paired is the view of pairs of floats, along the last axis, as complex numbers.
func (c *call) paired() (starlark.Value, error) {
	a, ok := c.self.(*np.Array)
	t, isType := typeArg(orNone(c.v["dtype"]))
	if !ok || !isType || a.D.DType() != t.part() || a.D.Rank() == 0 || a.D.Dim(a.D.Rank()-1)%2 != 0 || !a.D.IsContiguous() {
		return nil, value.Failure("TypeError", "want an array of an even number of %v along the last axis, in C order", t.part())
	}
	shape := slices.Clone(a.D.Shape())
	shape[len(shape)-1] /= 2
	d, err := a.D.Reshape(append(shape, 2)...)
	if err != nil {
		return nil, err
	}
	return newArray(c.host, d), nil
}

func nested(z []complex128, shape []int) starlark.Value {
	if len(shape) == 0 {
		return value.Complex(z[0])
	}
	list := make([]starlark.Value, shape[0])
	step := tensor.Size(shape[1:])
	for i := range list {
		list[i] = nested(z[i*step:(i+1)*step], shape[1:])
	}
	return slot.NewList(list)
}
