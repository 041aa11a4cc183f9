package starlib

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/arignote/arignote/starlib/config"
)

// A Flag is a flag of one magic of cells. Those that set a flag of the config name it; a value that may be left out is True.
type Flag struct {
	name, value, doc string
	sets             []string
	check            func(value string) error // nil: by the kind of the default
}

// accepts checks a value, by the kind of the default if f has no check of its own: True or False, or an integer.
func (f *Flag) accepts(value string) error {
	if f.check != nil {
		if err := f.check(value); err != nil {
			return fmt.Errorf("%s: %s", f.name, strings.TrimPrefix(err.Error(), "export: "))
		}
		return nil
	}
	switch f.value {
	case "True", "False":
		c := config.Flag{Name: f.name, Kind: config.Bool}
		_, err := c.Check(value)
		return err
	}
	if _, err := strconv.Atoi(f.value); err == nil {
		if n, err := strconv.Atoi(value); err != nil || n < 0 {
			return fmt.Errorf("%s: got %q, want an integer >= 0", f.name, value)
		}
	}
	return nil
}

// flag is the flag of the config that has the same values, for completion; ok is false if there is none.
func (f *Flag) flag() (flag config.Flag, ok bool) {
	switch {
	case len(f.sets) > 0:
		return config.Lookup(f.sets[0])
	case f.value == "True" || f.value == "False":
		return config.Flag{Kind: config.Bool}, true
	}
	return config.Flag{}, false
}

// flag is the row's own flag of that name, nil if it has none.
func (r *Row) flag(name string) *Flag {
	for i := range r.own {
		if r.own[i].name == name {
			return &r.own[i]
		}
	}
	return nil
}

// defaults are the values of the row's own flags where none is given.
func (r *Row) defaults() map[string]string {
	all := make(map[string]string, len(r.own))
	for _, f := range r.own {
		all[f.name] = f.value
	}
	return all
}
