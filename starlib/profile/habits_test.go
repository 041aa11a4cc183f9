package profile_test

import (
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestProfileHabits is what people type who meet profiles for the first time, and what the answer
// must say.
func TestProfileHabits(t *testing.T) {
	s := starlibtest.NewSession(t)
	starlibtest.Run(t, s, 1, `x, y = T.vectors("xy")
a = np.ones(5)
f = function([x, y], T.exp(x) * y, name="f", profile=True)
new = function([x], x * 2, name="new", profile=True)
odd = function([x], x + 1, name="na\"me\n<b>é漢\x1b[31m|", profile=True)
f(a, a)
odd(a)
f.profile.export("p.trace.json")`)
	for _, tt := range []struct {
		code string
		want []string // "!" says what it must not have
	}{
		// Nothing ran: why, and not what is said at exit.
		{"new.profile", []string{"Profile of new\n", "No time of nodes: the function was not called", "!Skipping"}},
		{"profile(lambda: 3)", []string{"it has no functions: pass it to function() as profile, or call one under profile()",
			"!Skipping"}},
		{"ProfileStats('p').summary_memory()", []string{"(it has no functions: "}},

		// A row alone has all of its fields, in the units of the tables.
		{"f.profile.nodes()[0]", []string{"s\nmedian       ", "s\np90          ", "\nshares       ", " % exp In[1]:3:27, ", " % mul In[1]:3:31",
			"!e-0", "!------ "}},
		{"f.profile.functions()[0]", []string{"\nvm_time ", "\nlinker_time ", "!e-0", "!0.000"}},
		{"f.profile.lines()[0]", []string{"\nflops       105 flop\n", "\nbytes       120 B\n", "\ngflops      0.0", "\nallocated   40.0 B\n"}},
		{"f.profile.nodes()", []string{"!median", "!shares"}},
		{"f.profile.rewrites()", []string{"   specialize.rules:"}},

		// Names cannot move the cursor.
		{"odd", []string{`<arignote function na"me <b>é漢 [31m|>`, "!\x1b"}},
		{"str(odd.profile)", []string{`<ProfileStats na\"me <b>é漢 [31m|>`, "!\x1b", `!\n`}},
		{"odd.graph()", []string{`<GraphPicture na"me <b>é漢 [31m|: `, "!\x1b", "!\n"}},

		// Sections are those of the classic text, whatever layout the whole has.
		{"config.profiling.layout = 'arignote'\nf.profile.summary_ops()", []string{"stdout: Ops\n---\n"}},
		{"%%flags profiling.layout=theano\nf.profile.summary_class()", []string{"<class 'arignote.tensor.elemwise.Elemwise'>"}},

		{`%%profile name="two words" save='b c'` + "\nf(a, a);", []string{"Profile of two words\n"}},
		{"%%profile show=text profiling.layout=aesara\nf(a, a)\nodd(a);", []string{"Message: Sum of all(2) printed profiles\n"}},
		{"%profile list", []string{"\nb c "}},
		{"help('%%profile')", []string{"\n  min_memory_size   smallest", ".html, ", "\n  memory            "}},
	} {
		shown, out := starlibtest.Run(t, s, 2, tt.code)
		got := shown + out.String()
		for _, want := range tt.want {
			if rest, not := strings.CutPrefix(want, "!"); strings.Contains(got, rest) != !not {
				t.Errorf("%s: got\n%s\nwant %q", tt.code, got, want)
			}
		}
	}
	_, out := starlibtest.Run(t, s, 2, `%%profile show=text profiling.layout=aesara
for q in [function([x], T.exp(x) * (i + 2), name="m%d" % i) for i in range(12)]:
    q([1.0])`)
	if n := strings.Count(out.String(), "\nFunction profiling\n"); n != 5 || // the first is not after a line's end
		!strings.Contains(out.String(), "\n   ... (7 profiles more, in the sum only)\n\n") ||
		!strings.Contains(out.String(), "\n  Message: Sum of all(12) profiles\n") {
		t.Errorf("got %d profiles of 12, want 5 and the sum of all:\n%s", n+1, out)
	}
	starlibtest.Run(t, s, 2, "f.profile.export('P.CSV')")
	long, _ := starlibtest.Run(t, s, 2, `long = function([x], T.exp(x) + T.log(x) * T.sin(x) + T.tanh(x) * T.cos(x) + T.sqrt(x) * T.tan(x), profile=True)
long([1.0])
long.profile.nodes()`)
	if n := profilertest.LongestLine(long); n > 350 || !strings.Contains(long, "…") {
		t.Errorf("got a table %d characters wide, want names cut:\n%s", n, long)
	}
	if whole, _ := starlibtest.Run(t, s, 2, "long.profile.nodes()[0].name"); len(whole) < 100 || strings.Contains(whole, "…") {
		t.Errorf("got %s, want the whole name", whole)
	}
	for _, tt := range []struct{ code, want string }{
		{"f.profile.export('nodir/p.csv')", "nodir/p.csv: no such file or directory"},
		{"%%profile name='open show=text\nf(a, a)", "%%profile: the quote ' is not closed"},
		{"profile(f)", "profile: thunk: got <arignote function f>, which has arguments: profile(lambda: f(...))"},
		{"f.profile.nodes().time", "a table of NodeRow has no attribute .time; its rows have: [r.time for r in rows], rows[0].time"},
		{"f.profile.nodes().tme", "a table of NodeRow has no attribute .tme: it is a list of rows"},
		{"load_profile('p.trace.json')", `profile: got JSON without a version, want what p.save("file.anprof") writes`},
		{"config.profilling.n_ops = 3", "config: unknown flag profilling (did you mean profiling?)"},
		{"%%profile memory\nf(a, a)", "%%profile: got memory, want memory=value or --memory"},
		{"%%profile fast\nf(a, a)", "%%profile: got fast, want name=value or --name"},
		{"%%profile top=0\nf(a, a)", `%%profile: top: got "0", want an integer > 0`},
		{"%%profile n_apply=-3\nf(a, a)", `%%profile: n_apply: got "-3", want an integer > 0`},
		{"f.profile.export('p.png')", "want one of .anprof"},
	} {
		if e := starlibtest.Fails(t, s, 3, tt.code); !strings.Contains(e.Error(), tt.want) {
			t.Errorf("%s: got %s, want %s", tt.code, e, tt.want)
		}
	}
}
