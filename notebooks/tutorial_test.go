package notebooks

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/notebook"
	"github.com/arignote/arignote/starlib"
)

const tutorial = "tutorial/profiling.star"

// TestTutorialOutputs reads what the tutorial's cells showed when they ran: all of them did, in
// order, and what the text claims of them is so.
func TestTutorialOutputs(t *testing.T) {
	nb, _ := read(t, notebookOf(tutorial))
	panels := 0
	var stdout strings.Builder
	for _, c := range nb.Cells {
		for _, o := range c.Outputs {
			if o.Name == "stdout" {
				stdout.WriteString(string(o.Text))
			}
			if o.Data[profileMIME] != nil {
				panels++
			}
		}
	}
	if panels < 6 {
		t.Errorf("got %d panels, want 6", panels)
	}
	checkTutorial(t, stdout.String())
}

// checkTutorial finds in what the tutorial prints that products are the worst in both models, as in
// the peers' columns, that peaks of memory are those that follow from lengths, that tanh is faster
// than Theano's, and that the rate of a product agrees with a stopwatch to 5 %.
func checkTutorial(t *testing.T, stdout string) {
	t.Helper()
	for _, title := range []string{"softmax regression, %", "perceptron, %"} {
		at := strings.Index(stdout, title)
		if at < 0 {
			t.Errorf("no table of %q", title)
			continue
		}
		rows := strings.Split(stdout[at:], "\n")[1:6]
		most := strings.Fields(strings.TrimPrefix(rows[0], "products"))
		for _, row := range rows {
			cells := strings.Fields(row[26:])
			for i, cell := range cells {
				v, err := strconv.ParseFloat(cell, 64)
				if err != nil {
					t.Fatal(err)
				}
				if best, _ := strconv.ParseFloat(most[i], 64); v > best {
					t.Errorf("%s: got %s, more than products with %s", title, row, most[i])
				}
			}
		}
	}
	// What the text derives from the lengths of the layers: as it runs, without operations in
	// place, and if nothing were freed.
	for _, want := range []string{"CPU: 2813KB (2813KB)", "CPU: 3750KB (3750KB)", "CPU: 4223KB\n"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no peak of %q", want)
		}
	}
	if m := regexp.MustCompile(`tanh takes ([0-9.]+) ns an element`).FindStringSubmatch(stdout); m == nil {
		t.Error("no time of tanh")
	} else if ns, err := strconv.ParseFloat(m[1], 64); err != nil || ns >= 16 {
		t.Errorf("tanh takes %s ns an element, want less than Theano's 16", m[1])
	}
	m := regexp.MustCompile(`stopwatch .* profile .*: ([+-][0-9.]+)%`).FindStringSubmatch(stdout)
	if m == nil {
		t.Fatal("no stopwatch")
	}
	if d, err := strconv.ParseFloat(m[1], 64); err != nil || d > 5 || d < -5 {
		t.Errorf("the profile's rate differs from the stopwatch by %s %%, want at most 5", m[1])
	}
}

// TestTutorialRuns runs the script without a front end.
func TestTutorialRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	s, dir := run(t, tutorial)
	for _, file := range []string{"steps.anprof", "steps.pb.gz", "steps.trace.json", "steps.csv", "steps.html"} {
		if info, err := os.Stat(filepath.Join(dir, file)); err != nil || info.Size() == 0 {
			t.Errorf("%s was not written: %v", file, err)
		}
	}
	for _, want := range []string{"Memory Profile", "Timing Info", "ProfileMode.print_summary()", "softmax regression, %"} {
		if !strings.Contains(s.stdout.String(), want) {
			t.Errorf("no %q in what it prints", want)
		}
	}
}

// TestDebuggingOutputs: the tutorial on debugging says what happens.
func TestDebuggingOutputs(t *testing.T) {
	checkShown(t, "tutorial/debugging.star",
		"dot: shapes (3,) and (4,) do not fit", "Storage map footprint:\n     - x, Input, Shape: (3,), ElemSize: 8 Byte(s), TotalSize: 24 Byte(s)\n",
		"its test value has shape (40, 3)", "input 0 (other) of dot(other, W1) has no test value",
		"half of v __str__ = [1. 2. 3.]\nsquares shape = (3,)\nsquares sum = 14.0\n", "v * v is up to 16.0\n",
		"0 Elemwise{mul,no_inplace}(TensorConstant{5.0}, s) input(s) value(s): [5.0, 3.0] output(s) value(s): [15.0]\n",
		"*** NaN detected ***\nElemwise{mul,no_inplace} [id A]", "Inputs : [-inf, 0.0]\nOutputs: [nan]\n", "of which true_div gives it first",
		"AssertionError: rates must be positive", "ValueError: at most 3 rates",
	)
}

