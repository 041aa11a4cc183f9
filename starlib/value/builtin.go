package value

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Builtin is a function of the host language together with what a user wants to
// know about it. Starlark's own *starlark.Builtin has a name and nothing else; ours
// carry their parameters, documentation and an example, so that argument errors,
// completion, inspection and help(f) all come from the one row that declares it.
type Builtin struct {
	Name    string
	Module  string // where it is, as np.linalg; "" for what says nothing
	Params  []Param
	Doc     string // first sentence says what is returned; a blank line; details
	Example string // Starlark, with the result as a comment: "abs(-2) # 2"

	// Fn is called with the arguments as they were written; most begin with b.Unpack
	// or b.Bind.
	Fn func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)

	// Asks, if not nil, asks for the memory of what Fn makes, as far as the arguments tell how much
	// that is: see ask.go.
	Asks func(b *Builtin, args starlark.Tuple) error

	// RetainsNone says that a call whose arguments are data, and that returns a number or an array,
	// keeps no argument: see NonRetaining.
	RetainsNone bool

	// Consumes says that Fn asks its arguments which of them were computed for the call, and holds
	// what else it keeps.
	Consumes bool

	// Types are what Type returns of the values that a type function makes, and of those that are
	// such values too: a bool is an int.
	Types []string

	// Base, if not nil, makes the function a base of classes, as theano.Op is: it stands for a
	// class with these methods.
	Base *Base

	// OfType says that a row of methods is a function, one of the type and of its values:
	// int.from_bytes.
	OfType bool

	// Attrs are functions that are attributes of this one: itertools.chain.from_iterable.
	Attrs []Builtin

	// Quick, if not nil, is what the machine asks before it calls Fn.
	Quick Quick

	// Named, if not nil, is that for a call with arguments by name.
	Named QuickNamed

	recv starlark.Value // of a method
}

// A Param is one parameter of a Builtin.
type Param struct {
	Name    string // "x", or "*args", or "**kwargs"; parameters after *args, or after "*", are by keyword only
	Default string // as it is shown; "" means that the argument is required
	Doc     string
	Also    []string // further keywords for it, which other libraries have
}

var _ starlark.Callable = Callable{}

// Callable is the Starlark value of a Builtin. It is a type of its own because a Go
// type cannot have both a field and a method called Name.
type Callable struct{ *Builtin }

var _ Comparer = Callable{}

// CompareBy finds types equal: type(x) == int, and == "int".
func (c Callable) CompareBy(op syntax.Token, y starlark.Value, _ starlark.Side) (starlark.Value, error) {
	if c.Types == nil && !c.isTypeItself() {
		return nil, nil
	}
	return compareTypes(op, c, y)
}

// isTypeItself reports whether it is the function type, whose values are types.
func (c Callable) isTypeItself() bool {
	return c.Types == nil && c.recv == nil && c.Module == "" && c.Builtin.Name == "type"
}

// namedTypes are types that have values of their own, by what Type returns of theirs.
var namedTypes = map[string]starlark.Value{}

// NameType says, when the program starts, that values of which Type returns typ are of the type t.
func NameType(typ string, t starlark.Value) { namedTypes[typ] = t }

// A NamedType is the type of values for which there is no function, type(x) of a generator: it has
// a name, and is what Type returns of them.
type NamedType string

var (
	_ starlark.HasAttrs = NamedType("")
	_ Types             = NamedType("")
	_ Comparer          = NamedType("")
)

func (t NamedType) Type() string          { return "type" }
func (t NamedType) String() string        { return "<class '" + t.name() + "'>" }
func (t NamedType) Freeze()               {}
func (t NamedType) Truth() starlark.Bool  { return true }
func (t NamedType) Hash() (uint32, error) { return starlark.String(t.name()).Hash() }
func (t NamedType) TypeNames() []string   { return []string{string(t)} }
func (t NamedType) AttrNames() []string   { return []string{"__module__", "__name__", "__qualname__"} }

// name is that which Python has for it.
func (t NamedType) name() string {
	if name := typeNames[string(t)]; name != "" {
		return name
	}
	return string(t)
}

// Attr is what classes have of themselves.
func (t NamedType) Attr(name string) (starlark.Value, error) {
	switch name {
	case "__name__", "__qualname__":
		return starlark.String(t.name()), nil
	case "__module__":
		return starlark.String("builtins"), nil
	}
	return nil, nil
}

// CompareBy finds it equal to the function of the same type, and to its name.
func (t NamedType) CompareBy(op syntax.Token, y starlark.Value, _ starlark.Side) (starlark.Value, error) {
	return compareTypes(op, t, y)
}

