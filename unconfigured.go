package main

import (
	"context"
	"strings"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/visible"
)

// An unconfigured is the interpreter of a kernel. A kernel that ends because a file of flags is
// wrong shows nothing but that it is dead, so this one answers every cell with what is wrong, until
// it is mended. Without the flags it runs nothing: one of them might have forbidden it.
type unconfigured struct {
	*starlib.Session                                  // of the built-in flags, which completes and inspects, until configure gives one
	configure        func() (*starlib.Session, error) // nil once it has
	idle             idle
}

// newUnconfigured tries at once.
func newUnconfigured(configure func() (*starlib.Session, error)) *unconfigured {
	if s, err := configure(); err == nil {
		return &unconfigured{Session: s}
	}
	return &unconfigured{Session: starlib.NewSession(starlib.Options{}), configure: configure}
}

// ready returns why nothing can run.
func (u *unconfigured) ready() error {
	if u.configure == nil {
		return nil
	}
	s, err := u.configure()
	if err != nil {
		return &configError{err}
	}
	u.Session, u.configure = s, nil
	return nil
}

func (u *unconfigured) Execute(ctx context.Context, count int, code string, out starlib.Output) (data, metadata map[string]any, err error) {
	if err := u.ready(); err != nil {
		return nil, nil, err
	}
	u.idle.end()
	defer u.idle.begin()
	return u.Session.Execute(ctx, count, code, out)
}

func (u *unconfigured) Evaluate(ctx context.Context, expr string) (map[string]any, error) {
	if err := u.ready(); err != nil {
		return nil, err
	}
	return u.Session.Evaluate(ctx, expr)
}

// A configError is what is wrong with the flags, as a cell shows it.
type configError struct{ error }

func (e *configError) Error() string { return visible.Text(e.error.Error()) }

func (e *configError) Name() string { return "ConfigError" }

func (e *configError) Traceback() []string {
	return []string{"ConfigError" + strings.Repeat(" ", 4) + "before the first cell",
		"ConfigError: " + e.Error(), "Nothing runs until this is mended; then run the cell again."}
}
