package pylib

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

var argparseModule = module("argparse", "The arguments of a script, which follow its file on the command line: arignote run train.py --epochs 3.", []value.Builtin{
	value.Function("ArgumentParser", "A parser of arguments.",
		`p = argparse.ArgumentParser(); p.add_argument("--n", type=int, default=1); p.parse_args(["--n", "3"]).n # 3`,
		func(thread *starlark.Thread, a *struct {
			Prog        starlark.Value `arg:"prog=None: the name of the program"`
			Usage       starlark.Value `arg:"usage=None: without effect: it is written from the arguments"`
			Description string         `arg:"description=\"\": what it does"`
			Epilog      string         `arg:"epilog=\"\": text after the help"`
			Parents     starlark.Value `arg:"parents=None: not in Arignote"`
			Formatter   starlark.Value `arg:"formatter_class=None: without effect"`
		}) (starlark.Value, error) {
			p := &parser{class: "ArgumentParser", prog: "PROG", description: a.Description, epilog: a.Epilog}
			if argv := session.Of(thread).Arguments(); argv.Len() > 0 {
				p.prog = filepath.Base(text(argv.Index(0)))
			}
			if name, ok := starlark.AsString(orNone(a.Prog)); ok {
				p.prog = name
			}
			return p, nil
		}),
	value.Function("ArgumentDefaultsHelpFormatter", "Accepted as formatter_class; help is written in one way.",
		`print(argparse.ArgumentDefaultsHelpFormatter()) # None`,
		func(*starlark.Thread, *none) (starlark.Value, error) { return starlark.None, nil }),
	{Name: "Namespace", Doc: "A value with attributes.", Params: []value.Param{{Name: "**kwargs", Doc: "the attributes"}},
		Example: `argparse.Namespace(n=3).n # 3`,
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			n := newNamespace()
			for _, kv := range kwargs {
				n.values.SetKey(kv[0], kv[1])
			}
			return n, nil
		}},
})

// A parser is an ArgumentParser.
type parser struct {
	class
	prog, description, epilog string
	arguments                 []*argument
	exclusive                 []*group
	defaults                  []starlark.Tuple
}

// An argument is one that add_argument declares.
type argument struct {
	flags      []string // "-n", "--number"; none: by position
	dest, help string
	action     string
	kind       starlark.Value // a function of the text, nil: as it is
	fallback   starlark.Value
	constant   starlark.Value
	choices    []starlark.Value
	least      int  // values that follow
	most       int  // -1: any number
	single     bool // its value is no list
	required   bool
	meta       string
	version    string
}

func (p *parser) Table() *value.Methods                    { return parserMethods }
func (p *parser) AttrNames() []string                      { return parserMethods.Names() }
func (p *parser) Attr(name string) (starlark.Value, error) { return parserMethods.Attr(p, name) }

// namespace is the result of parse_args.
type namespace struct {
	class
	values *slot.Dict
}

func newNamespace() *namespace { return &namespace{"Namespace", new(slot.Dict)} }

func (n *namespace) Table() *value.Methods { return namespaceMethods }
func (n *namespace) AttrNames() []string {
	var names []string
	for _, k := range n.values.Keys() {
		names = append(names, text(k))
	}
	return namespaceMethods.Names(names...)
}

func (n *namespace) Attr(name string) (starlark.Value, error) {
	if v, ok, _ := n.values.Get(starlark.String(name)); ok {
		return v, nil
	}
	if f := namespaceMethods.Field(name); f != nil {
		return f.Get(n)
	}
	return nil, value.NoAttr("Namespace", name, n.AttrNames())
}

func (n *namespace) SetField(name string, v starlark.Value) error {
	return n.values.SetKey(starlark.String(name), v)
}
func (n *namespace) String() string {
	var parts []string
	for _, kv := range n.values.Items() {
		parts = append(parts, text(kv[0])+"="+value.Repr(kv[1]))
	}
	return "Namespace(" + strings.Join(parts, ", ") + ")"
}

// Has says whether there is an attribute of a name: "n" in args.
func (n *namespace) Has(name starlark.Value) (bool, error) {
	_, found, err := n.values.Get(name)
	return found, err
}

