package magic

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// %store keeps a file for each name, a pickle that only the user can read, in
// $XDG_DATA_HOME/arignote/store or below ~/.local/share.

const storedEnd = ".pickle"

// maxStored is how many bytes are read of a value.
const maxStored = 1 << 32

func storeDir() (string, error) {
	data := os.Getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(data) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("%%store: %w: there is no place to keep values", err)
		}
		data = filepath.Join(home, ".local", "share")
	}
	return filepath.Join(data, "arignote", "store"), nil
}

func magicStore(c *Call) (starlark.Value, error) {
	if c.S.Config().Bool("sandbox") {
		return nil, session.Failure("PermissionError", "%store: the flag sandbox keeps programs from files outside of their folder: use pickle.dump")
	}
	dir, err := storeDir()
	if err != nil {
		return nil, err
	}
	stored, err := c.storedNames(dir)
	if err != nil {
		return nil, err
	}
	names := strings.Fields(c.Rest)
	switch {
	case c.Given("-z"):
		return nil, eachStored(stored, stored, func(name string) error { return c.forget(dir, name) })
	case c.Given("-d"):
		if len(names) == 0 {
			return nil, errors.New("%store: got no name to forget: %store -d NAME; %store -z forgets all")
		}
		return nil, eachStored(stored, names, func(name string) error { return c.forget(dir, name) })
	case c.Given("-r"):
		if len(names) > 0 {
			return nil, eachStored(stored, names, func(name string) error { return c.restore(dir, name) })
		}
		return nil, c.readable(dir, stored, c.S.Assign)
	case len(names) == 0:
		return nil, c.listStored(dir, stored)
	}
	if strings.Contains(c.Rest, ">") {
		return nil, session.Failure("ValueError", "%store: > is not in Arignote: write the value with pickle.dump, or its text with open")
	}
	for _, name := range names {
		if err := c.store(dir, name); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// storedNames are the names of the stored values, sorted.
func (c *Call) storedNames(dir string) ([]string, error) {
	entries, err := c.S.Files().List(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%%store: %w", err)
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), storedEnd); ok {
			names = append(names, name)
		}
	}
	return names, nil
}

func eachStored(stored, names []string, do func(name string) error) error {
	for _, name := range names {
		if !slices.Contains(stored, name) {
			return fmt.Errorf("%%store: no value is stored as %s (%%store lists those that are)", name)
		}
		if err := do(name); err != nil {
			return err
		}
	}
	return nil
}

// pickle calls a function of the module pickle.
func (c *Call) pickle(fn string, x starlark.Value) (starlark.Value, error) {
	f, err := c.S.Imported("pickle", fn)
	if err != nil {
		return nil, err
	}
	return value.Call(c.thread, f, starlark.Tuple{x}, nil)
}

func (c *Call) store(dir, name string) error {
	v, ok := c.S.Lookup(name)
	if !ok || !c.S.IsUser(name) {
		return session.Failure("NameError", fmt.Sprintf("%%store: no cell has assigned %s", name))
	}
	data, err := c.pickle("dumps", v)
	if err != nil {
		return session.Failure("PicklingError", fmt.Sprintf("%%store: %s: %s", name, strings.TrimPrefix(err.Error(), "dumps: ")))
	}
	own := c.S.Files().Private()
	if err := own.MakeAll(dir); err != nil {
		return fmt.Errorf("%%store: %w", err)
	}
	if err := own.Write(filepath.Join(dir, name+storedEnd), []byte(data.(starlark.Bytes))); err != nil {
		return fmt.Errorf("%%store: %w", err)
	}
	c.Print(fmt.Sprintf("Stored '%s' (%s)\n", name, value.TypeName(v)))
	return nil
}

func (c *Call) stored(dir, name string) (starlark.Value, error) {
	data, err := c.S.Files().Read(filepath.Join(dir, name+storedEnd), maxStored)
	if err != nil {
		return nil, fmt.Errorf("%%store: %s: %w", name, err)
	}
	v, err := c.pickle("loads", starlark.Bytes(data))
	if named := session.Named(nil); errors.As(err, &named) && c.S.Context().Err() == nil {
		return nil, session.Failure(named.ErrorName(), fmt.Sprintf("%%store: %s: %s", name, strings.TrimPrefix(err.Error(), "load: ")))
	}
	return v, err
}

func (c *Call) forget(dir, name string) error {
	if err := c.S.Files().Remove(filepath.Join(dir, name+storedEnd)); err != nil {
		return fmt.Errorf("%%store: %w", err)
	}
	return nil
}

func (c *Call) restore(dir, name string) error {
	v, err := c.stored(dir, name)
	if err == nil {
		c.S.Assign(name, v)
	}
	return err
}

// readable calls do for each stored value, and warns of those that cannot be read.
func (c *Call) readable(dir string, names []string, do func(name string, v starlark.Value)) error {
	for _, name := range names {
		v, err := c.stored(dir, name)
		if c.S.Context().Err() != nil { // the cell is to end
			return err
		}
		if err != nil {
			c.S.Warn(fmt.Sprintf("%v: it is left out (%%store -d %s forgets it)", err, name))
			continue
		}
		do(name, v)
	}
	return nil
}

func (c *Call) listStored(dir string, names []string) error {
	if len(names) == 0 {
		c.Print("No values are stored.\n")
		return nil
	}
	rows := [][]string{{"Name", "Type", "Value"}}
	err := c.readable(dir, names, func(name string, v starlark.Value) {
		rows = append(rows, []string{name, value.TypeName(v), summary(v)})
	})
	if err == nil {
		c.Print(Columns(rows))
	}
	return err
}

// magicEnv is %env.
func magicEnv(c *Call) (starlark.Value, error) {
	environ, err := c.S.Imported("os", "environ")
	if err != nil {
		return nil, err
	}
	variables := environ.(starlark.IterableMapping)
	name := strings.TrimSpace(c.Rest)
	if strings.ContainsAny(name, "= ") {
		return nil, errors.New("%env: the environment is read only: programs that read it have read it when Arignote began; flags are set by %config name=value")
	}
	if name != "" {
		v, ok, err := variables.Get(starlark.String(name))
		if err == nil && !ok {
			err = fmt.Errorf("%%env: there is no variable %s", name)
		}
		return v, err
	}
	all, err := value.Attr(environ, "items")
	if err != nil {
		return nil, err
	}
	items, err := value.Call(c.thread, all, nil, nil)
	if err != nil {
		return nil, err
	}
	return value.Call(c.thread, c.S.Predeclared()["dict"], starlark.Tuple{items}, nil)
}

// magicXmode is %xmode.
func magicXmode(c *Call) (starlark.Value, error) {
	modes := session.TracebackModes
	i := slices.IndexFunc(modes, func(m string) bool { return strings.EqualFold(m, strings.TrimSpace(c.Rest)) })
	switch {
	case c.Rest == "":
		i = (slices.Index(modes, c.S.TracebackMode()) + 1) % len(modes)
	case i < 0:
		return nil, session.Failure("ValueError", fmt.Sprintf("%%xmode: got %s, want %s", c.Rest, strings.Join(modes, ", ")))
	}
	c.S.SetTracebackMode(modes[i])
	c.Print("Exception reporting mode: " + modes[i] + "\n")
	return nil, nil
}
