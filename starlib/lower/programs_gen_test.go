package lower_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// A feature is something that rules need, with a program that tells whether it is there,
// or whether it is as in Python. Programs are generated with what is not missing.
type feature struct {
	name, probe string
	missing     bool
}

var features = []feature{
	{"**", "print(2 ** 5, -3 ** 2, np.arange(3) ** 2)", false},
	{"f-strings", "x = 7\nprint(f'{x:>4}|{x}|{x:.2f}')", false},
	{"chains", "print(1 < 2 <= 3)", false},
	{"is", "print(None is None, 1 is not None)", false},
	{"slice assignment", "x = [1, 2, 3]\nx[1:] = [4]\nprint(x)", false},
	{"array slices", "x = np.arange(8.0).reshape(2, 4)\nx[:, 1] = 5\nprint(x[1, :], x[:, ::2], x[..., 0])", false},
	{"stars", "a, *b = [1, 2, 3]\nprint([*b, a])", false},
	{"generators", "print(sum(q * q for q in range(4)))", false},
	{"chained assignment", "a = b = 3\nprint(a + b)", false},
	{"divmod", "print(divmod(7, -2))", false},
	{"list methods", "x = [3, 1, 2]\nx.sort()\nx.reverse()\nprint(x, x.count(2), x.copy())", false},
	{"str methods", "print('ab'.zfill(4), 'ab'.ljust(4) + '|', 'ab'.center(6, '*'), 'aB'.swapcase())", false},
	{"float //", "print(1.0 // 0.1, -7.5 // 2)", false},
	{"zero's sign in %", "print(-1.5 % 0.5, 1.5 % -0.5)", false},
	{"array order", "print(np.sort(np.array([2.0, 1.0])), np.argsort([2, 1]), np.cumsum([1.5, 2.0]))", false},
	{"array picks", "x = np.arange(4)\nprint(x[[0, 2]], x[x > 1])\nx[x > 2] = 0\nprint(x)", false},
	{"array shifts", "print(np.arange(4) << 1, np.arange(4) >> 1)", false},
	{"in place", "x = np.arange(3.0)\ny = x\ny += 1\nprint(x)", false},
	{"order of sums", "x = np.array([0, 1 / 3, 2 / 3, 1, 0, 0, 0, 0])\nprint(x.sum(), x.mean())", true},
	{"builtins", "print(list(map(lambda q: q + 1, [1, 2])), isinstance(1, int), isinstance(1.5, (int, float)))", false},
	{"float of arrays", "print(float(np.array(2.5)), int(np.array(3)))", false},
}

// mistakes is needed by rules whose programs may well end with an error.
const mistakes = "mistakes"

// A rule gives a text for a type. In the text, <type> is replaced by an expression of the
// type, <TYPE> by a variable of it, <N> by the variable of the innermost loop, and <block>
// by statements.
type rule struct {
	text, needs string
	calls       bool // calls the functions of the program
}

// leaves are the simplest expressions, beside variables.
var leaves = map[string]string{
	"int":     "0 1 2 3 7 -1 -5 10 255 1000 -12345",
	"float":   "0.5 1.0 -2.25 0.1 3.14159 100.0 -1e-05 1e+16 123456.789",
	"bool":    "True False",
	"str":     "'' 'a' 'abc' 'Hello' 'one.two' '12' 'lol'",
	"ints":    "[] [1,2,3] [5,-3,9,1]",
	"strs":    "['a','b'] ['xyz']",
	"tup":     "() (1,2) (0.5,)",
	"dict":    "{} {1:2,3:4}",
	"vec":     "np.array([1.5,-2.0,0.25,8.0]) np.zeros(4) np.linspace(0,1,4)",
	"ivec":    "np.arange(4) np.array([3,-1,0,7])",
	"mask":    "np.array([True,False,True,True])",
	"mat":     "np.ones((2,4)) np.arange(8.0).reshape(2,4)",
	"small":   "0 1 2 3 4",
	"at":      "0 1 2 3 -1 -2",
	"nonzero": "2 3 -3 7 -4 10",
	"step":    "1 2 -1 -2",
	"letter":  "'a' 'z' '0'",
}

