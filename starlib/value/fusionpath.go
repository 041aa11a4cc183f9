package value

import (
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// A fusionPath is how an operand of a Fusion is found: $0.w, $1.shape[0], $2['W], $3[$4], $0[1:-1:], $0[::,None], $1.mean(). Only what runs no code of the user's and cannot fail otherwise
// is looked up, so that it does not matter that it is done before, and perhaps once more.
type fusionPath struct {
	variable int
	steps    []fusionStep
	reduced  string // the method without arguments that is called in the end
}

// A fusionStep is an attribute, or a subscript.
type fusionStep struct {
	name  string
	key   starlark.Value // nil if it depends on variables
	parts []fusionPart   // of such a key
}

// A fusionPart is one of a subscript: a bound, or the three of a slice.
type fusionPart struct {
	bounds []fusionBound
}

// A fusionBound is an integer, a name or None, or the value of a variable, if that is such.
type fusionBound struct {
	value    starlark.Value // nil of a variable
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
		if sign == '.' {
			p.steps = append(p.steps, fusionStep{name: step})
			continue
		}
		s := fusionStep{}
		for part := range strings.SplitSeq(strings.TrimSuffix(step, "]"), ",") {
			s.parts = append(s.parts, readPart(part))
		}
		if !strings.Contains(step, "$") {
			s.key, _ = keyOf(s.parts, nil)
		}
		p.steps = append(p.steps, s)
	}
	return p
}

func readPart(text string) (p fusionPart) {
	for bound := range strings.SplitSeq(text, ":") {
		place, isVariable := strings.CutPrefix(bound, "$")
		n, _ := strconv.Atoi(place)
		switch name, isName := strings.CutPrefix(bound, "'"); {
		case isVariable:
			p.bounds = append(p.bounds, fusionBound{variable: n})
		case isName:
			p.bounds = append(p.bounds, fusionBound{value: starlark.String(name)})
		case bound == "", bound == "None":
			p.bounds = append(p.bounds, fusionBound{value: starlark.None})
		default:
			p.bounds = append(p.bounds, fusionBound{value: starlark.MakeInt(n)})
		}
	}
	return p
}

// keyOf is the subscript that parts say: a tuple, if they are several.
func keyOf(parts []fusionPart, variables starlark.Tuple) (starlark.Value, bool) {
	if len(parts) == 1 {
		return parts[0].of(variables)
	}
	t := make(starlark.Tuple, len(parts))
	for i := range parts {
		var ok bool
		if t[i], ok = parts[i].of(variables); !ok {
			return nil, false
		}
	}
	return t, true
}

func (p *fusionPart) of(variables starlark.Tuple) (starlark.Value, bool) {
	if len(p.bounds) == 1 {
		return p.bounds[0].of(variables)
	}
	var values [3]starlark.Value
	for i := range values {
		var ok bool
		if values[i], ok = p.bounds[i].of(variables); !ok {
			return nil, false
		}
	}
	return &Slice{values[0], values[1], values[2]}, true
}

func (b fusionBound) of(variables starlark.Tuple) (starlark.Value, bool) {
	if b.value != nil {
		return b.value, true
	}
	switch v := Plain(variables[b.variable]).(type) {
	case starlark.Int, starlark.String, starlark.NoneType:
		return v, true
	}
	return nil, false
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
		var ok bool
		if k, ok = keyOf(s.parts, variables); !ok {
			return nil, false
		}
	}
	switch x := x.(type) {
	case Fuser:
		return x.Element(k)
	case *slot.Dict:
		v, ok, err := x.Get(k)
		return v, ok && err == nil
	case *slot.List:
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
