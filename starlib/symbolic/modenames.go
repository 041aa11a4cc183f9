package symbolic

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// fixedModes are the modes that are the same whatever the flags say, by name: what a session's
// predefined_modes begins with.
func fixedModes() *slot.Dict {
	d := slot.NewDict(8)
	for _, name := range compile.ModeNames() {
		if m, err := compile.NamedMode(name, compile.Mode{}); err == nil && m.Linker != "" {
			d.SetKey(starlark.String(name), fixedMode(m))
		}
	}
	return d
}

// fixedMode is the value of a mode that obeys no flags.
func fixedMode(m compile.Mode) Compiling {
	if m.Debug != nil {
		return DebugMode{m}
	}
	return Mode{m}
}

// PredefinedModes is theano.compile.mode.predefined_modes: what register_mode and assignments put
// there is found by its name.
func (s *Session) PredefinedModes() *slot.Dict {
	return s.Local(modesKey{}, func() any { return fixedModes() }).(*slot.Dict)
}

type modesKey struct{}

// named finds the mode of a name. Of the flag's mode, flags for its parts that are set change
// these; flags that include and exclude rewrites are obeyed by it and by "Mode", as in Theano.
func (s *Session) named(name string, isFlag bool) (Compiling, error) {
	defaults := compile.Mode{
		Linker: s.Config().String("linker"), Optimizer: s.Config().String("optimizer"),
		Include: s.Config().Tags("optimizer_including"), Exclude: s.Config().Tags("optimizer_excluding"), Require: s.Config().Tags("optimizer_requiring"),
	}
	spelled := name
	v, found, _ := s.PredefinedModes().Get(starlark.String(name))
	if !found {
		var err error
		if spelled, err = config.CheckText("mode", name); err != nil {
			return nil, s.noMode(err)
		}
		v, found, _ = s.PredefinedModes().Get(starlark.String(spelled))
	}
	if found {
		m, ok := v.(Compiling)
		if !ok {
			return nil, fmt.Errorf("mode: theano.compile.mode.predefined_modes[%q] is of type %s, want a Mode", spelled, v.Type())
		}
		if isFlag {
			m = m.With(s.withFlags(m.CompileMode(), defaults)).(Compiling)
		}
		return m, nil
	}
	m, err := compile.NamedMode(spelled, defaults)
	if err != nil {
		return nil, err
	}
	if isFlag {
		m = s.withFlags(m, defaults)
	}
	if w := s.watching().Mode(spelled, m); w != nil {
		return w, nil
	}
	c := s.Config()
	switch {
	case m.Debug != nil:
		o, err := s.debugOptions()
		m.Debug = &o
		return DebugMode{m}, err
	case spelled == "NanGuardMode":
		return s.nanGuardMode(m, c.Bool("NanGuardMode.nan_is_error"), c.Bool("NanGuardMode.inf_is_error"), c.Bool("NanGuardMode.big_is_error"))
	}
	return Mode{m}, nil
}

// withFlags is a mode with what flags say of its parts.
func (s *Session) withFlags(m, defaults compile.Mode) compile.Mode {
	if _, source := s.Config().Get("linker"); source != config.Default {
		m.Linker = defaults.Linker
	}
	if _, source := s.Config().Get("optimizer"); source != config.Default {
		m.Optimizer = defaults.Optimizer
	}
	m.Include, m.Exclude, m.Require = defaults.Include, defaults.Exclude, defaults.Require
	return m
}

// noMode adds to an error about the name of a mode the names that only this session knows.
func (s *Session) noMode(err error) error {
	var own []string
	for _, k := range s.PredefinedModes().Keys() {
		name, _ := starlark.AsString(k)
		if _, e := config.CheckText("mode", name); e != nil {
			own = append(own, name)
		}
	}
	if len(own) == 0 {
		return err
	}
	return fmt.Errorf("%w, or of register_mode: %s", err, strings.Join(own, ", "))
}

// GetMode reads a mode: one, its name, or None for the flag's.
func (s *Session) GetMode(v starlark.Value) (Compiling, error) {
	switch v := v.(type) {
	case nil, starlark.NoneType:
		return s.named(s.Config().String("mode"), true)
	case Compiling:
		return v, nil
	case starlark.String:
		return s.named(string(v), false)
	}
	return nil, fmt.Errorf("mode: got %s, want a Mode or its name", v.Type())
}

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
