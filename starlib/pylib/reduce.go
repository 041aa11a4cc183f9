package pylib

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/np/npy"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// reducers are the functions that a pickle may call: those by which Python and NumPy write data.
var reducers = map[string]func(u *unpickler, args starlark.Tuple) (starlark.Value, error){
	"numpy.core.multiarray._reconstruct": func(u *unpickler, _ starlark.Tuple) (starlark.Value, error) {
		return &madeArray{class: "ndarray", host: value.HostOf(u.thread)}, nil
	},
	"numpy.core.numeric._frombuffer": fromBuffer,
	"numpy.core.multiarray.scalar": func(u *unpickler, args starlark.Tuple) (starlark.Value, error) {
		if len(args) != 2 {
			return nil, errPickle
		}
		return arrayOf(value.HostOf(u.thread), args[0], starlark.Tuple{}, args[1], false)
	},
	"numpy.dtype": func(_ *unpickler, args starlark.Tuple) (starlark.Value, error) {
		if len(args) == 0 {
			return nil, errPickle
		}
		name, ok := rawBytes(args[0])
		if !ok {
			return nil, errPickle
		}
		return &madeType{"dtype", "|" + strings.TrimLeft(string(name), "<>|=")}, nil
	},
	"_codecs.encode": func(_ *unpickler, args starlark.Tuple) (starlark.Value, error) { // bytes in the protocols before 3
		if len(args) == 0 {
			return nil, errPickle
		}
		b, ok := rawBytes(args[0])
		if !ok {
			return nil, errPickle
		}
		return starlark.Bytes(b), nil
	},
	"builtins.bytes":     bytesOf,
	"builtins.bytearray": bytesOf,
	"builtins.set":       func(u *unpickler, args starlark.Tuple) (starlark.Value, error) { return setOf(u, args) },
	"builtins.frozenset": func(u *unpickler, args starlark.Tuple) (starlark.Value, error) {
		set, err := setOf(u, args)
		if err != nil {
			return nil, err
		}
		return set.Constant(), nil
	},
	"builtins.list":           func(u *unpickler, args starlark.Tuple) (starlark.Value, error) { return listOf(u.thread, args) },
	"builtins.dict":           dictOf,
	"collections.OrderedDict": dictOf,
	"collections.deque": func(u *unpickler, args starlark.Tuple) (starlark.Value, error) {
		d := &deque{class: "deque", most: -1}
		if len(args) > 1 && args[1] != starlark.None {
			n, err := starlark.AsInt32(args[1])
			if err != nil || n < 0 {
				return nil, errPickle
			}
			d.most = n
		}
		if len(args) > 0 {
			items, err := elements(u.thread, args[0])
			if err != nil {
				return nil, errPickle
			}
			for _, x := range items {
				d.push(x)
			}
		}
		return d, nil
	},
	"collections.Counter": func(u *unpickler, args starlark.Tuple) (starlark.Value, error) {
		v, err := dictOf(u, args)
		if err != nil {
			return nil, err
		}
		return &counter{v.(*slot.Dict)}, nil
	},
	"builtins.complex": func(_ *unpickler, args starlark.Tuple) (starlark.Value, error) {
		return value.Call(new(starlark.Thread), value.TypeRow("complex").Value(), args, nil)
	},
	"builtins.range":  rangeOf,
	"builtins.xrange": rangeOf,
	"builtins.slice":  func(_ *unpickler, a starlark.Tuple) (starlark.Value, error) { return sliceOf(a) },
	"builtins.object": func(*unpickler, starlark.Tuple) (starlark.Value, error) {
		return nil, failure("UnpicklingError", "load: the pickle has an object, and data alone is read")
	},
}

// plainClasses are classes that are arguments of reducers.
var plainClasses = map[string]bool{"numpy.ndarray": true, "builtins.float": true, "builtins.int": true}

func bytesOf(_ *unpickler, args starlark.Tuple) (starlark.Value, error) {
	if len(args) == 0 {
		return starlark.Bytes(""), nil
	}
	b, ok := rawBytes(args[0])
	if !ok {
		return nil, errPickle
	}
	return starlark.Bytes(b), nil
}

func listOf(thread *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	if len(args) == 0 {
		return new(slot.List), nil
	}
	items, err := elements(thread, args[0])
	if err != nil {
		return nil, errPickle
	}
	return slot.NewList(items), nil
}

func setOf(u *unpickler, args starlark.Tuple) (*slot.Set, error) {
	set := new(slot.Set)
	if len(args) == 0 {
		return set, nil
	}
	items, err := elements(u.thread, args[0])
	if err != nil {
		return nil, errPickle
	}
	for _, x := range value.Heard(u.thread, items) {
		if err := value.CheckKey(x); err != nil {
			return nil, err
		}
		if err := set.Insert(value.Plain(x)); err != nil {
			return nil, err
		}
	}
	return set, nil
}

