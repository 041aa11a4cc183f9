package assist

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/session"
	"go.starlark.net/starlark"
)

// hints say what to write instead, for errors of the interpreter that those who know Python meet first. A pattern
// matches the beginning of the message; $1 is its first group. The first row that matches is taken. Rows for syntax are in
// habit.
var hints = []struct{ pattern, hint string }{
	{`unknown binary op: string \+ (int|float|bool|NoneType)`, `str(x) makes a string of a value; or write "... %s" % x`},
	{`unknown binary op: (int|float) \+ string`, "str(x) makes a string of a number, int(x) or float(x) a number of a string"},
	{`unknown binary op: (?:bool [-+*/%]\S* (?:int|float|bool)|(?:int|float) [-+*/%]\S* bool)`,
		"True and False are not numbers: int(x) is 1 or 0"},
	{`unknown binary op: (?:NoneType .*|.* NoneType)$`, "a function that does not return a value gives None"},
	{`unknown binary op: (?:list \+ tuple|tuple \+ list)`, "list(x) and tuple(x) make one of the other"},
	{`unknown binary op: dict \+ dict`, "x | y has the entries of both"},
	{`unknown binary op: (?:list|tuple) \* float`, "a list is repeated by an int: int(x); np.array(x) computes with its elements"},
	{`unknown binary op: (?:list|tuple) \S+ (?:int|float|list|tuple)|unknown binary op: (?:int|float) \S+ (?:list|tuple)`,
		"np.array(x) computes with the elements of a list"},
	{`unknown binary op: (?:string [-*/]|(?:int|float) [-*/]\S* string)`, "float(x) makes a number of a string"},
	{`unknown binary op: \S+ in (?:int|float|bool|function)`, "in asks strings, lists, tuples, dicts, sets and arrays"},
	{`unknown unary op: [-+] bool`, "True and False are not numbers: int(x) is 1 or 0"},
	{`unknown unary op: - (?:list|tuple)`, "np.array(x) computes with the elements of a list"},
	{`unhashable type: list`, "keys do not change: tuple(x)"},
	{`unhashable type: ndarray`, "keys do not change: tuple(x.tolist())"},
	{`unhashable type: (?:dict|set)`, "keys do not change: tuple(sorted(x)), or repr(x)"},
	{`cannot \S+(?: \S+)? frozen list`, "what load() gives does not change: list(x) is a copy"},
	{`cannot \S+(?: \S+)? frozen hash table`, "what load() gives does not change: dict(x) is a copy"},
	{`cannot \S+(?: \S+)? list during iteration`, "iterate over a copy: for y in list(x)"},
	{`cannot \S+(?: \S+)? hash table during iteration`, "iterate over a copy: for k in list(x.keys())"},

	{`dict has no \.(?:iterkeys|viewkeys) `, "x.keys() is a list"},
	{`dict has no \.has_key `, "k in x"},
	{`dict has no \.fromkeys `, "dict([(k, v) for k in keys])"},
	{`dict has no \.(\w+) field or method$`, `an entry is x["$1"]`},
	{`(?:list|tuple|int|float) has no \.(shape|dtype|ndim|size|T|reshape|astype|sum|mean|max|min|std|tolist) `, "np.array(x) has it"},
	{`list has no \.(?:push|add|push_back) `, "x.append(v)"},
	{`set has no \.append `, "x.add(v)"},
	{`(?:list|tuple|dict|set|string) has no \.(?:length|len|count) `, "len(x)"},
	{`ndarray has no attribute \.(?:append|extend|insert|push)$`, "arrays do not grow: np.append(x, values) makes a new one"},
	{`ndarray has no attribute \.(?:add|subtract|multiply|exp|log|sqrt|abs|tanh|sin|cos)$`, "np.exp(x) and its like are functions; x + y adds"},
	{`tuple has no \.(?:append|extend|insert) `, "a tuple does not change: x + (y,), or list(x)"},
	{`NoneType has no `, "a function that does not return a value gives None"},
	{`(?:function|builtin_function_or_method) has no \.`, "a call has parentheses: f()"},

	{`invalid call of non-function \((?:list|dict|tuple)\)`, "elements are x[i]; or a name of yours hides the function"},
	{`invalid call of non-function \(ndarray\)`, "elements are x[i]"},
	{`invalid call of non-function \(module\)`, "call one of its functions: x.name(...)"},
	{`invalid call of non-function \(NoneType\)`, "a function that does not return a value gives None"},
	{`invalid call of non-function \(TensorVariable\)`, "function([inputs], x) makes a function; x.eval({...}) computes once"},
	{`invalid call of non-function`, "a name of yours may hide the function: %who lists them, %reset forgets them"},

	{`(?:int|float) value is not iterable`, "range(n) has the integers below n"},
	{`Tensor\w*Variable value is not iterable`,
		"its length is not known before the function runs; x[i] is an element"},
	{`NoneType value is not iterable`, "a function that does not return a value gives None"},
	{`function value is not iterable|builtin_function_or_method value is not iterable`, "a call has parentheses: f()"},
	{`got (?:int|float|bool|NoneType|string|function) in sequence assignment`, "only lists, tuples and arrays have several values"},
	{`too (?:many|few) values to unpack`, "the left side needs as many names as there are values"},

	{`string \S+ (?:int|float) not implemented|(?:int|float) \S+ string not implemented`,
		"int(x) or float(x) makes a number of a string"},
	{`NoneType \S+ \S+ not implemented|\S+ \S+ NoneType not implemented`, "x == None asks whether there is a value"},
	{`(?:dict|set|function|struct) \S+ \S+ not implemented`,
		"only numbers, strings, lists and tuples have an order; sorted() takes key="},

	{`local variable (\w+) referenced before assignment`,
		"$1 is assigned in this function, so it is local to it: outer variables cannot be rebound in functions; " +
			`return the value, or keep it in a dict: state["$1"] = ...`},
	{`global variable (\w+) referenced before assignment`, "$1 gets its value further down"},
	{`(?:floored|floating-point) division by zero|(?:integer|floating-point) modulo by zero`,
		"of arrays it is inf or nan: np.array(x) / y"},
	{`key .* not in dict`, "x.get(key, default) gives default instead"},
	{`missing key$`, "x.pop(key, None) gives None instead"},
	{`(?:list|tuple|string|bytes|range) index: got float`, "an index is an int: int(x), or a // b in place of a / b"},
	{`(?:list|tuple|string|bytes|range) index: got`, "an index is an int, or a slice a:b"},
	{`invalid (?:start|end) index: got float|invalid slice step: got float`, "bounds are ints: int(x), or a // b in place of a / b"},
	{`(?:unhandled index operation|invalid slice operand) (?:int|float|function|builtin_function_or_method|NoneType|bool)\b`,
		"it has no elements"},
	{`(?:int|float|function|builtin_function_or_method|NoneType|bool) value does not support item assignment`, "it has no elements"},
	{`Tensor\w*Variable value does not support item assignment`, "T.set_subtensor(x[i], value) is a new variable"},
	{`(tuple|string) value does not support item assignment`, "a $1 does not change: make a new one; list(x) changes"},
	{`can't assign to \.(\w+) field of (?:struct|function|dict|list)`, `values have fixed fields: use a dict, x["$1"] = ...`},
	{`np\.(zeros|ones|empty): for parameter dtype: got int`, "a shape of several lengths is a tuple: np.$1((2, 3))"},
	{`np\.array: for parameter (?:copy|dtype): got (?:int|float)`, "the elements are one list: np.array([1, 2, 3])"},
	{`np\.(concatenate|stack): for parameter axis: got (?:ndarray|list)`, "the arrays are one list: np.$1([x, y])"},
	{`np\.(vstack|hstack|dstack|column_stack|block): got \d arguments`, "the arrays are one list: np.$1([x, y])"},
	{`np\.random\.(randn?): for parameter \w+: got tuple`, "the lengths are arguments of their own: np.random.$1(2, 3)"},
	{`float got ndarray`, "float(x) is of an array of one element; x.astype(float) converts all"},
	{`int: invalid literal with base 10: -?\d*\.\d*`, "int(float(x))"},
	{`len: value of type (?:int|float|bool|NoneType) has no len`, "len is of strings, lists, dicts and arrays"},
	{`join: in list, want string, got`, "sep.join([str(x) for x in list])"},
	{`range: .*got float`, "range is of ints; np.arange takes floats"},
	{`(?:list|tuple|set|sorted|enumerate|any|all|reversed): .*got int, want iterable`, "range(n) has the integers below n"},
	{`argument after \* must be iterable`, "f(*list) passes the elements"},
}