// variables are the names of each type. All are assigned before anything else.
var variables = map[string][]string{
	"int": {"i0", "i1", "i2"}, "float": {"f0", "f1"}, "bool": {"b0"}, "str": {"s0", "s1"}, "ints": {"l0", "l1"}, "strs": {"w0"},
	"tup": {"t0"}, "dict": {"d0"}, "vec": {"x0", "x1"}, "ivec": {"k0"}, "mask": {"m0"}, "mat": {"a0"},
}

// expressions of each type, without what depends on the last bit of a function of a
// library. Sums get a 0, as the sign of an empty one depends on the version of NumPy.
var expressions = table(`
int     <int> + <int>; <int> - <int> * <int>; (<int> + <int>) * <small>; -<int>; ~<int>; <int> // <nonzero>; <int> % <nonzero>
int     <int> << <small>; <int> >> <small>; <int> & <int>; <int> | <int>; <int> ^ <int>; abs(<int>); min(<int>, <int>); max(<int>, <int>, 3)
int     <int> if <bool> else <int>; int(<float>); round(<float>); len(<ints>); len(<str>); sum(<ints>); (<ints> + [4, 5, 6, 7])[<at>]; <str>.find(<str>)
int     <str>.count(<letter>); <str>.rfind(<letter>); int(<ivec>[<at>]); int(<ivec>.sum()); int(<mask>.sum()); int(<vec>.argmax()); len(<mat>)
int     <dict>.get(<small>, <int>); ord(<letter>); int(str(<int>)); pow(<int>, <small>); <bool> and <int> or <int>; len(<dict>)
int     (lambda q, r=2: q - r)(<int>); g0(<int>); g0(<int>, q=<int>); g1(<int>, <int>, <int>); g1(*[<int>, <int>]); g2(q=<int>, p=<int>)
int     int(<ivec>.max()); int(<mat>.shape[1]); <tup>[0] if len(<tup>) > 9 else 4; <int> // (1 + abs(<int>))
int     7 // <int>; <int> % <int>; <ints>.index(<int>); <ints>[<at>]; <dict>[<small>]; int(<str>); <INTS>.pop()  | mistakes
int     list(map(lambda q: q + 2, [<int>]))[0]                  | builtins
int     <int> ** <small>                                        | **
int     sum(q * 2 for q in <ints>)                              | generators
int     divmod(<int>, <nonzero>)[1]                             | divmod
int     <ints>.count(<small>)                                   | list methods
float   <float> + <int>; <float> * <float>; <float> - <float>; -<float>; <float> / <nonzero>; <int> / <nonzero>; float(<int>); abs(<float>)
float   round(<float>, <small>); float(<vec>[<at>]); 0 + float('%.9e' % <vec>.sum()); 0 + float('%.9e' % <mat>.mean(axis=1)[0]); float(<vec>.max()); abs(<float> % 2.5); float('1e%d' % <small>)
float   1 / <int>; float(<str>); <float> / <float>             | mistakes
float   <float> if <bool> else <float>; float(<mat>[1, <at>]); 0 + float('%.9e' % np.dot(<vec>, <vec>)); float('%.3f' % <float>); sum([<float>, <float>])
float   float(<mat>.mean()); float(<mat>.sum())                 | order of sums
float   <float> // 2.5                                          | float //
float   <float> % <nonzero>                                     | zero's sign in %
float   float(np.array(<float>))                                | float of arrays
bool    <int> < <int>; <int> <= <float>; <float> > <float>; <int> == <float>; <int> != <int>; not <bool>; <bool> and <bool>; <bool> or <bool>
bool    <int> in <ints>; <str> in <str>; <str> == <str>; <str> < <str>; <str>.startswith(<str>); <str>.endswith(<letter>); <ints> == <ints>
bool    <ints> < <ints>; bool(<mask>.any()); bool((<vec> > <float>).all()); <small> in <dict>; <str>.isdigit(); any([<bool>, <bool>]); bool(<ints>)
bool    <str>.isalpha(); <tup> == <tup>; bool(<str>); all(<ints>); <int> not in <dict>; <str>.isupper(); <dict> == <dict>
bool    isinstance(<int>, int)                                  | builtins
bool    <int> < <int> <= <int>                                  | chains
bool    <dict>.get(<int>) is None                               | is
str     <str> + <str>; <str> * <small>; <str>.upper(); <str>.lower(); <str>.title(); <str>.capitalize(); <str>.strip(); <str>[<at>:]; <str>[::-1]
str     <str>[<at>:<at>]; str(<int>); str(<float>); str(<bool>); str(<ints>); str(<dict>); str(<tup>); repr(<float>); <str>.replace(<letter>, <str>)
str     '%d' % <int>; '%5d|%-5d|%05d' % (<int>, <int>, <int>); '%.3f' % <float>; '%-9.2f|%s' % (<float>, <str>); '%x' % abs(<int>); '%s' % <float>
str     '%g %e' % (<float>, <float>); '{} {}'.format(<int>, <float>); '{:>8}|{:^7}|'.format(<str>, <int>); '{:+.2f} {:,}'.format(<float>, <int>)
str     '-'.join(<strs>); <str> if <bool> else <str>; chr(97 + <small>); max(<str>, <str>); '%s' % (<ints>,); str(<vec>); repr(<ivec>); '%8.3e|' % <float>
str     <str>.partition(<letter>)[2]; <str>.lstrip('a'); '{0:08.3f} {0:g} {1:x}'.format(<float>, abs(<int>)); '%s|%s' % (<vec>, <bool>)
str     <strs>[<at>]; <str>[<at>]; '%d' % <str>; <str> + <int>; max(<strs>)       | mistakes
str     f'{<FLOAT>:8.3f}|{<INT>:>6}|{<STR>!s:>9}'; f'{<INT>:,} {<FLOAT>:.2e} {<INT> + 1}'; f'{<STR>:*^9}{<FLOAT>}{<BOOL>}'  | f-strings
str     <str>.zfill(7); <str>.ljust(6) + '|'; <str>.center(9, '*')  | str methods
strs    <str>.split(); <str>.split(<letter>); [<str>, <str>]; [str(q) for q in <ints>]; sorted(<strs>); <strs> + <strs>; <str>.rsplit('l', 1)
strs    [q.upper() for q in <strs> if len(q) < 4]; sorted(<strs>, key=lambda q: len(q)); <str>.splitlines(); <strs>[::-1]
ints    [<int>, <int>, <int>]; list(range(<small>)); list(range(<int> % 9, -3, -2)); [q * <small> for q in <ints>]; [q for q in <ints> if q % 2 == 0]
ints    [q + r for q in <ints>[:3] for r in [1, <small>]]; sorted(<ints>); sorted(<ints>, reverse=<bool>); <ints>[<at>:]; <ints>[::-1]; <ints> + <ints>
ints    <ints>[<at>:<at>:<step>]; <ints> * 2; list(reversed(<ints>)); <ivec>.tolist(); [len(q) for q in <strs>]; [i - q for i, q in enumerate(<ints>)]
ints    [q - r for q, r in zip(<ints>, <ints>)]; list(<dict>.values()); [q for q, r in <dict>.items() if r > 0]
ints    [<int> if q else <int> for q in [True, <bool>]]; list(<dict>); sorted(<ints>, key=lambda q: (q % 3, q)); list(<tup>[:0]); <ints>[:-1]
ints    [*<ints>, 1, *<ints>]                                   | stars
tup     (<int>, <float>); tuple(<ints>); (<bool>,); <tup> + <tup>; (<ints>, <int>); <tup> * 2; <tup>[1:]
dict    {q: q * 2 for q in <ints>}; {1: <int>, 2: <int>}; dict([(1, <int>)]); dict(zip(<ints>, <ints>)); {len(q): 1 for q in <strs>}; <dict> | <dict>
vec     <vec> + <vec>; <vec> * <float>; <float> - <vec>; <vec> / <nonzero>; <vec> // 2; <vec> % 3; -<vec>; abs(<vec>); <vec> + <ivec>; <ivec> / 4
vec     np.where(<mask>, <vec>, <float>); np.maximum(<vec>, <float>); <vec>[::-1]; <mat>[0]; np.round(0 + <mat>.sum(axis=0), 7); np.sqrt(abs(<vec>)); np.round(<vec>, 2)
vec     np.clip(<vec>, -1, 2); <vec>.copy(); np.floor(<vec>); np.array([<float>, <float>, 1, 2]); <mat>.max(axis=0); <vec>.astype('float32').astype('float64')
vec     <vec> * (<ivec> > 1); np.round(np.exp(np.clip(<vec>, -3, 3)), 5); np.concatenate([<vec>[2:], <vec>[:2]]); np.round(0 + <mat>.mean(axis=0), 7); <vec> * <mask>
vec     <vec> ** 2                                              | **
vec     np.sort(<vec>); np.cumsum(<vec>)                        | array order
vec     <vec>[[3, 1, 0, 0]]; <mat>[[1, 0]][<small> % 2]         | array picks
vec     <mat>[1, :]; <mat>[:, ::-1][0]; <mat>[..., [0, 1, 2, 3]][1]  | array slices
ivec    <ivec> + <small>; <ivec> * <ivec>; <ivec> // <nonzero>; <ivec> % <nonzero>; <ivec> - <ivec>; -<ivec>; <ivec> & <small>; <ivec> ^ 5; ~<ivec>
ivec    np.where(<mask>, <ivec>, <small>); <ivec>[::-1]; <ivec> | <ivec>; np.minimum(<ivec>, <small>); abs(<ivec>); <ivec> * <mask>; +<ivec>
ivec    <ivec> << <small>; <ivec> >> 1                          | array shifts
ivec    np.argsort(<ivec>, kind='stable')                       | array order
mask    <vec> > <float>; <ivec> == <small>; <mask> & <mask>; <mask> | <mask>; ~<mask>; <vec> <= <vec>; <ivec> % 2 == 0; <vec> != <vec>; <mask> ^ <mask>
mat     <mat> + <vec>; <mat> * <float>; np.stack([<vec>, <vec>]); <mat> - <mat>; <mat>.T.reshape(2, 4); np.concatenate([<mat>[1:], <mat>[:1]])
mat     <mat> - np.round(0 + <mat>.mean(axis=0), 7); <mat>[::-1]; np.array([<vec>, <vec>]); <mat> / 8; np.where(<mat> > 1, <mat>, 0.5); <mat>.copy(); np.array([[1], [2]]) * <vec>
`)

