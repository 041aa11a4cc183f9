package saving

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/graphfile"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/safetensors"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/np/random"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A program is what a file of functions holds: the functions, and a value in which they are met by
// number.
type program struct {
	Functions []*symbolic.FunctionRecord `json:"functions,omitempty"`
	Value     item                       `json:"value"`
}

// An item is a value. At most one of its fields says which; None has none.
type item struct {
	Function  *int     `json:"function,omitempty"`
	Variable  string   `json:"variable,omitempty"`
	Array     string   `json:"array,omitempty"`
	Scalar    string   `json:"scalar,omitempty"` // an array without dimensions, as a number of NumPy's
	Generator string   `json:"generator,omitempty"`
	Float     string   `json:"float,omitempty"`
	Int       string   `json:"int,omitempty"`
	Bool      *bool    `json:"bool,omitempty"`
	Text      *string  `json:"text,omitempty"`
	List      *[]item  `json:"list,omitempty"`
	Tuple     *[]item  `json:"tuple,omitempty"`
	Dict      *[]entry `json:"dict,omitempty"`
}

type entry struct {
	Key   string `json:"key"`
	Value item   `json:"value"`
}

// maxDepth is how deep lists and dicts may nest in one another.
const maxDepth = 100

// A keeper makes items of values.
type keeper struct {
	*graphfile.Writer
	program
	numbers map[*symbolic.Function]int
}

// ofProgram is the write of a value in which there may be functions and variables.
func ofProgram(s *symbolic.Session, v starlark.Value, metadata map[string]string) (func(w io.Writer) error, error) {
	k := &keeper{Writer: graphfile.NewWriter(op.LookupBy), numbers: make(map[*symbolic.Function]int)}
	var err error
	if k.Value, err = k.item("values", "value", v, 0); err != nil {
		return nil, err
	}
	line := func(file string, n int) (string, bool) { return s.Source(file).Get(n) }
	return func(w io.Writer) error { return k.Save(w, k.program, metadata, line, stopOf(s)) }, nil
}

// stopOf says why what takes long is to end, if so.
func stopOf(s *symbolic.Session) func() error {
	return func() error {
		if s.Context().Err() != nil {
			return context.Cause(s.Context())
		}
		return nil
	}
}

// item is v, which stands at a path, such as values["w"][0]. name is what an array there would be
// called.
func (k *keeper) item(path, name string, v starlark.Value, depth int) (it item, err error) {
	if depth > maxDepth {
		return it, fmt.Errorf("%s: got values that nest deeper than %d", path, maxDepth)
	}
	wrong := func(err error) (item, error) { return item{}, fmt.Errorf("%s: %w", path, err) }
	switch v := v.(type) {
	case starlark.NoneType:
	case *symbolic.Function:
		n, ok := k.numbers[v]
		if !ok {
			r, err := v.Record(k)
			if err != nil {
				return wrong(located(err))
			}
			n = len(k.Functions)
			k.numbers[v], k.Functions = n, append(k.Functions, r)
		}
		it.Function = &n
	case symbolic.Symbol:
		if it.Variable, err = k.Variable(v.Variable()); err != nil {
			return wrong(located(err))
		}
	case starlark.Bool:
		b := bool(v)
		it.Bool = &b
	case starlark.Int:
		if it.Int = v.String(); len(it.Int) > maxDigits {
			return wrong(fmt.Errorf("got a whole number of %d digits, want at most %d", len(it.Int), maxDigits))
		}
	case starlark.Float:
		it.Float = strconv.FormatFloat(float64(v), 'g', -1, 64)
	case starlark.String:
		text := string(v)
		if !utf8.ValidString(text) {
			return wrong(fmt.Errorf("got a text that is no UTF-8"))
		}
		it.Text = &text
	case np.Scalar:
		d, err := np.ToDense(v)
		if err != nil {
			return wrong(err)
		}
		it.Scalar = k.Array(name, d)
	case *np.Array:
		it.Array = k.Array(name, v.Dense())
	case *slot.List:
		it.List, err = k.items(path, name, v, depth)
	case starlark.Tuple:
		it.Tuple, err = k.items(path, name, v, depth)
	case *slot.Dict:
		entries := []entry{}
		for _, pair := range v.Items() {
			key, ok := starlark.AsString(pair[0])
			if !ok || !utf8.ValidString(key) {
				return wrong(fmt.Errorf("got the key %s, want a string", value.Repr(pair[0])))
			}
			e := entry{Key: key}
			if e.Value, err = k.item(path+"["+strconv.Quote(key)+"]", key, pair[1], depth+1); err != nil {
				return it, err
			}
			entries = append(entries, e)
		}
		it.Dict = &entries
	default:
		if words, _, ok := random.StateOf(v); ok {
			it.Generator = k.Array(name, words)
			return it, nil
		}
		return wrong(fmt.Errorf("got %s, want functions, symbolic variables, arrays, numbers, text, and lists and dicts of them", v.Type()))
	}
	return it, err
}

func (k *keeper) items(path, name string, list starlark.Indexable, depth int) (*[]item, error) {
	items := []item{}
	for i := range list.Len() {
		it, err := k.item(fmt.Sprintf("%s[%d]", path, i), fmt.Sprintf("%s %d", name, i), list.Index(i), depth+1)
		if err != nil {
			return nil, err
		}
		items = append(items, it)
	}
	return &items, nil
}

// located is an error of the graph with the line that it is about.
func located(err error) error {
	var e *graph.Error
	if errors.As(err, &e) && e.Pos.IsValid() {
		return fmt.Errorf("%w\n    %s: it was written here", err, e.Pos)
	}
	return err
}