var hintPatterns = sync.OnceValue(func() []*regexp.Regexp {
	list := make([]*regexp.Regexp, len(hints))
	for i, h := range hints {
		list[i] = regexp.MustCompile("^(?:" + h.pattern + ")")
	}
	return list
})

// hintFor returns " (hint)" for a message, or "". Of a message with the name of a function before it, either part may
// match; what fail() says is the user's.
func hintFor(msg string) string {
	fn, rest, named := strings.Cut(msg, ": ")
	if fn == "fail" {
		return ""
	}
	row, hint := matchHint(msg)
	if row < 0 && named {
		row, hint = matchHint(rest)
	}
	if row < 0 {
		return ""
	}
	return " (" + hint + ")"
}

// matchHint returns the first row of hints that matches, and its hint for msg; row is -1 if none does.
func matchHint(msg string) (row int, hint string) {
	for i, re := range hintPatterns() {
		if m := re.FindStringSubmatchIndex(msg); m != nil {
			return i, string(re.ExpandString(nil, hints[i].hint, msg, m))
		}
	}
	return -1, ""
}

// Explain returns what to add to the message of an error that the interpreter made. Values are asked where the
// error's place tells which they were.
func (s *Session) Explain(e *session.Error) string {
	if strings.Contains(e.Error(), "(did you mean ") {
		return ""
	}
	if fn, arg, ok := strings.Cut(e.Error(), " got an unexpected keyword argument "); ok {
		return s.keywordHint(strings.TrimPrefix(fn, "function "), strings.Trim(arg, `"`))
	}
	if h := s.keyHint(e); h != "" {
		return h
	}
	return hintFor(e.Error())
}