// TestNansOutputs: so does that on nan.
func TestNansOutputs(t *testing.T) {
	checkShown(t, "tutorial/nans.star",
		"nan after 2", "fused: 1 of 1 elements are above 1e+10; the first is 1.0139", "as it is rewritten [[    0. -1000. -2000.]]\nas it is written   [[ nan -inf -inf]]\n",
		"*** NaN detected ***\nnode 4: Elemwise{true_div,no_inplace}", "by default      [0.25 0.  ]\nfast_run_stable [0.25  nan]\n[0.25 0.  ]\n",
		"NanGuardMode: argument 1, v (float64[?]): 1 of 3 elements are nan", "AssertionError: the data has holes", "\n10.0\n",
	)
}

// screen is where a script shows what it has: warnings go to standard error, where nothing else is,
// since profiles have a place of their own.
type screen struct {
	starlib.Terminal
	stdout, stderr, profiles bytes.Buffer
}

func (s *screen) Display(data, metadata map[string]any, id string, again bool) {
	if _, ok := data[profileMIME]; ok {
		fmt.Fprintln(&s.profiles, data["text/plain"])
		return
	}
	s.Terminal.Display(data, metadata, id, again)
}

// run runs a script without a front end, in a directory of its own.
func run(t *testing.T, script string) (s *screen, dir string) {
	t.Helper()
	dir = t.TempDir()
	copyScripts(t, dir, filepath.Dir(script))
	s = runIn(t, dir, filepath.Base(script))
	if s.stderr.Len() > 0 {
		t.Errorf("%s: got the warnings\n%s", script, &s.stderr)
	}
	return s, dir
}

// runIn runs a script that is in dir.
func runIn(t *testing.T, dir, script string) *screen {
	t.Helper()
	s := new(screen)
	s.Terminal = starlib.Terminal{Out: &s.stdout, Err: &s.stderr}
	if err := starlib.NewSession(starlib.Options{Dir: dir}).RunFile(t.Context(), filepath.Join(dir, script), s); err != nil {
		t.Fatalf("%s: %v\n%s", script, err, &s.stderr)
	}
	return s
}

