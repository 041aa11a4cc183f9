package main

import (
	"go/format"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// An addition adds lines to a file, before the first line that begins with a text; without one it
// makes the file.
type addition struct{ file, before, lines string }

// additions are throw-away changes, one of each kind, in exactly the files that CONTRIBUTING.md
// names.
var additions = []addition{
	// An elementwise operation with a kernel. T.angle is a name of Theano's that Arignote has not.
	{"runtime/op/elemwise.go", "\tSoftsign\n", "\tHalve\n"},
	{"runtime/op/elemwise.go", "\tSoftsign: {", `	Halve: {Name: "halve", Args: "x", Doc: "Half of x.",
		Names: "T.halve T.angle np.halve", Takes: Floats, Flops: 1, Example: "halve(3.0) = 1.5",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{times(b, 0.5, g)} }},
`},
	{"kernels/table.go", "\t{Name: \"softsign\"", "\t{Name: \"halve\", Arity: 1, Loops: real1(func(x float64) float64 { return x / 2 })}, // x / 2\n"},
	{"kernels/c/internal/isa/elemwise.def", "FLOATS1(softsign,", "FLOATS1(halve, x / 2)\n"},
	// What the benchmark would measure.
	{"kernels/costs.go", "\t\"softsign\":", "\t\"halve\": {\n\t\t{{1, 1, 0, 0, 0, 0, 0}, {0.5, 0.3, 0, 0, 0, 0, 0}, {0.3, 0.2, 0, 0, 0, 0, 0}},\n" +
		"\t\t{{1, 1, 0, 0, 0, 0, 0}, {0.5, 0.3, 0, 0, 0, 0, 0}, {0.1, 0.1, 0, 0, 0, 0, 0}},\n\t},\n"},

	// What NumPy calls both operations.
	{"runtime/op/testdata/oracle.py", "        \"reciprocal\": lambda", "        \"halve\": lambda x: x / 2,\n"},
	{"runtime/op/testdata/oracle.py", "    \"deg2rad rad2deg", "    \"halve \"\n"},
	{"runtime/op/testdata/oracle.py", "    \"assert\": first", "    \"settle\": first,\n"},

	// A structural operation, and its function of T.
	{"runtime/op/settle.go", "", `package op

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Settle is a copy of its operand.
type Settle struct{}

var _ = register(Settle{})

func (Settle) Name() string  { return "settle" }
func (Settle) Label() string { return "Settle" }
func (Settle) Class() string { return classBasic + "Settle" }

func (Settle) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 1); err != nil {
		return nil, err
	}
	return []graph.Type{in[0].Type}, nil
}

func (Settle) Link(node *graph.Apply, _ kernels.Sets) (Thunk, string, error) {
	return func(c *Call, in, out []*tensor.Dense) error {
		out[0] = c.Alloc(0, node.Outputs[0].Type.DType, in[0].Shape())
		tensor.CopyTo(out[0], in[0])
		return nil
	}, goImpl, nil
}

func (Settle) Cost(in, out []graph.Array) graph.Cost { return graph.Once(0, in, out) }

func (Settle) Length(m Maker, v V, axis int) V { return length(m, v.Owner.Inputs[0], axis) }

func (Settle) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	return []V{g[0]}
}

func (Settle) Traits() Traits { return Moves }

func (s Settle) Cases() []Case {
	return slices.Concat(cases("any[2,3]", s), cases("any[4]", s), cases("any[3,0]", s))
}
`},
	{"starlib/symbolic/operations/tfunctions.go", "\tTensorRow(\"T.flatten\"", `	TensorRow("T.settle", "A copy of x.", "settle([1.0, 2.0]) # array([1., 2.])",
		func(g *functions.Graph, a *VariableArg) (*graph.Variable, error) { return g.Apply(op.Settle{}, a.X.V), nil }),
`},

	// A rule.
	{"runtime/rewrite/rules/specialize.rules", "local_mul_to_sqr:", "local_abs_halve: abs(halve(x)) => halve(abs(x)) if float(x)\n"},

	// A column.
	{"profiler/columns/rows.go", "\t{Name: \"calls\"", "\t{Name: \"rounds\", Header: \"rounds\", Doc: \"How often they ran, counted again.\", Want: \" # 1\", Unit: Count, In: Page | List | Field,\n" +
		"\t\tOf: func(r row) Value { return count(r.Calls) }},\n"},
}

// asked is a test of what users of the copy get of the additions.
var asked = addition{"starlib/symbolic/testdata/contributing.star", "", `x = T.dvector("x")
eq(T.halve(2.0).eval().tolist(), 1.0)
eq(T.angle(2.0).eval().tolist(), 1.0)
eq(np.halve(3.0), 1.5)
eq(T.grad(T.sum(T.halve(x)), x).eval({x: [1.0, 2.0]}).tolist(), [0.5, 0.5])
eq(T.settle(x).eval({x: [1.0]}).tolist(), [1.0])
eq("halve(abs(" in debugprint(function([x], T.abs(T.halve(x))), file="str"), True)
`}

// A tested room has tests that walk tables: of those that match run, the tests of names have to
// have run, and passed.
type tested struct{ room, run, names string }

// goBattery runs without cgo. What it runs twice writes files made from tables first.
var goBattery = []tested{
	{"kernels", "Test(Table|Functions|Thresholds|Programs)$", "TestTable"},
	{"kernels/native", "Test(Costs|OneRowOfCosts)$", "TestCosts"},
	{"runtime/op", "Test(Rows|Gradients|Names|Structural|Costs|RowFlops|Manual|CaseText|Oracle)$",
		"TestRows/halve TestGradients/halve TestStructural/settle TestCosts TestManual TestOracle"},
	{"runtime/rewrite", "Test(RandomGraphsDraw|RandomGraphs|RulesNumerically|RulesOnSpecialValues|WildGraphs|Manual)$",
		"TestRandomGraphsDraw/halve TestRandomGraphsDraw/settle TestRandomGraphs TestRulesNumerically/local_abs_halve TestRulesOnSpecialValues TestWildGraphs"},
	{"runtime/compile", "Test(GeneratorDraws|NoDiff|NoDiffGradients)$",
		"TestGeneratorDraws/halve TestGeneratorDraws/settle TestNoDiff TestNoDiffGradients"},
	{"profiler/columns", "", "TestTables"},
	{"profiler/export", "TestCSV", "TestCSVOfTable"},
	{"profiler/panel", "Test(HTML|Columns|RowsFitHeaders|Page)$", "TestPage"},
	{"starlib", "TestReference$", "TestReference"},
	{"starlib/symbolic", "TestSpec$", "TestSpec/contributing"},
	{"starlib/symbolic/operations", "TestElementwiseOfBoth$", "TestElementwiseOfBoth/halve"},
	{"starlib/assist", "Test(Missing|Documentation)$",
		"TestMissing TestDocumentation/T.halve TestDocumentation/np.halve TestDocumentation/T.angle TestDocumentation/T.settle"},
}

// updates are the commands that CONTRIBUTING.md says make files anew.
var updates = []tested{{"runtime/op", "TestOracle$", "TestOracle"}, {"runtime/op", "TestManual$", "TestManual"}, {"runtime/rewrite", "TestManual$", "TestManual"}, {"starlib", "TestReference$", "TestReference"}}

// cBattery compares the kernel in C with that in Go.
var cBattery = []tested{{"kernels/native", "Test(EveryKernelIsThere|Loops|Costs|Programs)$",
	"TestEveryKernelIsThere TestLoops/*/halve/float32/float32 TestLoops/*/halve/float64/float64 TestCosts TestPrograms"}}

// A mistake is made in an addition, and the test finds it.
type mistake struct{ file, right, wrong, test, says string }

var goMistakes = []mistake{
	{"runtime/op/elemwise.go", "{times(b, 0.5, g)}", "{times(b, 0.25, g)}", "TestGradients/halve", "got 0.2"},
	{"runtime/op/settle.go", "length(m, v.Owner.Inputs[0], axis)", "length(m, v.Owner.Inputs[0], 0)", "TestStructural/settle", "Length of axis 1 is"},
}

var cMistakes = []mistake{{"kernels/c/internal/isa/elemwise.def", "FLOATS1(halve, x / 2)", "FLOATS1(halve, x / 4)", "TestLoops/*/halve/float64/float64", "got 0.25 "}}

// TestContributing makes additions to a copy of the tree, each in the files that CONTRIBUTING.md
// names and no other. Tests find them by their names, and pass; and fail if there is a mistake in
// an addition.
//
// It takes a minute and runs if the environment says so: CONTRIBUTING=go, or CONTRIBUTING=c, which
// then compiles the kernels in C too.
func TestContributing(t *testing.T) {
	mode := os.Getenv("CONTRIBUTING")
	if mode != "c" && mode != "go" {
		t.Skip("CONTRIBUTING is not go, or c: builds and tests a copy of the tree, for a minute or more")
	}
	needPython(t, "numpy, scipy.special, mpmath", "python3-numpy, python3-scipy and python3-mpmath")
	t.Parallel() // most of it is one program's tests after the other
	c := newCopy(t)
	for _, a := range append(slices.Clone(additions), asked) {
		c.add(t, a)
	}
	c.env = []string{"CGO_ENABLED=0", "SEEDS=1000"}
	c.build(t, goBattery)
	for _, u := range updates {
		c.pass(t, u, "-update")
	}
	if t.Failed() {
		return
	}
	t.Run("battery", func(t *testing.T) {
		for _, b := range goBattery {
			t.Run(b.room, func(t *testing.T) {
				t.Parallel()
				c.pass(t, b)
			})
		}
	})
	t.Run("hygiene", c.hygiene)
	t.Run("documents", c.documents)
	t.Run("mistakes", func(t *testing.T) {
		c.fail(t, goMistakes, tested{room: "runtime/op", run: "Test(Gradients|Structural)$"})
	})
	if mode == "c" {
		t.Run("c", func(t *testing.T) {
			c.env = []string{"CGO_ENABLED=1"}
			// A wrong kernel is as wrong without optimisation, and compiled in a third of the time.
			for _, set := range []string{"avx2/avx2", "avx512/avx512", "neon/neon"} {
				c.replace(t, "kernels/c/internal/"+set+".go", "CFLAGS: -O2", "CFLAGS: -O1")
			}
			c.build(t, cBattery)
			c.pass(t, cBattery[0])
			c.fail(t, cMistakes, tested{room: "kernels/native", run: "TestLoops$"})
		})
	}
}

// copied is a copy of the tree, in which additions are made, with its tests, compiled, in bin.
type copied struct {
	dir, bin string
	env      []string
}

// newCopy copies what is built and tested: not the notebooks.
func newCopy(t *testing.T) *copied {
	t.Helper()
	c := &copied{dir: t.TempDir(), bin: t.TempDir()}
	for _, file := range sources(t, "") {
		if strings.HasPrefix(file, ".git/") || strings.HasPrefix(file, "notebooks/") && !strings.HasSuffix(file, ".go") {
			continue
		}
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c.write(t, file, src)
	}
	return c
}

func (c *copied) write(t *testing.T, file string, text []byte) {
	t.Helper()
	file = filepath.Join(c.dir, file)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

func (c *copied) read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(c.dir, file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (c *copied) add(t *testing.T, a addition) {
	t.Helper()
	text := a.lines
	if a.before != "" {
		old := c.read(t, a.file)
		at := strings.Index("\n"+old, "\n"+a.before)
		if at < 0 {
			t.Fatalf("%s has no line that begins with %q: where the addition belongs has moved", a.file, a.before)
		}
		text = old[:at] + a.lines + old[at:]
	}
	if strings.HasSuffix(a.file, ".go") {
		src, err := format.Source([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", a.file, err)
		}
		text = string(src)
	}
	c.write(t, a.file, []byte(text))
}

func (c *copied) replace(t *testing.T, file, right, wrong string) {
	t.Helper()
	old := c.read(t, file)
	if strings.Count(old, right) != 1 {
		t.Fatalf("%s has %q %d times, want it once", file, right, strings.Count(old, right))
	}
	c.write(t, file, []byte(strings.Replace(old, right, wrong, 1)))
}

// build compiles the tests of rooms. With -trimpath what was compiled for another copy is found
// again.
func (c *copied) build(t *testing.T, battery []tested) {
	t.Helper()
	args := []string{"test", "-c", "-trimpath", "-o", c.bin + "/"}
	for _, b := range battery {
		args = append(args, "./"+b.room)
	}
	build := exec.Command("go", args...)
	build.Dir = c.dir
	build.Env = append(build.Environ(), c.env...)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

var verdict = regexp.MustCompile(`(?m)^ *--- (PASS|FAIL|SKIP): (\S+)`)

// run runs tests of a room, and gives what they print, and verdicts by name.
func (c *copied) run(b tested, flags ...string) (out string, verdicts map[string]string, err error) {
	args := append([]string{"-test.run=" + b.run, "-test.v", "-test.short"}, flags...)
	test := exec.Command(filepath.Join(c.bin, path.Base(b.room)+".test"), args...)
	test.Dir = filepath.Join(c.dir, b.room)
	test.Env = append(test.Environ(), c.env...)
	text, err := test.CombinedOutput()
	verdicts = make(map[string]string)
	for _, m := range verdict.FindAllStringSubmatch(string(text), -1) {
		verdicts[m[2]] = m[1]
	}
	return string(text), verdicts, err
}

// matching are the tests of a name, in which * stands for the instruction sets of this machine.
func matching(verdicts map[string]string, name string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(verdicts)), func(test string) bool {
		ok, err := path.Match(name, test)
		return err != nil || !ok
	})
}

// pass wants the tests of a room to pass, and those that it names to have run.
func (c *copied) pass(t *testing.T, b tested, flags ...string) {
	t.Helper()
	out, verdicts, err := c.run(b, flags...)
	if err != nil {
		t.Fatalf("%s: %v\n%s", b.room, err, out)
	}
	for name := range strings.FieldsSeq(b.names) {
		tests := matching(verdicts, name)
		if len(tests) == 0 {
			t.Errorf("%s: there is no test %s", b.room, name)
		}
		for _, test := range tests {
			if verdicts[test] != "PASS" {
				t.Errorf("%s: got %s of %s, want it to pass", b.room, verdicts[test], test)
			}
		}
	}
}

// fail makes mistakes, and wants them to be found.
func (c *copied) fail(t *testing.T, mistakes []mistake, b tested) {
	t.Helper()
	for _, m := range mistakes {
		c.replace(t, m.file, m.right, m.wrong)
	}
	c.build(t, []tested{b})
	out, verdicts, _ := c.run(b)
	for _, m := range mistakes {
		tests := matching(verdicts, m.test)
		if len(tests) == 0 || !strings.Contains(out, m.says) {
			t.Errorf("with %q in %s: got\n%s\nwant it to have %s and %q", m.wrong, m.file, out, m.test, m.says)
		}
		for _, test := range tests {
			if verdicts[test] != "FAIL" {
				t.Errorf("with %q in %s: got %s of %s, want it to fail", m.wrong, m.file, verdicts[test], test)
			}
		}
	}
	for test, v := range verdicts {
		isParent := func(other string) bool { return verdicts[other] == "FAIL" && strings.HasPrefix(other, test+"/") }
		if v == "FAIL" && !added.MatchString(test) && !slices.ContainsFunc(slices.Collect(maps.Keys(verdicts)), isParent) {
			t.Errorf("%s fails, and there is no mistake in what it tests", test)
		}
	}
}

// added are the operations of the additions in names of tests.
var added = regexp.MustCompile(`/(halve|settle)(/|$)`)

// hygiene runs the tests of this package that look at the files of the copy. Of lines a room may
// have too few left, which is another decision.
func (c *copied) hygiene(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	test := exec.Command(self, "-test.run=^Test(Gofmt|FileLength|Layers|PackageDocs|NoFastMath|ContributingPaths)$")
	test.Dir = c.dir
	if out, err := test.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// documents looks for the additions in what is made from tables.
func (c *copied) documents(t *testing.T) {
	var reference, old string
	for _, page := range []string{"T", "np", "profiles"} {
		page = "docs/reference/" + page + ".md"
		reference += c.read(t, page)
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		old += string(text)
	}
	manual := c.read(t, "runtime/op/op.md")
	for _, want := range []string{"### `T.halve(x)`", "`np.halve(x", "`T.settle(x)`", "### `OpRow.rounds`"} {
		if !strings.Contains(reference, want) {
			t.Errorf("docs/reference does not have %s", want)
		}
	}
	if !strings.Contains(manual, "| `halve(x)` |") {
		t.Error("runtime/op/op.md does not have halve")
	}
	if !strings.Contains(old, "`angle`,") || strings.Contains(reference, "`angle`,") {
		t.Error("T.angle is not missing here, or is said to be in the copy")
	}
}

var (
	quoted = regexp.MustCompile("`([^`\\n]+)`")
	// named is what looks like a file or a folder: with a slash, or with the end of a name of our
	// files.
	named = regexp.MustCompile(`^[.\w*-]+(/[.\w*-]+)*/?$`)
	ends  = regexp.MustCompile(`/|\.(go|md|txt|def|rules|py)$`)
)

// TestContributingPaths: every file and folder that CONTRIBUTING.md names exists, and every file of
// the additions is named there.
func TestContributingPaths(t *testing.T) {
	text, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	names := make(map[string]bool)
	for _, m := range quoted.FindAllStringSubmatch(string(text), -1) {
		name := m[1]
		if !named.MatchString(name) || !ends.MatchString(name) {
			continue
		}
		names[name] = true
		if found, err := filepath.Glob(name); err != nil || len(found) == 0 {
			t.Errorf("CONTRIBUTING.md names %s, which does not exist", name)
		}
	}
	if len(names) < 30 {
		t.Errorf("found %d files and folders in CONTRIBUTING.md, want at least 30", len(names))
	}
	for _, a := range additions {
		dir := path.Dir(a.file)
		if !names[a.file] && !names[dir] && !names[dir+"/*"+path.Ext(a.file)] && !strings.Contains(string(text), "`"+dir+"/<op>.go`") {
			t.Errorf("an addition needs %s, which CONTRIBUTING.md does not name", a.file)
		}
	}
}