// compareTypes is x == y, or x != y, of types; nil of other operations and values.
func compareTypes(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	if op != syntax.EQL && op != syntax.NEQ || TypeKey(y) == "" {
		return nil, nil
	}
	return starlark.Bool(SameType(x, y) == (op == syntax.EQL)), nil
}

// TypeKey is what Type returns of the values of a type, also if it is given by its name; "" of what
// is no type.
func TypeKey(x starlark.Value) string {
	switch x := x.(type) {
	case Callable:
		if x.Types != nil {
			return x.Types[0]
		}
		if x.isTypeItself() {
			return "type"
		}
	case NamedType:
		return string(x)
	case starlark.String:
		return string(x)
	}
	return ""
}

// SameType says whether x and y are the same type: a function such as int, what type(x) returns,
// or, of one of them, its name.
func SameType(x, y starlark.Value) bool {
	key := TypeKey(x)
	return key != "" && key == TypeKey(y)
}

// TypeName is the name of a value's type as Python has it.
func TypeName(v starlark.Value) string {
	if i, ok := v.(Instance); ok {
		return i.Type()
	}
	if name := typeNames[v.Type()]; name != "" {
		return name
	}
	return v.Type()
}

// attributed is the value of a function that has attributes.
type attributed struct{ Callable }

var _ starlark.HasAttrs = attributed{}

// Attr returns one of them, nil if there is none of that name.
func (a attributed) Attr(name string) (starlark.Value, error) {
	for i := range a.Attrs {
		if a.Attrs[i].Name == name {
			return a.Attrs[i].Value(), nil
		}
	}
	return nil, nil
}

// AttrNames are their names.
func (a attributed) AttrNames() []string {
	names := make([]string, len(a.Attrs))
	for i := range a.Attrs {
		names[i] = a.Attrs[i].Name
	}
	return names
}

// Value returns b as a Starlark value.
func (b *Builtin) Value() starlark.Value {
	if b.Attrs != nil {
		return attributed{Callable{b}}
	}
	return Callable{b}
}

// Method returns b, declared as a method, as a value bound to recv.
func (b *Builtin) Method(recv starlark.Value) starlark.Value {
	bound := *b
	bound.recv = recv
	return Callable{&bound}
}

// Receiver returns the value a method is bound to, or nil.
func (b *Builtin) Receiver() starlark.Value { return b.recv }

// AsBuiltin returns the Builtin behind a Starlark value, or nil.
func AsBuiltin(v starlark.Value) *Builtin {
	if c, ok := v.(interface{ builtin() *Builtin }); ok { // also what embeds a Callable
		return c.builtin()
	}
	return nil
}

func (c Callable) builtin() *Builtin { return c.Builtin }

func (c Callable) Name() string          { return c.Builtin.Name }
func (c Callable) Type() string          { return "builtin_function_or_method" }
func (c Callable) Freeze()               {}
func (c Callable) Truth() starlark.Bool  { return true }
func (c Callable) Hash() (uint32, error) { return starlark.String(c.Builtin.Name).Hash() }
func (c Callable) String() string {
	if c.recv != nil {
		return fmt.Sprintf("<built-in method %s of %s value>", c.Builtin.Name, c.recv.Type())
	}
	if c.Types != nil || c.isTypeItself() {
		return "<class '" + c.qualified() + "'>"
	}
	return fmt.Sprintf("<built-in function %s>", c.Builtin.Name)
}

// CallInternal calls Fn. A panic is turned into an error here, where the thread's
// stack still says which line of the user's led to it.
func (c Callable) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (v starlark.Value,
	err error) {
	defer func() {
		if p := recover(); p != nil {
			samplerOf(thread).Leave("function", c.path()) // an interrupt may end it
			v, err = nil, Recovered(p)
		}
	}()
	if c.Asks != nil {
		if err := c.Asks(c.Builtin, args); err != nil {
			return nil, err
		}
	}
	if n := TextBytes(c.recv); n >= besideFrom && areTexts(args) && len(kwargs) == 0 {
		return Beside(thread, n, func() (starlark.Value, error) { return c.Fn(thread, c.Builtin, args, kwargs) })
	}
	if atWork.Load() > 0 {
		samplerOf(thread).Enter()
	}
	v, err = c.Fn(thread, c.Builtin, args, kwargs)
	if atWork.Load() > 0 { // one that glances may be so only now
		if s := samplerOf(thread); s.Moved() {
			s.Leave("function", c.path())
		}
	}
	return v, err
}