// dictOf is a dict of a list of pairs, or of a dict.
func dictOf(u *unpickler, args starlark.Tuple) (starlark.Value, error) {
	d := new(slot.Dict)
	if len(args) == 0 {
		return d, nil
	}
	var pairs []starlark.Value
	if m, ok := args[0].(starlark.IterableMapping); ok {
		for _, kv := range m.Items() {
			pairs = append(pairs, kv)
		}
	} else {
		items, err := elements(u.thread, args[0])
		if err != nil {
			return nil, errPickle
		}
		pairs = items
	}
	for _, p := range value.Heard(u.thread, pairs) {
		kv, err := elements(u.thread, p)
		if err != nil || len(kv) != 2 {
			return nil, errPickle
		}
		if err := value.CheckKey(kv[0]); err != nil {
			return nil, err
		}
		if err := d.SetKey(value.Plain(kv[0]), kv[1]); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func rangeOf(u *unpickler, args starlark.Tuple) (starlark.Value, error) {
	return value.Call(u.thread, starlark.Universe["range"], args, nil)
}

func sliceOf(args starlark.Tuple) (starlark.Value, error) {
	if len(args) != 3 {
		return nil, errPickle
	}
	return &value.Slice{Lo: args[0], Hi: args[1], Step: args[2]}, nil
}

// A madeType is a dtype, which gets its byte order by BUILD.
type madeType struct {
	class
	descr string // as NumPy writes it: "<f8"
}

func (t *madeType) build(state starlark.Value) error {
	s, ok := state.(starlark.Tuple)
	if !ok || len(s) < 2 {
		return errPickle
	}
	order, ok := rawBytes(s[1])
	if !ok || len(order) != 1 || !strings.Contains("<>|=", string(order)) {
		return errPickle
	}
	t.descr = string(order) + t.descr[1:]
	return nil
}

func (t *madeType) value() (starlark.Value, error) { return t, nil }

// A madeArray is an array, which gets all that it is by BUILD.
type madeArray struct {
	class
	host  value.Host
	array starlark.Value
}

func (m *madeArray) build(state starlark.Value) error {
	s, ok := state.(starlark.Tuple)
	if !ok || len(s) != 5 || m.array != nil {
		return errPickle
	}
	shape, ok := s[1].(starlark.Tuple)
	if !ok {
		return errPickle
	}
	var err error
	m.array, err = arrayOf(m.host, s[2], shape, s[4], bool(s[3].Truth()))
	return err
}

func (m *madeArray) value() (starlark.Value, error) {
	if m.array == nil {
		return nil, errPickle
	}
	return m.array, nil
}

// fromBuffer is how protocol 5 writes an array: buffer, dtype, shape, order.
func fromBuffer(u *unpickler, args starlark.Tuple) (starlark.Value, error) {
	if len(args) != 4 {
		return nil, errPickle
	}
	shape, ok := args[2].(starlark.Tuple)
	order, isText := starlark.AsString(args[3])
	if !ok || !isText {
		return nil, errPickle
	}
	return arrayOf(value.HostOf(u.thread), args[1], shape, args[0], order == "F")
}

// arrayOf is the array of these bytes; without axes a scalar. It is read as if it stood in a file
// of NumPy's, which checks it.
func arrayOf(host value.Host, dtype starlark.Value, shape starlark.Tuple, data starlark.Value, fortran bool) (starlark.Value, error) {
	t, ok := dtype.(*madeType)
	if !ok {
		return nil, errPickle
	}
	raw, ok := rawBytes(data)
	if !ok {
		return nil, failure("UnpicklingError", "load: an array of elements that are %s: numbers alone are read", data.Type())
	}
	lengths := ""
	for _, n := range shape {
		i, err := starlark.AsInt32(n)
		if err != nil || i < 0 {
			return nil, errPickle
		}
		lengths += strconv.Itoa(i) + ", "
	}
	order := "False"
	if fortran {
		order = "True"
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }\n", t.descr, order, lengths)
	file := "\x93NUMPY\x01\x00" + string([]byte{byte(len(header)), byte(len(header) >> 8)}) + header
	d, err := npy.Read(bytes.NewReader(append([]byte(file), raw...)))
	if err != nil {
		return nil, failure("UnpicklingError", "load: %v", err)
	}
	if len(shape) == 0 {
		return np.FromDenseIn(host, d), nil
	}
	return np.NewArray(host, d), nil
}

// rawArray takes an array apart into what arrayOf needs, in C order.
func rawArray(d *tensor.Dense) (descr string, raw []byte) {
	if !d.IsContiguous() {
		d = d.Copy()
	}
	var file bytes.Buffer
	if err := npy.Write(&file, d); err != nil {
		panic("BUG: an array that cannot be written: " + err.Error())
	}
	b := file.Bytes()
	n := int(b[8]) + int(b[9])<<8 + 10
	_, descr, _ = strings.Cut(string(b[:n]), "'descr': '")
	descr, _, _ = strings.Cut(descr, "'")
	return descr, b[n:]
}