// CompareSameType compares the attributes of two.
func (n *namespace) CompareSameType(op token, y starlark.Value, depth int) (bool, error) {
	return n.values.CompareSameType(op, y.(*namespace).values, depth)
}

var namespaceMethods = value.NewMethods("Namespace", nil).With(
	value.FieldOf("__dict__", "The attributes as a dict, as vars gives them.", `import argparse; argparse.Namespace(n=3).__dict__ # {"n": 3}`,
		func(n *namespace) starlark.Value { return n.values }))

var parserMethods = value.NewMethods("ArgumentParser", []value.Builtin{
	method("add_argument", "Declares an argument.",
		`import argparse; p = argparse.ArgumentParser(); p.add_argument("x", type=float); p.parse_args(["2"]).x # 2.0`,
		func(_ *starlark.Thread, p *parser, a *argumentArgs) (starlark.Value, error) {
			_, err := p.add(a)
			return starlark.None, err
		}),
	method("add_argument_group", "What declares arguments that belong together.",
		`import argparse; p = argparse.ArgumentParser(); p.add_argument_group("net").add_argument("--n"); p.parse_args(["--n", "1"]).n # "1"`,
		func(_ *starlark.Thread, p *parser, a *struct {
			Title starlark.Value `arg:"title=None: without effect"`
			Text  starlark.Value `arg:"description=None: without effect"`
		}) (starlark.Value, error) {
			return &group{class: "ArgumentGroup", of: p}, nil
		}),
	method("add_mutually_exclusive_group", "What declares arguments of which one at most is given.",
		`import argparse; p = argparse.ArgumentParser(); p.add_mutually_exclusive_group().add_argument("--n"); p.parse_args(["--n", "1"]).n # "1"`,
		func(_ *starlark.Thread, p *parser, a *struct {
			Required bool `arg:"required=False: one has to be given"`
		}) (starlark.Value, error) {
			g := &group{class: "ArgumentGroup", of: p, required: a.Required}
			p.exclusive = append(p.exclusive, g)
			return g, nil
		}),
	method("error", "Ends the program as a wrong argument does.", `import argparse; type(argparse.ArgumentParser().error) # <class 'builtin_function_or_method'>`,
		func(thread *starlark.Thread, p *parser, a *struct {
			Message string `arg:"message: what is wrong"`
		}) (starlark.Value, error) {
			return nil, p.wrong(thread, "%s", a.Message)
		}),
	method("format_help", "What print_help prints.", `import argparse; argparse.ArgumentParser(prog="a").format_help() # "usage: a [-h]\n"`,
		func(_ *starlark.Thread, p *parser, _ *none) (starlark.Value, error) {
			return starlark.String(p.help()), nil
		}),
	method("format_usage", "The first line of the help.", `import argparse; argparse.ArgumentParser(prog="a").format_usage() # "usage: a [-h]\n"`,
		func(_ *starlark.Thread, p *parser, _ *none) (starlark.Value, error) {
			return starlark.String(p.usage()), nil
		}),
	method("print_usage", "Prints the first line of the help.", `import argparse; argparse.ArgumentParser(prog="a").print_usage() # usage: a [-h]`,
		func(thread *starlark.Thread, p *parser, _ *none) (starlark.Value, error) {
			session.Of(thread).Output().Stream("stdout", p.usage())
			return nil, nil
		}),
	method("parse_args", "The values of the arguments as attributes. A wrong argument ends the program with status 2.",
		`import argparse; p = argparse.ArgumentParser(); p.add_argument("--fast", action="store_true"); p.parse_args(["--fast"]).fast # True`,
		func(thread *starlark.Thread, p *parser, a *argsArgs) (starlark.Value, error) {
			n, rest, err := p.parse(thread, a.Args)
			if err == nil && len(rest) > 0 {
				err = p.wrong(thread, "unrecognized arguments: %s", strings.Join(rest, " "))
			}
			return n, err
		}),
	method("parse_known_args", "The values of the arguments, and the list of what is left.",
		`import argparse; p = argparse.ArgumentParser(); p.add_argument("--n"); p.parse_known_args(["--n", "1", "--m"]) # (Namespace(n="1"), ["--m"])`,
		func(thread *starlark.Thread, p *parser, a *argsArgs) (starlark.Value, error) {
			n, rest, err := p.parse(thread, a.Args)
			return starlark.Tuple{n, list(rest)}, err
		}),
	method("print_help", "Prints what the arguments are.", `import argparse; argparse.ArgumentParser(prog="a").print_help() # usage: a [-h]`,
		func(thread *starlark.Thread, p *parser, _ *none) (starlark.Value, error) {
			session.Of(thread).Output().Stream("stdout", p.help())
			return nil, nil
		}),
	{Name: "set_defaults", Doc: "Sets attributes that arguments may change.", Params: []value.Param{{Name: "**kwargs", Doc: "the attributes"}},
		Example: `import argparse; p = argparse.ArgumentParser(); p.set_defaults(n=3); p.parse_args([]).n # 3`,
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			p := b.Receiver().(*parser)
			p.defaults = append(p.defaults, kwargs...)
			return starlark.None, nil
		}},
})