// statements are made of expressions. What is assigned stays small, as loops repeat it.
var statements = table(`
set     <INT> = <int> % 100003; <INT> += <int> % 1009; <INT> -= 3; <FLOAT> = <float>; <FLOAT> *= 0.5; <BOOL> = <bool>; <STR> = (<str>)[:20]
set     <STR> += <letter>; <INTS> = (<ints>)[:6]; <STRS> = (<strs>)[:5]; <TUP> = (<tup>)[:4]; <DICT> = <dict>; <INTS>.append(<int> % 97)
set     <INTS> += [<small>]; <DICT>[<small>] = <int> % 97; <INT>, <FLOAT> = <small>, <float>; <INTS>.insert(0, <small>)
set     <INTS>[<at>] = <small>; <INTS>.pop(); <INTS>.remove(<small>); <DICT>[<small>] += 1; <INTS>.pop(<at>)  | mistakes
set     <DICT>.pop(<small>, 0); <DICT>.update({<small>: 1}); <INTS>.extend([1, <small>]); <DICT>.setdefault(<small>, 5)
set     <VEC> = <vec>; <IVEC> = <ivec> % 1009; <MASK> = <mask>; <MAT> = <mat>; <VEC>[<at>] = <float>; <IVEC>[<at>] = <small>; <MAT>[1, <at>] = <float>
set     <MAT>[0] = <vec>; <VEC> = <VEC> + 1; <INT> //= <nonzero>; <INT> %= <nonzero>; <INT> <<= 1; <INT> &= 1023; <INTS>.clear(); <MAT>[<small> % 2][<at>] = <float>
set     <INTS>[1:] = [<small>, 7]; <INTS>[:<at>] = <ints>[:2]   | slice assignment
set     <MAT>[:, <at>] = <float>; <MAT>[..., 1:3] = <mat>[:, :2]; <VEC>[1:3] = <float>; <VEC>[::2] = [<float>, 1]  | array slices
set     <VEC>[<vec> > 1] = <float>; <IVEC>[[0, 2]] = [5, <small>]  | array picks
set     <VEC> += <vec>; <MAT> *= 2; <IVEC> -= <small>           | in place
set     <INT>, *<INTS> = [<small>, 2, 3]                        | stars
set     <INTS> = <STRS> = []                                    | chained assignment
set     <INTS>.sort(); <INTS>.reverse()                         | list methods
set     <INT> **= 2; <INT> %= 9973                              | **
show    print(<int>); print(<float>); print(<bool>); print(<str>); print(<ints>); print(<tup>); print(<dict>); print(<float>, <int>, <bool>)
show    print(<vec>); print(<ivec>); print(<mask>); print(<mat>); print(repr(<vec>)); print(repr(<mat>)); print('|'.join(<strs>)); print(len(<str>), <str>)
show    print(<mat>.shape, <vec>.ndim, <ivec>.size); print(0 + float('%.9e' % <vec>.sum()), <mat>.max(), <ivec>.min()); print(np.round(0 + <mat>.sum(axis=1), 7)); print([<float>, <int>], (<bool>, None))
show    print(<mat>.T); print((<mat> > 1).sum(axis=0)); print(<vec>.tolist(), <ivec>.tolist()); print(0 + float('%.9e' % <vec>.mean()) if <bool> else <int>); print(<vec>[1:], <mat>[:1])
show    print(<vec>[<vec> > 0.5], <ivec>[<mask>])               | array picks
show    print(f'{<INT>} {<FLOAT>:.3g} {<INTS>}')                | f-strings
flow    if <bool>:\n    <block>; if <bool>:\n    <block>\nelse:\n    <block>; if <bool>:\n    <block>\nelif <bool>:\n    <block>\nelse:\n    <block>
flow    for <N> in range(<small>):\n    <block>; for <N> in list((<ints>)[:4]):\n    <block>; for <N> in range(5):\n    if <bool>:\n        continue\n    <block>
flow    <N> = 0\nwhile <N> < <small>:\n    <N> += 1\n    <block>; for <N> in range(4):\n    <block>\n    if <bool>:\n        break
flow    for <N>, q in enumerate(<ints>[:3]):\n    <INT> = q\n    <block>
`)

