package fleet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"

	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// mostElements bounds an array in results, which are for tables.
const mostElements = 100_000

// JSONOf is a value as JSON: numbers, NumPy's too, text, bool, None, arrays as lists, and lists,
// tuples and dicts of them. What JSON has no number for, nan and the infinities, is text.
func JSONOf(v starlark.Value) (json.RawMessage, error) { return jsonOf(v, 0) }

func jsonOf(v starlark.Value, depth int) (json.RawMessage, error) {
	if depth > 100 {
		return nil, fmt.Errorf("got values that nest deeper than 100")
	}
	switch x := value.Plain(v).(type) {
	case starlark.NoneType:
		return json.RawMessage("null"), nil
	case starlark.Bool:
		return json.Marshal(bool(x))
	case starlark.Int:
		return json.RawMessage(x.String()), nil
	case starlark.Float:
		if f := float64(x); !math.IsNaN(f) && !math.IsInf(f, 0) {
			raw, err := json.Marshal(f)
			if err == nil && !bytes.ContainsAny(raw, ".e") { // a float when it is read again
				raw = append(raw, ".0"...)
			}
			return raw, err
		}
		return json.Marshal(value.Repr(x))
	case starlark.String:
		return json.Marshal(string(x))
	case *slot.Dict:
		out := []byte("{")
		for i, kv := range x.Items() {
			key, ok := starlark.AsString(kv[0])
			if !ok {
				return nil, fmt.Errorf("got the key %s, want a string", value.Repr(kv[0]))
			}
			item, err := jsonOf(kv[1], depth+1)
			if err != nil {
				return nil, fmt.Errorf("%q: %w", key, err)
			}
			name, err := json.Marshal(key)
			if err != nil {
				return nil, err
			}
			if i > 0 {
				out = append(out, ',')
			}
			out = append(append(append(out, name...), ':'), item...)
		}
		return append(out, '}'), nil
	case *np.Array:
		if n := x.Dense().Size(); n > mostElements {
			return nil, fmt.Errorf("got an array of %d elements, want at most %d: save it to a file", n, mostElements)
		}
		if x.Dense().Rank() == 0 {
			return nil, fmt.Errorf("got an array without dimensions, want a number: float(x)")
		}
		return jsonList(x, depth)
	case starlark.Tuple:
		return jsonList(x, depth)
	case *slot.List:
		return jsonList(x, depth)
	}
	return nil, fmt.Errorf("got %s, want numbers, text, arrays, and lists and dicts of them", v.Type())
}

func jsonList(x starlark.Iterable, depth int) (json.RawMessage, error) {
	out, i := []byte("["), 0
	for e := range starlark.Elements(x) {
		item, err := jsonOf(e, depth+1)
		if err != nil {
			return nil, fmt.Errorf("[%d]: %w", i, err)
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, item...)
		i++
	}
	return append(out, ']'), nil
}