// keywordHint returns the parameter of a function that an unknown one is near to. The function is a global one, maybe under
// another name.
func (s *Session) keywordHint(fn, arg string) string {
	for _, global := range slices.Sorted(maps.Keys(s.Globals())) {
		f, ok := s.Globals()[global].(*starlark.Function)
		if !ok || f.Name() != fn {
			continue
		}
		names := paramNames(f)
		slices.Sort(names)
		if n := config.Closest(arg, names); n != "" {
			return fmt.Sprintf(" (did you mean %s?)", n)
		}
	}
	return ""
}

var missingKey = regexp.MustCompile(`^key "(.*)" not in dict$`)

// keyHint returns the key that one which is not in a dict is near to: of the dict whose name stands before the
// subscript, if that is a global one.
func (s *Session) keyHint(e *session.Error) string {
	if len(e.Frames()) == 0 || !strings.HasPrefix(e.Error(), "key ") {
		return ""
	}
	m := missingKey.FindStringSubmatch(e.Error())
	if m == nil {
		return ""
	}
	f := e.Frames()[len(e.Frames())-1]
	line := []rune(s.Source(f.File).Line(f.Line))
	chain := chainBefore(line[:min(max(f.Col-1, 0), len(line))])
	if fn, ok := s.Globals()[f.Func].(*starlark.Function); len(chain) == 0 || ok && slices.Contains(paramNames(fn), chain[0]) {
		return ""
	}
	d, ok := s.lookupChain(chain).(*starlark.Dict)
	if !ok {
		return ""
	}
	var keys []string
	for _, k := range d.Keys() {
		if k, ok := starlark.AsString(k); ok {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	if n := config.Closest(m[1], keys); n != "" {
		return fmt.Sprintf(" (did you mean %q?)", n)
	}
	for _, k := range keys { // lrate for lr
		if k != "" && m[1] != "" && (strings.HasPrefix(k, m[1]) || strings.HasPrefix(m[1], k)) {
			return fmt.Sprintf(" (did you mean %q?)", k)
		}
	}
	return ""
}

func paramNames(f *starlark.Function) []string {
	names := make([]string, f.NumParams())
	for i := range names {
		names[i], _ = f.Param(i)
	}
	return names
}
