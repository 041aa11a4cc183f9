package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/files"
)

// A Config is the values of all flags. It is used from one goroutine at a time.
type Config struct {
	values map[string]setting   // flags set by files, environment, command line, assignment
	scopes []map[string]setting // flags of cells, innermost last; they win over values
	notes  []string
	hints  []string
	edits  int // see Edits
	// OnChange, if not nil, is called after values may have changed: for what has to be told.
	OnChange func()
	// Writable says why a program may not write a file that a flag names.
	Writable func(path string) error
	loading  bool // by Load
}

type setting struct {
	value  any
	source string
}

// Default is the source of a value that nothing has set.
const Default = "default"

// A Row is a flag with its value and the place that value came from.
type Row struct {
	Flag
	Value  any
	Source string
}

// New returns the built-in values.
func New() *Config { return &Config{values: map[string]setting{}, Writable: files.Open().Writable} }

// Get returns a flag's value (bool, int or string) and its source. It panics if
// there is no such flag: names that users type go through Lookup first.
func (c *Config) Get(name string) (value any, source string) {
	f, ok := index[Canonical(name)]
	if !ok {
		panic(fmt.Sprintf("BUG: config: no flag %q", name))
	}
	for i := len(c.scopes) - 1; i >= 0; i-- {
		if s, ok := c.scopes[i][f.Name]; ok {
			return s.value, s.source
		}
	}
	if s, ok := c.values[f.Name]; ok {
		return s.value, s.source
	}
	return f.Default, Default
}

// Bool returns the value of a flag of kind Bool.
func (c *Config) Bool(name string) bool {
	v, _ := c.Get(name)
	b, ok := v.(bool)
	if !ok {
		panic(fmt.Sprintf("BUG: config: flag %s is not a bool", name))
	}
	return b
}

// Int returns the value of a flag of kind Int.
func (c *Config) Int(name string) int {
	v, _ := c.Get(name)
	n, ok := v.(int)
	if !ok {
		panic(fmt.Sprintf("BUG: config: flag %s is not an int", name))
	}
	return n
}

// String returns the value of a flag of kind String, Choice or Tags.
func (c *Config) String(name string) string {
	v, _ := c.Get(name)
	s, ok := v.(string)
	if !ok {
		panic(fmt.Sprintf("BUG: config: flag %s is not a string", name))
	}
	return s
}

// Tags returns the names in a flag of kind Tags.
func (c *Config) Tags(name string) []string {
	s := c.String(name)
	if s == "" {
		return nil
	}
	return strings.Split(s, ":")
}

// Set gives a flag a value, as if assigned last. A cell's flags still win over it
// until they are popped.
func (c *Config) Set(name string, value any, source string) error {
	f, v, err := c.resolve(name, value)
	if err != nil {
		return at(source, err)
	}
	c.values[f.Name] = setting{v, source}
	c.changed()
	return nil
}

// Edits counts how often values may have changed: who reads flags all the time keeps what it read
// as long as that stays.
func (c *Config) Edits() int { return c.edits }

func (c *Config) changed() {
	c.edits++
	if c.OnChange != nil {
		c.OnChange()
	}
}

// Push puts flags in force until pop is called. Nothing is pushed if there is an error.
// Scopes are popped in the opposite order; pop may be called more than once.
func (c *Config) Push(flags map[string]any, source string) (pop func(), err error) {
	scope := make(map[string]setting, len(flags))
	for _, name := range sortedKeys(flags) {
		f, v, err := c.resolve(name, flags[name])
		if err != nil {
			return nil, at(source, err)
		}
		scope[f.Name] = setting{v, source}
	}
	c.scopes = append(c.scopes, scope)
	depth := len(c.scopes)
	c.changed()
	return func() {
		if len(c.scopes) >= depth {
			c.scopes = c.scopes[:depth-1]
			c.changed()
		}
	}, nil
}

