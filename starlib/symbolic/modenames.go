package symbolic

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/slot"
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
	if s.modes == nil {
		s.modes = fixedModes()
	}
	return s.modes
}

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
	if w := s.Watching.Mode(spelled, m); w != nil {
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

// how is what flags and modes say of compiling a function.
type how struct {
	mode            Compiling
	keepAll, arrays bool
	rules           []string // of the session, by name
}

// howNow is how a function is compiled now that is given a mode.
func (s *Session) howNow(mode starlark.Value) (*how, error) {
	m, err := s.GetMode(mode)
	if err != nil {
		return nil, err
	}
	return &how{mode: m, keepAll: !s.Config().Bool("allow_gc"), arrays: s.Config().String("scalar_output") == "array"}, nil
}