// definitions of functions of each program; p and q are ints there.
var definitions = table(`
g0      def g0(p, q=<small>):\n    return <int>; def g0(p, q=3):\n    if <bool>:\n        return <int>\n    return p - q
g1      def g1(p, q=0, *rest):\n    return <int> + len(rest); def g1(p, *rest):\n    u = p\n    for q in rest:\n        u = u * 2 + q\n    return u
g2      def g2(p, q, **named):\n    def h(r):\n        return r - <int>\n    return h(p) + h(q); def g2(p, q):\n    while p > q and p < 1000:\n        q += 1 + abs(q)\n    return q
`)

// table reads rules: a type, then texts separated by semicolons, then what they need.
func table(text string) map[string][]rule {
	rules := map[string][]rule{}
	for line := range strings.Lines(strings.TrimSpace(text)) {
		typ, texts, _ := strings.Cut(line, " ")
		needs := ""
		if i := strings.LastIndex(texts, "  | "); i >= 0 {
			texts, needs = texts[:i], strings.TrimSpace(texts[i+4:])
		}
		for t := range strings.SplitSeq(texts, "; ") {
			t = strings.ReplaceAll(strings.TrimSpace(t), `\n`, "\n")
			rules[typ] = append(rules[typ], rule{t, needs, calling.MatchString(t)})
		}
	}
	return rules
}

