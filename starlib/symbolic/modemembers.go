package symbolic

import (
	"fmt"

	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type getModeArgs struct {
	Mode starlark.Value `arg:"mode: its name, a mode, or None for that of config.mode"`
}

type noArgs struct{}

type registerModeArgs struct {
	Name string         `arg:"name: what function(mode=...) takes"`
	Mode starlark.Value `arg:"mode: the mode"`
}

// ModeNameTable is the functions of theano.compile.mode that find modes by their names.
var ModeNameTable = []value.Builtin{
	value.Function("get_mode", "The mode of a name, as function(mode=...) takes it.", `theano.compile.mode.get_mode("FAST_COMPILE") # Mode(linker="c|go", optimizer="fast_compile")`,
		func(thread *starlark.Thread, a *getModeArgs) (starlark.Value, error) {
			m, err := SessionOf(thread).GetMode(a.Mode)
			if err != nil {
				return nil, fmt.Errorf("get_mode: %w", err)
			}
			return m, nil
		}),
	value.Function("get_default_mode", "The mode of functions that are given none: that of config.mode, with what config.linker, config.optimizer and config.optimizer_including and its like say.",
		`theano.compile.mode.get_default_mode() # Mode(linker="c|go", optimizer="fast_run")`,
		func(thread *starlark.Thread, _ *noArgs) (starlark.Value, error) {
			m, err := SessionOf(thread).GetMode(nil)
			if err != nil {
				return nil, fmt.Errorf("get_default_mode: %w", err)
			}
			return m, nil
		}),
	value.Function("register_mode", "Gives a mode a name, for function(mode=...). A name of one's own may be given again.",
		`theano.compile.mode.register_mode("unfused", Mode().excluding("fusion")) == None # True`,
		func(thread *starlark.Thread, a *registerModeArgs) (starlark.Value, error) {
			s := SessionOf(thread)
			if _, ok := a.Mode.(Compiling); !ok {
				return nil, fmt.Errorf("register_mode: mode: got %s, want a Mode", a.Mode.Type())
			}
			if spelled, err := config.CheckText("mode", a.Name); err == nil {
				return nil, fmt.Errorf("register_mode: there is a mode %s; want another name, or assign to theano.compile.mode.predefined_modes", spelled)
			}
			return starlark.None, s.PredefinedModes().SetKey(starlark.String(a.Name), a.Mode)
		}),
}

// ModeMembers are what theano.compile and theano.compile.mode have besides functions.
func (s *Session) ModeMembers() []value.Member {
	members := append(value.Builtins(ModeNameTable), OptdbMember,
		value.Member{Name: "predefined_modes", Value: s.PredefinedModes(), Doc: "The modes by name that are the same whatever the flags say, and those of register_mode: a dict."},
		value.Member{Name: "predefined_linkers", Value: predefinedLinkers, Doc: "Theano's names of linkers with those that they have here: a dict."},
		value.Member{Name: "predefined_optimizers", Value: predefinedOptimizers, Doc: "The queries of the optimizers by name: a dict."})
	for _, name := range []string{"FAST_RUN", "FAST_COMPILE"} {
		m, _ := compile.NamedMode(name, compile.Mode{})
		members = append(members, value.Member{Name: name, Value: fixedMode(m), Doc: fmt.Sprintf("The mode %q.", name)})
	}
	for _, o := range optimizerQueries {
		members = append(members, value.Member{Name: o.constant, Value: Query{compile.OptimizerQuery(o.optimizer)}, Doc: fmt.Sprintf("The rewrites of the optimizer %q.", o.optimizer)})
	}
	return members
}
