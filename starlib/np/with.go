package np

import (
	"errors"

	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A setting is what np.printoptions and np.errstate return: it holds in the block of with.
type setting struct {
	name  string
	enter func() starlark.Value // what as names
	leave func()
}

// NewSetting returns a setting: enter begins the block, and returns what "as" names; leave ends it.
func NewSetting(name string, enter func() starlark.Value, leave func()) starlark.Value {
	return &setting{name, enter, leave}
}

var _ value.Tabled = (*setting)(nil)

func (s *setting) Type() string                             { return s.name }
func (s *setting) Freeze()                                  {}
func (s *setting) Truth() starlark.Bool                     { return true }
func (s *setting) Hash() (uint32, error)                    { return 0, errors.New("unhashable type: " + s.name) }
func (s *setting) String() string                           { return "<" + s.name + ">" }
func (s *setting) Table() *value.Methods                    { return settingMethods }
func (s *setting) AttrNames() []string                      { return settingMethods.Names() }
func (s *setting) Attr(name string) (starlark.Value, error) { return settingMethods.Attr(s, name) }

// settingMethods are what with calls.
var settingMethods = value.NewMethods("printoptions", []value.Builtin{
	{Name: "__enter__", Doc: "Sets the options, and returns all of them: with calls it.",
		Example: "np.printoptions().__enter__()[\"precision\"] # 8",
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := b.Unpack(args, kwargs); err != nil {
				return nil, err
			}
			return b.Receiver().(*setting).enter(), nil
		}},
	{Name: "__exit__", Doc: "Gives the options the values that they had: with calls it.", Params: []value.Param{{Name: "*error", Doc: "what ended the block"}},
		Example: "options = np.printoptions(precision=3)\nset = options.__enter__()\noptions.__exit__(None, None, None)\nnp.get_printoptions()[\"precision\"] # 8",
		Fn: func(_ *starlark.Thread, b *value.Builtin, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			b.Receiver().(*setting).leave()
			return starlark.None, nil
		}},
})
