package manipulation

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// An ndIter is np.nditer: a place in one array, or in several that are broadcast together, that
// moves from element to element. Elements are arrays without dimensions over the memory of theirs.
type ndIter struct {
	arrays   []*np.Array     // as they were given
	wide     []*tensor.Dense // the same with the shape of all
	writable []bool
	shape    []int
	order    []int  // axes, the slowest first
	down     []bool // axes that are walked from their end, where memory lies so
	index    []int  // of the element
	at, size int
	begun    bool // a loop has taken the element
	flags    []string
}

var (
	_ value.Tabled       = (*ndIter)(nil)
	_ starlark.Iterable  = (*ndIter)(nil)
	_ starlark.HasSetKey = (*ndIter)(nil)
)

func (it *ndIter) Type() string { return "nditer" }
func (it *ndIter) String() string {
	return fmt.Sprintf("<nditer of shape %s>", tensor.ShapeString(it.shape))
}
func (it *ndIter) Freeze()               {}
func (it *ndIter) Truth() starlark.Bool  { return true }
func (it *ndIter) Hash() (uint32, error) { return 0, errors.New("unhashable type: nditer") }
func (it *ndIter) Len() int              { return len(it.arrays) }
func (it *ndIter) Table() *value.Methods { return ndIterMethods }
func (it *ndIter) AttrNames() []string   { return ndIterMethods.Names() }
func (it *ndIter) Attr(name string) (starlark.Value, error) {
	return ndIterMethods.Attr(it, name)
}

// nditerArgs are the arguments of np.nditer.
type nditerArgs struct {
	Op      starlark.Value `arg:"op: an array, or a list of arrays that broadcast together"`
	Flags   starlark.Value `arg:"flags=None: a list: \"multi_index\", \"c_index\", \"f_index\", \"zerosize_ok\""`
	OpFlags starlark.Value `arg:"op_flags=None: [\"readwrite\"] where elements are assigned to; of several arrays a list of such"`
	DTypes  starlark.Value `arg:"op_dtypes=None: not in Arignote"`
	Order   string         `arg:"order=\"K\": of the axes: C, F, or K for that of memory"`
}

// ndIterFlags are those that np.nditer takes, true if they have an effect.
var ndIterFlags = map[string]bool{"multi_index": true, "c_index": true, "f_index": true, "zerosize_ok": true, "refs_ok": false, "buffered": false,
	"copy_if_overlap": false, "delay_bufalloc": false, "growinner": false, "common_dtype": false, "ranged": false, "reduce_ok": false}

var nditerFunction = np.Function("np.nditer", "A place in an array that moves from element to element: for x in np.nditer(a), or it.finished and it.iternext().",
	"a = np.arange(3)\nfor x in np.nditer(a, op_flags=[\"readwrite\"]): x[...] = 2 * x\na # array([0, 2, 4])", func(e *np.Eval, a *nditerArgs) starlark.Value {
		it := new(ndIter)
		return np.Keep[starlark.Value](e, it, it.set(e, a), nil)
	})

// set reads the arguments.
func (it *ndIter) set(e *np.Eval, a *nditerArgs) error {
	given := []starlark.Value{a.Op}
	list, several := a.Op.(*slot.List)
	if tuple, ok := a.Op.(starlark.Tuple); ok {
		list, several = slot.NewList(tuple), true
	}
	if several = several && list.Len() > 0 && slices.ContainsFunc(slices.Collect(starlark.Elements(list)), func(v starlark.Value) bool {
		_, isArray := v.(*np.Array)
		return isArray || v == starlark.None
	}); several {
		given = slices.Collect(starlark.Elements(list))
	}
	if a.DTypes != nil && a.DTypes != starlark.None {
		return errors.New("for parameter op_dtypes: convert the array before: a.astype(dtype)")
	}
	for _, v := range given {
		if v == starlark.None {
			return errors.New("for parameter op: got None, for a new array; make it before, by np.empty_like")
		}
		arr, ok := v.(*np.Array)
		if !ok {
			d, err := np.ToDense(v)
			if err != nil {
				return fmt.Errorf("for parameter op: %w", err)
			}
			arr = np.NewArray(e.Session, d)
		}
		it.arrays = append(it.arrays, arr)
	}
	var err error
	if it.flags, err = textsOf("flags", a.Flags); err != nil {
		return err
	}
	for _, f := range it.flags {
		if _, ok := ndIterFlags[f]; !ok {
			return fmt.Errorf("for parameter flags: got %q, which is not in Arignote; want some of \"multi_index\", \"c_index\", \"f_index\" and \"zerosize_ok\"", f)
		}
	}
	if err := it.setAccess(a.OpFlags); err != nil {
		return err
	}
	if err := it.broadcast(); err != nil {
		return err
	}
	if it.size = tensor.Size(it.shape); it.size == 0 && !slices.Contains(it.flags, "zerosize_ok") {
		return errors.New("for parameter op: got an array without elements: give flags=[\"zerosize_ok\"] where that may be")
	}
	return it.arrange(a.Order)
}

