package magic

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/arignote/arignote/starlib/config"
)

// A Flag is a flag of one magic of cells. Those that set a flag of the config name it; a value that
// may be left out is True.
type Flag struct {
	Name, Value, Doc string
	Sets             []string
	Check            func(value string) error // nil: by the kind of the default
	// All is a value that stands for the largest integer in the flags that it sets: rows of a
	// table; "" if there is none.
	All string
}

// accepts checks a value, by the kind of the default if f has no check of its own: True or False,
// or an integer.
func (f *Flag) accepts(value string) error {
	if f.Check != nil {
		if err := f.Check(value); err != nil {
			return fmt.Errorf("%s: %s", f.Name, strings.TrimPrefix(err.Error(), "export: "))
		}
		return nil
	}
	switch f.Value {
	case "True", "False":
		c := config.Flag{Name: f.Name, Kind: config.Bool}
		_, err := c.Check(value)
		return err
	}
	if _, err := strconv.Atoi(f.Value); err == nil {
		if n, err := strconv.Atoi(value); err != nil || n < 0 {
			return fmt.Errorf("%s: got %q, want an integer >= 0", f.Name, value)
		}
	}
	return nil
}

// Flag is the flag of the config that has the same values, for completion; ok is false if there is
// none.
func (f *Flag) Flag() (flag config.Flag, ok bool) {
	switch {
	case len(f.Sets) > 0:
		return config.Lookup(f.Sets[0])
	case f.Value == "True" || f.Value == "False":
		return config.Flag{Kind: config.Bool}, true
	}
	return config.Flag{}, false
}

// Flag is the row's own flag of that name, nil if it has none.
func (r *Row) Flag(name string) *Flag {
	for i := range r.Own {
		if r.Own[i].Name == name {
			return &r.Own[i]
		}
	}
	return nil
}

// defaults are the values of the row's own flags where none is given.
func (r *Row) defaults() map[string]string {
	all := make(map[string]string, len(r.Own))
	for _, f := range r.Own {
		all[f.Name] = f.Value
	}
	return all
}
