package session

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/scope"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// ConfigValue is the predeclared config, or a section of it: config.profiling. Reading
// an attribute gives the value in force, assigning one sets it for the session.
// print(config) lists every flag, its value and where that came from; config("mem")
// lists those that mention mem.
type ConfigValue struct {
	s       *Session
	section string
}

var (
	_ starlark.HasSetField = (*ConfigValue)(nil)
	_ starlark.Callable    = (*ConfigValue)(nil)
)

func (c *ConfigValue) Type() string          { return "config" }
func (c *ConfigValue) Name() string          { return "config" }
func (c *ConfigValue) Freeze()               {} // flags are the session's, not the file's
func (c *ConfigValue) Truth() starlark.Bool  { return true }
func (c *ConfigValue) Hash() (uint32, error) { return starlark.String(c.section).Hash() }

func (c *ConfigValue) AttrNames() []string {
	if c.section != "" {
		return config.Members(c.section)
	}
	return ConfigMethods.Names(config.Members("")...)
}

func (c *ConfigValue) String() string {
	if c.section == "" {
		return c.s.config.Text("")
	}
	var lines []string
	for line := range strings.SplitSeq(c.s.config.Text(""), "\n") {
		if strings.HasPrefix(line, c.section+".") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

func (c *ConfigValue) path(name string) string {
	name = config.Canonical(name)
	if c.section == "" {
		return name
	}
	return c.section + "." + name
}

// Flag is the flag that an attribute is the value of, and where that came from.
func (c *ConfigValue) Flag(name string) (f config.Flag, source string, ok bool) {
	if f, ok = config.Lookup(c.path(name)); ok {
		_, source = c.s.config.Get(f.Name)
	}
	return f, source, ok
}

func (c *ConfigValue) Attr(name string) (starlark.Value, error) {
	path := c.path(name)
	f, ok := config.Lookup(path)
	if !ok {
		if config.IsSection(path) || config.IsForeignSection(path) {
			return &ConfigValue{c.s, path}, nil
		}
		if m, err := ConfigMethods.Attr(c, name); c.section == "" && err == nil && m != nil {
			return m, nil
		}
		if text, ok := config.Fixed(path); ok {
			return constantOr(text), nil
		}
		return nil, fmt.Errorf("config: %w", config.Unknown(path))
	}
	v, _ := c.s.config.Get(f.Name)
	switch v := v.(type) {
	case bool:
		return starlark.Bool(v), nil
	case int:
		return starlark.MakeInt(v), nil
	}
	text := v.(string)
	if f.Kind == config.Choice {
		return constantOr(text), nil
	}
	return starlark.String(text), nil
}

// constantOr is the constant that a text names, or the text.
func constantOr(text string) starlark.Value {
	if scope.IsConstant(text) {
		return map[string]starlark.Value{"None": starlark.None, "True": starlark.True, "False": starlark.False}[text]
	}
	return starlark.String(text)
}

func (c *ConfigValue) SetField(name string, v starlark.Value) error {
	x, err := FlagValue(v)
	if err != nil {
		return fmt.Errorf("config.%s: %w", c.path(name), err)
	}
	source := "assignment"
	if frames := c.s.Origin(nil); len(frames) > 0 {
		source = frames[len(frames)-1].Pos().String()
	}
	// The source of the value is the position; an error is at that position anyway.
	f, ok := config.Lookup(c.path(name))
	if !ok && config.AsItIs(c.path(name), value.Str(v)) {
		return nil
	}
	if !ok {
		return fmt.Errorf("config: %w", config.Unknown(c.path(name)))
	}
	if x, err = f.Check(x); err != nil {
		return fmt.Errorf("config.%w", err)
	}
	return c.s.config.Set(f.Name, x, source)
}

// FlagValue turns a Starlark value into what config.Flag.Check takes.
func FlagValue(v starlark.Value) (any, error) {
	switch v := value.Plain(v).(type) {
	case starlark.NoneType:
		return nil, nil
	case starlark.Bool:
		return bool(v), nil
	case starlark.String:
		return string(v), nil
	case starlark.Float:
		return float64(v), nil
	case starlark.Int:
		var n int
		if err := starlark.AsInt(v, &n); err != nil {
			return nil, err
		}
		return n, nil
	case starlark.Indexable:
		tags := make([]string, v.Len())
		for i := range tags {
			s, ok := starlark.AsString(v.Index(i))
			if !ok {
				return nil, fmt.Errorf("got %s in a %s, want string", v.Index(i).Type(), v.Type())
			}
			tags[i] = s
		}
		return tags, nil
	}
	return nil, fmt.Errorf("got %s, want bool, int, string or None", v.Type())
}

// CallInternal makes config("mem") list the flags that mention mem.
func (c *ConfigValue) CallInternal(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var pattern string
	if err := starlark.UnpackArgs("config", args, kwargs, "pattern?", &pattern); err != nil {
		return nil, err
	}
	return plainText(c.s.config.Text(pattern)), nil
}

// plainText is a string that displays as it is, without quotes.
type plainText string

func (t plainText) String() string        { return string(t) }
func (t plainText) Type() string          { return "text" }
func (t plainText) Freeze()               {}
func (t plainText) Truth() starlark.Bool  { return t != "" }
func (t plainText) Hash() (uint32, error) { return starlark.String(t).Hash() }