// textsOf are the texts of a list.
func textsOf(parameter string, v starlark.Value) ([]string, error) {
	if v == nil || v == starlark.None {
		return nil, nil
	}
	xs, ok := v.(starlark.Iterable)
	if _, isText := v.(starlark.String); isText || !ok {
		return nil, fmt.Errorf("for parameter %s: got %s, want a list of strings", parameter, v.Type())
	}
	var out []string
	for x := range starlark.Elements(xs) {
		s, ok := x.(starlark.String)
		if !ok {
			return nil, fmt.Errorf("for parameter %s: got a list with a %s, want strings", parameter, x.Type())
		}
		out = append(out, string(s))
	}
	return out, nil
}

// setAccess reads which arrays are assigned to.
func (it *ndIter) setAccess(v starlark.Value) error {
	it.writable = make([]bool, len(it.arrays))
	each := []starlark.Value{v}
	if xs, ok := v.(starlark.Indexable); ok && xs.Len() > 0 && xs.Index(0).Type() != "string" {
		each = slices.Collect(starlark.Elements(v.(starlark.Iterable)))
		if len(each) != len(it.arrays) {
			return fmt.Errorf("for parameter op_flags: got %d lists, want one for each of %d arrays", len(each), len(it.arrays))
		}
	}
	for i := range it.arrays {
		flags, err := textsOf("op_flags", each[min(i, len(each)-1)])
		if err != nil {
			return err
		}
		for _, f := range flags {
			switch f {
			case "readwrite", "writeonly":
				if err := it.arrays[i].Writable(); err != nil {
					return err
				}
				it.writable[i] = true
			case "readonly":
			default:
				return fmt.Errorf("for parameter op_flags: got %q, want \"readonly\", \"readwrite\" or \"writeonly\"", f)
			}
		}
	}
	return nil
}

// broadcast gives all arrays one shape.
func (it *ndIter) broadcast() error {
	for _, a := range it.arrays {
		shape := a.D.Shape()
		n := max(len(shape), len(it.shape))
		all := make([]int, n)
		for i := range all {
			x, y := 1, 1
			if k := i - n + len(it.shape); k >= 0 {
				x = it.shape[k]
			}
			if k := i - n + len(shape); k >= 0 {
				y = shape[k]
			}
			if all[i] = x; x == 1 {
				all[i] = y
			} else if y != 1 && y != x {
				return fmt.Errorf("for parameter op: the shapes %s and %s do not broadcast", tensor.ShapeString(it.shape), tensor.ShapeString(shape))
			}
		}
		it.shape = all
	}
	for i, a := range it.arrays {
		d, ok := a.D.BroadcastTo(it.shape)
		if !ok {
			return fmt.Errorf("for parameter op: the shape %s does not broadcast to %s", tensor.ShapeString(a.D.Shape()), tensor.ShapeString(it.shape))
		}
		if it.writable[i] && !slices.Equal(a.D.Shape(), it.shape) {
			return fmt.Errorf("for parameter op: the shape %s would be broadcast to %s, and is assigned to", tensor.ShapeString(a.D.Shape()), tensor.ShapeString(it.shape))
		}
		it.wide = append(it.wide, d)
	}
	return nil
}

// arrange sets the order of the axes.
func (it *ndIter) arrange(order string) error {
	n := len(it.shape)
	it.order, it.down, it.index = make([]int, n), make([]bool, n), make([]int, n)
	for i := range it.order {
		it.order[i] = i
	}
	switch order {
	case "C":
	case "F":
		slices.Reverse(it.order)
	case "K", "A":
		for i := 1; i < n; i++ { // an insertion, since arrays that are broadcast along an axis say nothing of its place
			for k := i; k > 0 && it.slower(it.order[k], it.order[k-1]); k-- {
				it.order[k], it.order[k-1] = it.order[k-1], it.order[k]
			}
		}
		for axis := range it.down {
			up := func(d *tensor.Dense) bool { return d.Strides()[axis] > 0 }
			down := func(d *tensor.Dense) bool { return d.Strides()[axis] < 0 }
			it.down[axis] = slices.ContainsFunc(it.wide, down) && !slices.ContainsFunc(it.wide, up)
		}
	default:
		return fmt.Errorf("for parameter order: got %q, want C, F, A or K", order)
	}
	it.reset()
	return nil
}

