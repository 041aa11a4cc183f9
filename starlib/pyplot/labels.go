package pyplot

import (
	"fmt"
	"sync"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A labelValue is the value of a text that has its place from what it belongs to: a title, the name
// of an axis, a line of a legend.
type labelValue struct {
	identity
	l *plot.Label
}

var _ value.Tabled = (*labelValue)(nil)

func (t *labelValue) Type() string                             { return "Text" }
func (t *labelValue) String() string                           { return fmt.Sprintf("Text(%q)", t.l.Text) }
func (t *labelValue) Hash() (uint32, error)                    { return unhashable("Text") }
func (t *labelValue) Table() *value.Methods                    { return labelMethods() }
func (t *labelValue) AttrNames() []string                      { return labelMethods().Names() }
func (t *labelValue) Attr(name string) (starlark.Value, error) { return labelMethods().Attr(t, name) }

// labelMethods is the table of Text.
var labelMethods = sync.OnceValue(func() *value.Methods {
	const t = "t = plt.title('Loss'); "
	row := func(name, doc, example string, f func(l *plot.Label, v starlark.Value) error) value.Builtin {
		return method(name, doc, t+"t."+example, func(_ *call, x *labelValue, a *oneValue) (starlark.Value, error) { return nil, f(x.l, a.V) })
	}
	size := func(l *plot.Label, v starlark.Value) (err error) {
		l.Size, err = sizeOf(v)
		return err
	}
	weight := func(l *plot.Label, v starlark.Value) error {
		l.Bold = isBold(v)
		return nil
	}
	return value.NewMethods("Text", []value.Builtin{
		method("get_text", "Returns the text.", t+"t.get_text() # \"Loss\"", func(_ *call, x *labelValue, _ *none) (starlark.Value, error) {
			return starlark.String(x.l.Text), nil
		}),
		row("set_text", "Sets the text.", "set_text('Error')", func(l *plot.Label, v starlark.Value) error {
			l.Text = text(v)
			return nil
		}),
		row("set_fontsize", "Sets the size, in points.", "set_fontsize(14)", size),
		row("set_size", "Sets the size, in points.", "set_size(14)", size),
		row("set_fontweight", "Sets the weight: 'bold' or 'normal'.", "set_fontweight('bold')", weight),
		row("set_weight", "Sets the weight: 'bold' or 'normal'.", "set_weight('bold')", weight),
		row("set_style", "Sets the style: 'italic' or 'normal'.", "set_style('italic')", func(l *plot.Label, v starlark.Value) error {
			l.Italic = text(v) != "normal"
			return nil
		}),
		row("set_color", "Sets the colour.", "set_color('red')", func(l *plot.Label, v starlark.Value) (err error) {
			l.Color, err = colorOf(v)
			l.Colored = l.Colored || err == nil
			return err
		}),
		row("set_rotation", "Turns it.", "set_rotation(45)", func(l *plot.Label, v starlark.Value) (err error) {
			l.Rotation, err = rotationOf(v)
			l.Rotated = l.Rotated || err == nil
			return err
		}),
		row("set_visible", "Shows or hides it.", "set_visible(False)", func(l *plot.Label, v starlark.Value) error {
			l.Hidden = !bool(v.Truth())
			return nil
		}),
		method("set", "Sets several properties by keyword.", t+"t.set(color='red', size=14)", func(c *call, x *labelValue, a *setArgs) (starlark.Value, error) {
			return nil, set(c, x, a.All)
		}),
	})
})