type argumentArgs struct {
	Names    starlark.Tuple `arg:"*names: -n and --name, or one name without -, of an argument by position"`
	Action   string         `arg:"action=\"store\": store, store_true, store_false, store_const, append, count or version"`
	NArgs    starlark.Value `arg:"nargs=None: how many values: a number, ?, * or +"`
	Const    starlark.Value `arg:"const=None: the value of store_const, and of ? without one"`
	Default  starlark.Value `arg:"default=None: the value where it is not given"`
	Type     starlark.Value `arg:"type=None: a function of the text: int, float"`
	Choices  starlark.Value `arg:"choices=None: the values that it may have"`
	Required bool           `arg:"required=False: it has to be given"`
	Help     string         `arg:"help=\"\": what it is"`
	Meta     string         `arg:"metavar=\"\": what help calls its value"`
	Dest     string         `arg:"dest=\"\": the attribute"`
	Version  string         `arg:"version=\"\": what the action version prints"`
}

// add declares an argument.
func (p *parser) add(a *argumentArgs) (*argument, error) {
	arg := &argument{help: a.Help, action: a.Action, kind: notNone(orNone(a.Type)), fallback: a.Default, constant: orNone(a.Const), required: a.Required,
		meta: a.Meta, dest: a.Dest, version: a.Version, least: 1, most: 1, single: true}
	return arg, p.declare(arg, a.Names, orNone(a.NArgs), a.Choices)
}

// A group declares arguments of a parser.
type group struct {
	class
	of       *parser
	required bool
	declared []*argument
}

func (g *group) Table() *value.Methods                    { return groupMethods }
func (g *group) AttrNames() []string                      { return groupMethods.Names() }
func (g *group) Attr(name string) (starlark.Value, error) { return groupMethods.Attr(g, name) }

var groupMethods = value.NewMethods("ArgumentGroup", []value.Builtin{
	method("add_argument", "Declares an argument, as a parser's.",
		`import argparse; p = argparse.ArgumentParser(); p.add_argument_group("net").add_argument("--n", type=int); p.parse_args(["--n", "1"]).n # 1`,
		func(_ *starlark.Thread, g *group, a *argumentArgs) (starlark.Value, error) {
			arg, err := g.of.add(a)
			g.declared = append(g.declared, arg)
			return starlark.None, err
		}),
})

// checkExclusive refuses several arguments of a group of which one is given, and none where there
// has to be one.
func (p *parser) checkExclusive(thread *starlark.Thread, given map[*argument]bool) error {
	for _, g := range p.exclusive {
		var first *argument
		var names []string
		for _, a := range g.declared {
			names = append(names, strings.Join(a.flags, "/"))
			if !given[a] {
				continue
			}
			if first != nil {
				return p.wrong(thread, "%s: not allowed with %s", a.name(), first.name())
			}
			first = a
		}
		if first == nil && g.required {
			return p.wrong(thread, "one of the arguments %s is required", strings.Join(names, " "))
		}
	}
	return nil
}

type argsArgs struct {
	Args starlark.Value `arg:"args=None: texts; without them, those after the script in sys.argv"`
}