// A finder makes values of items.
type finder struct {
	*graphfile.File
	s         *symbolic.Session
	functions []*symbolic.Function
}

// Encode is what save writes to a file .arignote for v, in memory. The same value gives the same
// bytes, in any process of the same version.
func Encode(s *symbolic.Session, v starlark.Value) ([]byte, error) {
	write, err := ofProgram(s, v, nil)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Decode is the value that Encode was given. Lines of its functions are said to be in a file of the
// name.
func Decode(s *symbolic.Session, name string, data []byte) (starlark.Value, error) {
	from, err := safetensors.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	if !graphfile.IsGraphs(from) {
		return nil, fmt.Errorf("got a file of arrays, want one of values")
	}
	return readProgram(s, name, from, stopOf(s))
}

// readProgram reads a file of functions and variables, which has a name in the session.
func readProgram(s *symbolic.Session, name string, from *safetensors.File, stop func() error) (starlark.Value, error) {
	f, err := graphfile.Read(name, from, op.LookupBy, stop)
	if err != nil {
		return nil, err
	}
	var p program
	if err := f.Decode(&p); err != nil {
		return nil, err
	}
	for _, v := range f.Shared {
		if err := symbolic.CheckValue(v.Type, v.Shared.Get()); err != nil {
			return nil, fmt.Errorf("%s: %w", graph.Mention(v), err)
		}
	}
	for file, lines := range f.Lines {
		s.KeepLines(file, lines)
	}
	k := &finder{File: f, s: s}
	for i, r := range p.Functions {
		if r == nil {
			return nil, fmt.Errorf("function %d is missing", i)
		}
		if err := stop(); err != nil {
			return nil, err
		}
		fn, err := s.FromRecord(r, f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.Name, err)
		}
		k.functions = append(k.functions, fn)
	}
	return k.value(&p.Value, 0)
}

type loadedKey struct{}

// calledHere is what a file is called in the session: its name, and a number if another file of
// that name was loaded, whose functions have other lines.
func calledHere(s *symbolic.Session, name, checksum string) string {
	loaded := s.Local(loadedKey{}, func() any { return make(map[string]string) }).(map[string]string)
	free := name
	for i := 2; loaded[free] != "" && loaded[free] != checksum; i++ {
		free = fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(name, graphfile.Suffix), i, graphfile.Suffix)
	}
	loaded[free] = checksum
	return free
}

func (k *finder) value(it *item, depth int) (starlark.Value, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("got values that nest deeper than %d", maxDepth)
	}
	switch {
	case it.Function != nil:
		if *it.Function < 0 || *it.Function >= len(k.functions) {
			return nil, fmt.Errorf("got the number %d of a function, of which there are %d", *it.Function, len(k.functions))
		}
		return k.functions[*it.Function], nil
	case it.Variable != "":
		v, err := k.Variable(it.Variable)
		if err != nil {
			return nil, err
		}
		return k.s.NewSymbol(v), nil
	case it.Array != "":
		d, err := k.Array(it.Array)
		if err != nil {
			return nil, err
		}
		return np.NewArray(k.s, d), nil
	case it.Scalar != "":
		d, err := k.Array(it.Scalar)
		switch {
		case err != nil:
			return nil, err
		case d.Rank() != 0:
			return nil, fmt.Errorf("got %q with %d dimensions, want a number", it.Scalar, d.Rank())
		}
		return np.FromDenseIn(k.s, d), nil
	case it.Generator != "":
		d, err := k.Array(it.Generator)
		if err == nil && (d.DType() != graph.StateType(graph.GeneratorState).DType || d.Rank() != 1) {
			err = fmt.Errorf("got %q of type %v, want the state of a generator", it.Generator, graph.TypeOfValue(d))
		}
		if err != nil {
			return nil, err
		}
		return random.FromState(d)
	case it.Float != "":
		f, err := strconv.ParseFloat(it.Float, 64)
		if err != nil {
			return nil, fmt.Errorf("got %q, want a number", it.Float)
		}
		return starlark.Float(f), nil
	case it.Int != "":
		return whole(it.Int)
	case it.Bool != nil:
		return starlark.Bool(*it.Bool), nil
	case it.Text != nil:
		return starlark.String(*it.Text), nil
	case it.List != nil:
		values, err := k.values(*it.List, depth)
		return slot.NewList(values), err
	case it.Tuple != nil:
		values, err := k.values(*it.Tuple, depth)
		return starlark.Tuple(values), err
	case it.Dict != nil:
		d := slot.NewDict(len(*it.Dict))
		for _, e := range *it.Dict {
			v, err := k.value(&e.Value, depth+1)
			if err == nil {
				err = d.SetKey(starlark.String(e.Key), v)
			}
			if err != nil {
				return nil, err
			}
		}
		return d, nil
	}
	return starlark.None, nil
}

func (k *finder) values(items []item, depth int) ([]starlark.Value, error) {
	values := make([]starlark.Value, len(items))
	for i := range items {
		var err error
		if values[i], err = k.value(&items[i], depth+1); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// maxDigits is the longest whole number: to read digits takes more than their number in time.
const maxDigits = 100_000

func whole(text string) (starlark.Value, error) {
	if len(text) > maxDigits {
		return nil, fmt.Errorf("got a whole number of %d digits, want at most %d", len(text), maxDigits)
	}
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return nil, fmt.Errorf("got %q, want a whole number", text)
	}
	return starlark.MakeBigInt(n), nil
}
