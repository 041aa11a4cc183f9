package pyplot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/palette"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A textValue is the value Text: of a title, the name of an axis, a line of a legend, the number at
// a tick, or of what text and annotate write.
type textValue struct {
	identity
	textParts
	typ string
	on  *artist // that it is; nil of texts that have their place from what they belong to
}

// textParts are where the properties of a text lie; nil is one that it has not.
type textParts struct {
	text                 *string
	size, rotation, x, y *float64
	color                *plot.Color
	bold, italic         *bool
	h, v                 *string
	colored, rotated     *bool      // whether color and rotation are the text's own
	usualSize            float64    // if size is 0
	usualColor           plot.Color // if colored says no
	show                 func(on bool)
}

var _ value.Tabled = (*textValue)(nil)

// labelOf is the value of a text that has its place from what it belongs to.
func labelOf(l *plot.Label, size float64, color plot.Color) *textValue {
	return &textValue{typ: "Text", textParts: textParts{text: &l.Text, size: &l.Size, color: &l.Color, rotation: &l.Rotation, bold: &l.Bold, italic: &l.Italic,
		colored: &l.Colored, rotated: &l.Rotated, usualSize: size, usualColor: color, show: func(on bool) { l.Hidden = !on }}}
}

// writing is the value of a text that was written.
func writing(typ string, t *plot.Text, ax *axes, fig *figure) *textValue {
	return &textValue{typ: typ, on: &artist{typ: typ, art: t, ax: ax, fig: fig}, textParts: textParts{text: &t.Text, size: &t.Size, color: &t.Color,
		rotation: &t.Rotation, bold: &t.Bold, italic: &t.Italic, h: &t.H, v: &t.V, x: &t.X, y: &t.Y, show: func(on bool) { t.Hidden = !on }}}
}

func (t *textValue) Type() string { return t.typ }
func (t *textValue) String() string {
	return fmt.Sprintf("%s(%s)", t.typ, value.Repr(starlark.String(*t.text)))
}
func (t *textValue) Hash() (uint32, error) { return unhashable(t.typ) }
func (t *textValue) Table() *value.Methods { return textMethods() }

func (t *textValue) AttrNames() []string {
	if t.on == nil {
		return textMethods().Names()
	}
	return textMethods().Names(artistTable().Names()...)
}

func (t *textValue) Attr(name string) (starlark.Value, error) {
	if t.on != nil && !slices.Contains(textMethods().Names(), name) {
		return artistTable().Attr(t.on, name)
	}
	return textMethods().Attr(t, name)
}

// lacks is the error of a property that a text has not.
func (t *textValue) lacks(name string) error {
	return typeError("%s: this text has its place from what it belongs to; write one with plt.text", name)
}

// textSetters are the methods that set one property of a text.
var textSetters = []struct {
	names, doc, example string
	set                 func(t *textValue, name string, v starlark.Value) error
}{
	{"set_text", "Sets the text.", "'Error'", func(t *textValue, _ string, v starlark.Value) error {
		*t.text = text(v)
		return nil
	}},
	{"set_fontsize set_size", "Sets the size, in points.", "14", func(t *textValue, _ string, v starlark.Value) (err error) {
		*t.size, err = sizeOf(v)
		return err
	}},
	{"set_fontweight set_weight", "Sets the weight: 'bold' or 'normal'.", "'bold'", func(t *textValue, name string, v starlark.Value) error {
		if t.bold != nil {
			*t.bold = isBold(v)
		}
		return nil
	}},
	{"set_fontstyle set_style", "Sets the style: 'italic' or 'normal'.", "'italic'", func(t *textValue, name string, v starlark.Value) error {
		if t.italic != nil {
			*t.italic = text(v) != "normal"
		}
		return nil
	}},
	{"set_color", "Sets the colour.", "'red'", func(t *textValue, _ string, v starlark.Value) error {
		c, err := colorOf(v)
		if err != nil {
			return err
		}
		if *t.color = c; t.colored != nil {
			*t.colored = true
		}
		return nil
	}},
	{"set_rotation", "Turns it: degrees, 'horizontal' or 'vertical'.", "45", func(t *textValue, _ string, v starlark.Value) error {
		r, err := rotationOf(v)
		if err != nil {
			return err
		}
		if *t.rotation = r; t.rotated != nil {
			*t.rotated = true
		}
		return nil
	}},
	{"set_visible", "Shows or hides it.", "False", func(t *textValue, _ string, v starlark.Value) error {
		t.show(bool(v.Truth()))
		return nil
	}},
	{"set_ha set_horizontalalignment", "Sets which point of it stands at its place: 'left', 'center' or 'right'.", "'right'", func(t *textValue, name string, v starlark.Value) error {
		return t.align(name, t.h, v, "left", "center", "right")
	}},
	{"set_va set_verticalalignment", "Sets which point of it stands at its place: 'top', 'center', 'bottom' or 'baseline'.", "'top'", func(t *textValue, name string, v starlark.Value) error {
		return t.align(name, t.v, v, "top", "center", "bottom", "baseline", "center_baseline")
	}},
	{"set_rotation_mode set_fontfamily set_family set_fontname set_wrap set_clip_on", "Accepted.", "None", func(*textValue, string, starlark.Value) error { return nil }},
	{"set_x", "Moves it.", "0.5", func(t *textValue, name string, v starlark.Value) error { return t.move(name, v, "a number", t.x) }},
	{"set_y", "Moves it.", "0.5", func(t *textValue, name string, v starlark.Value) error { return t.move(name, v, "a number", t.y) }},
	{"set_position", "Moves it to (x, y).", "(0.5, 0.5)", func(t *textValue, name string, v starlark.Value) error { return t.move(name, v, "(x, y)", t.x, t.y) }},
}