// declare checks an argument, and adds it.
func (p *parser) declare(arg *argument, names starlark.Tuple, nargs, choices starlark.Value) error {
	for _, v := range names {
		name := text(v)
		if strings.HasPrefix(name, "-") {
			arg.flags = append(arg.flags, name)
		} else if len(names) > 1 || name == "" {
			return failure("ValueError", "add_argument: got the name %q, want one that begins with -", name)
		} else if arg.dest == "" {
			arg.dest = name
		}
	}
	if arg.dest == "" {
		if len(arg.flags) == 0 {
			return failure("TypeError", "add_argument: got no name")
		}
		long := arg.flags[0]
		if i := slices.IndexFunc(arg.flags, func(f string) bool { return strings.HasPrefix(f, "--") }); i >= 0 {
			long = arg.flags[i]
		}
		arg.dest = strings.ReplaceAll(strings.TrimLeft(long, "-"), "-", "_")
	}
	switch arg.action {
	case "store", "append":
	case "store_true", "store_false", "store_const", "count", "version":
		arg.least, arg.most = 0, 0
		if arg.fallback == nil && arg.action == "store_true" {
			arg.fallback = starlark.False
		}
		if arg.fallback == nil && arg.action == "store_false" {
			arg.fallback = starlark.True
		}
	default:
		return failure("ValueError", "add_argument: got action %q, want store, store_true, store_false, store_const, append, count or version", arg.action)
	}
	switch n := value.NumberOf(nargs).(type) {
	case starlark.NoneType:
	case starlark.Int:
		k, err := starlark.AsInt32(n)
		if err != nil || k < 1 {
			return failure("ValueError", "add_argument: for parameter nargs: got %s, want a number above 0, ?, * or +", n)
		}
		arg.least, arg.most, arg.single = k, k, false
	default:
		switch text(n) {
		case "?":
			arg.least = 0
		case "*":
			arg.least, arg.most, arg.single = 0, -1, false
		case "+":
			arg.most, arg.single = -1, false
		default:
			return failure("ValueError", "add_argument: for parameter nargs: got %s, want a number above 0, ?, * or +", value.Repr(n))
		}
	}
	if choices != nil && choices != starlark.None {
		var err error
		if arg.choices, err = elements(nil, choices); err != nil {
			return fmt.Errorf("add_argument: for parameter choices: %w", err)
		}
	}
	p.arguments = append(p.arguments, arg)
	return nil
}

// wrong ends the program as a wrong command line does.
func (p *parser) wrong(thread *starlark.Thread, format string, args ...any) error {
	msg := fmt.Sprintf("%s: error: "+format, append([]any{p.prog}, args...)...)
	session.Of(thread).Output().Stream("stderr", p.usage()+msg+"\n")
	return &Exit{2, "2", starlark.MakeInt(2)}
}

func (a *argument) name() string {
	if len(a.flags) > 0 {
		return "argument " + strings.Join(a.flags, "/")
	}
	return "argument " + a.dest
}

// find returns the argument of a flag, which may be the beginning of one.
func (p *parser) find(flag string) *argument {
	var found *argument
	for _, a := range p.arguments {
		if slices.Contains(a.flags, flag) {
			return a
		}
		for _, f := range a.flags {
			if strings.HasPrefix(flag, "--") && strings.HasPrefix(f, flag) {
				if found != nil && found != a {
					return nil
				}
				found = a
			}
		}
	}
	return found
}