// A generator makes a program of the rules.
type generator struct {
	rnd   *rand.Rand
	has   []string        // the features that there are
	used  map[string]bool // the texts of the rules used, unless nil
	loops []string        // variables of the loops around
	local []string        // parameters of the function around
	calls bool            // the functions may be called
}

// program returns a program.
func (g *generator) program() string {
	var b strings.Builder
	if g.rnd.IntN(4) == 0 {
		g.has = append(slices.Clip(g.has), mistakes)
	}
	for _, typ := range slices.Sorted(maps.Keys(variables)) {
		for _, name := range variables[typ] {
			fmt.Fprintf(&b, "%s = %s\n", name, g.leaf(typ, false))
		}
	}
	g.local = []string{"p", "q"}
	for i := range 3 {
		b.WriteString(g.expand(g.choose(definitions[fmt.Sprint("g", i)]).text, 2) + "\n")
	}
	g.local, g.calls = nil, true
	for range 6 + g.rnd.IntN(10) {
		b.WriteString(g.statement(2) + "\n")
	}
	b.WriteString("print(i0, f0, b0, l0, t0, d0)\nprint(s0, x0, k0, m0)\nprint(a0)\n")
	return b.String()
}

func (g *generator) choose(rules []rule) rule {
	var fitting []rule
	for _, r := range rules {
		if (r.needs == "" || slices.Contains(g.has, r.needs)) && (g.calls || !r.calls) {
			fitting = append(fitting, r)
		}
	}
	r := fitting[g.rnd.IntN(len(fitting))]
	if g.used != nil {
		g.used[r.text] = true
	}
	return r
}