func (t *textValue) align(name string, to *string, v starlark.Value, words ...string) error {
	if err := oneOf(strings.TrimPrefix(name, "set_"), text(v), words...); err != nil {
		return err
	}
	if to != nil { // else its place says it
		*to = text(v)
	}
	return nil
}

// move sets coordinates of its place.
func (t *textValue) move(name string, v starlark.Value, want string, to ...*float64) error {
	if t.x == nil {
		return t.lacks(name)
	}
	d, err := np.ToDense(v)
	if err != nil || d.Size() != len(to) {
		return typeError("%s: got %s, want %s", name, value.Repr(v), want)
	}
	for i, x := range floats(d) {
		*to[i] = x
	}
	return nil
}

// textMethods is the table of Text.
var textMethods = sync.OnceValue(func() *value.Methods {
	const t = "t = plt.text(0, 0, 'Loss'); t."
	get := func(name, doc, example string, f func(t *textValue) starlark.Value) value.Builtin {
		return method(name, doc, t+name+"() # "+example, func(_ *call, x *textValue, _ *none) (starlark.Value, error) { return f(x), nil })
	}
	size := func(t *textValue) starlark.Value { return starlark.Float(cmp.Or(*t.size, t.usualSize)) }
	rows := []value.Builtin{
		get("get_text", "Returns the text.", `"Loss"`, func(t *textValue) starlark.Value { return starlark.String(*t.text) }),
		get("get_fontsize", "Returns the size, in points.", "10.0", size),
		get("get_size", "Returns the size, in points.", "10.0", size),
		get("get_rotation", "Returns by how many degrees it is turned.", "0.0", func(t *textValue) starlark.Value { return starlark.Float(*t.rotation) }),
		get("get_color", "Returns the colour.", `"#000000"`, func(t *textValue) starlark.Value {
			if t.colored != nil && !*t.colored {
				return starlark.String(palette.Hex(t.usualColor))
			}
			return starlark.String(palette.Hex(*t.color))
		}),
		method("get_position", "Returns where it stands.", t+"get_position() # (0.0, 0.0)", func(_ *call, x *textValue, _ *none) (starlark.Value, error) {
			if x.x == nil {
				return nil, x.lacks("get_position")
			}
			return starlark.Tuple{starlark.Float(*x.x), starlark.Float(*x.y)}, nil
		}),
		method("set", "Sets several properties by keyword.", t+"set(color='red', size=14)", func(c *call, x *textValue, a *setArgs) (starlark.Value, error) {
			return nil, set(c, x, a.All)
		}),
	}
	for _, s := range textSetters {
		for _, name := range strings.Fields(s.names) {
			rows = append(rows, method(name, s.doc, t+name+"("+s.example+")", func(_ *call, x *textValue, a *oneValue) (starlark.Value, error) {
				return nil, s.set(x, name, a.V)
			}))
		}
	}
	return value.NewMethods("Text", rows)
})