// parse reads texts; rest is what is no argument.
func (p *parser) parse(thread *starlark.Thread, given starlark.Value) (n *namespace, rest []string, err error) {
	if given == nil || given == starlark.None {
		given = slot.NewList(elementsOf(thread, session.Of(thread).Arguments())[1:])
	}
	items, err := elements(nil, given)
	if err != nil {
		return nil, nil, err
	}
	args := make([]string, len(items))
	for i, v := range items {
		args[i] = value.Str(v)
	}
	n = newNamespace()
	for _, a := range p.arguments {
		if a.action == "version" {
			continue
		}
		if err := p.setDefault(thread, n, a); err != nil {
			return nil, nil, err
		}
	}
	for _, kv := range p.defaults {
		n.values.SetKey(kv[0], kv[1])
	}
	isFlag := func(s string) bool {
		return len(s) > 1 && s[0] == '-' && (s[1] < '0' || s[1] > '9') && s[1] != '.' && s != "--"
	}
	given1 := map[*argument]bool{}
	var positional []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			positional = append(positional, args[i+1:]...)
			break
		}
		if !isFlag(arg) {
			positional = append(positional, arg)
			continue
		}
		flag, inline, hasInline := strings.Cut(arg, "=")
		if flag == "-h" || flag == "--help" {
			session.Of(thread).Output().Stream("stdout", p.help())
			return nil, nil, &Exit{0, "0", starlark.MakeInt(0)}
		}
		a := p.find(flag)
		if a == nil && len(arg) > 2 && arg[1] != '-' { // -n3, and -vq for -v -q
			for a = p.find(arg[:2]); a != nil && a.most == 0 && len(arg) > 2 && a.action != "version"; a = p.find(arg[:2]) {
				given1[a] = true
				if err := p.store(thread, n, a, nil); err != nil {
					return nil, nil, err
				}
				arg = "-" + arg[2:]
			}
			if a != nil && len(arg) > 2 {
				inline, hasInline = arg[2:], true
			}
		}
		if a == nil {
			rest = append(rest, arg)
			continue
		}
		if a.action == "version" {
			session.Of(thread).Output().Stream("stdout", strings.ReplaceAll(a.version, "%(prog)s", p.prog)+"\n")
			return nil, nil, &Exit{0, "0", starlark.MakeInt(0)}
		}
		given1[a] = true
		var values []string
		if hasInline {
			values = []string{inline}
		} else {
			for i+1 < len(args) && (a.most < 0 || len(values) < a.most) && !isFlag(args[i+1]) && args[i+1] != "--" {
				i++
				values = append(values, args[i])
			}
		}
		if err := p.store(thread, n, a, values); err != nil {
			return nil, nil, err
		}
	}
	more, err := p.positional(thread, n, positional, given1)
	if err != nil {
		return nil, nil, err
	}
	var missing []string
	for _, a := range p.arguments {
		if a.required && len(a.flags) > 0 && !given1[a] {
			missing = append(missing, strings.Join(a.flags, "/"))
		}
		if len(a.flags) == 0 && a.least > 0 && !given1[a] {
			missing = append(missing, a.dest)
		}
	}
	if err := p.checkExclusive(thread, given1); err != nil {
		return nil, nil, err
	}
	if len(missing) > 0 {
		return nil, nil, p.wrong(thread, "the following arguments are required: %s", strings.Join(missing, ", "))
	}
	return n, append(rest, more...), nil
}

// positional gives texts to the arguments without flags: to each what it needs, and to the first
// that takes more what is left.
func (p *parser) positional(thread *starlark.Thread, n *namespace, texts []string, done map[*argument]bool) (rest []string, err error) {
	needed := 0
	for _, a := range p.arguments {
		if len(a.flags) == 0 {
			needed += a.least
		}
	}
	for _, a := range p.arguments {
		if len(a.flags) > 0 {
			continue
		}
		needed -= a.least
		k := max(len(texts)-needed, 0)
		if a.most >= 0 {
			k = min(k, a.most)
		}
		if k < a.least || k == 0 {
			continue
		}
		done[a] = true
		if err := p.store(thread, n, a, texts[:k]); err != nil {
			return nil, err
		}
		texts = texts[k:]
	}
	return texts, nil
}

// setDefault sets what an argument is that is not given: text is read as if it were.
func (p *parser) setDefault(thread *starlark.Thread, n *namespace, a *argument) error {
	v := orNone(a.fallback)
	if len(a.flags) == 0 && a.least == 0 && a.most < 0 && v == starlark.None {
		v = new(slot.List)
	}
	if s, ok := v.(starlark.String); ok && a.kind != nil {
		var err error
		if v, err = p.read(thread, a, string(s)); err != nil {
			return err
		}
	}
	return n.values.SetKey(starlark.String(a.dest), v)
}