// Flags returns every flag with its value and source, in the order of the table.
func (c *Config) Flags() []Row {
	flags := Table()
	rows := make([]Row, len(flags))
	for i, f := range flags {
		v, source := c.Get(f.Name)
		rows[i] = Row{f, v, source}
	}
	return rows
}

// Notes returns remarks about what was read, such as flags of another program that
// have no meaning here.
func (c *Config) Notes() []string { return c.notes }

// Hints returns what may be of use to whoever looks at the flags, such as files of another program
// that are not read.
func (c *Config) Hints() []string { return c.hints }

// Text returns all flags whose name or documentation contains pattern, one a line,
// with value and source.
func (c *Config) Text(pattern string) string {
	var rows [][3]string
	var w0, w1 int
	for _, r := range c.Flags() {
		if pattern != "" && !strings.Contains(strings.ToLower(r.Name+" "+r.Doc), strings.ToLower(pattern)) {
			continue
		}
		row := [3]string{r.Name, Show(r.Value), r.Source}
		w0, w1 = max(w0, len(row[0])), max(w1, len(row[1]))
		rows = append(rows, row)
	}
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "%-*s = %-*s  # %s\n", w0, r[0], w1, r[1], r[2])
	}
	if pattern == "" {
		for _, h := range c.hints {
			fmt.Fprintf(&b, "# %s\n", h)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// resolve finds a flag and checks a value for it.
func (c *Config) resolve(name string, value any) (*Flag, any, error) {
	f, ok := index[Canonical(name)]
	if !ok {
		return nil, nil, Unknown(name)
	}
	v, err := f.Check(value)
	if err == nil && !c.loading { // what comes later may still confine files
		if err = c.keep(f, v); err == nil && f.File {
			err = c.checkFile(f, v.(string))
		}
	}
	return f, v, err
}

// keep refuses to switch off a flag that is kept.
func (c *Config) keep(f *Flag, v any) error {
	if now, source := c.Get(f.Name); f.Kept && now == true && v == false {
		return fmt.Errorf("%s: on since %s, and cannot be switched off from here: start again with --flags %s=False", f.Name, source, f.Name)
	}
	return nil
}

// CheckFiles tries whether the files that flags name can be written: whoever finds out when a long
// program ends has lost what was to go there.
func (c *Config) CheckFiles() error {
	for _, r := range c.Flags() {
		if !r.File || r.Source == Default {
			continue
		}
		if err := c.checkFile(&r.Flag, r.Value.(string)); err != nil {
			return at(r.Source, err)
		}
	}
	return nil
}

func (c *Config) checkFile(f *Flag, path string) error {
	switch {
	case slices.Contains(f.Choices, path):
		return nil
	case path == "":
		return f.want(path)
	}
	if err := c.Writable(path); err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	return nil
}

// NotYet returns the error for what is known and not built.
func NotYet(what string) error { return fmt.Errorf("%s is not in Arignote yet", what) }

// Unknown returns the error for a name that is no flag, with the nearest one that is.
func Unknown(name string) error {
	if IsSection(name) {
		return fmt.Errorf("%s is a section of flags, not a flag; it has %s", name, strings.Join(Members(name), ", "))
	}
	if f := findForeign(name); f != nil {
		return fmt.Errorf("there is no flag %s: %s", name, f.why)
	}
	if n := Nearest(name); n != "" {
		return fmt.Errorf("unknown flag %s (did you mean %s?)", name, n)
	}
	section, rest, _ := strings.Cut(name, ".")
	if n := Closest(section, slices.DeleteFunc(Members(""), func(n string) bool { return !IsSection(n) })); n != "" {
		if rest != "" {
			n += "." + rest
		}
		return fmt.Errorf("unknown flag %s (did you mean %s?)", name, n)
	}
	return fmt.Errorf("unknown flag %s", name)
}

func at(source string, err error) error {
	if source == "" {
		return err
	}
	return fmt.Errorf("%s: %w", source, err)
}