// TestScreen: a warning is seen before, between and after profiles.
func TestScreen(t *testing.T) {
	dir := t.TempDir()
	const program = `import sys
# %%
x = T.scalar("x")
f = function([x], 2 * x, name = "twice")
print("before", file = sys.stderr)

# %%
# %%profile
f(1)
print("in one", file = sys.stderr)

# %%
print("after", file = sys.stderr)
profile(lambda: f(1), name = "again")
`
	if err := os.WriteFile(filepath.Join(dir, "warns.star"), []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	s := runIn(t, dir, "warns.star")
	if got, want := s.stderr.String(), "before\nin one\nafter\n"; got != want {
		t.Errorf("got the warnings %q, want %q", got, want)
	}
	for _, want := range []string{"Profile of twice\n", "Profile of again\n"} {
		if !strings.Contains(s.profiles.String(), want) || strings.Contains(s.stdout.String(), want) {
			t.Errorf("got no %q among the profiles\n%s\nor among what is printed\n%s", want, &s.profiles, &s.stdout)
		}
	}
}

// TestAllRan: each cell of each notebook ran, in order, and none failed or warned, but for what the
// text is about.
func TestAllRan(t *testing.T) {
	for _, script := range scripts(t) {
		nb, _ := read(t, notebookOf(script))
		count := 0
		for _, c := range nb.Cells {
			if c.Kind != notebook.Code {
				continue
			}
			if count++; c.Count != strconv.Itoa(count) {
				t.Errorf("%s: cell %s: execution count is not %d", script, c.ID, count)
			}
			for _, o := range c.Outputs {
				if o.Type == "error" || o.Name == "stderr" {
					t.Errorf("%s: cell %s: got %s %s", script, c.ID, o.Class, o.Text)
				}
			}
		}
	}
}

// checkShown: what the cells of a tutorial showed when they ran, the script prints too, and it is
// what the text says.
func checkShown(t *testing.T, script string, wants ...string) {
	t.Helper()
	s, _ := run(t, script)
	nb, _ := read(t, notebookOf(script))
	shown := "\n"
	for _, c := range nb.Cells {
		for _, o := range c.Outputs {
			shown += string(o.Text)
		}
	}
	for _, want := range wants {
		if !strings.Contains(s.stdout.String(), want) || !strings.Contains(shown, want) {
			t.Errorf("got no %q in what the script prints, %v, or in what the notebook shows, %v", want, strings.Contains(s.stdout.String(), want),
				strings.Contains(shown, want))
		}
	}
}

// TestLearningOutputs: the tutorials on networks show what they say; they assert themselves how
// much of the test set they get wrong.
func TestLearningOutputs(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	battery := map[string][]string{
		"logistic_regression":   {"cost 2.302585, log(10) = 2.302585", "% of the test set", "microseconds of a call", "float32, 600: ", "products take "},
		"mlp":                   {"log(10) = 2.3026 and the regularization", "% of the test set", "says  ", "microseconds of a call", " all of its lines", "nll, float32 "},
		"lenet":                 {"(8, 1, 28, 28) -> (8, 2, 24, 24) -> (8, 2, 12, 12)", "% of the test set", "microseconds of a call", "the convolutions take ", "Mflop with tanh"},
		"denoising_autoencoder": {"corruption 30 % ", "of what was left, ", "of 784000 coins differ", "us are noise"},
		"convolution_arithmetic": {"[[12. 12. 17.]\n [10. 17. 19.]\n [ 9.  6. 14.]]\n", "conv2d: filters of 5 rows do not fit into an input of 3", "half, even filters",
			"transposed: 219 sizes agree", "200 weights instead of 1152", "pools: 400 sizes agree", "[ 2  8 50 30]"},
		"conditions": {"switch 2 million, ifelse 1 million", "after ten calls: exp [10], log []", "if{which}", "(0, 0) []\n(0, 1) [\"exp\"]\n(1, 0) [\"exp\"]\n(1, 1) [\"exp\"]\n",
			"20.0 -1.0\nsubtensor: index 5 is out of bounds", "0.25 0.0", "moved: [True, False]", "calls of the products that ran: [5, 5]", "27 goes up to 9232 and comes down to 1 in 111 steps"},
		"multi_cores": {"there is no flag openmp: config.threads says", "the same bits with 1, 2, 3 and 7 threads", "one thread"},
	}
	for i, script := range slices.Sorted(maps.Keys(battery)) {
		if long.Turn(i, 3) {
			t.Run(script, func(t *testing.T) { checkShown(t, "tutorial/"+script+".star", battery[script]...) })
		}
	}
}

// TestLoadingAndSavingOutputs: so does that on files.
func TestLoadingAndSavingOutputs(t *testing.T) {
	checkShown(t, "tutorial/loading_and_saving.star", "cost 0.693 after 1 step", "[\"W\", \"b\", \"v\"]\n{\"steps\": \"300\"}\n", "[0.5 0.5 0.5]\nTrue\n", "spirals.npz does not fit, and nothing is changed",
		"the same costs: True\nthe same rate: True\nthe same weights: [True, True, True]\n", "the operation was written here: hidden = T.tanh(T.dot(x, W) + b)", "W F64 [2, 30]\n", "\nrate state F64 []\n",
		"= dot x W @", "damaged.arignote: the file is damaged", "it calls show, a function of the program", "PicklingError: dumps: a Function is not written", "{\"epochs\": 300, \"rate\": 0.5} 300 (2, 30)\n")
}

// TestSlowProgram: the tutorial on a slow program follows the advice about it to the end, and the
// program becomes more than 5 times as fast.
func TestSlowProgram(t *testing.T) {
	nb, _ := read(t, notebookOf("tutorial/slow_program.star"))
	var shown strings.Builder
	for _, c := range nb.Cells {
		for _, o := range c.Outputs {
			if o.Name == "stdout" {
				shown.WriteString(string(o.Text))
			}
		}
	}
	for _, rule := range []string{"growing-array, line ", "float64-in-float32, line ", "function-in-loop, line ", "element-loop, line "} {
		if !strings.Contains(shown.String(), rule) {
			t.Errorf("no advice of %q in what the notebook shows", rule)
		}
	}
	m := regexp.MustCompile(`in all: ([0-9.]+) times as fast`).FindStringSubmatch(shown.String())
	if m == nil {
		t.Fatal("the notebook does not say how many times as fast the program is")
	}
	if times, err := strconv.ParseFloat(m[1], 64); err != nil || times <= 5 {
		t.Errorf("got %s times as fast, want more than 5", m[1])
	}
}