// read makes a value of a text.
func (p *parser) read(thread *starlark.Thread, a *argument, s string) (starlark.Value, error) {
	var v starlark.Value = starlark.String(s)
	if a.kind != nil {
		x, err := value.Call(thread, a.kind, starlark.Tuple{v}, nil)
		if err != nil {
			name := "value"
			if f, ok := a.kind.(starlark.Callable); ok {
				name = f.Name() + " value"
			}
			return nil, p.wrong(thread, "%s: invalid %s: '%s'", a.name(), name, s)
		}
		v = x
	}
	for _, c := range a.choices {
		if same, err := starlark.Equal(v, c); same && err == nil {
			return v, nil
		}
	}
	if len(a.choices) > 0 {
		var all []string
		for _, c := range a.choices {
			all = append(all, value.Str(c))
		}
		hint := ""
		if n := config.Closest(s, all); n != "" {
			hint = "; did you mean " + n + "?"
		}
		return nil, p.wrong(thread, "%s: invalid choice: '%s' (choose from %s%s)", a.name(), s, strings.Join(all, ", "), hint)
	}
	return v, nil
}

// store sets the attribute of an argument that is given.
func (p *parser) store(thread *starlark.Thread, n *namespace, a *argument, texts []string) error {
	if len(texts) < a.least {
		want := "one argument"
		switch {
		case a.most < 0:
			want = "at least one argument"
		case a.least > 1:
			want = fmt.Sprintf("%d arguments", a.least)
		}
		return p.wrong(thread, "%s: expected %s", a.name(), want)
	}
	if len(texts) > 0 && a.most == 0 {
		return p.wrong(thread, "%s: ignored explicit argument '%s'", a.name(), texts[0])
	}
	key := starlark.String(a.dest)
	old, _, _ := n.values.Get(key)
	var v starlark.Value
	var items []starlark.Value
	for _, s := range texts {
		x, err := p.read(thread, a, s)
		if err != nil {
			return err
		}
		items = append(items, x)
	}
	switch {
	case a.action == "store_true":
		v = starlark.True
	case a.action == "store_false":
		v = starlark.False
	case a.action == "store_const":
		v = a.constant
	case a.action == "count":
		k, _ := starlark.AsInt32(orNone(old))
		v = starlark.MakeInt(k + 1)
	case !a.single:
		v = slot.NewList(items)
	case len(items) == 0:
		v = a.constant
	default:
		v = items[0]
	}
	if a.action == "append" {
		var all []starlark.Value
		if l, ok := old.(*slot.List); ok {
			all = elementsOf(thread, l)
		}
		v = slot.NewList(append(all, v))
	}
	return n.values.SetKey(key, v)
}

// shape is how an argument is written.
func (a *argument) shape() string {
	meta := a.meta
	if meta == "" {
		if meta = a.dest; len(a.flags) > 0 {
			meta = strings.ToUpper(meta)
		}
		if len(a.choices) > 0 {
			var all []string
			for _, c := range a.choices {
				all = append(all, value.Str(c))
			}
			meta = "{" + strings.Join(all, ",") + "}"
		}
	}
	switch {
	case a.most == 0:
		return ""
	case a.most < 0 && a.least == 0:
		return "[" + meta + " ...]"
	case a.most < 0:
		return meta + " [" + meta + " ...]"
	case a.least == 0:
		return "[" + meta + "]"
	}
	return strings.TrimSuffix(strings.Repeat(meta+" ", a.least), " ")
}

// usage is the first line of the help.
func (p *parser) usage() string {
	parts := []string{"usage: " + p.prog, "[-h]"}
	for _, flags := range []bool{true, false} {
		for _, a := range p.arguments {
			if len(a.flags) > 0 != flags {
				continue
			}
			part := a.shape()
			if flags {
				part = strings.TrimSpace(a.flags[0] + " " + part)
				if !a.required {
					part = "[" + part + "]"
				}
			}
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " ") + "\n"
}

// help is what --help prints.
func (p *parser) help() string {
	var b strings.Builder
	b.WriteString(p.usage())
	if p.description != "" {
		b.WriteString("\n" + p.description + "\n")
	}
	for _, a := range p.arguments {
		name := strings.TrimSpace(strings.Join(a.flags, ", ") + " " + a.shape())
		fmt.Fprintf(&b, "  %-22s %s\n", name, strings.ReplaceAll(a.help, "%(default)s", value.Str(orNone(a.fallback))))
	}
	if p.epilog != "" {
		b.WriteString("\n" + p.epilog + "\n")
	}
	return b.String()
}