// qualified is the name of a type with its module, as Python has it.
func (b *Builtin) qualified() string {
	switch b.Module {
	case "":
		return b.Name
	case "np":
		return "numpy." + b.Name
	}
	return b.Module + "." + b.Name
}

// path is the name as a program writes it: np.linalg.svd, or list.append.
func (b *Builtin) path() string {
	switch {
	case b.Module != "":
		return b.Module + "." + b.Name
	case b.recv != nil:
		return b.recv.Type() + "." + b.Name
	}
	return b.Name
}

// Signature returns the call as documentation shows it: "sorted(x, *, key=None, reverse=False)".
func (b *Builtin) Signature() string {
	parts := make([]string, len(b.Params))
	for i, p := range b.Params {
		parts[i] = p.Name
		if p.Default != "" {
			parts[i] += "=" + p.Default
		}
	}
	return b.Name + "(" + strings.Join(parts, ", ") + ")"
}

// Bind matches arguments with parameters and returns one value a parameter, in order:
// nil for one that was not given, a tuple for *args, a dict for **kwargs (nil for "*").
func (b *Builtin) Bind(args starlark.Tuple, kwargs []starlark.Tuple) ([]starlark.Value, error) {
	values := make([]starlark.Value, len(b.Params))
	if err := b.bind(values, args, kwargs); err != nil {
		return nil, err
	}
	return values, nil
}

// bind is Bind into values, which are nil before.
func (b *Builtin) bind(values []starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) error {
	var extra *slot.Dict
	positional := 0
	for i, p := range b.Params {
		switch {
		case strings.HasPrefix(p.Name, "**"):
			extra = new(slot.Dict)
			values[i] = extra
		case p.Name == "*":
			positional = -1 - positional
		case p.Name[0] == '*':
			n := min(positional, len(args))
			values[i] = args[n:]
			args = args[:n]
			positional = -1 - positional
		case positional >= 0:
			if positional < len(args) {
				values[i] = args[positional]
			}
			positional++
		}
	}
	if positional < 0 {
		positional = -1 - positional
	}
	if len(args) > positional {
		return fmt.Errorf("%s: got %d arguments, want at most %d: %s", b.Name, len(args), positional, b.Signature())
	}
	for _, kv := range kwargs {
		if err := b.bindKeyword(values, extra, string(kv[0].(starlark.String)), kv[1]); err != nil {
			return err
		}
	}
	for i, p := range b.Params {
		if values[i] == nil && p.Default == "" && p.Name[0] != '*' {
			return fmt.Errorf("%s: missing argument for %s: %s", b.Name, p.Name, b.Signature())
		}
	}
	return nil
}

func (b *Builtin) bindKeyword(values []starlark.Value, extra *slot.Dict, name string, v starlark.Value) error {
	for i, p := range b.Params {
		if p.Name != name && !slices.Contains(p.Also, name) {
			continue
		}
		if values[i] != nil {
			return fmt.Errorf("%s: got multiple values for parameter %s", b.Name, name)
		}
		values[i] = v
		return nil
	}
	if extra != nil {
		return extra.SetKey(starlark.String(name), v)
	}
	return b.Accepts(name)
}

// Accepts is the error of an argument by a keyword that there is no parameter for.
func (b *Builtin) Accepts(name string) error {
	var names []string
	for _, p := range b.Params {
		if p.Name == name || slices.Contains(p.Also, name) || strings.HasPrefix(p.Name, "**") {
			return nil
		}
		if p.Name[0] != '*' {
			names = append(names, p.Name)
		}
	}
	if n := config.Closest(name, names); n != "" {
		return fmt.Errorf("%s: unexpected keyword argument %s (did you mean %s?)", b.Name, name, n)
	}
	return fmt.Errorf("%s: unexpected keyword argument %s: %s", b.Name, name, b.Signature())
}