// slower says whether axis a is walked outside of axis b, by where the elements of the first array
// lie that has both.
func (it *ndIter) slower(a, b int) bool {
	for _, d := range it.wide {
		x, y := d.Strides()[a], d.Strides()[b]
		if x != 0 && y != 0 {
			return max(x, -x) > max(y, -y)
		}
	}
	return false
}

func (it *ndIter) reset() {
	it.at, it.begun = 0, false
	for axis := range it.index {
		it.index[axis] = 0
		if it.down[axis] {
			it.index[axis] = it.shape[axis] - 1
		}
	}
}

// move goes to the next element, and reports whether there is one.
func (it *ndIter) move() bool {
	if it.at++; it.at >= it.size {
		it.at = it.size
		return false
	}
	for k := len(it.order) - 1; k >= 0; k-- {
		axis := it.order[k]
		if it.down[axis] {
			if it.index[axis]--; it.index[axis] >= 0 {
				break
			}
			it.index[axis] = it.shape[axis] - 1
			continue
		}
		if it.index[axis]++; it.index[axis] < it.shape[axis] {
			break
		}
		it.index[axis] = 0
	}
	return true
}

// element is the element of array i.
func (it *ndIter) element(i int) *np.Array {
	d := it.wide[i]
	offset := d.Offset()
	for axis, s := range d.Strides() {
		offset += s * it.index[axis]
	}
	v := it.arrays[i].View(d.View(d.DType(), nil, nil, offset))
	if !it.writable[i] {
		v.FreezeView()
	}
	return v
}

// value is the element, of several arrays the tuple of them.
func (it *ndIter) value() (starlark.Value, error) {
	if it.at >= it.size {
		return nil, errors.New("nditer: the iterator is past its last element: it.reset() begins again")
	}
	if len(it.arrays) == 1 {
		return it.element(0), nil
	}
	all := make(starlark.Tuple, len(it.arrays))
	for i := range all {
		all[i] = it.element(i)
	}
	return all, nil
}

// Get is it[i], the element of array i.
func (it *ndIter) Get(k starlark.Value) (starlark.Value, bool, error) {
	i, err := it.operand(k)
	if err != nil {
		return nil, false, err
	}
	return it.element(i), true, nil
}

// SetKey is it[i] = v.
func (it *ndIter) SetKey(k, v starlark.Value) error {
	i, err := it.operand(k)
	if err != nil {
		return err
	}
	if !it.writable[i] {
		return fmt.Errorf("nditer: array %d is read only: give op_flags=[\"readwrite\"]", i)
	}
	return it.element(i).SetKey(value.Ellipsis, v)
}

func (it *ndIter) operand(k starlark.Value) (int, error) {
	i, err := starlark.AsInt32(value.Plain(k))
	if err != nil {
		return 0, fmt.Errorf("nditer index: %w", err)
	}
	n := len(it.arrays)
	if i < -n || i >= n {
		return 0, fmt.Errorf("nditer index %d out of range: it has %d arrays", i, n)
	}
	if it.at >= it.size {
		return 0, errors.New("nditer: the iterator is past its last element: it.reset() begins again")
	}
	return (i + n) % n, nil
}

// Iterate goes on from where the iterator is.
func (it *ndIter) Iterate() starlark.Iterator { return it }
func (it *ndIter) Done()                      {}
func (it *ndIter) Next(p *starlark.Value) bool {
	if it.begun {
		it.move()
	}
	it.begun = true
	v, err := it.value()
	if err != nil {
		return false
	}
	*p = v
	return true
}

// flat is the place of the element in C order, or in that of Fortran.
func (it *ndIter) flat(fortran bool) int {
	axes := make([]int, len(it.shape))
	for i := range axes {
		axes[i] = i
	}
	if fortran {
		slices.Reverse(axes)
	}
	n := 0
	for _, axis := range axes {
		n = n*it.shape[axis] + it.index[axis]
	}
	return n
}

const nditerExample = "it = np.nditer(np.array([[1, 2]]), flags=[\"multi_index\", \"c_index\"]); it."

