package pyplot

import (
	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/starlib/session"
	"go.starlark.net/starlark"
)

// DrawOn is the axes that values of other packages draw themselves on: v, or, if it is None or nil,
// that of a new figure of a size in inches. value is the Axes for the program.
func DrawOn(thread *starlark.Thread, v starlark.Value, width, height float64) (a *plot.Axes, value starlark.Value, err error) {
	s := session.Of(thread)
	st := stateOf(s)
	switch v := v.(type) {
	case nil, starlark.NoneType:
		x := st.open(s, 0, "", width, height).add(1, 1, 0, 0)
		x.a.Figure.Tight = true
		return x.a, x, nil
	case *axes:
		return v.a, v, nil
	}
	return nil, nil, typeError("ax: got %s, want Axes", v.Type())
}
