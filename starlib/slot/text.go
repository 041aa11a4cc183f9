package slot

import (
	"strings"

	"go.starlark.net/starlark"
)

// repr writes a value as Starlark does.
func repr(v starlark.Value) string {
	w := new(writer)
	w.value(v)
	return w.String()
}

// A writer writes values; inside has the containers that are being written, so that one that holds
// itself ends.
type writer struct {
	strings.Builder
	inside []starlark.Value
}

func (w *writer) value(v starlark.Value) {
	switch v := v.(type) {
	case nil:
		w.WriteString("<nil>")
	case *List:
		w.container(v, "[", "]", v.Len(), func(i int) { w.value(v.Index(i)) })
	case starlark.Tuple:
		end := ")"
		if len(v) == 1 {
			end = ",)"
		}
		w.items("(", end, len(v), func(i int) { w.value(v[i]) })
	case *Dict:
		items := v.Items()
		w.container(v, "{", "}", len(items), func(i int) {
			w.value(items[i][0])
			w.WriteString(": ")
			w.value(items[i][1])
		})
	case *Set:
		keys := v.keys()
		w.container(v, "set([", "])", len(keys), func(i int) { w.value(keys[i]) })
	default:
		w.WriteString(v.String())
	}
}

// container writes the items of a list, dict or set, or dots if it is inside of itself.
func (w *writer) container(v starlark.Value, begin, end string, n int, item func(i int)) {
	for _, outer := range w.inside {
		if outer == v {
			w.WriteString(begin + "..." + end)
			return
		}
	}
	w.inside = append(w.inside, v)
	w.items(begin, end, n, item)
	w.inside = w.inside[:len(w.inside)-1]
}

func (w *writer) items(begin, end string, n int, item func(i int)) {
	w.WriteString(begin)
	for i := range n {
		if i > 0 {
			w.WriteString(", ")
		}
		item(i)
	}
	w.WriteString(end)
}
