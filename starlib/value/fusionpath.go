package value

import (
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

// A fusionPath is how an operand of a Fusion is found: $0.w, $1.shape[0], $2['W], $3[$4], $1.mean(). Only what runs no code of the user's and cannot fail otherwise
// is looked up, so that it does not matter that it is done before, and perhaps once more.
type fusionPath struct {
	variable int
	steps    []fusionStep
	reduced  string // the method without arguments that is called in the end
}

// A fusionStep is an attribute, or a subscript.
type fusionStep struct {
	name     string
	key      starlark.Value // nil if it is that of a variable
	variable int
}

// readPaths replaces the operands in f.Code by numbers of f.paths, if one of them is more than a variable.
func (f *Fusion) readPaths() {
	words := strings.Split(f.Code, " ")
	var texts []string
	plain := true
	for i, w := range words {
		path, ok := strings.CutPrefix(w, "$")
		if !ok {
			continue
		}
		function := ""
		if at := strings.LastIndexByte(path, '.'); strings.Contains(path, "/") {
			path, function = path[:at], path[at:]
		}
		at := slices.Index(texts, path)
		if at < 0 {
			at = len(texts)
			texts = append(texts, path)
			p := readPath(path)
			plain = plain && p.steps == nil && p.reduced == "" && p.variable == at
			f.paths = append(f.paths, p)
		}
		words[i] = "$" + strconv.Itoa(at) + function
	}
	if plain {
		f.paths = nil
		return
	}
	f.Code = strings.Join(words, " ")
	f.found = make(starlark.Tuple, len(f.paths))
}

func readPath(text string) (p fusionPath) {
	number := func(s string) int {
		n, _ := strconv.Atoi(s)
		return n
	}
	rest, reduces := strings.CutSuffix(text, "()")
	if reduces {
		at := strings.LastIndexByte(rest, '.')
		rest, p.reduced = rest[:at], rest[at+1:]
	}
	variable, rest, _ := cutAny(rest)
	p.variable = number(variable)
	for rest != "" {
		sign := rest[0]
		var step string
		step, rest, _ = cutAny(rest[1:])
		key, isName := strings.CutPrefix(step, "'")
		switch {
		case sign == '.':
			p.steps = append(p.steps, fusionStep{name: step})
			continue
		case isName:
			p.steps = append(p.steps, fusionStep{key: starlark.String(strings.TrimSuffix(key, "]"))})
			continue
		}
		key = strings.TrimSuffix(step, "]")
		if v, ok := strings.CutPrefix(key, "$"); ok {
			p.steps = append(p.steps, fusionStep{variable: number(v)})
			continue
		}
		p.steps = append(p.steps, fusionStep{key: starlark.MakeInt(number(key))})
	}
	return p
}

// cutAny cuts a text before the next step.
func cutAny(s string) (before, after string, found bool) {
	at := strings.IndexAny(s, ".[")
	if at < 0 {
		return s, "", false
	}
	return s[:at], s[at:], true
}

// find returns the operands, which are in f.found. What takes longest is done last, when the others may be what is wanted.
func (f *Fusion) find(variables starlark.Tuple) (starlark.Tuple, bool) {
	reduces := false
	for i := range f.paths {
		p := &f.paths[i]
		v := variables[p.variable]
		for k := range p.steps {
			var ok bool
			if v, ok = p.steps[k].take(v, variables); !ok {
				return nil, false
			}
		}
		f.found[i] = v
		reduces = reduces || p.reduced != ""
		switch v.(type) {
		case Fuser, Scalar, starlark.Int, starlark.Float, *Module:
		default:
			return nil, false
		}
	}
	if !reduces {
		return f.found, true
	}
	for i := range f.paths {
		if p := &f.paths[i]; p.reduced != "" {
			x, ok := f.found[i].(Fuser)
			if !ok {
				return nil, false
			}
			if f.found[i], ok = x.Reduced(p.reduced); !ok {
				return nil, false
			}
		}
	}
	return f.found, true
}

// take returns an attribute or an element of x.
func (s *fusionStep) take(x starlark.Value, variables starlark.Tuple) (starlark.Value, bool) {
	if s.name != "" {
		switch x := x.(type) {
		case Fuser:
			return x.Part(s.name)
		case *Module:
			v, err := x.Attr(s.name)
			return v, err == nil
		case Looker:
			v := x.Look(s.name)
			return v, v != nil
		}
		return nil, false
	}
	k := s.key
	if k == nil {
		k = Plain(variables[s.variable])
	}
	switch k.(type) {
	case starlark.Int, starlark.String:
	default:
		return nil, false
	}
	switch x := x.(type) {
	case Fuser:
		return x.Element(k)
	case *starlark.Dict:
		v, ok, err := x.Get(k)
		return v, ok && err == nil
	case *starlark.List:
		return elementOf(x, k)
	case starlark.Tuple:
		return elementOf(x, k)
	}
	return nil, false
}

func elementOf(x starlark.Indexable, k starlark.Value) (starlark.Value, bool) {
	if _, ok := k.(starlark.Int); !ok {
		return nil, false
	}
	i, err := ElementAt(x, k)
	if err != nil {
		return nil, false
	}
	return x.Index(i), true
}