// Unpack matches arguments with parameters and stores each in the variable that ptrs
// holds for its parameter, with starlark.UnpackArgs' conversions; a variable whose
// argument was not given keeps its value. None stands for a missing argument where
// the parameter's default is None. There are no pointers for "*".
func (b *Builtin) Unpack(args starlark.Tuple, kwargs []starlark.Tuple, ptrs ...any) error {
	var space [4]starlark.Value // of most functions
	values := space[:]
	if n := len(b.Params); n <= len(space) {
		values = values[:n]
	} else {
		values = make([]starlark.Value, n)
	}
	if err := b.bind(values, args, kwargs); err != nil {
		return err
	}
	next := 0
	for i, p := range b.Params {
		if p.Name == "*" {
			continue
		}
		ptr := ptrs[next]
		next++
		v := values[i]
		if v == nil || v == starlark.None && p.Default == "None" {
			continue
		}
		switch ptr.(type) {
		case *starlark.Value, *starlark.Tuple:
		default:
			v = Plain(v)
		}
		if assigned(ptr, v) {
			continue
		}
		name := strings.TrimLeft(p.Name, "*")
		one := []starlark.Tuple{{starlark.String(name), v}}
		if err := starlark.UnpackArgs(b.Name, nil, one, name, ptr); err != nil {
			return errors.New(strings.Replace(err.Error(), strconv.Quote(name), name, 1))
		}
	}
	if next != len(ptrs) {
		return errors.New("BUG: " + b.Name + ": Unpack got pointers for other parameters than it has")
	}
	return nil
}

// assigned sets what a pointer points to, as starlark.UnpackArgs does, if that has the value's
// type: it takes a fifth of a microsecond for each argument.
func assigned(ptr any, v starlark.Value) bool {
	switch ptr := ptr.(type) {
	case *starlark.Value:
		*ptr = v
		return true
	case *starlark.Tuple:
		return set(ptr, v)
	case *string:
		s, ok := v.(starlark.String)
		if ok {
			*ptr = string(s)
		}
		return ok
	case *bool:
		b, ok := v.(starlark.Bool)
		if ok {
			*ptr = bool(b)
		}
		return ok
	}
	return false
}

func set[T starlark.Value](ptr *T, v starlark.Value) bool {
	x, ok := v.(T)
	if ok {
		*ptr = x
	}
	return ok
}

// Details returns the documentation of b as plain text, without the signature.
func (b *Builtin) Details() string {
	var s strings.Builder
	s.WriteString(b.Doc)
	wrote := false
	for _, p := range b.Params {
		if p.Doc == "" {
			continue
		}
		if !wrote {
			s.WriteString("\n\nArgs:")
			wrote = true
		}
		fmt.Fprintf(&s, "\n  %s: %s", p.Name, p.Doc)
	}
	if b.Example != "" {
		s.WriteString("\n\nExample:\n  " + strings.ReplaceAll(b.Example, "\n", "\n  "))
	}
	return strings.TrimLeft(s.String(), "\n")
}

// ParseParam reads "name=default: documentation". Further keywords for the parameter follow its
// name: "a|x|input: an array".
func ParseParam(text string) Param {
	decl, doc, _ := strings.Cut(text, ": ")
	name, value, _ := strings.Cut(strings.TrimSuffix(decl, ":"), "=")
	p := Param{Name: name, Default: value, Doc: doc}
	if first, also, ok := strings.Cut(name, "|"); ok {
		p.Name, p.Also = first, strings.Split(also, "|")
	}
	return p
}

// Row returns the row of a function. Each parameter is written "name=default: documentation".
func Row(name, doc, example string,
	fn func(*starlark.Thread, *Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error),
	params ...string) Builtin {
	b := Builtin{Name: name, Doc: doc, Example: example, Fn: fn}
	for _, p := range params {
		b.Params = append(b.Params, ParseParam(p))
	}
	return b
}

// Bound returns the row of a function that is given its arguments bound to parameters.
func Bound(name, doc, example string, fn func([]starlark.Value) (starlark.Value, error), params ...string) Builtin {
	return BoundOn(name, doc, example, func(_ *starlark.Thread, v []starlark.Value) (starlark.Value, error) { return fn(v) }, params...)
}

// BoundOn is Bound for a function that needs the thread: one that takes long, and asks, or that
// calls others.
func BoundOn(name, doc, example string, fn func(*starlark.Thread, []starlark.Value) (starlark.Value, error), params ...string) Builtin {
	return Row(name, doc, example,
		func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			return fn(thread, v)
		}, params...)
}

// A Quick is what a function or method makes of positional arguments in slots, of a method after
// the value that it is one of. ok is false, and nothing has happened, where the function has to be
// called: for arguments of other types, where something takes long, and for all errors.
type Quick func(args []slot.Slot) (result slot.Slot, ok bool)

// A QuickNamed is a Quick of positional arguments and some by name.
type QuickNamed func(args []slot.Slot, names []string, values []slot.Slot) (result slot.Slot, ok bool)

// OrNone is v, None for nil.
func OrNone(v starlark.Value) starlark.Value {
	if v == nil {
		return starlark.None
	}
	return v
}
