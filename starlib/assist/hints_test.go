package assist_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
)

// hintCases are cells that fail, with where and what the error says. That every row of package
// habits is met is tested there.
var hintCases = []struct{ code, at, want string }{
	{`"a" + 1`, "1:5", "string + int (str(x) makes a string of a value"},
	{`1 + "a"`, "1:3", "int + string (str(x) makes a string of a number"},
	{"def f(): pass\nf() + 1", "2:5", "NoneType + int (a function that does not return a value gives None)"},
	{"[1] + (1,)", "1:5", "(list(x) and tuple(x) make one of the other)"},
	{"{} + {}", "1:4", "(x | y has the entries of both)"},
	{"[1] * 2.0", "1:5", "(a list is repeated by an int"},
	{"[1, 2] - 1", "1:8", "(np.array(x) computes with the elements of a list)"},
	{`"1" - 1`, "1:5", "(float(x) makes a number of a string)"},
	{"3 in 5", "1:3", "int in int (in asks strings, lists"},
	{"-[1]", "1:1", "(np.array(x) computes with the elements of a list)"},
	{"{[1]: 2}", "1:5", "unhashable type: list (keys do not change: tuple(x))"},
	{"set([[1]])", "1:4", "set: unhashable type: list (keys do not change: tuple(x))"},
	{"{{}: 2}", "1:4", "(keys do not change: tuple(sorted(x)), or repr(x))"},
	{"load('frozen.star', 'l')\nl.append(1)", "2:9",
		"append: cannot append to frozen list (what load() gives does not change: list(x) is a copy)"},
	{"load('frozen.star', 'd')\nd['b'] = 1", "2:2", "frozen hash table (what load() gives does not change: dict(x) is a copy)"},
	{"d = {'a': 1}\nfor k in d: d[k + 'b'] = 1", "2:1",
		"dictionary changed size during iteration, from 1 to 2 entries: iterate over a copy of its keys, list(x)"},

	{"{}.iteritems()", "1:3", "dict has no .iteritems field or method (did you mean .items?)"},
	{"{}.viewkeys()", "1:3", "(x.keys() is a list)"},
	{"{}.has_key(1)", "1:3", "(k in x)"},
	{"{}.fromkeys(1)", "1:3", "(dict([(k, v) for k in keys]))"},
	{"params = {'rate': 1}\nparams.rate", "2:7", `(an entry is x["rate"])`},
	{"[1].shape", "1:4", "list has no .shape field or method (np.array(x) has it)"},
	{"(1,).append(2)", "1:5", "(a tuple does not change: x + (y,), or list(x))"},
	{"None.shape", "1:5", "NoneType has no .shape field or method (a function that does not return a value gives None)"},
	{"print.shape", "1:6", "(a call has parentheses: f())"},

	{"[1](0)", "1:4", "invalid call of non-function (list) (elements are x[i]; or a name of yours hides the function)"},
	{"np.zeros(3)(0)", "1:12", "(ndarray) (elements are x[i])"},
	{"math(1)", "1:5", "(module) (call one of its functions: x.name(...))"},
	{"None()", "1:5", "(a function that does not return a value gives None)"},
	{"T.scalar()(1)", "1:11", "(function([inputs], x) makes a function"},
	{"len = 3\nlen([])", "2:4", "(int) (a name of yours may hide the function: %who lists them, %reset forgets them)"},

	{"for i in 3: pass", "1:1", "int value is not iterable (range(n) has the integers below n)"},
	{"for i in None: pass", "1:1", "(a function that does not return a value gives None)"},
	{"for i in range: pass", "1:1", "(a call has parentheses: f())"},
	{"a, b = 1", "1:6", "got int in sequence assignment (only lists, tuples and arrays have several values)"},
	{"a, b = [1, 2, 3]", "1:6", "too many values to unpack (got 3, want 2) (the left side needs"},
	{"a, b = [1]", "1:6", "too few values to unpack (got 1, want 2) (the left side needs"},

	{"1 < 'a'", "1:3", "int < string not implemented (int(x) or float(x) makes a number of a string)"},
	{"max(1, 'a')", "1:4", "(int(x) or float(x) makes a number of a string)"},
	{"sorted([1, None])", "1:7", "(x == None asks whether there is a value)"},
	{"sorted([{}, {}])", "1:7", "(only numbers, strings, lists and tuples have an order; sorted() takes key=)"},

	{"n = 0\ndef f():\n    n += 1\nf()", "3:5", "local variable n referenced before assignment (n is assigned in this function"},
	{"load('global.star', 'x')", "1:1", "global variable x referenced before assignment (x gets its value further down)"},
	{"1 / 0", "1:3", "floating-point division by zero (of arrays it is inf or nan: np.array(x) / y)"},
	{"1 % 0", "1:3", "modulo by zero (of arrays it is inf or nan"},
	{"cfg = {'lr': 1}\ncfg['lrate']", "2:4", `key "lrate" not in dict (did you mean "lr"?)`},
	{"cfg = {'momentum': 1}\ndef f(): return cfg['momentun']\nf()", "2:20", `(did you mean "momentum"?)`},
	{"cfg = {'lr': 1}\ndef f(cfg): return cfg['lrr']\nf({})", "2:23", `not in dict (x.get(key, default) gives default instead)`},
	{"{}[1]", "1:3", "key 1 not in dict (x.get(key, default) gives default instead)"},
	{"{}.pop(1)", "1:7", "pop: missing key (x.pop(key, None) gives None instead)"},
	{"[1][4 / 2]", "1:4", "list index: got float, want int (an index is an int: int(x), or a // b in place of a / b)"},
	{"[1]['a']", "1:4", "(an index is an int, or a slice a:b)"},
	{"[1, 2][:2 / 2]", "1:7", "(bounds are ints: int(x), or a // b in place of a / b)"},
	{"3 - '1'", "1:3", "int - string (float(x) makes a number of a string)"},
	{"x = 5\nx[0:1]", "2:2", "invalid slice operand int (it has no elements)"},
	{"x = 5\nx[0] = 1", "2:2", "int value does not support item assignment (it has no elements)"},
	{"5[0]", "1:2", "unhandled index operation int[int] (it has no elements)"},
	{"'abc'[0] = 'x'", "1:6",
		"string value does not support item assignment (a string does not change: make a new one; list(x) changes)"},
	{"s = struct(a=1)\ns.a = 2", "2:2", `(values have fixed fields: use a dict, x["a"] = ...)`},
	{"int('1.5')", "1:4", "(int(float(x)))"},
	{"len(3)", "1:4", "(len is of strings, lists, dicts and arrays)"},
	{"','.join([1])", "1:9", "(sep.join([str(x) for x in list]))"},
	{"range(1.5)", "1:6", "(range is of ints; np.arange takes floats)"},
	{"list(3)", "1:5", "(range(n) has the integers below n)"},
	{"print(*3)", "1:6", "(f(*list) passes the elements)"},

	{"[1].push(2)", "1:4", "list has no .push field or method (x.append(v))"},
	{"set([1]).append(2)", "1:9", "set has no .append field or method (x.add(v))"},
	{"[1].length", "1:4", "list has no .length field or method (len(x))"},
	{"np.zeros(2).append(1)", "1:12", "ndarray has no attribute .append (arrays do not grow: np.append(x, values) makes a new one)"},
	{"np.zeros(2).exp()", "1:12", "ndarray has no attribute .exp (np.exp(x) and its like are functions; x + y adds)"},
	{"{np.zeros(2): 1}", "1:13", "unhashable type: ndarray (keys do not change: tuple(x.tolist()))"},
	{"float(np.zeros(2))", "1:6", "(float(x) is of an array of one element; x.astype(float) converts all)"},
	{"np.zeros(2, 3)", "1:9", "(a shape of several lengths is a tuple: np.zeros((2, 3)))"},
	{"np.array(1, 2, 3)", "1:9", "(the elements are one list: np.array([1, 2, 3]))"},
	{"np.concatenate([1], [2])", "1:15", "(the arrays are one list: np.concatenate([x, y]))"},
	{"np.vstack([1], [2])", "1:10", "(the arrays are one list: np.vstack([x, y]))"},
	{"np.random.rand((2, 3))", "1:15", "(the lengths are arguments of their own: np.random.rand(2, 3))"},
	{"v = T.vector()\nv[0] = 1", "2:2",
		"TensorVariable value does not support item assignment (T.set_subtensor(x[i], value) is a new variable)"},
	{"v = T.vector()\nfor x in v: pass", "2:1",
		"TensorVariable value is not iterable (its length is not known before the function runs; theano.scan(fn, sequences=x) calls fn with its rows, and x[i] is one of them)"},

	{"fail('int value is not iterable')", "1:5", "fail: int value is not iterable$"},
	{"zeros(3)", "1:1", "name 'zeros' is not defined (did you mean np.zeros"},
	{"sqrt(3)", "1:1", "name 'sqrt' is not defined (did you mean np.sqrt or T.sqrt or math.sqrt?)"},
	{"profile_memory = floatX", "1:18", "(did you mean config.floatX?)"},
	{"def f(): return linspace(1)\nf()", "1:17", "(did you mean np.linspace or T.linspace?)"},
	{"def train(inputs, learning_rate=1): pass\nstep = train\nstep(1, learning_rat=2)", "3:5",
		`unexpected keyword argument 'learning_rat' (did you mean learning_rate?)`},
	{"load('frozn.star', 'l')", "1:1", "no file frozn.star (did you mean frozen.star?)"},
	{"load('frozen.star', 'dd')", "1:1", "dd not found in module frozen.star"},
}

func TestHints(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"frozen.star": "l = [1]\nd = {'a': 1}\n",
		"global.star": "def f(): return x\nf()\nx = 1\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range hintCases {
		s := starlib.NewSession(starlib.Options{Dir: dir})
		_, _, err := s.Execute(context.Background(), 1, tt.code, nil)
		if err == nil {
			t.Errorf("%q: got no error, want %s", tt.code, tt.want)
			continue
		}
		e := err.(*starlib.Error)
		var at string
		for _, f := range e.Frames() {
			if f.File == "In[1]" {
				at = strings.TrimPrefix(f.Pos().String(), "In[1]:")
			}
		}
		want, whole := strings.CutSuffix(tt.want, "$")
		if !strings.Contains(e.Error(), want) || whole && e.Error() != want || at != tt.at {
			t.Errorf("%q:\ngot  %s: %s\nwant %s: %s", tt.code, at, e, tt.at, tt.want)
		}
	}
}
