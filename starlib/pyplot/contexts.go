package pyplot

import (
	"sync"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A styleContext is a value for with: in its block the defaults of new figures are others.
type styleContext struct {
	identity
	st     *state
	change func() error
	before plot.Style
}

var _ value.Tabled = (*styleContext)(nil)

func (x *styleContext) Type() string          { return "style_context" }
func (x *styleContext) String() string        { return "<style_context>" }
func (x *styleContext) Hash() (uint32, error) { return unhashable("style_context") }
func (x *styleContext) Table() *value.Methods { return contextMethods() }
func (x *styleContext) AttrNames() []string   { return contextMethods().Names() }
func (x *styleContext) Attr(name string) (starlark.Value, error) {
	return contextMethods().Attr(x, name)
}

// contextMethods is the table of style_context.
var contextMethods = sync.OnceValue(func() *value.Methods {
	const with = "c = plt.rc_context({'lines.linewidth': 3}); "
	return value.NewMethods("style_context", []value.Builtin{
		method("__enter__", "Changes the defaults: with calls it.", with+"c.__enter__(); print(c.__exit__()) # None", func(_ *call, x *styleContext, _ *none) (starlark.Value, error) {
			x.before = *x.st.style.Cloned()
			return nil, x.change()
		}),
		method("__exit__", "Sets them back: with calls it.", with+"c.__enter__(); print(c.__exit__()) # None", func(_ *call, x *styleContext, _ *struct {
			Error starlark.Tuple `arg:"*error: what the block failed with"`
		}) (starlark.Value, error) {
			*x.st.style = x.before
			return nil, nil
		}),
	})
})

type rcContextArgs struct {
	RC *slot.Dict `arg:"rc=None: a dict of names of rcParams and values"`
}

func rcContext(c *call, a *rcContextArgs) (starlark.Value, error) {
	return &styleContext{st: c.st, change: func() error {
		if a.RC == nil {
			return nil
		}
		for _, kv := range a.RC.Items() {
			p, err := parameterOf(text(kv[0]))
			if err != nil {
				return err
			}
			if err := p.set(c.st.style, c, kv[1]); err != nil {
				return valueError("%s: %v", text(kv[0]), err)
			}
		}
		return nil
	}}, nil
}
