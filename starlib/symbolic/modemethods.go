package symbolic

import (
	"fmt"

	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Attributes of modes: Mode, DebugMode, NanGuardMode and MonitorMode.

// TagMethods are the methods that modes have, with examples on the value of an expression.
func TagMethods(example string) []value.Builtin {
	return []value.Builtin{
		tagMethod(example, "including", "A mode with more rewrites.", compile.Mode.Including),
		tagMethod(example, "excluding", "A mode without some rewrites.", compile.Mode.Excluding),
		tagMethod(example, "requiring", "A mode with only the rewrites that have all of these tags.", compile.Mode.Requiring),
		{Name: "clone", Doc: "A mode like this one, with another linker or other rewrites.", Params: []value.Param{
			{Name: "link_kwargs", Default: "None", Doc: "a dict of options of the linker, as its constructor in theano.link takes them: {\"allow_gc\": False}"},
			{Name: "optimizer", Default: `""`, Doc: "as that of Mode(), instead of all that included and excluded rewrites; \"\" keeps them"},
			{Name: "linker", Default: "None", Doc: "as that of Mode(); None keeps it"},
		}, Example: example + `.clone(link_kwargs={"allow_gc": False}).linker # "c|go_nogc"`, Fn: cloneMode},
		registerMethod(example),
	}
}

func tagMethod(example, name, doc string, with func(compile.Mode, ...string) compile.Mode) value.Builtin {
	return value.Builtin{Name: name, Doc: doc, Params: tagParams, Example: example + `.` + name + `("fusion").linker # "c|go"`,
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			tags, err := SessionOf(thread).readTags(b, args, kwargs)
			if err != nil {
				return nil, err
			}
			m := b.Receiver().(Compiling)
			return m.With(with(m.CompileMode(), tags...)), nil
		}}
}

func cloneMode(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	s, of := SessionOf(thread), b.Receiver().(Compiling)
	m := of.CompileMode()
	if v[2] != nil && v[2] != starlark.None {
		if m.Linker, err = readLinker(s.Config(), v[2]); err != nil {
			return nil, fmt.Errorf("clone: %w", err)
		}
	}
	switch options := v[0].(type) {
	case nil, starlark.NoneType:
	case *slot.Dict:
		if m.Linker, err = relink(m.Linker, options); err != nil {
			return nil, fmt.Errorf("clone: link_kwargs: %w", err)
		}
	default:
		return nil, fmt.Errorf("clone: link_kwargs: got %s, want dict or None", v[0].Type())
	}
	if v[1] != nil && v[1] != starlark.String("") {
		if err := readOptimizer(s.Config(), &m, v[1]); err != nil {
			return nil, fmt.Errorf("clone: %w", err)
		}
	}
	return of.With(m), nil
}

var ModeMethods = value.NewMethods("Mode", TagMethods("Mode()")).With(ModeFields("Mode")...)

func (m Mode) Table() *value.Methods { return ModeMethods }

func (m Mode) AttrNames() []string { return ModeMethods.Names() }

func (m Mode) Attr(name string) (starlark.Value, error) { return ModeMethods.Attr(m, name) }

// DebugModeMethods are the methods and fields of a DebugMode.
var DebugModeMethods = value.NewMethods("DebugMode", TagMethods("DebugMode()")).With(ModeFields("DebugMode")...)

func (m DebugMode) Table() *value.Methods { return DebugModeMethods }

func (m DebugMode) AttrNames() []string { return DebugModeMethods.Names() }

func (m DebugMode) Attr(name string) (starlark.Value, error) { return DebugModeMethods.Attr(m, name) }

// MonitoredMethods are the methods and fields of NanGuardMode and MonitorMode.
var MonitoredMethods = value.NewMethods("NanGuardMode", TagMethods("NanGuardMode()")).With(ModeFields("NanGuardMode")...)

func (m monitoredMode) Table() *value.Methods { return MonitoredMethods }

func (m monitoredMode) AttrNames() []string { return MonitoredMethods.Names() }

func (m monitoredMode) Attr(name string) (starlark.Value, error) {
	return MonitoredMethods.Attr(m, name)
}