// statement makes a statement with at most so many blocks inside each other.
func (g *generator) statement(depth int) string {
	kind := []string{"set", "set", "show", "flow"}[g.rnd.IntN(4)]
	if depth == 0 && kind == "flow" {
		kind = "show"
	}
	r := g.choose(statements[kind])
	if kind != "flow" {
		return g.expand(r.text, 2)
	}
	name := fmt.Sprint("n", len(g.loops))
	loops := g.loops
	if strings.Contains(r.text, "<N>") {
		g.loops = append(slices.Clip(loops), name)
	}
	text := blockMark.ReplaceAllStringFunc(strings.ReplaceAll(r.text, "<N>", name), func(mark string) string {
		indent := strings.TrimSuffix(mark, "<block>")
		var lines []string
		for range 1 + g.rnd.IntN(2) {
			lines = append(lines, indent+strings.ReplaceAll(g.statement(depth-1), "\n", "\n"+indent))
		}
		return strings.Join(lines, "\n")
	})
	g.loops = loops // the head of a loop is before its variable
	return g.expand(text, 2)
}

var (
	calling   = regexp.MustCompile(`^g[012]\(`)
	blockMark = regexp.MustCompile(`(?m)^ *<block>`)
	hole      = regexp.MustCompile(`<[A-Za-z]+>`)
	atom      = regexp.MustCompile(`^(\w+|'[^']*'|[\w.]+\([^()]*\)|\[[^\[\]]*\])$`)
)

// expand fills the holes of a text with expressions of at most a depth.
func (g *generator) expand(text string, depth int) string {
	return hole.ReplaceAllStringFunc(text, func(mark string) string {
		name := strings.Trim(mark, "<>")
		if lower := strings.ToLower(name); lower != name {
			return variables[lower][g.rnd.IntN(len(variables[lower]))]
		}
		e := g.expression(name, depth)
		if !atom.MatchString(e) {
			return "(" + e + ")"
		}
		return e
	})
}

func (g *generator) expression(typ string, depth int) string {
	if expressions[typ] == nil || depth == 0 || g.rnd.IntN(4) == 0 {
		return g.leaf(typ, true)
	}
	return g.expand(g.choose(expressions[typ]).text, depth-1)
}

// leaf returns a literal, or a variable too.
func (g *generator) leaf(typ string, names bool) string {
	choices := strings.Fields(leaves[typ])
	if names {
		choices = append(choices, variables[typ]...)
		choices = append(choices, variables[typ]...)
		if typ == "int" {
			choices = append(append(choices, g.loops...), g.local...)
		}
	}
	return choices[g.rnd.IntN(len(choices))]
}