func nditerRow(name, doc, example string, fn func(it *ndIter) (starlark.Value, error)) value.Builtin {
	return np.ArgRow("nditer.", name, doc, example, func(e *np.Eval, _ *struct{}) starlark.Value {
		v, err := fn(e.Receiver().(*ndIter))
		return np.Keep(e, v, err, nil)
	})
}

// needs is an attribute that there is only with a flag.
func needs(name, doc, example, flags string, get func(it *ndIter) (starlark.Value, error)) value.Field {
	return value.Field{Name: name, Doc: doc, Example: nditerExample + example, Get: func(recv starlark.Value) (starlark.Value, error) {
		it := recv.(*ndIter)
		for f := range strings.FieldsSeq(flags) {
			if slices.Contains(it.flags, f) {
				return get(it)
			}
		}
		return nil, fmt.Errorf("nditer: .%s is there with flags=[%q]", name, strings.Fields(flags)[0])
	}}
}

var ndIterMethods = value.NewMethods("nditer", []value.Builtin{
	nditerRow("iternext", "Moves to the next element, and says whether there is one.", nditerExample+"iternext() # True",
		func(it *ndIter) (starlark.Value, error) { return starlark.Bool(it.move()), nil }),
	nditerRow("reset", "Moves to the first element.", nditerExample+"iternext(); it.reset(); it.multi_index # (0, 0)",
		func(it *ndIter) (starlark.Value, error) { it.reset(); return starlark.None, nil }),
	nditerRow("close", "Does nothing: elements are written at once.", "print(np.nditer(np.arange(2)).close()) # None", func(*ndIter) (starlark.Value, error) { return starlark.None, nil }),
	nditerRow("__enter__", "The iterator: with calls it.", nditerExample+"__enter__() == it # True",
		func(it *ndIter) (starlark.Value, error) { return it, nil }),
	np.ArgRow("nditer.", "__exit__", "Does nothing: with calls it.", "print(np.nditer(np.arange(2)).__exit__(None, None, None)) # None", func(e *np.Eval, _ *struct {
		Type  starlark.Value `arg:"type: the class of an exception, or None"`
		Value starlark.Value `arg:"value: the exception, or None"`
		Trace starlark.Value `arg:"traceback: None"`
	}) starlark.Value {
		return starlark.None
	}),
}).With(
	value.FieldOf("finished", "Whether it is past the last element.", nditerExample+"finished # False",
		func(it *ndIter) starlark.Value { return starlark.Bool(it.at >= it.size) }),
	needs("multi_index", "The index of the element, with flags=[\"multi_index\"].", "multi_index # (0, 0)", "multi_index",
		func(it *ndIter) (starlark.Value, error) { return np.IntTuple(slices.Clone(it.index)), nil }),
	needs("index", "The place of the element in C order or that of Fortran, with flags=[\"c_index\"] or [\"f_index\"].", "index # 0", "c_index f_index",
		func(it *ndIter) (starlark.Value, error) {
			return starlark.MakeInt(it.flat(slices.Contains(it.flags, "f_index"))), nil
		}),
	value.Field{Name: "value", Doc: "The element; of several arrays a tuple.", Example: nditerExample + "value # array(1)",
		Get: func(recv starlark.Value) (starlark.Value, error) { return recv.(*ndIter).value() }},
	value.FieldOf("itersize", "How many elements there are.", nditerExample+"itersize # 2", func(it *ndIter) starlark.Value { return starlark.MakeInt(it.size) }),
	value.FieldOf("iterindex", "How many elements it has passed.", nditerExample+"iterindex # 0", func(it *ndIter) starlark.Value { return starlark.MakeInt(it.at) }),
	value.FieldOf("shape", "The shape of all.", nditerExample+"shape # (1, 2)", func(it *ndIter) starlark.Value { return np.IntTuple(slices.Clone(it.shape)) }),
	value.FieldOf("ndim", "How many axes there are.", nditerExample+"ndim # 2", func(it *ndIter) starlark.Value { return starlark.MakeInt(len(it.shape)) }),
	value.FieldOf("nop", "How many arrays there are.", nditerExample+"nop # 1", func(it *ndIter) starlark.Value { return starlark.MakeInt(len(it.arrays)) }),
	value.FieldOf("operands", "The arrays.", nditerExample+"operands # (array([[1, 2]]),)", func(it *ndIter) starlark.Value {
		all := make(starlark.Tuple, len(it.arrays))
		for i, a := range it.arrays {
			all[i] = a
		}
		return all
	}))
