package profile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestSplit: with split="measured" lines of a fused node have what their operations took, which the
// costs of kernels say too, however the profile is asked for, and whatever is fused: chains,
// reductions, operands that broadcast.
func TestSplit(t *testing.T) {
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	setting := strings.Join([]string{
		`x, y, row = T.dmatrices("x", "y", "row")`,
		`a = x ** y`,
		`b = x + y`,
		`c = (T.exp(-b) * 2).sum(axis=1)`,
		`u, v, w = np.random.uniform(0.1, 0.9, (200, 300)), np.random.uniform(0.1, 0.9, (200, 300)), np.ones((200, 300))[:, ::2]`,
		`measured, known = ProfileStats(split="measured"), ProfileStats()`,
		`f = function([x, y], [a + b, c], profile=measured)`,
		`g = function([x, y], [a + b, c], profile=known)`,
		`for i in range(20):`,
		`    f(u, v)`,
		`    g(u, v)`,
		``,
		`def price(p, line): return sum([r.fraction for r in p.lines() if r.source.startswith(line)])`,
	}, "\n")
	var wrong []string
	for range 5 { // a run that is interrupted in the middle of an operation charges it to that
		wrong = nil
		starlibtest.Run(t, s, 1, setting)
		for i, check := range []string{
			`abs(sum([r.fraction for r in measured.lines()]) - 1) < 1e-6`,
			`price(measured, "a = ") > 0.4`, // a power takes several times what an exponential does
			`price(measured, "a = ") > 2 * price(measured, "b = ")`,
			`price(measured, "c = ") > price(measured, "b = ")`,
			`price(measured, "b = ") > 0`,
			`[r.fraction for r in measured.lines()] != [r.fraction for r in known.lines()]`, // nobody measures without being asked
		} {
			if got, _ := starlibtest.Run(t, s, 2+i, check); got != "True" {
				prices, _ := starlibtest.Run(t, s, 99, `[(r.source, r.fraction) for r in measured.lines()]`)
				wrong = append(wrong, fmt.Sprintf("%s: got %s; %s", check, got, prices))
			}
		}
		if wrong == nil {
			break
		}
	}
	if wrong != nil {
		t.Error(strings.Join(wrong, "\n"))
	}
	for i, asked := range []string{"%%profile split=measured show=text", "%%profile show=text --split measured"} {
		if _, _, err := s.Execute(t.Context(), 20+i, asked+"\nfor i in range(5):\n    g(u, v)\n", new(bundles)); err != nil {
			t.Errorf("%s: %v", asked, err)
		}
	}
	// A function that is profiled for itself and in its cell: both are told. And where nodes are
	// watched, nobody is.
	starlibtest.Run(t, s, 40, "%%profile split=measured show=none export=both.anprof\nfor i in range(20):\n    f(u, v)\n")
	starlibtest.Run(t, s, 41, "%%profile show=none export=known.anprof\nfor i in range(20):\n    f(u, v)\n")
	starlibtest.Run(t, s, 42, "%%profile split=measured show=none export=watched.anprof\nh = function([x, y], [a + b, c], mode=\"NanGuardMode\")\nfor i in range(20):\n    h(u, v)\n")
	starlibtest.Run(t, s, 43, `both, known, watched = [[r.fraction for r in load_profile(name + ".anprof").lines()] for name in ["both", "known", "watched"]]`)
	for i, check := range []string{`len(both) == len(known) and both != known`, `abs(sum(both) - 1) < 1e-6`, `abs(sum(watched) - 1) < 1e-6`} {
		if got, _ := starlibtest.Run(t, s, 44+i, check); got != "True" {
			prices, _ := starlibtest.Run(t, s, 50, `(both, known, watched)`)
			t.Errorf("%s: got %s; %s", check, got, prices)
		}
	}
	// Steps of a loop, of which some runs are traced.
	starlibtest.Run(t, s, 60, "p = ProfileStats(split=\"measured\")\nr = theano.scan(lambda q, h: T.tanh(q) * h + T.sqrt(q * h).sum(), sequences=x, outputs_info=x[0])[0]\nloop = function([x], r, profile=p)\nfor i in range(5):\n    loop(u)\n")
	if got, _ := starlibtest.Run(t, s, 61, `abs(sum([r.fraction for r in p.lines()]) - 1) < 1e-6`); got != "True" {
		t.Errorf("a loop: got %s", got)
	}
	for code, want := range map[string]string{
		`ProfileStats(split="guessed")`:                 `ProfileStats: split: got "guessed", want "costs" or "measured"`,
		"%%profile split=guessed\ng(u, v)":              "measured",
		`config.profiling.split = "some"`:               "measured",
		`config.change_flags(profiling__split="costs")`: "",
	} {
		_, _, err := s.Execute(t.Context(), 30, code, new(bundles))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(fmt.Sprint(err), want)) {
			t.Errorf("%s: got %v, want %q", code, err, want)
		}
	}
}
