package pyplot

import (
	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/palette"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

func hexOf(c plot.Color) string { return palette.Hex(c) }

func rgba(c plot.Color) starlark.Tuple {
	return starlark.Tuple{starlark.Float(c.R) / 255, starlark.Float(c.G) / 255, starlark.Float(c.B) / 255, starlark.Float(c.A) / 255}
}

func textList(list []string) starlark.Value {
	out := make([]starlark.Value, len(list))
	for i, s := range list {
		out[i] = starlark.String(s)
	}
	return slot.NewList(out)
}

// A normValue is LogNorm() or Normalize().
type normValue struct {
	identity
	log    bool
	lo, hi *float64
}

func (n *normValue) Type() string          { return "Normalize" }
func (n *normValue) String() string        { return "<Normalize>" }
func (n *normValue) Hash() (uint32, error) { return unhashable("Normalize") }

// A mapValue is a colour map that can be called.
type mapValue struct {
	identity
	m *palette.Map
}

var _ starlark.Callable = (*mapValue)(nil)

func (m *mapValue) Type() string          { return "Colormap" }
func (m *mapValue) Name() string          { return m.m.Name }
func (m *mapValue) String() string        { return "<Colormap " + m.m.Name + ">" }
func (m *mapValue) Hash() (uint32, error) { return unhashable("Colormap") }

// CallInternal is (r, g, b, a) of a number from 0 to 1, or of an int the colour of that number; of
// several numbers a list.
func (m *mapValue) CallInternal(thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 0 {
		return nil, typeError("%s: missing argument: a number from 0 to 1", m.m.Name)
	}
	if i, ok := args[0].(starlark.Int); ok {
		n, _ := value.Int(i)
		return rgba(m.m.Color(n)), nil
	}
	if x, ok := starlark.AsFloat(value.NumberOf(args[0])); ok {
		return rgba(m.m.At(x)), nil
	}
	seq, ok := value.Elements(args[0])
	if !ok {
		return nil, typeError("%s: got %s, want a number from 0 to 1 or a list of them", m.m.Name, args[0].Type())
	}
	var list []starlark.Value
	for v := range starlark.Elements(seq) {
		x, ok := starlark.AsFloat(value.NumberOf(v))
		if !ok {
			return nil, typeError("%s: got %s, want numbers from 0 to 1", m.m.Name, v.Type())
		}
		list = append(list, rgba(m.m.At(x)))
	}
	return slot.NewList(list), nil
}
